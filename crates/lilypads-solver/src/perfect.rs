//! The perfect player.

use lilypads::{Lilypads, Move};
use rules::{Position, Random};

use crate::{ExactValue, Solution};

/// Traps nearly as good as the best are also used, for variety: the allowed
/// difference in the share of losing replies, in percent.
const TRAP_TOLERANCE: usize = 10;

/// Chooses a move with perfect play: the fastest win; in a drawn position a draw,
/// preferably one against which most replies lose; in a lost one the slowest loss.
///
/// `None` if the match is over, or if the position is of another board.
#[must_use]
pub fn choose(solution: &Solution, position: &Lilypads, random: &mut Random) -> Option<Move> {
    let traps = traps(solution, position);
    let best = traps.iter().map(|&(_, share)| share).max()?;
    let is_good = |&(_, share): &(Move, usize)| share + TRAP_TOLERANCE >= best;
    let good: Vec<_> = traps.into_iter().filter(is_good).map(|(m, _)| m).collect();
    random.pick(&good).copied()
}

/// A deterministic choice: the first of the best.
pub(crate) fn choose_first(solution: &Solution, position: &Lilypads) -> Option<Move> {
    let traps = traps(solution, position);
    let best = traps.iter().map(|&(_, share)| share).max();
    let is_best = |&(_, share): &(Move, usize)| Some(share) == best;
    traps.into_iter().find(is_best).map(|(m, _)| m)
}

/// The best moves, each with the percentage of losing replies; 0 if the result is
/// decided.
fn traps(solution: &Solution, position: &Lilypads) -> Vec<(Move, usize)> {
    let moves = solution.best_moves(position).into_iter();
    if solution.value(position) != Some(ExactValue::Draw) || moves.len() == 1 {
        return moves.map(|m| (m, 0)).collect();
    }
    let share = |m| losing_share(solution, &position.after(m));
    moves.map(|m| (m, share(m))).collect()
}

/// The percentage of replies that lose.
fn losing_share(solution: &Solution, position: &Lilypads) -> usize {
    let replies = solution.moves(position);
    let is_losing = |(_, value): &&(Move, ExactValue)| matches!(value, ExactValue::Loss(_));
    100 * replies.iter().filter(is_losing).count() / replies.len().max(1)
}
