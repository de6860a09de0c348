//! The settings dialog: every change shows at once and is kept.

use serde_json::json;

use super::{
    chromium::{DESK, Device, PHONE},
    table::{Hand, Table, site},
};

const FRAGMENT: &str = "#/takeover?opponent=human&board=7";

pub(crate) fn open_settings(table: &mut Table) {
    table.browser.click_on("#settings");
    // It is shown a frame after it is there, and Escape means something else before.
    table.browser.wait_for_element(".set[open]");
}

pub(crate) fn choose(table: &mut Table, name: &str, value: &str) {
    table
        .browser
        .click_on(&format!("input[name={name}][value={value}]"));
}

#[test]
fn changes_show_at_once_and_are_kept() {
    let mut table = Table::open(DESK, FRAGMENT);
    table.rest();
    let pixels = |table: &mut Table| table.browser.call("boardPixels", json!([]));
    let before = pixels(&mut table);
    open_settings(&mut table);
    choose(&mut table, "board", "slate");
    choose(&mut table, "pieces", "clear");
    choose(&mut table, "animation", "off");
    table.browser.call("nextFrame", json!([]));
    let slate = pixels(&mut table);
    assert_ne!(slate, before, "the board behind the dialog");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!([".set"]));
    // Without animation a move is there at once.
    let steps = json!([["b5", "c4"], []]);
    let found = table.browser.call("statesAfter", steps);
    assert_eq!(found[0][0], "false", "{found}");
    table.browser.open(&format!("{}{FRAGMENT}", site()));
    table.rest();
    table.browser.call("nextFrame", json!([]));
    assert_eq!(pixels(&mut table), slate);
    open_settings(&mut table);
    for (name, value) in [
        ("board", "slate"),
        ("pieces", "clear"),
        ("animation", "off"),
    ] {
        let checked = format!("input[name={name}][value={value}]:checked");
        assert_eq!(table.browser.count(&checked), 1, "{name}");
    }
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn destinations_can_be_hidden() {
    let mut table = Table::open(DESK, &format!("{FRAGMENT}&speed=0"));
    table.play(Hand::Mouse, &["b5".to_owned()]);
    assert_ne!(table.browser.count(".key span"), 0);
    let marked = table.browser.call("boardPixels", json!([]));
    open_settings(&mut table);
    table.browser.click_on("input[name=destinations]");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!([".set"]));
    table.browser.call("nextFrame", json!([]));
    assert_ne!(table.browser.call("boardPixels", json!([])), marked);
    // It can be played all the same.
    table.play(Hand::Mouse, &["c4".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
}

#[test]
fn a_move_by_finger_may_have_to_be_confirmed() {
    let mut table = Table::open(PHONE, &format!("{FRAGMENT}&speed=0"));
    open_settings(&mut table);
    choose(&mut table, "confirm", "touch");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!([".set"]));
    // The button, and then a second tap at the same place.
    for (from, to, turn) in [("b5", "c4", "second"), ("e2", "d3", "first")] {
        let before = table.data("turn");
        table.play(Hand::Finger, &[from.to_owned(), to.to_owned()]);
        table.browser.wait_for_element("#confirm");
        assert_eq!(table.data("turn"), before);
        if turn == "second" {
            table.browser.screenshot("confirm-phone");
            table.browser.click_on("#confirm");
        } else {
            table.play(Hand::Finger, &[to.to_owned()]);
        }
        table.rest();
        assert_eq!(table.data("turn"), turn);
    }
    // Declined: nothing has happened.
    table.play(Hand::Finger, &["b5".to_owned(), "c5".to_owned()]);
    table.browser.wait_for_element("#confirm");
    table.browser.click_on("#decline");
    assert_eq!(table.data("turn"), "first");
    // A keyboard is no finger.
    table.play(Hand::Keys, &["c5".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
}

#[test]
fn pictures_of_the_settings() {
    for (name, device) in [
        ("desk", DESK),
        ("phone", PHONE),
        (
            "desk-dark-ja",
            Device {
                language: "ja",
                scheme: "dark",
                ..DESK
            },
        ),
        (
            "phone-dark-ja",
            Device {
                language: "ja",
                scheme: "dark",
                ..PHONE
            },
        ),
    ] {
        let mut table = Table::open(device, "#/nonaga?opponent=human");
        open_settings(&mut table);
        table.browser.call("sleep", json!([300]));
        table.browser.screenshot(&format!("settings-{name}"));
        // The preview is drawn, however late the dialog was fetched.
        table.browser.wait_for("isDrawn", json!([".set canvas"]));
        // All of it can be reached, and nothing is cut off at the sides.
        let overflow = table.browser.call("overflow", json!([]));
        assert!(
            overflow["width"].as_i64().unwrap() <= 0,
            "{name}: {overflow}"
        );
        assert!(table.browser.count(".set input") > 15);
    }
}

/// With strong contrast there are no shadows, but the outline of what is chosen stays.
#[test]
fn what_is_chosen_has_an_outline_in_every_theme() {
    let mut table = Table::open(DESK, FRAGMENT);
    open_settings(&mut table);
    for theme in ["light", "dark", "contrast"] {
        choose(&mut table, "theme", theme);
        let chosen = format!(".seg label.on:has(input[name=theme][value={theme}])");
        table.browser.wait_for_element(&chosen);
        let style = |table: &mut Table, property: &str| {
            table.browser.call("style", json!([chosen, property]))
        };
        let outline = style(&mut table, "boxShadow");
        // Its line is one pixel wide, all around.
        let is_all_around = outline.as_str().unwrap().contains("0px 0px 0px 1px");
        assert!(is_all_around, "{theme}: {outline}");
    }
}
