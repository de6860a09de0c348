//! What is heard, and when.

use serde_json::json;

use super::{
    chromium::{Chromium, DESK, PHONE},
    table::{Hand, Table, site},
};

fn open(browser: Chromium, fragment: &str) -> Table {
    let mut table = Table { browser };
    table.browser.inject(include_str!("js/sound.js"));
    table.browser.open(&format!("{}{fragment}", site()));
    table
}

fn n_voices(table: &mut Table) -> u64 {
    table.browser.call("nVoices", json!([])).as_u64().unwrap()
}

#[test]
fn nothing_is_heard_before_a_gesture_and_every_move_after_it() {
    let fragment = "#/takeover?opponent=human&board=7";
    let mut table = open(Chromium::start(DESK), fragment);
    // A program that plays is no gesture.
    table.play(Hand::Mirror, &["b5".to_owned(), "c4".to_owned()]);
    table.rest();
    assert_eq!(table.data("turn"), "second");
    // Neither is Escape.
    table.browser.press("Escape");
    assert_eq!(table.browser.call("nContexts", json!([])), 0);
    assert_eq!(n_voices(&mut table), 0);
    // Taken up, put down: each is heard.
    for id in ["e2", "d3"] {
        let before = n_voices(&mut table);
        table.play(Hand::Mouse, &[id.to_owned()]);
        table.browser.wait_for("hasMoreVoices", json!([before]));
        table.rest();
    }
    assert_eq!(table.data("turn"), "first");
    // Between sounds the output rests.
    table.browser.wait_for("isOutput", json!(["suspended"]));
    // Refused, and the end.
    let before = n_voices(&mut table);
    table.play(Hand::Mouse, &["e2".to_owned()]);
    table.browser.wait_for("hasMoreVoices", json!([before]));
    table.browser.wait_for("isOutput", json!(["running"]));
    let before = n_voices(&mut table);
    for _ in 0..2 {
        table.browser.click_on("#resign");
    }
    table.browser.wait_for("hasMoreVoices", json!([before]));
    assert_eq!(table.browser.call("nContexts", json!([])), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Without the part of the page that plays sounds, the device does not work for them either.
#[test]
fn an_output_that_nothing_is_heard_of_rests_too() {
    const NO_PARTS: &str = "{
        const fetch = globalThis.fetch;
        globalThis.fetch = (what, ...rest) =>
            String(what).includes('split_') ? Promise.reject(new TypeError()) : fetch(what, ...rest);
    }";
    let mut browser = Chromium::start(DESK);
    browser.inject(NO_PARTS);
    let mut table = open(browser, "#/takeover?opponent=human&board=7");
    table.play(Hand::Mouse, &["b5".to_owned()]);
    table.browser.wait_for("isOutput", json!(["suspended"]));
    assert_eq!(n_voices(&mut table), 0);
}

#[test]
fn muting_is_remembered() {
    let fragment = "#/nonaga?opponent=human&speed=0";
    let mut table = open(Chromium::start(DESK), fragment);
    let name = |table: &mut Table| {
        let name = table
            .browser
            .call("attribute", json!(["#sound", "aria-label"]));
        name.as_str().unwrap().to_owned()
    };
    assert_eq!(name(&mut table), "Mute");
    table.browser.press("s");
    assert_eq!(name(&mut table), "Unmute");
    table.browser.open(&format!("{}{fragment}", site()));
    assert_eq!(name(&mut table), "Unmute");
    table.play(Hand::Mouse, &["2,-2".to_owned(), "-1,1".to_owned()]);
    table.rest();
    assert!(table.data("fen").ends_with("first shift"));
    assert_eq!(n_voices(&mut table), 0);
    // The key that ends it is a gesture, and is heard.
    table.browser.press("s");
    assert_eq!(name(&mut table), "Mute");
    table.browser.wait_for("hasMoreVoices", json!([0]));
}

#[test]
fn phones_mute_in_the_menu() {
    let mut table = open(Chromium::start(PHONE), "#/nonaga?opponent=human&speed=0");
    table.browser.click_on(".top button");
    table.browser.wait_for_element(".menu:popover-open");
    table.browser.screenshot("menu-phone");
    let texts = table.browser.call("texts", json!([".menu button"]));
    assert!(
        texts.as_array().unwrap().contains(&json!("Mute")),
        "{texts}"
    );
}
