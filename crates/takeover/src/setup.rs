use rules::{SetupError, SetupOption, Values, parse_decimal};

use crate::SquareSet;

/// Which of the two games is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Takeover: 6 × 6, five obstacles, four pieces each.
    #[default]
    Standard,
    /// Ataxx: 7 × 7, two pieces each (R11).
    Ataxx,
}

impl Variant {
    const NAMES: &'static [&'static str] = &["standard", "ataxx"];

    /// The number of files and of ranks.
    #[inline]
    #[must_use]
    pub const fn size(self) -> u8 {
        match self {
            Self::Standard => 6,
            Self::Ataxx => 7,
        }
    }

    /// All squares.
    #[inline]
    #[must_use]
    pub const fn board(self) -> SquareSet {
        // Constants, since searches call this very often.
        match self {
            Self::Standard => const { SquareSet::board(Self::Standard.size()) },
            Self::Ataxx => const { SquareSet::board(Self::Ataxx.size()) },
        }
    }
}

/// The options of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Setup {
    /// Takeover or Ataxx.
    pub variant: Variant,
    /// Which obstacles there are. Board 0 of Ataxx has none.
    pub board: u64,
}

const VARIANT: SetupOption = SetupOption {
    name: "variant",
    label: "takeover.variant",
    values: Values::Words(Variant::NAMES),
};
const BOARD: SetupOption = SetupOption {
    name: "board",
    label: "takeover.board",
    values: Values::Number,
};

impl rules::MatchSetup for Setup {
    fn options() -> &'static [SetupOption] {
        &[VARIANT, BOARD]
    }

    fn value(&self, name: &str) -> Option<String> {
        match name {
            "variant" => Some(Variant::NAMES[self.variant as usize].to_owned()),
            "board" => Some(self.board.to_string()),
            _ => None,
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        match name {
            "variant" => {
                self.variant = match value {
                    "standard" => Variant::Standard,
                    "ataxx" => Variant::Ataxx,
                    _ => return Err(SetupError::no_such_value(&VARIANT, value)),
                };
            }
            "board" => {
                let number = parse_decimal(value);
                self.board = number.ok_or_else(|| SetupError::no_such_value(&BOARD, value))?;
            }
            _ => return Err(SetupError::no_such_option::<Self>(name)),
        }
        Ok(())
    }
}
