//! Simply Go: stones that can no longer reach the edge are captured.
//!
//! [`SimplyGo`] is a position. The numbered rules are in
//! `docs/rules/simply-go.md`, and comments here cite them as R1, R2, ….
//!
//! ```
//! use rules::{Game, Outcome, Player, Position};
//! use simply_go::{Setup, SimplyGo};
//!
//! // A lone stone in the corner falls to two stones.
//! let mut position = SimplyGo::start(&Setup::default())?;
//! for m in ["A2", "A1", "B1"] {
//!     position.play(m.parse()?)?;
//! }
//! assert_eq!(position.n_captures(Player::First), 1);
//!
//! // Nobody wants to go on, so the captures decide.
//! for m in ["pass", "pass"] {
//!     position.play(m.parse()?)?;
//! }
//! assert_eq!(position.outcome(), Some(Outcome::Win(Player::First)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::float_arithmetic)]

mod capture;
mod moves;
mod notation;
mod point;
mod position;
mod setup;

pub use crate::{
    moves::Move,
    notation::{ParseMoveError, ParsePositionError},
    point::{LARGEST_SIZE, Point, PointSet},
    position::SimplyGo,
    setup::{Mode, ParseModeError, SIZES, Setup},
};
