//! Puzzles, solved by hand.

use catalog::AnyMatch;
use puzzles::{Puzzle, Rating};
use serde_json::json;

use super::{
    chromium::{DESK, Device, PHONE},
    table::{Hand, Table, clicks, site},
};

const PUZZLE: &str = ".puzzle";

/// A puzzle of `game` with at least this many plies.
fn puzzle(game: &str, least_plies: usize) -> Puzzle {
    let collection = puzzles::all(game);
    let mut all = collection.iter();
    all.find(|puzzle| puzzle.plies() >= least_plies).unwrap()
}

fn open(device: Device, fragment: &str) -> Table {
    let mut table = Table::open(device, fragment);
    let ready = ".puzzle .ask h2, .puzzles .lc";
    table.browser.wait_for_element(ready);
    table
}

fn open_puzzle(device: Device, puzzle: &Puzzle) -> Table {
    let (game, id) = (puzzle.game(), puzzle.id());
    open(device, &format!("#/puzzles/{game}/{id}?speed=0"))
}

fn wait_for_phase(table: &mut Table, phase: &str) {
    let phase = json!([PUZZLE, "data-phase", phase]);
    table.browser.wait_for("hasAttribute", phase);
}

fn press(table: &mut Table, hand: Hand, selector: &str) {
    if hand == Hand::Keys {
        table.browser.call("focus", json!([selector]));
        table.browser.press("Enter");
        return;
    }
    let middle = table.browser.call("middleOf", json!([selector]));
    let [x, y] = [&middle[0], &middle[1]].map(|number| number.as_f64().unwrap());
    match hand {
        Hand::Finger => table.browser.tap(x, y),
        _ => table.browser.click(x, y),
    }
}

/// The position of the puzzle after so many moves of its solution.
fn after(puzzle: &Puzzle, n_moves: usize) -> Box<dyn AnyMatch> {
    let game = catalog::find(puzzle.game()).unwrap();
    let mut record = game.start_from(puzzle.position()).unwrap();
    for m in &puzzle.solution()[..n_moves] {
        record.play(m).unwrap();
    }
    record
}

fn play(table: &mut Table, hand: Hand, before: &dyn AnyMatch, m: &str) {
    let clicks = clicks(before, m);
    if clicks == ["pass"] {
        press(table, hand, ".go [data-target=pass]");
    } else {
        table.play(hand, &clicks);
    }
}

fn rating(table: &mut Table, game: &str) -> Rating {
    let kept = table
        .browser
        .call("stored", json!([format!("parlour.puzzle.rating.{game}")]));
    kept.as_str().unwrap().parse().unwrap()
}

/// Solves a puzzle without a fault.
fn solve(device: Device, hand: Hand, puzzle: &Puzzle) {
    let game = puzzle.game();
    let mut table = open_puzzle(device, puzzle);
    assert_eq!(table.data("fen"), after(puzzle, 0).position());
    for (n_moves, m) in puzzle.solution().iter().enumerate() {
        let before = after(puzzle, n_moves);
        if before.turn() == puzzle.solver() {
            let fen = before.position();
            table.browser.wait_for("hasData", json!(["fen", fen]));
            wait_for_phase(&mut table, "solver");
            play(&mut table, hand, &*before, m);
        }
    }
    wait_for_phase(&mut table, "done");
    table.browser.wait_for_element(".answer .result");
    let result = table.browser.text(".answer .result");
    assert!(result.contains("no hints"), "{result}");
    assert!(rating(&mut table, game).points() > Rating::default().points());
    let kept = table
        .browser
        .call("stored", json!([format!("parlour.puzzle.solved.{game}")]));
    assert_eq!(kept, puzzle.id().to_string());
    table.browser.screenshot(&format!("puzzle-{game}-{hand:?}"));
    // The next one is another.
    press(&mut table, hand, "#next");
    wait_for_phase(&mut table, "solver");
    assert_ne!(table.data("fen"), after(puzzle, 0).position());
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn puzzles_by_mouse() {
    for game in catalog::GAMES {
        solve(DESK, Hand::Mouse, &puzzle(game.name(), 3));
    }
}

#[test]
fn puzzles_by_finger() {
    for game in catalog::GAMES {
        solve(PHONE, Hand::Finger, &puzzle(game.name(), 1));
    }
}

#[test]
fn puzzles_by_keyboard() {
    for game in catalog::GAMES {
        solve(DESK, Hand::Keys, &puzzle(game.name(), 1));
    }
}

#[test]
fn a_wrong_move_goes_back_and_costs() {
    let puzzle = puzzle("takeover", 3);
    let mut table = open_puzzle(DESK, &puzzle);
    let before = after(&puzzle, 0);
    let key = &puzzle.solution()[0];
    let wrong = before.legal_moves().into_iter().find(|m| m != key).unwrap();
    play(&mut table, Hand::Mouse, &*before, &wrong);
    let fen = before.position();
    table.browser.wait_for("hasData", json!(["fen", fen]));
    wait_for_phase(&mut table, "solver");
    table.browser.wait_for_element(".answer .ans");
    // Nothing is lost but points.
    for (n_moves, m) in puzzle.solution().iter().enumerate() {
        let before = after(&puzzle, n_moves);
        if before.turn() == puzzle.solver() {
            let fen = before.position();
            table.browser.wait_for("hasData", json!(["fen", fen]));
            wait_for_phase(&mut table, "solver");
            play(&mut table, Hand::Mouse, &*before, m);
        }
    }
    wait_for_phase(&mut table, "done");
    table.browser.wait_for_element(".answer .result");
    let result = table.browser.text(".answer .result");
    assert!(result.contains("one wrong try"), "{result}");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn hints_climb_and_the_solution_can_be_shown() {
    for device in [DESK, PHONE] {
        let puzzle = puzzle("nonaga", 1);
        let mut table = open_puzzle(device, &puzzle);
        for n_hints in 1..=3 {
            press(&mut table, Hand::Mouse, "#hint");
            table
                .browser
                .wait_for("hasCount", json!([".hints li.on", n_hints]));
        }
        table.browser.screenshot("puzzle-hints");
        press(&mut table, Hand::Mouse, "#reveal");
        wait_for_phase(&mut table, "done");
        table.browser.wait_for_element(".answer .result");
        let end = after(&puzzle, puzzle.plies()).position();
        table.browser.wait_for("hasData", json!(["fen", end]));
        // Who has seen it has not solved it.
        assert!(rating(&mut table, "nonaga").points() < Rating::default().points());
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn every_day_has_a_puzzle_and_a_board() {
    let mut table = Table::open(DESK, "#/");
    table.browser.wait_for_element("#daily-puzzle");
    assert_eq!(table.browser.count("#daily-board"), 1);
    press(&mut table, Hand::Mouse, "#daily-puzzle");
    table.browser.wait_for_element(".puzzle .ask h2");
    let today = table.data("fen");
    press(&mut table, Hand::Mouse, "#yesterday");
    table.browser.wait_for_element(".puzzle #today");
    assert_ne!(table.data("fen"), today);
    table.browser.open(&format!("{}#/puzzles", site()));
    table.browser.wait_for_element(".puzzles .lc");
    assert_eq!(table.browser.count(".puzzles .lc"), 4);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn new_puzzles_are_found_without_end() {
    let mut table = Table::open(DESK, "#/puzzles/takeover/new-7?speed=0");
    table.browser.wait_for_element(".puzzle .go #hint");
    let first = table.data("fen");
    assert!(!first.is_empty());
    // The same seed finds the same one, after a reload too.
    let address = table.browser.fragment();
    let address = address.as_str().unwrap();
    table.browser.open(&format!("{}{address}", site()));
    table.browser.wait_for_element(".puzzle .go #hint");
    assert_eq!(table.data("fen"), first);
    assert_eq!(table.browser.complaints, [""; 0]);
}
