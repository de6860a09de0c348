//! The weights of Takeover and Ataxx are files, which the worker fetches when it needs them.

use page::File;
use serde_json::json;

use super::{
    chromium::{Chromium, DESK},
    offline::{Stand, visit, without_service_worker},
    table::{Hand, Table, clicks},
};

fn match_at(stand: &Stand, options: &str) -> String {
    let address = stand.address();
    format!("{address}#/takeover?color=first&board=7&speed=0&seed=3&{options}")
}

/// Plays a turn, and waits for the answer of the machine.
fn play_turn(table: &mut Table) {
    table.rest();
    let (fen, turn) = (table.data("fen"), table.data("turn"));
    let playing = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
    let m = playing.legal_moves()[0].clone();
    table.play(Hand::Mirror, &clicks(&*playing, &m));
    table.rest();
    assert_ne!(table.data("fen"), fen);
    assert_eq!(table.data("turn"), turn);
}

fn is_weights(file: &&mut File) -> bool {
    file.name.ends_with(".weights")
}

/// The page with files of weights that lack their ends.
fn damaged(mut files: Vec<File>) -> Vec<File> {
    for file in files.iter_mut().filter(is_weights) {
        file.whole = file.whole[..file.whole.len() / 2].to_vec().into();
        file.small = None;
    }
    files
}

#[test]
fn weights_are_fetched_when_a_match_first_needs_them() {
    let stand = Stand::open(without_service_worker());
    let mut table = Table {
        browser: Chromium::start(DESK),
    };
    for (options, fetched) in [
        ("opponent=level-2", &[][..]),
        ("opponent=classic", &[]),
        ("opponent=level-8", &["takeover"]),
        ("opponent=level-8&variant=ataxx", &["takeover", "ataxx"]),
    ] {
        table.browser.open(&match_at(&stand, options));
        play_turn(&mut table);
        // Browsers keep what they fetched before.
        assert_eq!(stand.weights_asked_for(), fetched, "{options}");
        assert_eq!(table.browser.count(".notice"), 0, "{options}");
    }
    assert_eq!(table.browser.complaints, [""; 0]);
    stand.close();
}

#[test]
fn an_opponent_whose_weights_are_missing_or_damaged_plays_on_and_says_so() {
    let mut missing = without_service_worker();
    missing.retain(|file| !file.name.ends_with(".weights"));
    for (files, name) in [
        (missing, "missing"),
        (damaged(without_service_worker()), "damaged"),
    ] {
        let stand = Stand::open(files);
        let mut table = Table {
            browser: Chromium::start(DESK),
        };
        table.browser.open(&match_at(&stand, "opponent=level-8"));
        play_turn(&mut table);
        table.browser.wait_for_element(".notice");
        table.browser.screenshot(&format!("weights-{name}"));
        let notice = table.browser.text(".notice");
        assert!(notice.contains("weaker than its level"), "{notice}");
        table.browser.click_on(".notice button");
        play_turn(&mut table);
        assert_eq!(table.browser.count(".notice"), 0, "it is said once");
        // They are fetched anew for the next match.
        stand.serve(without_service_worker());
        table
            .browser
            .open(&match_at(&stand, "opponent=level-8&seed=4"));
        play_turn(&mut table);
        assert_eq!(table.browser.count(".notice"), 0, "{name}");
        stand.close();
    }
}

/// Nobody has to close the notice for it to go when it is no longer true.
#[test]
fn a_notice_of_missing_weights_ends_with_the_match() {
    let mut missing = without_service_worker();
    missing.retain(|file| !file.name.ends_with(".weights"));
    let stand = Stand::open(missing);
    let mut table = Table {
        browser: Chromium::start(DESK),
    };
    let fragment =
        |color: &str| format!("#/takeover?color={color}&board=8&speed=0&opponent=level-8");
    let address = stand.address() + &fragment("second");
    table.browser.open(&address);
    play_turn(&mut table);
    table.browser.wait_for_element(".notice");
    // Another match in the same page.
    let begin = |table: &mut Table, color: &str| {
        table.browser.call("goTo", json!([fragment(color)]));
        table.browser.wait_for("hasData", json!(["turn", color]));
        play_turn(table);
    };
    begin(&mut table, "first");
    table.browser.wait_for_element(".notice");
    stand.serve(without_service_worker());
    // The machine moves first.
    begin(&mut table, "second");
    assert_eq!(table.browser.count(".notice"), 0);
    stand.close();
}

#[test]
fn weights_that_were_kept_damaged_are_fetched_again() {
    let stand = Stand::open(damaged(page::files().to_vec()));
    let mut table = visit(DESK, &stand);
    stand.serve(page::files().to_vec());
    // The copy in the cache can't be used, and is replaced.
    table.browser.open(&match_at(&stand, "opponent=level-8"));
    play_turn(&mut table);
    assert_eq!(table.browser.count(".notice"), 0);
    let address = match_at(&stand, "opponent=level-8&seed=5");
    stand.close();
    // Who asks past all caches still gets what is kept, if there is no network.
    let mut files = page::files().iter();
    let file = files.find(|file| file.name.ends_with(".weights"));
    let name = &*file.expect("the page has weights").name;
    let status = table.browser.call("statusOfReload", json!([name]));
    assert_eq!(status, 200);
    table.browser.open(&address);
    play_turn(&mut table);
    assert_eq!(table.browser.count(".notice"), 0);
}
