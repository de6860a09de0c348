//! Invalid texts, and why they are rejected.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::{ByPlayer, Player};
use takeover::{Move, ParsePositionError, Square, Takeover};
use testkit::{check_parser, check_refused, mutations};

#[test]
fn broken_positions() {
    let fields = "expected four fields: board, x or o to move, half-moves, full moves";
    check_refused::<Takeover>("", fields);
    check_refused::<Takeover>("6/6/6/6/6/6 x 0", fields);
    check_refused::<Takeover>("6/6/6/6/6/6  x 0 1", fields);
    check_refused::<Takeover>("6/6/6/6/6/6 x 0 1 ", fields);
    check_refused::<Takeover>("6/6/6/6/6 x 0 1", "expected 6 or 7 ranks separated by /");
    check_refused::<Takeover>(
        "8/8/8/8/8/8/8/8 x 0 1",
        "expected 6 or 7 ranks separated by /",
    );
    check_refused::<Takeover>("6/6/6/7/6/6 x 0 1", "rank 3 does not have 6 squares");
    check_refused::<Takeover>("6/6/6/6/6/5 x 0 1", "rank 1 does not have 6 squares");
    check_refused::<Takeover>("xxxxxxx/6/6/6/6/6 x 0 1", "rank 6 does not have 6 squares");
    check_refused::<Takeover>("6/6/6//6/6 x 0 1", "rank 3 does not have 6 squares");
    let symbol = "expected x, o, - or a count of empty squares, found";
    check_refused::<Takeover>("6/6/z5/6/6/6 x 0 1", &format!("{symbol} 'z'"));
    check_refused::<Takeover>("6/6/33/6/6/6 x 0 1", &format!("{symbol} '3'"));
    check_refused::<Takeover>("6/6/06/6/6/6 x 0 1", &format!("{symbol} '0'"));
    check_refused::<Takeover>("6/6/碁5/6/6/6 x 0 1", &format!("{symbol} '碁'"));
    check_refused::<Takeover>("6/6/6/6/6/6 b 0 1", "expected x or o to move");
    let half_moves = "expected a half-move count from 0 to 100";
    check_refused::<Takeover>("6/6/6/6/6/6 x 101 1", half_moves);
    check_refused::<Takeover>("6/6/6/6/6/6 x -1 1", half_moves);
    check_refused::<Takeover>("6/6/6/6/6/6 x 00 1", half_moves);
    let full_moves = "expected a full-move number from 1 up";
    check_refused::<Takeover>("6/6/6/6/6/6 x 0 0", full_moves);
    check_refused::<Takeover>("6/6/6/6/6/6 x 0 99999999999", full_moves);
}

#[test]
fn broken_moves() {
    let form = "expected a move such as c3, a5c4 or 0000";
    let square = "no such square, expected a1 to g7";
    for text in ["", "c", "c3d", "c3d4e5", "碁"] {
        check_refused::<Move>(text, form);
    }
    for text in ["h1", "a8", "a0", "A1", "a1h2", "c33c", "pass", "é"] {
        check_refused::<Move>(text, square);
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

#[test]
fn impossible_arrangements() {
    let position: Takeover = "xx4/xx4/6/6/4oo/4oo x 0 1".parse().unwrap();
    let [a1, g1] = ["a1", "g1"].map(|square| square.parse::<Square>().unwrap());
    let arrange = |first: Square, second: Square, obstacle: Square| {
        let pieces = ByPlayer {
            first: first.into(),
            second: second.into(),
        };
        position.rearranged(pieces, obstacle.into(), Player::First)
    };
    let b2 = Square::new(1, 1);
    let c3 = Square::new(2, 2);
    let crowded = Err(ParsePositionError::Crowded(a1));
    assert_eq!(arrange(a1, a1, b2), crowded);
    assert_eq!(arrange(a1, b2, a1), crowded);
    assert_eq!(arrange(b2, a1, a1), crowded);
    let outside = Err(ParsePositionError::OffBoard(g1));
    assert_eq!(arrange(g1, a1, b2), outside);
    assert_eq!(arrange(a1, g1, b2), outside);
    assert_eq!(arrange(a1, b2, g1), outside);
    let arranged = arrange(a1, b2, c3).unwrap();
    assert_eq!(arranged.to_string(), "6/6/6/2-3/1o4/x5 x 0 1");
}
