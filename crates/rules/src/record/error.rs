use std::fmt;

use super::{Ending, MatchOver, ParseControlError};
use crate::{IllegalMove, Player, SetupError};

/// Error for a move that can't be added to a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayError<M> {
    /// The match is over.
    Over(MatchOver),
    /// The move is not legal here.
    Illegal(IllegalMove<M>),
}

impl<M: fmt::Display> fmt::Display for PlayError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(over) => over.fmt(f),
            Self::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl<M: fmt::Debug + fmt::Display> std::error::Error for PlayError<M> {}

/// Error when a turn can't be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TakeBackError {
    /// The match is over.
    #[error(transparent)]
    Over(MatchOver),
    /// The player has not moved yet.
    #[error("{0} has no move to take back")]
    NothingPlayed(Player),
}

/// Error when parsing a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// A line of a file is wrong. Lines are counted from 1.
    #[error("line {line}: {problem}")]
    Line {
        /// Which line.
        line: usize,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A field of a link is wrong.
    #[error("link field \"{field}\": {problem}")]
    Field {
        /// Which field.
        field: &'static str,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// What is wrong with a line or a field of a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// Something else was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A required line is missing.
    #[error("no line \"{0}\"")]
    Missing(&'static str),
    /// The line or field is duplicated or misplaced.
    #[error("\"{0}\" does not belong here")]
    Misplaced(String),
    /// The record is of another game.
    #[error("the game is {found}, expected {expected}")]
    OtherGame {
        /// The expected game.
        expected: &'static str,
        /// The game of the record.
        found: String,
    },
    /// The rules have changed since the record was written.
    #[error("rules version {found} is not known, expected {expected}")]
    OtherRules {
        /// The current version.
        expected: u32,
        /// The version of the record.
        found: String,
    },
    /// An option is not valid.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// A control or a time control is not valid.
    #[error("{0}")]
    Control(#[from] ParseControlError),
    /// The first position is not valid.
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
    /// The same move is recorded twice at the same node.
    #[error("{0} is recorded twice here")]
    Twice(String),
    /// A move follows the end of the match.
    #[error("the match is over here: {0}")]
    Over(Ending),
    /// The moves lead to another result than the one stated.
    #[error("the result is {stated}, but the moves give {actual}")]
    OtherResult {
        /// The result that the record states.
        stated: String,
        /// The result that its moves lead to.
        actual: String,
    },
    /// A parenthesis has no partner.
    #[error("parenthesis without its partner")]
    Unbalanced,
    /// A take-back without moves that were taken back, or by the wrong player.
    #[error("nothing was taken back here")]
    NothingTakenBack,
    /// The text ends too early.
    #[error("cut short")]
    CutShort,
    /// The link's checksum is wrong: it was truncated or mistyped.
    #[error("the link is damaged")]
    Damaged,
}
