use std::{fmt, str::FromStr};

use rules::parse_decimal;

use crate::Model;

/// An opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opponent {
    /// Plays any legal move, written `random`.
    Random,
    /// The game's classic opponent, written `classic`.
    Classic,
    /// A level, written `level:1` to `level:10`.
    Level(Level),
    /// A model of a beginner, written `newcomer`, `greedy` or `careful`.
    Model(Model),
    /// The engine at full strength within its limits, written `engine`.
    Engine,
    /// Perfect play, where the game is solved, written `perfect`.
    Perfect,
}

/// A level, from 1 (weak) to [`Level::TOP`] (strong).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The highest level.
    pub const TOP: u8 = 10;

    /// The level with the given number, if there is one.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::TOP {
            Some(Self(number))
        } else {
            None
        }
    }

    /// All levels, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::TOP).map(Self)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its index in a list of all levels.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Classic => f.write_str("classic"),
            Self::Level(level) => write!(f, "level:{}", level.number()),
            Self::Model(model) => f.write_str(model.name()),
            Self::Engine => f.write_str("engine"),
            Self::Perfect => f.write_str("perfect"),
        }
    }
}

/// Error when parsing an [`Opponent`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseOpponentError;

impl fmt::Display for ParseOpponentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected random, classic, level:1 to level:{}, newcomer, greedy, careful, engine or perfect",
            Level::TOP
        )
    }
}

impl std::error::Error for ParseOpponentError {}

impl FromStr for Opponent {
    type Err = ParseOpponentError;

    fn from_str(text: &str) -> Result<Self, ParseOpponentError> {
        match text {
            "random" => Ok(Self::Random),
            "classic" => Ok(Self::Classic),
            "engine" => Ok(Self::Engine),
            "perfect" => Ok(Self::Perfect),
            _ => {
                if let Some(model) = Model::ALL.into_iter().find(|model| model.name() == text) {
                    return Ok(Self::Model(model));
                }
                let number = text.strip_prefix("level:").and_then(parse_decimal);
                let level = number.and_then(Level::new).ok_or(ParseOpponentError)?;
                Ok(Self::Level(level))
            }
        }
    }
}
