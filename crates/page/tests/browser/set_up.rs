//! Positions that are set up, by hand and as text.

use rules::Random;
use serde_json::json;

use super::{
    analysis::type_text,
    chromium::{DESK, PHONE},
    study::{JAPANESE_DESK, JAPANESE_PHONE, open, played, wait_for_fen},
    table::{Hand, Table},
};

/// What the Shift key is in events of keys.
const SHIFT: u32 = 8;

/// Moves the focus by Tab (with `SHIFT` back) until it is where it should be.
fn tab_to(table: &mut Table, modifiers: u32, selector: &str) {
    let mut passed = Vec::new();
    while table.browser.call("isFocusInside", json!([selector])) != true {
        let focused = table.browser.call("focused", json!([]));
        assert!(passed.len() < 40, "{selector} is not among {passed:?}");
        passed.push(focused);
        for kind in ["keyDown", "keyUp"] {
            let key = json!({"type": kind, "key": "Tab", "windowsVirtualKeyCode": 9, "modifiers": modifiers});
            table.browser.send("Input.dispatchKeyEvent", key);
        }
    }
}

/// One change by hand in each game, and one that is refused.
#[test]
fn positions_are_set_up_by_hand() {
    let cases = [
        (DESK, Hand::Mouse, "takeover", "0", &["c4"][..], "3", "c3"),
        (DESK, Hand::Keys, "lilypads", "0", &["7"], "2", "12"),
        (PHONE, Hand::Finger, "simply-go", "1", &["E5"], "2", "A1"),
        (
            JAPANESE_PHONE,
            Hand::Finger,
            "takeover",
            "0",
            &["c4"],
            "3",
            "c3",
        ),
        (
            JAPANESE_DESK,
            Hand::Keys,
            "lilypads",
            "0",
            &["7"],
            "2",
            "12",
        ),
        (
            DESK,
            Hand::Drag,
            "nonaga",
            "0",
            &["2,-2", "1,-1"],
            "0",
            "9,9",
        ),
    ];
    for (device, hand, game, tool, places, bad_tool, bad_place) in cases {
        let board = match game {
            "simply-go" => "size=9",
            "nonaga" => "variant=published",
            _ => "board=42",
        };
        let mut table = open(device, &format!("#/analysis/{game}?{board}&speed=0"));
        let start = table.data("fen");
        let set_up = match device.is_touch {
            true => "#phone-set-up",
            false => "#set-up",
        };
        table.browser.click_on(set_up);
        table.browser.wait_for_element(".setup");
        table.browser.call("clickValue", json!(["tool", tool]));
        let places: Vec<_> = places.iter().map(|&place| place.to_owned()).collect();
        table.play(hand, &places);
        table.browser.call("nextFrame", json!([]));
        let changed = table.data("fen");
        assert_ne!(changed, start, "{game}");
        table.browser.call("clickValue", json!(["tool", bad_tool]));
        let has_bad_place = table
            .browser
            .count(&format!(".mirror [data-target='{bad_place}']"))
            == 1;
        if has_bad_place {
            table.play(Hand::Mirror, &[bad_place.to_owned()]);
            table
                .browser
                .wait_for("hasOtherText", json!([".setup .bad", ""]));
            assert_eq!(table.data("fen"), changed, "{game}");
        }
        table.browser.click_on("#set-up-undo");
        table.browser.wait_for("hasData", json!(["fen", start]));
        table.browser.call("clickValue", json!(["tool", tool]));
        table.play(hand, &places);
        table.browser.wait_for("hasData", json!(["fen", changed]));
        table.browser.call("clickValue", json!(["turn", "second"]));
        table.browser.wait_for("hasData", json!(["turn", "second"]));
        let wanted = table.data("fen");
        table
            .browser
            .screenshot(&format!("set-up-{game}-{}", device.language));
        table.browser.click_on("#set-up-done");
        table.browser.wait_for("hasNot", json!([".setup"]));
        wait_for_fen(&mut table, &wanted);
        let address = table.browser.fragment();
        let address = address.as_str().unwrap();
        assert!(address.starts_with("#/analysis/shared/"), "{address}");
        table.browser.wait_for_element(".eng .lines li button");
        assert_eq!(table.browser.complaints, [""; 0], "{game}");
    }
}

#[test]
fn positions_are_set_up_as_text_and_played() {
    let mut table = open(DESK, "#/analysis/takeover?speed=0");
    let start = table.data("fen");
    table.browser.click_on("#set-up");
    table.browser.wait_for_element(".setup");
    table
        .browser
        .call("write", json!(["#position", "nonsense"]));
    table.browser.click_on("#set-up-done");
    table
        .browser
        .wait_for("hasOtherText", json!([".setup .bad", ""]));
    assert_eq!(table.data("fen"), start);
    let wanted = "xx4/xx4/6/2o3/4oo/4oo o 0 1";
    table.browser.call("write", json!(["#position", wanted]));
    table.browser.click_on("#set-up-done");
    wait_for_fen(&mut table, wanted);
    // It can be given up without a change.
    table.browser.click_on("#set-up");
    table.browser.wait_for_element(".setup");
    table.browser.call("clickValue", json!(["turn", "first"]));
    table.browser.click_on("#set-up-cancel");
    wait_for_fen(&mut table, wanted);
    // The engine goes on, whatever it had found before.
    let depth = table.browser.call("depth", json!([]));
    let deeper = depth.as_u64().unwrap() + 1;
    table.browser.wait_for("hasDepth", json!([deeper]));
    // It can be shared, and played.
    table.browser.click_on(".hist #share");
    table.browser.wait_for_element("dialog[open] #share-link");
    let link = table.browser.call("value", json!(["#share-link"]));
    assert!(link.as_str().unwrap().contains("#/"), "{link}");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!(["#share-link"]));
    table.browser.click_on("#play-here");
    table.browser.wait_for("hasNot", json!([".study"]));
    wait_for_fen(&mut table, wanted);
    assert_eq!(table.data("turn"), "second");
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Nothing but keys: the position is replaced by another, after one that is refused.
#[test]
fn positions_are_set_up_as_text_by_the_keyboard() {
    let mut table = open(DESK, "#/analysis/takeover?speed=0");
    let start = table.data("fen");
    tab_to(&mut table, 0, "#set-up");
    table.browser.press("Enter");
    table.browser.wait_for_element(".setup");
    let wanted = "xx4/xx4/6/2o3/4oo/4oo o 0 1";
    for (text, modifiers) in [("nonsense", 0), (wanted, SHIFT)] {
        tab_to(&mut table, modifiers, "#position");
        let all = json!({"type": "keyDown", "key": "a", "modifiers": 2, "commands": ["selectAll"]});
        table.browser.send("Input.dispatchKeyEvent", all);
        type_text(&mut table, text);
        assert_eq!(table.browser.call("value", json!(["#position"])), text);
        tab_to(&mut table, 0, "#set-up-done");
        table.browser.press("Enter");
        if text == "nonsense" {
            table
                .browser
                .wait_for("hasOtherText", json!([".setup .bad", ""]));
            assert_eq!(table.data("fen"), start);
        }
    }
    wait_for_fen(&mut table, wanted);
    table.browser.wait_for("hasNot", json!([".setup"]));
    // And given up, which changes nothing.
    tab_to(&mut table, 0, "#set-up");
    table.browser.press("Enter");
    table.browser.wait_for_element(".setup");
    tab_to(&mut table, 0, "#set-up-cancel");
    table.browser.press("Enter");
    table.browser.wait_for("hasNot", json!([".setup"]));
    wait_for_fen(&mut table, wanted);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn damaged_texts_are_refused_with_a_reason() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    let fen = table.data("fen");
    table.browser.click_on("#set-up");
    table.browser.wait_for_element(".setup");
    let file = played("takeover", &[("board", "7")], 12).to_string();
    let mut random = Random::new(5);
    let mut n_refused = 0;
    for _ in 0..25 {
        let mut letters: Vec<char> = file.chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(letters.len() as u32) as usize;
            letters[at] = char::from(33 + random.below(90) as u8);
        }
        let damaged: String = letters.into_iter().collect();
        if catalog::read_file(&damaged).is_ok() {
            continue;
        }
        n_refused += 1;
        table.browser.call("write", json!(["#position", damaged]));
        table.browser.click_on("#set-up-done");
        table
            .browser
            .wait_for("hasOtherText", json!([".setup .bad", ""]));
        assert_eq!(table.data("fen"), fen);
    }
    assert!(n_refused > 10, "{n_refused}");
    table.browser.click_on("#set-up-cancel");
    table.browser.wait_for_element(".eng .lines li button");
    assert_eq!(table.browser.complaints, [""; 0]);
}
