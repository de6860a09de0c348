//! Two people at one device, and clocks.

use rules::Random;
use serde_json::json;

use super::{
    chromium::{DESK, PHONE},
    matches::choose,
    steady::play_turn,
    table::{Hand, Table, clicks, site},
};

const FIRST: &str = "[data-clock=first]";
const SECOND: &str = "[data-clock=second]";

/// Five minutes, in milliseconds.
const FIVE_MINUTES: u64 = 300_000;

fn open(game: &str, rest: &str) -> Table {
    let mut table = Table::open(DESK, &format!("#/{game}?opponent=human&speed=0{rest}"));
    table.rest();
    table
}

/// Plays one move.
fn play(table: &mut Table) {
    let game = table.data("game");
    let fen = table.data("fen");
    let now = catalog::find(&game).unwrap().start_from(&fen).unwrap();
    let m = choose(&*now, &mut Random::new(3));
    table.play(Hand::Mirror, &clicks(&*now, &m));
    table.rest();
}

/// So much time is over, and the page has noticed.
fn skip_time(table: &mut Table, clock: &str, milliseconds: u64) {
    let before = table.browser.text(clock);
    table.browser.call("skipTime", json!([milliseconds]));
    table
        .browser
        .wait_for("hasOtherText", json!([clock, before]));
}

fn reload(table: &mut Table) {
    let fragment = table.browser.fragment();
    let fragment = fragment.as_str().unwrap();
    assert!(fragment.starts_with("#/saved/"), "{fragment}");
    table.browser.wait_for("isStored", json!([]));
    table.browser.open(&format!("{}{fragment}", site()));
    table.browser.wait_for_element(".mirror");
    table.rest();
}

fn stored_match(table: &mut Table) -> String {
    let matches = table.browser.call("storedMatches", json!([]));
    matches[0][1].as_str().unwrap().to_owned()
}

#[test]
fn whoever_runs_out_of_time_loses_and_the_record_says_so() {
    for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
        let mut table = open(game, "&clock=300000+0");
        assert_eq!(table.browser.count(".clk.run"), 0, "nobody has moved");
        // A turn of Nonaga is two moves.
        while table.data("turn") == "first" {
            play(&mut table);
        }
        assert_eq!(table.browser.count(&format!("{SECOND}.run")), 1);
        table.browser.call("skipTime", json!([FIVE_MINUTES]));
        table
            .browser
            .wait_for("hasData", json!(["result", "p1win"]));
        table.browser.wait_for_element(".res");
        assert!(table.browser.text(".res").contains("Out of time"));
        assert_eq!(table.browser.text(SECOND), "0.0");
        assert_eq!(table.browser.count(".clk.run"), 0);
        assert_eq!(table.browser.count("#undo:not(:disabled)"), 0);
        reload(&mut table);
        assert_eq!(table.data("result"), "p1win");
        assert_eq!(table.browser.text(SECOND), "0.0");
        table.browser.wait_for_element(".res");
        assert!(table.browser.text(".res").contains("Out of time"));
        let stored = stored_match(&mut table);
        assert!(
            stored.contains("\nclock: 300000+0\nresult: p1win time\n"),
            "{stored}"
        );
        assert!(stored.contains("!timeout:second"), "{stored}");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn a_clock_runs_out_of_sight_too() {
    let mut table = open("takeover", "&board=7&clock=300000+0");
    play(&mut table);
    table.browser.call("setHidden", json!([true]));
    table.browser.call("skipTime", json!([FIVE_MINUTES]));
    table.browser.call("setHidden", json!([false]));
    assert_eq!(table.data("result"), "p1win", "at once");
    // A move that comes too late does not count.
    let mut table = open("takeover", "&board=7&clock=300000+0");
    play(&mut table);
    let fen = table.data("fen");
    table.browser.call("skipTime", json!([FIVE_MINUTES]));
    play(&mut table);
    assert_eq!(
        (table.data("result"), table.data("fen")),
        ("p1win".to_owned(), fen)
    );
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn undo_restores_time_and_a_reload_keeps_it() {
    let mut table = open("takeover", "&board=7&clock=300000+2000");
    play(&mut table);
    assert_eq!(table.browser.text(FIRST), "5:02");
    skip_time(&mut table, SECOND, 60_500);
    play(&mut table);
    let second = table.browser.text(SECOND);
    assert!(!second.starts_with("5:"), "{second}");
    skip_time(&mut table, FIRST, 30_500);
    play(&mut table);
    skip_time(&mut table, SECOND, 90_500);
    assert_ne!(table.browser.text(SECOND), second);
    table.browser.click_on("#undo");
    table.rest();
    assert_eq!(table.browser.text(SECOND), second);
    assert_eq!(table.browser.count(&format!("{FIRST}.run")), 1);
    // What was spent since the last move is not given back by a reload.
    skip_time(&mut table, FIRST, 200_000);
    reload(&mut table);
    assert_eq!(table.browser.text(SECOND), second);
    let first = table.browser.text(FIRST);
    assert!(!first.starts_with("5:"), "{first}");
    assert_eq!(table.browser.count(&format!("{FIRST}.run")), 1);
    // Back at the start no clock runs.
    table.browser.click_on("#undo");
    table.browser.click_on("#undo");
    table.rest();
    assert_eq!(table.browser.count(".clk.run"), 0);
    assert_eq!(table.browser.text(FIRST), "5:00");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn time_that_gets_short_is_seen_and_told_once() {
    let mut table = open("takeover", "&board=7&clock=30000/turn");
    play(&mut table);
    assert_eq!(table.browser.count(".clk.low"), 0);
    table.browser.call("skipTime", json!([21_000]));
    table.browser.wait_for_element(&format!("{SECOND}.low"));
    let told = json!(["[aria-live].low-time", "10 seconds left"]);
    table.browser.wait_for("hasText", told);
    play(&mut table);
    assert_eq!(table.browser.text("[aria-live].low-time"), "");
    // The next turn has its own time.
    assert_eq!(table.browser.text(SECOND), "0:30");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn the_clocks_of_a_person_and_of_the_machine_run() {
    let fragment = "#/takeover?opponent=level-1&color=first&speed=0&seed=5&board=7&clock=300000+0";
    let mut table = Table::open(PHONE, fragment);
    table.rest();
    play_turn(&mut table, 1);
    assert_eq!(table.browser.count(&format!("{FIRST}.run")), 1);
    table.browser.call("skipTime", json!([FIVE_MINUTES]));
    table
        .browser
        .wait_for("hasData", json!(["result", "p2win"]));
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn the_board_is_turned_to_whoever_moves() {
    let mut table = open("lilypads", "&board=42&flip=turn");
    let near = |table: &mut Table| table.browser.count(".pc.you.p1");
    let before = table.middle("7");
    assert_eq!(near(&mut table), 1);
    play(&mut table);
    let turned = table.middle("7");
    let place = table.browser.call("boardPlace", json!([]));
    let number = |name: &str| place[name].as_f64().unwrap();
    let sum = (
        2.0 * number("left") + number("width"),
        2.0 * number("top") + number("height"),
    );
    let is_close = |a: f64, b: f64| (a - b).abs() < 2.0;
    assert!(is_close(before.0 + turned.0, sum.0) && is_close(before.1 + turned.1, sum.1));
    assert_eq!(near(&mut table), 0, "the cards go along");
    reload(&mut table);
    assert_eq!(table.middle("7"), turned);
    play(&mut table);
    assert_eq!(table.middle("7"), before);
    // Looking back turns nothing.
    table.browser.press("ArrowLeft");
    table.rest();
    assert_eq!(table.middle("7"), before);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn a_rematch_swaps_the_colors() {
    // Of two people, the one at the near side of the board has the other color.
    let mut table = open("lilypads", "&board=42&clock=300000+0");
    let resign = |table: &mut Table| {
        table.browser.click_on("#resign");
        table.browser.click_on("#resign");
        table.browser.wait_for_element("#again");
        table.browser.click_on("#again");
        table.browser.wait_for("hasNot", json!(["#again"]));
        table.rest();
    };
    resign(&mut table);
    assert_eq!(table.browser.count(".pc.you.p2"), 1);
    assert_eq!(table.data("turn"), "first");
    assert_eq!(table.browser.text(FIRST), "5:00", "the clock stays");
    play(&mut table);
    reload(&mut table);
    assert_eq!(table.browser.count(".pc.you.p2"), 1);
    resign(&mut table);
    assert_eq!(table.browser.count(".pc.you.p1"), 1);

    // Against the machine, which begins now.
    let fragment = "#/takeover?opponent=level-1&color=first&speed=0&board=7";
    let mut table = Table::open(DESK, fragment);
    table.rest();
    resign(&mut table);
    table.browser.wait_for("hasData", json!(["turn", "second"]));
    assert_eq!(table.browser.count(".pc.you.p2"), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn the_sheet_offers_clocks_and_turning_the_board() {
    let mut table = open("takeover", "&board=7");
    assert_eq!(table.browser.count(".clk"), 0);
    table.browser.click_on(".nav .btn");
    table.browser.wait_for_element("#clock");
    table
        .browser
        .call("choose", json!(["#clock", "180000+2000"]));
    table.browser.click_on("#turn-board");
    table.browser.click_on("#start");
    table.browser.wait_for_element(".clk");
    let fragment = table.browser.fragment();
    let fragment = fragment.as_str().unwrap();
    assert!(
        fragment.contains("&flip=turn&clock=180000+2000"),
        "{fragment}"
    );
    assert_eq!(table.browser.text(FIRST), "3:00");
    assert!(table.browser.text(".facts").contains("3 min + 2 s"));
    assert_eq!(table.browser.complaints, [""; 0]);
}
