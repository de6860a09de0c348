//! Opponents for every game: evaluations for the search, the classic opponents, and
//! eight levels from gentle to fierce.

mod beginner;
pub mod level;
pub mod lilypads;
mod linear;
pub mod nonaga;
mod opponent;
pub mod simply_go;
pub mod takeover;
mod think;
mod thinking;

pub use crate::{
    beginner::{Beginner, Model},
    opponent::{Level, Opponent, ParseOpponentError},
    think::{Bots, Request, Solving, think},
    thinking::{Preparation, Thinking, ThinkingStep},
};
