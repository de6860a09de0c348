//! The UGI engine: lines in, lines out, thinking in slices.
//!
//! [`BOTS`] lists the opponents of the games in [`catalog::GAMES`]. The catalog
//! itself does not link the search, so that programs which only show games need not
//! either.

mod command;
mod go;
mod judge;
mod loading;
mod mistake;
mod opponents;
mod options;
mod report;
mod state;
mod timer;

pub use bots::WeightFile;

pub use crate::{
    judge::{Judge, main_end},
    loading::Fetch,
    opponents::{AnyBots, AnyPreparation, AnyThinking, AnyThinkingStep, BOTS, bots_of, think},
    report::AnyReport,
    state::Engine,
    timer::{Clock, MoveTimer},
};
