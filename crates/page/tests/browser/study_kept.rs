//! What is done on the analysis board is kept: arrows and comments, in files, in two tabs.

use catalog::AnyMatch;
use rules::record::NodeId;
use serde_json::json;

use super::{
    chromium::{DESK, PHONE},
    study::{HANDS, open, play, reload, wait_for_fen},
    table::{Hand, Table, clicks},
};

/// The match that the address of an analysis holds.
fn in_address(table: &mut Table) -> Box<dyn AnyMatch> {
    let fragment = table.browser.fragment();
    let fragment = fragment.as_str().unwrap();
    let link = fragment.strip_prefix("#/analysis/shared/").unwrap();
    let link = link.split('?').next().unwrap();
    catalog::read_link(link).unwrap()
}

fn start() -> Box<dyn AnyMatch> {
    let game = catalog::find("takeover").unwrap();
    game.start(&[("board", "7")]).unwrap()
}

#[test]
fn arrows_are_drawn_and_removed_by_every_hand() {
    let arrow = ["c3", "d5"].map(str::to_owned);
    for (device, hand) in HANDS {
        let mut table = open(device, "#/analysis/takeover?board=7&speed=0");
        table.press(hand, "#draw");
        table.browser.wait_for_element("#draw[aria-pressed=true]");
        // What to do is said on phones, too.
        let shown = table.browser.call("isShown", json!([".cap .told"]));
        assert_eq!(shown, true, "{hand:?}");
        table.play(hand, &arrow);
        table.browser.wait_for("addressHas", json!(["/shared/"]));
        let comment = |table: &mut Table| in_address(table).comment_at(NodeId::ROOT).to_owned();
        assert_eq!(comment(&mut table).trim(), "[arrow c3 d5]");
        table.browser.call("write", json!(["#comment", "A way in"]));
        table.browser.wait_for_element(".cmt");
        assert_eq!(comment(&mut table), "[arrow c3 d5] A way in");
        table
            .browser
            .screenshot(&format!("arrow-{}-{hand:?}", device.language));
        // It is there after a reload, and the same once more removes it.
        reload(&mut table);
        assert_eq!(table.browser.text(".cmt"), "A way in");
        table.press(hand, "#draw");
        table.browser.wait_for_element("#draw[aria-pressed=true]");
        table.play(hand, &arrow);
        table.browser.call("nextFrame", json!([]));
        assert_eq!(comment(&mut table), "A way in");
        // Then clicks are moves again.
        table.press(hand, "#draw");
        table.browser.wait_for_element("#draw[aria-pressed=false]");
        let (now, m) = (start(), start().legal_moves()[0].clone());
        play(&mut table, hand, "takeover", &now.position(), &m);
        table.browser.wait_for_element("#study-moves .cur");
        assert_eq!(table.browser.complaints, [""; 0], "{hand:?}");
    }
}

#[test]
fn an_analysis_comes_back_from_its_file() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    let (now, moves) = (start(), start().legal_moves());
    for m in [&moves[0], &moves[1]] {
        play(&mut table, Hand::Mouse, "takeover", &now.position(), m);
        table.browser.wait_for_element("#study-moves .cur");
        table
            .browser
            .call("write", json!(["#comment", format!("Why {m}?")]));
        table.browser.call("click", json!([".hist #first"]));
        wait_for_fen(&mut table, &now.position());
    }
    table.browser.call("catchDownloads", json!([]));
    table.browser.click_on(".hist #share");
    table.browser.wait_for_element("#share-file");
    table.browser.click_on("#share-file");
    table.browser.wait_for("hasDownloads", json!([1]));
    let files = table.browser.call("downloaded", json!([]));
    let file = files[0][2].as_str().unwrap();
    // In a browser that has never seen it: as a file, and as text where positions are set up.
    let mut other = Table::open(DESK, "#/library");
    other.browser.wait_for_element(".library .empty");
    other
        .browser
        .call("chooseFiles", json!(["#import", [file]]));
    other.browser.wait_for("hasCount", json!([".card a", 1]));
    let mut third = open(PHONE, "#/analysis/nonaga?speed=0");
    third.press(Hand::Finger, "#phone-set-up");
    third.browser.wait_for_element(".setup");
    third.browser.call("write", json!(["#position", file]));
    third.press(Hand::Finger, "#set-up-done");
    third
        .browser
        .wait_for("hasData", json!(["game", "takeover"]));
    third
        .browser
        .wait_for("hasCount", json!(["#study-moves .cmt", 2]));
    let comments = third.browser.call("texts", json!([".cmt"]));
    let wanted = [&moves[0], &moves[1]].map(|m| format!("Why {m}?"));
    assert_eq!(comments, json!(wanted));
    assert_eq!(third.browser.count("#study-moves .var"), 1);
    for table in [&mut table, &mut other, &mut third] {
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// A match is played in one tab and analyzed in another: neither loses anything.
#[test]
fn a_match_goes_on_while_another_tab_analyzes_it() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&board=7&speed=0");
    table.rest();
    let mut now = start();
    let make = |table: &mut Table, now: &mut Box<dyn AnyMatch>| {
        let m = now.legal_moves()[0].clone();
        table.play(Hand::Mirror, &clicks(&**now, &m));
        now.play(&m).unwrap();
        wait_for_fen(table, &now.position());
        let n = now.moves().len();
        table.browser.wait_for("isPlyStored", json!([n]));
    };
    make(&mut table, &mut now);
    make(&mut table, &mut now);
    let address = table.browser.fragment();
    let address = address.as_str().unwrap().replacen("#/", "#/analysis/", 1);
    let open = format!("tests.openSecondTab({})", json!(address));
    let params = json!({"expression": open, "userGesture": true, "returnByValue": true});
    let answer = table.browser.send("Runtime.evaluate", params);
    assert_eq!(answer["result"]["value"], true, "{answer}");
    table
        .browser
        .wait_for("secondHasData", json!(["fen", now.position()]));
    let try_there = |table: &mut Table, now: &dyn AnyMatch, m: &str| {
        for id in clicks(now, m) {
            table.browser.call("secondClickTarget", json!([id]));
        }
        let mut after = now.boxed_clone();
        after.play(m).unwrap();
        table
            .browser
            .wait_for("secondHasData", json!(["fen", after.position()]));
        after
    };
    // A piece that is held here stays in the hand while something is tried there.
    let held = now.legal_moves().into_iter();
    let held = held.map(|m| (clicks(&*now, &m), m));
    let (ids, m) = held.into_iter().find(|(ids, _)| ids.len() == 2).unwrap();
    table.play(Hand::Mirror, &ids[..1]);
    let mut others = now.legal_moves().into_iter();
    let tried = others.rfind(|other| *other != m).unwrap();
    let mut there = try_there(&mut table, &*now, &tried);
    let tries = ".mv .var button";
    table.browser.wait_for("hasCount", json!([tries, 1]));
    table.play(Hand::Mirror, &ids[1..]);
    now.play(&m).unwrap();
    wait_for_fen(&mut table, &now.position());
    // The other tab knows, and shows what it did before.
    let main = "#study-moves li:not(.var) button";
    table.browser.wait_for("secondHasCount", json!([main, 3]));
    let position = json!(["fen", there.position()]);
    table.browser.wait_for("secondHasData", position);
    // Both at once, whoever is first.
    let mut all_tried = vec![tried];
    for _ in 0..4 {
        let [m, tried] = [&now, &there].map(|playing| playing.legal_moves()[0].clone());
        let ids = json!([clicks(&*now, &m), clicks(&*there, &tried)]);
        table.browser.call("playInBoth", ids);
        now.play(&m).unwrap();
        there.play(&tried).unwrap();
        all_tried.push(tried);
        let (n_moves, n_tried) = (now.moves().len(), all_tried.len());
        table.browser.wait_for("hasCount", json!([tries, n_tried]));
        table
            .browser
            .wait_for("secondHasCount", json!([main, n_moves]));
        let position = json!(["fen", there.position()]);
        table.browser.wait_for("secondHasData", position);
        wait_for_fen(&mut table, &now.position());
        table.browser.wait_for("isPlyStored", json!([n_moves]));
    }
    let entries = table.browser.call("storedMatches", json!([]));
    assert_eq!(entries.as_array().unwrap().len(), 1);
    let text = entries[0][1].as_str().unwrap();
    for m in &all_tried {
        assert!(text.contains(m.as_str()), "{text}");
    }
    assert_eq!(table.browser.complaints, [""; 0]);
}
