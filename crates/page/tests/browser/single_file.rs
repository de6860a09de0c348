//! The page as one file, without any server.

use serde_json::json;

use super::{
    chromium::{Chromium, DESK, PHONE},
    offline::play_out,
    table::Table,
};

fn address() -> String {
    let file = std::env::var("PARLOUR_FILE").expect("cargo xtask browser names the file");
    assert!(std::fs::metadata(&file).unwrap().len() <= 2_000_000);
    format!("file://{file}")
}

/// Everything that was asked for is the file itself, or was made in the browser.
fn check_requests(browser: &Chromium) {
    let is_local = |address: &&String| {
        let starts = ["file:///", "blob:null/", "data:", "about:blank"];
        starts.iter().any(|start| address.starts_with(start))
    };
    let others: Vec<_> = browser
        .requests
        .iter()
        .filter(|address| !is_local(address))
        .collect();
    assert_eq!(others, [""; 0]);
    let n_files = browser.requests.iter().filter(|it| it.starts_with("file:"));
    assert!(n_files.clone().all(|it| it.contains("parlour.html")));
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn a_whole_match_against_a_level() {
    let mut table = Table {
        browser: Chromium::start(DESK),
    };
    let fragment = "#/takeover?opponent=level-7&color=first&speed=0&board=7&seed=3";
    table.browser.open(&format!("{}{fragment}", address()));
    play_out(&mut table, 1);
    table.browser.screenshot("single-file");
    assert_eq!(table.browser.count(".res"), 1);
    assert_eq!(table.browser.count(".notice"), 0, "it has its weights");
    // The same worker plays the other games.
    for game in ["lilypads", "nonaga", "simply-go"] {
        let fragment = format!("#/{game}?opponent=level-3&color=second&speed=0&seed=3");
        table.browser.call("goTo", json!([fragment]));
        table.browser.wait_for("hasData", json!(["game", game]));
        table.rest();
        assert_eq!(table.data("turn"), "second", "{game}");
    }
    // What a server sends when it is needed is there as well.
    table.browser.press("?");
    table.browser.wait_for_element("dialog .keys");
    check_requests(&table.browser);
}

/// Browsers may keep nothing for a file: play goes on all the same.
#[test]
fn nothing_has_to_be_stored() {
    let mut browser = Chromium::start(PHONE);
    browser.inject("tests.forbidStorage()");
    let fragment = "#/nonaga?opponent=level-1&color=second&speed=0&seed=3";
    browser.open(&format!("{}{fragment}", address()));
    let mut table = Table { browser };
    table.rest();
    assert_eq!(table.data("turn"), "second");
    table.browser.click_on("#settings");
    table.browser.wait_for_element(".set .note");
    table.browser.click_on("input[name=language][value=ja]");
    assert_eq!(table.browser.call("root", json!([]))["lang"], "ja");
    check_requests(&table.browser);
}
