//! Compares the crate with a second implementation of the rule sheet.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

// The path is explicit, since this file has the same name.
mod plain;

use expect_test::expect_file;
use nonaga::{Nonaga, Setup, Variant};
use rules::{Game, Random};
use testkit::{Reference, check_against, check_perft_against};

use crate::plain::{Honeycomb, Rules};

#[test]
fn r2_matches_begin_alike() {
    let published = Rules::Published { barred: None };
    assert_eq!(
        start(Variant::Standard).to_string(),
        Honeycomb::new(Rules::Standard).text()
    );
    assert_eq!(
        start(Variant::Published).to_string(),
        Honeycomb::new(published).text()
    );
}

#[test]
fn random_matches_agree() {
    check_against::<_, Honeycomb>(&start(Variant::Standard), 1, 150, 1_000);
}

#[test]
fn random_matches_of_the_published_game_agree() {
    check_against::<_, Honeycomb>(&start(Variant::Published), 2, 150, 1_000);
}

/// Matches from the start seldom come to sparse boards.
#[test]
fn matches_from_random_boards_agree() {
    let mut random = Random::new(3);
    for seed in 0..150 {
        let tiles = grow(&mut random);
        let mut free = tiles.clone();
        let mut place_three = || {
            let mut cells: Vec<_> = (0..3)
                .map(|_| free.swap_remove(random.below(free.len() as u32) as usize))
                .collect();
            cells.sort_unstable();
            cells
        };
        let (first, second) = (place_three(), place_three());
        let barred = *random.pick(&tiles).unwrap();
        let pieces = format!("{} {} {}", write(&tiles), write(&first), write(&second));
        // R4: nobody may stand connected already.
        let is_won = |rest| {
            Honeycomb::read(&format!("{pieces} {rest}"))
                .outcome()
                .is_some()
        };
        if is_won("first shift") || is_won("second shift") {
            continue;
        }
        let barred = write(&[barred]);
        for rest in ["first slide", "second slide", "first shift", "second shift"] {
            let text = format!("{pieces} {rest}");
            check(&text, seed, 6);
            check(&format!("{text} -"), seed, 6);
            check(&format!("{text} {barred}"), seed, 6);
        }
    }
}

#[test]
fn r6_a_player_who_can_not_slide_goes_straight_to_the_shift() {
    let text = on_a_line([0, 2, 4], [1, 3, 5], "first slide");
    check_pass(&text);
    check_pass(&format!("{text} -"));
}

#[test]
fn r6_a_player_who_can_not_shift_ends_the_turn() {
    let text = on_a_line([0, 6, 12], [3, 9, 18], "second shift");
    check_pass(&text);
    check_pass(&format!("{text} 7,0"));
}

#[test]
fn r6_a_player_who_can_do_neither_passes_twice() {
    let text = on_a_line([0, 2, 18], [1, 3, 17], "first slide");
    check_pass(&text);
    let mut honeycomb = Honeycomb::read(&text);
    honeycomb.play("pass");
    check_pass(&honeycomb.text());
}

/// R9: only the opponent's last turn counts, so a turn without a shift bars
/// nothing.
#[test]
fn r9_a_turn_without_a_shift_bars_nothing() {
    let text = on_a_line([0, 6, 12], [3, 9, 18], "second shift 7,0");
    let mut honeycomb = Honeycomb::read(&text);
    honeycomb.play("pass");
    assert!(honeycomb.text().ends_with(" first slide -"));
    check(&text, 0, 20);
}

fn start(variant: Variant) -> Nonaga {
    Nonaga::start(&Setup { variant }).expect("every variant has a start")
}

/// Nineteen tiles, each put at random beside one that lies already.
fn grow(random: &mut Random) -> Vec<(i32, i32)> {
    const AROUND: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
    let mut tiles = vec![(0, 0)];
    while tiles.len() < 19 {
        let (q, r) = tiles[random.below(tiles.len() as u32) as usize];
        let (dq, dr) = AROUND[random.below(6) as usize];
        let cell = (q + dq, r + dr);
        if !tiles.contains(&cell) {
            tiles.push(cell);
        }
    }
    tiles.sort_unstable();
    tiles
}

/// A position on nineteen tiles in a row, so that only the ends can be shifted.
fn on_a_line(first: [i32; 3], second: [i32; 3], rest: &str) -> String {
    let row = |qs: &[i32]| write(&qs.iter().map(|&q| (q, 0)).collect::<Vec<_>>());
    let tiles: Vec<i32> = (0..19).collect();
    format!("{} {} {} {rest}", row(&tiles), row(&first), row(&second))
}

fn write(cells: &[(i32, i32)]) -> String {
    let cells: Vec<String> = cells.iter().map(|(q, r)| format!("{q},{r}")).collect();
    cells.join(";")
}

/// Checks that a pass is the only move, and that matches from there agree.
#[track_caller]
fn check_pass(text: &str) {
    assert_eq!(Honeycomb::read(text).moves(), ["pass"], "{text}");
    check(text, 0, 20);
}

/// Checks that three random matches from a position agree.
#[track_caller]
fn check(text: &str, seed: u64, n_moves: usize) {
    let position: Nonaga = match text.parse() {
        Ok(position) => position,
        Err(e) => panic!("{text} can't be read: {e}"),
    };
    check_against::<_, Honeycomb>(&position, seed, 3, n_moves);
}

#[test]
fn node_counts_agree() {
    check_perft_against::<Honeycomb>(&expect_file!["nonaga.perft"]);
}
