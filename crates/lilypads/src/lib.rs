//! Lilypads: race a piece across a pond of packed circles.
//!
//! [`Lilypads`] is a position, [`Board`] the pond it is played on. The numbered
//! rules are in `docs/rules/lilypads.md`, and comments here cite them as R1,
//! R2, ….
//!
//! ```
//! use lilypads::{Lilypads, Setup};
//! use rules::{Game, Outcome, Player, Position};
//!
//! // Both players take the move that leaves them the fewest pips.
//! let mut position = Lilypads::start(&Setup { board: 0 })?;
//! while position.outcome().is_none() {
//!     let board = position.board();
//!     let player = position.turn();
//!     let best = position.legal_moves().into_iter().min_by_key(|&m| {
//!         position.after(m).score(&board, player)
//!     });
//!     position.play(best.expect("a match goes on while there are moves"))?;
//! }
//! assert_eq!(position.outcome(), Some(Outcome::Win(Player::Second)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::float_arithmetic)]

mod board;
mod circle;
mod geometry;
mod moves;
mod notation;
mod position;
mod setup;

pub use crate::{
    board::{BOARD_SIZE, Board, Graph},
    circle::{Circle, CircleSet, Circles, N_CIRCLES},
    geometry::{Disc, Point},
    moves::Move,
    notation::{ParseMoveError, ParsePositionError},
    position::{Lilypads, N_PIECES},
    setup::Setup,
};
