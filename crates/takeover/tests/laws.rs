//! Takeover and Ataxx obey the laws of a position.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::Game;
use takeover::{Setup, Takeover, Variant};
use testkit::{check_laws, check_record};

const VARIANTS: [Variant; 2] = [Variant::Standard, Variant::Ataxx];

#[test]
fn laws_from_the_start() {
    for variant in VARIANTS {
        for board in 0..4 {
            let start = Takeover::start(&Setup { variant, board }).unwrap();
            check_laws(&start, board, 1000);
        }
    }
}

#[test]
fn laws_where_a_player_can_hardly_move() {
    for text in [
        "xxxxxx/xxxxxx/xxxx2/oooo2/oooooo/oooooo x 0 40",
        "x-4/--4/6/6/4oo/4oo x 97 80",
        "7/7/7/7/-------/-------/x5o x 0 1",
        "xxxxxxx/-------/-------/7/7/7/ooooooo o 95 60",
    ] {
        check_laws(&text.parse::<Takeover>().unwrap(), 1, 1000);
    }
}

#[test]
fn records_keep_what_happened() {
    for variant in VARIANTS {
        for board in 0..30 {
            check_record::<Takeover>(Setup { variant, board }, board, 200);
        }
    }
}
