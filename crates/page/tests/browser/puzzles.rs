//! Puzzles, solved by hand.

use catalog::AnyMatch;
use miner::{Mining, prove};
use puzzles::{Day, Progress, Puzzle, PuzzleRating, Streak};
use serde_json::json;

use super::{
    chromium::{DESK, Device, PHONE},
    study::{move_between, wait_for_fen},
    table::{Hand, Table, clicks, site},
};

const PUZZLE: &str = ".puzzle";

/// What the Alt key is in events of keys.
const ALT: u32 = 1;

/// A puzzle of `game` with at least this many plies.
pub(crate) fn puzzle(game: &str, least_plies: usize) -> Puzzle {
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

pub(crate) fn wait_for_phase(table: &mut Table, phase: &str) {
    let phase = json!([PUZZLE, "data-phase", phase]);
    table.browser.wait_for("hasAttribute", phase);
}

/// The position of the puzzle after so many moves of its solution.
pub(crate) fn after(puzzle: &Puzzle, n_moves: usize) -> Box<dyn AnyMatch> {
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
        table.press(hand, ".go [data-target=pass]");
    } else {
        table.play(hand, &clicks);
    }
}

fn rating(table: &mut Table, game: &str) -> PuzzleRating {
    let kept = table
        .browser
        .call("stored", json!([format!("parlour.puzzle.rating.{game}")]));
    kept.as_str().unwrap().parse().unwrap()
}

/// Solves a puzzle without a fault.
fn solve(device: Device, hand: Hand, puzzle: &Puzzle) {
    let game = puzzle.game();
    let mut table = open_puzzle(device, puzzle);
    solve_open(&mut table, hand, puzzle);
    let result = table.browser.text(".answer .result");
    assert!(result.contains("no hints"), "{result}");
    assert!(rating(&mut table, game).points() > PuzzleRating::default().points());
    let kept = table
        .browser
        .call("stored", json!([format!("parlour.puzzle.solved.{game}")]));
    assert_eq!(kept, puzzle.id().to_string());
    table.browser.screenshot(&format!("puzzle-{game}-{hand:?}"));
    // The next one is another.
    table.press(hand, "#next");
    wait_for_phase(&mut table, "solver");
    assert_ne!(table.data("fen"), after(puzzle, 0).position());
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Solves the puzzle that is open.
pub(crate) fn solve_open(table: &mut Table, hand: Hand, puzzle: &Puzzle) {
    assert_eq!(table.data("fen"), after(puzzle, 0).position());
    for (n_moves, m) in puzzle.solution().iter().enumerate() {
        let before = after(puzzle, n_moves);
        if before.turn() == puzzle.solver() {
            let fen = before.position();
            table.browser.wait_for("hasData", json!(["fen", fen]));
            wait_for_phase(table, "solver");
            play(table, hand, &*before, m);
        }
    }
    wait_for_phase(table, "done");
    table.browser.wait_for_element(".answer .result");
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
    solve_open(&mut table, Hand::Mouse, &puzzle);
    let result = table.browser.text(".answer .result");
    assert!(result.contains("one wrong try"), "{result}");
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// At the usual speed, the reply to a wrong move is shown before it goes back.
#[test]
fn a_wrong_move_is_answered_before_it_goes_back() {
    let puzzle = puzzle("takeover", 3);
    let (game, id) = (puzzle.game(), puzzle.id());
    let mut table = open(DESK, &format!("#/puzzles/{game}/{id}"));
    let before = after(&puzzle, 0);
    let key = &puzzle.solution()[0];
    let wrong = before.legal_moves().into_iter().find(|m| m != key).unwrap();
    let mut tried = before.boxed_clone();
    tried.play(&wrong).unwrap();
    table.browser.call("watchPositions", json!([]));
    play(&mut table, Hand::Mouse, &*before, &wrong);
    table.browser.wait_for("hasPositions", json!([4]));
    let seen = table.browser.call("positions", json!([]));
    let seen: Vec<_> = seen
        .as_array()
        .unwrap()
        .iter()
        .map(|fen| fen.as_str().unwrap())
        .collect();
    let (start, tried) = (before.position(), tried.position());
    assert_eq!([seen[0], seen[1], seen[3]], [&*start, &*tried, &*start]);
    move_between(game, &tried, seen[2]);
    wait_for_phase(&mut table, "solver");
    table.browser.wait_for_element(".answer .ans");
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// In Nonaga a wrong shift after the right slide is answered by a slide and a shift; then it goes
/// back, and the slide stays.
#[test]
fn a_wrong_shift_is_answered_by_a_whole_turn() {
    let game = "nonaga";
    let collection = puzzles::all(game);
    let mut all = collection.iter();
    let puzzle = all.find(|puzzle| puzzle.goal().turns() == 2).unwrap();
    let mut table = open(DESK, &format!("#/puzzles/{game}/{}", puzzle.id()));
    let (start, slid) = (after(&puzzle, 0), after(&puzzle, 1));
    play(&mut table, Hand::Mouse, &*start, &puzzle.solution()[0]);
    wait_for_fen(&mut table, &slid.position());
    wait_for_phase(&mut table, "solver");
    // The opponent needs both moves for the answer.
    let is_wrong = |m: &String| *m != puzzle.solution()[1] && !slid.loses_at_once(slid.cursor(), m);
    let wrong = slid.legal_moves().into_iter().find(is_wrong).unwrap();
    let mut tried = slid.boxed_clone();
    tried.play(&wrong).unwrap();
    table.browser.call("watchPositions", json!([]));
    play(&mut table, Hand::Mouse, &*slid, &wrong);
    table.browser.wait_for("hasPositions", json!([5]));
    let seen = table.browser.call("positions", json!([]));
    let seen = seen.as_array().unwrap().iter();
    let seen: Vec<_> = seen.map(|fen| fen.as_str().unwrap()).collect();
    let (slid, tried) = (slid.position(), tried.position());
    assert_eq!([seen[0], seen[1], seen[4]], [&*slid, &*tried, &*slid]);
    move_between(game, &tried, seen[2]);
    move_between(game, seen[2], seen[3]);
    wait_for_phase(&mut table, "solver");
    table.browser.wait_for_element(".answer .ans");
    // It can be solved now.
    wait_for_fen(&mut table, &slid);
    play(
        &mut table,
        Hand::Mouse,
        &*after(&puzzle, 1),
        &puzzle.solution()[1],
    );
    wait_for_fen(&mut table, &after(&puzzle, 3).position());
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn hints_climb_and_the_solution_can_be_shown() {
    for device in [DESK, PHONE] {
        let puzzle = puzzle("nonaga", 1);
        let mut table = open_puzzle(device, &puzzle);
        for n_hints in 1..=3 {
            table.press(Hand::Mouse, "#hint");
            table
                .browser
                .wait_for("hasCount", json!([".hints li.on", n_hints]));
        }
        table.browser.screenshot("puzzle-hints");
        table.press(Hand::Mouse, "#reveal");
        wait_for_phase(&mut table, "done");
        table.browser.wait_for_element(".answer .result");
        let end = after(&puzzle, puzzle.plies()).position();
        table.browser.wait_for("hasData", json!(["fen", end]));
        // Who has seen it has not solved it.
        assert!(rating(&mut table, "nonaga").points() < PuzzleRating::default().points());
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// `h` gives a hint when the button does: not while a wrong move is answered, and not with Alt, which
/// opens menus of some browsers.
#[test]
fn a_hint_by_key_costs_only_when_it_is_given() {
    let puzzle = puzzle("takeover", 3);
    let (game, id) = (puzzle.game(), puzzle.id());
    let mut table = open(DESK, &format!("#/puzzles/{game}/{id}"));
    for kind in ["keyDown", "keyUp"] {
        let key = json!({"type": kind, "key": "h", "windowsVirtualKeyCode": 72, "modifiers": ALT});
        table.browser.send("Input.dispatchKeyEvent", key);
    }
    let before = after(&puzzle, 0);
    let key = &puzzle.solution()[0];
    let wrong = before.legal_moves().into_iter().find(|m| m != key).unwrap();
    play(&mut table, Hand::Mouse, &*before, &wrong);
    wait_for_phase(&mut table, "wrong");
    table.browser.press("h");
    wait_for_phase(&mut table, "solver");
    assert_eq!(table.browser.count(".hints li.on"), 0);
    table.browser.press("h");
    table
        .browser
        .wait_for("hasCount", json!([".hints li.on", 1]));
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Whoever has seen the answer, or tried wrong and reloads, gains nothing by playing it.
#[test]
fn a_puzzle_is_rated_once() {
    let puzzle = puzzle("takeover", 3);
    for is_revealed in [true, false] {
        let mut table = open_puzzle(DESK, &puzzle);
        if is_revealed {
            table.press(Hand::Mouse, "#reveal");
            wait_for_phase(&mut table, "done");
        } else {
            let before = after(&puzzle, 0);
            let key = &puzzle.solution()[0];
            let wrong = before.legal_moves().into_iter().find(|m| m != key).unwrap();
            play(&mut table, Hand::Mouse, &*before, &wrong);
            table.browser.wait_for_element(".answer .ans");
            wait_for_phase(&mut table, "solver");
        }
        let lost = rating(&mut table, "takeover");
        assert!(lost.points() < PuzzleRating::default().points());
        let (game, id) = (puzzle.game(), puzzle.id());
        let address = format!("{}#/puzzles/{game}/{id}?speed=0", site());
        table.browser.open(&address);
        table.browser.wait_for_element(".puzzle .ask h2");
        solve_open(&mut table, Hand::Mouse, &puzzle);
        assert_eq!(rating(&mut table, "takeover"), lost);
        // It is solved all the same.
        let kept = json!(["parlour.puzzle.solved.takeover"]);
        let kept = table.browser.call("stored", kept);
        assert_eq!(kept, puzzle.id().to_string());
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// A daily puzzle counts for the day on which it was opened.
#[test]
fn midnight_may_pass_over_a_daily_puzzle() {
    let mut table = open(DESK, "#/puzzles/takeover/daily?speed=0");
    let today = table.browser.call("today", json!([])).as_u64().unwrap();
    let day = Day(u32::try_from(today).unwrap());
    let collection = puzzles::all("takeover");
    let puzzle = collection.get(puzzles::daily("takeover", day).unwrap());
    table.browser.call("letDaysPass", json!([1]));
    solve_open(&mut table, Hand::Mouse, &puzzle.unwrap());
    let kept = table
        .browser
        .call("stored", json!(["parlour.puzzle.streak"]));
    assert_eq!(kept, format!("{today} 1"));
    // Yesterday's puzzle does not count.
    let mut table = open(DESK, "#/puzzles/takeover/yesterday?speed=0");
    let puzzle = collection.get(puzzles::daily("takeover", Day(day.0 - 1)).unwrap());
    solve_open(&mut table, Hand::Mouse, &puzzle.unwrap());
    let kept = table
        .browser
        .call("stored", json!(["parlour.puzzle.streak"]));
    assert_eq!(kept, Streak::default().to_string());
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn every_day_has_a_puzzle_and_a_board() {
    let mut table = Table::open(DESK, "#/");
    table.browser.wait_for_element("#daily-puzzle");
    assert_eq!(table.browser.count("#daily-board"), 1);
    // They are of two games.
    let [puzzle, board] = ["#daily-puzzle", "#daily-board"].map(|card| {
        let args = json!([card, "data-game"]);
        table.browser.call("attribute", args)
    });
    assert_ne!(puzzle, board);
    table.press(Hand::Mouse, "#daily-puzzle");
    table.browser.wait_for_element(".puzzle .ask h2");
    let today = table.data("fen");
    table.press(Hand::Mouse, "#yesterday");
    table.browser.wait_for_element(".puzzle #today");
    assert_ne!(table.data("fen"), today);
    table.browser.open(&format!("{}#/puzzles", site()));
    table.browser.wait_for_element(".puzzles .lc");
    assert_eq!(table.browser.count(".puzzles .lc"), 4);
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// A daily puzzle counts for the days in a row, and its result is copied without the answer.
#[test]
fn a_daily_puzzle_is_solved_counted_and_shared() {
    let japanese = Device {
        language: "ja",
        scheme: "dark",
        ..PHONE
    };
    for (device, hand, game) in [
        (DESK, Hand::Keys, "takeover"),
        (japanese, Hand::Finger, "simply-go"),
    ] {
        let mut table = open(device, &format!("#/puzzles/{game}/daily?speed=0"));
        let fen = table.data("fen");
        let collection = puzzles::all(game);
        let mut all = collection.iter();
        let puzzle = all.find(|puzzle| puzzle.position() == fen).unwrap();
        let today = table.browser.call("today", json!([])).as_u64().unwrap();
        let yesterday = Day(u32::try_from(today).unwrap() - 1);
        let streak = Streak::default().solved(yesterday).to_string();
        let name = "parlour.puzzle.streak";
        table.browser.call("keep", json!([name, streak]));
        table.browser.call("catchCopies", json!([]));
        // The day is beside the name, on phones too.
        assert_eq!(table.browser.count(".title .chip"), 1);
        solve_open(&mut table, hand, &puzzle);
        let kept = table.browser.call("stored", json!([name]));
        assert_eq!(kept, format!("{today} 2"));
        table.press(hand, "#share");
        table.browser.wait_for("hasCopies", json!([1]));
        let copied = table.browser.call("copied", json!([]));
        let copied = copied[0].as_str().unwrap().to_owned();
        assert_eq!(copied, table.browser.text(".answer .result"));
        assert_eq!(copied.lines().count(), 3, "{copied}");
        for m in puzzle.solution() {
            assert!(!copied.contains(m.as_str()), "{copied}");
        }
        table.browser.screenshot(&format!("daily-{game}"));
        // It is not asked for again, and what was solved once counts once.
        let rating = rating(&mut table, game);
        table
            .browser
            .open(&format!("{}#/puzzles/{game}/daily?speed=0", site()));
        table.browser.wait_for_element(".puzzle .ask h2");
        solve_open(&mut table, hand, &puzzle);
        assert_eq!(self::rating(&mut table, game).points(), rating.points());
        let kept = table.browser.call("stored", json!([name]));
        assert_eq!(kept, format!("{today} 2"));
        table.browser.call("goTo", json!(["#/puzzles"]));
        table.browser.wait_for_element(".puzzles .lc");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// Every game has a fair start of the day: a board, or a position where all matches begin alike.
/// The match there is against the opponent that was chosen last.
#[test]
fn starts_of_the_day_are_offered_for_each_game() {
    let mut table = open(DESK, "#/puzzles");
    let stored = json!(["parlour.opponent.nonaga", "level-4"]);
    table.browser.call("keep", stored);
    let today = table.browser.call("today", json!([])).as_u64().unwrap();
    let today = Day(u32::try_from(today).unwrap());
    for game in catalog::GAMES {
        let name = game.name();
        table.browser.open(&format!("{}#/puzzles", site()));
        table.browser.wait_for_element(".puzzles .lc");
        assert_eq!(table.browser.count(&format!("#board-{name}")), 1, "{name}");
        table.browser.screenshot("puzzles");
        table.press(Hand::Mouse, &format!("#board-{name}"));
        table.browser.wait_for("hasData", json!(["game", name]));
        let start = puzzles::daily_start(name, today).unwrap();
        let start = start.start(name).unwrap();
        assert_eq!(table.data("fen"), start.position(), "{name}");
        let fragment = table.browser.fragment();
        let level = if name == "nonaga" { 4 } else { 2 };
        let opponent = format!("opponent=level-{level}");
        let fragment = fragment.as_str().unwrap();
        assert!(fragment.contains(&opponent), "{fragment}");
    }
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Checks that the board shows the puzzle of the seed in the address, and proves that puzzle.
fn check_mined(table: &mut Table, game: &str) {
    let fragment = table.browser.fragment();
    let fragment = fragment.as_str().unwrap();
    let seed = fragment.strip_prefix(&format!("#/puzzles/{game}/new-"));
    let seed = seed.unwrap_or_else(|| panic!("{fragment}"));
    let seed = seed.split('?').next().unwrap().parse().unwrap();
    let puzzle = Mining::new(game, seed).and_then(Mining::run).unwrap();
    assert_eq!(table.data("fen"), after(&puzzle, 0).position());
    assert_eq!(prove(&puzzle), Ok(()), "{puzzle}");
}

#[test]
fn new_puzzles_are_found_without_end() {
    let mut table = Table::open(DESK, "#/puzzles/takeover/new-7?speed=0");
    table.browser.wait_for_element(".puzzle .go #hint");
    check_mined(&mut table, "takeover");
    let first = table.data("fen");
    // The same seed finds the same one, after a reload too.
    let address = table.browser.fragment();
    let address = address.as_str().unwrap();
    table.browser.open(&format!("{}{address}", site()));
    table.browser.wait_for_element(".puzzle .go #hint");
    assert_eq!(table.data("fen"), first);
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Whoever has solved all that is shipped gets a new puzzle, and another one after that.
#[test]
fn who_has_solved_all_gets_new_puzzles() {
    let game = "takeover";
    let collection = puzzles::all(game);
    let mut progress = Progress::default();
    for puzzle in collection.iter() {
        progress.insert(puzzle.id());
    }
    let last = puzzle(game, 1);
    let mut table = open_puzzle(DESK, &last);
    for (name, value) in [
        ("solved", progress.to_string()),
        ("rating", "1490 60".to_owned()),
    ] {
        let name = format!("parlour.puzzle.{name}.{game}");
        table.browser.call("keep", json!([name, value]));
    }
    solve_open(&mut table, Hand::Mouse, &last);
    let mut seen = vec![table.data("fen")];
    for _ in 0..2 {
        table.press(Hand::Mouse, "#next");
        table.browser.wait_for_element(".puzzle .go #hint");
        check_mined(&mut table, game);
        let fen = table.data("fen");
        assert!(
            collection.iter().all(|puzzle| puzzle.position() != fen),
            "{fen}"
        );
        assert!(!seen.contains(&fen), "{fen}");
        seen.push(fen);
        // It counts like any other.
        table.press(Hand::Mouse, "#reveal");
        wait_for_phase(&mut table, "done");
        table.browser.wait_for_element("#next");
        assert!(rating(&mut table, game).points() < 1490);
    }
    table.browser.screenshot("puzzle-mined");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn a_finger_may_wobble_on_the_board_of_a_puzzle() {
    let puzzle = puzzle("takeover", 1);
    let mut table = open_puzzle(PHONE, &puzzle);
    let before = after(&puzzle, 0);
    for id in clicks(&*before, &puzzle.solution()[0]) {
        table.wobble(&id);
    }
    wait_for_phase(&mut table, "done");
    let end = after(&puzzle, 1).position();
    table.browser.wait_for("hasData", json!(["fen", end]));
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// A puzzle of Nonaga is of one rule set or the other, and says so if it is the rarer one.
#[test]
fn puzzles_of_both_rule_sets_of_nonaga_are_solved() {
    let collection = puzzles::all("nonaga");
    for (is_published, device) in [(false, DESK), (true, DESK), (true, PHONE)] {
        let rules = |puzzle: &Puzzle| puzzle.position().split(' ').count() == 6;
        let puzzle = collection
            .iter()
            .find(|puzzle| rules(puzzle) == is_published);
        let puzzle = puzzle.unwrap();
        let mut table = open_puzzle(device, &puzzle);
        let task = table.browser.text(".ask p");
        assert_eq!(task.contains("published rules"), is_published, "{task}");
        let hand = if device.is_touch {
            Hand::Finger
        } else {
            Hand::Mouse
        };
        solve_open(&mut table, hand, &puzzle);
    }
}

/// Every step of the way by every hand: hints, the solution, the next one.
#[test]
fn hints_of_puzzles_by_every_hand() {
    for (device, hand) in [(PHONE, Hand::Finger), (DESK, Hand::Keys)] {
        let puzzle = puzzle("simply-go", 1);
        let mut table = open_puzzle(device, &puzzle);
        for n_hints in 1..=3 {
            table.press(hand, "#hint");
            table
                .browser
                .wait_for("hasCount", json!([".hints li.on", n_hints]));
        }
        table.press(hand, "#reveal");
        wait_for_phase(&mut table, "done");
        table.browser.wait_for_element("#next");
        table.press(hand, "#next");
        wait_for_phase(&mut table, "solver");
        assert_ne!(table.data("fen"), after(&puzzle, 0).position());
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}
