//! Takeover and Ataxx.

mod classic;
mod nearby;
mod network;
mod processor;
mod ranking;
mod small;

use std::sync::{LazyLock, OnceLock};

use rules::{Player, Position, Random};
use search::{Guide, Tuning, Value};
use takeover::{Move, Square, SquareSet, Takeover, Variant};

pub use self::{
    network::Hidden,
    ranking::{N_WEIGHTS as N_RANK_WEIGHTS, features},
};
use crate::{
    Beginner, Bots, Level, WeightFile,
    level::Habits,
    takeover::{nearby::Nearby, network::Network, ranking::Ranking},
};

/// The number of hidden units of the networks.
pub const N_HIDDEN: usize = 128;

/// The networks of Takeover and Ataxx, once they are there.
static NETWORKS: [OnceLock<Network<N_HIDDEN>>; 2] = [OnceLock::new(), OnceLock::new()];

static STANDARD_FILE: WeightFile = WeightFile::new("takeover", stamps::STANDARD, |content| {
    load(Variant::Standard, content)
});
static ATAXX_FILE: WeightFile = WeightFile::new("ataxx", stamps::ATAXX, |content| {
    load(Variant::Ataxx, content)
});

/// Sizes and checksums.
mod stamps {
    use crate::weights::Stamp;

    include!(concat!(env!("OUT_DIR"), "/stamps.rs"));
}

/// For Takeover, what counts is how many pieces a move converts; fitted weights were no
/// better there.
static ATAXX_RANKING: LazyLock<Ranking> = LazyLock::new(|| {
    let text = include_str!("takeover/ataxx.ranks");
    Ranking::read(Variant::Ataxx, text).expect("the built-in ranks are complete")
});

/// The weights that are part of the program.
#[cfg(feature = "weights")]
fn built_in(variant: Variant) -> Option<&'static [u8]> {
    Some(match variant {
        Variant::Standard => include_bytes!("takeover/takeover.weights"),
        Variant::Ataxx => include_bytes!("takeover/ataxx.weights"),
    })
}

/// The weights that are part of the program: none.
#[cfg(not(feature = "weights"))]
fn built_in(_: Variant) -> Option<&'static [u8]> {
    None
}

/// The network of a variant, if its weights are part of the program or were loaded.
fn network(variant: Variant) -> Option<&'static Network<N_HIDDEN>> {
    let network = &NETWORKS[variant as usize];
    network.get().or_else(|| {
        let is_whole = load(variant, built_in(variant)?);
        assert!(is_whole, "the built-in weights are complete");
        network.get()
    })
}

/// Reads the weights of a variant; false if their number is wrong.
fn load(variant: Variant, content: &[u8]) -> bool {
    let Some(read) = Network::read(variant, content) else {
        return false;
    };
    // The first one stays, and is the same.
    NETWORKS[variant as usize].set(read).ok();
    true
}

/// Evaluation and move ranking of Takeover or Ataxx; a guide is for one of them.
#[derive(Clone, Copy, Debug)]
pub struct TakeoverGuide {
    variant: Variant,
    /// Without it, pieces are counted.
    network: Option<&'static Network<N_HIDDEN>>,
}

impl TakeoverGuide {
    /// The guide with the weights of the program, or those that were loaded; else the
    /// [small](Self::small) one.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        Self {
            variant,
            network: network(variant),
        }
    }

    /// The guide without a network, which counts pieces.
    #[must_use]
    pub fn small(variant: Variant) -> Self {
        Self {
            variant,
            network: None,
        }
    }

    /// A guide with the given weights, which are leaked; `None` if their number is
    /// wrong.
    #[must_use]
    pub fn with_weights(variant: Variant, weights: &[u8]) -> Option<Self> {
        let network = Network::read(variant, weights)?;
        Some(Self {
            variant,
            network: Some(Box::leak(Box::new(network))),
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
        match self.variant {
            Variant::Standard => Self::TUNING,
            Variant::Ataxx => Tuning {
                futility_margin: Some(55),
                ..Self::TUNING
            },
        }
    }

    fn memo(&self, position: &Takeover) -> Self::Memo {
        match self.network {
            Some(network) => network.hidden(position),
            None => Hidden::EMPTY,
        }
    }

    fn memo_after(
        &self,
        memo: &Self::Memo,
        before: &Takeover,
        _: Move,
        after: &Takeover,
    ) -> Self::Memo {
        match self.network {
            Some(network) => network.updated(memo, before, after),
            None => Hidden::EMPTY,
        }
    }

    fn evaluate(&self, position: &Takeover, memo: &Self::Memo) -> Value {
        Value::from_score(match self.network {
            Some(network) => network.score(memo, position),
            None => small::score(position),
        })
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

    fn weights(position: &Self) -> Option<&'static WeightFile> {
        Some(match position.variant() {
            Variant::Standard => &STANDARD_FILE,
            Variant::Ataxx => &ATAXX_FILE,
        })
    }

    fn small_guide(position: &Self, _: usize) -> TakeoverGuide {
        TakeoverGuide::small(position.variant())
    }

    fn beginner(position: &Self, level: Level) -> Option<&'static Beginner> {
        beginners(position.variant()).get(level.index())
    }

    fn greed(position: &Self, m: Move) -> i32 {
        let turn = position.turn();
        difference(&position.after(m), turn)
    }

    fn lead(position: &Self) -> i32 {
        difference(position, position.turn())
    }

    fn habits(position: &Self, level: Level) -> Option<&'static Habits> {
        let variant = position.variant();
        let levels: &[Habits] = match variant {
            Variant::Standard => &LEVELS,
            Variant::Ataxx => &ATAXX_LEVELS,
        };
        levels.get(level.index().checked_sub(beginners(variant).len())?)
    }
}

fn beginners(variant: Variant) -> &'static [Beginner] {
    match variant {
        Variant::Standard => &BEGINNERS,
        Variant::Ataxx => &ATAXX_BEGINNERS,
    }
}

/// The number of pieces of `player` less that of the opponent.
fn difference(position: &Takeover, player: Player) -> i32 {
    position.pieces(player).len() as i32 - position.pieces(!player).len() as i32
}

/// The levels below those that search.
static BEGINNERS: [Beginner; 3] = [
    Beginner::new(75, 5, 2).rallying(8, 80),
    Beginner::new(70, 10, 19).seeing(4),
    Beginner::new(100, 91, 45).seeing(4),
];

static ATAXX_BEGINNERS: [Beginner; 3] = [
    Beginner::new(75, 5, 2).rallying(8, 100),
    Beginner::new(70, 10, 35).seeing(4),
    Beginner::new(100, 93, 47).seeing(5),
];

static LEVELS: [Habits; Level::TOP as usize - 3] = [
    Habits::seeing(1, 500).blurred(64, 1_400),
    Habits::seeing(2, 1_000).blurred(32, 990),
    Habits::seeing(2, 1_000).blurred(32, 560),
    Habits::seeing(3, 5_000).blurred(24, 435),
    Habits::seeing(99, 285),
    Habits::seeing(99, 3_000),
    Habits::seeing(99, 300_000),
];

static ATAXX_LEVELS: [Habits; Level::TOP as usize - 3] = [
    Habits::seeing(1, 500).blurred(64, 1_320),
    Habits::seeing(2, 1_000).blurred(32, 650),
    Habits::seeing(2, 1_000).blurred(32, 390),
    Habits::seeing(3, 3_000).blurred(24, 310),
    Habits::seeing(3, 3_000).blurred(24, 155),
    Habits::seeing(8, 4_000),
    Habits::seeing(99, 300_000),
];
