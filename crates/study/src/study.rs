use std::collections::BTreeMap;

use catalog::{AnyMatch, Editing};
use rules::record::NodeId;
use view::{AnyTable, Click, Mark, ValueKind};

use crate::{
    Assessment, Effort, EngineLine, Evaluation, Inquiry, JudgedMove, Lines, MoveClass, Opinion,
    REVIEW_NODES, Review, is_exact, review,
};

/// After so many positions a review is stored, in case the page is left.
const SAVE_AFTER: usize = 8;

/// How many positions an engine looks at to find out what is threatened.
const THREAT_NODES: u64 = 20_000;

/// The most lines that are shown beside the board.
pub const MOST_LINES: usize = 5;

/// Something that happens to a [`Study`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A target of the board was clicked, or `pass`.
    Activate(String),
    /// What was clicked so far is dropped.
    Clear,
    /// A move was typed.
    Typed(String),
    /// Somebody looks at another position.
    GoTo(NodeId),
    /// A line of moves from a position is added to the tree, and looked at after so many of
    /// them.
    Follow {
        /// The position.
        from: NodeId,
        /// The moves.
        moves: Vec<String>,
        /// How many of them to look at.
        n_shown: usize,
    },
    /// The match is to be reviewed, or no longer.
    Review(bool),
    /// The engine is to judge the position that is looked at, or no longer.
    Engine(bool),
    /// How many moves the engine is to judge; all of them if it is
    /// [`Inquiry::ALL_LINES`].
    Lines(usize),
    /// Somebody writes about the position that is looked at.
    Comment(String),
    /// Clicks draw arrows instead of making moves, or no longer.
    Draw(bool),
    /// The board shows what the other player threatens, or no longer.
    Threat(bool),
    /// The variation that is looked at becomes the line that it leaves.
    Promote,
    /// The move that is looked at is deleted, with everything after it.
    Delete,
    /// Somebody wants to find better moves than these: the positions that they led to.
    Practice(Vec<NodeId>),
    /// The next of these, or none.
    NextTask,
    /// The same task once more, after a wrong move.
    TryAgain,
    /// The answer to the task is shown.
    ShowAnswer,
    /// Nobody wants to practice any more.
    EndPractice,
    /// What an engine says about an inquiry.
    Opinion {
        /// The number of the inquiry, as [`Effect::Ask`] gave it.
        number: u64,
        /// What it says.
        opinion: Opinion,
    },
}

/// Something to be carried out by whoever drives a [`Study`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Ask an engine, instead of any earlier inquiry.
    Ask {
        /// A number of its own. What is said about another inquiry is ignored.
        number: u64,
        /// What to ask.
        inquiry: Inquiry,
    },
    /// The answer to the last inquiry is no longer of use.
    Stop,
    /// The review, the tree or a comment changed and should be stored.
    Save,
    /// A click or a typed move was refused.
    Refuse(String),
}

/// What an engine was asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// This position of the review.
    Review(NodeId),
    /// The position that is looked at, for so many lines.
    Live(NodeId, usize),
    /// The position after a move of somebody who practices.
    Try(NodeId),
    /// The position that is looked at, with the other player to move.
    Threat(NodeId),
}

/// Somebody looks for better moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Practice {
    /// The positions that the moves led to.
    tasks: Vec<NodeId>,
    /// Which of them it is about.
    at: usize,
    answer: Option<Answer>,
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

/// What the board shows of what moves are worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    /// The value of every move.
    All,
    /// The best lines as arrows.
    Best,
    /// Nothing.
    Nothing,
}

/// The state of somebody who reviews or analyses a match.
///
/// The record is a tree: moves on the board are variations of it. One engine serves it: it
/// judges the position that is looked at if it is on, and otherwise goes on with the
/// review.
pub struct Study {
    record: Box<dyn AnyMatch>,
    table: Box<dyn AnyTable>,
    review: Review,
    is_reviewing: bool,
    is_engine_on: bool,
    n_lines: usize,
    lines: BTreeMap<NodeId, Vec<EngineLine>>,
    asked: Option<Asked>,
    /// How many inquiries there were.
    n_asked: u64,
    coming: Lines,
    has_failed: bool,
    n_unsaved: usize,
    /// Whether clicks draw arrows, and where the next one begins.
    drawing: Option<Option<String>>,
    practice: Option<Practice>,
    shows_threat: bool,
    /// The moves that the player who is not to move would make, if it were their turn.
    threats: BTreeMap<NodeId, Vec<String>>,
    /// Whether the line that can be reviewed is the main line of the tree, whatever that
    /// is, rather than a match as it was played.
    is_free: bool,
}

impl Study {
    /// A study of `record`, whose line up to `end` can be reviewed. That line was played
    /// and stays.
    #[must_use]
    pub fn new(record: Box<dyn AnyMatch>, end: NodeId) -> Self {
        let review = Review::new(&*record, end, REVIEW_NODES);
        let table = record.analysis_table();
        Self {
            record,
            table,
            review,
            is_reviewing: false,
            is_engine_on: false,
            n_lines: 3,
            lines: BTreeMap::new(),
            asked: None,
            n_asked: 0,
            coming: Lines::default(),
            has_failed: false,
            n_unsaved: 0,
            drawing: None,
            practice: None,
            shows_threat: false,
            threats: BTreeMap::new(),
            is_free: false,
        }
    }

    /// Sets whether the line that can be reviewed is the main line of the tree, which grows
    /// and changes with it; otherwise it was played and stays.
    pub fn set_free(&mut self, is_free: bool) {
        self.is_free = is_free;
    }

    /// Takes in what was stored of an earlier review.
    pub fn recall(&mut self, text: &str) {
        self.review.recall(&*self.record, text);
    }

    /// Applies `event` and returns what has to be done about it.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = self.apply(event);
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
                return played.unwrap_or_else(|| vec![Effect::Refuse(text)]);
            }
            Event::GoTo(node) => {
                self.leave_try();
                self.look_at(node);
            }
            Event::Follow {
                from,
                moves,
                n_shown,
            } => return self.follow(from, &moves, n_shown),
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
            Event::ShowAnswer => self.show_answer(),
            Event::EndPractice => self.practice = None,
            Event::Opinion { number, opinion } => {
                // Anything else is late.
                if number == self.n_asked {
                    return self.hear(opinion);
                }
            }
        }
        Vec::new()
    }

    /// The record; its cursor is what is looked at.
    #[must_use]
    pub fn record(&self) -> &dyn AnyMatch {
        &*self.record
    }

    /// The position that is looked at, with what has been clicked so far.
    #[must_use]
    pub fn table(&self) -> &dyn AnyTable {
        &*self.table
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

    /// Whether the engine judges the position that is looked at.
    #[must_use]
    pub fn is_engine_on(&self) -> bool {
        self.is_engine_on
    }

    /// How many moves the engine is to judge.
    #[must_use]
    pub fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// Whether the engine gave up.
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

    /// The moves of the turn that the other player would make if the one to move did
    /// nothing, once they are known; none where there is no such turn.
    #[must_use]
    pub fn threat(&self) -> Option<&[String]> {
        let threat = self.threats.get(&self.record.cursor());
        threat.map(Vec::as_slice).filter(|_| self.shows_threat)
    }

    /// What somebody practices.
    #[must_use]
    pub fn practice(&self) -> Option<&Practice> {
        self.practice.as_ref()
    }

    /// The moves that are judged.
    #[must_use]
    pub fn moves(&self) -> Vec<JudgedMove> {
        self.review.moves(&*self.record)
    }

    /// The move that led to the position that is looked at, if it is judged.
    #[must_use]
    pub fn current_move(&self) -> Option<JudgedMove> {
        let cursor = self.record.cursor();
        let nodes = self.review.nodes();
        let index = nodes.iter().position(|&node| node == cursor)?;
        self.review
            .judged_move(&*self.record, index.checked_sub(1)?)
    }

    /// What the engine has found about the position that is looked at, best line first.
    #[must_use]
    pub fn lines(&self) -> &[EngineLine] {
        let lines = self.lines.get(&self.record.cursor());
        lines.map_or(&[], Vec::as_slice)
    }

    /// What the position that is looked at is worth to the player to move, as far as it is
    /// known.
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

    /// The position before the one that is looked at.
    #[must_use]
    pub fn step_back(&self) -> Option<NodeId> {
        let cursor = self.record.cursor();
        self.record.ancestors(cursor).first().copied()
    }

    /// The position after the one that is looked at: on the line that is reviewed, or else
    /// of its variation.
    #[must_use]
    pub fn step_forward(&self) -> Option<NodeId> {
        let cursor = self.record.cursor();
        let nodes = self.review.nodes();
        let index = nodes.iter().position(|&node| node == cursor);
        let on_line = index.and_then(|index| nodes.get(index + 1).copied());
        on_line.or_else(|| self.record.next(cursor))
    }

    /// The end of the line that is looked at.
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

    /// The comment on the position that is looked at, without its arrows.
    #[must_use]
    pub fn comment(&self) -> &str {
        self.comment_at(self.record.cursor())
    }

    /// The comment on the position at `node`, without its arrows.
    #[must_use]
    pub fn comment_at(&self, node: NodeId) -> &str {
        split_comment(self.record.comment_at(node)).1
    }

    /// The marks on the board: arrows that somebody drew, and what the engine found.
    #[must_use]
    pub fn marks(&self, shown: Shown) -> Vec<Mark> {
        let (arrows, _) = split_comment(self.record.comment_at(self.record.cursor()));
        let mut marks: Vec<_> = arrows.into_iter().map(Drawn::into_mark).collect();
        if let Some(Some(from)) = &self.drawing {
            marks.push(Mark::Ring(from.clone()));
        }
        if self.practice.is_some() {
            return marks;
        }
        if !self.is_engine_on {
            marks.extend(self.threat_marks());
            return marks;
        }
        match shown {
            Shown::All => marks.extend(self.values()),
            Shown::Best => {
                let lines = self.lines().iter().take(MOST_LINES.min(self.n_lines));
                let arrows = lines.enumerate().filter_map(|(index, line)| {
                    let m = line.moves.first()?;
                    self.arrow(m, index > 0)
                });
                marks.extend(arrows);
            }
            Shown::Nothing => {}
        }
        // On top, as values may be where it points.
        marks.extend(self.threat_marks());
        marks
    }

    /// The moves of the threat as arrows.
    fn threat_marks(&self) -> Vec<Mark> {
        let (Some(threat), Some(mut passed)) = (self.threat(), self.record.passed()) else {
            return Vec::new();
        };
        let mut marks = Vec::new();
        for m in threat {
            let way = passed.analysis_table().ways(m).into_iter().next();
            if let Some((from, to)) =
                way.and_then(|way| Some((way.first()?.clone(), way.last()?.clone())))
            {
                marks.push(Mark::Threat { from, to });
            }
            if passed.explore(m).is_err() {
                break;
            }
        }
        marks
    }

    /// The move `m` as an arrow, or as a ring if it has one target only.
    fn arrow(&self, m: &str, is_quiet: bool) -> Option<Mark> {
        arrow_of(&*self.table, m, is_quiet)
    }

    /// What the best move to every target is worth; of what is selected, if anything is.
    fn values(&self) -> Vec<Mark> {
        let picked = self.table.picked();
        let mut values: Vec<(String, Evaluation)> = Vec::new();
        for line in self.lines() {
            let Some(m) = line.moves.first() else {
                continue;
            };
            for way in self.table.ways(m) {
                let (true, Some(at)) = (way.starts_with(&picked), way.last()) else {
                    continue;
                };
                // Lines come best first.
                if !values.iter().any(|(known, _)| known == at) {
                    values.push((at.clone(), line.evaluation));
                }
            }
        }
        let best = values.iter().map(|&(_, value)| value);
        let best = best.fold(None, |best, value| match best {
            Some(best) if best >= value => Some(best),
            _ => Some(value),
        });
        let mark = |(at, value): (String, Evaluation)| Mark::Value {
            at,
            text: short_text(value),
            kind: value_kind(value, Some(value) == best),
        };
        values.into_iter().map(mark).collect()
    }

    /// The review's better line from the position before the one that is looked at, as
    /// arrows on the board of that position; the tree is not changed.
    #[must_use]
    pub fn better_marks(&self) -> Vec<Mark> {
        let Some(m) = self.current_move().filter(|m| m.class.is_slip()) else {
            return Vec::new();
        };
        let mut before = self.record.boxed_clone();
        let parent = self.step_back();
        let is_there = parent.is_some_and(|parent| before.go_to(parent).is_ok());
        let better = m.best.first().filter(|_| is_there);
        let arrow = better.and_then(|better| arrow_of(&*before.analysis_table(), better, false));
        arrow.into_iter().collect()
    }

    /// What is asked next, if it is not asked already.
    fn settle(&mut self) -> Vec<Effect> {
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

    fn hear(&mut self, opinion: Opinion) -> Vec<Effect> {
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
        let picked = self.table.picked().pop();
        let m = if target == "pass" {
            self.table.pass()
        } else {
            match self.table.click(target) {
                Click::Move(m) => Some(m),
                Click::Picked => return Vec::new(),
                Click::Cleared if picked.as_deref() == Some(target) => return Vec::new(),
                Click::Cleared | Click::Nothing => None,
            }
        };
        let played = m.and_then(|m| self.explore(&m));
        played.unwrap_or_else(|| vec![Effect::Refuse(target.to_owned())])
    }

    /// Whether moves can be made on the board.
    #[must_use]
    pub fn may_act(&self) -> bool {
        let is_answered = |practice: &Practice| practice.answer.is_some();
        !self.practice.as_ref().is_some_and(is_answered)
            && !self.record.legal_moves_at(self.record.cursor()).is_empty()
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

    fn follow(&mut self, from: NodeId, moves: &[String], n_shown: usize) -> Vec<Effect> {
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

    fn promote(&mut self) -> Vec<Effect> {
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

    fn delete(&mut self) -> Vec<Effect> {
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
    fn extend_line(&mut self, from: NodeId) {
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

    /// Draws an arrow from `from` to `target`, or removes it; or begins one there.
    fn draw(&mut self, from: Option<String>, target: &str) -> Vec<Effect> {
        let Some(from) = from else {
            self.drawing = Some(Some(target.to_owned()));
            return Vec::new();
        };
        let comment = self.record.comment_at(self.record.cursor());
        let (mut arrows, text) = split_comment(comment);
        let text = text.to_owned();
        let drawn = Drawn {
            from,
            to: target.to_owned(),
        };
        match arrows.iter().position(|known| *known == drawn) {
            Some(index) => drop(arrows.remove(index)),
            None => arrows.push(drawn),
        }
        self.record.set_comment(&join_comment(&arrows, &text));
        vec![Effect::Save]
    }

    /// Goes to the position before the move to be bettered.
    fn go_to_task(&mut self) {
        let task = self.practice.as_ref().map(Practice::task);
        let before = task.and_then(|task| self.record.ancestors(task).first().copied());
        if let Some(before) = before {
            self.look_at(before);
        }
        self.table.clear();
    }

    /// Somebody who looks elsewhere does not try any more.
    fn leave_try(&mut self) {
        self.practice = None;
    }

    /// The first verdict on the move `m` from `from`, if it is a try.
    fn answer_try(&mut self, from: NodeId, m: &str) {
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
    fn judge_try(&mut self, node: NodeId, assessment: Option<Assessment>) {
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

    fn show_answer(&mut self) {
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

fn arrow_of(table: &dyn AnyTable, m: &str, is_quiet: bool) -> Option<Mark> {
    let way = table.ways(m).into_iter().next()?;
    let (from, to) = (way.first()?.clone(), way.last()?.clone());
    Some(if from == to {
        Mark::Ring(to)
    } else {
        Mark::Arrow { from, to, is_quiet }
    })
}

/// An evaluation in a few letters, as boards show it.
#[must_use]
pub fn short_text(evaluation: Evaluation) -> String {
    match evaluation {
        Evaluation::Win(plies) => format!("W{plies}"),
        Evaluation::Draw => "=".to_owned(),
        Evaluation::Loss(plies) => format!("L{plies}"),
        Evaluation::Score { score, .. } => {
            let tenths = (f64::from(score) / 10.0).round() / 10.0;
            // Zero has no sign.
            let sign = match tenths {
                tenths if tenths > 0.0 => "+",
                tenths if tenths < 0.0 => "−",
                _ => "",
            };
            format!("{sign}{:.1}", tenths.abs())
        }
    }
}

fn value_kind(value: Evaluation, is_best: bool) -> ValueKind {
    match value {
        Evaluation::Loss(_) => ValueKind::Loss,
        _ if is_best => ValueKind::Best,
        Evaluation::Win(_) => ValueKind::Win,
        Evaluation::Draw | Evaluation::Score { .. } => ValueKind::Open,
    }
}

/// An arrow that somebody drew.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Drawn {
    from: String,
    to: String,
}

impl Drawn {
    fn into_mark(self) -> Mark {
        let Self { from, to } = self;
        if from == to {
            Mark::Ring(to)
        } else {
            Mark::Arrow {
                from,
                to,
                is_quiet: false,
            }
        }
    }
}

/// The arrows at the start of a comment, written `[arrow a1 b2]`, and what follows them.
fn split_comment(comment: &str) -> (Vec<Drawn>, &str) {
    let mut arrows = Vec::new();
    let mut rest = comment;
    while let Some((places, after)) = rest
        .strip_prefix("[arrow ")
        .and_then(|rest| rest.split_once(']'))
    {
        let Some((from, to)) = places.split_once(' ') else {
            break;
        };
        arrows.push(Drawn {
            from: from.to_owned(),
            to: to.to_owned(),
        });
        rest = after.trim_start();
    }
    (arrows, rest)
}

fn join_comment(arrows: &[Drawn], text: &str) -> String {
    let arrows = arrows.iter();
    let arrows: String = arrows
        .map(|Drawn { from, to }| format!("[arrow {from} {to}] "))
        .collect();
    arrows + text
}
