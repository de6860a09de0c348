//! Prints the CPU time of solving Lilypads, beside its limits.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use std::{hint::black_box, ops::ControlFlow, rc::Rc};

use cpu_time::ProcessTime;
use lilypads::{Board, Lilypads};
use lilypads_solver::{Solution, fair, solve};
use miner::lilypads::{Task, find};
use rules::{Position, Random};

const N_BOARDS: u64 = 50;

/// The limit in seconds.
const SOLVE_LIMIT: f64 = 0.6;
const LOOK_UP_LIMIT: f64 = 10e-6;
const FAIR_LIMIT: f64 = 10.0;
const PUZZLES_LIMIT: f64 = 3.0;

fn main() {
    let mut times: Vec<f64> = (0..N_BOARDS)
        .map(|number| timed(|| solved(number)).1)
        .collect();
    times.sort_by(f64::total_cmp);
    let quantile = |n: usize| times[(times.len() - 1) * n / 10];
    report("a board solved, median of 50", quantile(5), SOLVE_LIMIT);
    report("a board solved, ninth of ten", quantile(9), SOLVE_LIMIT);
    report("a board solved, slowest of 50", quantile(10), SOLVE_LIMIT);

    let solution = solved(0);
    report(
        "all moves of a position looked up",
        look_up(&solution),
        LOOK_UP_LIMIT,
    );

    let mut times: Vec<f64> = (0..10)
        .map(|n| timed(|| fair::find(1000 * n, |_, _| ControlFlow::Continue(()))).1)
        .collect();
    times.sort_by(f64::total_cmp);
    report("a fair board found, median of 10", times[4], FAIR_LIMIT);
    report("a fair board found, slowest of 10", times[9], FAIR_LIMIT);

    for (name, task) in [("wins", Task::WinIn(2..=8)), ("draws", Task::Draw)] {
        let (puzzles, seconds) = timed(|| find(Rc::new(solved(0)), &task, 100, 1));
        let name = format!(
            "{} puzzles with {name}, the board solved first",
            puzzles.len()
        );
        report(&name, seconds, PUZZLES_LIMIT);
    }
}

fn solved(number: u64) -> Solution {
    let solution = solve(&Board::new(number), |_| ControlFlow::Continue(()));
    solution.expect("nobody stops it")
}

/// The result of `work`, and its CPU time in seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ProcessTime::now();
    let made = black_box(work());
    (made, start.elapsed().as_secs_f64())
}

/// Seconds for a position of a random match.
fn look_up(solution: &Solution) -> f64 {
    const N_POSITIONS: usize = 20_000;
    let mut random = Random::new(1);
    let mut positions = Vec::new();
    while positions.len() < N_POSITIONS {
        let mut position = Lilypads::new(solution.board());
        while let Some(&m) = random.pick(&position.legal_moves()) {
            positions.push(position.clone());
            position.play_unchecked(m);
        }
    }
    let ((), seconds) = timed(|| {
        for position in &positions {
            black_box(solution.moves(position));
        }
    });
    seconds / positions.len() as f64
}

fn report(what: &str, seconds: f64, limit: f64) {
    let (scaled, unit) = if seconds < 1e-3 {
        (seconds * 1e6, "µs")
    } else {
        (seconds, "s")
    };
    println!(
        "  {what:<50} {scaled:>8.2} {unit:<2}  {:>5.2} of the limit",
        seconds / limit
    );
}
