//! Looking for better moves than those of a match.

use rules::record::NodeId;

use super::Study;
use crate::{Assessment, MoveClass};

/// Somebody looks for better moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Practice {
    /// The positions that the moves led to.
    pub(super) tasks: Vec<NodeId>,
    /// Which of them it is about.
    pub(super) at: usize,
    pub(super) answer: Option<Answer>,
}

/// How a move was that somebody tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is being judged.
    Judging,
    /// It is the best, or as good.
    Right,
    /// It is not good enough: the best reply to it.
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

    /// How many tasks there are.
    #[must_use]
    pub fn n_tasks(&self) -> usize {
        self.tasks.len()
    }

    /// The position that the move to be bettered led to.
    #[must_use]
    pub fn task(&self) -> NodeId {
        self.tasks[self.at]
    }

    /// How the last try was.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_ref()
    }
}

impl Study {
    /// Goes to the position before the move to be bettered.
    pub(super) fn go_to_task(&mut self) {
        let task = self.practice.as_ref().map(Practice::task);
        let before = task.and_then(|task| self.record.ancestors(task).first().copied());
        if let Some(before) = before {
            self.look_at(before);
        }
        self.table.clear();
    }

    /// Somebody who looks elsewhere does not try any more.
    pub(super) fn leave_try(&mut self) {
        self.practice = None;
    }

    /// The first verdict on the move `m` from `from`, if it is a try.
    pub(super) fn answer_try(&mut self, from: NodeId, m: &str) {
        let Some(practice) = &mut self.practice else {
            return;
        };
        let task = practice.task();
        let assessment = self.review.assessment_at(from);
        let is_best =
            assessment.is_some_and(|assessment| assessment.best.iter().any(|best| best == m));
        let ended = self.record.ending_at(self.record.cursor());
        practice.answer = Some(if is_best {
            Answer::Right
        } else if self.record.cursor() == task {
            // It is the move that is to be bettered; the reply is known from the review.
            let reply = self.review.assessment_at(task);
            Answer::Wrong(reply.and_then(|reply| reply.best.first().cloned()))
        } else if ended.is_some() {
            let mover = self.record.turn_at(from);
            let is_won = ended.map(|ending| ending.outcome) == mover.map(rules::Outcome::Win);
            if is_won {
                Answer::Right
            } else {
                Answer::Wrong(None)
            }
        } else {
            Answer::Judging
        });
    }

    /// Takes in what the engine says about the position that a try led to.
    pub(super) fn judge_try(&mut self, node: NodeId, assessment: Option<Assessment>) {
        let answer = assessment.and_then(|assessment| self.verdict(node, &assessment));
        if let Some(practice) = &mut self.practice {
            practice.answer = answer;
        }
    }

    /// How good the move to `node` was, by what the engine says about the position there.
    fn verdict(&self, node: NodeId, assessment: &Assessment) -> Option<Answer> {
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
            Answer::Right
        } else {
            Answer::Wrong(assessment.best.first().cloned())
        })
    }

    pub(super) fn show_answer(&mut self) {
        let Some(practice) = &self.practice else {
            return;
        };
        let task = practice.task();
        let before = self.record.ancestors(task).first().copied();
        let Some(before) = before else {
            return;
        };
        let assessment = self.review.assessment_at(before);
        let best = assessment.and_then(|assessment| assessment.best.first().cloned());
        self.look_at(before);
        if let Some(best) = best
            && self.record.explore(&best).is_ok()
        {
            self.table = self.record.analysis_table();
        }
        if let Some(practice) = &mut self.practice {
            practice.answer = Some(Answer::Shown);
        }
    }
}
