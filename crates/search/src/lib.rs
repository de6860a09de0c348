//! Game-tree search over any [`Position`](rules::Position).
//!
//! A [`Guide`] tells what a game's positions are worth and which moves look
//! good; [`AlphaBeta`] does the rest. Nothing here names a game or knows the
//! time: whoever has a clock hands in a [`Stop`].

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
