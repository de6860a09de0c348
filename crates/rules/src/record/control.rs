use std::{fmt, str::FromStr};

use super::{Ending, Reason};
use crate::{Outcome, Player, parse_decimal};

/// A player's action that is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// The player took back a turn. It stays in the record as a variation.
    TakeBack(Player),
    /// The player resigned.
    Resign(Player),
    /// The players agreed on a draw.
    AgreeDraw,
    /// The player's time ran out.
    TimeOut(Player),
    /// The player to move took a hint.
    Hint,
}

impl Control {
    /// The ending that this control causes, if it ends the match.
    pub(super) fn ending(self) -> Option<Ending> {
        let (outcome, reason) = match self {
            Self::TakeBack(_) | Self::Hint => return None,
            Self::Resign(player) => (Outcome::Win(!player), Reason::Resignation),
            Self::AgreeDraw => (Outcome::Draw, Reason::Agreement),
            Self::TimeOut(player) => (Outcome::Win(!player), Reason::TimeOut),
        };
        Some(Ending { outcome, reason })
    }

    pub(super) fn is_take_back(&self) -> bool {
        matches!(self, Self::TakeBack(_))
    }
}

/// Written `takeback:first`, `resign:second`, `draw`, `timeout:first`, `hint`.
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TakeBack(player) => write!(f, "takeback:{player}"),
            Self::Resign(player) => write!(f, "resign:{player}"),
            Self::AgreeDraw => f.write_str("draw"),
            Self::TimeOut(player) => write!(f, "timeout:{player}"),
            Self::Hint => f.write_str("hint"),
        }
    }
}

/// Error when parsing a [`Control`] or a [`TimeControl`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseControlError {
    /// The text is none of the controls.
    #[error("expected takeback:first, resign:second, draw, timeout:first, hint or the like")]
    UnknownControl,
    /// The text is no time control.
    #[error("expected milliseconds such as 300000+5000 or 30000/turn")]
    UnknownTimeControl,
}

impl FromStr for Control {
    type Err = ParseControlError;

    fn from_str(text: &str) -> Result<Self, ParseControlError> {
        let (name, player) = match text.split_once(':') {
            Some((name, player)) => (name, player.parse().ok()),
            None => (text, None),
        };
        match (name, player) {
            ("takeback", Some(player)) => Ok(Self::TakeBack(player)),
            ("resign", Some(player)) => Ok(Self::Resign(player)),
            ("timeout", Some(player)) => Ok(Self::TimeOut(player)),
            ("draw", None) if text == "draw" => Ok(Self::AgreeDraw),
            ("hint", None) if text == "hint" => Ok(Self::Hint),
            _ => Err(ParseControlError::UnknownControl),
        }
    }
}

/// The time a player has, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeControl {
    /// For the whole match.
    Match {
        /// The time at the start.
        base: u64,
        /// The time gained with every turn.
        increment: u64,
    },
    /// For every turn. Time that is left over is lost.
    Turn(u64),
}

/// Written `300000+5000` and `30000/turn`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match { base, increment } => write!(f, "{base}+{increment}"),
            Self::Turn(time) => write!(f, "{time}/turn"),
        }
    }
}

impl FromStr for TimeControl {
    type Err = ParseControlError;

    fn from_str(text: &str) -> Result<Self, ParseControlError> {
        let read = || {
            if let Some(time) = text.strip_suffix("/turn") {
                return parse_decimal(time).map(Self::Turn);
            }
            let (base, increment) = text.split_once('+')?;
            Some(Self::Match {
                base: parse_decimal(base)?,
                increment: parse_decimal(increment)?,
            })
        };
        read().ok_or(ParseControlError::UnknownTimeControl)
    }
}
