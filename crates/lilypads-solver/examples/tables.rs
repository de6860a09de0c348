//! Solves boards and compares the tablebases with `tests/tables.txt`. It is made for
//! WebAssembly, where a program has neither arguments nor output: each call of
//! `main` takes the next board, and its exit status reports whether the tablebase is
//! correct. `cargo xtask wasm-solver` runs it.

use std::{
    ops::ControlFlow,
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
};

use lilypads::Board;
use lilypads_solver::solve;

/// Lines of a board number and the hash of its tablebase.
const TABLES: &str = include_str!("../tests/tables.txt");

static NEXT: AtomicUsize = AtomicUsize::new(0);

fn main() -> ExitCode {
    let line = TABLES.lines().nth(NEXT.fetch_add(1, Ordering::Relaxed));
    match line.is_some_and(is_right) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn is_right(line: &str) -> bool {
    let Some((number, hash)) = line.split_once(' ') else {
        return false;
    };
    let Ok(number) = number.parse() else {
        return false;
    };
    let solution = solve(&Board::new(number), |_| ControlFlow::Continue(()));
    solution.is_ok_and(|solution| format!("{:016x}", solution.tablebase().hash()) == hash)
}
