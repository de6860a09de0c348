use std::{fmt, str::FromStr};

use rules::parse_decimal;

/// The most turns of the solver, and the most stones, points or pieces of a goal.
const MOST: u8 = 100;

/// What the solver, who is to move, has to achieve.
///
/// `turns` counts the turns of the solver. Wins, captures and forts have to be forced:
/// whatever the opponent replies, they come within so many turns. Draws, leads and
/// saves take one turn, and hold against every reply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// Win, written `win:3`.
    Win {
        /// Within so many turns.
        turns: u8,
    },
    /// Do not lose, written `draw`.
    Draw,
    /// Have so many pieces more than the opponent after any reply, written `lead:4`.
    Lead {
        /// The difference.
        pieces: u8,
    },
    /// Capture, written `capture:3:2`.
    Capture {
        /// At least so many stones.
        stones: u8,
        /// Within so many turns.
        turns: u8,
    },
    /// Lose no stone to any reply, written `save`.
    Save,
    /// Make forts, written `fort:2:1`.
    Fort {
        /// Of at least so many points.
        points: u8,
        /// Within so many turns.
        turns: u8,
    },
}

impl Goal {
    /// The kind of goal, the last part of the keys of its phrases.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Win { .. } => "win",
            Self::Draw => "draw",
            Self::Lead { .. } => "lead",
            Self::Capture { .. } => "capture",
            Self::Save => "save",
            Self::Fort { .. } => "fort",
        }
    }

    /// The number of the solver's turns.
    #[must_use]
    pub fn turns(self) -> u8 {
        match self {
            Self::Win { turns } | Self::Capture { turns, .. } | Self::Fort { turns, .. } => turns,
            Self::Draw | Self::Lead { .. } | Self::Save => 1,
        }
    }

    /// Whether a single turn has to hold against every reply.
    #[must_use]
    pub fn has_to_hold(self) -> bool {
        matches!(self, Self::Draw | Self::Lead { .. } | Self::Save)
    }

    /// The number of stones, points or pieces; 0 if there is none.
    #[must_use]
    pub fn amount(self) -> u8 {
        match self {
            Self::Win { .. } | Self::Draw | Self::Save => 0,
            Self::Lead { pieces } => pieces,
            Self::Capture { stones, .. } => stones,
            Self::Fort { points, .. } => points,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match *self {
            Self::Draw | Self::Save => f.write_str(name),
            Self::Win { turns: n } | Self::Lead { pieces: n } => write!(f, "{name}:{n}"),
            Self::Capture { turns, .. } | Self::Fort { turns, .. } => {
                write!(f, "{name}:{}:{turns}", self.amount())
            }
        }
    }
}

/// Error when parsing a [`Goal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a goal such as win:3, draw, lead:4, capture:3:2, save or fort:2:1")]
pub struct ParseGoalError;

impl FromStr for Goal {
    type Err = ParseGoalError;

    fn from_str(text: &str) -> Result<Self, ParseGoalError> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let numbers: Option<Vec<u8>> = parts
            .map(|part| parse_decimal(part).filter(|n| (1..=MOST).contains(n)))
            .collect();
        match (name, &*numbers.ok_or(ParseGoalError)?) {
            ("win", &[turns]) => Ok(Self::Win { turns }),
            ("draw", []) => Ok(Self::Draw),
            ("lead", &[pieces]) => Ok(Self::Lead { pieces }),
            ("capture", &[stones, turns]) => Ok(Self::Capture { stones, turns }),
            ("save", []) => Ok(Self::Save),
            ("fort", &[points, turns]) => Ok(Self::Fort { points, turns }),
            _ => Err(ParseGoalError),
        }
    }
}
