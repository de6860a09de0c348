//! How promising moves look at first sight, by weights fitted to what the search chose.
//!
//! A move has features, such as "a jump that converts 3 pieces", each with a weight, and
//! its rank is their sum. All of them belong either to where the move goes or to where
//! it comes from, so the ranks of all moves are sums of a few numbers for each square.

use rules::Position;
use takeover::{Move, Square, SquareSet, Takeover, Variant};

/// The kinds of moves that count differently: duplications, jumps to a square beside
/// another own piece, and other jumps.
const N_KINDS: usize = 3;
const DUPLICATION: usize = 0;
const NEAR_JUMP: usize = 1;
const FAR_JUMP: usize = 2;

/// Numbers of neighbors, from none to 8.
const N_COUNTS: usize = 9;
/// Numbers of squares two steps away, from none to 16, and some to spare.
const N_FAR_COUNTS: usize = 20;
/// Squares by their distances from the two nearest edges; see [`place`].
const N_PLACES: usize = 16;
/// Numbers of empty squares, in eights.
const N_STAGES: usize = 8;

// Where the weights of each kind of feature begin. Those of the destination:
const CONVERTED: usize = 0;
const OWN_NEAR: usize = CONVERTED + N_KINDS * N_COUNTS;
const EMPTY_NEAR: usize = OWN_NEAR + N_KINDS * N_COUNTS;
const TO: usize = EMPTY_NEAR + N_KINDS * N_COUNTS;
const STAGE: usize = TO + N_PLACES;
const EMPTY_FAR: usize = STAGE + N_KINDS * N_STAGES;
// And of the square that a jump leaves:
const OWN_LEFT: usize = EMPTY_FAR + 2 * N_FAR_COUNTS;
const OTHER_LEFT: usize = OWN_LEFT + N_COUNTS;
const EMPTY_LEFT: usize = OTHER_LEFT + N_COUNTS;
const FROM: usize = EMPTY_LEFT + N_COUNTS;

/// The number of weights.
pub const N_WEIGHTS: usize = FROM + N_PLACES;

/// The weights of all features.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    weights: [i32; N_WEIGHTS],
    places: [u8; 64],
}

/// The ranks of all moves of a position.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    /// Of a duplication to each square, and of a jump.
    to: [[i32; 2]; 64],
    /// What jumping from each square adds.
    from: [i32; 64],
}

impl Ranking {
    /// Reads weights, which are whole numbers with spaces between them; `None` if
    /// their number is wrong.
    pub(super) fn read(variant: Variant, text: &str) -> Option<Self> {
        let mut weights = [0; N_WEIGHTS];
        let mut numbers = text.split_ascii_whitespace();
        for weight in &mut weights {
            *weight = numbers.next()?.parse().ok()?;
        }
        let mut places = [0; 64];
        for square in variant.board() {
            places[square.index()] = place(variant, square) as u8;
        }
        numbers.next().is_none().then_some(Self { weights, places })
    }

    /// The ranks of all moves of a position.
    #[inline]
    pub(super) fn ranks(&self, position: &Takeover) -> Ranks {
        let sides = Sides::of(position);
        let beside_own = sides.own.grown();
        let mut ranks = Ranks {
            to: [[0; 2]; 64],
            from: [0; 64],
        };
        let sum = |features: &[usize]| -> i32 { features.iter().map(|&n| self.weights[n]).sum() };
        for to in sides.empty {
            let place = usize::from(self.places[to.index()]);
            let jump = if beside_own.contains(to) {
                NEAR_JUMP
            } else {
                FAR_JUMP
            };
            let arrival = sides.arrival(position, to);
            ranks.to[to.index()] =
                [DUPLICATION, jump].map(|kind| sum(&arrival.features(kind, place)));
        }
        for from in sides.own {
            let place = usize::from(self.places[from.index()]);
            ranks.from[from.index()] = sum(&sides.departure(from, place));
        }
        ranks
    }
}

impl Ranks {
    #[inline]
    pub(super) fn rank(&self, m: Move) -> i32 {
        match m {
            Move::Duplicate { to } => self.to[to.index()][0],
            Move::Jump { from, to } => self.to[to.index()][1] + self.from[from.index()],
            Move::Pass => 0,
        }
    }

    /// Of `squares`, the best to jump from.
    #[inline]
    pub(super) fn best_from(&self, squares: SquareSet) -> Option<Square> {
        squares
            .into_iter()
            .max_by_key(|from| self.from[from.index()])
    }
}

/// The features of a move, by the numbers of their weights.
#[must_use]
pub fn features(position: &Takeover, m: Move) -> Vec<usize> {
    let sides = Sides::of(position);
    let place = |square| place(position.variant(), square);
    match m {
        Move::Duplicate { to } => {
            let arrival = sides.arrival(position, to);
            arrival.features(DUPLICATION, place(to)).to_vec()
        }
        Move::Jump { from, to } => {
            let is_near = sides.own.grown().contains(to);
            let kind = if is_near { NEAR_JUMP } else { FAR_JUMP };
            let mut features = sides
                .arrival(position, to)
                .features(kind, place(to))
                .to_vec();
            features.extend(sides.departure(from, place(from)));
            features
        }
        Move::Pass => Vec::new(),
    }
}

/// The squares of a position as its mover sees them.
struct Sides {
    own: SquareSet,
    other: SquareSet,
    empty: SquareSet,
}

/// What is around a square that a move goes to.
struct Arrival {
    n_converted: usize,
    n_own: usize,
    n_empty: usize,
    n_empty_far: usize,
    stage: usize,
}

impl Sides {
    #[inline]
    fn of(position: &Takeover) -> Self {
        Self {
            own: position.pieces(position.turn()),
            other: position.pieces(!position.turn()),
            empty: position.empty(),
        }
    }

    #[inline]
    fn arrival(&self, position: &Takeover, to: Square) -> Arrival {
        let near = SquareSet::neighbors(to);
        Arrival {
            n_converted: count(near & self.other),
            n_own: count(near & self.own),
            n_empty: count(near & self.empty),
            n_empty_far: count(position.jumps(to) & self.empty),
            stage: count(self.empty) / 8,
        }
    }

    /// The features of leaving `from`.
    #[inline]
    fn departure(&self, from: Square, place: usize) -> [usize; 4] {
        let near = SquareSet::neighbors(from);
        [
            OWN_LEFT + count(near & self.own),
            OTHER_LEFT + count(near & self.other),
            EMPTY_LEFT + count(near & self.empty),
            FROM + place,
        ]
    }
}

impl Arrival {
    /// The features of a move of this kind that goes here.
    #[inline]
    fn features(&self, kind: usize, place: usize) -> [usize; 6] {
        [
            CONVERTED + kind * N_COUNTS + self.n_converted,
            OWN_NEAR + kind * N_COUNTS + self.n_own,
            EMPTY_NEAR + kind * N_COUNTS + self.n_empty,
            TO + place,
            STAGE + kind * N_STAGES + self.stage,
            EMPTY_FAR + usize::from(kind != DUPLICATION) * N_FAR_COUNTS + self.n_empty_far,
        ]
    }
}

#[inline]
fn count(squares: SquareSet) -> usize {
    squares.len() as usize
}

/// The number of a square and all that mirror it: its distances from the nearest
/// edges, the smaller first.
fn place(variant: Variant, square: Square) -> usize {
    let fold = |n: u8| usize::from(n.min(variant.size() - 1 - n));
    let (one, other) = (fold(square.file()), fold(square.rank()));
    4 * one.min(other) + one.max(other)
}

#[cfg(test)]
mod tests {
    use rules::{Game, Position, Random};
    use takeover::{Setup, Takeover, Variant};

    use super::{N_WEIGHTS, Ranking, features};

    #[test]
    fn ranks_are_the_sums_of_the_features_weights() {
        let weights: Vec<String> = (0..N_WEIGHTS as i32)
            .map(|n| (n * 7919 % 1000).to_string())
            .collect();
        for variant in [Variant::Standard, Variant::Ataxx] {
            let ranking = Ranking::read(variant, &weights.join(" ")).expect("all weights");
            let mut random = Random::new(3);
            for board in 0..20 {
                let setup = Setup { variant, board };
                let mut position = Takeover::start(&setup).expect("a start");
                while let Some(&m) = random.pick(&position.legal_moves()) {
                    let ranks = ranking.ranks(&position);
                    for m in position.legal_moves() {
                        let weights = features(&position, m).into_iter();
                        let expected: i32 = weights.map(|n| ranking.weights[n]).sum();
                        assert_eq!(ranks.rank(m), expected, "{m} in {position}");
                    }
                    position.play_unchecked(m);
                }
            }
        }
    }

    #[test]
    fn the_number_of_weights_is_checked() {
        assert!(Ranking::read(Variant::Ataxx, "1 2 3").is_none());
        assert!(Ranking::read(Variant::Ataxx, &"1 ".repeat(N_WEIGHTS + 1)).is_none());
        assert!(Ranking::read(Variant::Ataxx, &"1 ".repeat(N_WEIGHTS)).is_some());
    }
}
