//! Compares a sliced search with the same search in one step.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod toy;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rules::{Position, Random};
use search::{AlphaBeta, Limits, NoStop, Report, SearchStep, Slice, Stop, TranspositionTable};
use toy::{To, Toy, ToyGuide};

fn unfinished(has_cycles: bool) -> impl Iterator<Item = Toy> {
    let toys = (0..).map(move |seed| Toy::new(seed, has_cycles));
    toys.filter(|toy| toy.outcome().is_none())
}

/// All reports of a search, the result last, in slices of `nodes()` nodes.
fn search(
    toy: &Toy,
    (n_lines, is_exact): (usize, bool),
    limits: Limits,
    stop: &dyn Stop,
    mut nodes: impl FnMut() -> u64,
) -> (Vec<Report<To>>, u32) {
    let table = TranspositionTable::for_nodes(0);
    let search = AlphaBeta {
        n_lines,
        is_exact,
        ..AlphaBeta::new(&ToyGuide, &table)
    };
    let mut reports = Vec::new();
    let mut n_pauses = 0;
    let mut under_way = search.begin(toy, &[], limits).unwrap();
    loop {
        match search.step(&mut under_way, stop, Slice::nodes(nodes())) {
            SearchStep::Paused => n_pauses += 1,
            SearchStep::Report(report) => reports.push(report),
            SearchStep::Done(report) => {
                reports.push(report);
                return (reports, n_pauses);
            }
        }
    }
}

#[test]
fn slices_of_any_size_find_the_same() {
    let mut random = Random::new(1);
    let mut n_pauses = 0;
    for has_cycles in [false, true] {
        for toy in unfinished(has_cycles).take(100) {
            for settings in [(1, false), (3, false), (1, true)] {
                for limits in [Limits::depth(9), Limits::nodes(150), Limits::nodes(0)] {
                    let whole = search(&toy, settings, limits, &NoStop, || u64::MAX).0;
                    for nodes in [0, 1, 7] {
                        let sliced = search(&toy, settings, limits, &NoStop, || nodes);
                        assert_eq!(sliced.0, whole, "{nodes} nodes a slice in {toy}");
                        n_pauses += sliced.1;
                    }
                    let any = || random.below(40).into();
                    assert_eq!(search(&toy, settings, limits, &NoStop, any).0, whole);
                }
            }
        }
    }
    assert!(n_pauses > 10_000, "{n_pauses}");
}

/// Stops at the given number of polls.
struct StopAt(AtomicU32, u32);

impl Stop for StopAt {
    fn is_set(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= self.1
    }
}

/// A search polls its stop condition at the same nodes however it is sliced.
#[test]
fn a_stop_finds_the_same_in_slices() {
    for toy in unfinished(false).take(60) {
        for n in 0..20 {
            let found = [u64::MAX, 1, 5].map(|nodes| {
                let stop = StopAt(AtomicU32::new(0), n);
                search(&toy, (2, false), Limits::default(), &stop, || nodes).0
            });
            assert_eq!(found[0], found[1], "{toy}");
            assert_eq!(found[0], found[2], "{toy}");
        }
    }
}

/// Stopped between any two slices, it returns a legal move.
#[test]
fn a_stop_between_slices_is_answered() {
    for toy in unfinished(true).take(40) {
        for n_slices in 0..40 {
            let stop = AtomicBool::new(false);
            let mut n_left = n_slices;
            let (reports, _) = search(&toy, (1, false), Limits::default(), &stop, || {
                stop.store(n_left == 0, Ordering::Relaxed);
                n_left = n_left.max(1) - 1;
                3
            });
            let best = reports.last().unwrap().best().unwrap();
            assert!(toy.legal_moves().contains(&best), "{best} in {toy}");
        }
    }
}

/// A slice can also be ended from outside, and nothing is lost.
#[test]
fn a_slice_may_be_over_at_once() {
    for toy in unfinished(false).take(40) {
        let table = TranspositionTable::for_nodes(0);
        let search = AlphaBeta::new(&ToyGuide, &table);
        let limits = Limits::depth(9);
        let whole = search.search(&toy, &[], limits, &NoStop, &mut |_| {});
        table.clear();
        let mut under_way = search.begin(&toy, &[], limits).unwrap();
        let slice = Slice {
            nodes: u64::MAX,
            is_over: &|| true,
        };
        let found = loop {
            if let SearchStep::Done(found) = search.step(&mut under_way, &NoStop, slice) {
                break found;
            }
        };
        assert_eq!(Some(found), whole, "{toy}");
    }
}

/// Threads live for one slice, and resume their search in the next.
#[test]
fn threads_can_be_sliced() {
    for toy in unfinished(false).take(20) {
        let table = TranspositionTable::for_nodes(0);
        let search = AlphaBeta {
            n_threads: 3,
            ..AlphaBeta::new(&ToyGuide, &table)
        };
        let mut under_way = search.begin(&toy, &[], Limits::nodes(2_000)).unwrap();
        let found = loop {
            if let SearchStep::Done(found) = search.step(&mut under_way, &NoStop, Slice::nodes(50))
            {
                break found;
            }
        };
        assert!(toy.legal_moves().contains(&found.best().unwrap()));
    }
}
