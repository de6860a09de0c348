//! Many matches in a row leave nothing behind.

use rules::Random;
use serde_json::json;

use super::{
    chromium::{DESK, Memory},
    matches::choose,
    table::{Hand, Table, clicks},
};

/// A game and an opponent whose worker is to be watched.
pub(crate) struct Case {
    pub(crate) game: &'static str,
    pub(crate) opponent: &'static str,
    /// Whether there is a board for every match.
    pub(crate) has_boards: bool,
    /// As many matches as an ordinary run of the tests has time for; `cargo xtask figures` plays
    /// fifty of each.
    n_matches: u64,
}

pub(crate) const CASES: [Case; 4] = [
    // A board is solved for every match.
    case("lilypads", "perfect", true, 10),
    // What every game does is done often enough here that a few KiB a match are seen.
    case("nonaga", "level-4", false, 200),
    case("takeover", "level-4", true, 50),
    case("simply-go", "level-4", false, 50),
];

const fn case(
    game: &'static str,
    opponent: &'static str,
    has_boards: bool,
    n_matches: u64,
) -> Case {
    Case {
        game,
        opponent,
        has_boards,
        n_matches,
    }
}

/// How many moves the person makes before the match is given up.
const N_MOVES: usize = 4;

/// Plays so many matches on one page, and tells what is taken up after each fifth of
/// them.
pub(crate) fn growth(case: &Case, n_matches: u64) -> Vec<Memory> {
    let address = |number: u64| {
        let Case { game, opponent, .. } = case;
        let board = if case.has_boards {
            format!("&board={number}")
        } else {
            String::new()
        };
        format!("#/{game}?opponent={opponent}&color=first&speed=0&seed={number}{board}")
    };
    let mut table = Table::open(DESK, "");
    let mut random = Random::new(1);
    let mut samples = Vec::new();
    for number in 1..=n_matches {
        table.browser.call("goTo", json!([address(number)]));
        // The match before is over.
        table.browser.wait_for("hasData", json!(["result", "none"]));
        table.rest();
        for _ in 0..N_MOVES {
            if table.data("result") != "none" {
                break;
            }
            let fen = table.data("fen");
            let playing = catalog::find(case.game).unwrap().start_from(&fen).unwrap();
            let m = choose(&*playing, &mut random);
            table.play(Hand::Mirror, &clicks(&*playing, &m));
            table.rest();
            assert_ne!(table.data("fen"), fen, "{} {number}", case.game);
        }
        for _ in 0..2 {
            table.browser.call("clickIfThere", json!(["#resign"]));
        }
        assert_ne!(table.data("result"), "none", "{} {number}", case.game);
        // A library that grows is no leak, but at the end of a match the page reads all of it.
        table.browser.call("forgetMatches", json!([]));
        if number % (n_matches / 5) == 0 {
            samples.push(table.browser.memory());
        }
    }
    assert_eq!(table.browser.complaints, [""; 0]);
    samples
}

#[test]
fn matches_against_the_machine_leave_nothing_behind() {
    for case in &CASES {
        let samples = growth(case, case.n_matches);
        let game = case.game;
        assert!(
            samples.iter().all(|memory| memory.n_workers == 1),
            "{game}: {samples:?}"
        );
        // A memory of WebAssembly grows in steps of 64 KiB, never gives back, and finds
        // its size in the first matches. What a match leaves behind adds up to more. Solutions of
        // boards differ in size by some MiB, and have tens of them.
        let [_, early, .., late] = samples[..] else {
            panic!("{game}: {samples:?}");
        };
        let may_grow = 256 << 10;
        // The page's memory comes in steps of 192 KiB, and lists in it double. A match of Nonaga
        // leaves 1.5 KiB behind: Leptos' `For` keeps 72 bytes for every row and every button of
        // the mirror it ever made, as long as what contains it is there. That is 0 to 3 steps
        // between the second sample and the last; 10 KiB a match are seen.
        let page_may_grow = 640 << 10;
        let worker_may_grow = if case.opponent == "perfect" {
            8 << 20
        } else {
            may_grow
        };
        assert!(
            late.page_wasm <= early.page_wasm + page_may_grow
                && late.worker_wasm <= early.worker_wasm + worker_may_grow
                && late.page_script <= early.page_script + may_grow
                && late.worker_script <= early.worker_script + may_grow,
            "{game}: {samples:?}"
        );
    }
}

#[test]
fn matches_of_two_people_leave_nothing_behind() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&speed=0&board=7");
    let mut play = || {
        let bytes = table.browser.call("playManyMatches", json!([]));
        bytes.as_f64().unwrap()
    };
    play();
    let before = play();
    play();
    let after = play();
    let report = format!("{before} bytes after 50 games, {after} after 100");
    table.browser.note_figure(&report);
    assert!(after < before * 1.1 + 200_000.0, "{report}");
    assert_eq!(table.browser.complaints, [""; 0]);
}
