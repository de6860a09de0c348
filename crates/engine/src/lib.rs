//! The UGI engine: lines in, lines out, thinking in slices.
//!
//! [`BOTS`] lists the opponents behind the games of [`catalog::GAMES`], which
//! itself knows nothing of search, so that a program which only shows games need
//! not link it.

mod command;
mod go;
mod mistake;
mod opponents;
mod options;
mod report;
mod state;
mod timer;

pub use crate::{
    opponents::{AnyBots, AnyPreparation, AnyThinking, AnyThinkingStep, BOTS, bots_of, think},
    report::AnyReport,
    state::Engine,
    timer::{Clock, MoveTimer},
};
