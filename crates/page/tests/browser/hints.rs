//! Hints in a match, and comments on moves.

use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device, PHONE},
    steady::{MATCHES, open, play_turn},
    table::{Hand, Table, site},
};

const TAKEOVER: &str = "#/takeover?opponent=human&speed=0&board=7";

/// Asks for the next step of the hint by way of `hand`.
pub(crate) fn ask(table: &mut Table, hand: Hand) {
    match hand {
        Hand::Keys => table.browser.press("h"),
        _ => table.press(hand, "#hint"),
    }
}

/// Waits for a step of the hint and returns what it says.
#[track_caller]
pub(crate) fn step(table: &mut Table, n: u32) -> String {
    let step = format!("{n}/3");
    table
        .browser
        .wait_for("hasExactText", json!([".hint b", step]));
    let text = table.browser.text(".hint span");
    text.strip_prefix(&step).unwrap().trim().to_owned()
}

/// The place that a step names first: `b5` in `From: b5, Green piece.`
fn place(text: &str) -> String {
    let (_, rest) = text.split_once(": ").unwrap();
    rest.split(',').next().unwrap().to_owned()
}

fn pixels(table: &mut Table) -> Value {
    table.browser.call("nextFrame", json!([]));
    table.browser.call("boardPixels", json!([]))
}

fn stored_match(table: &mut Table) -> String {
    table.browser.wait_for("isStored", json!([]));
    let matches = table.browser.call("storedMatches", json!([]));
    matches[0][1].as_str().unwrap().to_owned()
}

#[test]
fn a_hint_climbs_from_piece_to_place_to_reason_by_every_hand() {
    for (device, hand) in [
        (DESK, Hand::Mouse),
        (PHONE, Hand::Finger),
        (DESK, Hand::Keys),
    ] {
        let mut table = Table::open(device, TAKEOVER);
        table.rest();
        let plain = pixels(&mut table);
        ask(&mut table, hand);
        let from = place(&step(&mut table, 1));
        let ringed = pixels(&mut table);
        assert_ne!(ringed, plain, "the piece is marked");
        ask(&mut table, hand);
        let to = place(&step(&mut table, 2));
        assert_ne!(pixels(&mut table), ringed, "the place is marked");
        ask(&mut table, hand);
        let why = step(&mut table, 3);
        assert!(why.contains("It is the best move found."), "{why}");
        assert!(why.contains("depth "), "it says how sure it is: {why}");
        // After the last step it is hidden, and can be seen again.
        ask(&mut table, hand);
        table.browser.wait_for("hasNot", json!([".hint b"]));
        assert_eq!(pixels(&mut table), plain);
        ask(&mut table, hand);
        assert_eq!(place(&step(&mut table, 1)), from);
        table.browser.press("Escape");
        table.browser.wait_for("hasNot", json!([".hint b"]));
        // It can be played, which clears it and marks the move.
        ask(&mut table, hand);
        step(&mut table, 1);
        let before = table.data("fen");
        let hand = if hand == Hand::Keys {
            hand
        } else {
            Hand::Mirror
        };
        table.play(hand, &[from, to]);
        table.rest();
        assert_ne!(table.data("fen"), before, "the hint is legal");
        assert_eq!(table.browser.count(".hint b"), 0);
        assert_eq!(table.browser.count(".mv .hm[aria-label]"), 1);
        let stored = stored_match(&mut table);
        assert!(stored.contains("!hint"), "{stored}");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn every_game_has_hints_in_both_languages_and_they_fit() {
    let japanese = Device {
        language: "ja",
        ..PHONE
    };
    for (device, said) in [(DESK, "It "), (PHONE, "It "), (japanese, "。")] {
        for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
            let mut table = Table::open(device, &format!("#/{game}?opponent=human&speed=0"));
            table.rest();
            for n in 1..=3 {
                ask(&mut table, Hand::Mirror);
                let text = step(&mut table, n);
                assert!(text.len() > 4, "{game}: {text}");
                let is_why = n < 3 || text.contains(said);
                assert!(is_why, "{game}: {text}");
                let overflow = table.browser.call("overflow", json!([]));
                for side in ["height", "width"] {
                    assert!(overflow[side].as_i64().unwrap() <= 0, "{game}: {overflow}");
                }
                // The row of buttons is where thumbs are.
                let shown = table.browser.call("isOnScreen", json!(["#resign"]));
                assert_eq!(shown, true, "{game}");
            }
            if game == "lilypads" {
                let sure = table.browser.text(".hint small");
                assert!(sure == "proven" || sure == "証明済み", "{sure}");
            }
            table.browser.screenshot(&format!("hint-{game}"));
            assert_eq!(table.browser.complaints, [""; 0]);
        }
    }
}

#[test]
fn hints_rest_while_nobody_can_use_them() {
    let mut table = open(DESK, "takeover", &[("board", "7")], "&speed=0");
    play_turn(&mut table, 1);
    let resting = "#hint:disabled";
    assert_eq!(table.browser.count(resting), 0);
    ask(&mut table, Hand::Keys);
    step(&mut table, 1);
    // Looking back drops it.
    table.browser.press("ArrowLeft");
    table.browser.wait_for_element(resting);
    table.browser.press("h");
    table.browser.press("End");
    table.browser.wait_for("hasNot", json!([resting]));
    assert_eq!(table.browser.count(".hint b"), 0);
    // Undo drops it, and an answer that comes too late is ignored.
    ask(&mut table, Hand::Keys);
    table.browser.click_on("#undo");
    table.rest();
    table.browser.call("sleep", json!([700]));
    assert_eq!(table.browser.count(".hint b"), 0);
    // The opponent answers although a hint was asked for.
    ask(&mut table, Hand::Keys);
    play_turn(&mut table, 2);
    for _ in 0..2 {
        table.browser.click_on("#resign");
    }
    table.browser.wait_for_element(".res");
    assert_eq!(table.browser.count(resting), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

fn turn_comments_on(table: &mut Table) {
    table.browser.click_on("#settings");
    table.browser.wait_for_element(".set");
    table.browser.click_on("input[name=comments]");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!([".set"]));
}

#[test]
fn comments_on_lilypads_are_proven_and_kept_on() {
    let fragment = "#/lilypads?board=42&opponent=human&speed=0";
    let mut table = Table::open(DESK, fragment);
    table.rest();
    table.play(Hand::Mirror, &["0".to_owned(), "2".to_owned()]);
    table.rest();
    assert_eq!(table.browser.count(".remark"), 0, "off at first");
    turn_comments_on(&mut table);
    table.browser.wait_for_element(".remark");
    let text = table.browser.text(".remark");
    assert_eq!(text, "@2 A draw so far. proven");
    assert_eq!(table.browser.count("[aria-live=polite] .remark"), 1);
    // Moves that the table knows to be slips.
    for way in [
        ["29", "28"],
        ["2", "4"],
        ["28", "27"],
        ["4", "8"],
        ["29", "28"],
        ["8", "4"],
    ] {
        table.play(Hand::Mirror, &way.map(str::to_owned));
        table.rest();
    }
    table
        .browser
        .wait_for("hasSomeText", json!([".remark", "8-4 Lets Red win in 17"]));
    table.browser.screenshot("comments-lilypads");
    // They are kept on, and can be read in the other language.
    let japanese = "input[name=language][value=ja]";
    table.browser.click_on("#settings");
    table.browser.wait_for_element(".set");
    table.browser.click_on(japanese);
    table.browser.press("Escape");
    table
        .browser
        .wait_for("hasSomeText", json!([".remark", "赤に17手での勝ちを許"]));
    table.browser.open(&format!("{}{fragment}", site()));
    table.rest();
    table.play(Hand::Mirror, &["0".to_owned(), "2".to_owned()]);
    table
        .browser
        .wait_for("hasSomeText", json!([".remark", "引き分けの形勢です。"]));
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn comments_never_keep_an_opponent_waiting() {
    for (game, choices) in MATCHES {
        for device in [DESK, PHONE] {
            let mut table = open(device, game, choices, "&speed=0");
            table
                .browser
                .call("keep", json!(["parlour.comments", "on"]));
            let fragment = table.browser.fragment();
            let address = format!("{}{}", site(), fragment.as_str().unwrap());
            table.browser.open(&address);
            table.rest();
            // Nobody waits for the comments.
            play_turn(&mut table, 1);
            table.browser.wait_for_element(".remark");
            // A hint goes first, and the comments come back.
            ask(&mut table, Hand::Mirror);
            table.browser.wait_for_element(".hint b");
            play_turn(&mut table, 2);
            table.browser.wait_for_element(".remark");
            let overflow = table.browser.call("overflow", json!([]));
            assert!(
                overflow["height"].as_i64().unwrap() <= 0,
                "{game}: {overflow}"
            );
            let shown = table.browser.call("isOnScreen", json!(["#resign"]));
            assert_eq!(shown, true, "{game}");
            assert_eq!(table.browser.complaints, [""; 0]);
        }
    }
}

#[test]
fn the_list_of_keys_names_the_hint() {
    let mut table = Table::open(DESK, TAKEOVER);
    table.browser.press("?");
    table.browser.wait_for_element(".keys");
    let keys = table.browser.call("texts", json!([".keys dt"]));
    assert!(keys.as_array().unwrap().contains(&json!("h")), "{keys}");
    // Keys mean nothing while a dialog is open.
    table.browser.press("h");
    table.browser.press("Escape");
    assert_eq!(table.browser.count(".hint b"), 0);
}

/// The tab itself never played online.
#[test]
fn there_are_no_hints_while_another_tab_plays_online() {
    let mut table = Table::open(DESK, TAKEOVER);
    table.rest();
    table.browser.wait_for_element("#hint:not(:disabled)");
    // What online play stores there, and what browsers say of it here.
    table.browser.run(
        "localStorage.setItem('parlour.off-limits', `${Date.now() + 60000}\\nall`);
        dispatchEvent(new StorageEvent('storage'));",
    );
    table
        .browser
        .wait_for_element("#hint:disabled[aria-label='Off while you play online.']");
    table.browser.press("h");
    table.browser.call("nextFrame", json!([]));
    assert_eq!(table.browser.count(".hint"), 0);
    // It is over.
    table.browser.run(
        "localStorage.setItem('parlour.off-limits', '');
        dispatchEvent(new StorageEvent('storage'));",
    );
    table.browser.wait_for_element("#hint:not(:disabled)");
    assert_eq!(table.browser.complaints, [""; 0]);
}
