//! Nonaga: slide your pieces together on a board whose tiles move.
//!
//! [`Nonaga`] is a position. A turn is two moves by the same player, a slide
//! and a shift. The numbered rules are in `docs/rules/nonaga.md`, and comments
//! here cite them as R1, R2, ….
//!
//! ```
//! use nonaga::{Nonaga, Setup};
//! use rules::{Position, Record};
//!
//! // Both players win if they can, and else take the last move they find.
//! let mut record: Record<Nonaga> = Record::new(Setup::default())?;
//! while record.ending().is_none() {
//!     let position = record.position();
//!     let moves = position.legal_moves();
//!     let wins = |&m: &_| position.after(m).outcome().is_some();
//!     let m = moves.iter().copied().find(wins).or(moves.last().copied());
//!     record.play(m.expect("a match goes on while there are moves"))?;
//! }
//! let ending = record.ending().expect("it has ended");
//! assert_eq!(ending.to_string(), "p2win rules");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::float_arithmetic)]

mod cell;
mod hex;
mod moves;
mod notation;
mod position;
mod reach;
mod setup;
mod shore;
mod tiles;

pub use crate::{
    hex::Hex,
    moves::Move,
    notation::{ParseMoveError, ParsePositionError},
    position::{Nonaga, Phase},
    reach::{Reach, SlideCounts, Survey},
    setup::{Setup, Variant},
    tiles::Tiles,
};
