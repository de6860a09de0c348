//! Derives every position of whole boards again from the rules. More boards:
//! `parlour solve N --check`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use lilypads::Board;
use lilypads_solver::{check::every_state, solve};

fn check(number: u64, deepest: u16) {
    let solution = solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(every_state(&solution), Ok(19_629_654));
    assert_eq!(solution.tablebase().n_states(), 19_629_654);
    assert_eq!(solution.tablebase().deepest(), deepest);
}

#[test]
fn board_0_holds_together() {
    check(0, 51);
}

#[test]
fn a_board_with_a_very_long_win_holds_together() {
    check(4, 203);
}
