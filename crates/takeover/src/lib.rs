//! Takeover: spread, jump and convert on a small board with holes.
//!
//! [`Takeover`] is a position. Two variants share it: the game itself on
//! 6 × 6 with five obstacles, and Ataxx on 7 × 7. The numbered rules are in
//! `docs/rules/takeover.md`, and comments here cite them as R1, R2, ….
//!
//! ```
//! use rules::{Game, Position};
//! use takeover::{Setup, Takeover};
//!
//! // Both sides take the first move they find, until the match is over.
//! let mut position = Takeover::start(&Setup::default())?;
//! while let Some(&m) = position.legal_moves().first() {
//!     position.play(m)?;
//! }
//! assert!(position.outcome().is_some());
//!
//! // Moves and positions are text as well.
//! let mut position: Takeover = "xx4/xx4/6/6/4oo/4oo x 0 1".parse()?;
//! position.play("c4".parse()?)?;
//! assert_eq!(position.to_string(), "xx4/xx4/2x3/6/4oo/4oo o 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::float_arithmetic)]

mod counting;
mod fair;
mod moves;
mod notation;
mod obstacles;
mod position;
mod setup;
mod square;

pub use crate::{
    fair::FairBoard,
    moves::Move,
    notation::{ParseMoveError, ParsePositionError},
    position::Takeover,
    setup::{Setup, Variant},
    square::{Square, SquareSet, Squares},
};
