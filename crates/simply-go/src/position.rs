use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

use rules::{ByPlayer, Game, MatchSetup, Outcome, Player, Position, SetupError, mix};

use crate::{
    Mode, Move, ParsePositionError, Point, PointSet, Setup, capture::Walls, notation::check_counts,
};

/// So many passes in a row end the match (R9).
pub(crate) const PASSES_THAT_END: u8 = 2;

/// A position of Simply Go.
///
/// Two positions are equal if their texts are.
#[derive(Clone, Debug)]
pub struct SimplyGo {
    stones: ByPlayer<PointSet>,
    /// The points inside each player's forts, which never have a stone.
    forts: ByPlayer<PointSet>,
    board_key: u64,
    captures: ByPlayer<u16>,
    n_moves: u16,
    n_passes: u8,
    turn: Player,
    size: u8,
    mode: Mode,
    // The two fields below are no part of the position: they only tell where
    // captures are possible.
    /// Whether the player's next placement may capture or enclose something wherever
    /// it is (R5).
    is_unsettled: ByPlayer<bool>,
    /// Whether some fort is not walled in by its owner's stones. No match leads to
    /// that, but a text may.
    has_open_fort: bool,
}

/// The parts of a position that its text contains.
pub(crate) struct Parts {
    pub(crate) stones: ByPlayer<PointSet>,
    pub(crate) forts: ByPlayer<PointSet>,
    pub(crate) captures: ByPlayer<u16>,
    pub(crate) n_moves: u16,
    pub(crate) n_passes: u8,
    pub(crate) turn: Player,
    pub(crate) setup: Setup,
}

impl SimplyGo {
    /// A new match.
    pub(crate) fn new(setup: Setup) -> Self {
        Self::from_parts(Parts {
            stones: ByPlayer::from_fn(|_| PointSet::EMPTY),
            forts: ByPlayer::from_fn(|_| PointSet::EMPTY),
            captures: ByPlayer::default(),
            n_moves: 0,
            n_passes: 0,
            turn: Player::First,
            setup,
        })
    }

    /// Assumes that no point has a stone of both players, or a stone and a fort.
    pub(crate) fn from_parts(parts: Parts) -> Self {
        let mut position = Self {
            stones: parts.stones,
            forts: parts.forts,
            board_key: 0,
            captures: parts.captures,
            n_moves: parts.n_moves,
            n_passes: parts.n_passes,
            turn: parts.turn,
            size: parts.setup.size,
            mode: parts.setup.mode,
            is_unsettled: ByPlayer::from_fn(|_| true),
            has_open_fort: false,
        };
        position.has_open_fort = Player::BOTH.into_iter().any(|p| position.has_open_fort(p));
        for player in Player::BOTH {
            let stones = points_key(Kind::Stone, player, &position.stones[player]);
            let forts = points_key(Kind::Fort, player, &position.forts[player]);
            position.board_key ^= stones ^ forts;
        }
        position
    }

    /// The position with these stones and forts, and `turn` to move, in a match with the
    /// same options and captures. It has as many moves as that takes, and the passes made
    /// so far if there is room for them, none of them last.
    ///
    /// # Errors
    ///
    /// Returns [`ParsePositionError`] if something is beside the board, two things are on
    /// a point, or no match has so many moves.
    pub fn rearranged(
        &self,
        stones: ByPlayer<PointSet>,
        forts: ByPlayer<PointSet>,
        turn: Player,
    ) -> Result<Self, ParsePositionError> {
        let board = PointSet::board(self.size);
        let mut taken = PointSet::EMPTY;
        for set in [stones.first, stones.second, forts.first, forts.second] {
            if let Some(point) = (set - board).first() {
                return Err(ParsePositionError::OffBoard(point));
            }
            if let Some(point) = (set & taken).first() {
                return Err(ParsePositionError::Crowded(point));
            }
            taken |= set;
        }
        let n_moves = u16::try_from(self.n_moves_with(&stones, turn));
        let parts = Parts {
            stones,
            forts,
            captures: self.captures,
            n_moves: n_moves.map_err(|_| ParsePositionError::TooManyMoves(u16::MAX))?,
            n_passes: 0,
            turn,
            setup: self.setup(),
        };
        check_counts(&parts)?;
        Ok(Self::from_parts(parts))
    }

    /// The number of moves that lead to these stones: as many as they take, and the passes
    /// made so far if there is room for them.
    fn n_moves_with(&self, stones: &ByPlayer<PointSet>, turn: Player) -> u32 {
        let least = least_moves(&self.stones, self.captures, self.turn);
        let n_extra = u32::from(self.n_moves).saturating_sub(least);
        let least = least_moves(stones, self.captures, turn);
        // An odd number of moves leads to a turn of the second player, and limits are even.
        let most = match self.mode {
            Mode::Moves(limit) => u32::from(limit) - turn as u32,
            Mode::Target(_) => u32::MAX,
        };
        (least + n_extra).min(most).max(least)
    }

    /// The number of columns and of rows.
    #[inline]
    #[must_use]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Where the match ends.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The stones of `player`.
    #[inline]
    #[must_use]
    pub fn stones(&self, player: Player) -> &PointSet {
        &self.stones[player]
    }

    /// The points inside the forts of `player`.
    #[inline]
    #[must_use]
    pub fn forts(&self, player: Player) -> &PointSet {
        &self.forts[player]
    }

    /// How many stones `player` has captured.
    #[must_use]
    pub fn n_captures(&self, player: Player) -> u16 {
        self.captures[player]
    }

    /// How many moves both have made, passes counted.
    #[must_use]
    pub fn n_moves(&self) -> u16 {
        self.n_moves
    }

    /// How many of the last moves were passes.
    #[must_use]
    pub fn n_passes(&self) -> u8 {
        self.n_passes
    }

    /// The points that a stone may be put on (R2, R3).
    #[must_use]
    pub fn playable(&self) -> PointSet {
        let stones = self.stones.first | self.stones.second;
        PointSet::board(self.size) - stones - self.all_forts()
    }

    fn all_forts(&self) -> PointSet {
        self.forts.first | self.forts.second
    }

    fn has_open_fort(&self, player: Player) -> bool {
        let around = self.forts[player].grown() & PointSet::board(self.size);
        !(around - self.forts[player] - self.stones[player]).is_empty()
    }

    fn is_over(&self) -> bool {
        let has_reached = |target| Player::BOTH.into_iter().any(|p| self.captures[p] >= target);
        let by_mode = match self.mode {
            Mode::Moves(limit) => self.n_moves >= limit,
            Mode::Target(target) => has_reached(target),
        };
        by_mode || self.n_passes >= PASSES_THAT_END
    }

    /// R8, R9: most captures, then the larger forts.
    fn outcome_by_count(&self) -> Outcome {
        let counts = |player| (self.captures[player], self.forts[player].len());
        match counts(Player::First).cmp(&counts(Player::Second)) {
            Ordering::Greater => Outcome::Win(Player::First),
            Ordering::Less => Outcome::Win(Player::Second),
            Ordering::Equal => Outcome::Draw,
        }
    }

    /// The board as the stones of `player` divide it.
    fn walls_of(&self, player: Player) -> Walls<'_> {
        Walls {
            size: self.size,
            walls: &self.stones[player],
            inmates: &self.stones[!player],
        }
    }

    fn place(&mut self, at: Point) {
        let mover = self.turn;
        self.stones[mover].insert(at);
        self.board_key ^= point_key(Kind::Stone, mover, at);

        let is_unsettled = self.is_unsettled[mover];
        let areas = if is_unsettled {
            self.walls_of(mover).captured()
        } else {
            self.walls_of(mover).captured_beside(at)
        };
        for area in &areas {
            self.capture(area);
        }
        let forts = self.all_forts();
        let regions = if is_unsettled {
            self.walls_of(mover).enclosed(&forts)
        } else {
            self.walls_of(mover).enclosed_beside(at, &forts)
        };
        self.add_fort(&regions);
        self.is_unsettled[mover] = self.has_open_fort;
        // R5: the mover may have filled the last exit of an own area. Without
        // open forts there is no other way to make an area that can't escape,
        // since what is enclosed is a fort and can't be played in.
        if at.is_on_rim(self.size) && !self.walls_of(!mover).escapes(at) {
            self.is_unsettled[!mover] = true;
        }
    }

    /// R4, R6, R7: removes the opponent's stones in `area`, which becomes a
    /// fort, whatever forts there were in it.
    fn capture(&mut self, area: &PointSet) {
        let opponent = !self.turn;
        let captured = self.stones[opponent] & *area;
        self.board_key ^= points_key(Kind::Stone, opponent, &captured);
        self.stones[opponent] = self.stones[opponent] - captured;
        self.captures[self.turn] += captured.len() as u16;
        for player in Player::BOTH {
            let swallowed = self.forts[player] & *area;
            self.board_key ^= points_key(Kind::Fort, player, &swallowed);
            self.forts[player] = self.forts[player] - swallowed;
        }
        self.add_fort(area);
    }

    /// Makes `points`, which are in no fort, a fort of the mover.
    fn add_fort(&mut self, points: &PointSet) {
        self.board_key ^= points_key(Kind::Fort, self.turn, points);
        self.forts[self.turn] |= *points;
    }
}

/// The least number of moves after which there are these stones and captures, and it is
/// the turn of `turn`.
fn least_moves(stones: &ByPlayer<PointSet>, captures: ByPlayer<u16>, turn: Player) -> u32 {
    let placed = ByPlayer::from_fn(|player| stones[player].len() + u32::from(captures[!player]));
    // The first player has made every other move, beginning with the first one.
    let least = (2 * placed.first).saturating_sub(1).max(2 * placed.second);
    least + ((least % 2) ^ turn as u32)
}

/// What is on a point, for its part of the key.
#[derive(Clone, Copy)]
enum Kind {
    Stone,
    Fort,
}

#[inline]
fn point_key(kind: Kind, player: Player, point: Point) -> u64 {
    let what = (kind as u64) << 1 | player as u64;
    mix(1 + (what << 16 | u64::from(point.row()) << 8 | u64::from(point.column())))
}

fn points_key(kind: Kind, player: Player, points: &PointSet) -> u64 {
    points
        .iter()
        .fold(0, |key, point| key ^ point_key(kind, player, point))
}

impl PartialEq for SimplyGo {
    fn eq(&self, other: &Self) -> bool {
        self.board_key == other.board_key
            && self.counters() == other.counters()
            && self.setup() == other.setup()
            && self.stones == other.stones
            && self.forts == other.forts
    }
}

impl Eq for SimplyGo {}

impl Hash for SimplyGo {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl SimplyGo {
    fn setup(&self) -> Setup {
        Setup {
            size: self.size,
            mode: self.mode,
        }
    }

    /// Captures, moves, passes and turn as one number.
    fn counters(&self) -> u64 {
        let ByPlayer { first, second } = self.captures;
        u64::from(first) << 48
            | u64::from(second) << 32
            | u64::from(self.n_moves) << 16
            | u64::from(self.n_passes) << 8
            | self.turn as u64
    }
}

impl Position for SimplyGo {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.outcome_by_count())
    }

    fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        if !self.is_over() {
            moves.extend(self.playable().iter().map(Move::Place));
            moves.push(Move::Pass);
        }
    }

    fn play_unchecked(&mut self, m: Move) {
        match m {
            Move::Place(point) => {
                self.place(point);
                self.n_passes = 0;
            }
            Move::Pass => self.n_passes += 1,
        }
        self.n_moves += 1;
        self.turn = !self.turn;
    }

    #[inline]
    fn key(&self) -> u64 {
        let (kind, number) = match self.mode {
            Mode::Moves(number) => (0, number),
            Mode::Target(number) => (1, number),
        };
        let setup = u64::from(self.size) << 32 | u64::from(number) << 1 | kind;
        // Salted, so that small numbers do not collide with those of the points.
        let salt = 0x9e37_79b9_7f4a_7c15;
        self.board_key ^ mix(self.counters() ^ mix(setup ^ salt))
    }

    /// No position is ever repeated: R7.
    fn repetition_key(&self) -> Option<u64> {
        None
    }

    // Overridden because the list may be 2,305 moves long.
    fn n_legal_moves(&self) -> usize {
        if self.is_over() {
            0
        } else {
            self.playable().len() as usize + 1
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        let is_playable = |point: Point| {
            let taken = [&self.stones, &self.forts];
            let is_taken = |sets: &ByPlayer<PointSet>| {
                sets.first.contains(point) || sets.second.contains(point)
            };
            point.row() < self.size
                && point.column() < self.size
                && !taken.into_iter().any(is_taken)
        };
        !self.is_over()
            && match m {
                Move::Place(point) => is_playable(point),
                Move::Pass => true,
            }
    }
}

impl Game for SimplyGo {
    type Setup = Setup;

    const NAME: &'static str = "simply-go";
    const RULES_VERSION: u32 = 1;
    // Nodes take several times as long as those of other games.
    const N_MOVES_FOR_FULL_REVIEW: usize = 30;

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        setup.check()?;
        Ok(Self::new(*setup))
    }

    fn option(&self, name: &str) -> Option<String> {
        self.setup().value(name)
    }
}
