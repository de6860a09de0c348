use std::collections::BTreeMap;

use crate::{
    Game, Outcome, Player, SetupError,
    record::{Ending, MatchOver, PlayError, REPETITIONS_THAT_DRAW, Reason},
};

/// The moves of a match so far, with the position that they lead to.
///
/// It decides like a [`Record`](crate::Record) what can be played and when the match is over
/// by the rules or by repetition, but keeps one position instead of one per move, and no
/// variations. A server has many of them.
#[derive(Clone, Debug)]
pub struct Course<G: Game> {
    start: G,
    position: G,
    moves: Vec<G::Move>,
    /// How often each position has occurred.
    occurrences: BTreeMap<u64, u32>,
    ending: Option<Ending>,
}

impl<G: Game> Course<G> {
    /// A match that begins.
    ///
    /// # Errors
    ///
    /// Returns [`SetupError`] if two options conflict.
    pub fn new(setup: &G::Setup) -> Result<Self, SetupError> {
        Ok(Self::from_position(G::start(setup)?))
    }

    fn from_position(start: G) -> Self {
        let mut course = Self {
            position: start.clone(),
            start,
            moves: Vec::new(),
            occurrences: BTreeMap::new(),
            ending: None,
        };
        course.count();
        course
    }

    /// The position after the moves.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The moves.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// How the match ended, or `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError`], with nothing changed, if the match is over or the move is not
    /// legal.
    pub fn play(&mut self, m: G::Move) -> Result<(), PlayError<G::Move>> {
        if let Some(ending) = self.ending {
            return Err(PlayError::Over(MatchOver(ending)));
        }
        self.position.play(m).map_err(PlayError::Illegal)?;
        self.moves.push(m);
        self.count();
        Ok(())
    }

    /// Counts the position, and ends the match if that is reason to.
    fn count(&mut self) {
        let key = self.position.repetition_key();
        let n_occurrences = key.map_or(0, |key| {
            let n = self.occurrences.entry(key).or_default();
            *n += 1;
            *n
        });
        let by_rules = |outcome| Ending {
            outcome,
            reason: Reason::Rules,
        };
        self.ending = if n_occurrences >= REPETITIONS_THAT_DRAW {
            Some(Ending {
                outcome: Outcome::Draw,
                reason: Reason::Repetition,
            })
        } else {
            self.position.outcome().map(by_rules)
        };
    }

    /// The number of moves from the last turn of `player` on, that turn included; `None` if
    /// there is no such turn.
    pub fn n_since_turn_of(&self, player: Player) -> Option<usize> {
        let mut position = self.start.clone();
        let mut before = None;
        let mut began = None;
        for (n, &m) in self.moves.iter().enumerate() {
            let turn = position.turn();
            if turn == player && before != Some(player) {
                began = Some(n);
            }
            before = Some(turn);
            position.play_unchecked(m);
        }
        began.map(|n| self.moves.len() - n)
    }

    /// Takes back the last `n` moves; all if there are fewer.
    pub fn take_back(&mut self, n: usize) {
        let kept = self.moves.len().saturating_sub(n);
        let mut course = Self::from_position(self.start.clone());
        for &m in &self.moves[..kept] {
            course.position.play_unchecked(m);
            course.moves.push(m);
            course.count();
        }
        *self = course;
    }
}
