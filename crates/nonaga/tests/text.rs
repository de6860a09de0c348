//! Invalid texts, and why they are rejected.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use nonaga::{Hex, Move, Nonaga, ParsePositionError};
use rules::ByPlayer;
use testkit::{check_parser, check_refused, mutations};

const TILES: &str = "-2,0;-2,1;-2,2;-1,-1;-1,0;-1,1;-1,2;0,-2;0,-1;0,0;0,1;0,2;1,-2;1,-1;1,0;\
                     1,1;2,-2;2,-1;2,0";

#[test]
fn broken_positions() {
    let fields = "expected the fields tiles, first's pieces, second's pieces, turn, phase, and \
                  under published the barred tile or -";
    check_refused::<Nonaga>("", fields);
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;2,-2 -2,2;0,-2;2,0 first"),
        fields,
    );
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide - -"),
        fields,
    );

    let pieces = "-2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide";
    let cells = "expected cells such as 2,-2 separated by ;";
    check_refused::<Nonaga>(&format!("{TILES}; {pieces}"), cells);
    check_refused::<Nonaga>(&format!("{} {pieces}", TILES.replace("0,0", "0")), cells);
    check_refused::<Nonaga>(&format!("{} {pieces}", TILES.replace("0,0", "+0,0")), cells);
    check_refused::<Nonaga>(&format!("{} {pieces}", TILES.replace("0,0", "-0,0")), cells);
    check_refused::<Nonaga>(
        &format!("{} {pieces}", TILES.replace("0,0", "0,9999999999")),
        cells,
    );
    check_refused::<Nonaga>(&format!("{TILES};0,0 {pieces}"), "0,0 is listed twice");
    check_refused::<Nonaga>(
        &format!("{TILES};3,-2 {pieces}"),
        "expected 19 tiles, found 20",
    );
    check_refused::<Nonaga>(
        &format!("{} {pieces}", TILES.replace("0,0;", "")),
        "expected 19 tiles, found 18",
    );
    let split = "the tiles are not connected";
    check_refused::<Nonaga>(
        &format!("{} {pieces}", TILES.replace(";0,0;", ";9,9;")),
        split,
    );
    check_refused::<Nonaga>(
        &format!("{} {pieces}", TILES.replace(";0,0;", ";4,0;")),
        split,
    );
    check_refused::<Nonaga>(
        &format!(
            "{} {pieces}",
            TILES.replace(";0,0;", ";999999999,-999999999;")
        ),
        split,
    );

    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2 -2,2;0,-2;2,0 first slide"),
        "expected 3 pieces of first, found 2",
    );
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;2,-2 -2,2;0,-2;2,0;0,0 first slide"),
        "expected 3 pieces of second, found 4",
    );
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;0,2 -2,2;0,-2;2,0 first slide"),
        "0,2 is listed twice",
    );
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;2,-2 -2,2;0,2;2,0 first slide"),
        "two pieces stand on 0,2",
    );
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;3,-2 -2,2;0,-2;2,0 first slide"),
        "the piece on 3,-2 has no tile under it",
    );
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;2,-2 -2,2;0,-2;2,0 red slide"),
        "expected first or second to move",
    );
    check_refused::<Nonaga>(
        &format!("{TILES} -2,0;0,2;2,-2 -2,2;0,-2;2,0 first tile"),
        "expected the phase slide or shift",
    );
    let barred = "expected a tile that is barred, or -";
    check_refused::<Nonaga>(&format!("{TILES} {pieces} 3,-2"), barred);
    check_refused::<Nonaga>(&format!("{TILES} {pieces} x"), barred);
}

#[test]
fn the_order_of_a_list_does_not_matter() {
    let shuffled = TILES.replace("-2,0;", "") + ";-2,0";
    let text = format!("{shuffled} 2,-2;-2,0;0,2 2,0;-2,2;0,-2 first slide");
    let sorted = format!("{TILES} -2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide");
    assert_eq!(text.parse::<Nonaga>().unwrap().to_string(), sorted);
}

#[test]
fn broken_moves() {
    let form = "expected a move such as 2,-2>0,0, #1,0>3,-2 or pass";
    let cell = "expected a cell such as 2,-2";
    for (text, reason) in [
        ("", form),
        ("2,-2", form),
        ("Pass", form),
        ("#", form),
        ("2,-2>", cell),
        ("#1>3,-2", cell),
        ("##1,0>3,-2", cell),
        ("2,-2>0,0>1,1", cell),
        ("02,-2>0,0", cell),
        ("2,-2>0,2147483648", cell),
    ] {
        check_refused::<Move>(text, reason);
    }
}

#[test]
fn mutated_texts_are_refused_or_read_back() {
    let pieces = "-2,0;0,2;2,-2 -2,2;0,-2;2,0 first";
    for text in [
        format!("{TILES} {pieces} slide"),
        format!("{TILES} {pieces} shift 0,0"),
    ] {
        for mutation in mutations(&text, 3, 20_000) {
            check_parser::<Nonaga>(&mutation);
        }
    }
    for text in ["2,-2>0,0", "#1,0>3,-2", "pass"] {
        for mutation in mutations(text, 4, 2_000) {
            check_parser::<Move>(&mutation);
        }
    }
}

#[test]
fn impossible_arrangements() {
    let position: Nonaga = format!("{TILES} -2,0;0,2;2,-2 -2,2;0,-2;2,0 second shift")
        .parse()
        .unwrap();
    let tiles: Vec<Hex> = position.tiles().iter().collect();
    let pieces = ByPlayer::from_fn(|player| position.pieces(player));
    assert_eq!(position.rearranged(&tiles, pieces), Ok(position.clone()));
    assert_eq!(
        position.rearranged(&tiles[1..], pieces),
        Err(ParsePositionError::TileCount(18))
    );
    let mut twice = tiles.clone();
    twice[18] = tiles[0];
    assert_eq!(
        position.rearranged(&twice, pieces),
        Err(ParsePositionError::Twice(tiles[0]))
    );
    let mut crowded = pieces;
    crowded.first[0] = pieces.second[2];
    assert_eq!(
        position.rearranged(&tiles, crowded),
        Err(ParsePositionError::Crowded(pieces.second[2]))
    );
    crowded.first[0] = pieces.first[1];
    assert_eq!(
        position.rearranged(&tiles, crowded),
        Err(ParsePositionError::Twice(pieces.first[1]))
    );
}
