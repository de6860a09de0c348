use std::{fmt, str::FromStr};

use rules::{ByPlayer, Player, Position, parse_decimal};

use crate::{Board, Circle, CircleSet, Lilypads, Move, N_CIRCLES, N_PIECES};

/// Written as its number.
impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index())
    }
}

impl FromStr for Circle {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let number = parse_decimal(text).ok_or(ParseMoveError::UnknownForm)?;
        Self::new(number).ok_or(ParseMoveError::NoSuchCircle)
    }
}

/// Error when parsing a [`Move`] or a [`Circle`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseMoveError {
    /// The text is none of `@7`, `3-7` and `pass`.
    #[error("expected a move such as @7, 3-7 or pass")]
    UnknownForm,
    /// The text names a circle that is not on the board.
    #[error("no such circle, expected 0 to {}", N_CIRCLES - 1)]
    NoSuchCircle,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enter { to } => write!(f, "@{to}"),
            Self::Go { from, to } => write!(f, "{from}-{to}"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        if text == "pass" {
            return Ok(Self::Pass);
        }
        if let Some(to) = text.strip_prefix('@') {
            return Ok(Self::Enter { to: to.parse()? });
        }
        let (from, to) = text.split_once('-').ok_or(ParseMoveError::UnknownForm)?;
        Ok(Self::Go {
            from: from.parse()?,
            to: to.parse()?,
        })
    }
}

/// Error when parsing a [`Lilypads`] position or setting one up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParsePositionError {
    /// There are not four fields.
    #[error("expected four fields: #board, first's circles, second's circles, turn")]
    Fields,
    /// The board number is not valid.
    #[error("expected # and a board number from 0 to {}", u64::MAX)]
    Number,
    /// A list of circles is not valid.
    #[error("expected circles such as 4,9 or -")]
    Circles,
    /// A circle is not on the board.
    #[error("no such circle, expected 0 to {}", N_CIRCLES - 1)]
    NoSuchCircle,
    /// A circle is listed twice.
    #[error("circle {0} is listed twice")]
    Twice(Circle),
    /// A player has too many pieces.
    #[error("{0} has more than {N_PIECES} pieces")]
    TooManyPieces(Player),
    /// Both players stand on a circle.
    #[error("two pieces stand on circle {0}")]
    Crowded(Circle),
    /// A piece is where it can't go.
    #[error("a piece of {0} stands on its own start")]
    OnOwnStart(Player),
    /// The player to move is missing.
    #[error("expected first or second to move")]
    Turn,
    /// A player has won and is to move.
    #[error("{0} has won and can't be to move")]
    WinnerToMove(Player),
    /// Both players have won.
    #[error("both players stand on the other's start")]
    BothWon,
}

/// Written `#42 4,9 21 second`.
impl fmt::Display for Lilypads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number())?;
        for player in Player::BOTH {
            f.write_str(" ")?;
            write_circles(f, self.pieces(player))?;
        }
        write!(f, " {}", self.turn())
    }
}

fn write_circles(f: &mut fmt::Formatter<'_>, circles: CircleSet) -> fmt::Result {
    if circles.is_empty() {
        return f.write_str("-");
    }
    for (index, circle) in circles.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(f, "{separator}{circle}")?;
    }
    Ok(())
}

impl FromStr for Lilypads {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        let fields: Vec<_> = text.split(' ').collect();
        let [number, first, second, turn] = fields[..] else {
            return Err(ParsePositionError::Fields);
        };
        let number = number.strip_prefix('#').and_then(parse_decimal);
        let number = number.ok_or(ParsePositionError::Number)?;
        let pieces = ByPlayer {
            first: read_circles(first, Player::First)?,
            second: read_circles(second, Player::Second)?,
        };
        if let Some(circle) = (pieces.first & pieces.second).iter().next() {
            return Err(ParsePositionError::Crowded(circle));
        }
        let turn = turn.parse().map_err(|_| ParsePositionError::Turn)?;
        Self::with_pieces(&Board::new(number), pieces, turn)
    }
}

fn read_circles(text: &str, player: Player) -> Result<CircleSet, ParsePositionError> {
    let mut circles = CircleSet::EMPTY;
    if text == "-" {
        return Ok(circles);
    }
    for number in text.split(',') {
        let number = parse_decimal(number).ok_or(ParsePositionError::Circles)?;
        let circle = Circle::new(number).ok_or(ParsePositionError::NoSuchCircle)?;
        if circles.contains(circle) {
            return Err(ParsePositionError::Twice(circle));
        }
        circles |= circle.into();
    }
    if circles.len() > N_PIECES {
        return Err(ParsePositionError::TooManyPieces(player));
    }
    Ok(circles)
}
