//! Boards that are too large for the screen.

use serde_json::{Value, json};

use super::{
    chromium::{DESK, PHONE},
    table::Table,
};

#[test]
fn a_vast_board_can_be_zoomed_and_played_all_over() {
    let mut table = Table::open(PHONE, "#/simply-go?size=48&opponent=human&speed=0");
    assert!(table.browser.count(".mirror button") < 400);
    let stop = json!([".mirror [tabindex='0']", "data-target"]);
    let stop = table.browser.call("attribute", stop);
    assert_eq!(stop, "X24", "Tab leads to the middle");
    table.browser.call("focus", json!(["#typed"]));
    table
        .browser
        .send("Input.insertText", json!({"text": "AV48"}));
    table.browser.press("Enter");
    table.rest();
    assert!(
        table.data("fen").starts_with("47b/"),
        "{}",
        table.data("fen")
    );
    let display = table.browser.call("style", json!([".map", "display"]));
    assert_ne!(display, "none");
    let (x, y) = (195.0, 300.0);
    table.browser.tap(x, y);
    table.rest();
    assert!(
        table.data("fen").contains(" b 0:0 2 0 "),
        "{}",
        table.data("fen")
    );
    table.browser.screenshot("phone-48");
}

/// Wheel, pinch and pan lead to other parts of a vast board, and clicks follow.
#[test]
fn a_vast_board_follows_wheel_pinch_and_pan() {
    let mut table = Table::open(DESK, "#/simply-go?size=25&opponent=human&speed=0");
    let last = ".mv .cur";
    let place = table.browser.call("boardPlace", json!([]));
    let [left, top, width] = ["left", "top", "width"].map(|name| place[name].as_f64().unwrap());
    let (x, y) = table.middle("M13");
    assert_eq!(table.browser.call("isMapHidden", json!([])), true);
    let wheel = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -400});
    table.browser.send("Input.dispatchMouseEvent", wheel);
    table.browser.wait_for_element(".map:not(.off)");
    // What was under the pointer still is.
    table.browser.click(x, y);
    table.rest();
    assert_eq!(table.browser.text(last), "M13");
    // Twice as close at least: a drag of a quarter is less than six columns.
    table.browser.drag(
        (left + width * 0.5, top + width * 0.5),
        (left + width * 0.25, top + width * 0.5),
    );
    assert_eq!(table.browser.text(last), "M13", "a drag is no move");
    table.browser.click(x, y);
    table.rest();
    let moved = table.browser.text(last);
    assert!(moved.as_str() > "M13" && moved.ends_with("13"), "{moved}");
}

#[test]
fn two_fingers_zoom() {
    let mut table = Table::open(PHONE, "#/simply-go?size=25&opponent=human&speed=0");
    let fen = table.data("fen");
    let zoomed = |table: &mut Table| table.browser.call("isMapHidden", json!([])) == false;
    assert!(zoomed(&mut table), "a phone begins close up");
    let touch = |table: &mut Table, kind: &str, points: &[(f64, f64)]| {
        let points: Vec<Value> = points
            .iter()
            .enumerate()
            .map(|(id, (x, y))| json!({"x": x, "y": y, "id": id}))
            .collect();
        let event = json!({"type": kind, "touchPoints": points});
        table.browser.send("Input.dispatchTouchEvent", event);
    };
    // Together: the whole board is to be seen again.
    touch(&mut table, "touchStart", &[(60.0, 300.0)]);
    touch(&mut table, "touchStart", &[(60.0, 300.0), (330.0, 300.0)]);
    for step in 1..=8 {
        let by = f64::from(step) * 15.0;
        touch(
            &mut table,
            "touchMove",
            &[(60.0 + by, 300.0), (330.0 - by, 300.0)],
        );
    }
    touch(&mut table, "touchEnd", &[]);
    assert!(!zoomed(&mut table), "two fingers together zoom out");
    assert_eq!(table.data("fen"), fen, "a pinch is no move");
}
