//! Texts that are refused, and why.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use lilypads::{Lilypads, Move};
use testkit::{check_parser, mutations};

#[track_caller]
fn refuses(text: &str, reason: &str) {
    let error = text.parse::<Lilypads>().unwrap_err();
    assert_eq!(error.to_string(), reason);
}

#[test]
fn broken_positions() {
    let fields = "expected four fields: #board, first's circles, second's circles, turn";
    refuses("", fields);
    refuses("#42 4,9 21", fields);
    refuses("#42  4,9 21 second", fields);
    let number = "expected # and a board number from 0 to 18446744073709551615";
    refuses("42 4,9 21 second", number);
    refuses("#042 4,9 21 second", number);
    refuses("#-1 4,9 21 second", number);
    refuses("#18446744073709551616 4,9 21 second", number);
    let circles = "expected circles such as 4,9 or -";
    refuses("#42 4,,9 21 second", circles);
    refuses("#42 4;9 21 second", circles);
    refuses("#42 04 21 second", circles);
    refuses("#42 4,- 21 second", circles);
    refuses("#42 30 21 second", "no such circle, expected 0 to 29");
    refuses("#42 4,4 21 second", "circle 4 is listed twice");
    refuses("#42 4,5,6,7 21 second", "first has more than 3 pieces");
    refuses("#42 4 21,22,23,24 second", "second has more than 3 pieces");
    refuses("#42 4,9 9 second", "two pieces stand on circle 9");
    refuses(
        "#42 0 21 second",
        "a piece of first stands on its own start",
    );
    refuses(
        "#42 4 29 second",
        "a piece of second stands on its own start",
    );
    refuses("#42 29 - first", "first has won and can't be to move");
    refuses("#42 29 0 first", "both players stand on the other's start");
    refuses("#42 4,9 21 blue", "expected first or second to move");
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
        assert_eq!(
            text.parse::<Move>().unwrap_err().to_string(),
            reason,
            "{text}"
        );
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
