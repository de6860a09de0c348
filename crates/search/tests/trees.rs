//! Alpha-beta on thousands of random games, against minimax.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod plain;
mod toy;

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU32, Ordering},
};

use plain::{Plain, can_win_within};
use rules::Position;
use search::{AlphaBeta, Limits, Line, NoStop, Report, Stop, TranspositionTable, Value, Verdict};
use toy::{N_NODES, To, Toy, ToyGuide, truth, truth_of_move};

fn search(
    position: &Toy,
    depth: u32,
    table: &TranspositionTable,
    is_exact: bool,
    n_lines: usize,
) -> Report<To> {
    let search = AlphaBeta {
        is_exact,
        n_lines,
        ..AlphaBeta::new(&ToyGuide, table)
    };
    let found = search.search(position, &[], Limits::depth(depth), &NoStop, &mut |_| {});
    found.unwrap()
}

fn unfinished(has_cycles: bool) -> impl Iterator<Item = Toy> {
    let toys = (0..).map(move |seed| Toy::new(seed, has_cycles));
    toys.filter(|toy| toy.outcome().is_none())
}

/// Whether turns alternate or the same player is to move again.
#[test]
fn exact_search_is_minimax() {
    let mut n_again = 0;
    for toy in unfinished(false).take(4_000) {
        let n_moves = toy.legal_moves().len();
        n_again += u32::from(
            toy.legal_moves()
                .iter()
                .any(|&m| toy.after(m).turn() == toy.turn()),
        );
        // One table for all depths: entries of one must not disturb the next.
        let table = TranspositionTable::for_nodes(0);
        for depth in 1..=8 {
            let mut expected = Plain::new(&ToyGuide, &[]).root(&toy, depth);
            for n_lines in [1, n_moves] {
                let found = search(&toy, depth, &table, true, n_lines);
                let (_, best) = *expected
                    .iter()
                    .find(|(m, _)| Some(*m) == found.best())
                    .unwrap();
                expected.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
                let values: Vec<_> = expected.iter().map(|&(_, value)| value).collect();
                let lines: Vec<_> = found.lines.iter().map(|line| line.value).collect();
                assert_eq!(lines, values[..n_lines], "depth {depth} of {toy}");
                assert_eq!(best, values[0], "depth {depth} of {toy}");
            }
        }
    }
    assert!(n_again > 1_000);
}

/// A line leads to the result that its value reports.
#[test]
fn lines_are_legal_and_end_where_they_say() {
    let mut n_decided = 0;
    for toy in unfinished(false).take(2_000) {
        for is_exact in [true, false] {
            let table = TranspositionTable::for_nodes(0);
            let found = search(&toy, 12, &table, is_exact, 1);
            let line = &found.lines[0];
            let mut position = toy.clone();
            for &m in &line.moves {
                position.play(m).unwrap();
            }
            if let Verdict::Win(n) | Verdict::Loss(n) = line.value.verdict()
                && line.moves.len() == n as usize
            {
                assert!(position.outcome().is_some(), "{toy}");
                n_decided += 1;
            }
            let effort: u32 = found.effort.iter().map(|&(_, share)| share).sum();
            assert_eq!(found.effort.len(), toy.legal_moves().len());
            assert!(effort <= 1_000, "{toy}");
        }
    }
    assert!(n_decided > 1_000, "{n_decided}");
}

/// A search to the end of the game finds its value and the exact distance.
#[test]
fn distances_are_exact() {
    let mut n_decided = 0;
    for toy in unfinished(false).take(4_000) {
        let mut known = HashMap::new();
        let expected = truth(&toy, &mut known);
        let found = search(&toy, 20, &TranspositionTable::for_nodes(0), true, 1);
        assert_eq!(found.value(), Some(expected), "{toy}");
        let best = truth_of_move(&toy, found.best().unwrap(), &mut known);
        assert_eq!(best, expected, "{toy}");
        n_decided += u32::from(expected.is_decided());
    }
    assert!(n_decided > 2_000, "{n_decided}");
}

/// Whether the line reports a win or loss, which has to be true.
#[track_caller]
fn is_decided(toy: &Toy, line: &Line<To>) -> bool {
    let (winner, n) = match line.value.verdict() {
        Verdict::Win(n) => (toy.turn(), n),
        Verdict::Loss(n) => (!toy.turn(), n),
        Verdict::Draw | Verdict::Score(_) => return false,
    };
    let after = toy.after(line.moves[0]);
    assert!(can_win_within(&after, winner, n - 1), "{line:?} in {toy}");
    true
}

/// Whatever is pruned, a reported win is a win, and a reported loss a loss.
#[test]
fn reported_wins_and_losses_are_proven() {
    let mut n_decided = 0;
    for has_cycles in [false, true] {
        for toy in unfinished(has_cycles).take(2_000) {
            let table = TranspositionTable::for_nodes(0);
            for depth in 1..=10 {
                let found = search(&toy, depth, &table, false, 2);
                let decided = found.lines.iter().filter(|line| is_decided(&toy, line));
                n_decided += decided.count();
            }
        }
    }
    assert!(n_decided > 10_000, "{n_decided}");
}

/// In a game with cycles, exact search never reports a draw or a score where a win
/// is near, and finds the fastest win.
#[test]
fn circles_do_not_hide_a_win() {
    let mut n_decided = 0;
    for toy in unfinished(true).take(3_000) {
        let depth = 6;
        let found = search(&toy, depth, &TranspositionTable::for_nodes(0), true, 1)
            .value()
            .unwrap();
        for (winner, sign) in [(toy.turn(), 1), (!toy.turn(), -1)] {
            let fastest = (0..=depth).find(|&n| can_win_within(&toy, winner, n));
            if let Some(n) = fastest {
                let expected = if sign > 0 {
                    Value::win_in(n)
                } else {
                    Value::loss_in(n)
                };
                assert_eq!(found, expected, "{toy}");
                n_decided += 1;
            }
        }
    }
    assert!(n_decided > 1_000, "{n_decided}");
}

/// A position that was played twice before is a draw when it comes again.
#[test]
fn what_was_played_twice_is_a_draw() {
    let mut n_checked = 0;
    for toy in unfinished(true).take(2_000) {
        let children: Vec<_> = toy.legal_moves().iter().map(|&m| toy.after(m)).collect();
        let keys = children.iter().map(Position::key);
        for n_times in [1, 2] {
            let played: Vec<u64> = keys.clone().flat_map(|key| vec![key; n_times]).collect();
            let mut plain = Plain::new(&ToyGuide, &played);
            let expected = plain.root(&toy, 3);
            if plain.has_cycle {
                continue;
            }
            n_checked += 1;
            let expected = expected.iter().map(|&(_, value)| value).max();
            let table = TranspositionTable::for_nodes(0);
            let exact = AlphaBeta {
                is_exact: true,
                ..AlphaBeta::new(&ToyGuide, &table)
            };
            let found = exact.search(&toy, &played, Limits::depth(3), &NoStop, &mut |_| {});
            assert_eq!(found.unwrap().value(), expected, "{toy}");
            let is_over = children.iter().any(|child| child.outcome().is_some());
            if n_times == 2 && !is_over {
                assert_eq!(expected, Some(Value::DRAW));
            }
        }
    }
    assert!(n_checked > 2_000, "{n_checked}");
}

#[test]
fn a_finished_game_is_not_searched() {
    let mut over = (0..N_NODES).map(|place| Toy {
        place,
        ..Toy::new(3, false)
    });
    let over = over.find(|toy| toy.outcome().is_some()).unwrap();
    let table = TranspositionTable::for_nodes(0);
    let search = AlphaBeta::new(&ToyGuide, &table);
    assert_eq!(
        search.search(&over, &[], Limits::depth(3), &NoStop, &mut |_| {}),
        None
    );
}

/// Stops at the given number of polls.
struct StopAt(AtomicU32, u32);

impl Stop for StopAt {
    fn is_set(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= self.1
    }
}

/// Stopped at any node, it returns a legal move and reports nothing false.
#[test]
fn it_can_be_stopped_at_any_node() {
    for toy in unfinished(false).take(60) {
        let moves = toy.legal_moves();
        for n in 0..60 {
            for limits in [Limits::nodes(n), Limits::default()] {
                let stop = StopAt(AtomicU32::new(0), n as u32);
                let table = TranspositionTable::for_nodes(0);
                let search = AlphaBeta {
                    n_lines: usize::MAX,
                    ..AlphaBeta::new(&ToyGuide, &table)
                };
                let found = search
                    .search(&toy, &[], limits, &stop, &mut |_| {})
                    .unwrap();
                assert!(moves.contains(&found.best().unwrap()));
                assert!(limits.nodes.is_none_or(|most| found.nodes <= most));
                for line in &found.lines {
                    is_decided(&toy, line);
                }
                // A move known to lose is not chosen while there are others.
                let (line, n_lines) = (&found.lines[0], found.lines.len());
                assert!(
                    !line.value.is_loss() || n_lines == moves.len(),
                    "{found:?} in {toy}"
                );
            }
        }
    }
}

/// The time is up before the search starts, and no stop is requested.
struct TimeIsUp;

impl Stop for TimeIsUp {
    fn is_set(&self) -> bool {
        true
    }

    fn is_requested(&self) -> bool {
        false
    }
}

/// Even if a busy machine takes all of the time, the move comes from a finished
/// depth.
#[test]
fn the_first_depth_is_finished_whatever_the_time() {
    for toy in unfinished(true).take(300) {
        let table = TranspositionTable::for_nodes(0);
        let search = AlphaBeta::new(&ToyGuide, &table);
        let found = search.search(&toy, &[], Limits::default(), &TimeIsUp, &mut |_| {});
        let first = search.search(&toy, &[], Limits::depth(1), &NoStop, &mut |_| {});
        let (found, first) = (found.unwrap(), first.unwrap());
        assert!(found.depth >= 1, "{toy}");
        assert_eq!(found.best(), first.best(), "{toy}");
    }
}

#[test]
fn the_same_search_finds_the_same() {
    for toy in unfinished(true).take(300) {
        let reports = [(); 2].map(|()| {
            let table = TranspositionTable::for_nodes(0);
            let search = AlphaBeta::new(&ToyGuide, &table);
            let mut reports = Vec::new();
            let found = search.search(&toy, &[], Limits::nodes(200), &NoStop, &mut |report| {
                reports.push(report.clone());
            });
            reports.extend(found);
            reports
        });
        assert_eq!(reports[0], reports[1]);
    }
}

/// Threads share a table, so their results may differ, but never what is proven.
#[test]
fn threads_agree_on_what_is_proven() {
    for toy in unfinished(false).take(150) {
        let table = TranspositionTable::for_nodes(0);
        let search = AlphaBeta {
            is_exact: true,
            n_threads: 3,
            ..AlphaBeta::new(&ToyGuide, &table)
        };
        let found = search.search(&toy, &[], Limits::depth(20), &NoStop, &mut |_| {});
        let expected = truth(&toy, &mut HashMap::new());
        assert_eq!(found.unwrap().value(), Some(expected), "{toy}");
    }
}
