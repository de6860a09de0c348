use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::OnlineControl;

/// The speed of a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Speed {
    /// Three minutes and two seconds a turn.
    #[serde(rename = "3+2")]
    Blitz,
    /// Ten minutes and five seconds a turn.
    #[serde(rename = "10+5")]
    Rapid,
    /// One day a turn.
    #[serde(rename = "1d")]
    Daily,
}

impl Speed {
    /// All of them, fastest first.
    pub const ALL: [Self; 3] = [Self::Blitz, Self::Rapid, Self::Daily];

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blitz => "3+2",
            Self::Rapid => "10+5",
            Self::Daily => "1d",
        }
    }

    /// The time control of its matches.
    #[must_use]
    pub const fn control(self) -> OnlineControl {
        match self {
            Self::Blitz => OnlineControl::Match {
                base_ms: 180_000,
                inc_ms: 2_000,
            },
            Self::Rapid => OnlineControl::Match {
                base_ms: 600_000,
                inc_ms: 5_000,
            },
            Self::Daily => OnlineControl::Days { days: 1 },
        }
    }

    /// The speed that a match with this time control is rated at.
    #[must_use]
    pub const fn of(control: Option<OnlineControl>) -> Self {
        // Shorter than five minutes for 40 turns is blitz.
        const BLITZ: u64 = 300_000;
        match control {
            Some(OnlineControl::Match { base_ms, inc_ms }) if base_ms + 40 * inc_ms < BLITZ => {
                Self::Blitz
            }
            Some(OnlineControl::Match { .. }) => Self::Rapid,
            Some(OnlineControl::Days { .. }) | None => Self::Daily,
        }
    }
}

/// A pool of players who look for an opponent, written `takeover/3+2`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pool {
    /// The name of the game.
    pub game: String,
    /// The speed.
    pub speed: Speed,
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.game, self.speed.name())
    }
}

/// Error when parsing a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a game and one of 3+2, 10+5 and 1d, such as takeover/3+2")]
pub struct ParsePoolError;

impl FromStr for Pool {
    type Err = ParsePoolError;

    fn from_str(text: &str) -> Result<Self, ParsePoolError> {
        let (game, speed) = text.split_once('/').ok_or(ParsePoolError)?;
        let mut speeds = Speed::ALL.into_iter();
        Ok(Self {
            game: game.to_owned(),
            speed: speeds
                .find(|known| known.name() == speed)
                .ok_or(ParsePoolError)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, Speed};

    #[test]
    fn pools_are_rated_at_their_own_speed() {
        for speed in Speed::ALL {
            assert_eq!(Speed::of(Some(speed.control())), speed);
        }
    }

    #[test]
    fn pools_round_trip() {
        for text in ["takeover/3+2", "simply-go/10+5", "nonaga/1d"] {
            assert_eq!(
                text.parse::<Pool>().map(|pool| pool.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["", "takeover", "takeover/", "takeover/5+5", "takeover/3+2/"] {
            assert!(text.parse::<Pool>().is_err(), "{text}");
        }
    }
}
