use rules::{
    SetupError,
    record::{MatchOver, ReadError, TakeBackError},
};

use crate::GAMES;

/// Error of an [`AnyGame`](crate::AnyGame) or [`AnyMatch`](crate::AnyMatch).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CatalogError {
    /// There is no game of that name.
    #[error("there is no game {0:?}; expected {names}", names = names())]
    NoSuchGame(String),
    /// An option is not valid.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A position can't be parsed.
    #[error("{0}")]
    Position(String),
    /// A move can't be parsed.
    #[error("{text}: {reason}")]
    Move {
        /// The text in place of a move.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A move is not legal.
    #[error("illegal move {0}")]
    IllegalMove(String),
    /// A turn has too few moves, or too many.
    #[error("the moves are not one whole turn")]
    NotOneTurn,
    /// The match is over.
    #[error(transparent)]
    Over(#[from] MatchOver),
    /// A turn can't be taken back.
    #[error(transparent)]
    TakeBack(#[from] TakeBackError),
    /// A record can't be parsed.
    #[error(transparent)]
    Read(#[from] ReadError),
}

fn names() -> String {
    GAMES.map(|game| game.name()).join(", ")
}
