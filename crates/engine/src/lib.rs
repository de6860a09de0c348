//! The UGI engine: lines in, lines out, thinking in slices.
//!
//! [`BOTS`] lists the opponents behind the games of [`catalog::GAMES`], which
//! itself knows nothing of search, so that a program which only shows games need
//! not link it.

mod bots_list;
mod command;
mod job;
mod mistake;
mod options;
mod state;
mod thought;
mod timer;

pub use crate::{
    bots_list::{AnyBots, BOTS, think},
    job::Job,
    state::{Engine, Flow},
    thought::Thought,
    timer::{Clock, Timer},
};
