use play::{Effect, PlayerKind, RefusedInput, Sitting};
use rules::{ByPlayer, Player};
use view::Words;

use crate::{
    Puzzle,
    games::{self, AnyPuzzling},
    phrases::Phrasing,
};

/// Somebody solving a puzzle.
///
/// [`update`](Self::update) is the only way it changes.
pub struct Attempt {
    puzzle: Puzzle,
    puzzling: &'static dyn AnyPuzzling,
    sitting: Sitting,
    /// The number of moves of the solution on the board.
    at: usize,
    tally: AttemptTally,
    answer: Option<PuzzleFeedback>,
}

/// The effort of solving a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AttemptTally {
    /// The number of hints, up to three.
    pub hints: u8,
    /// The number of wrong tries.
    pub wrong_tries: u32,
    /// Whether the solution was shown.
    pub is_revealed: bool,
}

/// An action of the solver, or the end of an animation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Activates a target of the board, or `pass`.
    Activate(String),
    /// Types a move.
    Typed(String),
    /// Drops what was clicked so far.
    Clear,
    /// The last move has been seen: the opponent's reply is played, or the next move of
    /// the solution if it is being shown.
    Proceed,
    /// The next move of the opponent's answer to a wrong try, from an engine, is played before
    /// the try goes back. The answer is a whole turn, of two moves in some games. Moves of it may be
    /// missing.
    Refute(String),
    /// A wrong try has been seen, and goes back with the answer to it.
    TakeBack,
    /// Asks for the next hint, while the solver is to move.
    Hint,
    /// Gives up: from now on the solution is shown.
    Reveal,
}

/// What an attempt waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A move of the solver.
    Solver,
    /// [`Event::Proceed`], which plays the opponent's reply.
    Reply,
    /// [`Event::TakeBack`], perhaps after [`Event::Refute`] for each move of the answer.
    Wrong,
    /// [`Event::Proceed`], which plays the next move of the solution.
    Showing,
    /// Nothing: it is over.
    Done,
}

/// How the board answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PuzzleFeedback {
    /// The move was right, and there is more to do.
    Right,
    /// The goal is reached.
    Solved,
    /// The solution was shown to its end.
    Shown,
    /// The move lets the goal slip.
    Wrong {
        /// The move in the notation of move lists.
        notation: String,
        /// Whether the move is still on the board.
        is_out: bool,
    },
    /// Nothing can be done at this target, after these were taken up.
    Refused {
        /// The selection.
        picked: Vec<String>,
        /// The target.
        target: String,
    },
    /// The typed text is no legal move.
    Unknown(String),
}

/// A hint at the next move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PuzzleHint {
    /// Which piece: the targets to look at. Several pieces may make the same move.
    Piece(Vec<String>),
    /// The target where it goes.
    Place(String),
    /// The move, in the notation of move lists, and why.
    Why(String),
}

impl Attempt {
    /// The number of hints.
    pub const N_HINTS: u8 = 3;

    /// The puzzle, with nothing done yet; `None` if its position can't be set up, which
    /// no puzzle allows.
    #[must_use]
    pub fn new(puzzle: Puzzle) -> Option<Self> {
        let puzzling = games::find(puzzle.game())?;
        let people = ByPlayer::from_fn(|_| PlayerKind::Person);
        let (sitting, _) = Sitting::new(puzzle.start()?, people, 0);
        Some(Self {
            puzzle,
            puzzling,
            sitting,
            at: 0,
            tally: AttemptTally::default(),
            answer: None,
        })
    }

    /// Applies `event`. One that does not fit the current state is ignored.
    pub fn update(&mut self, event: Event) {
        match event {
            Event::Activate(target) => self.activate(target),
            Event::Typed(text) => self.play_typed(text),
            Event::Clear => {
                self.sitting.update(play::Event::Clear);
            }
            Event::Proceed => self.proceed(),
            Event::Refute(m) => self.refute(m),
            Event::TakeBack => self.take_back(),
            Event::Hint => {
                if self.may_act() {
                    self.tally.hints = (self.tally.hints + 1).min(Self::N_HINTS);
                }
            }
            Event::Reveal => self.reveal(),
        }
    }

    /// The puzzle.
    #[must_use]
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The board, and what has been clicked on it.
    #[must_use]
    pub fn sitting(&self) -> &Sitting {
        &self.sitting
    }

    /// What it waits for.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self.answer {
            Some(PuzzleFeedback::Wrong { is_out: true, .. }) => Phase::Wrong,
            Some(PuzzleFeedback::Solved | PuzzleFeedback::Shown) => Phase::Done,
            _ if self.tally.is_revealed => Phase::Showing,
            _ if self.sitting.record().turn() == self.puzzle.solver() => Phase::Solver,
            _ => Phase::Reply,
        }
    }

    /// Whether somebody may act on the board.
    #[must_use]
    pub fn may_act(&self) -> bool {
        self.phase() == Phase::Solver
    }

    /// Whether [`Event::Refute`] plays a move: after a wrong try, until the opponent's turn or the
    /// match is over.
    #[must_use]
    pub fn may_refute(&self) -> bool {
        let record = self.sitting.record();
        self.phase() == Phase::Wrong
            && record.turn() != self.puzzle.solver()
            && record.ending().is_none()
    }

    /// Whether it is solved, or the solution was shown to its end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase() == Phase::Done
    }

    /// The effort so far.
    #[must_use]
    pub fn tally(&self) -> AttemptTally {
        self.tally
    }

    /// How the board answered last.
    #[must_use]
    pub fn answer(&self) -> Option<&PuzzleFeedback> {
        self.answer.as_ref()
    }

    /// The feedback of the board, in words.
    #[must_use]
    pub fn answer_text(&self, words: &Words) -> Option<String> {
        let phrasing = Phrasing::new(&self.puzzle, words);
        match self.answer.as_ref()? {
            PuzzleFeedback::Right => Some(phrasing.say("right")),
            PuzzleFeedback::Solved => Some(phrasing.say("solved")),
            PuzzleFeedback::Shown => Some(phrasing.say("shown")),
            PuzzleFeedback::Wrong { notation, .. } => Some(phrasing.say_move("wrong", notation)),
            PuzzleFeedback::Refused { picked, target } => {
                let mut table = self.sitting.record().table();
                for id in picked.iter().chain([target]) {
                    table.click(id);
                }
                table.refusal(target, words)
            }
            PuzzleFeedback::Unknown(_) => Some(words.say("refusal.choose", &[])),
        }
    }

    /// The hints that were asked for, at the next move of the solver; none while the
    /// opponent replies.
    #[must_use]
    pub fn hints(&self) -> Vec<PuzzleHint> {
        let (Phase::Solver | Phase::Wrong, Some(m)) = (self.phase(), self.expected()) else {
            return Vec::new();
        };
        let mut record = self.sitting.record().boxed_clone();
        while record.moves().len() > self.at && record.undo().is_some() {}
        let rest = &self.puzzle.solution()[self.at..];
        let piece = self.puzzling.focus(&*record, rest, self.puzzle.goal());
        let place = self.puzzling.place(&*record, m);
        let why = record
            .explore(m)
            .ok()
            .and_then(|()| record.table().notation());
        let hints = [
            Some(PuzzleHint::Piece(piece)),
            place.map(PuzzleHint::Place),
            why.map(PuzzleHint::Why),
        ];
        let n_hints = usize::from(self.tally.hints);
        hints.into_iter().take(n_hints).flatten().collect()
    }

    /// What the hint with this number, from 1 to 3, is about: which piece, where to, why.
    #[must_use]
    pub fn hint_title(&self, number: u8, words: &Words) -> String {
        let m = self.expected().unwrap_or_default();
        let which = format!("puzzle.which.{}", self.puzzling.focus_name(m));
        let key = match number {
            1 if words.has(&which) => which,
            _ => format!("puzzle.hint.{number}"),
        };
        words.say(&key, &[])
    }

    /// A hint at the next move, in words.
    #[must_use]
    pub fn hint_text(&self, hint: &PuzzleHint, words: &Words) -> String {
        let phrasing = Phrasing::new(&self.puzzle, words);
        match hint {
            PuzzleHint::Piece(targets) => {
                let m = self.expected().unwrap_or_default();
                let name = self.puzzling.focus_name(m);
                phrasing.say_places(&format!("puzzle.hint.{name}"), targets)
            }
            PuzzleHint::Place(target) => {
                phrasing.say_places("puzzle.hint.place", std::slice::from_ref(target))
            }
            PuzzleHint::Why(notation) => {
                let phrasing = phrasing.with_turns(self.turns_left());
                phrasing.say_move("why", notation)
            }
        }
    }

    /// The moves of the solver on the board, in the notation of move lists.
    #[must_use]
    pub fn own_moves(&self) -> Vec<String> {
        let record = self.sitting.record();
        let line = record.line(record.cursor());
        let steps = line.iter().zip(line.iter().skip(1));
        let own =
            steps.filter(|(before, _)| record.turn_at(**before) == Some(self.puzzle.solver()));
        own.filter_map(|(_, &node)| record.notation(node)).collect()
    }

    /// The turns of the solver that are left, with the current one.
    #[must_use]
    pub fn turns_left(&self) -> u8 {
        let record = self.sitting.record();
        let solver = self.puzzle.solver();
        let turns = record.line(record.cursor()).into_iter();
        let turns: Vec<_> = turns.filter_map(|node| record.turn_at(node)).collect();
        let is_end = |pair: &&[Player]| pair[0] == solver && pair[1] != solver;
        let n_done = turns.windows(2).filter(is_end).count();
        let n_turns = usize::from(self.puzzle.goal().turns());
        n_turns.saturating_sub(n_done).max(1) as u8
    }

    /// The next move of the solution.
    fn expected(&self) -> Option<&str> {
        self.puzzle.solution().get(self.at).map(String::as_str)
    }

    fn n_moves(&self) -> usize {
        self.sitting.record().moves().len()
    }

    fn activate(&mut self, target: String) {
        if !self.may_act() {
            return;
        }
        let picked = self.sitting.table().picked();
        let effects = self.sitting.update(play::Event::Activate(target.clone()));
        if matches!(effects[..], [Effect::Refuse(RefusedInput::Target(_))]) {
            // What was taken up stays, so that one can go on with the lit places.
            for id in &picked {
                self.sitting.update(play::Event::Activate(id.clone()));
            }
            self.answer = Some(PuzzleFeedback::Refused { picked, target });
        } else if self.n_moves() > self.at {
            self.judge();
        } else if let Some(PuzzleFeedback::Refused { .. } | PuzzleFeedback::Unknown(_)) =
            self.answer
        {
            // Something else was taken up, or put back.
            self.answer = None;
        }
    }

    fn play_typed(&mut self, text: String) {
        if !self.may_act() {
            return;
        }
        self.sitting.update(play::Event::Clear);
        self.sitting.update(play::Event::Typed(text.clone()));
        if self.n_moves() > self.at {
            self.judge();
        } else {
            self.answer = Some(PuzzleFeedback::Unknown(text));
        }
    }

    /// Judges the solver's move that is on the board now.
    fn judge(&mut self) {
        let record = self.sitting.record();
        let goal = self.puzzle.goal();
        let is_listed = record.moves().last().map(String::as_str) == self.expected();
        let is_last = self.at + 1 == self.puzzle.plies();
        let is_fulfilled = !goal.has_to_hold() && self.puzzling.fulfills(record, goal);
        self.answer = Some(if is_fulfilled || is_listed && is_last {
            self.at += 1;
            PuzzleFeedback::Solved
        } else if is_listed {
            self.at += 1;
            PuzzleFeedback::Right
        } else {
            self.tally.wrong_tries = self.tally.wrong_tries.saturating_add(1);
            PuzzleFeedback::Wrong {
                notation: record.table().notation().unwrap_or_default(),
                is_out: true,
            }
        });
    }

    fn proceed(&mut self) {
        let (Phase::Reply | Phase::Showing, Some(m)) = (self.phase(), self.expected()) else {
            return;
        };
        let m = m.to_owned();
        self.sitting.update(play::Event::Typed(m));
        self.at += 1;
        if self.at == self.puzzle.plies() {
            self.answer = Some(PuzzleFeedback::Shown);
        }
    }

    fn refute(&mut self, m: String) {
        if self.may_refute() {
            self.sitting.update(play::Event::Typed(m));
        }
    }

    fn take_back(&mut self) {
        if let Some(PuzzleFeedback::Wrong { is_out, .. }) = &mut self.answer {
            *is_out = false;
            while self.n_moves() > self.at {
                let n_moves = self.n_moves();
                self.sitting.update(play::Event::TakeBack);
                if self.n_moves() == n_moves {
                    return;
                }
            }
        }
    }

    fn reveal(&mut self) {
        if self.is_over() || self.tally.is_revealed {
            return;
        }
        self.take_back();
        self.sitting.update(play::Event::Clear);
        self.answer = None;
        self.tally.is_revealed = true;
    }
}
