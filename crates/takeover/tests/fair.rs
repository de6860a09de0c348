//! The list of fair boards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::{Game, Position};
use takeover::{FairBoard, Setup, Takeover, Variant};

#[test]
fn fair_boards_are_sorted_and_valid() {
    let boards = Takeover::fair_boards();
    assert!(boards.len() >= 100, "{}", boards.len());
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
        assert!(n_matches >= 100, "{board:?}");
        // The matches that selected the board were others, so these may be further off
        // than the criterion allows, but not far.
        let off = (2 * board.first + board.draws).abs_diff(n_matches);
        assert!(100 * off <= 24 * n_matches, "{board:?}");
    }
}
