//! Looking back in a match, and playing on from an earlier position.

use serde_json::json;

use super::{
    chromium::{DESK, PHONE},
    steady::{MATCHES, open, play_turn},
    table::Table,
};

/// The positions from the end of a match to its start, by the Back key.
fn walk_back(table: &mut Table) -> Vec<String> {
    let mut fens = vec![table.data("fen")];
    while table.browser.count("#back:not(:disabled)") == 1 {
        table.browser.press("ArrowLeft");
        table.rest();
        fens.push(table.data("fen"));
    }
    fens
}

#[test]
fn every_way_through_the_moves_leads_back_and_forth() {
    for (game, choices) in MATCHES {
        let mut table = open(DESK, game, choices, "&speed=0");
        for seed in 1..3 {
            play_turn(&mut table, seed);
        }
        let fens = walk_back(&mut table);
        let n_moves = table.browser.count(".mv li button");
        assert_eq!(fens.len() as u64, n_moves + 1, "{game}");
        let (live, start) = (fens.first().unwrap(), fens.last().unwrap());
        for fen in fens.iter().rev().skip(1) {
            table.browser.press("ArrowRight");
            table.rest();
            assert_eq!(&table.data("fen"), fen, "{game}");
        }
        assert_eq!(table.browser.count(".past"), 0);
        table.browser.press("Home");
        table.rest();
        assert_eq!(&table.data("fen"), start, "{game}");
        assert_eq!(table.browser.count(".past"), 1);
        table.browser.press("End");
        table.rest();
        assert_eq!(&table.data("fen"), live, "{game}");
        for (button, fen) in [
            ("#first", start),
            ("#last", live),
            ("#back", &fens[1]),
            ("#forward", live),
        ] {
            table.browser.click_on(button);
            table.rest();
            assert_eq!(&table.data("fen"), fen, "{game} {button}");
        }
        table
            .browser
            .call("wheelOver", json!([".board canvas", -100]));
        table.rest();
        assert_eq!(table.data("fen"), fens[1], "{game}");
        table
            .browser
            .call("wheelOver", json!([".board canvas", 100]));
        table.rest();
        assert_eq!(&table.data("fen"), live, "{game}");
        // A click on the first move of the list.
        table.browser.click_on(".mv li button");
        table.rest();
        assert_eq!(table.data("fen"), fens[fens.len() - 2], "{game}");
        table.browser.press("Escape");
        table.rest();
        assert_eq!(&table.data("fen"), live, "{game}");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn a_move_in_an_earlier_position_keeps_the_old_line() {
    for (game, choices) in MATCHES {
        let mut table = open(DESK, game, choices, "&speed=0");
        let first = play_turn(&mut table, 1);
        play_turn(&mut table, 2);
        let n_moves = table.browser.count(".mv li button");
        table.browser.press("Home");
        table.rest();
        let other = play_turn(&mut table, 77);
        assert_ne!(other, first, "{game}: another move was played");
        assert_eq!(table.browser.count(".past"), 0, "it is the match now");
        assert!(
            table.browser.count(".mv li.var button") >= n_moves - 2,
            "{game}"
        );
        // The old line can be looked at, and the match is still there.
        table.browser.click_on(".mv li.var button:last-of-type");
        table.rest();
        assert_eq!(table.browser.count(".past"), 1);
        table.browser.press("Escape");
        table.rest();
        assert_eq!(table.data("fen"), other, "{game}");
    }
}

#[test]
fn undo_and_resign_rest_while_somebody_looks_back() {
    let mut table = open(DESK, "takeover", &[("board", "7")], "&speed=0");
    play_turn(&mut table, 1);
    assert_eq!(table.browser.count("#undo:not(:disabled)"), 1);
    table.browser.press("ArrowLeft");
    table.rest();
    for control in ["#undo", "#redo", "#resign"] {
        assert_eq!(table.browser.count(&format!("{control}:disabled")), 1);
    }
    table.browser.click_on("#past .pill");
    table.rest();
    assert_eq!(table.browser.count("#undo:not(:disabled)"), 1);
}

#[test]
fn the_bottom_row_of_a_phone_leads_through_the_past() {
    let mut table = open(PHONE, "simply-go", &[("size", "9")], "&speed=0");
    let live = play_turn(&mut table, 1);
    assert_eq!(
        table.browser.call("style", json!([".hist", "display"])),
        "none"
    );
    table.browser.click_on("#step-back");
    table.rest();
    assert_ne!(table.data("fen"), live);
    assert_eq!(
        table.browser.call("style", json!([".hist", "display"])),
        "grid"
    );
    assert_eq!(
        table.browser.call("style", json!([".ct", "display"])),
        "none"
    );
    table.browser.click_on(".hist .pill");
    table.rest();
    assert_eq!(table.data("fen"), live);
}

#[test]
fn a_question_mark_lists_the_keys() {
    let mut table = open(DESK, "nonaga", &[], "&speed=0");
    table.browser.press("?");
    table.browser.wait_for_element("dialog[open] kbd");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!(["dialog"]));
}
