use std::cmp::Ordering;

use rules::{ByPlayer, Game, MatchSetup, Outcome, Player, Position, SetupError, mix};

use crate::{Move, ParsePositionError, Setup, Square, SquareSet, Variant, fair, obstacles};

/// After this many moves in a row without a duplication the match is drawn
/// (R10, R11).
pub(crate) const QUIET_MOVES_THAT_DRAW: u8 = 100;

/// A position of Takeover or Ataxx.
///
/// Two positions are equal if their texts are, the counters included. The
/// [key](Position::key) ignores the counters, since R10 does when it defines a
/// repetition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Takeover {
    /// The pieces of the player to move.
    pub(crate) mover: SquareSet,
    /// The pieces of the opponent.
    pub(crate) other: SquareSet,
    obstacles: SquareSet,
    n_full_moves: u32,
    /// Moves of both players since the last duplication.
    pub(crate) n_quiet_moves: u8,
    turn: Player,
    variant: Variant,
}

impl Takeover {
    /// A new match with the given obstacles.
    pub(crate) fn new(variant: Variant, obstacles: SquareSet) -> Self {
        let pieces = start_pieces(variant);
        Self::from_parts(variant, obstacles, pieces, Player::First, 0, 1)
    }

    pub(crate) fn from_parts(
        variant: Variant,
        obstacles: SquareSet,
        pieces: ByPlayer<SquareSet>,
        turn: Player,
        n_quiet_moves: u8,
        n_full_moves: u32,
    ) -> Self {
        Self {
            mover: pieces[turn],
            other: pieces[!turn],
            obstacles,
            n_full_moves,
            n_quiet_moves,
            turn,
            variant,
        }
    }

    /// Which of the two games this is.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The pieces of `player`.
    #[inline]
    #[must_use]
    pub fn pieces(&self, player: Player) -> SquareSet {
        if player == self.turn {
            self.mover
        } else {
            self.other
        }
    }

    /// The squares that nothing may ever stand on.
    #[inline]
    #[must_use]
    pub fn obstacles(&self) -> SquareSet {
        self.obstacles
    }

    /// The squares a piece may move to (R6).
    #[inline]
    #[must_use]
    pub fn empty(&self) -> SquareSet {
        let taken = self.mover | self.other | self.obstacles;
        self.variant.board() & !taken
    }

    /// The moves of both players since the last duplication.
    #[must_use]
    pub fn n_quiet_moves(&self) -> u8 {
        self.n_quiet_moves
    }

    /// The number of the move that is being played, counted from 1 and raised
    /// after each move of the second player.
    #[must_use]
    pub fn n_full_moves(&self) -> u32 {
        self.n_full_moves
    }

    /// The same board with the other player to move: a null move.
    #[must_use]
    pub fn passed(&self) -> Self {
        Self {
            mover: self.other,
            other: self.mover,
            turn: !self.turn,
            n_quiet_moves: 0,
            ..*self
        }
    }

    /// The position with these pieces and obstacles on a board of the same variant, and
    /// `turn` to move. No quiet moves are counted.
    ///
    /// # Errors
    ///
    /// Returns [`ParsePositionError`] if something is beside the board, or two things are
    /// on a square.
    pub fn rearranged(
        &self,
        pieces: ByPlayer<SquareSet>,
        obstacles: SquareSet,
        turn: Player,
    ) -> Result<Self, ParsePositionError> {
        let ByPlayer { first, second } = pieces;
        let outside = (first | second | obstacles) & !self.variant.board();
        if let Some(square) = outside.iter().next() {
            return Err(ParsePositionError::OffBoard(square));
        }
        let crowded = first & second | (first | second) & obstacles;
        if let Some(square) = crowded.iter().next() {
            return Err(ParsePositionError::Crowded(square));
        }
        Ok(Self::from_parts(
            self.variant,
            obstacles,
            pieces,
            turn,
            0,
            self.n_full_moves,
        ))
    }

    /// The squares that a piece on `from` jumps to where they are empty (R4, R5).
    #[inline]
    #[must_use]
    pub fn jumps(&self, from: Square) -> SquareSet {
        jumps(self.variant, self.obstacles, from)
    }

    /// Whether the owner of `pieces` could move.
    fn can_move(&self, pieces: SquareSet, empty: SquareSet) -> bool {
        let can_jump = |from| !(self.jumps(from) & empty).is_empty();
        !(pieces.grown() & empty).is_empty() || pieces.iter().any(can_jump)
    }

    /// Most pieces wins.
    fn outcome_by_count(&self) -> Outcome {
        match self.mover.len().cmp(&self.other.len()) {
            Ordering::Greater => Outcome::Win(self.turn),
            Ordering::Less => Outcome::Win(!self.turn),
            Ordering::Equal => Outcome::Draw,
        }
    }

    /// R7: puts a piece of the mover on `to` and turns its enemy neighbors.
    #[inline]
    fn land(&mut self, to: Square) {
        let turned = SquareSet::neighbors(to) & self.other;
        self.mover |= turned | to.into();
        self.other ^= turned;
    }

    /// Whether the match is over although a player may be able to move.
    #[inline]
    pub(crate) fn is_cut_off(&self) -> bool {
        let is_bare = self.mover.is_empty() || self.other.is_empty();
        self.n_quiet_moves >= QUIET_MOVES_THAT_DRAW || self.variant == Variant::Ataxx && is_bare
    }

    /// R11: a player without a move passes while the other can move.
    pub(crate) fn may_pass(&self, empty: SquareSet) -> bool {
        self.variant == Variant::Ataxx && self.can_move(self.other, empty)
    }
}

/// R1, R11: the pieces at the start of a match.
pub(crate) fn start_pieces(variant: Variant) -> ByPlayer<SquareSet> {
    let set = |squares: &[(u8, u8)]| {
        let squares = squares.iter();
        squares
            .map(|&(file, rank)| Square::new(file, rank))
            .collect()
    };
    match variant {
        Variant::Standard => ByPlayer {
            first: set(&[(0, 5), (1, 5), (0, 4), (1, 4)]),
            second: set(&[(4, 1), (5, 1), (4, 0), (5, 0)]),
        },
        Variant::Ataxx => ByPlayer {
            first: set(&[(0, 6), (6, 0)]),
            second: set(&[(6, 6), (0, 0)]),
        },
    }
}

/// The squares that a piece on `from` jumps to where they are empty.
#[inline]
pub(crate) fn jumps(variant: Variant, obstacles: SquareSet, from: Square) -> SquareSet {
    let targets = SquareSet::two_away(from);
    let near_obstacles = SquareSet::neighbors(from) & obstacles;
    // R11: the obstacles of Ataxx never block a jump.
    if variant == Variant::Ataxx || near_obstacles.is_empty() {
        return targets;
    }
    // R4: no jump over an obstacle. A knight's move has nothing between.
    let beyond = near_obstacles.iter().filter_map(|between| {
        let file = (2 * between.file()).checked_sub(from.file())?;
        let rank = (2 * between.rank()).checked_sub(from.rank())?;
        (file < 8 && rank < 8).then(|| Square::new(file, rank))
    });
    targets & !beyond.collect::<SquareSet>()
}

impl Position for Takeover {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let empty = self.empty();
        if empty.is_empty() {
            // R8 comes first. Only boards with other than five obstacles can
            // end in a tie.
            return Some(self.outcome_by_count());
        }
        match self.variant {
            // R9: no move is a loss, whatever the count.
            Variant::Standard if !self.can_move(self.mover, empty) => {
                return Some(Outcome::Win(!self.turn));
            }
            // R11: the end comes when a side has no piece or neither can move.
            Variant::Ataxx
                if self.mover.is_empty()
                    || self.other.is_empty()
                    || !self.can_move(self.mover | self.other, empty) =>
            {
                return Some(self.outcome_by_count());
            }
            _ => {}
        }
        (self.n_quiet_moves >= QUIET_MOVES_THAT_DRAW).then_some(Outcome::Draw)
    }

    fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        if self.is_cut_off() {
            return;
        }
        let empty = self.empty();
        let start = moves.len();
        let duplicates = self.mover.grown() & empty;
        moves.extend(duplicates.iter().map(|to| Move::Duplicate { to }));
        for from in self.mover {
            let targets = self.jumps(from) & empty;
            moves.extend(targets.iter().map(|to| Move::Jump { from, to }));
        }
        if moves.len() == start && self.may_pass(empty) {
            moves.push(Move::Pass);
        }
    }

    fn play_unchecked(&mut self, m: Move) {
        match m {
            Move::Duplicate { to } => {
                self.land(to);
                self.n_quiet_moves = 0;
            }
            Move::Jump { from, to } => {
                self.mover ^= from.into();
                self.land(to);
                self.n_quiet_moves += 1;
            }
            Move::Pass => self.n_quiet_moves += 1,
        }
        if self.turn == Player::Second {
            self.n_full_moves = self.n_full_moves.saturating_add(1);
        }
        self.turn = !self.turn;
        std::mem::swap(&mut self.mover, &mut self.other);
    }

    #[inline]
    fn key(&self) -> u64 {
        // A different constant for each part, so that no two parts cancel out.
        let rules = self.obstacles.0 ^ (self.variant as u64) << 63 ^ (self.turn as u64) << 62;
        mix(self.mover.0 ^ 0x9e37_79b9_7f4a_7c15)
            ^ mix(self.other.0 ^ 0xd1b5_4a32_d192_ed03)
            ^ mix(rules)
    }

    // Overridden for speed: a perft is mostly counting.
    fn n_legal_moves(&self) -> usize {
        self.count_moves()
    }

    fn n_legal_pairs(&self) -> u64 {
        self.count_replies()
    }
}

impl Game for Takeover {
    type Setup = Setup;

    const NAME: &'static str = "takeover";
    const RULES_VERSION: u32 = 1;

    fn fair_boards() -> Vec<u64> {
        fair::boards()
    }

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self::new(setup.variant, obstacles::draw(setup)))
    }

    fn option(&self, name: &str) -> Option<String> {
        let setup = Setup {
            variant: self.variant,
            ..Setup::default()
        };
        // The board number can't be derived from the obstacles.
        setup.value(name).filter(|_| name != "board")
    }
}
