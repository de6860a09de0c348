//! Lilypads.

mod classic;
mod solved;

use lilypads::{Board, Lilypads, Move, N_CIRCLES};
use lilypads_solver::{levels::LOWEST_LEVEL, pips};
use rules::{Player, Position, Random};
use search::{Guide, Tuning, Value};

use self::solved::BoardSolving;
pub use self::solved::keep_solution;
use crate::{Beginner, Bots, Level, Solving};

/// Evaluation and move ranking of Lilypads on one board.
#[derive(Clone, Debug)]
pub struct LilypadsGuide {
    board: Board,
}

impl LilypadsGuide {
    /// The guide for the board with the given number.
    #[must_use]
    pub fn new(number: u64) -> Self {
        Self {
            board: Board::new(number),
        }
    }

    /// A player's progress; pips near the goal count more.
    fn standing(&self, position: &Lilypads, player: Player) -> i32 {
        const HELD: i32 = -60;
        let worth = |circle| {
            let pips = i32::from(self.board.pips(player, circle));
            200 / (pips + 1) - 10 * pips
        };
        let on_board: i32 = position.pieces(player).iter().map(worth).sum();
        on_board + HELD * position.n_held(player) as i32
    }
}

impl Guide<Lilypads> for LilypadsGuide {
    type Memo = ();

    const N_SLOTS: usize = N_CIRCLES * (N_CIRCLES + 1);

    const TUNING: Tuning = Tuning {
        late_move_reduction: 96,
        futility_margin: None,
        late_move_count: None,
        null_move_reduction: 0,
        singular_margin: None,
        least_table_depth: 1,
        poll: 512,
    };

    fn memo(&self, _: &Lilypads) {}

    fn evaluate(&self, position: &Lilypads, (): &()) -> Value {
        let turn = position.turn();
        if position.can_win(turn) {
            return Value::win_in(1);
        }
        Value::from_score(self.standing(position, turn) - self.standing(position, !turn) + 20)
    }

    fn rank_into(
        &self,
        position: &Lilypads,
        (): &(),
        moves: &[Move],
        _: i32,
        ranks: &mut Vec<i32>,
    ) {
        let turn = position.turn();
        let enemies = position.pieces(!turn);
        let pips = |circle| i32::from(self.board.pips(turn, circle));
        ranks.extend(moves.iter().map(|m| match *m {
            Move::Enter { .. } => 50,
            Move::Go { from, to } => {
                let capture = if enemies.contains(to) { 400 } else { 0 };
                capture + 60 * (pips(from) - pips(to))
            }
            Move::Pass => 0,
        }));
    }

    fn slot(&self, _: &Lilypads, m: Move) -> usize {
        match m {
            Move::Enter { to } => to.index(),
            Move::Go { from, to } => N_CIRCLES * (from.index() + 1) + to.index(),
            Move::Pass => 0,
        }
    }
}

impl Bots for Lilypads {
    fn classic(position: &Self, random: &mut Random) -> Move {
        classic::choose(position, &position.board(), random)
    }

    type Guide = LilypadsGuide;

    fn guide(position: &Self, _: usize) -> LilypadsGuide {
        LilypadsGuide::new(position.number())
    }

    fn beginner(_: &Self, level: Level) -> Option<&'static Beginner> {
        BEGINNERS.get(level.index())
    }

    fn greed(position: &Self, m: Move) -> i32 {
        pips::gain(&position.board(), position, m)
    }

    fn lead(position: &Self) -> i32 {
        let (board, turn) = (position.board(), position.turn());
        position.score(&board, !turn) - position.score(&board, turn)
    }

    fn solving(position: &Self) -> Option<Box<dyn Solving<Self>>> {
        Some(Box::new(BoardSolving::new(position.number())))
    }
}

/// The levels below those that use the solution.
static BEGINNERS: [Beginner; LOWEST_LEVEL as usize - 1] = [
    Beginner::new(20, 0, 0).rallying(2, 100),
    Beginner::new(70, 5, 38).seeing(4),
    Beginner::new(100, 44, 49).seeing(4),
    Beginner::new(100, 83, 52).seeing(4),
];
