//! The types all Parlour games share: [`Player`], [`Position`], [`Outcome`],
//! [`Game`], the match [`Record`] and [`perft()`].
//!
//! Nothing here names a game, does any I/O, or uses floats, clocks or unseeded
//! randomness, so a match runs the same on every platform.

#![deny(clippy::float_arithmetic)]

// The game in the tests imports this crate by its own name.
#[cfg(test)]
extern crate self as rules;

mod course;
mod decimal;
mod game;
mod mix;
mod order;
mod perft;
mod player;
mod position;
mod random;
pub mod record;
#[cfg(test)]
#[path = "../tests/walk/mod.rs"]
mod walk;

pub use crate::{
    course::Course,
    decimal::{Decimal, parse_decimal, parse_integer},
    game::{Game, MatchSetup, SetupError, SetupOption, Values},
    mix::mix,
    order::sort_short,
    perft::perft,
    player::{ByPlayer, ParsePlayerError, Player},
    position::{IllegalMove, Outcome, Position},
    random::Random,
    record::Record,
};
