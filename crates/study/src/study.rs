mod asking;
mod comment;
mod event;
mod following;
mod marks;
mod practice;
mod tree;

use std::collections::BTreeMap;

use catalog::AnyMatch;
use rules::record::NodeId;
use view::{AnyTable, Click};

use self::{
    asking::{Asked, Findings},
    comment::{join_comment, split_comment},
};
pub use self::{
    event::{Effect, Event},
    marks::{Shown, short_text},
    practice::{Practice, PracticeFeedback},
};
use crate::{EngineLine, Evaluation, Inquiry, JudgedMove, Lines, REVIEW_NODES, Review};

/// The most lines that are shown beside the board.
pub const MOST_LINES: usize = 5;

/// The state of somebody who reviews or analyses a match.
///
/// The record is a tree: moves on the board add variations. There is one engine, which evaluates
/// the current position if it is switched on, and otherwise continues the review.
pub struct Study {
    record: Box<dyn AnyMatch>,
    table: Box<dyn AnyTable>,
    /// The target that the last move on the board began with, and the node it led to.
    origin: Option<(NodeId, String)>,
    review: Review,
    is_reviewing: bool,
    is_engine_on: bool,
    n_lines: usize,
    lines: BTreeMap<NodeId, Findings>,
    asked: Option<Asked>,
    /// Whether the open inquiry is answered without the weights of the engine.
    is_weightless: bool,
    /// The number of inquiries so far.
    n_asked: u64,
    coming: Lines,
    has_failed: bool,
    n_unsaved: usize,
    /// The review as it was stored, if it was.
    stored: Option<String>,
    /// `Some` while clicks draw arrows, with the target where the next one begins.
    drawing: Option<Option<String>>,
    practice: Option<Practice>,
    shows_threat: bool,
    /// The threats: moves that the player who is not to move would make, if it were their turn.
    threats: BTreeMap<NodeId, Vec<String>>,
    /// Whether the line to review is the current main line of the tree, rather than a match as it
    /// was played.
    is_free: bool,
    /// The record before the last deletion, until it changes otherwise.
    before_delete: Option<Box<dyn AnyMatch>>,
}

impl Study {
    /// A study of `record`, whose line up to `end` can be reviewed. That line was played and can't
    /// be changed.
    #[must_use]
    pub fn new(record: Box<dyn AnyMatch>, end: NodeId) -> Self {
        let review = Review::new(&*record, end, REVIEW_NODES);
        let table = record.analysis_table();
        Self {
            record,
            table,
            origin: None,
            review,
            is_reviewing: false,
            is_engine_on: false,
            n_lines: 3,
            lines: BTreeMap::new(),
            asked: None,
            is_weightless: false,
            n_asked: 0,
            coming: Lines::default(),
            has_failed: false,
            n_unsaved: 0,
            stored: None,
            drawing: None,
            practice: None,
            shows_threat: false,
            threats: BTreeMap::new(),
            is_free: false,
            before_delete: None,
        }
    }

    /// Sets whether the line to review is the main line of the tree, which changes with it;
    /// otherwise the line was played and can't be changed.
    pub fn set_free(&mut self, is_free: bool) {
        self.is_free = is_free;
    }

    /// Restores an earlier review from its text form. A part by another engine is ignored until
    /// that engine judges here, too.
    pub fn recall(&mut self, text: &str) {
        self.review.recall(&*self.record, text);
        self.stored = Some(text.to_owned());
    }

    /// Whether the review found something that was not stored yet. It counts as stored from now on.
    pub fn take_unsaved(&mut self) -> bool {
        std::mem::take(&mut self.n_unsaved) > 0
    }

    /// Applies `event` and returns the effects to carry out.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let changes_tree = matches!(
            event,
            Event::Activate(_)
                | Event::Typed(_)
                | Event::Follow { .. }
                | Event::Comment(_)
                | Event::Promote
                | Event::ShowAnswer
        );
        let mut effects = self.apply(event);
        if changes_tree && effects.contains(&Effect::Save) {
            self.before_delete = None;
        }
        effects.extend(self.settle());
        effects
    }

    fn apply(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Activate(target) => return self.activate(&target),
            Event::Clear => {
                self.table.clear();
                if let Some(from) = &mut self.drawing {
                    *from = None;
                }
            }
            Event::Typed(text) => {
                let played = self.table.read_move(&text).and_then(|m| self.explore(&m));
                return played.unwrap_or_else(|| vec![Effect::Misread(text)]);
            }
            Event::GoTo(node) => {
                self.leave_try();
                self.look_at(node);
            }
            Event::Follow {
                from,
                moves,
                n_shown,
            } => return self.follow_line(from, &moves, n_shown),
            Event::Review(is_on) => {
                self.is_reviewing = is_on && !self.review.is_done();
                self.has_failed = false;
                if !is_on {
                    return self.save_review();
                }
            }
            Event::Engine(is_on) => {
                self.is_engine_on = is_on;
                self.has_failed = false;
            }
            Event::Lines(n_lines) => self.n_lines = n_lines.clamp(1, Inquiry::ALL_LINES),
            Event::Comment(text) => {
                let (arrows, _) = split_comment(self.record.comment_at(self.record.cursor()));
                self.record.set_comment(&join_comment(&arrows, &text));
                return vec![Effect::Save];
            }
            Event::Draw(is_on) => {
                self.table.clear();
                self.drawing = is_on.then_some(None);
            }
            Event::Threat(is_on) => {
                self.shows_threat = is_on;
                self.has_failed = false;
            }
            Event::Promote => return self.promote(),
            Event::Delete => return self.delete(),
            Event::Restore => return self.restore(),
            Event::Practice(tasks) => {
                let tasks: Vec<_> = tasks
                    .into_iter()
                    .filter(|&node| !self.record.ancestors(node).is_empty())
                    .collect();
                self.drawing = None;
                self.practice = (!tasks.is_empty()).then_some(Practice {
                    tasks,
                    at: 0,
                    answer: None,
                });
                self.go_to_task();
            }
            Event::NextTask => {
                self.practice = self.practice.take().and_then(|practice| {
                    let at = practice.at + 1;
                    (at < practice.tasks.len()).then_some(Practice {
                        at,
                        answer: None,
                        ..practice
                    })
                });
                self.go_to_task();
            }
            Event::TryAgain => {
                if let Some(practice) = &mut self.practice {
                    practice.answer = None;
                }
                self.go_to_task();
            }
            Event::ShowAnswer => return self.show_answer(),
            Event::EndPractice => self.practice = None,
            Event::Opinion { number, opinion } => {
                // Answers to earlier inquiries are ignored.
                if number == self.n_asked {
                    return self.hear(opinion);
                }
            }
        }
        Vec::new()
    }

    /// The record; its cursor is the current position.
    #[must_use]
    pub fn record(&self) -> &dyn AnyMatch {
        &*self.record
    }

    /// The current position, with the selection.
    #[must_use]
    pub fn table(&self) -> &dyn AnyTable {
        &*self.table
    }

    /// The target that the move to the current position began with, if it was just made on the
    /// board. Several targets may begin the same move.
    #[must_use]
    pub fn origin(&self) -> Option<&str> {
        let (node, target) = self.origin.as_ref()?;
        (*node == self.record.cursor()).then_some(target)
    }

    /// The review, as far as it goes.
    #[must_use]
    pub fn review(&self) -> &Review {
        &self.review
    }

    /// Whether the review goes on.
    #[must_use]
    pub fn is_reviewing(&self) -> bool {
        self.is_reviewing
    }

    /// Whether the engine evaluates the current position.
    #[must_use]
    pub fn is_engine_on(&self) -> bool {
        self.is_engine_on
    }

    /// The number of moves that the engine evaluates.
    #[must_use]
    pub fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// Whether the engine has failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Whether clicks draw arrows.
    #[must_use]
    pub fn is_drawing(&self) -> bool {
        self.drawing.is_some()
    }

    /// Whether the board shows what the other player threatens.
    #[must_use]
    pub fn shows_threat(&self) -> bool {
        self.shows_threat
    }

    /// The moves of the turn that the other player would make if the one to move passed, once they
    /// are known; empty if there is no such turn.
    #[must_use]
    pub fn threat(&self) -> Option<&[String]> {
        let threat = self.threats.get(&self.record.cursor());
        threat.map(Vec::as_slice).filter(|_| self.shows_threat)
    }

    /// The practice session, if there is one.
    #[must_use]
    pub fn practice(&self) -> Option<&Practice> {
        self.practice.as_ref()
    }

    /// The moves that are judged.
    #[must_use]
    pub fn moves(&self) -> Vec<JudgedMove> {
        self.review.moves(&*self.record)
    }

    /// The move that led to the current position, if it is judged.
    #[must_use]
    pub fn current_move(&self) -> Option<JudgedMove> {
        let cursor = self.record.cursor();
        let nodes = self.review.nodes();
        let index = nodes.iter().position(|&node| node == cursor)?;
        self.review
            .judged_move(&*self.record, index.checked_sub(1)?)
    }

    /// The engine's lines for the current position, best first.
    #[must_use]
    pub fn lines(&self) -> &[EngineLine] {
        let lines = self.lines.get(&self.record.cursor());
        lines.map_or(&[], |found| &found.lines)
    }

    /// The value of the current position for the player to move, if it is known.
    #[must_use]
    pub fn evaluation(&self) -> Option<Evaluation> {
        let cursor = self.record.cursor();
        let reviewed = || Some(self.review.assessment_at(cursor)?.evaluation);
        let live = self.lines().first().map(|line| line.evaluation);
        live.or_else(reviewed)
    }

    /// The node of the tree with this number, if there is one.
    #[must_use]
    pub fn node(&self, index: usize) -> Option<NodeId> {
        self.record.find_node(index)
    }

    /// The position before the current one.
    #[must_use]
    pub fn step_back(&self) -> Option<NodeId> {
        let cursor = self.record.cursor();
        self.record.ancestors(cursor).first().copied()
    }

    /// The position after the current one: on the line that is reviewed, or else on its variation.
    #[must_use]
    pub fn step_forward(&self) -> Option<NodeId> {
        let cursor = self.record.cursor();
        let nodes = self.review.nodes();
        let index = nodes.iter().position(|&node| node == cursor);
        let on_line = index.and_then(|index| nodes.get(index + 1).copied());
        on_line.or_else(|| self.record.next(cursor))
    }

    /// The end of the current line.
    #[must_use]
    pub fn last(&self) -> NodeId {
        let cursor = self.record.cursor();
        let nodes = self.review.nodes();
        match nodes.last() {
            Some(&last) if nodes.contains(&cursor) => last,
            _ => std::iter::successors(Some(cursor), |&node| self.record.next(node))
                .last()
                .unwrap_or(cursor),
        }
    }

    /// The comment on the current position, without its arrows.
    #[must_use]
    pub fn comment(&self) -> &str {
        self.comment_at(self.record.cursor())
    }

    /// The comment on the position at `node`, without its arrows.
    #[must_use]
    pub fn comment_at(&self, node: NodeId) -> &str {
        split_comment(self.record.comment_at(node)).1
    }

    fn save_review(&mut self) -> Vec<Effect> {
        if self.n_unsaved == 0 {
            return Vec::new();
        }
        self.n_unsaved = 0;
        vec![Effect::Save]
    }

    fn look_at(&mut self, node: NodeId) {
        let is_other = node != self.record.cursor();
        if self.record.go_to(node).is_ok() && is_other {
            self.table = self.record.analysis_table();
        }
    }

    fn activate(&mut self, target: &str) -> Vec<Effect> {
        if let Some(from) = &mut self.drawing {
            let from = from.take();
            return self.draw(from, target);
        }
        if !self.may_act() {
            return Vec::new();
        }
        let origin = self.table.picked().into_iter().next();
        let m = match self.table.activate(target) {
            Click::Move(m) => Some(m),
            Click::Picked | Click::Cleared => return Vec::new(),
            Click::Nothing => None,
        };
        let Some(effects) = m.and_then(|m| self.explore(&m)) else {
            return vec![Effect::Refuse(target.to_owned())];
        };
        self.origin = origin.map(|origin| (self.record.cursor(), origin));
        effects
    }

    /// Whether moves can be made on the board.
    #[must_use]
    pub fn may_act(&self) -> bool {
        let is_answered = |practice: &Practice| practice.answer.is_some();
        !self.practice.as_ref().is_some_and(is_answered)
            && self.record.n_legal_moves_at(self.record.cursor()) > 0
    }

    /// Makes a move at the cursor; `None`, with nothing changed, if it is not legal.
    fn explore(&mut self, m: &str) -> Option<Vec<Effect>> {
        let from = self.record.cursor();
        self.record.explore(m).ok()?;
        self.extend_line(from);
        self.table = self.record.analysis_table();
        self.answer_try(from, m);
        Some(vec![Effect::Save])
    }

    fn follow_line(&mut self, from: NodeId, moves: &[String], n_shown: usize) -> Vec<Effect> {
        if self.record.go_to(from).is_err() {
            return Vec::new();
        }
        let mut shown = from;
        for (index, m) in moves.iter().enumerate() {
            let before = self.record.cursor();
            if self.record.explore(m).is_err() {
                break;
            }
            self.extend_line(before);
            if index < n_shown {
                shown = self.record.cursor();
            }
        }
        self.look_at(shown);
        self.table = self.record.analysis_table();
        vec![Effect::Save]
    }
}
