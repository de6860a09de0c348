use std::{fmt, str::FromStr};

use rules::{ByPlayer, Player, Position, parse_decimal};

use crate::{
    LARGEST_SIZE, Mode, Move, Point, PointSet, SIZES, Setup, SimplyGo,
    position::{PASSES_THAT_END, Parts},
};

/// Written `D4`, `AA17`: column letters and row number from the bottom.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |number| char::from(b'A' + number);
        match self.column() {
            column @ 0..26 => write!(f, "{}", letter(column))?,
            column => write!(f, "A{}", letter(column - 26))?,
        }
        write!(f, "{}", self.row() + 1)
    }
}

impl FromStr for Point {
    type Err = ParseMoveError;

    /// Reads a point of the largest board, `A1` to `AV48`.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let n_letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
        let (letters, digits) = text.split_at(n_letters);
        let column = match *letters.as_bytes() {
            [letter] => letter - b'A',
            [b'A', letter] => 26 + letter - b'A',
            _ => return Err(ParseMoveError::UnknownForm),
        };
        let row: u8 = parse_decimal(digits).ok_or(ParseMoveError::UnknownForm)?;
        let is_on_board = column < LARGEST_SIZE && (1..=LARGEST_SIZE).contains(&row);
        if is_on_board {
            Ok(Self::new(column, row - 1))
        } else {
            Err(ParseMoveError::NoSuchPoint)
        }
    }
}

/// Error when parsing a [`Move`] or a [`Point`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseMoveError {
    /// The text is neither like `D4` nor `pass`.
    #[error("expected a move such as D4, AA17 or pass")]
    UnknownForm,
    /// The text names a point that is on no board.
    #[error("no such point, expected A1 to AV48")]
    NoSuchPoint,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(point) => write!(f, "{point}"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        if text == "pass" {
            Ok(Self::Pass)
        } else {
            text.parse().map(Self::Place)
        }
    }
}

/// Error when parsing a [`SimplyGo`] position or setting one up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParsePositionError {
    /// There are not six fields.
    #[error("expected six fields: board, b or w to move, captures, moves, passes, mode")]
    Fields,
    /// The board has a size that is not played on.
    #[error("expected 9, 13, 19, 25 or 48 rows separated by /, found {0}")]
    Size(usize),
    /// A row is longer or shorter than the board.
    #[error("row {row} does not have {size} points")]
    RowLength {
        /// The row, counted from 1 at the bottom.
        row: u8,
        /// The number of points it should have.
        size: u8,
    },
    /// The board has a character that is no stone, a fort or count.
    #[error("expected b, w, B, W or a count of empty points, found {0:?}")]
    Symbol(char),
    /// The player to move is missing.
    #[error("expected b or w to move")]
    Turn,
    /// The captures are missing.
    #[error("expected captures such as 3:0, black's first")]
    Captures,
    /// The number of moves is not valid.
    #[error("expected the number of moves played")]
    Moves,
    /// The number of passes is not valid.
    #[error("expected the number of passes in a row, 0 to {PASSES_THAT_END}")]
    Passes,
    /// The mode is none, or not offered on this board.
    #[error("expected a mode that this size offers, such as moves:200 or target:25")]
    Mode,
    /// Black has the even moves and white the odd ones.
    #[error("{moves} moves played do not leave {turn} to move")]
    WrongTurn {
        /// The moves played.
        moves: u16,
        /// The player said to move.
        turn: Player,
    },
    /// More stones on the board and captured than were placed.
    #[error("{placed} stones of {player} are more than the moves allow")]
    TooManyStones {
        /// The player.
        player: Player,
        /// The stones on the board and the captured ones.
        placed: u32,
    },
    /// The match would have ended before.
    #[error("the match ended before {0} moves were played")]
    TooManyMoves(u16),
    /// A player has reached the target and should have won with the last move.
    #[error("{0} has captured the target and can't be to move")]
    WinnerToMove(Player),
    /// There were not as many passes.
    #[error("{0} passes in a row are more than the moves allow")]
    TooManyPasses(u8),
    /// A stone or a fort is beside the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// A point has stones of both players, or a stone and a fort.
    #[error("more than one stone or fort is on {0}")]
    Crowded(Point),
}

/// Rows from the top, then turn, captures, counters and mode.
impl fmt::Display for SimplyGo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size()).rev() {
            let mut n_empty = 0;
            for column in 0..self.size() {
                let Some(symbol) = self.symbol(Point::new(column, row)) else {
                    n_empty += 1;
                    continue;
                };
                write_count(f, &mut n_empty)?;
                write!(f, "{symbol}")?;
            }
            write_count(f, &mut n_empty)?;
            if row > 0 {
                f.write_str("/")?;
            }
        }
        let turn = match self.turn() {
            Player::First => 'b',
            Player::Second => 'w',
        };
        write!(
            f,
            " {turn} {}:{} {} {} {}",
            self.n_captures(Player::First),
            self.n_captures(Player::Second),
            self.n_moves(),
            self.n_passes(),
            self.mode(),
        )
    }
}

/// Writes the number of empty points since the last symbol, if any.
fn write_count(f: &mut fmt::Formatter<'_>, n_empty: &mut u8) -> fmt::Result {
    if *n_empty > 0 {
        write!(f, "{n_empty}")?;
        *n_empty = 0;
    }
    Ok(())
}

impl SimplyGo {
    /// The symbol of `point`; none if it is empty and in no fort.
    fn symbol(&self, point: Point) -> Option<char> {
        let symbols = [
            ('b', self.stones(Player::First)),
            ('w', self.stones(Player::Second)),
            ('B', self.forts(Player::First)),
            ('W', self.forts(Player::Second)),
        ];
        let on_point = symbols.into_iter().find(|(_, set)| set.contains(point));
        on_point.map(|(symbol, _)| symbol)
    }
}

impl FromStr for SimplyGo {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        let fields: Vec<_> = text.split(' ').collect();
        let [board, turn, captures, moves, passes, mode] = fields[..] else {
            return Err(ParsePositionError::Fields);
        };
        let rows: Vec<_> = board.split('/').collect();
        let size = SIZES
            .into_iter()
            .find(|&size| usize::from(size) == rows.len());
        let size = size.ok_or(ParsePositionError::Size(rows.len()))?;
        let mut stones = ByPlayer::from_fn(|_| PointSet::EMPTY);
        let mut forts = ByPlayer::from_fn(|_| PointSet::EMPTY);
        for (row, symbols) in (0..size).rev().zip(rows) {
            read_row(symbols, row, size, &mut stones, &mut forts)?;
        }
        let turn = match turn {
            "b" => Player::First,
            "w" => Player::Second,
            _ => return Err(ParsePositionError::Turn),
        };
        let captures = read_captures(captures).ok_or(ParsePositionError::Captures)?;
        let n_moves = parse_decimal(moves).ok_or(ParsePositionError::Moves)?;
        let n_passes = parse_decimal(passes)
            .filter(|&n| n <= PASSES_THAT_END)
            .ok_or(ParsePositionError::Passes)?;
        let mode: Mode = mode.parse().map_err(|_| ParsePositionError::Mode)?;
        if !mode.is_offered(size) {
            return Err(ParsePositionError::Mode);
        }
        let parts = Parts {
            stones,
            forts,
            captures,
            n_moves,
            n_passes,
            turn,
            setup: Setup { size, mode },
        };
        check_counts(&parts)?;
        Ok(Self::from_parts(parts))
    }
}

/// Reads one row of the board, such as `2bw13B`.
fn read_row(
    symbols: &str,
    row: u8,
    size: u8,
    stones: &mut ByPlayer<PointSet>,
    forts: &mut ByPlayer<PointSet>,
) -> Result<(), ParsePositionError> {
    let wrong_length = ParsePositionError::RowLength { row: row + 1, size };
    let mut column = 0;
    let mut rest = symbols;
    while let Some(symbol) = rest.chars().next() {
        let set = match symbol {
            'b' => &mut stones.first,
            'w' => &mut stones.second,
            'B' => &mut forts.first,
            'W' => &mut forts.second,
            '1'..='9' => {
                let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let (digits, after) = rest.split_at(n_digits);
                let n_empty: u8 = parse_decimal(digits).ok_or(wrong_length)?;
                column = n_empty.checked_add(column).ok_or(wrong_length)?;
                if column > size {
                    return Err(wrong_length);
                }
                rest = after;
                continue;
            }
            _ => return Err(ParsePositionError::Symbol(symbol)),
        };
        if column >= size {
            return Err(wrong_length);
        }
        set.insert(Point::new(column, row));
        column += 1;
        rest = &rest[1..];
    }
    if column == size {
        Ok(())
    } else {
        Err(wrong_length)
    }
}

fn read_captures(text: &str) -> Option<ByPlayer<u16>> {
    let (first, second) = text.split_once(':')?;
    Some(ByPlayer {
        first: parse_decimal(first)?,
        second: parse_decimal(second)?,
    })
}

/// Checks that the counts can come from a match that began with an empty board.
pub(crate) fn check_counts(parts: &Parts) -> Result<(), ParsePositionError> {
    let moves = parts.n_moves;
    let turn = parts.turn;
    // Every free point is played on at most once, with a pass before it and two at
    // the end: that limits the remaining moves, and all must fit the counter.
    let taken = [&parts.stones, &parts.forts].map(|sets| sets.first.len() + sets.second.len());
    let n_free = u32::from(parts.setup.size).pow(2) - taken.iter().sum::<u32>();
    let n_left = 2 * n_free + 2;
    let is_too_many = match parts.setup.mode {
        Mode::Moves(limit) => moves > limit,
        Mode::Target(_) => u32::from(moves) + n_left > u32::from(u16::MAX),
    };
    if is_too_many {
        return Err(ParsePositionError::TooManyMoves(moves));
    }
    if let Mode::Target(target) = parts.setup.mode
        && parts.captures[turn] >= target
    {
        return Err(ParsePositionError::WinnerToMove(turn));
    }
    if moves.is_multiple_of(2) != (turn == Player::First) {
        return Err(ParsePositionError::WrongTurn { moves, turn });
    }
    for player in Player::BOTH {
        let n_turns = u32::from(match player {
            Player::First => moves.div_ceil(2),
            Player::Second => moves / 2,
        });
        let placed = parts.stones[player].len() + u32::from(parts.captures[!player]);
        let n_other = n_turns
            .checked_sub(placed)
            .ok_or(ParsePositionError::TooManyStones { player, placed })?;
        // The opponent of the player to move made the last pass.
        let least_passes = u32::from(if player == turn {
            parts.n_passes / 2
        } else {
            parts.n_passes.div_ceil(2)
        });
        if n_other < least_passes {
            return Err(ParsePositionError::TooManyPasses(parts.n_passes));
        }
    }
    Ok(())
}
