//! The analysis board, by every hand.

use std::{thread, time::Duration};

use serde_json::json;

use super::{
    chromium::{DESK, PHONE},
    study::{HANDS, JAPANESE_PHONE, move_between, open, play, reload, wait_for_fen},
    table::{Hand, Table, clicks},
};

/// Types into the field with the focus.
pub(crate) fn type_text(table: &mut Table, text: &str) {
    let text = json!({"text": text});
    table.browser.send("Input.insertText", text);
}

#[test]
fn the_engine_of_the_analysis_board_stops_and_goes_on() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    table
        .browser
        .wait_for("hasCount", json!([".eng .lines li button", 3]));
    table.browser.wait_for("hasDepth", json!([3]));
    let n_moves = catalog::find("takeover")
        .unwrap()
        .start(&[("board", "7")])
        .unwrap()
        .legal_moves()
        .len();
    // The board shows what all moves are worth.
    let all = json!([".eng .st", format!("all {n_moves} moves")]);
    table.browser.wait_for("includesText", all);
    table.browser.call("choose", json!(["#lines", "5"]));
    table
        .browser
        .wait_for("hasCount", json!([".eng .lines li button", 5]));
    table.browser.screenshot("analysis-takeover");
    // What it found stays, and says that it is stopped.
    table.browser.press("e");
    let stopped = json!([".eng .st", "Stopped at depth"]);
    table.browser.wait_for("includesText", stopped);
    assert_eq!(table.browser.count("#engine:checked"), 0);
    assert_eq!(table.browser.count(".eng .lines li button"), 5);
    // It goes on from there.
    let depth = table.browser.call("depth", json!([])).as_u64().unwrap();
    table.browser.click_on("#engine");
    table
        .browser
        .wait_for("includesText", json!([".eng .st", "Depth"]));
    assert!(table.browser.call("depth", json!([])).as_u64().unwrap() >= depth);
    for is_pressed in ["true", "false"] {
        table.browser.press("t");
        let pressed = format!("#threat[aria-pressed={is_pressed}]");
        table.browser.wait_for_element(&pressed);
        assert!(table.browser.call("depth", json!([])).as_u64().unwrap() >= depth);
    }
    for shown in ["best", "nothing", "all"] {
        table.browser.call("clickValue", json!(["shown", shown]));
        table
            .browser
            .wait_for("hasCount", json!([".eng .lines li button", 5]));
    }
    // A line can be followed.
    let before = table.data("fen");
    table.browser.click_on("#line-0");
    table.browser.wait_for_element("#study-moves .cur");
    let after = table.data("fen");
    move_between("takeover", &before, &after);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn all_moves_of_lilypads_are_exact() {
    for device in [DESK, JAPANESE_PHONE] {
        let mut table = open(device, "#/analysis/lilypads?board=42&speed=0");
        table.browser.wait_for_element(".under .evx");
        let n_moves = catalog::find("lilypads")
            .unwrap()
            .start(&[("board", "42")])
            .unwrap()
            .legal_moves()
            .len();
        let status = table.browser.text(".eng .st");
        assert!(status.contains(&n_moves.to_string()), "{status}");
        // Moves that are worth the same share a row.
        let values = table.browser.call("texts", json!([".eng .val"]));
        let values = values.as_array().unwrap();
        assert!((1..=3).contains(&values.len()), "{values:?}");
        for (index, value) in values.iter().enumerate() {
            assert!(!values[..index].contains(value), "{values:?}");
        }
        table.browser.screenshot("analysis-lilypads");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn threats_are_shown_for_the_other_player() {
    for game in ["takeover", "nonaga", "lilypads", "simply-go"] {
        let mut table = open(DESK, &format!("#/analysis/{game}?speed=0"));
        let caption = table.browser.text(".cap");
        table.browser.press("t");
        table.browser.wait_for_element("#threat[aria-pressed=true]");
        assert_ne!(table.browser.text(".cap"), caption);
        // The engine comes back to the position itself.
        table.browser.wait_for_element(".eng .lines li button");
        table.browser.screenshot(&format!("threat-{game}"));
        table.browser.click_on("#threat");
        table
            .browser
            .wait_for_element("#threat[aria-pressed=false]");
        assert_eq!(table.browser.text(".cap"), caption);
        assert_eq!(table.browser.complaints, [""; 0], "{game}");
    }
}

#[test]
fn variations_are_written_about_promoted_and_deleted() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    let start = table.data("fen");
    let now = catalog::find("takeover")
        .unwrap()
        .start_from(&start)
        .unwrap();
    let moves = now.legal_moves();
    let [main, other] = [&moves[0], &moves[1]];
    play(&mut table, Hand::Mouse, "takeover", &start, main);
    table.rest();
    let main_fen = table.data("fen");
    table
        .browser
        .call("write", json!(["#comment", "A <quiet> move"]));
    table.browser.wait_for_element(".cmt");
    assert_eq!(table.browser.text(".cmt"), "A <quiet> move");
    table.browser.press("Escape");
    table
        .browser
        .call("focus", json!([".mirror [tabindex='0']"]));
    table.browser.call("click", json!([".hist #back"]));
    wait_for_fen(&mut table, &start);
    play(&mut table, Hand::Keys, "takeover", &start, other);
    table.browser.wait_for_element(".var .cur");
    let other_fen = table.data("fen");
    // By keys: the variation becomes the line, and the line a variation.
    table.browser.call("focus", json!(["#promote"]));
    table.browser.press("Enter");
    table.browser.wait_for_element("li:not(.var) .cur");
    assert_eq!(table.browser.count(".var button"), 1);
    assert_eq!(table.data("fen"), other_fen);
    // All of it is in the address.
    reload(&mut table);
    assert_eq!(table.browser.count(".var button"), 1);
    assert_eq!(table.browser.text(".cmt"), "A <quiet> move");
    table.browser.call("click", json!([".var button"]));
    wait_for_fen(&mut table, &main_fen);
    table.browser.call("focus", json!(["#delete"]));
    table.browser.press("Enter");
    table.browser.wait_for("hasNot", json!([".var"]));
    wait_for_fen(&mut table, &start);
    assert_eq!(table.browser.count(".cmt"), 0);
    // Second thoughts.
    table.browser.call("focus", json!(["#restore"]));
    table.browser.press("Enter");
    wait_for_fen(&mut table, &main_fen);
    assert_eq!(table.browser.text(".cmt"), "A <quiet> move");
    assert_eq!(table.browser.count("#restore"), 0);
    table.browser.click_on("#delete");
    wait_for_fen(&mut table, &start);
    // What was deleted does not come back by itself.
    reload(&mut table);
    assert_eq!(table.browser.count("#study-moves button"), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn moves_are_tried_by_every_hand() {
    let start = catalog::find("takeover").unwrap();
    let start = start.start(&[("board", "7")]).unwrap();
    let m = &start.legal_moves()[0];
    let mut after = start.boxed_clone();
    after.play(m).unwrap();
    for (device, hand) in HANDS.into_iter().chain([(DESK, Hand::Drag)]) {
        let mut table = open(device, "#/analysis/takeover?board=7&speed=0");
        table.browser.wait_for_element(".eng .lines li button");
        play(&mut table, hand, "takeover", &start.position(), m);
        wait_for_fen(&mut table, &after.position());
        // The engine goes on with what is on the board, and can be turned off.
        table.browser.wait_for_element(".eng .lines li button");
        table.press(hand, ".hist #back");
        wait_for_fen(&mut table, &start.position());
        // Lines come and go while the engine is at it.
        table.browser.call("click", json!(["#line-0"]));
        table.browser.wait_for_element("#study-moves .cur");
        assert_ne!(table.data("fen"), start.position());
        let switch = if hand == Hand::Keys { "e" } else { "#engine" };
        if hand == Hand::Keys {
            table.browser.press(switch);
        } else {
            table.press(hand, switch);
        }
        table.browser.wait_for("hasNot", json!(["#engine:checked"]));
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn threats_and_variations_by_every_hand() {
    let start = catalog::find("takeover").unwrap();
    let start = start.start(&[("board", "7")]).unwrap();
    let moves = start.legal_moves();
    for (device, hand) in HANDS {
        let mut table = open(device, "#/analysis/takeover?board=7&speed=0");
        for is_on in ["true", "false"] {
            table.press(hand, "#threat");
            let pressed = format!("#threat[aria-pressed={is_on}]");
            table.browser.wait_for_element(&pressed);
        }
        for m in &moves[..2] {
            if table.data("fen") != start.position() {
                table.press(hand, ".hist #first");
                wait_for_fen(&mut table, &start.position());
            }
            play(&mut table, hand, "takeover", &start.position(), m);
            table.browser.wait_for_element("#study-moves .cur");
        }
        table.browser.wait_for_element("#study-moves .var .cur");
        let tried = table.data("fen");
        table.press(hand, "#promote");
        table.browser.wait_for_element("li:not(.var) .cur");
        assert_eq!(table.data("fen"), tried);
        table.press(hand, "#study-moves .var button");
        table.browser.wait_for_element("#study-moves .var .cur");
        table.press(hand, "#delete");
        table.browser.wait_for("hasNot", json!([".var"]));
        table.press(hand, "#restore");
        table.browser.wait_for_element("#study-moves .var .cur");
        assert_eq!(table.browser.complaints, [""; 0], "{hand:?}");
    }
}

/// The engine writes its lines anew many times a second; a press takes longer.
#[test]
fn a_line_can_be_pressed_while_the_engine_is_at_it() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    let before = table.data("fen");
    table.browser.wait_for_element("#line-0");
    let middle = table.browser.call("middleOf", json!(["#line-0"]));
    let [x, y] = [0, 1].map(|n| middle[n].as_f64().unwrap());
    table.browser.mouse("mouseMoved", x, y);
    table.browser.mouse("mousePressed", x, y);
    thread::sleep(Duration::from_millis(400));
    table.browser.mouse("mouseReleased", x, y);
    table.browser.wait_for_element("#study-moves .cur");
    assert_ne!(table.data("fen"), before);
    // The lines go on.
    table.browser.wait_for_element("#line-0");
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Keys mean what they mean, but for fields that letters are written in.
#[test]
fn keys_work_after_presses_of_the_mouse_and_not_in_fields() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    table.browser.wait_for_element(".eng .lines li button");
    for selector in ["#engine", "input[name=shown][value=best]"] {
        table.browser.call("click", json!([selector]));
        table.browser.call("focus", json!([selector]));
        let before = table.browser.count("#engine:checked");
        table.browser.press("e");
        let now = match before {
            0 => "#engine:checked",
            _ => "#engine:not(:checked)",
        };
        table.browser.wait_for_element(now);
    }
    table.browser.press("?");
    table.browser.wait_for_element("dialog[open] .keys");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!(["dialog"]));
    // Letters of a position are letters.
    table.press(Hand::Mouse, "#set-up");
    table.browser.wait_for_element(".setup");
    table.press(Hand::Mouse, "#position");
    table.browser.wait_for_element("#position:focus");
    let sound = table.browser.call("stored", json!(["parlour.sound"]));
    for key in ["s", "f", "m", "?"] {
        table.browser.press(key);
    }
    table.browser.call("nextFrame", json!([]));
    assert_eq!(table.browser.count("dialog[open]"), 0);
    assert_eq!(table.browser.count("#position:focus"), 1);
    let typed = table.browser.call("value", json!(["#position"]));
    assert!(typed.as_str().unwrap().contains("sfm?"), "{typed}");
    let after = table.browser.call("stored", json!(["parlour.sound"]));
    assert_eq!(after, sound);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn a_new_analysis_is_chosen_by_every_hand() {
    for (device, hand) in HANDS {
        let mut table = open(device, "#/analysis/takeover?board=7&speed=0");
        let before = table.data("fen");
        if device.is_touch {
            table.press(hand, "#more");
            table.browser.wait_for_element(".menu:popover-open");
            table.press(hand, "#menu-new-analysis");
        } else {
            table.press(hand, "#new-analysis");
        }
        table.browser.wait_for_element("dialog[open] #start");
        // What is analyzed comes first; nobody plays, and no clock runs.
        let board = table.browser.call("value", json!(["#option-board"]));
        assert_eq!(board, "7");
        assert_eq!(
            table.browser.count("dialog :is([name=opponent], #clock)"),
            0
        );
        table
            .browser
            .screenshot(&format!("new-analysis-{}-{hand:?}", device.language));
        table.browser.press("Escape");
        table.browser.wait_for("hasNot", json!(["dialog"]));
        assert_eq!(table.data("fen"), before);
        if device.is_touch {
            table.press(hand, "#more");
            table.browser.wait_for_element(".menu:popover-open");
            table.press(hand, "#menu-new-analysis");
        } else {
            table.press(hand, "#new-analysis");
        }
        table.browser.wait_for_element("dialog[open] #start");
        for (name, value) in [("game", "simply-go"), ("size", "9"), ("mode", "moves:40")] {
            table.browser.call("clickValue", json!([name, value]));
        }
        table.press(hand, "#start");
        table
            .browser
            .wait_for("hasData", json!(["game", "simply-go"]));
        let fragment = table.browser.fragment();
        let wanted = "#/analysis/simply-go?size=9&mode=moves:40&speed=0";
        assert_eq!(fragment, wanted);
        assert!(table.data("fen").starts_with("9/"), "{}", table.data("fen"));
        // The way back leads to the first one.
        table.browser.call("historyBack", json!([]));
        wait_for_fen(&mut table, &before);
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// On a phone the fields are to be seen while they are used, and the board with them.
#[test]
fn phones_have_comments_and_typed_moves() {
    let mut table = open(PHONE, "#/analysis/takeover?board=7&speed=0");
    let start = catalog::find("takeover").unwrap();
    let mut now = start.start(&[("board", "7")]).unwrap();
    let choose = |table: &mut Table, item: &str, field: &str| {
        table.press(Hand::Finger, "#more");
        table.browser.wait_for_element(".menu:popover-open");
        table.press(Hand::Finger, item);
        table.browser.wait_for_element(&format!("{field}:focus"));
        table
            .browser
            .wait_for("hasNot", json!([".menu:popover-open"]));
        let rect = table.browser.call("rect", json!([field]));
        let [width, height] = [2, 3].map(|n| rect[n].as_f64().unwrap());
        assert!(width > 300.0 && height >= 44.0, "{field}: {rect}");
        let shown = table.browser.call("isOnScreen", json!([field]));
        assert_eq!(shown, true, "{field}");
        let overflow = table.browser.call("overflow", json!([]));
        for side in ["height", "width"] {
            assert!(overflow[side].as_i64().unwrap() <= 0, "{field}: {overflow}");
        }
    };
    choose(&mut table, "#menu-type", "#typed");
    type_text(&mut table, "a1a1");
    table.browser.press("Enter");
    table.browser.wait_for_element("#typed[aria-invalid=true]");
    let said = table.browser.text(".typed .bad");
    assert!(said.contains("a1a1"), "{said}");
    table.browser.screenshot("analysis-phone-typed");
    table.browser.press("Escape");
    let m = now.legal_moves()[0].clone();
    type_text(&mut table, &m);
    table.browser.press("Enter");
    now.play(&m).unwrap();
    wait_for_fen(&mut table, &now.position());
    assert_eq!(table.browser.call("value", json!(["#typed"])), "");
    choose(&mut table, "#menu-write", "#comment");
    type_text(&mut table, "Quiet.");
    table.browser.screenshot("analysis-phone-comment");
    table.browser.press("Enter");
    table.browser.wait_for_element("#study-moves .cmt");
    assert_eq!(table.browser.text(".cmt"), "Quiet.");
    // Nothing is left over of the field.
    table.browser.wait_for("hasNot", json!(["#comment:focus"]));
    let rect = table.browser.call("rect", json!(["#comment"]));
    assert!(rect[3].as_f64().unwrap() < 2.0, "{rect}");
    reload(&mut table);
    assert_eq!(table.browser.text(".cmt"), "Quiet.");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn a_finger_may_wobble_on_the_analysis_board() {
    let mut table = open(PHONE, "#/analysis/takeover?board=7&speed=0");
    let start = catalog::find("takeover").unwrap();
    let mut now = start.start(&[("board", "7")]).unwrap();
    let m = now.legal_moves()[0].clone();
    for id in clicks(&*now, &m) {
        table.wobble(&id);
    }
    now.play(&m).unwrap();
    wait_for_fen(&mut table, &now.position());
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// The address holds what is done on an analysis board, so a wrong turn costs nothing.
#[test]
fn a_bad_link_keeps_the_analysis_and_leads_back() {
    for bad in ["#/chess", "#/analysis/chess", "#/analysis/shared/x"] {
        let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
        let start = catalog::find("takeover").unwrap();
        let mut now = start.start(&[("board", "7")]).unwrap();
        for _ in 0..2 {
            let m = now.legal_moves()[0].clone();
            play(&mut table, Hand::Mirror, "takeover", &now.position(), &m);
            now.play(&m).unwrap();
            wait_for_fen(&mut table, &now.position());
        }
        table.browser.call("write", json!(["#comment", "Here."]));
        table.browser.wait_for_element(".cmt");
        table.browser.call("goTo", json!([bad]));
        table.browser.wait_for_element(".notice #back");
        let said = table.browser.text(".notice");
        let wanted = match bad {
            "#/analysis/shared/x" => "Perhaps part of the link is missing.",
            _ => "This link doesn’t contain a game.",
        };
        assert!(said.contains(wanted), "{bad}: {said}");
        table.browser.screenshot("bad-link");
        table.press(Hand::Keys, ".notice #back");
        table
            .browser
            .wait_for_element(".study.analysis .mirror button");
        wait_for_fen(&mut table, &now.position());
        assert_eq!(table.browser.text(".cmt"), "Here.", "{bad}");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
    // Who comes with a bad link from elsewhere has no way back.
    let mut table = Table::open(DESK, "#/chess");
    table.browser.wait_for_element(".notice");
    assert_eq!(table.browser.count(".notice #back"), 0);
}

/// Lines of the engine have their place before they are there.
#[test]
fn nothing_moves_under_a_finger_when_lines_come() {
    for game in ["nonaga", "takeover"] {
        let mut table = open(PHONE, &format!("#/analysis/{game}?speed=0"));
        let early = table.browser.call("middleOf", json!(["#phone-set-up"]));
        table.browser.wait_for_element("#line-2");
        let late = table.browser.call("middleOf", json!(["#phone-set-up"]));
        assert_eq!(early, late, "{game}");
        // Whether they came before the first look or after it.
        let heights = table.browser.call("heights", json!([".eng .lines li"]));
        assert_eq!(heights[0], heights[1], "{game}");
    }
}

/// A pass has no place on the board: it has a button, with what it is worth.
#[test]
fn passes_are_made_by_every_hand() {
    let simply_go = catalog::find("simply-go").unwrap();
    let simply_go = simply_go.start(&[("size", "9")]).unwrap();
    let takeover = catalog::find("takeover").unwrap();
    let stuck = takeover.start_from("xoo4/ooo4/ooo4/7/7/7/7 x 0 1").unwrap();
    let lilypads = catalog::find("lilypads").unwrap();
    let enclosed = lilypads.start_from("#42 - 1,2,3 first").unwrap();
    for (device, hand) in HANDS {
        for start in [&simply_go, &stuck, &enclosed] {
            let game = start.game();
            let fragment = format!("#/analysis/shared/{}?speed=0", start.to_link());
            let mut table = open(device, &fragment);
            table.browser.wait_for_element(".hist #pass .val");
            table
                .browser
                .screenshot(&format!("pass-{game}-{}-{hand:?}", device.language));
            let overflow = table.browser.call("overflow", json!([]));
            for side in ["height", "width"] {
                assert!(overflow[side].as_i64().unwrap() <= 0, "{game}: {overflow}");
            }
            let must = table.browser.count(".hist #pass.pri");
            assert_eq!(must, u64::from(start.legal_moves().len() == 1));
            table.press(hand, ".hist #pass");
            let mut after = start.boxed_clone();
            let pass = start.table().pass().unwrap();
            after.play(&pass).unwrap();
            wait_for_fen(&mut table, &after.position());
            assert_eq!(table.browser.complaints, [""; 0], "{game} {hand:?}");
        }
    }
}
