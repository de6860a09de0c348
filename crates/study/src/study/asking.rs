//! Inquiries to the engine, and its answers.

use catalog::Editing;
use rules::record::NodeId;

use super::{Effect, PracticeFeedback, Study};
use crate::{
    Assessment, Effort, EngineLine, Inquiry, Lines, Opinion, REVIEW_NODES, is_exact, review,
};

/// A review is stored after every this many positions, in case the page is left.
const SAVE_AFTER: usize = 8;

/// The number of nodes searched to find a threat.
const THREAT_NODES: u64 = 20_000;

/// The subject of an inquiry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// A position of the review.
    Review(NodeId),
    /// The current position, with the number of lines.
    Live(NodeId, usize),
    /// The position after a try in a practice session.
    Try(NodeId),
    /// The current position with the other player to move.
    Threat(NodeId),
}

/// The engine's lines for a position.
pub(super) struct Findings {
    /// The number of lines that were asked for, at most that of legal moves.
    n_asked: usize,
    /// The lines, best first.
    pub(super) lines: Vec<EngineLine>,
}

impl Findings {
    /// Whether they are shown instead of `known`. Lines are not replaced by shallower ones, unless
    /// more of them are asked for or they prove the result.
    fn replaces(&self, known: &Self) -> bool {
        let (Some(new), Some(old)) = (self.lines.first(), known.lines.first()) else {
            return known.lines.is_empty();
        };
        let proves = new.evaluation.is_proven() && !old.evaluation.is_proven();
        new.depth >= old.depth || self.n_asked > known.n_asked || proves
    }
}

impl Study {
    /// Asks the next inquiry, unless it is the open one.
    pub(super) fn settle(&mut self) -> Vec<Effect> {
        let wanted = self.wanted();
        if wanted == self.asked {
            return Vec::new();
        }
        let had_any = self.asked.is_some();
        self.asked = wanted;
        match wanted.and_then(|asked| self.inquiry(asked)) {
            Some((inquiry, n_moves)) => {
                self.coming = Lines::new(inquiry.n_lines.min(n_moves));
                self.n_asked += 1;
                self.is_weightless = false;
                let number = self.n_asked;
                vec![Effect::Ask { number, inquiry }]
            }
            None if had_any => vec![Effect::Stop],
            None => Vec::new(),
        }
    }

    fn wanted(&self) -> Option<Asked> {
        let record = &*self.record;
        let cursor = record.cursor();
        if self.has_failed {
            return None;
        }
        if let Some(practice) = &self.practice {
            let is_judging = practice.answer == Some(PracticeFeedback::Judging);
            return is_judging.then_some(Asked::Try(cursor));
        }
        let is_threat_open = self.shows_threat && !self.threats.contains_key(&cursor);
        if is_threat_open && record.passed().is_some() {
            return Some(Asked::Threat(cursor));
        }
        if self.is_engine_on && record.n_legal_moves_at(cursor) > 0 {
            let n_lines = if is_exact(record.game()) {
                Inquiry::ALL_LINES
            } else {
                self.n_lines
            };
            return Some(Asked::Live(cursor, n_lines));
        }
        if self.is_reviewing {
            return self.review.next_node().map(Asked::Review);
        }
        None
    }

    /// The inquiry for a subject, and the largest number of lines to expect.
    fn inquiry(&self, asked: Asked) -> Option<(Inquiry, usize)> {
        let record = &*self.record;
        Some(match asked {
            Asked::Review(node) => {
                let inquiry = self.review.inquiry(record, node);
                (inquiry, record.n_legal_moves_at(node))
            }
            Asked::Try(node) => {
                let inquiry = review::inquiry(record, node, REVIEW_NODES);
                (inquiry, record.n_legal_moves_at(node))
            }
            Asked::Live(node, n_lines) => {
                let inquiry = Inquiry::new(record, node, n_lines, Effort::Endless);
                (inquiry, record.n_legal_moves_at(node))
            }
            Asked::Threat(_) => {
                let passed = record.passed()?;
                let effort = Effort::Brief(THREAT_NODES);
                let inquiry = Inquiry {
                    // The engine goes on with the position afterwards, and forgets nothing.
                    match_start: record.start(),
                    ..Inquiry::new(&*passed, NodeId::ROOT, 1, effort)
                };
                (inquiry, 1)
            }
        })
    }

    pub(super) fn hear(&mut self, opinion: Opinion) -> Vec<Effect> {
        let Some(asked) = self.asked else {
            return Vec::new();
        };
        match opinion {
            Opinion::Weightless => {
                self.is_weightless = true;
                if matches!(asked, Asked::Review(_)) {
                    self.judge_as(false);
                }
                Vec::new()
            }
            Opinion::Line(line) => {
                let is_whole = self.coming.hear(line);
                if let (true, Asked::Live(node, n_lines)) = (is_whole, asked) {
                    self.keep_lines(node, n_lines);
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

    /// The engine has its weights by now, or has lost them. What it judged before is judged again,
    /// except for what was stored of a review like that.
    fn judge_as(&mut self, has_weights: bool) {
        let Some(mut review) = self.review.judged_as(&*self.record, has_weights) else {
            return;
        };
        if let Some(stored) = &self.stored {
            review.recall(&*self.record, stored);
        }
        self.is_reviewing &= !review.is_done();
        self.review = review;
        self.n_unsaved = 0;
    }

    /// Shows the lines that came last, unless there are better ones: a search that continues
    /// begins with depth 1 again.
    fn keep_lines(&mut self, node: NodeId, n_lines: usize) {
        let found = Findings {
            n_asked: n_lines.min(self.record.n_legal_moves_at(node)),
            lines: self.coming.whole().to_vec(),
        };
        let known = self.lines.get(&node);
        if known.is_none_or(|known| found.replaces(known)) {
            self.lines.insert(node, found);
        }
    }

    fn hear_end(&mut self, asked: Asked) -> Vec<Effect> {
        self.coming.end();
        let is_exact = is_exact(self.record.game());
        let assessment = Assessment::of_lines(self.coming.whole(), is_exact);
        match asked {
            // The search of this position is complete.
            Asked::Live(node, n_lines) => {
                self.keep_lines(node, n_lines);
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
                if !self.is_weightless {
                    self.judge_as(true);
                }
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
