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
    for (fragment, from, to) in [
        ("#/takeover?opponent=human&board=3", "b5", "c4"),
        ("#/lilypads?opponent=human&board=42", "0", "3"),
        ("#/nonaga?opponent=human", "2,-2", "-1,1"),
    ] {
        let mut table = Table::open(DESK, fragment);
        table.rest();
        let before = table.data("fen");
        let (from, to) = (table.middle(from), table.middle(to));
        table.browser.click(from.0, from.1);
        table.browser.drag(from, to);
        table.rest();
        assert_ne!(table.data("fen"), before, "{fragment}");
    }
}

/// What was dragged is there already.
#[test]
fn a_piece_that_is_dropped_does_not_travel_again() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&board=7");
    table.rest();
    let dropped = table.browser.call("stateAfterDrop", json!(["b5", "c4"]));
    assert_eq!(dropped[0], "false", "{dropped}");
    assert_eq!(table.data("turn"), "second");
    // The same by clicks is seen to happen.
    let clicked = table.browser.call("statesAfter", json!([["e2", "d3"], []]));
    assert_eq!(clicked[0][0], "true", "{clicked}");
}

/// The jump to d3 converts a piece, which turns over.
#[test]
fn what_a_dropped_piece_converts_still_moves() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&board=7");
    table.rest();
    let dropped = table.browser.call("stateAfterDrop", json!(["b5", "d3"]));
    assert_eq!(dropped[0], "true", "{dropped}");
    assert_eq!(table.data("turn"), "second");
    table.rest();
}

/// It lands with its shadow.
#[test]
fn a_tile_that_is_dropped_does_not_travel_again() {
    let mut table = Table::open(DESK, "#/nonaga?opponent=human");
    table.rest();
    table.play(Hand::Mirror, &["2,-2", "-1,1"].map(str::to_owned));
    table.rest();
    // The board does not drift, so that the camera stays.
    let dropped = table.browser.call("stateAfterDrop", json!(["1,-2", "2,1"]));
    assert_eq!(dropped[0], "false", "{dropped}");
    assert_eq!(table.data("turn"), "second");
}

/// Two ways for the second player to make the same duplicate after c4. Both pieces are on the
/// rank below it, so that it is drawn above them while it grows.
fn ways_of_a_duplicate() -> Vec<Vec<String>> {
    let start = catalog::find("takeover").unwrap();
    let mut playing = start.start(&[("board", "7")]).unwrap();
    playing.play("c4").unwrap();
    let all = playing.table().ways();
    let ways = |m: &str| -> Vec<Vec<String>> {
        let ways = all.iter().filter(|(other, _)| other == m);
        let ways = ways.map(|(_, way)| way.clone());
        ways.filter(|way| way[0][1..] < way[1][1..]).collect()
    };
    let moves = playing.legal_moves();
    let mut ways = moves.iter().map(|m| ways(m));
    ways.find(|ways| ways.len() > 1).unwrap()
}

/// The board at an address, after the same move.
fn before_a_duplicate(fragment: &str) -> Table {
    let mut table = Table::open(DESK, fragment);
    table.browser.wait_for_element(".mirror");
    table.rest();
    table.play(Hand::Mirror, &["b5", "c4"].map(str::to_owned));
    table.rest();
    table
}

/// Several pieces could make the same duplicate: it grows out of the one that was chosen, in a
/// match and in an analysis.
#[test]
fn a_duplicate_grows_out_of_the_piece_that_was_chosen() {
    let ways = ways_of_a_duplicate();
    let places = json!([ways[0][0], ways[1][0]]);
    let fragments = [
        "#/takeover?opponent=human&board=7",
        "#/analysis/takeover?board=7",
    ];
    for (fragment, n) in fragments.into_iter().flat_map(|it| [(it, 0), (it, 1)]) {
        let mut table = before_a_duplicate(fragment);
        let moves = json!([ways[n], places.clone()]);
        let moves = table.browser.call("movesAtFirst", moves);
        let expected = json!([n == 0, n == 1]);
        assert_eq!(moves, expected, "{:?} at {fragment}", ways[n]);
    }
}

/// It is marked as the origin of the last move.
#[test]
fn a_duplicate_comes_from_the_piece_that_was_chosen() {
    let ways = ways_of_a_duplicate();
    let pictures = [0, 1].map(|n| {
        let mut table = before_a_duplicate("#/takeover?opponent=human&board=7&speed=0");
        table.play(Hand::Mirror, &ways[n]);
        table.rest();
        assert_eq!(table.data("turn"), "first", "{:?}", ways[n]);
        table.browser.call("nextFrame", json!([]));
        table.browser.call("boardPixels", json!([]))
    });
    assert_ne!(pictures[0], pictures[1]);
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
        table.wobble(id);
        table.rest();
        assert!(table.data("fen").ends_with(fen), "{id}");
    }
}

/// A click near the edge of a square, which wobbles over it.
#[test]
fn a_click_may_wobble_over_an_edge() {
    let mut table = takeover();
    let (from, to) = (table.middle("b5"), table.middle("c5"));
    let edge = f64::midpoint(from.0, to.0);
    press_and_release(&mut table, (edge - 2.0, from.1), (edge + 3.0, from.1));
    table.rest();
    // A drag would have been a move to the other square.
    assert_eq!(table.data("turn"), "first", "c5 was not played");
    table.play(Hand::Mouse, &["c4".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second", "b5 was selected");
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

/// Where nothing is selected first, it plays.
#[test]
fn a_drag_back_to_where_it_began_is_a_click() {
    let mut table = Table::open(DESK, "#/simply-go?opponent=human&size=9");
    let (x, y) = table.middle("E5");
    table.browser.mouse("mouseMoved", x, y);
    table.browser.mouse("mousePressed", x, y);
    table.browser.mouse_with("mouseMoved", x + 60.0, y, true);
    table.browser.mouse_with("mouseMoved", x + 5.0, y, true);
    table.browser.mouse("mouseReleased", x + 5.0, y);
    table.rest();
    assert_eq!(table.browser.text(".mv .cur"), "E5");
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
fn escape_cancels_a_drag() {
    let mut table = takeover();
    let (from, to) = (table.middle("b5"), table.middle("c4"));
    table.browser.mouse("mouseMoved", from.0, from.1);
    table.browser.mouse("mousePressed", from.0, from.1);
    table.browser.mouse_with("mouseMoved", to.0, to.1, true);
    table.browser.press("Escape");
    table.browser.call("nextFrame", json!([]));
    table.browser.mouse("mouseReleased", to.0, to.1);
    table.rest();
    assert_eq!(table.data("turn"), "first");
    assert_eq!(table.browser.count(".msg .refused"), 0);
}

/// A finger may go up while nobody can see it.
#[test]
fn a_drag_in_a_tab_that_gets_hidden_is_canceled() {
    let mut table = Table::open(PHONE, "#/takeover?opponent=human&board=3");
    table.rest();
    let (from, to) = (table.middle("b5"), table.middle("c4"));
    for (kind, at) in [("touchStart", from), ("touchMove", to)] {
        let event = json!({"type": kind, "touchPoints": [{"x": at.0, "y": at.1}]});
        table.browser.send("Input.dispatchTouchEvent", event);
    }
    table.browser.call("setHidden", json!([true]));
    table.browser.call("setHidden", json!([false]));
    let end = json!({"type": "touchEnd", "touchPoints": []});
    table.browser.send("Input.dispatchTouchEvent", end);
    table.rest();
    assert_eq!(table.data("turn"), "first");
    // The next finger is the only one.
    table.play(Hand::Finger, &["b5".to_owned(), "c4".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
}

/// Browsers take a quick drag for a fling, and the next tap for the end of it.
#[test]
fn a_tap_right_after_a_quick_drag_counts() {
    let mut table = Table::open(PHONE, "#/takeover?opponent=human&board=3");
    table.rest();
    let (from, to) = (table.middle("a6"), table.middle("d4"));
    table.browser.touch(from, to);
    table.press(Hand::Finger, "#share");
    table.browser.wait_for_element("dialog[open]");
}

/// Drags that lead nowhere: of one's own piece, and of what is not to be moved.
#[test]
fn an_illegal_drag_says_why() {
    let takeover = "#/takeover?opponent=human&board=3";
    for (from, to, why) in [
        ("b5", "f1", "That square is taken."),
        ("b5", "f4", "f4 is too far."),
        ("b5", "a6", "That square is taken."),
        ("f1", "e3", "That is your opponent’s piece."),
        ("d4", "d3", "Select one of your pieces first."),
    ] {
        assert_refused(takeover, [from, to], why, "c4");
    }
}

#[test]
fn an_illegal_drag_says_why_in_nonaga() {
    let nonaga = "#/nonaga?opponent=human&speed=0";
    for (from, to, why) in [
        ("2,-2", "2,0", "There is a piece on that tile."),
        ("2,-2", "0,-1", "Pieces slide in straight lines."),
        (
            "2,-2",
            "1,-1",
            "The piece can’t stop at 1,−1: it slides as far as it can.",
        ),
        ("2,0", "1,0", "That is your opponent’s piece."),
        ("1,-2", "0,-1", "Slide a piece first, then move a tile."),
    ] {
        assert_refused(nonaga, [from, to], why, "-1,1");
    }
}

#[test]
fn an_illegal_drag_says_why_in_lilypads() {
    let lilypads = "#/lilypads?opponent=human&board=42&speed=0";
    for (from, to, why) in [
        (
            "0",
            "14",
            "Pieces enter on an empty circle next to your start.",
        ),
        ("3", "14", "Select one of your pieces first."),
    ] {
        assert_refused(lilypads, [from, to], why, "3");
    }
}

/// Drags from place to place, and checks that nothing but the reason comes of it: `next` would be
/// a move if the piece were still selected.
#[track_caller]
fn assert_refused(fragment: &str, [from, to]: [&str; 2], why: &str, next: &str) {
    let mut table = Table::open(DESK, fragment);
    table.rest();
    let fen = table.data("fen");
    let (from_at, to_at) = (table.middle(from), table.middle(to));
    table.browser.drag(from_at, to_at);
    let refused = json!([".msg .refused", why]);
    table.browser.wait_for("hasExactText", refused);
    assert_eq!(table.data("fen"), fen);
    // Nothing is selected.
    table.play(Hand::Mouse, &[next.to_owned()]);
    table.rest();
    assert_eq!(table.data("fen"), fen, "{from} to {to}");
}

#[test]
fn a_piece_in_hand_can_be_clicked_and_dragged_in() {
    let fragment = "#/lilypads?opponent=human&board=42&speed=0";
    let mut table = Table::open(DESK, fragment);
    // Those of the other side can't be taken, and do not look as if they could.
    let held = |player: &str| format!(".pc.{player} button.hold");
    assert_eq!(table.browser.count(&held("p2")), 0);
    table.browser.click_on(&held("p1"));
    table.play(Hand::Mouse, &["3".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
    assert_eq!(table.browser.count(&held("p1")), 0);
    let from = table.browser.call("middleOf", json!([held("p2")]));
    let from = (from[0].as_f64().unwrap(), from[1].as_f64().unwrap());
    let to = table.middle("27");
    table.browser.drag(from, to);
    table.rest();
    assert_eq!(table.data("turn"), "first");
}

#[test]
fn a_piece_in_hand_can_be_tapped_and_dragged_in_by_finger() {
    let fragment = "#/lilypads?opponent=human&board=42&speed=0";
    let mut table = Table::open(PHONE, fragment);
    table.press(Hand::Finger, ".pc.p1 button.hold");
    table.play(Hand::Finger, &["3".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
    let from = table
        .browser
        .call("middleOf", json!([".pc.p2 button.hold"]));
    let from = (from[0].as_f64().unwrap(), from[1].as_f64().unwrap());
    let to = table.middle("27");
    table.browser.touch(from, to);
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
    for (color, own) in [
        ("second", ".pc.you.p2"),
        ("first", ".pc.you.p1"),
        ("second", ".pc.you.p2"),
    ] {
        table.browser.click_on(".top [popovertarget]");
        table.browser.wait_for_element(".menu:popover-open");
        table.browser.click_on(".menu > .btn");
        table.browser.wait_for_element(".sheet");
        let choice = format!(".sheet input[name=color][value={color}]");
        table.browser.click_on(&choice);
        table.browser.click_on("#start");
        table.browser.wait_for("hasNot", json!([".sheet"]));
        table.browser.wait_for_element(own);
        table.rest();
        assert_eq!(table.browser.count(".pc.you"), 1, "{color}");
        assert_eq!(table.browser.count(own), 1, "{color}");
        assert_eq!(table.browser.call("isBelowBoard", json!([own])), true);
        let other = json!([".pc:not(.you)"]);
        assert_eq!(table.browser.call("isAboveBoard", other), true);
    }
}
