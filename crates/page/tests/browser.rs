//! All games in a real browser.
//!
//! `cargo xtask browser` runs these. With `PARLOUR_PICTURES` set to a folder they
//! leave pictures there.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "browser/analysis.rs"]
mod analysis;
#[path = "browser/audit.rs"]
mod audit;
#[path = "browser/chromium.rs"]
mod chromium;
#[path = "browser/clocks.rs"]
mod clocks;
#[path = "browser/code.rs"]
mod code;
#[cfg(feature = "figures")]
#[path = "browser/figures.rs"]
mod figures;
#[path = "browser/first_minute.rs"]
mod first_minute;
#[path = "browser/hands.rs"]
mod hands;
#[path = "browser/hints.rs"]
mod hints;
#[path = "browser/history.rs"]
mod history;
#[path = "browser/kept.rs"]
mod kept;
#[path = "browser/lessons.rs"]
mod lessons;
#[path = "browser/look.rs"]
mod look;
#[path = "browser/machine.rs"]
mod machine;
#[path = "browser/matches.rs"]
mod matches;
#[path = "browser/memory.rs"]
mod memory;
#[path = "browser/offline.rs"]
mod offline;
#[path = "browser/online.rs"]
mod online;
#[path = "browser/online_hands.rs"]
mod online_hands;
#[path = "browser/online_look.rs"]
mod online_look;
#[path = "browser/online_study.rs"]
mod online_study;
#[path = "browser/outside.rs"]
mod outside;
#[path = "browser/puzzles.rs"]
mod puzzles;
#[path = "browser/review.rs"]
mod review;
#[path = "browser/set_up.rs"]
mod set_up;
#[path = "browser/settings.rs"]
mod settings;
#[path = "browser/single_file.rs"]
mod single_file;
#[path = "browser/sound.rs"]
mod sound;
#[path = "browser/steady.rs"]
mod steady;
#[path = "browser/study.rs"]
mod study;
#[cfg(feature = "figures")]
#[path = "browser/study_figures.rs"]
mod study_figures;
#[path = "browser/study_kept.rs"]
mod study_kept;
#[path = "browser/table.rs"]
mod table;
#[cfg(feature = "figures")]
#[path = "browser/trace.rs"]
mod trace;
#[path = "browser/vast.rs"]
mod vast;
#[path = "browser/weights.rs"]
mod weights;

use chromium::{Chromium, DESK, Device, PHONE};
use matches::{choose, short_win};
use rules::Random;
use serde_json::json;
use table::{Hand, Table, clicks, site};

#[test]
fn the_page_can_be_used() {
    let mut browser = Chromium::start(DESK);
    let first = browser.open(site());
    // Once more, as the first start of a browser says little about the page.
    let second = browser.open(&format!("{}#/nonaga", site()));
    browser.note_figure(&format!("usable after {first:?}, then {second:?}"));
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn clicks_while_something_moves_change_nothing() {
    let mut table = Table::open(DESK, "#/nonaga?opponent=human");
    table.rest();
    // A legal tile, and its place: they must not be taken while the slide goes on.
    let steps = json!([["2,-2", "-1,1"], ["1,-2", "-3,1"]]);
    let found = table.browser.call("statesAfter", steps);
    assert_eq!(found[0][0], "true");
    assert_eq!(found[0], found[1]);
    table.rest();
    table.play(Hand::Mouse, &["1,-2".to_owned(), "-3,1".to_owned()]);
    table.rest();
    assert!(table.data("fen").ends_with("second slide"));
    // A slide takes 800 ms.
    let slide = json!([["-2,2", "-2,1"]]);
    let time = table.browser.call("timeOfMotion", slide).as_f64().unwrap();
    assert!(time >= 780.0, "{time} ms");
}

#[test]
fn a_win_of_nonaga_is_declared_after_the_animation() {
    let (mut script, outcome) = short_win();
    let last = script.pop().unwrap();
    let mut table = Table::open(DESK, "#/nonaga?opponent=human");
    for clicks in &script {
        table.play(Hand::Mirror, clicks);
        table.rest();
    }
    let found = table.browser.call("resultAfter", json!([last]));
    assert_eq!(found[0], "true");
    assert_eq!(found[2], "none");
    assert_eq!(found[3], false);
    table.rest();
    assert_eq!(table.data("result"), outcome.to_string());
    table.browser.wait_for_element(".res p");
    let card = table.browser.text(".res p");
    assert!(card.contains("connected all three"), "{card}");
    table.browser.screenshot("nonaga-win");
}

#[test]
fn clicks_stay_true_at_any_size_and_pixel_ratio() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&speed=0&board=7");
    let mut playing = catalog::find("takeover")
        .unwrap()
        .start(&[("board", "7")])
        .unwrap();
    let mut random = Random::new(8);
    let devices = [
        (1280, 800, 1.0),
        (900, 700, 2.0),
        (700, 900, 3.0),
        (844, 390, 2.0),
        (1600, 1000, 1.5),
    ];
    for (width, height, pixel_ratio) in devices {
        let device = Device {
            width,
            height,
            pixel_ratio,
            ..DESK
        };
        table.browser.set_device(device);
        table.browser.call("sleep", json!([150]));
        let m = choose(&*playing, &mut random);
        table.play(Hand::Mouse, &clicks(&*playing, &m));
        playing.play(&m).unwrap();
        table.rest();
        assert_eq!(
            table.data("fen"),
            playing.position(),
            "at {width} × {height} × {pixel_ratio}"
        );
    }
}

#[test]
fn nothing_scrolls_during_play() {
    for device in [DESK, PHONE] {
        for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
            let mut table = Table::open(device, &format!("#/{game}?opponent=human&speed=0"));
            let overflow = table.browser.call("overflow", json!([]));
            for side in ["height", "width"] {
                assert!(overflow[side].as_i64().unwrap() <= 0, "{game}: {overflow}");
            }
        }
    }
}

#[test]
fn language_and_theme_follow_the_browser_and_are_kept() {
    let japanese = Device {
        language: "ja",
        scheme: "dark",
        ..DESK
    };
    let mut table = Table::open(japanese, "#/lilypads?opponent=human");
    let root = |table: &mut Table| {
        let root = table.browser.call("root", json!([]));
        (root["lang"].clone(), root["theme"].clone())
    };
    assert_eq!(root(&mut table), (json!("ja"), json!("dark")));
    assert_eq!(table.browser.text(".msg h2"), "青の番です");
    table.browser.click_on("#settings");
    table.browser.wait_for_element(".set");
    table.browser.click_on("input[name=language][value=en]");
    table.browser.click_on("input[name=theme][value=light]");
    table.browser.press("Escape");
    assert_eq!(root(&mut table), (json!("en"), json!("light")));
    table
        .browser
        .open(&format!("{}#/lilypads?opponent=human", site()));
    assert_eq!(root(&mut table), (json!("en"), json!("light")));
    assert_eq!(table.browser.text(".msg h2"), "Blue to move");
}

#[test]
fn moves_can_be_typed_taken_back_and_given_up() {
    let mut table = Table::open(DESK, "#/nonaga?opponent=human&speed=0");
    let start = table.data("fen");
    table.browser.press("m");
    for letter in "2,-2>-1,1".chars() {
        table
            .browser
            .send("Input.insertText", json!({"text": letter.to_string()}));
    }
    table.browser.press("Enter");
    table.rest();
    assert!(
        table.data("fen").ends_with("first shift"),
        "{}",
        table.data("fen")
    );
    // One step inside of a turn can be taken back.
    table.browser.click_on("#undo");
    assert_eq!(table.data("fen"), start);
    table.browser.click_on("#redo");
    assert!(table.data("fen").ends_with("first shift"));
    table.browser.click_on("#resign");
    assert_eq!(table.data("result"), "none", "one press is not enough");
    table.browser.click_on("#resign");
    assert_eq!(table.data("result"), "p2win");
}

#[test]
fn escape_and_the_background_put_back_what_was_taken_up() {
    let mut table = Table::open(DESK, "#/lilypads?opponent=human&speed=0&board=42");
    let legend = ".key span";
    table.play(Hand::Keys, &["0".to_owned()]);
    assert_eq!(table.browser.count(legend), 3);
    table.browser.press("Escape");
    assert_eq!(table.browser.count(legend), 0);
    table.play(Hand::Mouse, &["0".to_owned()]);
    assert_eq!(table.browser.count(legend), 3);
    let place = table.browser.call("boardPlace", json!([]));
    let [left, top, height] = ["left", "top", "height"].map(|name| place[name].as_f64().unwrap());
    table.browser.click(left + 3.0, top + height / 2.0);
    assert_eq!(table.browser.count(legend), 0);
}

#[test]
fn a_new_game_is_put_together_in_the_sheet() {
    let mut table = Table::open(DESK, "#/lilypads?opponent=human&speed=0");
    table.browser.click_on("#new");
    table.browser.wait_for_element(".sheet");
    table.browser.screenshot("sheet");
    table.browser.click_on("input[value=simply-go]");
    table.browser.click_on("input[name=size][value='9']");
    table.browser.click_on("input[value='moves:40']");
    table.browser.click_on("#start");
    table
        .browser
        .wait_for("hasData", json!(["game", "simply-go"]));
    assert!(
        table.data("fen").ends_with("moves:40"),
        "{}",
        table.data("fen")
    );
    let hash = table.browser.fragment();
    assert_eq!(
        hash,
        "#/simply-go?opponent=human&size=9&mode=moves:40&speed=0"
    );
}

/// The rules can be read, and the focus comes back afterwards.
#[test]
fn the_rules_can_be_read() {
    let mut table = Table::open(DESK, "#/simply-go?opponent=human&speed=0&size=9");
    table.browser.call("focus", json!(["#help"]));
    table.browser.press("Enter");
    table.browser.wait_for("isFocusInside", json!(["dialog"]));
    assert_eq!(table.browser.count(".help li"), 8);
    assert_eq!(table.browser.count(".help .fig svg"), 3);
    table.browser.screenshot("help");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!([".help"]));
    let focused = table.browser.call("focused", json!([]));
    assert_eq!(focused["id"], "help");
}
