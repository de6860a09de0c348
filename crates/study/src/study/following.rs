//! Changes of the match while it is studied.

use catalog::{AnyMatch, add_variations};
use rules::record::NodeId;

use super::{Effect, Study};
use crate::{REVIEW_NODES, Review};

impl Study {
    /// Replaces the record with `record`, in which the match has been played up to `end`. Reviews,
    /// variations and the current position are kept.
    #[must_use]
    pub fn follow(&mut self, mut record: Box<dyn AnyMatch>, end: NodeId) -> Vec<Effect> {
        add_variations(&*self.record, &mut *record);
        record.go_to(NodeId::ROOT).ok();
        for node in self.record.line(self.record.cursor()) {
            // Both trees have all moves by now.
            if let Some(m) = self.record.move_to(node) {
                record.explore(&m).ok();
            }
        }
        let mut review = Review::new(&*record, end, REVIEW_NODES);
        let pairs = review.nodes().iter().zip(self.review.nodes());
        let is_same = |&(&a, &b): &(&NodeId, &NodeId)| record.move_to(a) == self.record.move_to(b);
        let n_same = pairs.take_while(is_same).count();
        // Judgments of different engines are not mixed.
        review.be_judged_as(&self.review);
        let n_same = if self.review.judge_name() == review.judge_name() {
            n_same
        } else {
            0
        };
        for index in 0..n_same {
            if let Some(known) = self.review.assessment(index)
                && review.assessment(index).is_none()
            {
                review.judge(index, known.clone());
            }
        }
        self.is_reviewing &= !review.is_done();
        self.review = review;
        // It is of the old line.
        self.stored = None;
        self.table = record.analysis_table();
        self.record = record;
        self.practice = None;
        self.before_delete = None;
        // These refer to nodes of the old record.
        self.lines.clear();
        self.threats.clear();
        let had_asked = self.asked.take().is_some();
        let effects = self.settle();
        if effects.is_empty() && had_asked {
            return vec![Effect::Stop];
        }
        effects
    }
}
