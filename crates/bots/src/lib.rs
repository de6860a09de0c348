//! Opponents for every game: evaluations for the search, the classic opponents, and
//! ten levels from gentle to fierce.

mod beginner;
mod checksum;
pub mod level;
pub mod lilypads;
mod linear;
pub mod nonaga;
mod opponent;
pub mod simply_go;
pub mod takeover;
mod think;
mod thinking;
mod weights;

pub use crate::{
    beginner::{Beginner, Model, Rally},
    opponent::{Level, Opponent, ParseOpponentError},
    think::{Bots, Request, Solving, think},
    thinking::{Preparation, Thinking, ThinkingStep},
    weights::{DamagedWeights, WeightFile, needed_weights},
};
