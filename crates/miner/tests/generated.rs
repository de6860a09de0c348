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
    // Black captures the corner at A2 and at B1 alike, in two moves either way; the last
    // one is listed as if it were needed.
    refutes(
        "simply-go 1 capture:1:2 9/9/9/9/9/9/9/9/w8 b 0:0 2 0 moves:100 = A2 E5 B1",
        &WhyNot::Wrong("A2".to_owned()),
    );
    refutes(
        "simply-go 1 capture:1:1 9/9/9/9/9/8w/8b/b8/w8 b 0:0 4 0 moves:100 = B1",
        &WhyNot::Wrong("B1".to_owned()),
    );
    // Both ends of the row fill the board and win.
    refutes(
        "takeover 1 win:1 xxxxxx/xxxxxx/xxx-xx/xx-x-x/1x-oxx/xx-xx1 x 0 30 = f1",
        &WhyNot::Wrong("f1".to_owned()),
    );
    refutes(
        "takeover 2 lead:1 xx4/xx4/6/6/4oo/4oo x 0 1 = c6",
        &WhyNot::Wrong("c6".to_owned()),
    );
    // A single capture comes first.
    refutes(
        "simply-go 1 capture:1:2 9/9/9/9/9/9/9/b8/w8 b 0:0 2 0 moves:100 = E5 E6 B1",
        &WhyNot::Sooner,
    );
}
