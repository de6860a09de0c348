use puzzles::Goal;
use rules::Random;

use crate::{forcing::Forcing, mined::Mined};

/// A position that may be a puzzle, examined move by move.
pub(crate) struct Candidate<G: Mined> {
    goal: Goal,
    forcing: Forcing<G>,
    /// The solver's decision that is examined.
    position: G,
    /// The moves that lead there.
    line: Vec<G::Move>,
    /// The solver's turns after this one.
    n_others: u8,
    /// The moves left to examine, and the one that works so far.
    moves: Vec<G::Move>,
    key: Option<G::Move>,
    /// A move after which the turn goes on, and how it may.
    open: Option<OpenTurn<G>>,
}

/// A turn that is examined move by move, since it may take long.
struct OpenTurn<G: Mined> {
    first: G::Move,
    position: G,
    moves: Vec<G::Move>,
}

pub(crate) enum CandidateStep<M> {
    Working,
    /// It is no puzzle.
    No,
    /// It is one, with this solution.
    Yes(Vec<M>),
}

impl<G: Mined> Candidate<G> {
    pub(crate) fn new(start: &G, goal: Goal) -> Self {
        Self {
            goal,
            forcing: Forcing::new(start, goal),
            moves: start.legal_moves(),
            position: start.clone(),
            line: Vec::new(),
            n_others: goal.turns() - 1,
            key: None,
            open: None,
        }
    }

    pub(crate) fn goal(&self) -> Goal {
        self.goal
    }

    /// Examines one move, or what follows from the last one.
    pub(crate) fn step(&mut self) -> CandidateStep<G::Move> {
        if let Some(mut turn) = self.open.take() {
            let Some(m) = turn.moves.pop() else {
                return CandidateStep::Working;
            };
            if self.forcing.works(&turn.position, m, self.n_others) {
                return self.found(turn.first);
            }
            self.open = Some(turn);
            return CandidateStep::Working;
        }
        let Some(m) = self.moves.pop() else {
            return match self.key.take() {
                Some(key) => self.follow(key),
                None => CandidateStep::No,
            };
        };
        let next = self.position.after(m);
        let goes_on = next.turn() == self.position.turn() && next.outcome().is_none();
        if goes_on && self.n_others > 0 && !self.forcing.is_fulfilled(&next) {
            self.open = Some(OpenTurn {
                first: m,
                moves: next.legal_moves(),
                position: next,
            });
        } else if self.forcing.works(&self.position, m, self.n_others) {
            return self.found(m);
        }
        CandidateStep::Working
    }

    /// A move works.
    fn found(&mut self, m: G::Move) -> CandidateStep<G::Move> {
        if self.key.replace(m).is_some() {
            return CandidateStep::No;
        }
        CandidateStep::Working
    }

    /// Plays the only move that works, and the reply to it.
    fn follow(&mut self, key: G::Move) -> CandidateStep<G::Move> {
        let turn = self.position.turn();
        self.play(key);
        let is_fulfilled = self.forcing.is_fulfilled(&self.position);
        let is_done = is_fulfilled && !self.goal.has_to_hold();
        if is_done || self.position.outcome().is_some() {
            // A goal that can be reached sooner is another puzzle.
            return self.end_if(is_done && self.n_others == 0 || self.goal.has_to_hold());
        }
        if self.position.turn() == turn {
            self.moves = self.position.legal_moves();
            return CandidateStep::Working;
        }
        if self.goal.has_to_hold() {
            return self.end_if(true);
        }
        let natural = self.natural_turn();
        let reply = self
            .forcing
            .toughest_reply(&self.position, self.n_others, &natural);
        let Some(reply) = reply else {
            return CandidateStep::No;
        };
        for m in reply {
            self.play(m);
        }
        self.n_others -= 1;
        if self.n_others == 0 {
            return self.finish();
        }
        self.moves = self.position.legal_moves();
        CandidateStep::Working
    }

    /// What the classic opponent would play in this turn.
    fn natural_turn(&self) -> Vec<G::Move> {
        let mut position = self.position.clone();
        let mut line = Vec::new();
        while position.turn() == self.position.turn() && position.outcome().is_none() {
            let m = G::classic(&position, &mut Random::new(0));
            position.play_unchecked(m);
            line.push(m);
        }
        line
    }

    /// The last turn, in which any way will do.
    fn finish(&mut self) -> CandidateStep<G::Move> {
        let turn = self.position.turn();
        while self.position.turn() == turn && self.position.outcome().is_none() {
            let position = &self.position;
            let mut moves = position.legal_moves().into_iter();
            let Some(m) = moves.find(|&m| self.forcing.works(position, m, 0)) else {
                return CandidateStep::No;
            };
            self.play(m);
            if self.forcing.is_fulfilled(&self.position) {
                break;
            }
        }
        let is_fulfilled = self.forcing.is_fulfilled(&self.position);
        self.end_if(is_fulfilled)
    }

    fn play(&mut self, m: G::Move) {
        self.position.play_unchecked(m);
        self.line.push(m);
    }

    fn end_if(&mut self, is_puzzle: bool) -> CandidateStep<G::Move> {
        if is_puzzle {
            CandidateStep::Yes(std::mem::take(&mut self.line))
        } else {
            CandidateStep::No
        }
    }
}
