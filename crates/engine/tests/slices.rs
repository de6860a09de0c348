//! The engine on a host without threads, which alternates between lines and slices
//! of thinking.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use catalog::{AnyGame, GAMES};
use engine::Engine;
use rules::Random;
use search::Slice;

/// An engine with a stopped clock, so that its answers are deterministic.
fn engine(game: &'static dyn AnyGame) -> Engine {
    let mut engine = Engine::new(game, || Duration::ZERO).unwrap();
    if game.name() == "simply-go" {
        tell(&mut engine, "setoption name Size value 9");
    }
    engine
}

/// Sends a line that is not answered.
#[track_caller]
fn tell(engine: &mut Engine, line: &str) {
    assert_eq!(engine.answer(line), [""; 0], "{line}");
}

/// All lines until the work is done, in slices of `nodes()` nodes, and the number of
/// slices.
fn finish(engine: &mut Engine, mut nodes: impl FnMut() -> u64) -> (Vec<String>, u32) {
    let (mut said, mut n_slices) = (Vec::new(), 0);
    while engine.has_work() {
        said.extend(engine.step(Slice::nodes(nodes())));
        n_slices += 1;
    }
    (said, n_slices)
}

fn n_answers(said: &[String]) -> usize {
    let is_answer = |said: &&String| said.starts_with("bestmove ");
    said.iter().filter(is_answer).count()
}

#[test]
fn slices_of_any_size_say_the_same() {
    let mut random = Random::new(8);
    for game in GAMES {
        let perfect = game.is_solved().then_some("Opponent value perfect");
        let opponents = ["Opponent value classic", "Level value 0", "Level value 5"];
        for opponent in opponents.into_iter().chain(perfect) {
            for bounds in ["nodes 400", "depth 2", "movetime 5 nodes 100", "nodes 0"] {
                let say = |mut nodes: Box<dyn FnMut() -> u64>| {
                    let mut engine = engine(game);
                    tell(&mut engine, &format!("setoption name {opponent}"));
                    tell(&mut engine, "setoption name MultiPV value 2");
                    tell(&mut engine, &format!("go {bounds}"));
                    finish(&mut engine, &mut nodes).0
                };
                let whole = say(Box::new(|| u64::MAX));
                assert_eq!(n_answers(&whole), 1, "{whole:?}");
                for nodes in [1, 7] {
                    let context = format!("{} {opponent} {bounds}", game.name());
                    assert_eq!(say(Box::new(move || nodes)), whole, "{context}");
                }
                let mut sizes = Random::new(random.any());
                assert_eq!(say(Box::new(move || sizes.below(100).into())), whole);
            }
        }
    }
}

#[test]
fn stop_is_answered_between_any_two_slices() {
    for game in GAMES {
        for n_slices in 0..30 {
            let mut engine = engine(game);
            if n_slices % 3 == 0 {
                tell(&mut engine, "setoption name Level value 4");
            }
            tell(&mut engine, "go infinite");
            let mut said = Vec::new();
            for _ in 0..n_slices {
                said.extend(engine.step(Slice::nodes(5)));
                assert_eq!(engine.answer("isready"), ["readyok"]);
                let busy = "info error expected stop first: the engine is thinking";
                assert_eq!(engine.answer("go"), [busy]);
            }
            assert_eq!(n_answers(&said), 0);
            assert_eq!(n_answers(&engine.answer("stop")), 1);
            assert!(!engine.has_work() && !engine.is_thinking());
            tell(&mut engine, "stop");
            assert_eq!(engine.step(Slice::nodes(5)), [""; 0]);
        }
    }
}

/// `go infinite` waits for `stop` even if the search is done.
#[test]
fn an_endless_search_waits_for_stop() {
    let mut engine = engine(catalog::find("takeover").unwrap());
    tell(&mut engine, "position fen 6/6/6/6/6/x1o3 x 0 9");
    tell(&mut engine, "go infinite");
    let (said, _) = finish(&mut engine, || 100);
    assert!(said.iter().any(|said| said.contains(" score win 1 ")));
    assert_eq!(n_answers(&said), 0);
    assert!(engine.is_thinking());
    assert_eq!(n_answers(&engine.answer("stop")), 1);
}

/// The nodes of the last report.
fn nodes(said: &[String]) -> u64 {
    let words = said.iter().rev().find_map(|line| {
        let (_, rest) = line.split_once(" nodes ")?;
        rest.split(' ').next()
    });
    words.unwrap().parse().unwrap()
}

#[test]
fn what_was_found_before_a_stop_is_remembered() {
    let mut engine = engine(catalog::find("takeover").unwrap());
    // With one line, late moves of the root are reduced by an order that comes from the nodes
    // they took, which the table changes.
    tell(&mut engine, "setoption name MultiPV value 2");
    tell(&mut engine, "go depth 8");
    let (said, _) = finish(&mut engine, || 1_000);
    let first = nodes(&said);
    tell(&mut engine, "uginewgame");
    tell(&mut engine, "go infinite");
    while !engine
        .step(Slice::nodes(1_000))
        .iter()
        .any(|said| said.contains(" depth 8 "))
    {}
    assert_eq!(n_answers(&engine.answer("stop")), 1);
    tell(&mut engine, "go depth 8");
    let (said, _) = finish(&mut engine, || 1_000);
    let second = nodes(&said);
    // How many depends on the network; with an empty table it would be exactly as many.
    assert!(second * 3 < first * 2, "{second} of {first}");
    // A new match starts with an empty table.
    tell(&mut engine, "uginewgame");
    tell(&mut engine, "go depth 8");
    assert_eq!(nodes(&finish(&mut engine, || 1_000).0), first);
}

#[test]
fn another_game_has_the_memory_but_not_what_was_in_it() {
    let mut engine = engine(catalog::find("nonaga").unwrap());
    tell(&mut engine, "setoption name Hash value 2");
    tell(&mut engine, "go depth 3");
    let first = nodes(&finish(&mut engine, || 1_000).0);
    for line in ["game takeover", "go depth 3"] {
        tell(&mut engine, line);
    }
    finish(&mut engine, || 1_000);
    tell(&mut engine, "game nonaga");
    tell(&mut engine, "go depth 3");
    assert_eq!(nodes(&finish(&mut engine, || 1_000).0), first);
    assert!(format!("{engine:?}").contains("hash: Some(2)"));
}

/// When the input ends, searches with a limit are still answered.
#[test]
fn closing_ends_only_what_is_endless() {
    let mut engine = engine(catalog::find("nonaga").unwrap());
    tell(&mut engine, "go depth 2");
    assert_eq!(engine.close(), [""; 0]);
    assert_eq!(n_answers(&finish(&mut engine, || 50).0), 1);
    tell(&mut engine, "go infinite");
    assert_eq!(n_answers(&engine.close()), 1);
    tell(&mut engine, "go infinite");
    assert!(!engine.has_quit());
    assert_eq!(n_answers(&engine.answer("quit")), 1);
    assert!(engine.has_quit());
}
