//! Hands as people have them: they wobble, click twice and change their minds.

use serde_json::json;

use super::{
    chromium::{DESK, PHONE},
    table::{Hand, Table},
};

fn takeover() -> Table {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&board=3");
    table.rest();
    table
}

/// Presses at one place and lets go at another, with the mouse.
fn press_and_release(table: &mut Table, from: (f64, f64), to: (f64, f64)) {
    table.browser.mouse("mouseMoved", from.0, from.1);
    table.browser.mouse("mousePressed", from.0, from.1);
    table.browser.mouse_with("mouseMoved", to.0, to.1, true);
    table.browser.mouse("mouseReleased", to.0, to.1);
}

#[test]
fn a_piece_that_is_selected_can_be_dragged() {
    let mut table = takeover();
    let (from, to) = (table.middle("b5"), table.middle("c4"));
    table.browser.click(from.0, from.1);
    // Long enough after the click to be no double click.
    table.browser.call("sleep", json!([500]));
    table.browser.drag(from, to);
    table.rest();
    assert_eq!(table.data("turn"), "second");
}

#[test]
fn a_click_may_wobble() {
    let mut table = takeover();
    for (id, turn) in [("b5", "first"), ("c4", "second")] {
        let (x, y) = table.middle(id);
        press_and_release(&mut table, (x - 2.0, y), (x + 3.0, y));
        table.rest();
        assert_eq!(table.data("turn"), turn, "{id}");
    }
    // Simply Go's stones can't be dragged at all.
    let mut table = Table::open(DESK, "#/simply-go?opponent=human&size=9");
    let (x, y) = table.middle("E5");
    press_and_release(&mut table, (x - 2.0, y), (x + 3.0, y));
    table.rest();
    assert_eq!(table.data("turn"), "second");
}

#[test]
fn a_finger_may_wobble_by_10_px() {
    let mut table = Table::open(PHONE, "#/nonaga?opponent=human");
    for (id, fen) in [("2,-2", "first slide"), ("-1,1", "first shift")] {
        let (x, y) = table.middle(id);
        table.browser.touch((x - 5.0, y), (x + 5.0, y));
        table.rest();
        assert!(table.data("fen").ends_with(fen), "{id}");
    }
}

#[test]
fn a_double_click_selects_once() {
    let mut table = takeover();
    let (x, y) = table.middle("b5");
    table.browser.click(x, y);
    table.browser.click(x, y);
    table.play(Hand::Mouse, &["c4".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
}

#[test]
fn a_drag_back_to_where_it_began_keeps_the_selection() {
    let mut table = takeover();
    let (x, y) = table.middle("b5");
    table.browser.mouse("mouseMoved", x, y);
    table.browser.mouse("mousePressed", x, y);
    table.browser.mouse_with("mouseMoved", x + 60.0, y, true);
    table.browser.mouse_with("mouseMoved", x + 5.0, y, true);
    table.browser.mouse("mouseReleased", x + 5.0, y);
    table.play(Hand::Mouse, &["c4".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
}

#[test]
fn a_right_click_cancels_a_drag() {
    let mut table = takeover();
    let (from, to) = (table.middle("b5"), table.middle("c4"));
    table.browser.mouse("mouseMoved", from.0, from.1);
    table.browser.mouse("mousePressed", from.0, from.1);
    table.browser.mouse_with("mouseMoved", to.0, to.1, true);
    for (kind, buttons) in [("mousePressed", 3), ("mouseReleased", 1)] {
        let right = json!({
            "type": kind, "x": to.0, "y": to.1, "button": "right", "buttons": buttons, "clickCount": 1,
        });
        table.browser.send("Input.dispatchMouseEvent", right);
    }
    table.browser.mouse("mouseReleased", to.0, to.1);
    table.rest();
    assert_eq!(table.data("turn"), "first");
    // Nothing is selected any more.
    table.play(Hand::Mouse, &["c4".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "first");
}

#[test]
fn an_illegal_drop_says_why() {
    let mut table = takeover();
    let before = table.browser.text(".msg p:last-of-type");
    let (from, to) = (table.middle("b5"), table.middle("f1"));
    table.browser.drag(from, to);
    let why = json!([".msg p:last-of-type", before]);
    table.browser.wait_for("hasOtherText", why);
    assert_eq!(table.data("turn"), "first");
}

#[test]
fn a_piece_in_hand_can_be_clicked_and_dragged_in() {
    let fragment = "#/lilypads?opponent=human&board=42&speed=0";
    let mut table = Table::open(DESK, fragment);
    table.browser.click_on(".pc.you button.hold");
    table.play(Hand::Mouse, &["3".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
    let from = table
        .browser
        .call("middleOf", json!([".pc.p2 button.hold"]));
    let from = (from[0].as_f64().unwrap(), from[1].as_f64().unwrap());
    let to = table.middle("27");
    table.browser.drag(from, to);
    table.rest();
    assert_eq!(table.data("turn"), "first");
}

#[test]
fn the_menu_of_a_phone_closes_by_itself() {
    let mut table = Table::open(PHONE, "#/nonaga?opponent=human");
    for close in ["Escape", "tap"] {
        table.browser.click_on(".top button");
        table.browser.wait_for_element(".menu:popover-open");
        if close == "tap" {
            table.browser.tap(60.0, 700.0);
        } else {
            table.browser.press(close);
        }
        table
            .browser
            .wait_for("hasNot", json!([".menu:popover-open"]));
    }
}

#[test]
fn after_a_match_as_second_the_own_card_is_below_the_board() {
    let mut table = Table::open(PHONE, "#/takeover?opponent=classic&color=first&speed=0");
    for color in ["second", "first", "second"] {
        let fragment = format!("#/takeover?opponent=classic&color={color}&speed=0");
        table.browser.call("goTo", json!([fragment]));
        table.rest();
        assert_eq!(table.browser.count(".pc.you"), 1, "{color}");
        assert_eq!(table.browser.call("isBelowBoard", json!([".pc.you"])), true);
    }
}
