use lilypads::{Board, Lilypads, Move};
use rules::{Position, Random};

/// The weight of the best move; the others' are in proportion.
const BEST_SHARE: u64 = 1 << 32;

/// The classic opponent: prefers moves that leave it ahead in the race, with some
/// randomness.
pub(super) fn choose(position: &Lilypads, board: &Board, random: &mut Random) -> Move {
    let moves = position.legal_moves();
    let shares = shares(position, board, &moves);
    let total: u64 = shares.iter().sum();
    let mut drawn = random.any() % total;
    for (&m, share) in moves.iter().zip(shares) {
        if drawn < share {
            return m;
        }
        drawn -= share;
    }
    unreachable!("the shares add up to the total")
}

/// The weight of each move: 1 over the square of how much worse it is than the best,
/// plus one.
pub(super) fn shares(position: &Lilypads, board: &Board, moves: &[Move]) -> Vec<u64> {
    let turn = position.turn();
    let values = moves.iter().map(|&m| {
        let after = position.after(m);
        after.score(board, turn) - after.score(board, !turn)
    });
    let values: Vec<i32> = values.collect();
    let best = values.iter().copied().min().unwrap_or(0);
    let share = |value: &i32| {
        let worse = u64::from((value - best).unsigned_abs()) + 1;
        BEST_SHARE / (worse * worse)
    };
    values.iter().map(share).collect()
}
