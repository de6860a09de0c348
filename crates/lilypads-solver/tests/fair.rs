//! Fair boards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use lilypads::Board;
use lilypads_solver::{
    Certificate, ExactValue, Solution,
    fair::{self, Balance},
    solve,
};

fn solved(number: u64) -> Solution {
    solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn a_fair_board_is_certified_again() {
    let (solution, certificate) = fair::find(42, |_, _| ControlFlow::Continue(())).unwrap();
    assert!(certificate.is_fair());
    assert_eq!(certificate.number, 45);
    assert_eq!(certificate, Certificate::new(&solved(45)));
    assert_eq!(solution.board().number(), 45);
    assert_eq!(certificate.first_begins, ExactValue::Draw);
    assert_eq!(certificate.second_begins, ExactValue::Draw);
    // The boards before it are not fair.
    for number in 42..45 {
        let is_even = Balance::of(&Board::new(number)).is_even();
        assert!(
            !is_even || !Certificate::new(&solved(number)).is_fair(),
            "{number}"
        );
    }
}

#[test]
fn balance_counts_draws_as_half() {
    let even = |first, draws, second| {
        Balance {
            first,
            draws,
            second,
        }
        .is_even()
    };
    assert!(even(200, 0, 200));
    assert!(even(0, 400, 0));
    assert!(even(220, 0, 180));
    assert!(!even(221, 0, 179));
    assert!(even(200, 40, 160));
    assert!(!even(201, 39, 160));
}
