//! The game agrees with a second implementation, move by move.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

// The path is explicit, since this file has the same name.
mod plain;

use expect_test::expect_file;
use rules::{Game, Random};
use takeover::{Setup, Takeover, Variant};
use testkit::{check_against, check_perft_against};

use crate::plain::PlainTakeover;

#[test]
fn standard_boards_agree() {
    for board in (0..40).chain([u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef]) {
        let setup = Setup {
            variant: Variant::Standard,
            board,
        };
        check(&Takeover::start(&setup).unwrap(), board, 5, 400);
    }
}

#[test]
fn standard_without_obstacles_agrees() {
    check_text("xx4/xx4/6/6/4oo/4oo x 0 1", 60, 400);
}

#[test]
fn standard_with_many_obstacles_agrees() {
    check_text("xx-1--/x-2-1/--1-2/2-1--/1-2-o/--1-oo x 0 1", 60, 400);
    check_text("x-1-1o/-1-1-1/1-1-1-/-1-1-1/1-1-1-/o-1-1x x 0 1", 60, 400);
}

#[test]
fn ataxx_agrees() {
    let setup = Setup {
        variant: Variant::Ataxx,
        board: 0,
    };
    check(&Takeover::start(&setup).unwrap(), 1, 50, 500);
    check_text("x5o/7/7/7/7/7/o5x x 0 1", 50, 500);
}

#[test]
fn ataxx_with_obstacles_agrees() {
    check_text("x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1", 50, 500);
    check_text("x-3-o/-5-/2-1-2/3-3/2-1-2/-5-/o-3-x x 0 1", 50, 500);
    check_text(
        "x-1-1-o/-1-1-1-/1-1-1-1/-1-1-1-/1-1-1-1/-1-1-1-/o-1-1-x x 0 1",
        50,
        500,
    );
}

/// R8: the last empty squares, with the majority at stake.
#[test]
fn nearly_full_boards_agree() {
    check_text("xxxooo/xx1oox/xxoo1o/xx-oxx/o1ooxx/xxxo1o x 3 40", 60, 400);
    check_text("xxxooo/xxoo1x/xxoxoo/xoxoxx/ooooxx/xxxo1o o 0 40", 60, 400);
    check_text(
        "xxxoooo/xx1ooox/xxoo1oo/xx-oxxx/o1ooxxx/xxxo1oo/xxxxooo x 3 40",
        60,
        400,
    );
}

/// R9 and R11: a player who can't move loses, or passes.
#[test]
fn blocked_players_agree() {
    check_text("x-4/---3/1-4/6/4oo/4oo x 0 9", 20, 400);
    check_text("x-4/---3/1-4/6/4oo/4oo o 0 9", 20, 400);
    check_text("x-4/--4/1-4/6/4oo/4oo x 7 9", 20, 400);
    check_text("x--4/---4/---4/7/7/5oo/5oo x 0 9", 20, 400);
    check_text("x--4/---4/---4/7/7/5oo/5oo o 95 99", 20, 400);
    check_text(
        "x--1--o/---1---/---1---/7/---1---/---1---/o--1--x x 0 9",
        60,
        400,
    );
}

/// R10 and R11: the hundredth move without a duplication.
#[test]
fn long_matches_without_duplications_agree() {
    check_text("x5/6/2-3/6/3-2/5o x 96 80", 200, 12);
    check_text("x5o/7/7/7/7/7/o5x o 97 80", 200, 12);
    // The hundredth move may also end the match by another rule.
    check_text("x-4/---3/1-4/6/4o1/6 o 99 80", 50, 3);
    check_text("x2o3/7/7/7/7/7/7 x 99 80", 50, 3);
    check_text("x2o3/7/7/7/7/7/7 x 98 80", 50, 3);
    check_text("x--4/---4/---4/7/7/7/6o o 99 80", 50, 3);
}

#[test]
fn random_boards_agree() {
    let mut random = Random::new(5);
    for seed in 0..1_000 {
        let text = random_text(&mut random);
        let start: Takeover = text.parse().unwrap();
        check(&start, seed, 1, 60);
    }
}

/// A position with pieces, obstacles and empty squares anywhere.
fn random_text(random: &mut Random) -> String {
    let size = [6, 7][random.below(2) as usize];
    let n_obstacles = random.below(4);
    let n_empty = 1 + random.below(6);
    let letters = [
        "-".repeat(n_obstacles as usize),
        "1".repeat(n_empty as usize),
    ];
    let letters: Vec<char> = format!("xxxooo{}", letters.concat()).chars().collect();
    let pick = |_| *random.pick(&letters).expect("there are letters");
    let squares: Vec<char> = (0..size * size).map(pick).collect();
    let ranks: Vec<String> = squares.chunks(size).map(join_ones).collect();
    let turn = ["x", "o"][random.below(2) as usize];
    let since_duplication = [0, 50, 96, 97, 98, 99, 100][random.below(7) as usize];
    format!("{} {turn} {since_duplication} 80", ranks.join("/"))
}

/// Writes each run of empty squares, `1` each, as its length.
fn join_ones(rank: &[char]) -> String {
    let write = |run: &[char]| match run[0] {
        '1' => run.len().to_string(),
        _ => run.iter().collect(),
    };
    rank.chunk_by(|a, b| a == b).map(write).collect()
}

#[track_caller]
fn check_text(text: &str, n_matches: usize, n_moves: usize) {
    let start: Takeover = match text.parse() {
        Ok(start) => start,
        Err(e) => panic!("{text}: {e}"),
    };
    check(&start, 1, n_matches, n_moves);
}

#[track_caller]
fn check(start: &Takeover, seed: u64, n_matches: usize, n_moves: usize) {
    check_against::<Takeover, PlainTakeover>(start, seed, n_matches, n_moves);
}

#[test]
fn node_counts_agree() {
    check_perft_against::<PlainTakeover>(&expect_file!["takeover.perft"]);
}
