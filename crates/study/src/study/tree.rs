//! The tree of variations.

use rules::record::NodeId;

use super::{Effect, Study};

impl Study {
    /// The first move of the variation that is looked at that could come before others: it
    /// leaves a line that is free to change, before the match on it ended.
    fn promoted(&self) -> Option<NodeId> {
        let line = self.record.line(self.record.cursor());
        let leaves = |pair: &&[NodeId]| {
            let (from, to) = (pair[0], pair[1]);
            self.record.next(from) != Some(to)
                && (self.is_free || !self.review.nodes().contains(&from))
                && self.record.ending_at(from).is_none()
        };
        line.windows(2).find(leaves).map(|pair| pair[1])
    }

    /// Whether the variation that is looked at can become the line that it leaves.
    #[must_use]
    pub fn can_promote(&self) -> bool {
        self.promoted().is_some()
    }

    /// Whether the move that is looked at can be deleted.
    #[must_use]
    pub fn can_delete(&self) -> bool {
        let cursor = self.record.cursor();
        let is_fixed = !self.is_free && self.review.nodes().contains(&cursor);
        cursor != NodeId::ROOT && !is_fixed
    }

    pub(super) fn promote(&mut self) -> Vec<Effect> {
        if !self.can_promote() {
            return Vec::new();
        }
        self.leave_try();
        // Both nodes are of this record.
        self.record.promote(self.record.cursor()).ok();
        if self.is_free {
            self.follow_main_line();
        } else if let Some(&end) = self.review.nodes().last() {
            self.record.promote(end).ok();
        }
        vec![Effect::Save]
    }

    pub(super) fn delete(&mut self) -> Vec<Effect> {
        if !self.can_delete() || !self.record.delete(self.record.cursor()) {
            return Vec::new();
        }
        self.leave_try();
        self.table = self.record.analysis_table();
        if self.is_free {
            self.follow_main_line();
        }
        vec![Effect::Save]
    }

    /// A move at the end of a free line goes on with it.
    pub(super) fn extend_line(&mut self, from: NodeId) {
        let is_end = self.review.nodes().last() == Some(&from);
        if self.is_free && is_end && self.record.ending_at(from).is_none() {
            // The node is of this record.
            self.record.promote(self.record.cursor()).ok();
            self.follow_main_line();
        }
    }

    /// Makes the main line the one that can be reviewed. What is known of it stays known.
    fn follow_main_line(&mut self) {
        let line = std::iter::successors(Some(NodeId::ROOT), |&node| self.record.next(node));
        let end = line.last().unwrap_or(NodeId::ROOT);
        self.review = self.review.along(&*self.record, end);
    }
}
