//! The list of fair boards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::{Game, Position};
use takeover::{FairBoard, Setup, Takeover, Variant};

#[test]
fn fair_boards_are_sorted_and_valid() {
    let boards = Takeover::fair_boards();
    assert!(boards.len() >= 60, "{}", boards.len());
    assert!(boards.is_sorted_by(|a, b| a < b), "{boards:?}");
    for &board in &boards {
        for variant in [Variant::Standard, Variant::Ataxx] {
            let start = Takeover::start(&Setup { variant, board }).unwrap();
            assert!(start.outcome().is_none());
        }
    }
}

#[test]
fn every_fair_board_has_its_results() {
    let listed: Vec<u64> = FairBoard::all().map(|board| board.number).collect();
    assert_eq!(listed, Takeover::fair_boards());
    for board in FairBoard::all() {
        let n_matches = board.first + board.draws + board.second;
        assert!(n_matches >= 400, "{board:?}");
        let off = (2 * board.first + board.draws).abs_diff(n_matches);
        assert!(
            100 * off <= 2 * FairBoard::TOLERANCE * n_matches,
            "{board:?}"
        );
    }
}
