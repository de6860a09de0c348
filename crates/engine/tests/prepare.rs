//! `prepare`: the work is done in the background, and only once.
//!
//! Solutions are cached for the whole process, so this file has no other test.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use engine::Engine;
use search::Slice;

/// Sends a line that is not answered.
#[track_caller]
fn tell(engine: &mut Engine, line: &str) {
    assert_eq!(engine.answer(line), [""; 0], "{line}");
}

fn n_answers(said: &[String]) -> usize {
    let is_answer = |said: &&String| said.starts_with("bestmove ");
    said.iter().filter(is_answer).count()
}

/// The number of minimal slices before the answer.
fn n_slices_of_go(engine: &mut Engine) -> u32 {
    tell(engine, "go");
    let (mut said, mut n_slices) = (Vec::new(), 0);
    while engine.has_work() {
        said.extend(engine.step(Slice::nodes(1)));
        n_slices += 1;
    }
    assert_eq!(n_answers(&said), 1);
    n_slices
}

#[test]
fn preparing_goes_on_beside_everything_else() {
    let game = catalog::find("lilypads").unwrap();
    let mut engine = Engine::new(game, || Duration::ZERO).unwrap();
    tell(&mut engine, "prepare");
    assert!(!engine.has_work(), "a search needs no preparation");
    tell(&mut engine, "setoption name Board value 71");
    tell(&mut engine, "setoption name Opponent value perfect");
    tell(&mut engine, "prepare");
    for _ in 0..400 {
        assert!(engine.has_work() && !engine.is_thinking());
        assert_eq!(engine.step(Slice::nodes(1)), [""; 0]);
        assert_eq!(engine.answer("isready"), ["readyok"]);
        assert_eq!(engine.answer("query p1turn"), ["response true"]);
        tell(&mut engine, "setoption name Seed value 1");
        tell(&mut engine, "stop");
        tell(&mut engine, "position startpos");
    }
    // Setting an option starts a new match without preparation; its progress is
    // kept.
    tell(&mut engine, "setoption name Board value 71");
    assert!(!engine.has_work());
    tell(&mut engine, "prepare");
    for _ in 0..400 {
        engine.step(Slice::nodes(1));
    }
    // Moves before the board is solved, and `stop`, keep it as well.
    tell(&mut engine, "go infinite");
    for _ in 0..200 {
        assert_eq!(engine.step(Slice::nodes(1)), [""; 0]);
    }
    assert_eq!(n_answers(&engine.answer("stop")), 1);
    let n_slices = n_slices_of_go(&mut engine);
    assert!((100..1_000).contains(&n_slices), "{n_slices}");
    assert!(n_slices_of_go(&mut engine) < 5);
    tell(&mut engine, "prepare");
    assert!(!engine.has_work());
    tell(&mut engine, "setoption name Opponent value engine");
    tell(&mut engine, "setoption name Level value 2");
    assert!(n_slices_of_go(&mut engine) < 5);
}
