//! Compares the crate with a second implementation of the rule sheet.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

// The path is explicit, since this file has the same name.
mod plain;

use expect_test::expect_file;
use lilypads::{Lilypads, Setup};
use rules::{Game, Player, Random};
use testkit::{Reference, check_against, check_perft_against};

use crate::plain::{Pond, check_board};

#[test]
fn r1_to_r6_hold_on_ten_thousand_boards() {
    for number in 0..10_000 {
        check_board(number);
    }
}

#[test]
fn r1_to_r6_hold_on_boards_with_large_numbers() {
    let mut random = Random::new(1);
    for _ in 0..1_000 {
        check_board(random.any());
    }
    check_board(u64::MAX);
}

#[test]
fn r8_matches_begin_alike() {
    for board in (0..1_000).chain([u64::MAX]) {
        let start = Lilypads::start(&Setup { board }).unwrap();
        assert_eq!(start.to_string(), Pond::new(board).text());
    }
}

#[test]
fn random_matches_agree() {
    for board in 0..200 {
        let start = Lilypads::start(&Setup { board }).unwrap();
        check_against::<_, Pond>(&start, board, 5, 400);
    }
}

/// Matches from the start seldom have six pieces on the board.
#[test]
fn matches_from_crowded_boards_agree() {
    let mut random = Random::new(2);
    for board in 0..1_000 {
        let pond = Pond::new(board);
        // A piece on a start would have won, or could not have come there.
        let mut free: Vec<usize> = (0..30)
            .filter(|circle| {
                Player::BOTH
                    .iter()
                    .all(|&player| pond.start(player) != *circle)
            })
            .collect();
        let mut place_three = || {
            let mut circles: Vec<usize> = (0..3)
                .map(|_| free.swap_remove(random.below(free.len() as u32) as usize))
                .collect();
            circles.sort_unstable();
            circles
        };
        let (first, second) = (write(place_three()), write(place_three()));
        for turn in Player::BOTH {
            check(&format!("#{board} {first} {second} {turn}"), board, 20);
        }
    }
}

/// In random matches a pass is rarer than one can wait for.
#[test]
fn r14_a_player_who_is_shut_out_passes() {
    let mut n_shut_out = 0;
    for board in 0..100 {
        let pond = Pond::new(board);
        for player in Player::BOTH {
            let gates = pond.neighbors(pond.start(player));
            if gates.len() > 3 {
                continue;
            }
            let gates = write(gates);
            let text = match player {
                Player::First => format!("#{board} - {gates} first"),
                Player::Second => format!("#{board} {gates} - second"),
            };
            assert_eq!(Pond::read(&text).moves(), ["pass"], "{text}");
            check(&text, board, 50);
            n_shut_out += 1;
        }
    }
    assert!(n_shut_out > 100, "only {n_shut_out}");
}

fn write(circles: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<String> = circles
        .into_iter()
        .map(|circle| circle.to_string())
        .collect();
    numbers.join(",")
}

/// Checks that three random matches from a position agree.
#[track_caller]
fn check(text: &str, seed: u64, n_moves: usize) {
    let position: Lilypads = match text.parse() {
        Ok(position) => position,
        Err(e) => panic!("{text} can't be read: {e}"),
    };
    check_against::<_, Pond>(&position, seed, 3, n_moves);
}

#[test]
fn node_counts_agree() {
    check_perft_against::<Pond>(&expect_file!["lilypads.perft"]);
}
