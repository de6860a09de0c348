//! The puzzles that are shipped are proved, and come from the seeds that they should.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashSet;

use miner::{prove, shipped};
use nonaga::{Nonaga, Variant};
use puzzles::{Puzzle, TOP_GRADE};

/// Every shipped puzzle of the game.
fn all(game: &str) -> Vec<Puzzle> {
    let collection = puzzles::all(game);
    assert_eq!(collection.len(), shipped::N_PUZZLES, "{game}");
    collection.iter().collect()
}

#[test]
fn every_grade_has_as_many() {
    for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
        let puzzles = all(game);
        for grade in 1..=TOP_GRADE {
            let n = puzzles.iter().filter(|puzzle| puzzle.grade() == grade);
            assert_eq!(n.count(), shipped::N_OF_A_GRADE, "{game} {grade}");
        }
    }
}

#[test]
fn both_rule_sets_of_nonaga_have_puzzles_of_every_grade() {
    let puzzles = all("nonaga");
    for variant in [Variant::Standard, Variant::Published] {
        let is_it = |puzzle: &&Puzzle| {
            let position: Nonaga = puzzle.position().parse().unwrap();
            position.variant() == variant
        };
        let mut grades: Vec<u8> = puzzles.iter().filter(is_it).map(Puzzle::grade).collect();
        assert!(
            grades.len() > puzzles.len() / 4,
            "{variant:?}: {}",
            grades.len()
        );
        grades.dedup();
        assert!(grades.into_iter().eq(1..=TOP_GRADE), "{variant:?}");
    }
}

fn prove_all(puzzles: &[Puzzle]) {
    for puzzle in puzzles {
        assert_eq!(prove(puzzle), Ok(()), "{puzzle}");
    }
}

#[test]
fn all_of_nonaga_are_proved() {
    prove_all(&all("nonaga"));
}

#[test]
fn all_of_takeover_are_proved() {
    prove_all(&all("takeover"));
}

#[test]
fn all_of_simply_go_are_proved() {
    prove_all(&all("simply-go"));
}

/// `cargo xtask puzzles --check` proves all.
#[test]
fn those_of_every_fourth_board_of_lilypads_are_proved() {
    let mut puzzles = all("lilypads");
    puzzles.sort_by_cached_key(|puzzle| puzzle.position().to_owned());
    let board = |puzzle: &Puzzle| {
        let (board, _) = puzzle.position().split_once(' ').unwrap();
        board.to_owned()
    };
    let boards: Vec<_> = puzzles.chunk_by(|a, b| board(a) == board(b)).collect();
    assert!(boards.len() >= 20);
    for puzzles in boards.into_iter().step_by(4) {
        prove_all(puzzles);
    }
}

/// The first seeds lead to the same puzzles as when the files were written.
#[test]
fn the_files_can_be_written_again() {
    for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
        let shipped: HashSet<String> = all(game).iter().map(Puzzle::line).collect();
        for puzzle in shipped::mine(game, 0, 8, 2) {
            assert!(
                shipped.contains(&puzzle.line()),
                "{puzzle} is new; run cargo xtask puzzles"
            );
        }
    }
}
