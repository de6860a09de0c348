//! Takeover and Ataxx.

mod classic;

use std::sync::LazyLock;

use rules::{Player, Position, Random, Record};
use search::{AlphaBeta, Guide, Report, Tuning, Value};
use takeover::{Move, Square, SquareSet, Takeover, Variant};

use crate::{
    Bots, Level, Request,
    level::{self, Habits},
    network::{Hidden, Network},
};

/// How many hidden units the networks have.
pub const N_HIDDEN: usize = 64;
/// Own pieces, the other's, obstacles, each on up to 49 squares.
pub const N_INPUTS: usize = 3 * 49;
/// Networks have different outputs for the stages of a match.
pub const N_STAGES: usize = 4;

/// The input for a piece or an obstacle on `square`: `kind` is 0 for an own
/// piece, 1 for the other's, 2 for an obstacle.
#[inline]
#[must_use]
pub fn input(size: u8, kind: usize, square: Square) -> usize {
    kind * 49 + usize::from(square.rank() * size + square.file())
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
        N_INPUTS,
        N_STAGES,
    )
});
static ATAXX: LazyLock<Network<N_HIDDEN>> =
    LazyLock::new(|| Network::read(include_bytes!("takeover/ataxx.weights"), N_INPUTS, N_STAGES));

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
        let mut hidden = memo.clone();
        for player in Player::BOTH {
            let was = before.pieces(player);
            let is = after.pieces(player);
            for square in is & !was {
                let (first, second) = piece(size, player, square);
                hidden.add(network, first, second);
            }
            for square in was & !is {
                let (first, second) = piece(size, player, square);
                hidden.subtract(network, first, second);
            }
        }
        hidden
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
        let rank = |m: &Move| match *m {
            Move::Duplicate { to } => {
                let near = SquareSet::neighbors(to);
                100 + 100 * (near & other).len() as i32 + 10 * (near & own).len() as i32
            }
            Move::Jump { from, to } => {
                let near = SquareSet::neighbors(to);
                let left = SquareSet::neighbors(from);
                100 * (near & other).len() as i32 + 10 * (near & own).len() as i32
                    - 20 * (left & own).len() as i32
            }
            Move::Pass => 0,
        };
        ranks.extend(moves.iter().map(rank));
    }

    fn slot(&self, _: &Takeover, m: Move) -> usize {
        match m {
            Move::Duplicate { to } => to.index(),
            Move::Jump { from, to } => 64 + from.index() * 64 + to.index(),
            Move::Pass => 0,
        }
    }

    fn null_move(&self, position: &Takeover, memo: &Self::Memo) -> Option<(Takeover, Self::Memo)> {
        let empty = position.empty();
        (empty.len() > 8).then(|| (position.passed(), memo.clone()))
    }
}

impl Bots for Takeover {
    fn classic(position: &Self, random: &mut Random) -> Move {
        classic::choose(position, random)
    }

    fn search(
        position: &Self,
        played: &[u64],
        request: &Request<'_>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Option<Report<Move>> {
        let guide = TakeoverGuide;
        let search = AlphaBeta {
            n_threads: request.n_threads,
            n_lines: request.n_lines,
            ..AlphaBeta::new(&guide, request.table)
        };
        search.search(position, played, request.limits, request.stop, report)
    }

    fn at_level(
        record: &Record<Self>,
        level: Level,
        request: &Request<'_>,
        random: &mut Random,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Option<Move> {
        let habits = &LEVELS[level.index()];
        level::choose(record, habits, request, random, report)
    }
}

const LEVELS: [Habits; 8] = [
    Habits::seeing(1, 500).blurred(64, 600).blind(),
    Habits::seeing(1, 500).blurred(64, 250).blind(),
    Habits::seeing(2, 1_000).blurred(32, 100).careless(),
    Habits::seeing(2, 2_000).blurred(16, 60).careless(),
    Habits::seeing(3, 5_000).blurred(8, 40),
    Habits::seeing(5, 20_000),
    Habits::seeing(8, 60_000),
    Habits::seeing(99, 600_000),
];
