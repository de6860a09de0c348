//! The perfect player.

use lilypads::{Lilypads, Move};
use rules::{Position, Random};

use crate::{ExactValue, Solution, is_third_occurrence};

/// Traps nearly as good as the best are also used, for variety: the allowed
/// difference in the share of losing replies, in percent.
const TRAP_TOLERANCE: usize = 10;

/// Chooses a move with perfect play: the fastest win; in a drawn position a draw,
/// preferably one against which most replies lose; in a lost one the slowest loss.
///
/// `None` if the match is over, or if the position is of another board.
#[must_use]
pub fn choose(solution: &Solution, position: &Lilypads, random: &mut Random) -> Option<Move> {
    pick(traps(solution, position), random)
}

/// As [`choose`], in a match in which the positions with the repetition keys `played` occurred:
/// a move that ends it by repetition (R16) draws, and is avoided if another move draws too.
#[must_use]
pub fn choose_in_match(
    solution: &Solution,
    position: &Lilypads,
    played: &[u64],
    random: &mut Random,
) -> Option<Move> {
    let ends = |m| is_third_occurrence(&position.after(m), played);
    let moves = solution.moves_in_match(position, played);
    if !moves.iter().any(|&(m, _)| ends(m)) {
        return choose(solution, position, random);
    }
    let best = moves.iter().map(|&(_, value)| value).max()?;
    let moves = moves.into_iter().filter(|&(_, value)| value == best);
    let (ending, others): (Vec<_>, Vec<_>) = moves.map(|(m, _)| m).partition(|&m| ends(m));
    let moves = if others.is_empty() { ending } else { others };
    pick(traps_among(solution, position, moves, best), random)
}

/// One of the moves that set the best traps.
fn pick(traps: Vec<(Move, usize)>, random: &mut Random) -> Option<Move> {
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
    let value = solution.value(position).unwrap_or(ExactValue::Draw);
    traps_among(solution, position, solution.best_moves(position), value)
}

/// `moves`, which have this value, each with the percentage of losing replies; 0 if the result is
/// decided.
fn traps_among(
    solution: &Solution,
    position: &Lilypads,
    moves: Vec<Move>,
    value: ExactValue,
) -> Vec<(Move, usize)> {
    let sets_traps = value == ExactValue::Draw && moves.len() > 1;
    let share = |m| {
        if sets_traps {
            losing_share(solution, &position.after(m))
        } else {
            0
        }
    };
    moves.into_iter().map(|m| (m, share(m))).collect()
}

/// The percentage of replies that lose.
fn losing_share(solution: &Solution, position: &Lilypads) -> usize {
    let replies = solution.moves(position);
    let is_losing = |(_, value): &&(Move, ExactValue)| matches!(value, ExactValue::Loss(_));
    100 * replies.iter().filter(is_losing).count() / replies.len().max(1)
}
