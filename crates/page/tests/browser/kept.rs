//! Matches are kept: across reloads and crashes, in two tabs, with damaged or full
//! storage; and they can be shared, exported and imported.

use rules::Random;
use serde_json::{Value, json};

use super::{
    chromium::{DESK, PHONE},
    matches::choose,
    steady::{MATCHES, open, play_turn},
    table::{Hand, Table, clicks, site},
};

fn fragment(table: &mut Table) -> String {
    table.browser.fragment().as_str().unwrap().to_owned()
}

fn wait_for_fen(table: &mut Table, fen: &str) {
    table.browser.wait_for("hasData", json!(["fen", fen]));
    table.rest();
}

/// Waits until what is played is stored: the database writes a moment later.
fn wait_for_stored(table: &mut Table) {
    let moves = table.browser.count(".mv li:not(.var) button:not(.undone)");
    table.browser.wait_for("isPlyStored", json!([moves]));
}

fn stored(table: &mut Table) -> Vec<(String, String)> {
    let entries = table.browser.call("storedMatches", json!([]));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let entries = entries.as_array().unwrap().iter();
    entries
        .map(|entry| (text(&entry[0]), text(&entry[1])))
        .collect()
}

#[test]
fn reload_back_and_forward_come_back_to_the_match() {
    for (game, choices) in MATCHES {
        let mut table = open(DESK, game, choices, "&speed=0");
        let begun = fragment(&mut table);
        assert!(begun.starts_with(&format!("#/{game}?")), "{begun}");
        let n_entries = table.browser.call("historyLength", json!([]));
        let fen = play_turn(&mut table, 1);
        let address = fragment(&mut table);
        assert!(address.starts_with("#/saved/"), "{address}");
        let n_after = table.browser.call("historyLength", json!([]));
        assert_eq!(n_after, n_entries, "the address was replaced");
        wait_for_stored(&mut table);
        table.browser.open(&format!("{}{address}", site()));
        wait_for_fen(&mut table, &fen);
        let next = play_turn(&mut table, 2);
        // Another game loses nothing.
        table
            .browser
            .call("goTo", json!(["#/nonaga?opponent=human&speed=0"]));
        table.browser.wait_for("hasData", json!(["game", "nonaga"]));
        table.browser.call("goTo", json!(["#/"]));
        table.browser.wait_for_element(".resume");
        table.browser.call("historyBack", json!([]));
        table.browser.wait_for("hasData", json!(["game", "nonaga"]));
        table.browser.call("historyBack", json!([]));
        table.browser.wait_for("hasData", json!(["game", game]));
        wait_for_fen(&mut table, &next);
        table.browser.call("historyForward", json!([]));
        table.browser.wait_for("hasData", json!(["game", "nonaga"]));
        // The home screen leads back as well.
        table.browser.call("goTo", json!(["#/"]));
        table.browser.wait_for_element(".resume li a[data-game]");
        table.browser.click_on(".resume li a[data-game]");
        wait_for_fen(&mut table, &next);
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn a_match_survives_a_crash_and_the_machine_is_asked_again() {
    let mut table = open(DESK, "takeover", &[("board", "7")], "&speed=0");
    let fen = play_turn(&mut table, 1);
    let address = fragment(&mut table);
    // The browser dies while the machine thinks.
    let now = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
    let m = choose(&*now, &mut Random::new(5));
    table.browser.call("blockWorkers", json!([true]));
    table.browser.call("killWorker", json!([]));
    table.play(Hand::Mirror, &clicks(&*now, &m));
    let own = table.data("fen");
    assert_ne!(own, fen);
    // What was played is stored a moment later.
    table.browser.wait_for("isPlyStored", json!([3]));
    table.browser.crash_and_restart(DESK);
    table.browser.open(&format!("{}{address}", site()));
    table.browser.wait_for("hasData", json!(["turn", "first"]));
    table.rest();
    let after = table.data("fen");
    assert!(after != own && after != fen, "the machine has answered");
}

#[test]
fn taking_back_and_a_result_survive_a_reload() {
    let mut table = open(DESK, "nonaga", &[], "&speed=0");
    let first = play_turn(&mut table, 1);
    let second = play_turn(&mut table, 2);
    table.browser.click_on("#undo");
    table.rest();
    table.browser.click_on("#undo");
    table.rest();
    let address = fragment(&mut table);
    wait_for_stored(&mut table);
    table.browser.open(&format!("{}{address}", site()));
    wait_for_fen(&mut table, &first);
    while table.browser.count("#redo:not(:disabled)") == 1 {
        table.browser.click_on("#redo");
        table.rest();
    }
    assert_eq!(table.data("fen"), second);
    table.browser.click_on("#resign");
    table.browser.click_on("#resign");
    table
        .browser
        .wait_for("hasData", json!(["result", "p2win"]));
    table.browser.wait_for("areResignationsStored", json!([1]));
    table.browser.open(&format!("{}{address}", site()));
    table
        .browser
        .wait_for("hasData", json!(["result", "p2win"]));
    table.browser.wait_for_element("#again");
}

#[test]
fn two_tabs_of_a_match_follow_each_other() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&board=7&speed=0");
    table.rest();
    let play = |table: &mut Table, seed: u64, is_second: bool| {
        let fen = table.data("fen");
        let now = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
        let m = choose(&*now, &mut Random::new(seed));
        for id in clicks(&*now, &m) {
            let name = if is_second {
                "secondClickTarget"
            } else {
                "clickTarget"
            };
            table.browser.call(name, json!([id]));
        }
        let mut next = now.clone();
        next.play(&m).unwrap();
        next.position()
    };
    play(&mut table, 1, false);
    let fen = table.data("fen");
    let address = fragment(&mut table);
    wait_for_stored(&mut table);
    let open = format!("tests.openSecondTab({})", json!(address));
    let params = json!({"expression": open, "userGesture": true, "returnByValue": true});
    let answer = table.browser.send("Runtime.evaluate", params);
    assert_eq!(answer["result"]["value"], true, "{answer}");
    table.browser.wait_for("secondHasData", json!(["fen", fen]));
    // Each follows the other.
    for seed in 2..8 {
        let is_second = seed % 2 == 0;
        let next = play(&mut table, seed, is_second);
        table.browser.wait_for("hasData", json!(["fen", next]));
        table
            .browser
            .wait_for("secondHasData", json!(["fen", next]));
    }
    // Both at once: one of them is first, and both agree on it.
    let fen = table.data("fen");
    let now = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
    let moves = now.legal_moves();
    let (a, b) = (
        clicks(&*now, &moves[0]),
        clicks(&*now, &moves[moves.len() - 1]),
    );
    table.browser.call("playInBoth", json!([a, b]));
    let is_known = |table: &mut Table| {
        let (one, two) = (
            table.data("fen"),
            table.browser.call("secondData", json!(["fen"])),
        );
        (one == two.as_str().unwrap()).then_some(one)
    };
    table.browser.wait_for("bothAgree", json!([]));
    let agreed = is_known(&mut table).expect("both show the same");
    assert_ne!(agreed, fen);
    let entries = stored(&mut table);
    assert_eq!(entries.len(), 1, "there is one match");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn storage_that_is_full_gives_one_notice_and_play_goes_on() {
    let mut table = open(PHONE, "takeover", &[("board", "7")], "&speed=0");
    table.browser.call("fillStorage", json!([]));
    play_turn(&mut table, 1);
    table.browser.wait_for_element(".notice.float");
    let fen = play_turn(&mut table, 2);
    assert_eq!(table.browser.count(".notice.float"), 1);
    table.browser.click_on(".notice.float button");
    table.browser.wait_for("hasNot", json!([".notice.float"]));
    // Within the visit nothing is lost.
    let address = fragment(&mut table);
    table.browser.call("goTo", json!(["#/"]));
    table.browser.wait_for_element(".resume");
    table.browser.call("goTo", json!([address]));
    wait_for_fen(&mut table, &fen);
    play_turn(&mut table, 3);
}

#[test]
fn a_browser_without_storage_plays_too() {
    let mut table = Table::open(DESK, "#/");
    table
        .browser
        .inject("Object.defineProperty(globalThis, 'indexedDB', { value: undefined });");
    let fragment = "#/takeover?board=7&opponent=level-2&color=first&speed=0";
    table.browser.open(&format!("{}{fragment}", site()));
    table.rest();
    play_turn(&mut table, 1);
    table.browser.wait_for_element(".notice.float");
    play_turn(&mut table, 2);
    table.browser.call("goTo", json!(["#/library"]));
    table.browser.wait_for_element(".card a");
}

#[test]
fn mutated_links_and_stored_matches_never_break_the_page() {
    let mut table = open(DESK, "takeover", &[("board", "7")], "&speed=0");
    play_turn(&mut table, 1);
    table.browser.click_on("#share");
    table.browser.wait_for_element("#share-link");
    let link = table.browser.call("value", json!(["#share-link"]));
    let link = link.as_str().unwrap().split('#').nth(1).unwrap().to_owned();
    table.browser.press("Escape");
    wait_for_stored(&mut table);
    let (id, text) = stored(&mut table).remove(0);
    let mut random = Random::new(9);
    let mut mutate = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(letters.len() as u32) as usize;
            match random.below(3) {
                0 => drop(letters.remove(at)),
                1 => letters[at] = char::from(33 + random.below(90) as u8),
                _ => letters.insert(at, '%'),
            }
        }
        letters.into_iter().collect::<String>()
    };
    let links: Vec<_> = (0..300).map(|_| format!("#{}", mutate(&link))).collect();
    table.browser.call("visitAll", json!([links]));
    for n in 0..40 {
        let damaged = mutate(&text);
        table
            .browser
            .call("storeMatch", json!([format!("{id}{n}"), damaged]));
    }
    for strange in [json!(null), json!(7), json!({"a": [1]}), json!("")] {
        let name = format!("strange{strange}");
        table.browser.call("storeMatch", json!([name, strange]));
    }
    let saved: Vec<_> = (0..40).map(|n| format!("#/saved/{id}{n}")).collect();
    table.browser.call("visitAll", json!([saved]));
    table.browser.call(
        "visitAll",
        json!([["#/library", "#/", "#/saved/", "#/shared/", "#/saved/nobody"]]),
    );
    table.browser.call("goTo", json!(["#/library"]));
    table.browser.wait_for_element(".card.bad, #page-on");
    // And a match can be played after all that.
    table
        .browser
        .call("goTo", json!([format!("#/saved/{id}?speed=0")]));
    table
        .browser
        .wait_for("hasData", json!(["game", "takeover"]));
    table.rest();
    play_turn(&mut table, 2);
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// A match stays open until the next one is there. What happens in it by then is stored, and the
/// address is not touched.
#[test]
fn a_first_move_while_a_link_is_opened_keeps_the_link() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&board=7&speed=0");
    table.rest();
    table.play(Hand::Mirror, &["b5".to_owned()]);
    let next = catalog::find("nonaga").unwrap().start(&[]).unwrap();
    let address = format!("#/shared/{}?speed=0", next.to_link());
    // The browser reports the new address later.
    table.browser.run(&format!(
        "location.hash = '{address}';
        document.querySelector('.mirror [data-target=c4]').click();"
    ));
    table.browser.wait_for("hasData", json!(["game", "nonaga"]));
    assert_eq!(fragment(&mut table), address);
    table.browser.wait_for("isPlyStored", json!([1]));
    assert_eq!(stored(&mut table).len(), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn a_shared_link_brings_position_and_history_to_a_fresh_browser() {
    for (game, choices) in MATCHES {
        let mut table = open(DESK, game, choices, "&speed=0");
        for seed in 1..3 {
            play_turn(&mut table, seed);
        }
        let fen = table.data("fen");
        let moves = table.browser.call("texts", json!([".mv li button"]));
        table.browser.click_on("#share");
        table.browser.wait_for_element("#share-link");
        assert_eq!(table.browser.count(".qr"), 1);
        let link = table.browser.call("value", json!(["#share-link"]));
        let link = link.as_str().unwrap().to_owned();
        table
            .browser
            .call("clickValue", json!(["share-part", "position"]));
        table
            .browser
            .wait_for("hasOtherValue", json!(["#share-link", link]));
        let position = table.browser.call("value", json!(["#share-link"]));
        let position = position.as_str().unwrap().to_owned();
        let mut fresh = Table::open(DESK, link.trim_start_matches(site()));
        fresh.rest();
        assert_eq!(fresh.data("fen"), fen, "{game}");
        assert_eq!(fresh.browser.call("texts", json!([".mv li button"])), moves);
        fresh.browser.open(&position);
        fresh.rest();
        assert_eq!(fresh.data("fen"), fen, "{game}");
        assert_eq!(fresh.browser.count(".mv li button"), 0);
    }
}

#[test]
fn pictures_and_files_are_offered() {
    let mut table = open(DESK, "takeover", &[("board", "7")], "&speed=0");
    play_turn(&mut table, 1);
    table.browser.call("catchDownloads", json!([]));
    table.browser.click_on("#share");
    table.browser.wait_for_element("#share-file");
    for (n, button) in ["#share-file", "#share-svg", "#share-png"]
        .iter()
        .enumerate()
    {
        table.browser.click_on(button);
        table.browser.wait_for("hasDownloads", json!([n + 1]));
    }
    let files = table.browser.call("downloaded", json!([]));
    assert_eq!(files[0][0], "parlour-takeover.txt");
    let record = catalog::read_file(files[0][2].as_str().unwrap()).unwrap();
    assert_eq!(record.moves().len(), 2);
    assert_eq!(files[1][0], "parlour-takeover.svg");
    assert!(files[1][2].as_str().unwrap().starts_with("<svg"));
    assert_eq!(files[2][0], "parlour-takeover.png");
    assert!(
        files[2][1].as_u64().unwrap() > 5000,
        "there is something on it"
    );
    // The replay, and a film of it.
    table.browser.click_on("#share-replay");
    table.browser.wait_for_element("#film");
    table.browser.click_on("#film");
    table.browser.wait_for("hasDownloads", json!([4]));
    let files = table.browser.call("downloaded", json!([]));
    assert!(
        files[3][0]
            .as_str()
            .unwrap()
            .starts_with("parlour-takeover.")
    );
    assert!(files[3][1].as_u64().unwrap() > 1000);
}

#[test]
fn the_library_filters_deletes_exports_and_imports() {
    let mut table = open(DESK, "takeover", &[("board", "7")], "&speed=0");
    play_turn(&mut table, 1);
    table.browser.click_on("#resign");
    table.browser.click_on("#resign");
    table.browser.wait_for_element("#again");
    table.browser.call(
        "goTo",
        json!(["#/nonaga?opponent=level-1&color=first&speed=0"]),
    );
    table.browser.wait_for("hasData", json!(["game", "nonaga"]));
    table.rest();
    play_turn(&mut table, 1);
    table.browser.call("goTo", json!(["#/library"]));
    table.browser.wait_for("hasCount", json!([".card", 2]));
    // Filters.
    table
        .browser
        .call("clickValue", json!(["library-game", "nonaga"]));
    table.browser.wait_for("hasCount", json!([".card", 1]));
    table
        .browser
        .call("clickValue", json!(["library-game", ""]));
    table.browser.wait_for("hasCount", json!([".card", 2]));
    table
        .browser
        .call("choose", json!([".filters select:last-of-type", "lost"]));
    table.browser.wait_for("hasCount", json!([".card", 1]));
    table
        .browser
        .call("choose", json!([".filters select:last-of-type", ""]));
    table.browser.wait_for("hasCount", json!([".card", 2]));
    // The file of all of them.
    table.browser.call("catchDownloads", json!([]));
    table.browser.click_on("#export");
    table.browser.wait_for("hasDownloads", json!([1]));
    let files = table.browser.call("downloaded", json!([]));
    let file = files[0][2].as_str().unwrap().to_owned();
    // Delete, undo, delete again.
    table.browser.click_on(".card .ib");
    table.browser.wait_for("hasCount", json!([".card", 1]));
    table.browser.click_on("#undo-delete");
    table.browser.wait_for("hasCount", json!([".card", 2]));
    table.browser.click_on("#delete-all");
    assert_eq!(table.browser.count(".card"), 2, "one press is not enough");
    table.browser.click_on("#delete-all");
    table.browser.wait_for_element(".empty");
    // They come back from the file; a damaged one is named and harms nobody.
    let damaged = file.replacen("game: nonaga", "game: chess", 1);
    table
        .browser
        .call("chooseFiles", json!(["#import", [damaged, "nonsense"]]));
    table.browser.wait_for("hasCount", json!([".card", 1]));
    table.browser.wait_for_element("#imported");
    let note = table.browser.text("#imported");
    assert!(note.contains("2 couldn’t be read"), "{note}");
    table.browser.call("paste", json!([".library", file]));
    table.browser.wait_for("hasCount", json!([".card", 2]));
    // A match that was imported goes on.
    table.browser.click_on(".card a[data-game=nonaga]");
    table.browser.wait_for("hasData", json!(["game", "nonaga"]));
    table.rest();
    play_turn(&mut table, 2);
    assert_eq!(table.browser.complaints, [""; 0]);
}
