//! Lilypads, where the match and not the table decides: a move that leads to a position for the
//! third time draws (R16), whatever the table says about it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{ops::ControlFlow, time::Duration};

use catalog::AnyMatch;
use engine::{Engine, Judge};
use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{ExactValue, Solution, solve};
use rules::{Position, Random, Record};
use search::Slice;
use study::{
    Effect, Effort, Evaluation, Event, Hint, HintReason, Inquiry, MoveClass, Opinion, REVIEW_NODES,
    Review, Study, setup_lines,
};

const BOARD: u64 = 42;

/// A match in which `drawing` ends the match by repetition now.
struct Shuffled {
    record: Record<Lilypads>,
    drawing: Move,
    /// The other moves, with their values by the table.
    others: Vec<(Move, ExactValue)>,
    /// The value of `drawing` by the table.
    value: ExactValue,
}

fn reverse(m: Move) -> Option<Move> {
    match m {
        Move::Go { from, to } => Some(Move::Go { from: to, to: from }),
        Move::Enter { .. } | Move::Pass => None,
    }
}

/// A match in which both players went back and forth twice, so that `drawing` at the position
/// `last` leads to its start for the third time.
fn shuffled(solution: &Solution, last: &Lilypads, drawing: Move) -> Option<Shuffled> {
    let start = last.after(drawing);
    if start.outcome().is_some() {
        return None;
    }
    let leads_back = |&there: &Move| {
        let mut position = start.clone();
        let back = [Some(there), reverse(drawing), reverse(there)];
        let is_legal = back
            .into_iter()
            .all(|m| m.is_some_and(|m| position.play(m).is_ok()));
        is_legal && position == *last
    };
    let there = start.legal_moves().into_iter().find(leads_back)?;
    let mut record = Record::from_position(start);
    let cycle = [there, reverse(drawing)?, reverse(there)?, drawing];
    for m in cycle.into_iter().chain(cycle).take(7) {
        record.play(m).unwrap();
    }
    assert_eq!(record.position(), last);
    let moves = solution.moves(last).into_iter();
    let (own, others): (Vec<_>, Vec<_>) = moves.partition(|&(m, _)| m == drawing);
    Some(Shuffled {
        record,
        drawing,
        others,
        value: own[0].1,
    })
}

/// Matches from random positions, in which the drawing move is the best by the table or the match
/// is lost.
fn matches(solution: &Solution, n: usize) -> Vec<Shuffled> {
    let mut random = Random::new(1);
    let mut found = Vec::new();
    let mut counts = [0; 3];
    while counts.iter().any(|&count| count < n) {
        let mut position = Lilypads::new(solution.board());
        for _ in 0..random.below(60) {
            let m = *random.pick(&position.legal_moves()).unwrap();
            if position.after(m).outcome().is_none() {
                position.play_unchecked(m);
            }
        }
        let best = solution.best_moves(&position);
        let Some(one) = best.iter().find_map(|&m| shuffled(solution, &position, m)) else {
            continue;
        };
        let others = one.others.iter().map(|&(_, value)| value).max();
        let kind = match (one.value, others) {
            (ExactValue::Win(_), Some(ExactValue::Win(_))) => 0,
            (ExactValue::Win(_), _) => 1,
            (ExactValue::Loss(_), _) => 2,
            (ExactValue::Draw, _) => continue,
        };
        if counts[kind] < n {
            counts[kind] += 1;
            found.push(one);
        }
    }
    found
}

/// The best value once the drawing move draws.
fn true_value(one: &Shuffled) -> ExactValue {
    let others = one.others.iter().map(|&(_, value)| value);
    others
        .max()
        .unwrap_or(ExactValue::Draw)
        .max(ExactValue::Draw)
}

fn expected(value: ExactValue) -> Evaluation {
    match value {
        ExactValue::Win(plies) => Evaluation::Win(u32::from(plies)),
        ExactValue::Draw => Evaluation::Draw,
        ExactValue::Loss(plies) => Evaluation::Loss(u32::from(plies)),
    }
}

fn solved() -> Solution {
    solve(&Board::new(BOARD), |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn r16_a_hint_never_calls_a_repetition_a_win() {
    let mut judge = Judge::new("lilypads").unwrap();
    for one in matches(&solved(), 8) {
        let record: &dyn AnyMatch = &one.record;
        let inquiry = Hint::inquiry(record, record.cursor());
        let lines = judge.judge(&inquiry, record.legal_moves().len());
        let hint = Hint::new(record, record.cursor(), &lines).unwrap();
        let is_forced = one.others.is_empty();
        match true_value(&one) {
            ExactValue::Win(1) => assert_eq!(hint.reason, HintReason::WinsNow),
            ExactValue::Win(n) => {
                let named = one.others.iter().find(|(m, _)| m.to_string() == hint.m);
                assert_eq!(named.unwrap().1, ExactValue::Win(n), "{record}");
            }
            _ if is_forced => assert_eq!(hint.reason, HintReason::Forced),
            _ => {
                let is_only = one
                    .others
                    .iter()
                    .all(|(_, value)| *value < ExactValue::Draw);
                assert_eq!(is_only, hint.m == one.drawing.to_string(), "{record}");
                let draws = HintReason::Draws { is_only };
                let is_block = matches!(hint.reason, HintReason::Blocks { .. });
                assert!(hint.reason == draws || is_block, "{record}: {hint:?}");
            }
        }
    }
}

#[test]
fn r16_the_values_of_moves_know_the_repetition() {
    let mut judge = Judge::new("lilypads").unwrap();
    for one in matches(&solved(), 8) {
        let cursor = one.record.cursor();
        let mut study = Study::new(Box::new(one.record.clone()), cursor);
        study.update(Event::Lines(Inquiry::ALL_LINES));
        let effects = study.update(Event::Engine(true));
        let [Effect::Ask { number, inquiry }] = &effects[..] else {
            panic!("{effects:?}");
        };
        let inquiry = Inquiry {
            effort: Effort::Nodes(1),
            ..inquiry.clone()
        };
        for line in judge.judge(&inquiry, one.others.len() + 1) {
            let (number, opinion) = (*number, Opinion::Line(line));
            study.update(Event::Opinion { number, opinion });
        }
        assert_eq!(study.evaluation(), Some(expected(true_value(&one))));
        assert_eq!(study.lines().len(), one.others.len() + 1);
        for line in study.lines() {
            let m: Move = line.moves[0].parse().unwrap();
            let by_table = one.others.iter().find(|(other, _)| *other == m);
            let value = by_table.map_or(ExactValue::Draw, |&(_, value)| value);
            assert_eq!(line.evaluation, expected(value), "{}: {m}", one.record);
            assert!(
                by_table.is_some() || line.moves.len() == 1,
                "the match is over"
            );
        }
    }
}

#[test]
fn r16_a_review_judges_the_move_that_repeats_as_a_draw() {
    for one in matches(&solved(), 8) {
        let mut record = one.record.clone();
        record.play(one.drawing).unwrap();
        let record: &dyn AnyMatch = &record;
        assert!(record.ending().is_some(), "the match is drawn");
        let mut review = Review::new(record, record.cursor(), REVIEW_NODES);
        let mut judge = Judge::new("lilypads").unwrap();
        while judge.review_next(&mut review, record) {}
        assert!(review.is_done());
        let last = review.moves(record).pop().unwrap();
        assert_eq!(last.after, Evaluation::Draw, "{record}");
        assert_eq!(last.before, expected(true_value(&one)), "{record}");
        let throws_away = matches!(true_value(&one), ExactValue::Win(_));
        assert_eq!(last.class == MoveClass::Mistake, throws_away, "{record}");
        assert_eq!(last.kept_value(), !throws_away);
    }
}

#[test]
fn r16_the_perfect_opponent_repeats_only_if_it_would_lose() {
    let game = catalog::find("lilypads").unwrap();
    for (name, level) in [("perfect", "0"), ("engine", "10")] {
        let mut engine = Engine::new(game, || Duration::ZERO).unwrap();
        for one in matches(&solved(), 8) {
            let record: &dyn AnyMatch = &one.record;
            let options = [("Opponent", name.to_owned()), ("Level", level.to_owned())];
            let moves = record.moves();
            for line in setup_lines("lilypads", &record.start(), &moves, &options, false, true) {
                engine.answer(&line);
            }
            engine.answer("go nodes 1");
            let mut choice = None;
            while engine.has_work() {
                for line in engine.step(Slice::WHOLE) {
                    choice = line.strip_prefix("bestmove ").map(str::to_owned).or(choice);
                }
            }
            let choice: Move = choice.unwrap().parse().unwrap();
            let by_table = one.others.iter().find(|(other, _)| *other == choice);
            let value = by_table.map_or(ExactValue::Draw, |&(_, value)| value);
            assert_eq!(value, true_value(&one), "{record}: {choice}");
            let can_go_on = one
                .others
                .iter()
                .any(|&(_, value)| value == true_value(&one));
            assert_eq!(choice == one.drawing, !can_go_on, "{record}: {choice}");
        }
    }
}
