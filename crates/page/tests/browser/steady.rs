//! A match goes on, whatever happens around it.

use page::File;
use rules::Random;
use serde_json::json;

use super::{
    chromium::{Chromium, DESK, Device},
    matches::choose,
    offline::{Stand, without_service_worker},
    table::{Hand, Table, clicks},
};

/// A match of every game against a level, with the person first.
pub(crate) const MATCHES: [(&str, &[(&str, &str)]); 4] = [
    ("lilypads", &[("board", "42")]),
    ("nonaga", &[]),
    ("takeover", &[("board", "7")]),
    ("simply-go", &[("size", "9")]),
];

pub(crate) fn open(device: Device, game: &str, choices: &[(&str, &str)], rest: &str) -> Table {
    let choices: String = choices
        .iter()
        .map(|(name, value)| format!("&{name}={value}"))
        .collect();
    let fragment = format!("#/{game}?opponent=level-2&color=first&seed=5{rest}{choices}");
    let mut table = Table::open(device, &fragment);
    table.rest();
    table
}

/// Plays moves chosen by `seed`, none of which ends the match, until the other player has
/// answered; returns the position after the answer.
pub(crate) fn play_turn(table: &mut Table, seed: u64) -> String {
    let game = table.data("game");
    let mut random = Random::new(seed);
    loop {
        let fen = table.data("fen");
        let now = catalog::find(&game).unwrap().start_from(&fen).unwrap();
        let mut moves = now.legal_moves();
        moves.retain(|m| {
            let mut next = now.clone();
            m != "pass" && next.play(m).is_ok() && next.ending().is_none()
        });
        let m = random.pick(&moves).unwrap().clone();
        let mut next = now.clone();
        next.play(&m).unwrap();
        table.play(Hand::Mirror, &clicks(&*now, &m));
        if next.turn() != now.turn() {
            break;
        }
        table.rest();
    }
    table.rest();
    assert_eq!(table.data("turn"), "first", "{game}");
    table.data("fen")
}

/// Takes back until the match is at its start again.
fn undo_all(table: &mut Table) {
    while table.browser.count("#undo:not(:disabled)") == 1 {
        table.browser.click_on("#undo");
        table.rest();
    }
}

#[test]
fn undo_and_the_same_move_again_get_the_same_answer() {
    for (game, choices) in MATCHES {
        let mut table = open(DESK, game, choices, "&speed=0");
        let start = table.data("fen");
        let answered = play_turn(&mut table, 1);
        for _ in 0..2 {
            undo_all(&mut table);
            assert_eq!(table.data("fen"), start, "{game}");
            assert_eq!(play_turn(&mut table, 1), answered, "{game}");
        }
        assert_eq!(table.browser.count("#retry"), 0);
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn the_first_move_of_the_machine_is_not_the_persons_to_take_back() {
    let fragment = "#/takeover?opponent=classic&color=second&speed=0&board=7";
    let mut table = Table::open(DESK, fragment);
    table.rest();
    assert_eq!(table.data("turn"), "second");
    assert_eq!(table.browser.count("#undo:disabled"), 1);
}

#[test]
fn stop_keeps_the_worker_and_one_that_died_is_replaced() {
    let fragment = "#/takeover?opponent=level-10&color=first&speed=0&board=7";
    let mut table = Table::open(DESK, fragment);
    table.rest();
    let playing = catalog::find("takeover").unwrap();
    let playing = playing.start(&[("board", "7")]).unwrap();
    let m = choose(&*playing, &mut Random::new(2));
    let ids = json!([clicks(&*playing, &m)]);
    for _ in 0..3 {
        assert_eq!(table.browser.call("undoThought", ids.clone())[0], "true");
    }
    assert_eq!(table.browser.call("countWorkers", json!([])), 1);
    // It dies in the middle of a thought; the next one is asked by itself.
    table.play(Hand::Mirror, &clicks(&*playing, &m));
    table.browser.call("killWorker", json!([]));
    table.rest();
    assert_eq!(table.data("turn"), "first");
    assert_eq!(table.browser.call("countWorkers", json!([])), 2);
    assert_eq!(table.browser.count("#retry"), 0);
    // And one that dies while nobody needs it is not missed either.
    table.browser.call("killWorker", json!([]));
    let before = table.data("fen");
    assert_ne!(play_turn(&mut table, 3), before);
}

#[test]
fn a_worker_that_can_not_be_had_offers_another_try() {
    let fragment = "#/nonaga?opponent=classic&color=first&speed=0";
    let mut table = Table::open(DESK, fragment);
    table.rest();
    let game = catalog::find("nonaga").unwrap().start(&[]).unwrap();
    let m = choose(&*game, &mut Random::new(1));
    table.play(Hand::Mirror, &clicks(&*game, &m));
    table.rest();
    let fen = table.data("fen");
    let now = catalog::find("nonaga").unwrap().start_from(&fen).unwrap();
    table.browser.call("blockWorkers", json!([true]));
    table.browser.call("killWorker", json!([]));
    let m = choose(&*now, &mut Random::new(1));
    table.play(Hand::Mirror, &clicks(&*now, &m));
    table.browser.wait_for_element("#retry");
    table.browser.call("blockWorkers", json!([false]));
    table.browser.click_on("#retry");
    table.rest();
    table.browser.wait_for("hasData", json!(["turn", "first"]));
}

/// A worker's program that can't be fetched is noticed at once, and fetched again when asked to.
#[test]
fn a_program_that_does_not_arrive_offers_another_try() {
    let mut files = without_service_worker();
    let is_program = |file: &File| file.name.starts_with("worker-") && file.name.ends_with(".wasm");
    files.retain(|file| !is_program(file));
    let stand = Stand::open(files);
    let mut browser = Chromium::start(DESK);
    let fragment = "#/takeover?opponent=classic&color=first&speed=0&board=7";
    browser.open(&format!("{}{fragment}", stand.address()));
    let mut table = Table { browser };
    table.rest();
    let game = catalog::find("takeover").unwrap();
    let game = game.start(&[("board", "7")]).unwrap();
    let m = choose(&*game, &mut Random::new(1));
    table.play(Hand::Mirror, &clicks(&*game, &m));
    table.browser.wait_for_element("#retry");
    stand.serve(without_service_worker());
    table.browser.click_on("#retry");
    table.rest();
    table.browser.wait_for("hasData", json!(["turn", "first"]));
    stand.close();
}

#[test]
fn a_hidden_tab_never_stalls_a_match() {
    for (game, choices) in MATCHES {
        let mut table = open(DESK, game, choices, "");
        // Hidden in the middle of a motion, the match goes on at once.
        let now = catalog::find(game).unwrap().start(choices).unwrap();
        let m = choose(&*now, &mut Random::new(4));
        table.play(Hand::Mirror, &clicks(&*now, &m));
        table.browser.call("setHidden", json!([true]));
        table.rest();
        let hidden = table.data("fen");
        assert_ne!(hidden, now.position(), "{game}");
        // And it is played on out of sight.
        play_turn(&mut table, 6);
        table.browser.call("setHidden", json!([false]));
        table.rest();
        assert_ne!(table.data("fen"), hidden, "{game}");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn a_bad_link_in_the_middle_of_a_match_leads_home() {
    let mut table = open(DESK, "nonaga", &[], "");
    for link in ["#/chess", "#/nonaga?variant=none", "#/lilypads?board=x"] {
        // The board is left while a piece slides.
        table
            .browser
            .call("goTo", json!(["#/nonaga?opponent=human"]));
        table.browser.wait_for("hasData", json!(["turn", "first"]));
        table.rest();
        let slide = ["2,-2", "-1,1"].map(str::to_owned);
        table.play(Hand::Mirror, &slide);
        table.browser.call("goTo", json!([link]));
        table.browser.wait_for_element(".home .notice");
        table.browser.click_on(".notice button:not(#back)");
        table.browser.wait_for_element("dialog[open]");
        table.browser.press("Escape");
        let back = "#/nonaga?opponent=level-2&color=first&speed=0";
        table.browser.call("goTo", json!([back]));
        table.browser.wait_for_element(".mirror");
        table.rest();
        play_turn(&mut table, 2);
    }
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn the_worker_is_fetched_after_the_page_can_be_used() {
    let mut table = open(DESK, "takeover", &[], "&speed=0");
    play_turn(&mut table, 1);
    let times = table.browser.call("startTimes", json!([]));
    let times: Vec<f64> = times
        .as_array()
        .unwrap()
        .iter()
        .map(|time| time.as_f64().unwrap())
        .collect();
    let (ready, worker) = times.split_first().unwrap();
    assert!(!worker.is_empty(), "the worker's script is seen");
    assert!(worker.iter().all(|time| time >= ready), "{times:?}");
}
