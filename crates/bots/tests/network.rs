//! Compares the network of Takeover and Ataxx with a plain computation.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod positions;

use bots::takeover::TakeoverGuide;
use positions::setup;
use rules::{Position, Random, Record, mix};
use search::{Guide, Value};
use takeover::{Square, SquareSet, Takeover, Variant};

/// Incremental updates agree with a computation from scratch, in whole matches of
/// random moves.
#[test]
fn updates_lead_to_the_same_as_a_fresh_start() {
    for variant in ["standard", "ataxx"] {
        let mut n_checked = 0;
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let board = (seed / 2).to_string();
            let setup = setup::<Takeover>(&[("variant", variant), ("board", &board)]);
            let mut record = Record::<Takeover>::new(setup).unwrap();
            let guide = TakeoverGuide::new(record.position().variant());
            let mut memo = guide.memo(record.position());
            for _ in 0..200 {
                let before = record.position().clone();
                let Some(&m) = random.pick(&before.legal_moves()) else {
                    break;
                };
                if record.play(m).is_err() {
                    break;
                }
                let after = record.position();
                memo = guide.memo_after(&memo, &before, m, after);
                assert_eq!(memo, guide.memo(after), "{m} in {before}");
                n_checked += 1;
            }
        }
        assert!(n_checked > 2_000, "only {n_checked} positions");
    }
}

/// The scores in the files were computed by `train.py --check`.
#[test]
fn the_trainer_computes_the_same_scores() {
    check(Variant::Standard, include_str!("network/standard.scores"));
    check(Variant::Ataxx, include_str!("network/ataxx.scores"));
}

fn check(variant: Variant, expected: &str) {
    let guide = TakeoverGuide::new(variant);
    let mut n_checked = 0;
    for (n, expected) in (0..).zip(expected.lines()) {
        let position = any_position(variant, n);
        let score = guide.evaluate(&position, &guide.memo(&position));
        let expected = Value::from_score(expected.parse().unwrap());
        assert_eq!(score, expected, "{position}");
        n_checked += 1;
    }
    assert_eq!(n_checked, 2_000);
}

/// Position `n` of those that `train.py --check` evaluates: any piece may be
/// anywhere.
fn any_position(variant: Variant, n: u64) -> Takeover {
    let [a, b, c, d] = [1, 2, 3, 4].map(|k| mix(4 * n + k));
    let board = variant.board();
    let taken = SquareSet([a & b, a, a | b][n as usize % 3]) & board;
    let walls = SquareSet(a & b & c & mix((4 * n + 1) << 32)) & board;
    let first = SquareSet(d);
    let size = variant.size();
    let rank = |rank: u8| -> String {
        let square = |file| match Square::new(file, rank) {
            square if walls.contains(square) => '-',
            square if !taken.contains(square) => '1',
            square if first.contains(square) => 'x',
            _ => 'o',
        };
        let squares: String = (0..size).map(square).collect();
        // Empty squares in a row are counted.
        (2..=usize::from(size)).rev().fold(squares, |squares, n| {
            squares.replace(&"1".repeat(n), &n.to_string())
        })
    };
    let ranks: Vec<String> = (0..size).rev().map(rank).collect();
    format!("{} x 0 1", ranks.join("/")).parse().unwrap()
}
