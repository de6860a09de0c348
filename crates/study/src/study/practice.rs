//! Practice: finding better moves than those of a match.

use rules::record::NodeId;

use super::{Effect, Study};
use crate::{Assessment, MoveClass};

/// The state of a practice session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Practice {
    /// The positions that the moves led to.
    pub(super) tasks: Vec<NodeId>,
    /// The index of the current task.
    pub(super) at: usize,
    pub(super) answer: Option<PracticeFeedback>,
}

/// Feedback on a try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PracticeFeedback {
    /// It is being judged.
    Judging,
    /// It is the best, or as good.
    Right,
    /// It is not good enough; with the best reply to it.
    Wrong(Option<String>),
    /// The answer was shown.
    Shown,
}

impl Practice {
    /// The number of the task, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.at + 1
    }

    /// The number of tasks.
    #[must_use]
    pub fn n_tasks(&self) -> usize {
        self.tasks.len()
    }

    /// The position after the move to improve on.
    #[must_use]
    pub fn task(&self) -> NodeId {
        self.tasks[self.at]
    }

    /// The feedback on the last try.
    #[must_use]
    pub fn answer(&self) -> Option<&PracticeFeedback> {
        self.answer.as_ref()
    }
}

impl Study {
    /// Goes to the position before the move to improve on.
    pub(super) fn go_to_task(&mut self) {
        let task = self.practice.as_ref().map(Practice::task);
        let before = task.and_then(|task| self.record.ancestors(task).first().copied());
        if let Some(before) = before {
            self.look_at(before);
        }
        self.table.clear();
    }

    /// Ends the practice session, as another position becomes the current one.
    pub(super) fn leave_try(&mut self) {
        self.practice = None;
    }

    /// Gives feedback on the move `m` from `from`, if it is a try, before the engine has judged it.
    pub(super) fn answer_try(&mut self, from: NodeId, m: &str) {
        let Some(practice) = &mut self.practice else {
            return;
        };
        let task = practice.task();
        let assessment = self.review.assessment_at(from);
        let is_best =
            assessment.is_some_and(|assessment| assessment.best.iter().any(|best| best == m));
        let cursor = self.record.cursor();
        let ended = Assessment::of_ending(&*self.record, cursor);
        practice.answer = Some(if is_best {
            PracticeFeedback::Right
        } else if cursor == task {
            // The move to improve on itself; the reply is known from the review.
            let reply = self.review.assessment_at(task);
            PracticeFeedback::Wrong(reply.and_then(|reply| reply.best.first().cloned()))
        } else {
            PracticeFeedback::Judging
        });
        // The rules judge a move that ends the match.
        if let (Some(PracticeFeedback::Judging), Some(ended)) = (&practice.answer, ended) {
            self.judge_try(cursor, Some(ended));
        }
    }

    /// Gives feedback on a try by the assessment of the position that it led to.
    pub(super) fn judge_try(&mut self, node: NodeId, assessment: Option<Assessment>) {
        let answer = assessment.and_then(|assessment| self.verdict(node, &assessment));
        if let Some(practice) = &mut self.practice {
            practice.answer = answer;
        }
    }

    /// The feedback on the move to `node`, by the assessment of the position there.
    fn verdict(&self, node: NodeId, assessment: &Assessment) -> Option<PracticeFeedback> {
        let before = self.record.ancestors(node).first().copied()?;
        let known = self.review.assessment_at(before)?;
        let is_same_turn = self.record.turn_at(node) == self.record.turn_at(before);
        let after = if is_same_turn {
            assessment.evaluation
        } else {
            -assessment.evaluation
        };
        let class = MoveClass::of(known.evaluation, after);
        Some(if class <= MoveClass::Good {
            PracticeFeedback::Right
        } else {
            PracticeFeedback::Wrong(assessment.best.first().cloned())
        })
    }

    pub(super) fn show_answer(&mut self) -> Vec<Effect> {
        let Some(practice) = &mut self.practice else {
            return Vec::new();
        };
        practice.answer = Some(PracticeFeedback::Shown);
        let task = practice.task();
        let before = self.record.ancestors(task).first().copied();
        let Some(before) = before else {
            return Vec::new();
        };
        let assessment = self.review.assessment_at(before);
        let best = assessment.and_then(|assessment| assessment.best.first().cloned());
        self.look_at(before);
        match best {
            Some(best) if self.record.explore(&best).is_ok() => {
                self.table = self.record.analysis_table();
                vec![Effect::Save]
            }
            _ => Vec::new(),
        }
    }
}
