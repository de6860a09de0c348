use std::{fmt, str::FromStr};

use rules::{ByPlayer, Player, Position, parse_integer};

use crate::{Hex, Move, Nonaga, Phase, Variant, position::N_PIECES, tiles::N_TILES};

/// Written `2,-2`.
impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}

impl FromStr for Hex {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let (q, r) = text.split_once(',').ok_or(ParseMoveError::NoSuchCell)?;
        let coordinate = |text| parse_integer(text).ok_or(ParseMoveError::NoSuchCell);
        let hex = Self::new(coordinate(q)?, coordinate(r)?);
        if hex.is_on_plane() {
            Ok(hex)
        } else {
            Err(ParseMoveError::TooFar)
        }
    }
}

/// Error when parsing a [`Move`] or a [`Hex`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseMoveError {
    /// The text is none of `2,-2>0,0`, `#1,0>3,-2` and `pass`.
    #[error("expected a move such as 2,-2>0,0, #1,0>3,-2 or pass")]
    UnknownForm,
    /// The text has no two coordinates.
    #[error("expected a cell such as 2,-2")]
    NoSuchCell,
    /// The text names a cell that no match could reach.
    #[error("expected coordinates from -{0} to {0}", Hex::FARTHEST)]
    TooFar,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slide { from, to } => write!(f, "{from}>{to}"),
            Self::Shift { from, to } => write!(f, "#{from}>{to}"),
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
        let cells = text.strip_prefix('#').unwrap_or(text);
        let (from, to) = cells.split_once('>').ok_or(ParseMoveError::UnknownForm)?;
        let (from, to) = (from.parse()?, to.parse()?);
        Ok(if text.starts_with('#') {
            Self::Shift { from, to }
        } else {
            Self::Slide { from, to }
        })
    }
}

/// Error when parsing a [`Nonaga`] position or setting one up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParsePositionError {
    /// There are neither five nor six fields.
    #[error(
        "expected the fields tiles, first's pieces, second's pieces, turn, phase, \
         and under published the barred tile or -"
    )]
    Fields,
    /// A cell is not valid.
    #[error("expected cells such as 2,-2 separated by ;")]
    Cell,
    /// The same tile or piece is listed twice.
    #[error("{0} is listed twice")]
    Twice(Hex),
    /// There are not 19 tiles.
    #[error("expected {N_TILES} tiles, found {0}")]
    TileCount(usize),
    /// The tiles are in more than one part.
    #[error("the tiles are not connected")]
    Split,
    /// A player has not three pieces.
    #[error("expected {N_PIECES} pieces of {player}, found {found}")]
    PieceCount {
        /// The player.
        player: Player,
        /// The number of pieces.
        found: usize,
    },
    /// Both players have a piece on the same tile.
    #[error("two pieces stand on {0}")]
    Crowded(Hex),
    /// A piece stands where there is no tile.
    #[error("the piece on {0} has no tile under it")]
    NoTile(Hex),
    /// The player to move is missing.
    #[error("expected first or second to move")]
    Turn,
    /// The phase is missing.
    #[error("expected the phase slide or shift")]
    Phase,
    /// The barred tile is not there.
    #[error("expected a tile that is barred, or -")]
    Barred,
}

/// Tiles, pieces, turn and phase; under `published` also the barred tile.
impl fmt::Display for Nonaga {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, self.tiles().iter())?;
        for player in Player::BOTH {
            f.write_str(" ")?;
            write_list(f, self.pieces(player).into_iter())?;
        }
        let phase = match self.phase() {
            Phase::Slide => "slide",
            Phase::Shift => "shift",
        };
        write!(f, " {} {phase}", self.turn())?;
        match (self.variant(), self.barred()) {
            (Variant::Standard, _) => Ok(()),
            (Variant::Published, None) => f.write_str(" -"),
            (Variant::Published, Some(tile)) => write!(f, " {tile}"),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, hexes: impl Iterator<Item = Hex>) -> fmt::Result {
    for (index, hex) in hexes.enumerate() {
        let separator = if index == 0 { "" } else { ";" };
        write!(f, "{separator}{hex}")?;
    }
    Ok(())
}

impl FromStr for Nonaga {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        let fields: Vec<_> = text.split(' ').collect();
        let (variant, barred) = match fields[..] {
            [_, _, _, _, _] => (Variant::Standard, "-"),
            [_, _, _, _, _, barred] => (Variant::Published, barred),
            _ => return Err(ParsePositionError::Fields),
        };
        let tiles = read_list(fields[0])?;
        let pieces = ByPlayer {
            first: read_pieces(fields[1], Player::First)?,
            second: read_pieces(fields[2], Player::Second)?,
        };
        let turn = fields[3].parse().map_err(|_| ParsePositionError::Turn)?;
        let phase = match fields[4] {
            "slide" => Phase::Slide,
            "shift" => Phase::Shift,
            _ => return Err(ParsePositionError::Phase),
        };
        let barred = match barred {
            "-" => None,
            tile => Some(tile.parse().map_err(|_| ParsePositionError::Barred)?),
        };
        Self::set_up(variant, &tiles, pieces, turn, phase, barred)
    }
}

fn read_list(text: &str) -> Result<Vec<Hex>, ParsePositionError> {
    let mut hexes: Vec<Hex> = Vec::new();
    for cell in text.split(';') {
        let hex = cell.parse().map_err(|_| ParsePositionError::Cell)?;
        if hexes.contains(&hex) {
            return Err(ParsePositionError::Twice(hex));
        }
        hexes.push(hex);
        // Enough to say that it is too many.
        if hexes.len() > N_TILES {
            break;
        }
    }
    Ok(hexes)
}

fn read_pieces(text: &str, player: Player) -> Result<[Hex; N_PIECES], ParsePositionError> {
    let pieces = read_list(text)?;
    pieces
        .try_into()
        .map_err(|pieces: Vec<Hex>| ParsePositionError::PieceCount {
            player,
            found: pieces.len(),
        })
}
