//! A tiny game for tests: a token walks along a path, and whoever brings it to the
//! far end wins. A turn is one or two steps; the second one may be skipped
//! explicitly.

use std::{fmt, str::FromStr};

use rules::{
    Game, MatchSetup, Outcome, Player, Position, SetupError, SetupOption, Values, parse_decimal,
};

/// A position: where the token is, and who moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Walk {
    length: u8,
    at: u8,
    turn: Player,
    /// Whether the player has made a step and may make another.
    is_second_step: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    Left,
    Right,
    Stay,
}

#[derive(Debug)]
pub(crate) struct ParseError;

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no walk")
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Stay => "stay",
        })
    }
}

impl FromStr for Step {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "left" => Ok(Self::Left),
            "right" => Ok(Self::Right),
            "stay" => Ok(Self::Stay),
            _ => Err(ParseError),
        }
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = if self.is_second_step { 2 } else { 1 };
        write!(f, "{}/{} {} {step}", self.at, self.length, self.turn)
    }
}

impl FromStr for Walk {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let mut words = text.split(' ');
            let (at, length) = words.next()?.split_once('/')?;
            let turn = words.next()?.parse().ok()?;
            let is_second_step = match (words.next()?, words.next()) {
                ("1", None) => false,
                ("2", None) => true,
                _ => return None,
            };
            let (at, length) = (parse_decimal(at)?, parse_decimal(length)?);
            (at <= length).then_some(Self {
                length,
                at,
                turn,
                is_second_step,
            })
        };
        read().ok_or(ParseError)
    }
}

impl Position for Walk {
    type Move = Step;

    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.at == 0 {
            Some(Outcome::Win(Player::Second))
        } else if self.at == self.length {
            Some(Outcome::Win(Player::First))
        } else {
            None
        }
    }

    fn legal_moves_into(&self, moves: &mut Vec<Step>) {
        if self.outcome().is_none() {
            moves.extend([Step::Left, Step::Right]);
            if self.is_second_step {
                moves.push(Step::Stay);
            }
        }
    }

    fn play_unchecked(&mut self, m: Step) {
        match m {
            Step::Left => self.at -= 1,
            Step::Right => self.at += 1,
            Step::Stay => {}
        }
        if self.is_second_step {
            self.turn = !self.turn;
        }
        self.is_second_step = !self.is_second_step;
    }

    fn key(&self) -> u64 {
        rules::mix(
            u64::from(self.length) << 16
                | u64::from(self.at) << 8
                | (self.turn as u64) << 1
                | u64::from(self.is_second_step),
        )
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setup {
    pub(crate) length: u8,
}

impl Default for Setup {
    fn default() -> Self {
        Self { length: 6 }
    }
}

const LENGTH: SetupOption = SetupOption {
    name: "length",
    label: "walk.length",
    values: Values::Number,
};

impl MatchSetup for Setup {
    fn options() -> &'static [SetupOption] {
        &[LENGTH]
    }

    fn value(&self, name: &str) -> Option<String> {
        (name == "length").then(|| self.length.to_string())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        if name != "length" {
            return Err(SetupError::no_such_option::<Self>(name));
        }
        let length = parse_decimal(value);
        self.length = length.ok_or_else(|| SetupError::no_such_value(&LENGTH, value))?;
        Ok(())
    }
}

impl Game for Walk {
    type Setup = Setup;

    const NAME: &'static str = "walk";
    const RULES_VERSION: u32 = 3;

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        if setup.length < 2 {
            return Err(SetupError::Conflict("the path is too short".to_owned()));
        }
        Ok(Self {
            length: setup.length,
            at: setup.length / 2,
            turn: Player::First,
            is_second_step: false,
        })
    }

    fn option(&self, name: &str) -> Option<String> {
        let length = self.length;
        Setup { length }.value(name)
    }
}
