//! A board of Lilypads is solved once, however often it is interrupted.
//!
//! Solutions are cached for the whole process, so this file has no other test.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use bots::{Level, Opponent, Preparation, Request, Thinking, ThinkingStep};
use lilypads::{Board, Lilypads, Setup};
use lilypads_solver::{Solver, SolverStep};
use rules::Record;
use search::{Limits, NoStop, Slice, TranspositionTable};

/// The number of slices, of one part each, that choosing a move takes.
fn n_slices(record: &Record<Lilypads>, opponent: Opponent) -> u32 {
    let table = TranspositionTable::for_nodes(0);
    let request = Request {
        opponent,
        limits: Limits::default(),
        seed: 0,
        n_threads: 1,
        n_lines: 1,
        table: &table,
        stop: &NoStop,
    };
    let mut thinking = Thinking::new(record, &request);
    let mut n_slices = 0;
    while !matches!(
        thinking.step(&table, &NoStop, Slice::nodes(1)),
        ThinkingStep::Done(_)
    ) {
        n_slices += 1;
    }
    n_slices
}

#[test]
fn what_is_done_is_not_done_again() {
    let board = 71;
    let mut solver = Solver::new(&Board::new(board));
    let mut n_parts = 1;
    while !matches!(solver.step().unwrap(), SolverStep::Solved(_)) {
        n_parts += 1;
    }
    let record = Record::<Lilypads>::new(Setup { board }).unwrap();
    let mut preparation = Preparation::new(&record, Opponent::Perfect).unwrap();
    for _ in 0..n_parts - 200 {
        assert!(!preparation.step(Slice::nodes(1)));
    }
    drop(preparation);
    // One slice starts, and one chooses.
    let rest = n_slices(&record, Opponent::Perfect);
    assert!((200..=202).contains(&rest), "{rest}");
    assert!(Preparation::new(&record, Opponent::Perfect).is_none());
    for number in 1..=Level::TOP {
        let level = Opponent::Level(Level::new(number).unwrap());
        assert!(n_slices(&record, level) <= 2);
    }
    assert!(n_slices(&record, Opponent::Perfect) <= 2);
}
