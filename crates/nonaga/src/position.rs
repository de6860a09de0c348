use std::hash::{Hash, Hasher};

use rules::{ByPlayer, Game, MatchSetup, Outcome, Player, Position, SetupError, mix};

use crate::{
    Hex, Move, ParsePositionError, Setup, Tiles, Variant,
    cell::{Cell, CellSet, Step},
    shore::Shore,
    tiles::N_TILES,
};

/// How many pieces each player has (R2).
pub(crate) const N_PIECES: usize = 3;

/// Which half of a turn comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The player slides a piece.
    Slide,
    /// The player shifts a tile.
    Shift,
}

/// A position of Nonaga.
///
/// Two positions are equal if their texts are.
#[derive(Clone, Debug)]
pub struct Nonaga {
    tiles: Tiles,
    /// The cells of each player's pieces, in their order.
    pieces: ByPlayer<[Cell; N_PIECES]>,
    /// Under `published`, the tile the opponent shifted last (R9).
    barred: Option<Cell>,
    key: u64,
    turn: Player,
    phase: Phase,
    variant: Variant,
}

impl Nonaga {
    /// A new match (R2).
    pub(crate) fn new(variant: Variant) -> Self {
        let pieces = ByPlayer {
            first: [Hex::new(2, -2), Hex::new(0, 2), Hex::new(-2, 0)],
            second: [Hex::new(2, 0), Hex::new(-2, 2), Hex::new(0, -2)],
        };
        Self::from_parts(
            variant,
            Tiles::start(),
            pieces,
            Player::First,
            Phase::Slide,
            None,
        )
        .expect("the pieces of a new match stand on tiles")
    }

    /// The position with these parts, if every piece and the barred tile are on
    /// tiles.
    pub(crate) fn from_parts(
        variant: Variant,
        tiles: Tiles,
        pieces: ByPlayer<[Hex; N_PIECES]>,
        turn: Player,
        phase: Phase,
        barred: Option<Hex>,
    ) -> Option<Self> {
        let tile = |hex| {
            let cell = tiles.cell(hex)?;
            tiles.cells().contains(cell).then_some(cell)
        };
        let cells = |player: Player| -> Option<[Cell; N_PIECES]> {
            let [a, b, c] = pieces[player];
            let mut cells = [tile(a)?, tile(b)?, tile(c)?];
            cells.sort_unstable();
            Some(cells)
        };
        let mut position = Self {
            tiles,
            pieces: ByPlayer {
                first: cells(Player::First)?,
                second: cells(Player::Second)?,
            },
            barred: match barred {
                Some(hex) => Some(tile(hex)?),
                None => None,
            },
            key: 0,
            turn,
            phase,
            variant,
        };
        position.key = position.full_key();
        Some(position)
    }

    /// The position with these parts, checked.
    pub(crate) fn set_up(
        variant: Variant,
        tiles: &[Hex],
        pieces: ByPlayer<[Hex; N_PIECES]>,
        turn: Player,
        phase: Phase,
        barred: Option<Hex>,
    ) -> Result<Self, ParsePositionError> {
        check_distinct(tiles)?;
        if tiles.len() != N_TILES {
            return Err(ParsePositionError::TileCount(tiles.len()));
        }
        let tiles = Tiles::new(tiles).ok_or(ParsePositionError::Split)?;
        for player in Player::BOTH {
            check_distinct(&pieces[player])?;
            if let Some(&hex) = pieces[player].iter().find(|&&hex| !tiles.contains(hex)) {
                return Err(ParsePositionError::NoTile(hex));
            }
        }
        if let Some(&hex) = pieces.first.iter().find(|hex| pieces.second.contains(hex)) {
            return Err(ParsePositionError::Crowded(hex));
        }
        // All but the barred tile was checked above.
        Self::from_parts(variant, tiles, pieces, turn, phase, barred)
            .ok_or(ParsePositionError::Barred)
    }

    /// The position with these tiles and pieces in their places, and everything else the
    /// same. A barred tile that is no longer there is forgotten.
    ///
    /// # Errors
    ///
    /// Returns [`ParsePositionError`] if there are not 19 connected tiles, or not all
    /// pieces are on tiles of their own.
    pub fn rearranged(
        &self,
        tiles: &[Hex],
        pieces: ByPlayer<[Hex; N_PIECES]>,
    ) -> Result<Self, ParsePositionError> {
        let barred = self.barred().filter(|barred| tiles.contains(barred));
        Self::set_up(self.variant, tiles, pieces, self.turn, self.phase, barred)
    }

    /// The same board at the beginning of a turn of `player`. No tile is barred unless the
    /// turn stays with the player.
    #[must_use]
    pub fn with_turn(&self, player: Player) -> Self {
        let mut next = self.clone();
        if player != self.turn {
            next.bar(None);
        }
        next.turn = player;
        next.phase = Phase::Slide;
        next
    }

    /// The tiles.
    #[must_use]
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The places of a player's pieces, in their order.
    #[must_use]
    pub fn pieces(&self, player: Player) -> [Hex; N_PIECES] {
        self.pieces[player].map(|cell| self.tiles.hex(cell))
    }

    /// Which half of the turn comes next.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The variant of the rules.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Under `published`, the tile that may not be shifted (R9).
    #[must_use]
    pub fn barred(&self) -> Option<Hex> {
        self.barred.map(|cell| self.tiles.hex(cell))
    }

    fn occupied(&self) -> impl Iterator<Item = Cell> {
        let ByPlayer { first, second } = self.pieces;
        first.into_iter().chain(second)
    }

    /// The position after a slide of `player`, as if it were that player's turn.
    #[must_use]
    pub fn after_slide_of(&self, player: Player, slide: Move) -> Self {
        let mut next = self.clone();
        next.turn = player;
        next.phase = Phase::Slide;
        next.play_unchecked(slide);
        next
    }

    pub(crate) fn cells_of(&self, player: Player) -> [Cell; N_PIECES] {
        self.pieces[player]
    }

    /// The tiles without a piece.
    pub(crate) fn free_tiles(&self) -> CellSet {
        let mut free = *self.tiles.cells();
        for cell in self.occupied() {
            free.remove(cell);
        }
        free
    }

    /// R4: whether the mover has just won.
    fn is_won(&self) -> bool {
        self.phase == Phase::Shift && are_connected(self.pieces[self.turn])
    }

    /// R3: calls `visit` with the start and the end of every slide.
    fn each_slide(&self, mut visit: impl FnMut(Cell, Cell)) {
        let free = self.free_tiles();
        for from in self.pieces[self.turn] {
            for step in Step::ALL {
                let mut to = from;
                while free.contains(to.step(step)) {
                    to = to.step(step);
                }
                if to != from {
                    visit(from, to);
                }
            }
        }
    }

    /// R5, R8, R9: whether a free `tile` may be taken.
    fn may_take(&self, shore: &Shore, tile: Cell) -> bool {
        let is_allowed = match self.variant {
            Variant::Standard => true,
            Variant::Published => self.barred != Some(tile) && shore.may_draw_out(tile),
        };
        is_allowed && shore.may_lift(tile)
    }

    fn slide(&mut self, from: Cell, to: Cell) {
        let kind = Kind::Piece(self.turn);
        self.key ^= self.cell_key(kind, from) ^ self.cell_key(kind, to);
        replace(&mut self.pieces[self.turn], from, to);
    }

    fn shift(&mut self, from: Cell, to: Cell) {
        self.key ^= self.cell_key(Kind::Tile, from) ^ self.cell_key(Kind::Tile, to);
        let moved_to = match self.tiles.shift(from, to) {
            None => to,
            Some(offset) => {
                for player in Player::BOTH {
                    self.pieces[player] = self.pieces[player].map(|cell| cell.moved(offset));
                }
                self.barred = self.barred.map(|cell| cell.moved(offset));
                to.moved(offset)
            }
        };
        self.bar((self.variant == Variant::Published).then_some(moved_to));
    }

    /// R9: from now on the mover's opponent may not shift this tile.
    fn bar(&mut self, tile: Option<Cell>) {
        self.key ^= self.barred_key();
        self.barred = tile;
        self.key ^= self.barred_key();
    }

    fn pass_turn(&mut self) {
        self.phase = Phase::Slide;
        self.turn = !self.turn;
    }

    fn cell_key(&self, kind: Kind, cell: Cell) -> u64 {
        hex_key(kind, self.tiles.hex(cell))
    }

    fn barred_key(&self) -> u64 {
        self.barred
            .map_or(0, |cell| self.cell_key(Kind::Barred, cell))
    }

    /// The key of everything but turn and phase, from scratch.
    fn full_key(&self) -> u64 {
        let tiles = self.tiles.iter().map(|hex| hex_key(Kind::Tile, hex));
        let pieces = Player::BOTH.into_iter().flat_map(|player| {
            let pieces = self.pieces(player);
            pieces.map(|hex| hex_key(Kind::Piece(player), hex))
        });
        let rules = mix(self.variant as u64 + 1);
        tiles
            .chain(pieces)
            .fold(rules ^ self.barred_key(), |key, part| key ^ part)
    }

    fn turn_key(&self) -> u64 {
        mix(0x100 | (self.turn as u64) << 1 | self.phase as u64)
    }
}

/// Checks that no two of `hexes` are the same.
fn check_distinct(hexes: &[Hex]) -> Result<(), ParsePositionError> {
    let is_again = |&(index, hex): &(usize, &Hex)| hexes[..index].contains(hex);
    match hexes.iter().enumerate().find(is_again) {
        Some((_, &hex)) => Err(ParsePositionError::Twice(hex)),
        None => Ok(()),
    }
}

/// What lies on a cell, for its part of the key.
#[derive(Clone, Copy)]
enum Kind {
    Tile,
    Piece(Player),
    Barred,
}

/// Hashes a cell: the board may drift anywhere, so there is no table of Zobrist
/// keys.
fn hex_key(kind: Kind, hex: Hex) -> u64 {
    let salt = match kind {
        Kind::Tile => 0x9e37_79b9_7f4a_7c15,
        Kind::Piece(Player::First) => 0xd1b5_4a32_d192_ed03,
        Kind::Piece(Player::Second) => 0x8bb8_4b93_962e_acc9,
        Kind::Barred => 0x2d35_8dcc_aa6c_78a5,
    };
    mix(salt ^ (u64::from(hex.q as u32) << 32 | u64::from(hex.r as u32)))
}

/// R4: whether at least two of the three pairs touch.
fn are_connected(cells: [Cell; N_PIECES]) -> bool {
    n_touching_pairs(cells) >= 2
}

/// How many of the three pairs touch.
#[inline]
pub(crate) fn n_touching_pairs([a, b, c]: [Cell; N_PIECES]) -> u8 {
    u8::from(a.touches(b)) + u8::from(b.touches(c)) + u8::from(a.touches(c))
}

/// Replaces `from` by `to` and keeps the order.
fn replace(cells: &mut [Cell; N_PIECES], from: Cell, to: Cell) {
    for cell in cells.iter_mut().filter(|cell| **cell == from) {
        *cell = to;
    }
    cells.sort_unstable();
}

impl PartialEq for Nonaga {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.turn == other.turn
            && self.phase == other.phase
            && self.variant == other.variant
            && self.barred() == other.barred()
            && Player::BOTH
                .into_iter()
                .all(|player| self.pieces(player) == other.pieces(player))
            && self.tiles == other.tiles
    }
}

impl Eq for Nonaga {}

impl Hash for Nonaga {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Position for Nonaga {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_won().then_some(Outcome::Win(self.turn))
    }

    fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        if self.is_won() {
            return;
        }
        let start = moves.len();
        match self.phase {
            Phase::Slide => self.each_slide(|from, to| {
                moves.push(Move::Slide {
                    from: self.tiles.hex(from),
                    to: self.tiles.hex(to),
                });
            }),
            Phase::Shift => {
                let shore = self.tiles.shore();
                for tile in self.free_tiles().iter() {
                    if !self.may_take(&shore, tile) {
                        continue;
                    }
                    let from = self.tiles.hex(tile);
                    let destinations = shore.destinations(tile);
                    moves.extend(destinations.iter().map(|place| Move::Shift {
                        from,
                        to: self.tiles.hex(place),
                    }));
                }
            }
        }
        // R6: a slide or a shift is skipped only if there is none.
        if moves.len() == start {
            moves.push(Move::Pass);
        }
    }

    fn play_unchecked(&mut self, m: Move) {
        let cell = |hex| {
            self.tiles
                .cell(hex)
                .expect("a legal move stays on the field")
        };
        match m {
            Move::Slide { from, to } => {
                let (from, to) = (cell(from), cell(to));
                self.slide(from, to);
                self.phase = Phase::Shift;
            }
            Move::Shift { from, to } => {
                let (from, to) = (cell(from), cell(to));
                self.shift(from, to);
                self.pass_turn();
            }
            Move::Pass => match self.phase {
                Phase::Slide => self.phase = Phase::Shift,
                Phase::Shift => {
                    self.bar(None);
                    self.pass_turn();
                }
            },
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key ^ self.turn_key()
    }

    /// R7 lists tiles, pieces, player and phase; the barred tile of `published` is
    /// not among them.
    fn repetition_key(&self) -> Option<u64> {
        Some(self.key() ^ self.barred_key())
    }

    // Overridden for speed: a perft is mostly counting.
    fn n_legal_moves(&self) -> usize {
        if self.is_won() {
            return 0;
        }
        let mut n_moves = 0;
        match self.phase {
            Phase::Slide => self.each_slide(|_, _| n_moves += 1),
            Phase::Shift => {
                let shore = self.tiles.shore();
                for tile in self.free_tiles().iter() {
                    if self.may_take(&shore, tile) {
                        n_moves += shore.n_destinations(tile) as usize;
                    }
                }
            }
        }
        n_moves.max(1)
    }
}

impl Game for Nonaga {
    type Setup = Setup;

    const NAME: &'static str = "nonaga";
    const RULES_VERSION: u32 = 1;

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self::new(setup.variant))
    }

    fn option(&self, name: &str) -> Option<String> {
        let variant = self.variant;
        Setup { variant }.value(name)
    }
}
