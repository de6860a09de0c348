//! Practice judges tries as a review judges moves, also those that end the match.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::{AnyMatch, GAMES};
use rules::{Outcome, Random};
use study::{Evaluation, Event, MoveClass, PracticeFeedback, Study};

/// A match that ends at its last move, won or drawn. Where random moves hardly ever draw, the match is
/// a given one; elsewhere moves are chosen at random, or go back to a position that occurred.
fn ended(game: &dyn catalog::AnyGame, outcome: Option<Outcome>) -> Option<Box<dyn AnyMatch>> {
    let drawn = match game.name() {
        "takeover" => Some((
            game.start_from("xx4/xx4/6/6/4oo/4oo x 0 1"),
            "a5a3 f2f4 a3a5 f4f2 a5a3 f2f4 a3a5 f4f2",
        )),
        "simply-go" => Some((game.start(&[("size", "9")]), "pass pass")),
        _ => None,
    };
    if let (Some((record, moves)), Some(Outcome::Draw)) = (drawn, outcome) {
        let mut record = record.unwrap();
        for m in moves.split(' ') {
            record.play(m).unwrap();
        }
        let ending = record.ending();
        return ending
            .filter(|ending| ending.outcome == Outcome::Draw)
            .map(|_| record);
    }
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut record = game.start(game.presentation().miniature).unwrap();
        let is_shuffled = outcome == Some(Outcome::Draw) && seed % 2 == 0;
        for _ in 0..600 {
            if record.ending().is_some() {
                break;
            }
            let seen = positions(&*record);
            let moves = record.legal_moves();
            // A move back to a position that occurred.
            let back = moves
                .iter()
                .filter(|_| is_shuffled && seen.len() > 20)
                .find(|m| {
                    let mut after = record.boxed_clone();
                    after.explore(m).is_ok() && seen.contains(&after.position())
                });
            let m = back.or_else(|| random.pick(&moves)).unwrap().clone();
            record.play(&m).unwrap();
        }
        let ending = record.ending();
        let is_wanted = ending.is_some_and(|ending| match outcome {
            Some(outcome) => ending.outcome == outcome,
            None => ending.outcome != Outcome::Draw,
        });
        if is_wanted {
            return Some(record);
        }
    }
    None
}

fn positions(record: &dyn AnyMatch) -> Vec<String> {
    let mut at = record.boxed_clone();
    let line = record.line(record.cursor()).into_iter();
    line.map(|node| {
        at.go_to(node).unwrap();
        at.position()
    })
    .collect()
}

/// The answer to the try `ending` instead of the move `made`, where the position was worth `before`.
fn answer(record: &dyn AnyMatch, made: &str, ending: &str, before: &str) -> PracticeFeedback {
    // A match in which `made` was played last, and no best move is known but it.
    let mut record = record.boxed_clone();
    let end = record.cursor();
    let parent = record.ancestors(end)[0];
    record.go_to(parent).unwrap();
    record.explore(made).unwrap();
    let task = record.cursor();
    let mut study = Study::new(record.boxed_clone(), task);
    let n_before = record.line(parent).len() - 1;
    study.recall(&format!(
        "{}{}{before}//{made}/{made}",
        study.review().to_text().split(';').next().unwrap(),
        ";".repeat(n_before + 1)
    ));
    assert!(study.review().assessment_at(parent).is_some());
    study.update(Event::Practice(vec![task]));
    study.update(Event::Typed(ending.to_owned()));
    study.practice().unwrap().answer().unwrap().clone()
}

/// A draw is right where nothing better is known, and wrong where a win was.
#[test]
fn a_try_that_ends_the_match_is_judged_like_other_moves() {
    for game in GAMES {
        for outcome in [Some(Outcome::Draw), None] {
            let record = ended(game, outcome);
            let record = record.unwrap_or_else(|| panic!("{} {outcome:?}", game.name()));
            let end = record.cursor();
            let parent = record.ancestors(end)[0];
            let ending = record.move_to(end).unwrap();
            let legal = record.legal_moves_at(parent);
            let Some(made) = legal.iter().find(|m| **m != ending) else {
                continue;
            };
            let mover = record.turn_at(parent).unwrap();
            let value = match record.ending().unwrap().outcome {
                Outcome::Draw => Evaluation::Draw,
                Outcome::Win(winner) if winner == mover => Evaluation::Win(0),
                Outcome::Win(_) => Evaluation::Loss(0),
            };
            for before in ["w5", "d", "l6", "s0@9", "s700@9", "s-700@9"] {
                let known: Evaluation = before.parse().unwrap();
                let is_right = MoveClass::of(known, value) <= MoveClass::Good;
                let wanted = if is_right {
                    PracticeFeedback::Right
                } else {
                    PracticeFeedback::Wrong(None)
                };
                let found = answer(&*record, made, &ending, before);
                assert_eq!(found, wanted, "{}: {value} for {before}", game.name());
            }
            if value == Evaluation::Draw {
                let right = answer(&*record, made, &ending, "d");
                assert_eq!(right, PracticeFeedback::Right, "{}", game.name());
            }
        }
    }
}
