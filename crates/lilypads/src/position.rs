use std::hash::{Hash, Hasher};

use rules::{ByPlayer, Game, MatchSetup, Outcome, Player, Position, SetupError, mix};

use crate::{Board, Circle, CircleSet, Graph, Move, ParsePositionError, Setup};

/// How many pieces each player has (R8).
pub const N_PIECES: usize = 3;

/// R17: what a held piece counts, and one on the opponent's start.
const HELD_SCORE: i32 = 10;
const GOAL_SCORE: i32 = -100;

/// A position of Lilypads.
///
/// It stores the edges of its board, since it needs them for every move, and the
/// board's number, which determines the rest. Two positions are equal if their texts
/// are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lilypads {
    number: u64,
    graph: Graph,
    pieces: ByPlayer<CircleSet>,
    turn: Player,
}

impl Lilypads {
    /// A new match on `board` (R8).
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self {
            number: board.number(),
            graph: *board.graph(),
            pieces: ByPlayer::default(),
            turn: Player::First,
        }
    }

    /// The position on `board` with pieces on these circles and `turn` to move.
    ///
    /// # Errors
    ///
    /// Returns [`ParsePositionError`] if no match can lead to it: too many pieces,
    /// two on a circle, or one on a start where it can't be.
    pub fn with_pieces(
        board: &Board,
        pieces: ByPlayer<CircleSet>,
        turn: Player,
    ) -> Result<Self, ParsePositionError> {
        Self::new(board).rearranged(pieces, turn)
    }

    /// The position on the same board with pieces on these circles and `turn` to move.
    ///
    /// # Errors
    ///
    /// As for [`with_pieces`](Self::with_pieces).
    pub fn rearranged(
        &self,
        pieces: ByPlayer<CircleSet>,
        turn: Player,
    ) -> Result<Self, ParsePositionError> {
        let has_too_many = |&player: &Player| pieces[player].len() > N_PIECES;
        if let Some(player) = Player::BOTH.into_iter().find(has_too_many) {
            return Err(ParsePositionError::TooManyPieces(player));
        }
        if let Some(circle) = (pieces.first & pieces.second).iter().next() {
            return Err(ParsePositionError::Crowded(circle));
        }
        check_starts(&self.graph, pieces, turn)?;
        Ok(Self {
            pieces,
            turn,
            ..*self
        })
    }

    /// The number of the board.
    #[inline]
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The whole board, made from its number.
    #[must_use]
    pub fn board(&self) -> Board {
        Board::new(self.number)
    }

    /// How the circles are joined.
    #[inline]
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The circles that `player` has pieces on.
    #[inline]
    #[must_use]
    pub fn pieces(&self, player: Player) -> CircleSet {
        self.pieces[player]
    }

    /// The number of pieces that `player` holds.
    #[inline]
    #[must_use]
    pub fn n_held(&self, player: Player) -> usize {
        N_PIECES - self.pieces[player].len()
    }

    /// The steps that the pieces of `player` still have to go on `board`, which must be
    /// this position's; a held piece counts 10 (R17).
    #[must_use]
    pub fn pips(&self, board: &Board, player: Player) -> i32 {
        let pieces = self.pieces[player].iter();
        let on_board: i32 = pieces.map(|at| i32::from(board.pips(player, at))).sum();
        HELD_SCORE * self.n_held(player) as i32 + on_board
    }

    /// R17: the score of `player` on `board`, which must be this position's: its
    /// [pips](Self::pips), and -100 at the goal. Lower is better.
    #[must_use]
    pub fn score(&self, board: &Board, player: Player) -> i32 {
        let goal = self.graph.start(!player);
        let has_won = self.pieces[player].contains(goal);
        self.pips(board, player) + if has_won { GOAL_SCORE } else { 0 }
    }

    /// Whether `player` could reach the opponent's start in one move, whoever is to
    /// move.
    #[inline]
    #[must_use]
    pub fn can_win(&self, player: Player) -> bool {
        let gate = self.graph.neighbors(self.graph.start(!player));
        let occupied = self.occupied();
        // By a step from the gate, or by a leap over a piece on it.
        let leapt = (gate & occupied).iter();
        let before = leapt.fold(gate, |before, over| before | self.graph.neighbors(over));
        !(before & self.pieces[player]).is_empty()
    }

    fn occupied(&self) -> CircleSet {
        self.pieces.first | self.pieces.second
    }

    /// The mover's own start, which nothing of the mover's may go to (R13).
    fn home(&self) -> CircleSet {
        self.graph.start(self.turn).into()
    }

    /// R9: the empty neighbors of the mover's start.
    fn entries(&self) -> CircleSet {
        if self.n_held(self.turn) == 0 {
            return CircleSet::EMPTY;
        }
        self.graph.neighbors(self.graph.start(self.turn)) - self.occupied()
    }

    /// R10, R11: to a neighbor that is empty or held by the opponent.
    fn steps(&self, from: Circle) -> CircleSet {
        self.graph.neighbors(from) - self.pieces[self.turn] - self.home()
    }

    /// R12: over one piece of either player to an empty circle beyond it.
    fn leaps(&self, from: Circle) -> CircleSet {
        let mut targets = CircleSet::EMPTY;
        for over in self.graph.neighbors(from) & self.occupied() {
            targets |= self.graph.neighbors(over);
        }
        targets - self.occupied() - self.home()
    }

    /// Everywhere that the mover's piece on `from` may go.
    fn targets(&self, from: Circle) -> CircleSet {
        self.steps(from) | self.leaps(from)
    }

    /// R15: the player with a piece on the opponent's start.
    #[inline]
    fn winner(&self) -> Option<Player> {
        let is_on_goal = |&player: &Player| self.pieces[player].contains(self.graph.start(!player));
        Player::BOTH.into_iter().find(is_on_goal)
    }

    #[inline]
    fn land(&mut self, to: Circle) {
        self.pieces[self.turn] |= to.into();
        // R11: a captured piece goes back to the holding.
        let other = &mut self.pieces[!self.turn];
        *other = *other - to.into();
    }
}

/// R13, R15: no piece stands on its own start, and a player with a piece on the
/// other's has just won.
fn check_starts(
    graph: &Graph,
    pieces: ByPlayer<CircleSet>,
    turn: Player,
) -> Result<(), ParsePositionError> {
    let stands = |player: Player, start: Player| pieces[player].contains(graph.start(start));
    if let Some(player) = Player::BOTH.into_iter().find(|&p| stands(p, p)) {
        return Err(ParsePositionError::OnOwnStart(player));
    }
    let winners: Vec<_> = Player::BOTH
        .into_iter()
        .filter(|&p| stands(p, !p))
        .collect();
    match winners[..] {
        [winner] if winner == turn => Err(ParsePositionError::WinnerToMove(winner)),
        [_, _] => Err(ParsePositionError::BothWon),
        _ => Ok(()),
    }
}

impl Hash for Lilypads {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.number, self.pieces, self.turn).hash(state);
    }
}

impl Position for Lilypads {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner().map(Outcome::Win)
    }

    fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        if self.winner().is_some() {
            return;
        }
        let start = moves.len();
        moves.extend(self.entries().iter().map(|to| Move::Enter { to }));
        for from in self.pieces[self.turn] {
            let targets = self.targets(from);
            moves.extend(targets.iter().map(|to| Move::Go { from, to }));
        }
        // R14.
        if moves.len() == start {
            moves.push(Move::Pass);
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        match m {
            Move::Enter { to } => self.land(to),
            Move::Go { from, to } => {
                let own = &mut self.pieces[self.turn];
                *own = *own - from.into();
                self.land(to);
            }
            Move::Pass => {}
        }
        self.turn = !self.turn;
    }

    #[inline]
    fn key(&self) -> u64 {
        let ByPlayer { first, second } = self.pieces;
        let turn = (self.turn as u64) << 63;
        let pieces = u64::from(first.bits()) << 32 | u64::from(second.bits());
        mix(pieces ^ turn ^ mix(self.number ^ 0x9e37_79b9_7f4a_7c15))
    }

    // Overridden for speed: a perft is mostly counting.
    fn n_legal_moves(&self) -> usize {
        if self.winner().is_some() {
            return 0;
        }
        let pieces = self.pieces[self.turn].iter();
        let n_moves =
            self.entries().len() + pieces.map(|from| self.targets(from).len()).sum::<usize>();
        n_moves.max(1)
    }
}

impl Game for Lilypads {
    type Setup = Setup;

    const NAME: &'static str = "lilypads";
    const RULES_VERSION: u32 = 1;
    const IS_SOLVED: bool = true;

    /// The list that `cargo xtask boards` writes.
    fn fair_boards() -> Vec<u64> {
        let lines = include_str!("fair-boards.txt").lines();
        lines.filter_map(|line| line.parse().ok()).collect()
    }

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self::new(&Board::new(setup.board)))
    }

    fn option(&self, name: &str) -> Option<String> {
        let board = self.number;
        Setup { board }.value(name)
    }
}
