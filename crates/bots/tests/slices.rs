//! Compares a bot that thinks in slices with the same bot in one step.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod positions;

use std::sync::atomic::{AtomicBool, Ordering};

use bots::{Bots, Level, Opponent, Preparation, Request, Thinking, ThinkingStep};
use lilypads::Lilypads;
use nonaga::Nonaga;
use positions::{anywhere, setup};
use rules::{Random, Record};
use search::{Limits, NoStop, Report, Slice, Stop, TranspositionTable};
use simply_go::SimplyGo;
use takeover::Takeover;

fn request<'a>(opponent: Opponent, limits: Limits, table: &'a TranspositionTable) -> Request<'a> {
    Request {
        opponent,
        limits,
        seed: 5,
        n_threads: 1,
        n_lines: 2,
        table,
        stop: &NoStop,
    }
}

/// All reports of a bot, and its choice, in slices of `nodes()` nodes.
fn think<G: Bots>(
    record: &Record<G>,
    opponent: Opponent,
    limits: Limits,
    stop: &dyn Stop,
    mut nodes: impl FnMut() -> u64,
) -> (Vec<Report<G::Move>>, Option<G::Move>) {
    let table = TranspositionTable::for_nodes(0);
    let mut thinking = Thinking::new(record, &request(opponent, limits, &table));
    let mut reports = Vec::new();
    loop {
        match thinking.step(&table, stop, Slice::nodes(nodes())) {
            ThinkingStep::Paused => {}
            ThinkingStep::Report(report) => reports.push(report),
            ThinkingStep::Done(choice) => return (reports, choice),
        }
    }
}

fn opponents<G: Bots>() -> Vec<Opponent> {
    let levels = [1, 4, Level::TOP].map(|number| Opponent::Level(Level::new(number).unwrap()));
    let perfect = G::IS_SOLVED.then_some(Opponent::Perfect);
    [Opponent::Engine, Opponent::Classic, Opponent::Random]
        .into_iter()
        .chain(levels)
        .chain(perfect)
        .collect()
}

/// Slices of any size give the same reports and the same choice.
fn check_sizes<G: Bots>(setup: G::Setup, n: usize) {
    let mut random = Random::new(3);
    for sample in anywhere::<G>(setup, 30, 4).take(n) {
        let record = &sample.record;
        for opponent in opponents::<G>() {
            for limits in [Limits::nodes(700), Limits::depth(3), Limits::nodes(0)] {
                // Some games have too many nodes at depth 3 for a test.
                let limits = Limits {
                    nodes: limits.nodes.or(Some(2_000)),
                    ..limits
                };
                let whole = think(record, opponent, limits, &NoStop, || u64::MAX);
                for nodes in [1, 7] {
                    let sliced = think(record, opponent, limits, &NoStop, || nodes);
                    assert_eq!(sliced, whole, "{opponent} in {}", record.position());
                }
                let any = || random.below(300).into();
                assert_eq!(think(record, opponent, limits, &NoStop, any), whole);
            }
        }
    }
}

#[test]
fn slices_of_any_size_come_to_the_same() {
    check_sizes::<Takeover>(setup::<Takeover>(&[]), 8);
    check_sizes::<Takeover>(setup::<Takeover>(&[("variant", "ataxx")]), 8);
    check_sizes::<Nonaga>(setup::<Nonaga>(&[]), 4);
    check_sizes::<Nonaga>(setup::<Nonaga>(&[("variant", "published")]), 4);
    check_sizes::<Lilypads>(setup::<Lilypads>(&[("board", "7")]), 8);
    check_sizes::<SimplyGo>(setup::<SimplyGo>(&[("size", "9")]), 3);
    check_sizes::<SimplyGo>(setup::<SimplyGo>(&[]), 1);
}

/// Stopped at any time, it returns a legal move; only the perfect opponent may have
/// none, if the board is not solved.
fn check_stop<G: Bots>(setup: G::Setup) {
    for sample in anywhere::<G>(setup, 30, 6).take(3) {
        let record = &sample.record;
        for opponent in opponents::<G>() {
            for n_slices in [0, 1, 2, 5, 30] {
                let stop = AtomicBool::new(false);
                let mut n_left = n_slices;
                let (_, choice) = think(record, opponent, Limits::default(), &stop, || {
                    stop.store(n_left == 0, Ordering::Relaxed);
                    n_left = n_left.max(1) - 1;
                    20
                });
                let is_legal = choice.map(|m| record.position().is_legal(m));
                assert_eq!(is_legal, Some(true), "{opponent} in {}", record.position());
            }
        }
    }
}

#[test]
fn a_stop_between_slices_is_answered() {
    check_stop::<Takeover>(setup::<Takeover>(&[]));
    check_stop::<Nonaga>(setup::<Nonaga>(&[]));
    check_stop::<SimplyGo>(setup::<SimplyGo>(&[("size", "9")]));
}

/// Results from before a stop are in the table afterwards.
#[test]
fn a_second_search_goes_on_from_the_first() {
    let record = Record::<Takeover>::new(setup::<Takeover>(&[])).unwrap();
    let table = TranspositionTable::new(1);
    let limits = Limits::depth(8);
    let nodes = [(); 2].map(|()| {
        // With one line, late moves of the root are reduced by an order that comes from the
        // nodes they took, which the table changes.
        let request = Request {
            n_lines: 2,
            ..request(Opponent::Engine, limits, &table)
        };
        let mut nodes = 0;
        bots::think(&record, &request, &mut |report| nodes = report.nodes);
        nodes
    });
    // How many depends on the network; with an empty table it would be exactly as many.
    assert!(nodes[1] * 3 < nodes[0] * 2, "{nodes:?}");
}

/// Opponents that need no solution prepare nothing.
#[test]
fn only_levels_and_perfection_need_preparation() {
    let record = Record::<Lilypads>::new(setup::<Lilypads>(&[("board", "72")])).unwrap();
    for opponent in [Opponent::Engine, Opponent::Classic, Opponent::Random] {
        assert!(Preparation::new(&record, opponent).is_none(), "{opponent}");
    }
    let record = Record::<Nonaga>::new(setup::<Nonaga>(&[])).unwrap();
    for opponent in opponents::<Nonaga>().into_iter().chain([Opponent::Perfect]) {
        assert!(Preparation::new(&record, opponent).is_none(), "{opponent}");
    }
}
