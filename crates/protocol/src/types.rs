use std::{fmt, str::FromStr};

use rules::{Outcome, record::TimeControl};
use serde::{Deserialize, Serialize};

/// A side of the match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player who moves first.
    First,
    /// The player who moves second.
    Second,
}

impl Seat {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The name in messages: `first` or `second`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

impl std::ops::Not for Seat {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl From<rules::Player> for Seat {
    fn from(player: rules::Player) -> Self {
        match player {
            rules::Player::First => Self::First,
            rules::Player::Second => Self::Second,
        }
    }
}

impl From<Seat> for rules::Player {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::First => Self::First,
            Seat::Second => Self::Second,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of a player who deleted their account, for programs. It is nobody's: names of
/// accounts have no spaces.
pub const DELETED_PLAYER: &str = "deleted player";

/// A player, as others see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerInfo {
    /// The id, which never changes.
    pub id: String,
    /// The name, which is unique among accounts.
    pub name: String,
    /// Whether the player is a guest, without an account.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// Whether the player is a program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Whether they deleted their account. Then the name is [`DELETED_PLAYER`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

/// The player at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatInfo {
    /// The player.
    #[serde(flatten)]
    pub player: PlayerInfo,
    /// The rating in this game and at this speed, if the player has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
    /// Whether the rating is provisional.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// The change of the rating, once the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<i32>,
}

/// The players of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seats {
    /// The player who moves first.
    pub first: SeatInfo,
    /// The player who moves second.
    pub second: SeatInfo,
}

impl Seats {
    /// The player at `seat`.
    #[must_use]
    pub fn get(&self, seat: Seat) -> &SeatInfo {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }

    /// The player at `seat`.
    pub fn get_mut(&mut self, seat: Seat) -> &mut SeatInfo {
        match seat {
            Seat::First => &mut self.first,
            Seat::Second => &mut self.second,
        }
    }
}

/// A time control; `null` in messages if there is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OnlineControl {
    /// Time for the whole match.
    Match {
        /// The time at the start, in milliseconds.
        base_ms: u64,
        /// The time gained with every turn, in milliseconds.
        inc_ms: u64,
    },
    /// Time for each turn.
    Days {
        /// The number of days.
        days: u32,
    },
}

/// Error for a time control that is out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ControlError {
    /// The time at the start is out of bounds.
    #[error(
        "base_ms has to be from 0 to {}, and more than 0 without an increment",
        OnlineControl::LONGEST_BASE
    )]
    Base,
    /// The increment is out of bounds.
    #[error("inc_ms has to be at most {}", OnlineControl::LONGEST_INCREMENT)]
    Increment,
    /// The number of days is out of bounds.
    #[error("days has to be from 1 to {}", OnlineControl::MOST_DAYS)]
    Days,
}

const DAY: u64 = 24 * 60 * 60 * 1000;

impl OnlineControl {
    /// Three hours.
    pub const LONGEST_BASE: u64 = 3 * 60 * 60 * 1000;
    /// Three minutes.
    pub const LONGEST_INCREMENT: u64 = 3 * 60 * 1000;
    /// Two weeks.
    pub const MOST_DAYS: u32 = 14;

    /// Checks the bounds.
    ///
    /// # Errors
    ///
    /// Returns [`ControlError`] if a number is out of bounds.
    pub fn check(self) -> Result<(), ControlError> {
        match self {
            Self::Match { base_ms, inc_ms } => {
                if inc_ms > Self::LONGEST_INCREMENT {
                    return Err(ControlError::Increment);
                }
                if base_ms > Self::LONGEST_BASE || base_ms + inc_ms == 0 {
                    return Err(ControlError::Base);
                }
            }
            Self::Days { days } => {
                if !(1..=Self::MOST_DAYS).contains(&days) {
                    return Err(ControlError::Days);
                }
            }
        }
        Ok(())
    }

    /// The time control as records have it.
    #[must_use]
    pub fn time_control(self) -> TimeControl {
        match self {
            Self::Match { base_ms, inc_ms } => TimeControl::Match {
                base: base_ms,
                increment: inc_ms,
            },
            Self::Days { days } => TimeControl::Turn(u64::from(days) * DAY),
        }
    }

    /// The time that players have at the start, in milliseconds.
    #[must_use]
    pub fn at_start(self) -> u64 {
        match self {
            // With nothing on the clock, time would be up before the first turn.
            Self::Match { base_ms, inc_ms } => base_ms.max(inc_ms),
            Self::Days { days } => u64::from(days) * DAY,
        }
    }
}

/// The clocks of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockState {
    /// The first player's remaining time, in milliseconds.
    pub first: u64,
    /// The second player's remaining time, in milliseconds.
    pub second: u64,
    /// The player whose clock is running.
    pub running: Option<Seat>,
}

/// The status of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchStatus {
    /// Being played.
    Playing,
    /// Ended with a result.
    Over,
    /// Ended without a result.
    Aborted,
}

impl MatchStatus {
    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Over => "over",
            Self::Aborted => "aborted",
        }
    }
}

/// The result of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MatchResult {
    /// No result: the match is being played, or was aborted.
    #[serde(rename = "none")]
    None,
    /// The first player won.
    #[serde(rename = "p1win")]
    First,
    /// The second player won.
    #[serde(rename = "p2win")]
    Second,
    /// Neither won.
    #[serde(rename = "draw")]
    Draw,
}

impl MatchResult {
    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::First => "p1win",
            Self::Second => "p2win",
            Self::Draw => "draw",
        }
    }

    /// A win of `seat`.
    #[must_use]
    pub const fn win(seat: Seat) -> Self {
        match seat {
            Seat::First => Self::First,
            Seat::Second => Self::Second,
        }
    }
}

impl From<Option<Outcome>> for MatchResult {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            None => Self::None,
            Some(Outcome::Draw) => Self::Draw,
            Some(Outcome::Win(player)) => Self::win(player.into()),
        }
    }
}

/// Error for an unknown name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown name")]
pub struct UnknownName;

macro_rules! from_name {
    ($type:ty: $($value:expr),+) => {
        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                [$($value),+].into_iter().find(|value| value.name() == name).ok_or(UnknownName)
            }
        }
    };
}

from_name!(Seat: Self::First, Self::Second);
from_name!(MatchStatus: Self::Playing, Self::Over, Self::Aborted);
from_name!(MatchResult: Self::None, Self::First, Self::Second, Self::Draw);

/// An open offer of a player to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// The kind of offer.
    pub what: crate::OfferKind,
    /// The player who made it.
    pub by: Seat,
    /// The version of its event, which an answer refers to.
    pub of: u64,
}
