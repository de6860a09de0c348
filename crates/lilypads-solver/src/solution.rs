use std::ops::ControlFlow;

use lilypads::{Board, Lilypads, Move};
use rules::{ByPlayer, Player, Position};

use crate::{
    ExactValue, SolverProgress, Tablebase, Unsolved, perfect,
    pond::Narrowing,
    solver::{Solver, SolverStep},
};

/// A board and the value of every position on it.
#[derive(Clone, Debug)]
pub struct Solution {
    board: Board,
    narrowing: Narrowing,
    table: Tablebase,
}

/// Solves `board`.
///
/// `watch` is called with the progress some fifty times and may ask to stop.
///
/// # Errors
///
/// Returns [`Unsolved`] if it was stopped.
pub fn solve(
    board: &Board,
    mut watch: impl FnMut(SolverProgress) -> ControlFlow<()>,
) -> Result<Solution, Unsolved> {
    let mut solver = Solver::new(board);
    loop {
        match solver.step()? {
            SolverStep::Working(None) => {}
            SolverStep::Working(Some(progress)) => {
                if watch(progress).is_break() {
                    return Err(Unsolved::Stopped);
                }
            }
            SolverStep::Solved(solution) => return Ok(*solution),
        }
    }
}

/// Whether `position` ends a match as a draw (R16), in which the positions with the repetition keys
/// `played` occurred before.
#[must_use]
pub fn is_third_occurrence(position: &Lilypads, played: &[u64]) -> bool {
    let Some(key) = position.repetition_key() else {
        return false;
    };
    position.outcome().is_none() && played.iter().filter(|&&earlier| earlier == key).count() >= 2
}

impl Solution {
    pub(crate) fn new(board: Board, table: Tablebase) -> Self {
        Self {
            narrowing: Narrowing::of_graph(board.graph()),
            board,
            table,
        }
    }

    /// The board that is solved.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The tablebase: the values of all positions.
    #[must_use]
    pub fn tablebase(&self) -> &Tablebase {
        &self.table
    }

    /// The value of a match's first position if `turn` begins.
    #[must_use]
    pub fn start_value(&self, turn: Player) -> ExactValue {
        self.table.value(ByPlayer::default(), turn)
    }

    /// The value of `position` for the player to move, or `None` if it is a position
    /// of another board.
    #[must_use]
    pub fn value(&self, position: &Lilypads) -> Option<ExactValue> {
        self.knows(position).then(|| self.known_value(position))
    }

    #[inline]
    fn knows(&self, position: &Lilypads) -> bool {
        position.number() == self.board.number()
    }

    #[inline]
    fn known_value(&self, position: &Lilypads) -> ExactValue {
        if position.outcome().is_some() {
            // The other player made the last move, and won by it (R15).
            return ExactValue::Loss(0);
        }
        let pieces = ByPlayer::from_fn(|player| self.narrowing.set(position.pieces(player)));
        self.table.value(pieces, position.turn())
    }

    /// Every legal move with its value for the player who makes it. Empty if the
    /// match is over or the position is of another board.
    #[must_use]
    pub fn moves(&self, position: &Lilypads) -> Vec<(Move, ExactValue)> {
        if !self.knows(position) {
            return Vec::new();
        }
        let value = |m| self.known_value(&position.after(m)).one_ply_earlier();
        let moves = position.legal_moves().into_iter();
        moves.map(|m| (m, value(m))).collect()
    }

    /// As [`moves`](Self::moves), in a match in which the positions with the repetition keys
    /// `played` occurred: a move that ends it by repetition (R16) draws. All other values assume
    /// that no later move does.
    #[must_use]
    pub fn moves_in_match(&self, position: &Lilypads, played: &[u64]) -> Vec<(Move, ExactValue)> {
        let mut moves = self.moves(position);
        for (m, value) in &mut moves {
            if is_third_occurrence(&position.after(*m), played) {
                *value = ExactValue::Draw;
            }
        }
        moves
    }

    /// The moves with the fastest win, a draw, or the slowest loss.
    #[must_use]
    pub fn best_moves(&self, position: &Lilypads) -> Vec<Move> {
        let moves = self.moves(position);
        let best = moves.iter().map(|&(_, value)| value).max();
        let is_best = |&(_, value): &(Move, ExactValue)| Some(value) == best;
        moves.into_iter().filter(is_best).map(|(m, _)| m).collect()
    }

    /// A line of best play to the end, or in a drawn position until a repetition.
    #[must_use]
    pub fn line(&self, position: &Lilypads) -> Vec<Move> {
        let mut position = position.clone();
        let mut seen = Vec::new();
        let mut line = Vec::new();
        while !seen.contains(&position)
            && let Some(m) = perfect::choose_first(self, &position)
        {
            seen.push(position.clone());
            position.play_unchecked(m);
            line.push(m);
        }
        line
    }
}
