//! Weights that the host fetches: in time, late, damaged, never.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use engine::{Engine, Fetch};
use search::Slice;

const TAKEOVER: &[u8] = include_bytes!("../../bots/src/takeover/takeover.weights");
const ATAXX: &[u8] = include_bytes!("../../bots/src/takeover/ataxx.weights");

const GO: &str = "go nodes 4000";

fn built_in(game: &str) -> Engine {
    Engine::new(catalog::find(game).unwrap(), || Duration::ZERO).unwrap()
}

/// An engine whose host fetches weights.
fn fetching(game: &str) -> Engine {
    built_in(game).with_fetched_weights()
}

/// Sends a line that is not answered.
#[track_caller]
fn tell(engine: &mut Engine, line: &str) {
    assert_eq!(engine.answer(line), [""; 0], "{line}");
}

/// Everything that is said until there is no more work.
fn run(engine: &mut Engine) -> Vec<String> {
    let mut said = Vec::new();
    while engine.has_work() {
        said.extend(engine.step(Slice::nodes(100)));
    }
    said
}

/// The answer of an engine with built-in weights to [`GO`] at the start of a match.
fn answer_with_weights(choices: &[&str]) -> Vec<String> {
    let mut engine = built_in("takeover");
    for line in choices {
        tell(&mut engine, line);
    }
    tell(&mut engine, GO);
    run(&mut engine)
}

/// The file that the engine asks for, if it asks for one only.
#[track_caller]
fn asked(engine: &mut Engine) -> Fetch {
    let fetch = engine.next_fetch().expect("a file is asked for");
    assert!(engine.next_fetch().is_none(), "it is asked for once");
    fetch
}

/// Checks that a legal move comes last.
#[track_caller]
fn check_move(said: &[String]) {
    let last = said.last().expect("something is said");
    let m = last.strip_prefix("bestmove ").expect("a move comes last");
    let start = catalog::find("takeover").unwrap().start(&[]).unwrap();
    assert!(start.legal_moves().iter().any(|legal| legal == m), "{m}");
}

/// Checks that a legal move comes after a search.
#[track_caller]
fn check_search(said: &[String]) {
    check_move(said);
    assert!(said.iter().any(|line| line.starts_with("info depth 1 ")));
}

#[test]
fn a_go_waits_for_its_weights_and_plays_as_with_built_in_ones() {
    let ataxx = "setoption name Variant value ataxx";
    for (choices, name, content) in [
        (&[][..], "takeover", TAKEOVER),
        (&[ataxx][..], "ataxx", ATAXX),
    ] {
        let mut engine = fetching("takeover");
        for line in choices {
            tell(&mut engine, line);
        }
        assert!(engine.next_fetch().is_none(), "nothing needs them yet");
        tell(&mut engine, GO);
        let Fetch { file, is_again } = asked(&mut engine);
        assert_eq!((file.name(), is_again), (name, false));
        assert_eq!(file.size(), content.len());
        // Nothing happens meanwhile, and every line is answered as if it thought.
        assert!(engine.is_thinking() && !engine.has_work());
        assert_eq!(engine.step(Slice::WHOLE), [""; 0]);
        assert_eq!(engine.answer("isready"), ["readyok"]);
        assert_eq!(engine.answer("query p1turn"), ["response true"]);
        assert!(engine.answer("position startpos")[0].starts_with("info error"));
        assert_eq!(engine.supply(file, Some(content)), [""; 0]);
        assert_eq!(run(&mut engine), answer_with_weights(choices));
        // They are there now.
        tell(&mut engine, GO);
        assert!(engine.has_work() && engine.next_fetch().is_none());
    }
}

#[test]
fn weights_are_fetched_before_they_are_needed_if_there_is_time() {
    let mut engine = fetching("takeover");
    tell(&mut engine, "prepare");
    assert!(!engine.is_thinking() && !engine.has_work());
    let Fetch { file, .. } = asked(&mut engine);
    tell(&mut engine, "prepare");
    assert!(engine.next_fetch().is_none(), "they are on their way");
    assert_eq!(engine.supply(file, Some(TAKEOVER)), [""; 0]);
    tell(&mut engine, GO);
    assert_eq!(run(&mut engine), answer_with_weights(&[]));
}

#[test]
fn without_weights_it_plays_on_says_so_once_and_tries_again_at_the_next_match() {
    let mut engine = fetching("takeover");
    tell(&mut engine, GO);
    let Fetch { file, .. } = asked(&mut engine);
    let line = "info string weights takeover missing";
    assert_eq!(engine.supply(file, None), [line]);
    let small = run(&mut engine);
    check_search(&small);
    // What it says is not worth as much, which the page has to know of every answer.
    assert_eq!(small[0], "info string without weights takeover");
    assert_ne!(small, answer_with_weights(&[]), "it is another evaluation");
    // Not again in this match, and the answer is the same.
    tell(&mut engine, "uginewgame");
    tell(&mut engine, GO);
    assert!(engine.next_fetch().is_none());
    assert_eq!(run(&mut engine), small);
    // The next match prepares.
    tell(&mut engine, "prepare");
    let Fetch { file, is_again } = asked(&mut engine);
    assert!(is_again, "what was kept of it is not used");
    tell(&mut engine, GO);
    assert!(!engine.has_work(), "it waits again");
    assert_eq!(engine.supply(file, Some(TAKEOVER)), [""; 0]);
    assert_eq!(run(&mut engine), answer_with_weights(&[]));
}

#[test]
fn damaged_weights_are_not_used() {
    let mut flipped = TAKEOVER.to_vec();
    flipped[400_000] ^= 1;
    let longer = [TAKEOVER, &[0]].concat();
    let contents: [&[u8]; 6] = [
        &[],
        b"<!doctype html>",
        &TAKEOVER[..TAKEOVER.len() - 1],
        &longer,
        &flipped,
        ATAXX,
    ];
    for content in contents {
        let mut engine = fetching("takeover");
        tell(&mut engine, GO);
        let Fetch { file, .. } = asked(&mut engine);
        assert_eq!(engine.supply(file, Some(content)), [""; 0]);
        // A cache may have kept it like that, so it is fetched past all caches.
        let Fetch { file, is_again } = asked(&mut engine);
        assert!(is_again && !engine.has_work());
        let line = "info string weights takeover damaged";
        assert_eq!(engine.supply(file, Some(content)), [line]);
        check_search(&run(&mut engine));
    }
}

#[test]
fn weights_that_a_cache_kept_damaged_are_fetched_past_it() {
    let mut engine = fetching("takeover");
    tell(&mut engine, GO);
    let Fetch { file, .. } = asked(&mut engine);
    assert_eq!(engine.supply(file, Some(b"")), [""; 0]);
    let Fetch { file, .. } = asked(&mut engine);
    assert_eq!(engine.supply(file, Some(TAKEOVER)), [""; 0]);
    assert_eq!(run(&mut engine), answer_with_weights(&[]));
}

#[test]
fn nobody_who_stops_has_to_wait() {
    for (go, end) in [(GO, "stop"), ("go infinite", "stop"), (GO, "quit")] {
        let mut engine = fetching("takeover");
        tell(&mut engine, go);
        let Fetch { file, .. } = asked(&mut engine);
        check_move(&engine.answer(end));
        assert!(!engine.is_thinking());
        if end == "stop" {
            // They come later, and the next search has them.
            assert_eq!(engine.supply(file, Some(TAKEOVER)), [""; 0]);
            tell(&mut engine, GO);
            assert_eq!(run(&mut engine), answer_with_weights(&[]));
        }
    }
    // Nor does somebody who closes the input.
    let mut engine = fetching("takeover");
    tell(&mut engine, "go infinite");
    check_move(&engine.close());
    tell(&mut engine, "puzzle 1");
    assert!(engine.owes_answer() && !engine.has_work());
    assert_eq!(engine.close(), ["puzzle none"]);
}

#[test]
fn only_those_who_search_with_weights_fetch_them() {
    for (game, options) in [
        ("lilypads", &["Level value 3"][..]),
        ("nonaga", &[]),
        ("simply-go", &["Size value 9"]),
        ("takeover", &["Level value 1"]),
        ("takeover", &["Opponent value classic"]),
        ("takeover", &["Opponent value random"]),
    ] {
        let mut engine = fetching(game);
        for option in options {
            tell(&mut engine, &format!("setoption name {option}"));
        }
        tell(&mut engine, "prepare");
        tell(&mut engine, "go nodes 50");
        assert!(engine.has_work() && engine.next_fetch().is_none(), "{game}");
        assert!(run(&mut engine).last().unwrap().starts_with("bestmove "));
    }
    let mut engine = fetching("takeover");
    tell(&mut engine, "setoption name Level value 8");
    tell(&mut engine, "prepare");
    asked(&mut engine);
}

/// The same seed has the same puzzle everywhere, so there is none without weights.
#[test]
fn a_puzzle_waits_for_weights() {
    let mut engine = fetching("takeover");
    tell(&mut engine, "puzzle 3");
    let Fetch { file, .. } = asked(&mut engine);
    assert!(!engine.has_work());
    let lines = ["info string weights takeover missing", "puzzle none"];
    assert_eq!(engine.supply(file, None), lines);
    assert!(!engine.owes_answer());
    tell(&mut engine, "puzzle 3");
    let Fetch { file, is_again } = asked(&mut engine);
    assert!(is_again);
    assert_eq!(engine.supply(file, Some(TAKEOVER)), [""; 0]);
    let mut other = built_in("takeover");
    tell(&mut other, "puzzle 3");
    assert_eq!(run(&mut engine), run(&mut other));
}
