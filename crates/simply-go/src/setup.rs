use std::{fmt, str::FromStr};

use rules::{SetupError, SetupOption, Values, parse_decimal};

/// The sizes of boards (R1).
pub const SIZES: [u8; 5] = [9, 13, 19, 25, 48];

/// Where a match ends, apart from two passes (R8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// After this many moves of both players, written `moves:200`.
    Moves(u16),
    /// When a player has captured this many stones, written `target:25`.
    Target(u16),
}

impl Mode {
    const NAMES: &'static [&'static str] = &[
        "moves:40",
        "moves:100",
        "moves:200",
        "moves:500",
        "target:5",
        "target:10",
        "target:25",
        "target:50",
    ];

    /// Whether the mode is offered on a board of this size (R8).
    #[must_use]
    pub fn is_offered(self, size: u8) -> bool {
        match self {
            Self::Moves(40) | Self::Target(5) => size <= 13,
            Self::Moves(100 | 200 | 500) | Self::Target(10 | 25 | 50) => true,
            _ => false,
        }
    }
}

impl Default for Mode {
    fn default() -> Self {
        Self::Moves(200)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moves(n) => write!(f, "moves:{n}"),
            Self::Target(n) => write!(f, "target:{n}"),
        }
    }
}

/// Error when parsing a [`Mode`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a mode such as moves:200 or target:25")]
pub struct ParseModeError;

impl FromStr for Mode {
    type Err = ParseModeError;

    fn from_str(text: &str) -> Result<Self, ParseModeError> {
        if !Self::NAMES.contains(&text) {
            return Err(ParseModeError);
        }
        let (name, number) = text.split_once(':').ok_or(ParseModeError)?;
        let number = parse_decimal(number).ok_or(ParseModeError)?;
        Ok(match name {
            "moves" => Self::Moves(number),
            _ => Self::Target(number),
        })
    }
}

/// The options of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The number of columns and of rows: one of [`SIZES`].
    pub size: u8,
    /// Where the match ends.
    pub mode: Mode,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: 19,
            mode: Mode::default(),
        }
    }
}

const SIZE: SetupOption = SetupOption {
    name: "size",
    label: "simply-go.size",
    values: Values::Words(&["9", "13", "19", "25", "48"]),
};
const MODE: SetupOption = SetupOption {
    name: "mode",
    label: "simply-go.mode",
    values: Values::Words(Mode::NAMES),
};

impl Setup {
    /// Checks that the size is one of [`SIZES`] and offers the mode.
    ///
    /// # Errors
    ///
    /// Returns [`SetupError`] if it is not or does not.
    pub fn check(&self) -> Result<(), SetupError> {
        if !SIZES.contains(&self.size) {
            return Err(SetupError::no_such_value(&SIZE, &self.size.to_string()));
        }
        if self.mode.is_offered(self.size) {
            return Ok(());
        }
        Err(SetupError::Conflict(format!(
            "mode {} is not offered on size {}",
            self.mode, self.size
        )))
    }
}

impl rules::MatchSetup for Setup {
    fn options() -> &'static [SetupOption] {
        &[SIZE, MODE]
    }

    fn value(&self, name: &str) -> Option<String> {
        match name {
            "size" => Some(self.size.to_string()),
            "mode" => Some(self.mode.to_string()),
            _ => None,
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        match name {
            "size" => {
                let size = parse_decimal(value).filter(|size| SIZES.contains(size));
                self.size = size.ok_or_else(|| SetupError::no_such_value(&SIZE, value))?;
            }
            "mode" => {
                let mode = value.parse();
                self.mode = mode.map_err(|_| SetupError::no_such_value(&MODE, value))?;
            }
            _ => return Err(SetupError::no_such_option::<Self>(name)),
        }
        Ok(())
    }
}
