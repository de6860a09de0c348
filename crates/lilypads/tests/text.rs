//! Invalid texts, and why they are rejected.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use lilypads::{Circle, Lilypads, Move, ParsePositionError};
use rules::{ByPlayer, Player};
use testkit::{check_parser, check_refused, mutations};

#[test]
fn broken_positions() {
    let fields = "expected four fields: #board, first's circles, second's circles, turn";
    check_refused::<Lilypads>("", fields);
    check_refused::<Lilypads>("#42 4,9 21", fields);
    check_refused::<Lilypads>("#42  4,9 21 second", fields);
    let number = "expected # and a board number from 0 to 18446744073709551615";
    check_refused::<Lilypads>("42 4,9 21 second", number);
    check_refused::<Lilypads>("#042 4,9 21 second", number);
    check_refused::<Lilypads>("#-1 4,9 21 second", number);
    check_refused::<Lilypads>("#18446744073709551616 4,9 21 second", number);
    let circles = "expected circles such as 4,9 or -";
    check_refused::<Lilypads>("#42 4,,9 21 second", circles);
    check_refused::<Lilypads>("#42 4;9 21 second", circles);
    check_refused::<Lilypads>("#42 04 21 second", circles);
    check_refused::<Lilypads>("#42 4,- 21 second", circles);
    check_refused::<Lilypads>("#42 30 21 second", "no such circle, expected 0 to 29");
    check_refused::<Lilypads>("#42 4,4 21 second", "circle 4 is listed twice");
    check_refused::<Lilypads>("#42 4,5,6,7 21 second", "first has more than 3 pieces");
    check_refused::<Lilypads>("#42 4 21,22,23,24 second", "second has more than 3 pieces");
    check_refused::<Lilypads>("#42 4,9 9 second", "two pieces stand on circle 9");
    check_refused::<Lilypads>(
        "#42 0 21 second",
        "a piece of first stands on its own start",
    );
    check_refused::<Lilypads>(
        "#42 4 29 second",
        "a piece of second stands on its own start",
    );
    check_refused::<Lilypads>("#42 29 - first", "first has won and can't be to move");
    check_refused::<Lilypads>("#42 29 0 first", "both players stand on the other's start");
    check_refused::<Lilypads>("#42 4,9 21 blue", "expected first or second to move");
}

#[test]
fn the_order_of_a_list_does_not_matter() {
    let position: Lilypads = "#42 9,4 21 second".parse().unwrap();
    assert_eq!(position.to_string(), "#42 4,9 21 second");
}

#[test]
fn broken_moves() {
    let form = "expected a move such as @7, 3-7 or pass";
    let circle = "no such circle, expected 0 to 29";
    for (text, reason) in [
        ("", form),
        ("7", form),
        ("@", form),
        ("@x", form),
        ("@07", form),
        ("3-", form),
        ("3-7-9", form),
        ("PASS", form),
        ("@30", circle),
        ("3-99", circle),
    ] {
        check_refused::<Move>(text, reason);
    }
}

#[test]
fn mutated_texts_are_refused_or_read_back() {
    for text in ["#42 4,9 21 second", "#0 - 5,6,7 first"] {
        for mutation in mutations(text, 3, 5_000) {
            check_parser::<Lilypads>(&mutation);
        }
    }
    for text in ["@7", "13-7", "pass"] {
        for mutation in mutations(text, 4, 2_000) {
            check_parser::<Move>(&mutation);
        }
    }
}

#[test]
fn impossible_arrangements() {
    let position: Lilypads = "#42 4,9 21 second".parse().unwrap();
    let circle = |number| Circle::new(number).unwrap();
    let set = |numbers: &[u8]| numbers.iter().map(|&number| circle(number)).collect();
    let arrange = |first: &[u8], second: &[u8], turn| {
        let pieces = ByPlayer {
            first: set(first),
            second: set(second),
        };
        position.rearranged(pieces, turn)
    };
    assert_eq!(
        arrange(&[4, 5, 6, 7], &[], Player::First),
        Err(ParsePositionError::TooManyPieces(Player::First))
    );
    assert_eq!(
        arrange(&[4, 5], &[5], Player::First),
        Err(ParsePositionError::Crowded(circle(5)))
    );
    assert_eq!(
        arrange(&[4, 9], &[21], Player::Second),
        Ok(position.clone())
    );
}
