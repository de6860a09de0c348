//! A small neural network whose first layer is kept up to date move by move.
//!
//! Inputs are on or off: an own piece, one of the other's or an obstacle is on
//! some square. Each player looks at the board with own and other exchanged; the
//! two views of the hidden layer, the mover's first, make the output. All is done
//! in whole numbers, so that the answer is the same everywhere.

use rules::{ByPlayer, Player};

/// What a hidden unit is clipped at: the 1 of the training.
const ONE_HIDDEN: i32 = 255;
/// What an output weight of 1 is.
const ONE_OUTPUT: i32 = 64;
/// What an output of 1 is worth as a score.
const SCORE: i32 = 400;

/// A network with `H` hidden units.
#[derive(Clone, Debug)]
pub(crate) struct Network<const H: usize> {
    /// For every input, what it adds to each hidden unit.
    inputs: Box<[[i16; H]]>,
    /// For every square, how much more an own piece adds than one of the other's.
    turned: Box<[[i16; H]]>,
    hidden_bias: [i16; H],
    /// For every stage of the match, the weights of the mover's view and of the
    /// other's, and the bias.
    outputs: Box<[Output<H>]>,
}

#[derive(Clone, Debug)]
struct Output<const H: usize> {
    mover: [i16; H],
    other: [i16; H],
    bias: i32,
}

/// The hidden layer before it is clipped, in each player's view.
#[derive(Clone, Debug)]
pub struct Hidden<const H: usize>(ByPlayer<[i16; H]>);

impl<const H: usize> Network<H> {
    /// The network in `bytes`: 16-bit numbers, the lower byte first. For own pieces,
    /// the other's and obstacles `n_squares` rows of input weights each, the hidden
    /// biases, and for each of `n_stages` the output weights and bias.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many as that.
    pub(crate) fn read(bytes: &[u8], n_squares: usize, n_stages: usize) -> Self {
        let mut numbers = bytes
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || numbers.next().expect("the weights are complete");
        let inputs: Box<[[i16; H]]> = (0..3 * n_squares)
            .map(|_| std::array::from_fn(|_| next()))
            .collect();
        let turned = (0..n_squares)
            .map(|square| {
                let (own, other) = (&inputs[square], &inputs[n_squares + square]);
                std::array::from_fn(|unit| own[unit].wrapping_sub(other[unit]))
            })
            .collect();
        let hidden_bias = std::array::from_fn(|_| next());
        let outputs = (0..n_stages)
            .map(|_| {
                let mover = std::array::from_fn(|_| next());
                let other = std::array::from_fn(|_| next());
                // The bias is that of a product.
                let bias = i32::from(next()) * ONE_HIDDEN;
                Output { mover, other, bias }
            })
            .collect();
        Self {
            inputs,
            turned,
            hidden_bias,
            outputs,
        }
    }

    /// The hidden layer of an empty board.
    pub(crate) fn hidden(&self) -> Hidden<H> {
        Hidden(ByPlayer::from_fn(|_| self.hidden_bias))
    }

    /// The score of a position for `mover`.
    pub(crate) fn score(&self, hidden: &Hidden<H>, mover: Player, stage: usize) -> i32 {
        let output = &self.outputs[stage];
        let sum = clipped_product(&hidden.0[mover], &output.mover)
            + clipped_product(&hidden.0[!mover], &output.other);
        let sum = i64::from(sum + output.bias);
        (sum * i64::from(SCORE) / i64::from(ONE_HIDDEN * ONE_OUTPUT)) as i32
    }
}

/// How many products are added up side by side. Compilers turn sums of so many into
/// instructions that multiply and add eight at once, and fewer into twice as many.
const N_LANES: usize = 16;

/// The sum of products with the hidden units clipped.
#[inline]
fn clipped_product<const H: usize>(hidden: &[i16; H], weights: &[i16; H]) -> i32 {
    const { assert!(H.is_multiple_of(N_LANES), "the lanes are full") };
    let clipped = hidden.map(|unit| unit.clamp(0, ONE_HIDDEN as i16));
    let (units, _) = clipped.as_chunks::<N_LANES>();
    let (weights, _) = weights.as_chunks::<N_LANES>();
    let mut sums = [0; N_LANES];
    for (units, weights) in units.iter().zip(weights) {
        for lane in 0..N_LANES {
            sums[lane] += i32::from(units[lane]) * i32::from(weights[lane]);
        }
    }
    sums.iter().sum()
}

impl<const H: usize> Hidden<H> {
    /// An input comes on: `first` in the first player's view, `second` in the
    /// second's.
    #[inline]
    pub(crate) fn add(&mut self, network: &Network<H>, first: usize, second: usize) {
        add(&mut self.0.first, &network.inputs[first]);
        add(&mut self.0.second, &network.inputs[second]);
    }

    /// The hidden layer after a move of `mover`: the other's pieces on `turned` became
    /// the mover's, and a piece of the mover came to `on` and left `off`.
    #[inline]
    pub(crate) fn after_move(
        &self,
        network: &Network<H>,
        mover: Player,
        turned: impl Iterator<Item = usize> + Clone,
        on: Option<usize>,
        off: Option<usize>,
    ) -> Self {
        const { assert!(H.is_multiple_of(PART), "there are whole parts only") };
        let n_squares = network.turned.len();
        let mut after = Self(ByPlayer::from_fn(|_| [0; H]));
        for n in 0..H / PART {
            let mut own = *part(&self.0[mover], n);
            let mut other = *part(&self.0[!mover], n);
            for square in turned.clone() {
                let row = part(&network.turned[square], n);
                add(&mut own, row);
                subtract(&mut other, row);
            }
            if let Some(square) = on {
                add(&mut own, part(&network.inputs[square], n));
                add(&mut other, part(&network.inputs[n_squares + square], n));
            }
            if let Some(square) = off {
                subtract(&mut own, part(&network.inputs[square], n));
                subtract(&mut other, part(&network.inputs[n_squares + square], n));
            }
            after.0[mover].as_chunks_mut().0[n] = own;
            after.0[!mover].as_chunks_mut().0[n] = other;
        }
        after
    }
}

/// So many units of both players' views fit into the registers of a processor, where
/// they stay until all of a move is done.
const PART: usize = 32;

#[inline]
fn part<const H: usize>(units: &[i16; H], n: usize) -> &[i16; PART] {
    &units.as_chunks().0[n]
}

#[inline]
fn add<const H: usize>(hidden: &mut [i16; H], row: &[i16; H]) {
    for (unit, weight) in hidden.iter_mut().zip(row) {
        *unit = unit.wrapping_add(*weight);
    }
}

#[inline]
fn subtract<const H: usize>(hidden: &mut [i16; H], row: &[i16; H]) {
    for (unit, weight) in hidden.iter_mut().zip(row) {
        *unit = unit.wrapping_sub(*weight);
    }
}
