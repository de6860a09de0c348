//! The classic opponent: looks one move ahead and adds up weighted terms.

use nonaga::{Hex, Move, Nonaga, Phase};
use rules::{Player, Position, Random};

/// The weights of a slide.
const WIN: i64 = 10_000;
const OWN_PAIR: i64 = 500;
const NEAREST: i64 = -30;
const SPREAD: i64 = -20;
const ENEMY_PAIR: i64 = -200;
const OFF_CENTER: i64 = -5;

/// The weights of a shift.
const ANSWER: i64 = 15_000;
const LEFT_OPEN: i64 = -5_000;
const SLIDE_NEEDED: i64 = 100;
const NOISE: u32 = 3;

/// The unit of all terms: centers of three pieces and of nineteen tiles are
/// fractions with this denominator.
const PARTS: i64 = 3 * 19;

/// The move with the highest sum, ties broken at random.
pub(super) fn choose(position: &Nonaga, random: &mut Random) -> Move {
    let moves = position.legal_moves();
    let worths: Vec<i64> = match position.phase() {
        Phase::Slide => moves.iter().map(|&m| slide_worth(position, m)).collect(),
        Phase::Shift => {
            let was_open = position.slide_counts(!position.turn()).n_wins > 0;
            let worth = |&m: &Move| {
                let noise = i64::from(random.below(NOISE + 1));
                shift_worth(position, m, was_open) + noise
            };
            moves.iter().map(worth).collect()
        }
    };
    let best = worths.iter().max();
    let best_moves: Vec<Move> = moves
        .iter()
        .zip(&worths)
        .filter(|(_, worth)| Some(*worth) == best)
        .map(|(m, _)| *m)
        .collect();
    *random.pick(&best_moves).expect("there is a legal move")
}

/// The sum of a slide, in [`PARTS`].
pub(super) fn slide_worth(position: &Nonaga, m: Move) -> i64 {
    let Move::Slide { to, .. } = m else {
        return 0;
    };
    let turn = position.turn();
    let after = position.after(m);
    let pieces = after.pieces(turn);
    let nearest = distances(pieces).into_iter().min().unwrap_or(0);
    let board: Vec<Hex> = after.tiles().iter().collect();
    let spread: i64 = pieces
        .iter()
        .map(|&piece| parts_from_center(piece, &pieces))
        .sum();
    PARTS
        * (WIN * i64::from(after.outcome().is_some())
            + OWN_PAIR * n_pairs(pieces)
            + NEAREST * nearest
            + ENEMY_PAIR * n_pairs(after.pieces(!turn)))
        + SPREAD * spread
        + OFF_CENTER * parts_from_center(to, &board)
}

/// The sum of a shift, without the noise.
pub(super) fn shift_worth(position: &Nonaga, m: Move, was_open: bool) -> i64 {
    let turn = position.turn();
    let after = position.after(m);
    let is_open = after.slide_counts(!turn).n_wins > 0;
    let answer = match (was_open, is_open) {
        (true, false) => ANSWER,
        (_, true) => LEFT_OPEN,
        (false, false) => 0,
    };
    answer + SLIDE_NEEDED * (slides_needed(&after, !turn) - slides_needed(&after, turn))
}

/// The least number of slides that connect the pieces of `player` while nothing
/// else moves: 1, 2, or 3 for more than that.
pub(super) fn slides_needed(position: &Nonaga, player: Player) -> i64 {
    if position.slide_counts(player).n_wins > 0 {
        return 1;
    }
    let connects_next = |m: &Move| {
        position
            .after_slide_of(player, *m)
            .slide_counts(player)
            .n_wins
            > 0
    };
    if position.slides_of(player).iter().any(connects_next) {
        2
    } else {
        3
    }
}

fn distances([a, b, c]: [Hex; 3]) -> [i64; 3] {
    [a.distance(b), b.distance(c), a.distance(c)].map(i64::from)
}

fn n_pairs(pieces: [Hex; 3]) -> i64 {
    distances(pieces)
        .into_iter()
        .filter(|&distance| distance == 1)
        .count() as i64
}

/// The distance from `hex` to the center of mass of `hexes`, in [`PARTS`].
fn parts_from_center(hex: Hex, hexes: &[Hex]) -> i64 {
    let n = hexes.len() as i64;
    let sum = |coordinate: fn(&Hex) -> i32| {
        hexes
            .iter()
            .map(|hex| i64::from(coordinate(hex)))
            .sum::<i64>()
    };
    let q = n * i64::from(hex.q) - sum(|hex| hex.q);
    let r = n * i64::from(hex.r) - sum(|hex| hex.r);
    // Half of what the three coordinates differ by, in parts of `n`.
    (q.abs() + r.abs() + (q + r).abs()) * (PARTS / n) / 2
}
