//! The tree of variations.

use rules::record::NodeId;

use super::{Effect, Study};

impl Study {
    /// The first move of the current variation that can be promoted: it leaves a line that may
    /// change, before the end of the match on it.
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

    /// Whether the current variation can be promoted.
    #[must_use]
    pub fn can_promote(&self) -> bool {
        self.promoted().is_some()
    }

    /// Whether the current move can be deleted.
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
        let before = self.record.boxed_clone();
        if !self.can_delete() || !self.record.delete(self.record.cursor()) {
            return Vec::new();
        }
        self.before_delete = Some(before);
        self.leave_try();
        self.show_tree()
    }

    /// Whether the last deletion can be undone: nothing else has changed since.
    #[must_use]
    pub fn can_restore(&self) -> bool {
        self.before_delete.is_some()
    }

    pub(super) fn restore(&mut self) -> Vec<Effect> {
        let Some(before) = self.before_delete.take() else {
            return Vec::new();
        };
        self.record = before;
        self.leave_try();
        self.show_tree()
    }

    /// Updates the board after a change of the tree.
    fn show_tree(&mut self) -> Vec<Effect> {
        self.table = self.record.analysis_table();
        if self.is_free {
            self.follow_main_line();
        }
        vec![Effect::Save]
    }

    /// Extends a free line by a move at its end.
    pub(super) fn extend_line(&mut self, from: NodeId) {
        let is_end = self.review.nodes().last() == Some(&from);
        if self.is_free && is_end && self.record.ending_at(from).is_none() {
            // The node is of this record.
            self.record.promote(self.record.cursor()).ok();
            self.follow_main_line();
        }
    }

    /// Makes the main line the line to review, and keeps its assessments.
    fn follow_main_line(&mut self) {
        let line = std::iter::successors(Some(NodeId::ROOT), |&node| self.record.next(node));
        let end = line.last().unwrap_or(NodeId::ROOT);
        self.review = self.review.along(&*self.record, end);
    }
}
