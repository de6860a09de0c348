use std::{fmt, str::FromStr};

use rules::{ByPlayer, Player, Position, parse_decimal};

use crate::{Move, Square, SquareSet, Takeover, Variant, position::QUIET_MOVES_THAT_DRAW};

/// Written `c3`: file and rank.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl FromStr for Square {
    type Err = ParseMoveError;

    /// Reads a square of the larger board, `a1` to `g7`.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        match text.as_bytes() {
            &[file @ b'a'..=b'g', rank @ b'1'..=b'7'] => Ok(Self::new(file - b'a', rank - b'1')),
            _ => Err(ParseMoveError::NoSuchSquare),
        }
    }
}

/// Error when parsing a [`Move`] or a [`Square`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseMoveError {
    /// The text is none of `c3`, `a5c4` and `0000`.
    #[error("expected a move such as c3, a5c4 or 0000")]
    UnknownForm,
    /// The text names a square that is on neither board.
    #[error("no such square, expected a1 to g7")]
    NoSuchSquare,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { to } => write!(f, "{to}"),
            Self::Jump { from, to } => write!(f, "{from}{to}"),
            Self::Pass => f.write_str("0000"),
        }
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        if text == "0000" {
            return Ok(Self::Pass);
        }
        match (text.len(), text.split_at_checked(2)) {
            (2, _) => Ok(Self::Duplicate { to: text.parse()? }),
            (4, Some((from, to))) => Ok(Self::Jump {
                from: from.parse()?,
                to: to.parse()?,
            }),
            _ => Err(ParseMoveError::UnknownForm),
        }
    }
}

/// Error when parsing a [`Takeover`] position or setting one up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParsePositionError {
    /// There are not four fields.
    #[error("expected four fields: board, x or o to move, half-moves, full moves")]
    Fields,
    /// The board has neither 6 nor 7 ranks.
    #[error("expected 6 or 7 ranks separated by /")]
    Ranks,
    /// A rank is longer or shorter than the board.
    #[error("rank {rank} does not have {size} squares")]
    RankLength {
        /// The rank, counted from 1 at the bottom.
        rank: usize,
        /// The number of squares it should have.
        size: u8,
    },
    /// The board has a character that is no piece, an obstacle or count.
    #[error("expected x, o, - or a count of empty squares, found {0:?}")]
    Symbol(char),
    /// The player to move is missing.
    #[error("expected x or o to move")]
    Turn,
    /// The half-move count is not a number the rules allow.
    #[error("expected a half-move count from 0 to {QUIET_MOVES_THAT_DRAW}")]
    HalfMoves,
    /// The full-move number is not a number from 1 up.
    #[error("expected a full-move number from 1 up")]
    FullMoves,
    /// A piece or an obstacle is beside the board.
    #[error("{0} is not on the board")]
    OffBoard(Square),
    /// A square has several pieces or obstacles.
    #[error("more than one piece or obstacle is on {0}")]
    Crowded(Square),
}

/// The text form of Ataxx: ranks from the top, then turn and counters.
impl fmt::Display for Takeover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.variant().size();
        for rank in (0..size).rev() {
            let mut n_empty = 0;
            for file in 0..size {
                let Some(symbol) = self.symbol(Square::new(file, rank)) else {
                    n_empty += 1;
                    continue;
                };
                write_count(f, &mut n_empty)?;
                write!(f, "{symbol}")?;
            }
            write_count(f, &mut n_empty)?;
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        let turn = match self.turn() {
            Player::First => 'x',
            Player::Second => 'o',
        };
        write!(
            f,
            " {turn} {} {}",
            self.n_quiet_moves(),
            self.n_full_moves()
        )
    }
}

/// Writes the number of empty squares since the last symbol, if any.
fn write_count(f: &mut fmt::Formatter<'_>, n_empty: &mut u8) -> fmt::Result {
    if *n_empty > 0 {
        write!(f, "{n_empty}")?;
        *n_empty = 0;
    }
    Ok(())
}

impl Takeover {
    /// What stands on `square`; nothing if it is empty.
    fn symbol(&self, square: Square) -> Option<char> {
        if self.pieces(Player::First).contains(square) {
            Some('x')
        } else if self.pieces(Player::Second).contains(square) {
            Some('o')
        } else if self.obstacles().contains(square) {
            Some('-')
        } else {
            None
        }
    }
}

impl FromStr for Takeover {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        let fields: Vec<_> = text.split(' ').collect();
        let [board, turn, half_moves, full_moves] = fields[..] else {
            return Err(ParsePositionError::Fields);
        };
        let ranks: Vec<_> = board.split('/').collect();
        let variant = match ranks.len() {
            6 => Variant::Standard,
            7 => Variant::Ataxx,
            _ => return Err(ParsePositionError::Ranks),
        };
        let mut pieces = ByPlayer::default();
        let mut obstacles = SquareSet::EMPTY;
        for (rank, symbols) in (0..variant.size()).rev().zip(ranks) {
            read_rank(symbols, rank, variant.size(), &mut pieces, &mut obstacles)?;
        }
        let turn = match turn {
            "x" => Player::First,
            "o" => Player::Second,
            _ => return Err(ParsePositionError::Turn),
        };
        let half_moves = parse_decimal(half_moves)
            .filter(|&n| n <= QUIET_MOVES_THAT_DRAW)
            .ok_or(ParsePositionError::HalfMoves)?;
        let full_moves = parse_decimal(full_moves)
            .filter(|&n: &u32| n > 0)
            .ok_or(ParsePositionError::FullMoves)?;
        Ok(Self::from_parts(
            variant, obstacles, pieces, turn, half_moves, full_moves,
        ))
    }
}

/// Reads one rank of the board, such as `xx1-2`.
fn read_rank(
    symbols: &str,
    rank: u8,
    size: u8,
    pieces: &mut ByPlayer<SquareSet>,
    obstacles: &mut SquareSet,
) -> Result<(), ParsePositionError> {
    let wrong_length = ParsePositionError::RankLength {
        rank: usize::from(rank) + 1,
        size,
    };
    let mut file = 0;
    let mut after_count = false;
    for symbol in symbols.chars() {
        let set = match symbol {
            'x' => &mut pieces.first,
            'o' => &mut pieces.second,
            '-' => &mut *obstacles,
            // Two counts running would be a second way to write the same.
            '1'..='7' if !after_count => {
                file += symbol as u8 - b'0';
                after_count = true;
                if file > size {
                    return Err(wrong_length);
                }
                continue;
            }
            _ => return Err(ParsePositionError::Symbol(symbol)),
        };
        if file >= size {
            return Err(wrong_length);
        }
        *set |= Square::new(file, rank).into();
        file += 1;
        after_count = false;
    }
    if file == size {
        Ok(())
    } else {
        Err(wrong_length)
    }
}
