//! Boards that are too large for the screen.

use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device, PHONE},
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

/// Points of 19 × 19 would be 19 px apart on a phone.
#[test]
fn a_phone_shows_a_part_of_19_by_19() {
    let fragment = "#/simply-go?size=19&opponent=human&speed=0";
    let mut desk = Table::open(DESK, fragment);
    assert_eq!(desk.browser.count(".map"), 0);
    let mut table = Table::open(PHONE, fragment);
    assert_eq!(table.browser.call("isMapHidden", json!([])), false);
}

/// Where a drag moves the view, a finger that slips by 10 px still plays.
#[test]
fn a_finger_may_wobble_on_a_vast_board() {
    for size in ["19", "25"] {
        let fragment = format!("#/simply-go?size={size}&opponent=human&speed=0");
        let mut table = Table::open(PHONE, &fragment);
        let middle = table.browser.call("middleOf", json!([".board > canvas"]));
        let (x, y) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
        table.browser.touch((x - 5.0, y), (x + 5.0, y));
        table.rest();
        assert_eq!(table.data("turn"), "second", "{size}");
    }
}

/// A finger that rests looks for its point, and plays where it goes up; the view stays.
#[test]
fn a_finger_finds_its_point_before_it_goes_up() {
    let touch = |table: &mut Table, kind: &str, points: Value| {
        let event = json!({"type": kind, "touchPoints": points});
        table.browser.send("Input.dispatchTouchEvent", event);
    };
    for size in ["9", "19", "25"] {
        let fragment = format!("#/simply-go?size={size}&opponent=human&speed=0");
        let mut table = Table::open(PHONE, &fragment);
        let middle = table.browser.call("middleOf", json!([".board > canvas"]));
        let (x, y) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
        table.browser.tap(x, y);
        table.rest();
        let tapped = table.browser.text(".mv .cur");
        touch(&mut table, "touchStart", json!([{"x": x, "y": y}]));
        table.browser.call("sleep", json!([400]));
        for way in [20.0, 40.0] {
            touch(&mut table, "touchMove", json!([{"x": x + way, "y": y}]));
        }
        touch(&mut table, "touchEnd", json!([]));
        table.rest();
        assert_eq!(table.browser.count(".mv li button"), 2, "{size}");
        assert_ne!(table.browser.text(".mv .cur"), tapped);
        // Both stones are still where they were played.
        for x in [x, x + 40.0] {
            table.browser.tap(x, y);
            table.rest();
            assert_eq!(table.browser.count(".mv li button"), 2, "{size}");
        }
    }
}

/// In the whole view the buttons are beside the board, so that every point can be played.
#[test]
fn the_zoom_buttons_cover_no_point() {
    for (device, sizes) in [(DESK, &[25, 48][..]), (PHONE, &[19, 25, 48])] {
        for size in sizes {
            let fragment = format!("#/simply-go?size={size}&opponent=human&speed=0");
            let mut table = Table::open(device, &fragment);
            // A phone begins close up.
            while table.browser.call("isMapHidden", json!([])) == false {
                table.browser.click_on(".zoom button:nth-of-type(2)");
                table.browser.call("nextFrame", json!([]));
            }
            let covered = table.browser.call("covered", json!([".zoom button"]));
            assert_eq!(covered, json!([]), "{size} on {} px", device.width);
            // The mirror has only the points near the focus, so the corner is asked for.
            let rect = |table: &mut Table, selector: &str| -> [f64; 4] {
                let rect = table.browser.call("rect", json!([selector]));
                [0, 1, 2, 3].map(|n| rect[n].as_f64().unwrap())
            };
            let [left, top, width, height] = rect(&mut table, ".board > canvas");
            let strip = rect(&mut table, ".zoom");
            let is_beside = strip[0] >= left + width || strip[1] >= top + height;
            assert!(is_beside, "{size} on {} px", device.width);
        }
    }
}

/// A drag on the map moves the view, and goes on when the pointer leaves the map.
#[test]
fn the_map_can_be_dragged() {
    drag_the_map(DESK);
    drag_the_map(PHONE);
}

fn drag_the_map(device: Device) {
    let mut table = Table::open(device, "#/simply-go?size=48&opponent=human&speed=0");
    for _ in 0..5 {
        table.browser.click_on(".zoom button:nth-of-type(1)");
    }
    table.browser.wait_for_element(".map:not(.off)");
    let rect = table.browser.call("rect", json!([".map"]));
    let [left, top, width, height] = [0, 1, 2, 3].map(|n| rect[n].as_f64().unwrap());
    let at = |right: f64, down: f64| (left + width * right, top + height * down);
    let middle = table.browser.call("middleOf", json!([".board > canvas"]));
    let (x, y) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
    // Where the middle of the board is played after a drag to each corner.
    let played = |table: &mut Table, to: (f64, f64)| {
        let n_moves = table.browser.count(".mv button");
        if device.is_touch {
            table.browser.touch(at(0.5, 0.5), to);
        } else {
            table.browser.drag(at(0.5, 0.5), to);
        }
        assert_eq!(
            table.browser.count(".mv button"),
            n_moves,
            "a drag is no move"
        );
        if device.is_touch {
            table.browser.tap(x, y);
        } else {
            // A pointer that is not pressed moves nothing.
            let (away_x, away_y) = at(0.5, 0.5);
            table.browser.mouse("mouseMoved", away_x, away_y);
            table.browser.click(x, y);
        }
        table.rest();
        table.browser.text(".mv .cur")
    };
    let low = played(&mut table, at(0.2, 0.9));
    let high = played(&mut table, at(0.9, 0.1));
    let beyond = played(&mut table, at(-3.0, 0.1));
    let column = |name: &str| -> usize {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        letters
            .bytes()
            .fold(0, |n, c| n * 26 + usize::from(c - b'A') + 1)
    };
    let row = |name: &str| -> usize {
        let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse().unwrap()
    };
    assert!(column(&low) < 16 && row(&low) < 12, "{low}");
    assert!(column(&high) > 36 && row(&high) > 36, "{high}");
    assert!(column(&beyond) < 12 && row(&beyond) > 36, "{beyond}");
}
