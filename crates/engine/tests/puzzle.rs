//! Puzzles in the background.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use catalog::GAMES;
use engine::Engine;
use miner::prove;
use puzzles::Puzzle;
use search::Slice;

fn engine(game: &str) -> Engine {
    Engine::new(catalog::find(game).unwrap(), || Duration::ZERO).unwrap()
}

/// Steps until something is said.
fn wait(engine: &mut Engine, nodes: u64) -> Vec<String> {
    loop {
        assert!(engine.has_work());
        let said = engine.step(Slice::nodes(nodes));
        if !said.is_empty() {
            return said;
        }
    }
}

/// The puzzle that was said, proved again.
fn read(said: &[String]) -> Puzzle {
    let [line] = said else {
        panic!("one line: {said:?}");
    };
    let puzzle = Puzzle::from_json(line.strip_prefix("puzzle ").unwrap()).unwrap();
    assert_eq!(prove(&puzzle), Ok(()), "{puzzle}");
    puzzle
}

#[test]
fn a_seed_is_answered_with_its_puzzle() {
    for game in GAMES {
        let mut engine = engine(game.name());
        assert_eq!(engine.answer("puzzle 3"), [""; 0]);
        assert!(engine.owes_answer() && !engine.is_thinking());
        let puzzle = read(&wait(&mut engine, 1000));
        assert_eq!(puzzle.game(), game.name());
        assert!(!engine.owes_answer() && !engine.has_work());
        // It does not depend on the slices.
        engine.answer("puzzle 3");
        assert_eq!(read(&wait(&mut engine, 1_000_000)), puzzle);
        engine.answer("puzzle 4");
        assert_ne!(read(&wait(&mut engine, 1_000_000)), puzzle);
    }
}

#[test]
fn stop_cancels_it_and_so_does_another_game() {
    let mut engine = engine("nonaga");
    for cancel in ["stop", "game takeover"] {
        engine.answer("puzzle 1");
        engine.step(Slice::nodes(1));
        assert_eq!(engine.answer(cancel), [""; 0]);
        assert!(!engine.has_work());
        assert_eq!(engine.step(Slice::WHOLE), [""; 0]);
    }
    // The last of several is answered.
    engine.answer("puzzle 1");
    engine.answer("puzzle 2");
    let second = read(&wait(&mut engine, 1_000_000));
    engine.answer("puzzle 2");
    assert_eq!(read(&wait(&mut engine, 1_000_000)), second);
}

/// A match has priority, and is not disturbed.
#[test]
fn a_move_comes_first() {
    let mut engine = engine("takeover");
    engine.answer("puzzle 5");
    assert_eq!(engine.answer("position startpos moves c4"), [""; 0]);
    assert_eq!(engine.answer("go nodes 100"), [""; 0]);
    let mut said = wait(&mut engine, 1000);
    while engine.is_thinking() {
        said = wait(&mut engine, 1000);
    }
    assert!(said.last().unwrap().starts_with("bestmove "), "{said:?}");
    assert_eq!(read(&wait(&mut engine, 1000)).game(), "takeover");
    // While it thinks, stop means the move.
    engine.answer("puzzle 5");
    engine.answer("go infinite");
    assert!(
        engine
            .answer("stop")
            .last()
            .unwrap()
            .starts_with("bestmove ")
    );
    assert!(engine.owes_answer());
}

#[test]
fn bad_seeds_are_refused() {
    let mut engine = engine("nonaga");
    for line in [
        "puzzle",
        "puzzle x",
        "puzzle -1",
        "puzzle 1 2",
        "puzzle 18446744073709551616",
    ] {
        let said = engine.answer(line);
        assert_eq!(said.len(), 1);
        assert!(
            said[0].starts_with("info error expected puzzle SEED"),
            "{line}: {said:?}"
        );
        assert!(!engine.has_work());
    }
}
