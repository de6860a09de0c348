//! Lilypads obeys the laws of a position.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use lilypads::{Lilypads, Setup};
use rules::Game;
use testkit::{check_laws, check_record};

#[test]
fn laws_from_the_start() {
    for board in 0..20 {
        let start = Lilypads::start(&Setup { board }).unwrap();
        check_laws(&start, board, 500);
    }
}

#[test]
fn laws_where_a_player_has_to_pass() {
    let stuck: Lilypads = "#42 - 1,2,3 first".parse().unwrap();
    check_laws(&stuck, 1, 500);
}

#[test]
fn records_keep_what_happened() {
    for board in 0..40 {
        check_record::<Lilypads>(Setup { board }, board, 120);
    }
}
