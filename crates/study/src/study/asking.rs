//! What an engine is asked, and what it says.

use catalog::Editing;
use rules::record::NodeId;

use super::{Answer, Effect, Study};
use crate::{Assessment, Effort, Inquiry, Lines, Opinion, REVIEW_NODES, is_exact, review};

/// After so many positions a review is stored, in case the page is left.
const SAVE_AFTER: usize = 8;

/// How many positions an engine looks at to find out what is threatened.
const THREAT_NODES: u64 = 20_000;

/// What an engine was asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// This position of the review.
    Review(NodeId),
    /// The position that is looked at, for so many lines.
    Live(NodeId, usize),
    /// The position after a move of somebody who practices.
    Try(NodeId),
    /// The position that is looked at, with the other player to move.
    Threat(NodeId),
}

impl Study {
    /// What is asked next, if it is not asked already.
    pub(super) fn settle(&mut self) -> Vec<Effect> {
        let wanted = self.wanted();
        let asked = wanted.as_ref().map(|&(asked, _)| asked);
        if asked == self.asked {
            return Vec::new();
        }
        let had_any = self.asked.is_some();
        self.asked = asked;
        match wanted {
            Some((asked, inquiry)) => {
                let n_moves = match asked {
                    Asked::Review(node) | Asked::Live(node, _) | Asked::Try(node) => {
                        self.record.legal_moves_at(node).len()
                    }
                    Asked::Threat(_) => inquiry.n_lines,
                };
                self.coming = Lines::new(inquiry.n_lines.min(n_moves));
                self.n_asked += 1;
                let number = self.n_asked;
                vec![Effect::Ask { number, inquiry }]
            }
            None if had_any => vec![Effect::Stop],
            None => Vec::new(),
        }
    }

    fn wanted(&self) -> Option<(Asked, Inquiry)> {
        let record = &*self.record;
        let cursor = record.cursor();
        if self.has_failed {
            return None;
        }
        if let Some(practice) = &self.practice {
            let is_judging = practice.answer == Some(Answer::Judging);
            let inquiry = || review::inquiry(record, cursor, REVIEW_NODES);
            return is_judging.then(|| (Asked::Try(cursor), inquiry()));
        }
        if self.shows_threat
            && !self.threats.contains_key(&cursor)
            && let Some(passed) = record.passed()
        {
            let inquiry = Inquiry::new(&*passed, NodeId::ROOT, 1, Effort::Nodes(THREAT_NODES));
            return Some((Asked::Threat(cursor), inquiry));
        }
        if self.is_engine_on && !record.legal_moves_at(cursor).is_empty() {
            let n_lines = if is_exact(record.game()) {
                Inquiry::ALL_LINES
            } else {
                self.n_lines
            };
            let inquiry = Inquiry::new(record, cursor, n_lines, Effort::Endless);
            return Some((Asked::Live(cursor, n_lines), inquiry));
        }
        if self.is_reviewing {
            let (index, inquiry) = self.review.next(record)?;
            return Some((Asked::Review(*self.review.nodes().get(index)?), inquiry));
        }
        None
    }

    pub(super) fn hear(&mut self, opinion: Opinion) -> Vec<Effect> {
        let Some(asked) = self.asked else {
            return Vec::new();
        };
        match opinion {
            Opinion::Line(line) => {
                let is_whole = self.coming.hear(line);
                if let (true, Asked::Live(node, _)) = (is_whole, asked) {
                    self.lines.insert(node, self.coming.whole().to_vec());
                }
                Vec::new()
            }
            Opinion::Done => self.hear_end(asked),
            Opinion::Failed => {
                self.asked = None;
                self.has_failed = true;
                self.is_reviewing = false;
                self.is_engine_on = false;
                if let Some(practice) = &mut self.practice {
                    practice.answer = None;
                }
                Vec::new()
            }
        }
    }

    fn hear_end(&mut self, asked: Asked) -> Vec<Effect> {
        self.coming.end();
        let is_exact = is_exact(self.record.game());
        let assessment = Assessment::of_lines(self.coming.whole(), is_exact);
        match asked {
            // It has nothing more to say about this position.
            Asked::Live(node, _) => {
                self.lines.insert(node, self.coming.whole().to_vec());
                Vec::new()
            }
            Asked::Review(node) => {
                self.asked = None;
                let index = self.review.nodes().iter().position(|&other| other == node);
                let (Some(index), Some(assessment)) = (index, assessment) else {
                    self.has_failed = true;
                    self.is_reviewing = false;
                    return Vec::new();
                };
                self.review.judge(index, assessment);
                self.n_unsaved += 1;
                self.is_reviewing = !self.review.is_done();
                if self.n_unsaved >= SAVE_AFTER || !self.is_reviewing {
                    return self.save_review();
                }
                Vec::new()
            }
            Asked::Try(node) => {
                self.asked = None;
                self.judge_try(node, assessment);
                Vec::new()
            }
            Asked::Threat(node) => {
                self.asked = None;
                let line = assessment.map_or_else(Vec::new, |assessment| assessment.line);
                let threat = self.first_turn(&line);
                self.threats.insert(node, threat);
                Vec::new()
            }
        }
    }

    /// The moves of `line` that are one turn of the player who is not to move.
    fn first_turn(&self, line: &[String]) -> Vec<String> {
        let Some(mut passed) = self.record.passed() else {
            return Vec::new();
        };
        let player = passed.turn();
        let is_in_turn = |m: &&String| passed.turn() == player && passed.explore(m).is_ok();
        line.iter().take_while(is_in_turn).cloned().collect()
    }
}
