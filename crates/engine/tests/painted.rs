//! The values that the analysis board shows: the engine judges every legal move, and what is
//! painted on Lilypads is the table.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::BTreeSet, ops::ControlFlow};

use catalog::AnyMatch;
use engine::Judge;
use lilypads::{Board, Lilypads};
use lilypads_solver::{ExactValue, solve};
use rules::Random;
use study::{Effect, Effort, Event, Inquiry, Opinion, Shown, Study};
use view::Mark;

/// The number of nodes, for what otherwise goes on without end.
const N_NODES: u64 = 60_000;

/// The options of a match.
type Options<'a> = &'a [(&'a str, &'a str)];

fn random_match(game: &str, options: Options<'_>, seed: u64) -> Box<dyn AnyMatch> {
    let mut random = Random::new(seed);
    let mut record = catalog::find(game).unwrap().start(options).unwrap();
    for _ in 0..random.below(30) {
        let m = random.pick(&record.legal_moves()).unwrap().clone();
        record.explore(&m).unwrap();
        if record.legal_moves().is_empty() {
            record.undo();
        }
    }
    record
}

/// An analysis with the value of every move, as the engine judges it.
fn analyzed(record: Box<dyn AnyMatch>, judge: &mut Judge) -> Study {
    let cursor = record.cursor();
    let mut study = Study::new(record, cursor);
    study.update(Event::Lines(Inquiry::ALL_LINES));
    let effects = study.update(Event::Engine(true));
    let [Effect::Ask { number, inquiry }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(inquiry.effort, Effort::Endless);
    let inquiry = Inquiry {
        effort: Effort::Nodes(N_NODES),
        ..inquiry.clone()
    };
    for line in judge.judge(&inquiry, study.record().legal_moves().len()) {
        let (number, opinion) = (*number, Opinion::Line(line));
        study.update(Event::Opinion { number, opinion });
    }
    study
}

/// The values on the board, by target.
fn painted(study: &Study) -> Vec<(String, String)> {
    let marks = study.marks(Shown::All).into_iter();
    let values = marks.filter_map(|mark| match mark {
        Mark::Value { at, text, .. } => Some((at, text)),
        _ => None,
    });
    values.collect()
}

#[test]
fn the_engine_judges_every_legal_move() {
    let cases: [(&str, Options, u64); 7] = [
        ("lilypads", &[("board", "42")], 12),
        ("nonaga", &[], 16),
        ("nonaga", &[("variant", "published")], 6),
        ("takeover", &[("board", "7")], 6),
        ("takeover", &[("variant", "ataxx")], 6),
        ("simply-go", &[("size", "9")], 6),
        ("simply-go", &[("size", "13")], 2),
    ];
    for (game, options, n_positions) in cases {
        let mut judge = Judge::new(game).unwrap();
        for seed in 0..n_positions {
            let record = random_match(game, options, seed);
            let study = analyzed(record, &mut judge);
            let record = study.record();
            let judged = study.lines().iter().map(|line| line.moves[0].clone());
            let judged: BTreeSet<String> = judged.collect();
            let legal: BTreeSet<String> = record.legal_moves().into_iter().collect();
            assert_eq!(judged, legal, "{}", record.position());
            let painted: BTreeSet<_> = painted(&study).into_iter().map(|(at, _)| at).collect();
            for m in legal {
                let way = study.table().way(&m).unwrap_or_default();
                // A pass ends nowhere.
                let is_painted = way.last().is_none_or(|at| painted.contains(at));
                assert!(is_painted, "{}: {m}", record.position());
            }
        }
    }
}

#[test]
fn what_is_painted_on_lilypads_is_the_table() {
    for number in [0, 42] {
        let solution = solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap();
        let mut judge = Judge::new("lilypads").unwrap();
        for seed in 0..40 {
            let board = number.to_string();
            let record = random_match("lilypads", &[("board", &board)], seed);
            let study = analyzed(record, &mut judge);
            let position: Lilypads = study.record().position().parse().unwrap();
            let moves = solution.moves(&position);
            let painted = painted(&study);
            assert!(!painted.is_empty());
            for (at, text) in painted {
                let leads = |m: &str| study.table().way(m).unwrap().last() == Some(&at);
                let values = moves.iter().filter(|(m, _)| leads(&m.to_string()));
                let best = values.map(|&(_, value)| value).max().unwrap();
                let expected = match best {
                    ExactValue::Win(plies) => format!("W{plies}"),
                    ExactValue::Draw => "=".to_owned(),
                    ExactValue::Loss(plies) => format!("L{plies}"),
                };
                assert_eq!(text, expected, "{position}: {at}");
            }
        }
    }
}
