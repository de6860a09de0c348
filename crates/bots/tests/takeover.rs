//! Compares the fast parts of Takeover's guide with slow ones.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod positions;

use std::collections::BTreeMap;

use bots::takeover::TakeoverGuide;
use positions::{anywhere, setup};
use rules::{Position, Random, Record};
use search::Guide;
use takeover::{Move, Takeover};

const VARIANTS: [&str; 2] = ["standard", "ataxx"];

/// The ranks of `moves`.
fn ranks(position: &Takeover, moves: &[Move]) -> Vec<i32> {
    let mut ranks = Vec::new();
    let guide = TakeoverGuide::new(position.variant());
    let memo = guide.memo(position);
    guide.rank_into(position, &memo, moves, 1, &mut ranks);
    ranks
}

#[test]
fn the_few_best_moves_are_those_that_rank_highest() {
    for variant in VARIANTS {
        let setup = setup::<Takeover>(&[("variant", variant)]);
        for sample in anywhere::<Takeover>(setup, 80, 3).take(400) {
            let position = sample.position();
            let moves = position.legal_moves();
            // The best way to each square; of Ataxx, the best jump beside duplicating.
            let mut best = BTreeMap::new();
            for (&m, &rank) in moves.iter().zip(&ranks(position, &moves)) {
                let way = match m {
                    Move::Duplicate { to } => (to, false),
                    Move::Jump { to, .. } => (to, variant == "ataxx"),
                    Move::Pass => continue,
                };
                let known = best.entry(way).or_insert(rank);
                *known = rank.max(*known);
            }
            let mut expected: Vec<i32> = best.into_values().collect();
            expected.sort_unstable_by(|one, other| other.cmp(one));
            for n in 1..=4 {
                let mut few = Vec::new();
                let guide = TakeoverGuide::new(position.variant());
                let memo = guide.memo(position);
                guide.few_into(position, &memo, n, &mut few);
                let n_expected = n.min(expected.len());
                assert_eq!(
                    ranks(position, &few),
                    expected[..n_expected],
                    "{n} of {position}"
                );
                assert!(few.iter().all(|m| moves.contains(m)), "{position}");
            }
        }
    }
}

#[test]
fn what_can_not_have_come_before_never_has() {
    let mut n_repeated = 0;
    for variant in VARIANTS {
        let setup = setup::<Takeover>(&[("variant", variant)]);
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut record = Record::<Takeover>::new(setup).unwrap();
            // Jumping there and back repeats the position.
            let mut ways_back: [Option<Move>; 2] = [None, None];
            for n in 0..60 {
                let position = record.position();
                let moves = position.legal_moves();
                let back = ways_back[n % 2].filter(|m| moves.contains(m));
                let jumps: Vec<Move> = moves
                    .iter()
                    .copied()
                    .filter(|m| matches!(m, Move::Jump { .. }))
                    .collect();
                let some = random.pick(if n % 8 < 2 { &moves } else { &jumps });
                let Some(m) = back.or(some.copied()) else {
                    break;
                };
                ways_back[n % 2] = match m {
                    Move::Jump { from, to } => Some(Move::Jump { from: to, to: from }),
                    _ => None,
                };
                if record.play(m).is_err() || record.ending().is_some() {
                    break;
                }
                let keys = record.repetition_keys();
                let key = record.position().repetition_key().unwrap();
                let n_before = keys.iter().filter(|&&other| other == key).count();
                // The position itself may be among them.
                let is_listed = usize::from(keys.last() == Some(&key));
                if n_before > is_listed {
                    n_repeated += 1;
                    assert!(
                        TakeoverGuide::new(record.position().variant())
                            .may_repeat(record.position()),
                        "{}",
                        record.position()
                    );
                }
            }
        }
    }
    assert!(n_repeated > 100, "only {n_repeated}");
}
