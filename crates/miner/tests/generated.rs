//! Puzzles of seeds that nobody has looked at are proved, and do not depend on how the
//! work is sliced.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use miner::{Mining, MiningStep, WhyNot, prove, shipped};
use puzzles::Puzzle;
use search::Slice;

/// How many are proved for each game; `cargo xtask puzzles --check` proves 1,000.
const N_SEEDS: u64 = 50;

/// Other seeds than those of the files.
const FIRST: u64 = 1 << 40;

#[track_caller]
fn check_fifty(game: &str) {
    let puzzles = shipped::mine(game, FIRST, N_SEEDS, 2);
    assert_eq!(puzzles.len() as u64, N_SEEDS, "every seed has a puzzle");
    for puzzle in &puzzles {
        assert_eq!(prove(puzzle), Ok(()), "{puzzle}");
        assert_eq!(puzzle.game(), game);
    }
    let first = &puzzles[0];
    let mut mining = Mining::new(game, FIRST).unwrap();
    let mut n_slices = 0;
    let sliced = loop {
        n_slices += 1;
        match mining.step(Slice::nodes(1)) {
            MiningStep::Working => {}
            MiningStep::Found(puzzle) => break puzzle,
            MiningStep::Exhausted => panic!("every seed has a puzzle"),
        }
    };
    assert_eq!(&sliced, first);
    assert!(n_slices > 1, "it can be interrupted");
}

#[test]
fn fifty_of_lilypads() {
    check_fifty("lilypads");
}

#[test]
fn fifty_of_nonaga() {
    check_fifty("nonaga");
}

#[test]
fn fifty_of_takeover() {
    check_fifty("takeover");
}

#[test]
fn fifty_of_simply_go() {
    check_fifty("simply-go");
}

#[test]
fn there_are_no_other_games() {
    assert!(Mining::new("chess", 0).is_none());
}

#[track_caller]
fn refutes(text: &str, expected: &WhyNot) {
    let puzzle: Puzzle = text.parse().unwrap();
    assert_eq!(prove(&puzzle).as_ref(), Err(expected), "{text}");
}

#[test]
fn what_is_no_puzzle_is_not_proved() {
    // White runs from the corner.
    refutes(
        "simply-go 1 capture:1:2 9/9/9/9/9/9/9/9/w8 b 0:0 2 0 moves:100 = A2 E5 B1",
        &WhyNot::Wrong("A2".to_owned()),
    );
    // There is a stone in the other corner, too.
    refutes(
        "simply-go 1 capture:1:1 9/9/9/9/9/9/9/b7b/w7w b 0:0 4 0 moves:100 = B1",
        &WhyNot::NotOnly("H1".to_owned()),
    );
    // A single move captures.
    refutes(
        "simply-go 1 capture:1:2 9/9/9/9/9/9/9/b8/w8 b 0:0 2 0 moves:100 = E5 E6 B1",
        &WhyNot::Sooner,
    );
    // Yellow gets level again.
    refutes(
        "takeover 2 lead:1 xx4/xx4/6/6/4oo/4oo x 0 1 = c6",
        &WhyNot::Wrong("c6".to_owned()),
    );
    // Green is far ahead, whatever it does.
    refutes(
        "takeover 2 lead:1 xxxxxx/xxx3/6/6/6/5o x 0 10 = d5",
        &WhyNot::NotOnly("a4".to_owned()),
    );
}
