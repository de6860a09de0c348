//! Lilypads, solved: the value of every position of a board, and its distance in
//! plies.
//!
//! [`solve`] computes them in a fraction of a second by retrograde analysis; the
//! [`Solution`] answers questions. `docs/lilypads-solver.md` documents the algorithm
//! and its speed.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use lilypads::{Board, Lilypads};
//! use lilypads_solver::{ExactValue, solve};
//! use rules::Position;
//!
//! let board = Board::new(0);
//! let solution = solve(&board, |_| ControlFlow::Continue(()))?;
//!
//! // Nobody has to lose on this board, but First can go wrong at once.
//! let mut position = Lilypads::new(&board);
//! assert_eq!(solution.value(&position), Some(ExactValue::Draw));
//!
//! // Against this mistake there is a win, and the line to it is as long as promised.
//! position = "#0 8,12 22 first".parse()?;
//! let value = solution.value(&position).expect("it is a position of this board");
//! let line = solution.line(&position);
//! assert_eq!(line.len(), usize::from(value.plies()));
//! for m in line {
//!     position.play(m)?;
//! }
//! assert!(position.outcome().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrangements;
pub mod check;
pub mod fair;
pub mod levels;
mod line;
pub mod matches;
mod matrix;
mod passages;
pub mod perfect;
pub mod pips;
mod pond;
mod retrograde;
mod solution;
mod solver;
mod tablebase;
mod transpose;
mod value;

pub use crate::{
    fair::Certificate,
    levels::choose_at_level,
    pond::{MOST_CIRCLES, Pond},
    retrograde::{SolverProgress, Unsolved, solve_pond},
    solution::{Solution, is_third_occurrence, solve},
    solver::{Solver, SolverStep},
    tablebase::{Counts, Tablebase},
    value::ExactValue,
};
