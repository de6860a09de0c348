//! Takeover and Ataxx.

mod classic;
mod nearby;
mod network;
mod processor;
mod ranking;

use std::sync::LazyLock;

use rules::{Position, Random};
use search::{Guide, Tuning, Value};
use takeover::{Move, Square, SquareSet, Takeover, Variant};

pub use self::{
    network::Hidden,
    ranking::{N_WEIGHTS as N_RANK_WEIGHTS, features},
};
use crate::{
    Beginner, Bots, Level,
    level::Habits,
    takeover::{nearby::Nearby, network::Network, ranking::Ranking},
};

/// The number of hidden units of the networks.
pub const N_HIDDEN: usize = 128;

static STANDARD: LazyLock<Network<N_HIDDEN>> = LazyLock::new(|| {
    built_in(
        Variant::Standard,
        include_bytes!("takeover/standard.weights"),
    )
});
static ATAXX: LazyLock<Network<N_HIDDEN>> =
    LazyLock::new(|| built_in(Variant::Ataxx, include_bytes!("takeover/ataxx.weights")));

/// For Takeover, what counts is how many pieces a move converts; fitted weights were no
/// better there.
static ATAXX_RANKING: LazyLock<Ranking> = LazyLock::new(|| {
    let text = include_str!("takeover/ataxx.ranks");
    Ranking::read(Variant::Ataxx, text).expect("the built-in ranks are complete")
});

fn built_in(variant: Variant, bytes: &[u8]) -> Network<N_HIDDEN> {
    Network::read(variant, bytes).expect("the built-in weights are complete")
}

/// Evaluation and move ranking of Takeover or Ataxx; a guide is for one of them.
#[derive(Clone, Copy, Debug)]
pub struct TakeoverGuide {
    network: &'static Network<N_HIDDEN>,
}

impl TakeoverGuide {
    /// The guide with the built-in weights.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        let network = match variant {
            Variant::Standard => &STANDARD,
            Variant::Ataxx => &ATAXX,
        };
        Self { network }
    }

    /// A guide with the given weights, which are leaked; `None` if their number is
    /// wrong.
    #[must_use]
    pub fn with_weights(variant: Variant, weights: &[u8]) -> Option<Self> {
        let network = Network::read(variant, weights)?;
        Some(Self {
            network: Box::leak(Box::new(network)),
        })
    }
}

impl Guide<Takeover> for TakeoverGuide {
    type Memo = Hidden<N_HIDDEN>;

    const N_SLOTS: usize = 64 * 65;

    const N_PLACES: usize = 64;

    const TUNING: Tuning = Tuning {
        late_move_reduction: 128,
        futility_margin: Some(80),
        late_move_count: Some(2),
        null_move_reduction: 2,
        singular_margin: Some(2),
        least_table_depth: 2,
        poll: 1024,
    };

    fn tuning(&self) -> Tuning {
        match self.network.variant() {
            Variant::Standard => Self::TUNING,
            Variant::Ataxx => Tuning {
                futility_margin: Some(55),
                ..Self::TUNING
            },
        }
    }

    fn memo(&self, position: &Takeover) -> Self::Memo {
        self.network.hidden(position)
    }

    fn memo_after(
        &self,
        memo: &Self::Memo,
        before: &Takeover,
        _: Move,
        after: &Takeover,
    ) -> Self::Memo {
        self.network.updated(memo, before, after)
    }

    fn evaluate(&self, position: &Takeover, memo: &Self::Memo) -> Value {
        Value::from_score(self.network.score(memo, position))
    }

    fn rank_into(
        &self,
        position: &Takeover,
        _: &Self::Memo,
        moves: &[Move],
        _: i32,
        ranks: &mut Vec<i32>,
    ) {
        if position.variant() == Variant::Ataxx {
            let all = ATAXX_RANKING.ranks(position);
            ranks.extend(moves.iter().map(|&m| all.rank(m)));
            return;
        }
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
        if position.variant() == Variant::Ataxx {
            let ranks = ATAXX_RANKING.ranks(position);
            let mut best = Best::default();
            for to in empty {
                if near.contains(to) {
                    let m = Move::Duplicate { to };
                    best.add(n, ranks.rank(m), m);
                }
                if let Some(from) = ranks.best_from(position.jumps(to) & own) {
                    let m = Move::Jump { from, to };
                    best.add(n, ranks.rank(m), m);
                }
            }
            best.append_to(n, moves);
            return;
        }
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
        // A jump to a square beside an own piece is dominated by the duplication, so
        // it is skipped.
        let mut far = empty & !near;
        while let Some(to) = turned.most(far).iter().next() {
            far ^= to.into();
            let n_turned = (SquareSet::neighbors(to) & other).len();
            if !best.has_room(n, jump_rank(n_turned, 0)) {
                break;
            }
            // From the piece that leaves the fewest neighbors exposed.
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
        best.append_to(n, moves);
    }

    fn slot(&self, _: &Takeover, m: Move) -> usize {
        match m {
            Move::Duplicate { to } => to.index(),
            Move::Jump { from, to } => 64 + from.index() * 64 + to.index(),
            Move::Pass => 0,
        }
    }

    fn place(&self, m: Move) -> usize {
        match m {
            Move::Duplicate { to } | Move::Jump { to, .. } => to.index(),
            Move::Pass => 0,
        }
    }

    fn may_repeat(&self, position: &Takeover) -> bool {
        // A duplication can't be undone. To repeat a position, each player has to
        // jump away and back, or one does while the other passes: four moves.
        position.n_quiet_moves() >= 4
    }

    fn null_move(&self, position: &Takeover, memo: &Self::Memo) -> Option<(Takeover, Self::Memo)> {
        let empty = position.empty();
        (empty.len() > 8).then(|| (position.passed(), memo.clone()))
    }
}

/// The rank of a duplication to a square with this many neighbors of the opponent's
/// and own.
fn duplicate_rank(n_turned: u32, n_own: u32) -> i32 {
    100 + 100 * n_turned as i32 + 10 * n_own as i32
}

/// The rank of a jump to a square without own neighbors, from a square with
/// `n_left`.
fn jump_rank(n_turned: u32, n_left: u32) -> i32 {
    100 * n_turned as i32 - 20 * n_left as i32
}

/// The rank of a jump to a square beside an own piece: a duplication there converts
/// as many and leaves no hole.
const NEEDLESS_JUMP: i32 = -1000;

/// The few moves with the highest ranks, best first.
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

    /// Appends the best `n`, or as many as there are.
    fn append_to(&self, n: usize, moves: &mut Vec<Move>) {
        moves.extend(self.moves.iter().take(n).filter_map(|&(_, m)| m));
    }

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

    fn guide(position: &Self, _: usize) -> TakeoverGuide {
        TakeoverGuide::new(position.variant())
    }

    fn beginner(level: Level) -> Option<&'static Beginner> {
        BEGINNERS.get(level.index())
    }

    fn greed(position: &Self, m: Move) -> i32 {
        // The difference in pieces.
        let turn = position.turn();
        let after = position.after(m);
        after.pieces(turn).len() as i32 - after.pieces(!turn).len() as i32
    }

    fn habits(position: &Self, level: Level) -> Option<&'static Habits> {
        let levels = match position.variant() {
            Variant::Standard => &LEVELS,
            Variant::Ataxx => &ATAXX_LEVELS,
        };
        levels.get(level.index().checked_sub(BEGINNERS.len())?)
    }
}

/// The levels below those that search.
static BEGINNERS: [Beginner; 3] = [
    Beginner::new(75, 10, 3),
    Beginner::new(70, 10, 62),
    Beginner::new(100, 90, 67),
];

static LEVELS: [Habits; 5] = [
    Habits::seeing(1, 500).blurred(64, 450).careless(),
    Habits::seeing(2, 1_000).blurred(32, 260),
    Habits::seeing(3, 5_000).blurred(8, 60),
    Habits::seeing(6, 30_000),
    Habits::seeing(99, 300_000),
];

static ATAXX_LEVELS: [Habits; 5] = [
    Habits::seeing(1, 500).blurred(64, 300).careless(),
    Habits::seeing(2, 1_000).blurred(32, 170),
    Habits::seeing(3, 3_000).blurred(12, 110),
    Habits::seeing(4, 10_000),
    Habits::seeing(99, 300_000),
];
