//! Simply Go obeys the laws of a position.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::Game;
use simply_go::{Mode, Setup, SimplyGo};
use testkit::{check_laws, check_record};

#[test]
fn laws_from_the_start() {
    // Fewer on the larger boards, where a position has thousands of moves.
    for (size, n_positions) in [(9, 700), (13, 250), (19, 80), (25, 30), (48, 5)] {
        for mode in [
            Mode::Moves(100),
            Mode::Moves(500),
            Mode::Target(10),
            Mode::Target(50),
        ] {
            let start = SimplyGo::start(&Setup { size, mode }).unwrap();
            check_laws(&start, u64::from(size), n_positions);
        }
    }
    for mode in [Mode::Moves(40), Mode::Target(5)] {
        let start = SimplyGo::start(&Setup { size: 9, mode }).unwrap();
        check_laws(&start, 1, 300);
    }
}

#[test]
fn laws_where_something_is_still_to_be_captured() {
    // White has filled its own last exit, and there is a region that is no fort
    // yet.
    for text in [
        "9/9/9/4b4/3b1b3/4b4/9/bbb6/wwwb5 b 0:0 18 0 moves:100",
        "9/9/9/4b4/3b1b3/4b4/9/bbb6/wwwb5 w 0:0 19 1 target:5",
        "9/9/9/9/9/9/9/9/9 b 0:0 164 0 target:50",
    ] {
        check_laws(&text.parse::<SimplyGo>().unwrap(), 1, 300);
    }
}

#[test]
fn records_keep_what_happened() {
    for seed in 0..10 {
        let (size, mode) = (9, Mode::Target(10));
        check_record::<SimplyGo>(Setup { size, mode }, seed, 120);
        let (size, mode) = (19, Mode::Moves(200));
        check_record::<SimplyGo>(Setup { size, mode }, seed, 60);
    }
}
