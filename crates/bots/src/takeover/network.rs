//! The evaluation of Takeover and Ataxx: an efficiently updatable neural network
//! (NNUE) over 2 × 2 patterns, with one hidden layer that is updated move by move.
//!
//! Every 2 × 2 window of the board shows one pattern, and every pattern of every
//! window is an input with a row of weights, one for each hidden unit. Each player
//! has a view of the hidden layer, with own and opponent's pieces exchanged. Both
//! views, the mover's first, are clipped, squared and summed with weights that
//! depend on the stage of the match. All of it is integer arithmetic, so the score
//! is the same on every platform.

use rules::{ByPlayer, Player, Position};
use takeover::{SquareSet, Takeover, Variant};

use super::processor::{Kernel, Processor};

/// The upper bound of a hidden unit: 1 in training.
const ONE_HIDDEN: i16 = 255;
/// An output weight of 1.
const ONE_OUTPUT: i64 = 64;
/// The score for an output of 1, which means odds of e to 1.
const SCORE: i64 = 400;
/// A score of 1 in the units of the output sum.
const ONE_SCORE: i64 = ONE_OUTPUT * ONE_HIDDEN as i64 * ONE_HIDDEN as i64 / SCORE;

/// The output weights depend on the stage of a match.
pub(super) const N_STAGES: usize = 8;

/// A network with `H` hidden units.
#[derive(Clone, Debug)]
pub(super) struct Network<const H: usize> {
    shape: Shape,
    /// The rows of every window in turn, a window being on its lower left square of
    /// the 8 × 8 grid; then those of the obstacles, if they have any.
    rows: Box<[[i8; H]]>,
    hidden_bias: [i16; H],
    outputs: Box<[Output<H>]>,
    /// The stage for each number of empty squares.
    stages: [u8; 64],
    processor: Processor,
}

/// The output weights of a stage.
#[derive(Clone, Debug)]
struct Output<const H: usize> {
    mover: [i16; H],
    other: [i16; H],
    bias: i32,
}

/// The accumulator: the hidden layer before clipping, in each player's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hidden<const H: usize>(ByPlayer<[i16; H]>);

impl<const H: usize> Hidden<H> {
    /// The accumulator of a guide without a network.
    pub(super) const EMPTY: Self = Self(ByPlayer {
        first: [0; H],
        second: [0; H],
    });
}

/// The inputs of a network.
#[derive(Clone, Copy, Debug)]
struct Shape {
    variant: Variant,
    /// The lower left squares of all windows.
    origins: u64,
    n_patterns: usize,
    /// The number of each pattern, from the four bits of the own pieces and the four
    /// bits of the other's above them.
    patterns: &'static [u8; 256],
    /// Whether an obstacle is a state of a square, like a piece; its bit is then set
    /// for both players. Otherwise an obstacle looks empty in the pattern, and has a
    /// row of its own.
    shows_obstacles: bool,
}

/// Every pattern is its bits.
static WITH_OBSTACLES: [u8; 256] = {
    let mut patterns = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        patterns[bits] = bits as u8;
        bits += 1;
    }
    patterns
};

/// Patterns in base 3: 0 is empty, 1 own and 2 the opponent's.
static WITHOUT_OBSTACLES: [u8; 256] = {
    let mut patterns = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (own, other) = (bits & 15, bits >> 4);
        let (mut square, mut power, mut pattern) = (0, 1, 0);
        while square < 4 {
            // Squares of both do not occur.
            let is_own = own >> square & 1;
            let is_other = other >> square & 1 & !is_own;
            pattern += power * (is_own + 2 * is_other);
            power *= 3;
            square += 1;
        }
        patterns[bits] = pattern as u8;
        bits += 1;
    }
    patterns
};

impl Shape {
    const fn new(variant: Variant) -> Self {
        let origins = SquareSet::board(variant.size() - 1).0;
        match variant {
            Variant::Standard => Self {
                variant,
                origins,
                n_patterns: 256,
                patterns: &WITH_OBSTACLES,
                shows_obstacles: true,
            },
            Variant::Ataxx => Self {
                variant,
                origins,
                n_patterns: 81,
                patterns: &WITHOUT_OBSTACLES,
                shows_obstacles: false,
            },
        }
    }

    /// Where the rows of obstacles begin.
    const fn n_window_rows(self) -> usize {
        (64 - self.origins.leading_zeros() as usize) * self.n_patterns
    }

    /// The squares that patterns show as `player`'s.
    #[inline]
    fn squares(self, position: &Takeover, player: Player) -> u64 {
        let obstacles = if self.shows_obstacles {
            position.obstacles().0
        } else {
            0
        };
        position.pieces(player).0 | obstacles
    }

    /// The rows of the window at `origin`, in the views of the owners of `own` and
    /// `other`.
    #[inline]
    fn rows(self, origin: u32, own: u64, other: u64) -> [usize; 2] {
        let bits = |squares: u64| (squares >> origin & 3 | squares >> (origin + 6) & 12) as usize;
        let (own, other) = (bits(own), bits(other));
        let base = origin as usize * self.n_patterns;
        [own | other << 4, other | own << 4].map(|bits| base + usize::from(self.patterns[bits]))
    }
}

impl<const H: usize> Network<H> {
    /// Reads a network from `bytes`; `None` if their number is wrong.
    ///
    /// The rows of all windows in turn come first, a byte for each unit, followed by
    /// those of the obstacles on all squares, if they have any; then the hidden
    /// biases in 16 bits; then for each stage the weights of the mover's view and of
    /// the other's, a byte each, and the bias in 32 bits. Little-endian.
    pub(super) fn read(variant: Variant, bytes: &[u8]) -> Option<Self> {
        let shape = Shape::new(variant);
        let mut left = bytes;
        let mut rows = vec![[0; H]; shape.n_window_rows()];
        for origin in SquareSet(shape.origins) {
            let start = origin.index() * shape.n_patterns;
            for row in &mut rows[start..start + shape.n_patterns] {
                *row = read_row(&mut left)?;
            }
        }
        if !shape.shows_obstacles {
            for _ in variant.board() {
                rows.push(read_row(&mut left)?);
            }
        }
        let mut hidden_bias = [0; H];
        for bias in &mut hidden_bias {
            *bias = i16::from_le_bytes(read(&mut left)?);
        }
        let mut outputs = Vec::with_capacity(N_STAGES);
        for _ in 0..N_STAGES {
            outputs.push(Output {
                mover: read_row(&mut left)?.map(i16::from),
                other: read_row(&mut left)?.map(i16::from),
                bias: i32::from_le_bytes(read(&mut left)?),
            });
        }
        left.is_empty().then(|| Self {
            shape,
            rows: rows.into(),
            hidden_bias,
            outputs: outputs.into(),
            stages: stages(variant),
            processor: Processor::detect(),
        })
    }

    /// Computes the accumulator of a position from scratch.
    pub(super) fn hidden(&self, position: &Takeover) -> Hidden<H> {
        let shape = self.shape;
        let first = shape.squares(position, Player::First);
        let second = shape.squares(position, Player::Second);
        let mut hidden = ByPlayer::from_fn(|_| self.hidden_bias);
        for origin in SquareSet(shape.origins) {
            let rows = shape.rows(origin.index() as u32, first, second);
            add(&mut hidden.first, &self.rows[rows[0]]);
            add(&mut hidden.second, &self.rows[rows[1]]);
        }
        if !shape.shows_obstacles {
            let size = usize::from(shape.variant.size());
            for square in position.obstacles() {
                let number = usize::from(square.rank()) * size + usize::from(square.file());
                let row = &self.rows[shape.n_window_rows() + number];
                add(&mut hidden.first, row);
                add(&mut hidden.second, row);
            }
        }
        Hidden(hidden)
    }

    /// Updates an accumulator from `before` to `after`. The obstacles are the same.
    #[inline]
    pub(super) fn updated(
        &self,
        hidden: &Hidden<H>,
        before: &Takeover,
        after: &Takeover,
    ) -> Hidden<H> {
        let shape = self.shape;
        let squares = |position| {
            let of = |player| shape.squares(position, player);
            [of(Player::First), of(Player::Second)]
        };
        let (was, is) = (squares(before), squares(after));
        let changed = was[0] ^ is[0] | was[1] ^ is[1];
        let mut origins = (changed | changed >> 1 | changed >> 8 | changed >> 9) & shape.origins;

        let mut changes = [[&self.rows[0]; 4]; MOST_CHANGES];
        let mut n_changes = 0;
        while origins != 0 && n_changes < MOST_CHANGES {
            let origin = origins.trailing_zeros();
            origins &= origins - 1;
            let off = shape.rows(origin, was[0], was[1]);
            let on = shape.rows(origin, is[0], is[1]);
            changes[n_changes] = [on[0], off[0], on[1], off[1]].map(|row| &self.rows[row]);
            n_changes += 1;
        }
        let changes = &changes[..n_changes];

        let mut updated = Hidden(ByPlayer::from_fn(|_| [0; H]));
        self.processor.run(Update {
            hidden,
            changes,
            updated: &mut updated,
        });
        updated
    }

    /// The score of a position for its mover.
    #[inline]
    pub(super) fn score(&self, hidden: &Hidden<H>, position: &Takeover) -> i32 {
        let mover = position.turn();
        let n_empty = position.empty().len() as usize;
        let output = &self.outputs[usize::from(self.stages[n_empty])];
        let sum = self.processor.run(Sum {
            own: &hidden.0[mover],
            other: &hidden.0[!mover],
            output,
        });
        (sum / ONE_SCORE) as i32
    }
}

/// Exchanges rows in both views: those on and off in the first, then in the second.
struct Update<'a, const H: usize> {
    hidden: &'a Hidden<H>,
    changes: &'a [[&'a [i8; H]; 4]],
    updated: &'a mut Hidden<H>,
}

impl<const H: usize> Kernel for Update<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<const IS_WIDE: bool>(self) {
        if IS_WIDE {
            self.in_parts::<64>();
        } else {
            self.in_parts::<32>();
        }
    }
}

impl<const H: usize> Update<'_, H> {
    /// Updates `PART` units of both views at a time, which stay in registers until all
    /// of a move is done.
    #[inline(always)]
    fn in_parts<const PART: usize>(self) {
        const { assert!(H.is_multiple_of(PART), "there are whole parts only") };
        for n in 0..H / PART {
            let mut first = *part::<_, H, PART>(&self.hidden.0.first, n);
            let mut second = *part::<_, H, PART>(&self.hidden.0.second, n);
            for rows in self.changes {
                replace(&mut first, part(rows[0], n), part(rows[1], n));
                replace(&mut second, part(rows[2], n), part(rows[3], n));
            }
            self.updated.0.first.as_chunks_mut().0[n] = first;
            self.updated.0.second.as_chunks_mut().0[n] = second;
        }
    }
}

/// The output before it is scaled.
struct Sum<'a, const H: usize> {
    own: &'a [i16; H],
    other: &'a [i16; H],
    output: &'a Output<H>,
}

impl<const H: usize> Kernel for Sum<'_, H> {
    type Output = i64;

    #[inline(always)]
    fn run<const IS_WIDE: bool>(self) -> i64 {
        let own = squared_product(self.own, &self.output.mover);
        let other = squared_product(self.other, &self.output.other);
        i64::from(own) + i64::from(other) + i64::from(self.output.bias)
    }
}

/// The stage of a match for each number of empty squares.
fn stages(variant: Variant) -> [u8; 64] {
    std::array::from_fn(|n_empty| stage(variant, n_empty) as u8)
}

/// The stage of a match with so many empty squares.
pub(super) fn stage(variant: Variant, n_empty: usize) -> usize {
    let n_squares = variant.board().len() as usize;
    let n_taken = n_squares.saturating_sub(n_empty);
    n_taken * N_STAGES / (n_squares + 1)
}

/// The next bytes.
fn read<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, left) = bytes.split_first_chunk()?;
    *bytes = left;
    Some(*first)
}

/// The next numbers, a byte each.
fn read_row<const H: usize>(bytes: &mut &[u8]) -> Option<[i8; H]> {
    read(bytes).map(|row| row.map(u8::cast_signed))
}

/// A piece that lands changes the windows around it and its neighbors, 4 × 4 at
/// most, and one that leaves another 4.
const MOST_CHANGES: usize = 20;

#[inline(always)]
fn part<T, const H: usize, const PART: usize>(units: &[T; H], n: usize) -> &[T; PART] {
    &units.as_chunks().0[n]
}

#[inline]
fn add<const H: usize>(units: &mut [i16; H], row: &[i8; H]) {
    for (unit, weight) in units.iter_mut().zip(row) {
        *unit += i16::from(*weight);
    }
}

#[inline(always)]
fn replace<const H: usize>(units: &mut [i16; H], on: &[i8; H], off: &[i8; H]) {
    for ((unit, on), off) in units.iter_mut().zip(on).zip(off) {
        *unit = unit.wrapping_add(i16::from(*on) - i16::from(*off));
    }
}

/// The number of products added side by side. Compilers turn this many into
/// multiply-add instructions of eight lanes, and fewer into twice as many
/// instructions.
const N_LANES: usize = 16;

/// The sum of the weights times the squares of the clipped units.
#[inline(always)]
fn squared_product<const H: usize>(hidden: &[i16; H], weights: &[i16; H]) -> i32 {
    const { assert!(H.is_multiple_of(N_LANES), "the lanes are full") };
    // A unit times a weight, 255 times 127, fits into 16 bits, and the sum into 32.
    const { assert!(H <= 256, "the sum fits into 32 bits") };
    // Separate passes: a single loop is several times slower.
    let clipped = hidden.map(|unit| unit.clamp(0, ONE_HIDDEN));
    let mut weighted = clipped;
    for (unit, weight) in weighted.iter_mut().zip(weights) {
        *unit = unit.wrapping_mul(*weight);
    }
    let (clipped, _) = clipped.as_chunks::<N_LANES>();
    let (weighted, _) = weighted.as_chunks::<N_LANES>();
    let mut sums = [0; N_LANES];
    for (clipped, weighted) in clipped.iter().zip(weighted) {
        for lane in 0..N_LANES {
            sums[lane] += i32::from(clipped[lane]) * i32::from(weighted[lane]);
        }
    }
    sums.iter().sum()
}
