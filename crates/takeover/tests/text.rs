//! Texts that are refused, and why.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use takeover::{Move, Takeover};
use testkit::{check_parser, mutations};

#[track_caller]
fn refuses(text: &str, reason: &str) {
    let error = text.parse::<Takeover>().unwrap_err();
    assert_eq!(error.to_string(), reason);
}

#[track_caller]
fn refuses_move(text: &str, reason: &str) {
    let error = text.parse::<Move>().unwrap_err();
    assert_eq!(error.to_string(), reason);
}

#[test]
fn broken_positions() {
    let fields = "expected four fields: board, x or o to move, half-moves, full moves";
    refuses("", fields);
    refuses("6/6/6/6/6/6 x 0", fields);
    refuses("6/6/6/6/6/6  x 0 1", fields);
    refuses("6/6/6/6/6/6 x 0 1 ", fields);
    refuses("6/6/6/6/6 x 0 1", "expected 6 or 7 ranks separated by /");
    refuses(
        "8/8/8/8/8/8/8/8 x 0 1",
        "expected 6 or 7 ranks separated by /",
    );
    refuses("6/6/6/7/6/6 x 0 1", "rank 3 does not have 6 squares");
    refuses("6/6/6/6/6/5 x 0 1", "rank 1 does not have 6 squares");
    refuses("xxxxxxx/6/6/6/6/6 x 0 1", "rank 6 does not have 6 squares");
    refuses("6/6/6//6/6 x 0 1", "rank 3 does not have 6 squares");
    let symbol = "expected x, o, - or a count of empty squares, found";
    refuses("6/6/z5/6/6/6 x 0 1", &format!("{symbol} 'z'"));
    refuses("6/6/33/6/6/6 x 0 1", &format!("{symbol} '3'"));
    refuses("6/6/06/6/6/6 x 0 1", &format!("{symbol} '0'"));
    refuses("6/6/碁5/6/6/6 x 0 1", &format!("{symbol} '碁'"));
    refuses("6/6/6/6/6/6 b 0 1", "expected x or o to move");
    let half_moves = "expected a half-move count from 0 to 100";
    refuses("6/6/6/6/6/6 x 101 1", half_moves);
    refuses("6/6/6/6/6/6 x -1 1", half_moves);
    refuses("6/6/6/6/6/6 x 00 1", half_moves);
    let full_moves = "expected a full-move number from 1 up";
    refuses("6/6/6/6/6/6 x 0 0", full_moves);
    refuses("6/6/6/6/6/6 x 0 99999999999", full_moves);
}

#[test]
fn broken_moves() {
    let form = "expected a move such as c3, a5c4 or 0000";
    let square = "no such square, expected a1 to g7";
    for text in ["", "c", "c3d", "c3d4e5", "碁"] {
        refuses_move(text, form);
    }
    for text in ["h1", "a8", "a0", "A1", "a1h2", "c33c", "pass", "é"] {
        refuses_move(text, square);
    }
}

#[test]
fn mutated_texts_are_refused_or_read_back() {
    let texts = [
        "xx2-1/xx4/6/6/1--1oo/1--1oo x 0 1",
        "x5o/7/2-1-2/7/2-1-2/7/o5x o 12 77",
    ];
    for text in texts {
        for mutation in mutations(text, 3, 20_000) {
            check_parser::<Takeover>(&mutation);
        }
    }
    for text in ["c3", "a5c4", "0000"] {
        for mutation in mutations(text, 4, 2_000) {
            check_parser::<Move>(&mutation);
        }
    }
}
