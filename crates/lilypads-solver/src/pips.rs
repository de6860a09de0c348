//! Play by the pip count alone, like a beginner.

use lilypads::{Board, Lilypads, Move};
use rules::{Position, Random};

/// The temperature of the classic opponent.
pub const CLASSIC: u32 = 1;

/// What a move gains in pips: the opponent's score less the mover's after it
/// (R17). Higher is better.
#[must_use]
pub fn gain(board: &Board, position: &Lilypads, m: Move) -> i32 {
    let mover = position.turn();
    let after = position.after(m);
    after.score(board, !mover) - after.score(board, mover)
}

/// The weights of moves with these gains in a random choice. With a temperature of 1
/// they are those of the rule sheet's classic opponent.
#[must_use]
pub fn weights(gains: &[i32], temperature: u32) -> Vec<u32> {
    const WHOLE: u32 = 1 << 20;
    let best = gains.iter().copied().max().unwrap_or_default();
    let weight = |&gain: &i32| {
        let behind = best.abs_diff(gain).saturating_add(temperature);
        (WHOLE / behind.saturating_pow(2)).max(1)
    };
    gains.iter().map(weight).collect()
}

/// Chooses one of `moves` at random, weighted by the pips they gain.
#[must_use]
pub fn choose(
    board: &Board,
    position: &Lilypads,
    moves: &[Move],
    temperature: u32,
    random: &mut Random,
) -> Option<Move> {
    let gains: Vec<_> = moves.iter().map(|&m| gain(board, position, m)).collect();
    let weights = weights(&gains, temperature);
    let total: u32 = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let mut left = random.below(total);
    let chosen = weights.iter().position(|&weight| {
        let is_here = left < weight;
        left = left.saturating_sub(weight);
        is_here
    });
    moves.get(chosen?).copied()
}

/// Whether the player to move can win at once.
pub(crate) fn can_win_at_once(position: &Lilypads, moves: &mut Vec<Move>) -> bool {
    moves.clear();
    position.legal_moves_into(moves);
    moves.iter().any(|&m| is_win(position, m))
}

/// Whether a legal move ends the match (R15).
#[must_use]
pub fn is_win(position: &Lilypads, m: Move) -> bool {
    let goal = position.graph().start(!position.turn());
    match m {
        Move::Enter { to } | Move::Go { to, .. } => to == goal,
        Move::Pass => false,
    }
}
