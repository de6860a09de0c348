//! Invalid texts, and why they are rejected.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::{ByPlayer, Player, Position};
use simply_go::{Move, ParsePositionError, Point, SimplyGo};
use testkit::{check_parser, check_refused, mutations};

const EMPTY: &str = "9/9/9/9/9/9/9/9/9";

#[test]
fn broken_positions() {
    let fields = "expected six fields: board, b or w to move, captures, moves, passes, mode";
    check_refused::<SimplyGo>("", fields);
    check_refused::<SimplyGo>(&format!("{EMPTY} b 0:0 0 0"), fields);
    check_refused::<SimplyGo>(&format!("{EMPTY} b 0:0 0 0 moves:200 "), fields);
    let size = "expected 9, 13, 19, 25 or 48 rows separated by /, found";
    check_refused::<SimplyGo>("9/9 b 0:0 0 0 moves:200", &format!("{size} 2"));
    check_refused::<SimplyGo>(
        &format!("{EMPTY}/9 b 0:0 0 0 moves:200"),
        &format!("{size} 10"),
    );
    let rows = |row: &str| format!("9/9/{row}/9/9/9/9/9/9 b 0:0 0 0 moves:200");
    for row in ["8", "10", "19", "999999", "9b", "bbbbbbbbbb", ""] {
        check_refused::<SimplyGo>(&rows(row), "row 7 does not have 9 points");
    }
    let symbol = "expected b, w, B, W or a count of empty points, found";
    check_refused::<SimplyGo>(&rows("x8"), &format!("{symbol} 'x'"));
    check_refused::<SimplyGo>(&rows("09"), &format!("{symbol} '0'"));
    check_refused::<SimplyGo>(&rows("碁8"), &format!("{symbol} '碁'"));
    check_refused::<SimplyGo>(
        &format!("{EMPTY} x 0:0 0 0 moves:200"),
        "expected b or w to move",
    );
    let captures = "expected captures such as 3:0, black's first";
    check_refused::<SimplyGo>(&format!("{EMPTY} b 0 0 0 moves:200"), captures);
    check_refused::<SimplyGo>(&format!("{EMPTY} b 0:-1 0 0 moves:200"), captures);
    check_refused::<SimplyGo>(&format!("{EMPTY} b 0:99999 0 0 moves:200"), captures);
    check_refused::<SimplyGo>(
        &format!("{EMPTY} b 0:0 x 0 moves:200"),
        "expected the number of moves played",
    );
    let passes = "expected the number of passes in a row, 0 to 2";
    check_refused::<SimplyGo>(&format!("{EMPTY} b 0:0 4 3 moves:200"), passes);
    let mode = "expected a mode that this size offers, such as moves:200 or target:25";
    for text in [
        "moves",
        "moves:7",
        "target:0",
        "moves:0200",
        "time:5",
        "target:",
    ] {
        check_refused::<SimplyGo>(&format!("{EMPTY} b 0:0 0 0 {text}"), mode);
    }
    let large = ["19"; 19].join("/");
    check_refused::<SimplyGo>(&format!("{large} b 0:0 0 0 moves:40"), mode);
}

#[test]
fn broken_counts() {
    check_refused::<SimplyGo>(
        &format!("{EMPTY} w 0:0 0 0 moves:200"),
        "0 moves played do not leave second to move",
    );
    check_refused::<SimplyGo>(
        &format!("{EMPTY} b 0:0 7 0 moves:200"),
        "7 moves played do not leave first to move",
    );
    check_refused::<SimplyGo>(
        "b8/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:200",
        "1 stones of first are more than the moves allow",
    );
    check_refused::<SimplyGo>(
        "9/9/9/9/9/9/9/9/8w b 5:0 10 0 moves:200",
        "6 stones of second are more than the moves allow",
    );
    check_refused::<SimplyGo>(
        &format!("{EMPTY} b 0:0 102 0 moves:100"),
        "the match ended before 102 moves were played",
    );
    check_refused::<SimplyGo>(
        &format!("{EMPTY} b 0:0 65534 0 target:5"),
        "the match ended before 65534 moves were played",
    );
    check_refused::<SimplyGo>(
        &format!("{EMPTY} b 6:7 40 0 target:5"),
        "first has captured the target and can't be to move",
    );
    check_refused::<SimplyGo>(
        "b8/9/9/9/9/9/9/9/8w b 0:0 2 1 moves:200",
        "1 passes in a row are more than the moves allow",
    );
}

#[test]
fn points_have_letters_without_a_gap() {
    for (text, column, row) in [
        ("A1", 0, 0),
        ("I9", 8, 8),
        ("Z26", 25, 25),
        ("AA17", 26, 16),
        ("AV48", 47, 47),
    ] {
        assert_eq!(text.parse(), Ok(Point::new(column, row)));
        assert_eq!(Point::new(column, row).to_string(), text);
    }
}

#[test]
fn broken_moves() {
    let form = "expected a move such as D4, AA17 or pass";
    let point = "no such point, expected A1 to AV48";
    for (text, reason) in [
        ("", form),
        ("D", form),
        ("4", form),
        ("d4", form),
        ("D04", form),
        ("D-4", form),
        ("BA1", form),
        ("AAA1", form),
        ("Pass", form),
        ("É4", form),
        ("A0", point),
        ("A49", point),
        ("AW1", point),
    ] {
        check_refused::<Move>(text, reason);
    }
}

#[test]
fn mutated_texts_are_refused_or_read_back() {
    for text in [
        "9/4b4/3bBb3/2b1w1b2/3bw1b2/4bb3/W8/9/8w b 3:12 80 1 target:25",
        "9/9/9/9/9/9/9/b8/Bb7 w 1:0 3 0 moves:40",
    ] {
        for mutation in mutations(text, 3, 20_000) {
            check_parser::<SimplyGo>(&mutation);
        }
    }
    for text in ["D4", "AA17", "pass"] {
        for mutation in mutations(text, 4, 2_000) {
            check_parser::<Move>(&mutation);
        }
    }
}

#[test]
fn impossible_arrangements() {
    let arrange = |sets: [&str; 4], rest: &str| {
        let position: SimplyGo = format!("{EMPTY} {rest}").parse().unwrap();
        let [first, second, first_fort, second_fort] = sets.map(|points| {
            let points = points.split_whitespace();
            points
                .map(|point| point.parse::<Point>().unwrap())
                .collect()
        });
        let stones = ByPlayer { first, second };
        let forts = ByPlayer {
            first: first_fort,
            second: second_fort,
        };
        position.rearranged(stones, forts, Player::First)
    };
    let new = "b 0:0 0 0 moves:40";
    let [a1, k1] = ["A1", "K1"].map(|point| point.parse().unwrap());
    for sets in [
        ["A1", "A1", "", ""],
        ["A1", "", "", "A1"],
        ["", "", "A1", "A1"],
    ] {
        assert_eq!(arrange(sets, new), Err(ParsePositionError::Crowded(a1)));
    }
    for sets in [["K1", "", "", ""], ["", "", "", "K1"]] {
        assert_eq!(arrange(sets, new), Err(ParsePositionError::OffBoard(k1)));
    }
    // A match of 40 moves has room for 20 stones of a player.
    let row = |n: u8, row: u8| -> String {
        let points = (0..n).map(|column| Point::new(column, row));
        points.map(|point| format!("{point} ")).collect()
    };
    let stones = row(9, 0) + &row(9, 2);
    let twenty = stones.clone() + &row(2, 4);
    let arranged = arrange([&twenty, "", "", ""], new).unwrap();
    assert_eq!((arranged.n_moves(), arranged.turn()), (40, Player::First));
    let more = stones + &row(3, 4);
    assert_eq!(
        arrange([&more, "", "", ""], new),
        Err(ParsePositionError::TooManyMoves(42))
    );
    // The opponent has captured all but one of the stones that fit.
    let late = "b 0:19 40 0 moves:40";
    assert!(arrange(["A1", "", "", ""], late).is_ok());
    assert_eq!(
        arrange(["A1 B1", "", "", ""], late),
        Err(ParsePositionError::TooManyMoves(42))
    );
}
