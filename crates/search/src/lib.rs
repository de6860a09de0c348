//! Alpha-beta search over any [`Position`](rules::Position).
//!
//! A [`Guide`] evaluates a game's positions and ranks its moves; [`AlphaBeta`] does
//! the rest. Nothing here names a game or reads a clock: callers pass a [`Stop`].

mod alpha_beta;
mod frame;
mod guide;
mod history;
mod limits;
mod move_picker;
mod path;
mod reduction;
mod report;
mod root;
mod slice;
mod stack;
mod transposition_table;
mod value;
mod worker;

pub use crate::{
    alpha_beta::{AlphaBeta, Search},
    guide::{Guide, Tuning},
    limits::{Limits, NoStop, Stop},
    report::{Line, Report},
    slice::{SearchStep, Slice},
    transposition_table::TranspositionTable,
    value::{Value, Verdict},
};
