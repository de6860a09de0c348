//! Takeover and Ataxx.

mod classic;
mod nearby;

use std::sync::LazyLock;

use rules::{Player, Position, Random};
use search::{Guide, Tuning, Value};
use takeover::{Move, Square, SquareSet, Takeover, Variant};

use crate::{
    Bots, Level,
    level::Habits,
    network::{Hidden, Network},
    takeover::nearby::Nearby,
};

/// How many hidden units the networks have.
pub const N_HIDDEN: usize = 64;
/// The squares of the larger board.
const N_SQUARES: usize = 49;
/// Own pieces, the other's and obstacles on each square.
pub const N_INPUTS: usize = 3 * N_SQUARES;
/// Networks have different outputs for the stages of a match.
pub const N_STAGES: usize = 4;

/// The input for a piece or an obstacle on `square`: `kind` is 0 for an own
/// piece, 1 for the other's, 2 for an obstacle.
#[inline]
#[must_use]
pub fn input(size: u8, kind: usize, square: Square) -> usize {
    kind * N_SQUARES + usize::from(square.rank() * size + square.file())
}

/// How far a match is, by how many squares are taken.
#[inline]
#[must_use]
pub fn stage(size: u8, n_taken: u32) -> usize {
    let n_squares = u32::from(size) * u32::from(size);
    (n_taken * N_STAGES as u32 / (n_squares + 1)) as usize
}

/// The inputs for a piece of `player` on `square` in the views of both players.
#[inline]
fn piece(size: u8, player: Player, square: Square) -> (usize, usize) {
    let own = input(size, 0, square);
    let other = input(size, 1, square);
    match player {
        Player::First => (own, other),
        Player::Second => (other, own),
    }
}

static STANDARD: LazyLock<Network<N_HIDDEN>> = LazyLock::new(|| {
    Network::read(
        include_bytes!("takeover/standard.weights"),
        N_SQUARES,
        N_STAGES,
    )
});
static ATAXX: LazyLock<Network<N_HIDDEN>> = LazyLock::new(|| {
    Network::read(
        include_bytes!("takeover/ataxx.weights"),
        N_SQUARES,
        N_STAGES,
    )
});

/// What search knows of Takeover.
#[derive(Clone, Copy, Debug, Default)]
pub struct TakeoverGuide;

fn network(position: &Takeover) -> &'static Network<N_HIDDEN> {
    match position.variant() {
        Variant::Standard => &STANDARD,
        Variant::Ataxx => &ATAXX,
    }
}

impl Guide<Takeover> for TakeoverGuide {
    type Memo = Hidden<N_HIDDEN>;

    const N_SLOTS: usize = 64 * 65;

    const TUNING: Tuning = Tuning {
        reduction: 128,
        margin: Some(120),
        width: Some(2),
        null_reduction: 2,
        least_remembered: 2,
        poll: 1024,
    };

    fn memo(&self, position: &Takeover) -> Self::Memo {
        let network = network(position);
        let size = position.variant().size();
        let mut hidden = network.hidden();
        for square in position.obstacles() {
            let obstacle = input(size, 2, square);
            hidden.add(network, obstacle, obstacle);
        }
        for player in Player::BOTH {
            for square in position.pieces(player) {
                let (first, second) = piece(size, player, square);
                hidden.add(network, first, second);
            }
        }
        hidden
    }

    fn memo_after(
        &self,
        memo: &Self::Memo,
        before: &Takeover,
        _: Move,
        after: &Takeover,
    ) -> Self::Memo {
        let network = network(before);
        let size = before.variant().size();
        let mover = before.turn();
        let (was, is) = (before.pieces(mover), after.pieces(mover));
        let turned = is & before.pieces(!mover);
        let own = |square| input(size, 0, square);
        let on = (is & !was & !turned).iter().next().map(own);
        let off = (was & !is).iter().next().map(own);
        memo.after_move(network, mover, turned.iter().map(own), on, off)
    }

    fn evaluate(&self, position: &Takeover, memo: &Self::Memo) -> Value {
        let size = position.variant().size();
        let n_taken = u32::from(size * size) - position.empty().len();
        let stage = stage(size, n_taken);
        Value::from_score(network(position).score(memo, position.turn(), stage))
    }

    fn rank_into(
        &self,
        position: &Takeover,
        _: &Self::Memo,
        moves: &[Move],
        _: i32,
        ranks: &mut Vec<i32>,
    ) {
        let other = position.pieces(!position.turn());
        let own = position.pieces(position.turn());
        let beside_own = own.grown();
        let rank = |m: &Move| match *m {
            Move::Duplicate { to } => {
                let near = SquareSet::neighbors(to);
                duplicate_rank((near & other).len(), (near & own).len())
            }
            Move::Jump { to, .. } if beside_own.contains(to) => NEEDLESS_JUMP,
            Move::Jump { from, to } => {
                let near = SquareSet::neighbors(to);
                let left = SquareSet::neighbors(from);
                jump_rank((near & other).len(), (left & own).len())
            }
            Move::Pass => 0,
        };
        ranks.extend(moves.iter().map(rank));
    }

    fn few_into(&self, position: &Takeover, _: &Self::Memo, n: usize, moves: &mut Vec<Move>) {
        let own = position.pieces(position.turn());
        let other = position.pieces(!position.turn());
        let empty = position.empty();
        let near = own.grown() & empty;
        let (turned, beside) = (Nearby::count(other), Nearby::count(own));
        let mut best = Best::default();
        let mut left = near;
        for _ in 0..n {
            let Some(to) = beside.most(turned.most(left)).iter().next() else {
                break;
            };
            left ^= to.into();
            let around = SquareSet::neighbors(to);
            let rank = duplicate_rank((around & other).len(), (around & own).len());
            best.add(n, rank, Move::Duplicate { to });
        }
        // A jump to a square beside an own piece is needless, so only others are tried.
        let mut far = empty & !near;
        while let Some(to) = turned.most(far).iter().next() {
            far ^= to.into();
            let n_turned = (SquareSet::neighbors(to) & other).len();
            if !best.has_room(n, jump_rank(n_turned, 0)) {
                break;
            }
            // The piece that leaves the fewest beside it.
            let from = position.jumps(to) & own;
            let n_left = |from: Square| (SquareSet::neighbors(from) & own).len();
            if let Some(from) = from.into_iter().min_by_key(|&from| n_left(from)) {
                best.add(
                    n,
                    jump_rank(n_turned, n_left(from)),
                    Move::Jump { from, to },
                );
            }
        }
        moves.extend(best.moves.iter().take(n).filter_map(|&(_, m)| m));
    }

    fn slot(&self, _: &Takeover, m: Move) -> usize {
        match m {
            Move::Duplicate { to } => to.index(),
            Move::Jump { from, to } => 64 + from.index() * 64 + to.index(),
            Move::Pass => 0,
        }
    }

    fn may_repeat(&self, position: &Takeover) -> bool {
        // A duplication can't be undone, and to be where it was each player has to jump
        // away and back, or one does while the other passes: four moves.
        position.n_quiet_moves() >= 4
    }

    fn null_move(&self, position: &Takeover, memo: &Self::Memo) -> Option<(Takeover, Self::Memo)> {
        let empty = position.empty();
        (empty.len() > 8).then(|| (position.passed(), memo.clone()))
    }
}

/// How promising it looks to duplicate to a square beside so many pieces of the
/// other and so many own.
fn duplicate_rank(n_turned: u32, n_own: u32) -> i32 {
    100 + 100 * n_turned as i32 + 10 * n_own as i32
}

/// The same for a jump to where no own piece is near, from a square beside so many.
fn jump_rank(n_turned: u32, n_left: u32) -> i32 {
    100 * n_turned as i32 - 20 * n_left as i32
}

/// The rank of a jump to a square beside an own piece: to duplicate there turns as
/// many and leaves no hole.
const NEEDLESS_JUMP: i32 = -1000;

/// A few moves that rank highest, the best first.
#[derive(Clone, Copy, Debug)]
struct Best {
    moves: [(i32, Option<Move>); Self::MOST],
}

impl Default for Best {
    fn default() -> Self {
        Self {
            moves: [(i32::MIN, None); Self::MOST],
        }
    }
}

impl Best {
    const MOST: usize = 4;

    /// Whether a move with this rank is among the best `n`.
    fn has_room(&self, n: usize, rank: i32) -> bool {
        rank > self.moves[n.clamp(1, Self::MOST) - 1].0
    }

    fn add(&mut self, n: usize, rank: i32, m: Move) {
        if !self.has_room(n, rank) {
            return;
        }
        let mut index = n.clamp(1, Self::MOST) - 1;
        while index > 0 && self.moves[index - 1].0 < rank {
            self.moves[index] = self.moves[index - 1];
            index -= 1;
        }
        self.moves[index] = (rank, Some(m));
    }
}

impl Bots for Takeover {
    fn classic(position: &Self, random: &mut Random) -> Move {
        classic::choose(position, random)
    }

    type Guide = TakeoverGuide;

    fn guide(_: &Self, _: usize) -> TakeoverGuide {
        TakeoverGuide
    }

    fn habits(level: Level) -> Option<&'static Habits> {
        Some(&LEVELS[level.index()])
    }
}

static LEVELS: [Habits; 8] = [
    Habits::seeing(1, 500).blurred(64, 600).blind(),
    Habits::seeing(1, 500).blurred(64, 250).blind(),
    Habits::seeing(2, 1_000).blurred(32, 100).careless(),
    Habits::seeing(2, 2_000).blurred(16, 60).careless(),
    Habits::seeing(3, 5_000).blurred(8, 40),
    Habits::seeing(5, 20_000),
    Habits::seeing(8, 60_000),
    Habits::seeing(99, 600_000),
];
