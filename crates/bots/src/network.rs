//! A small neural network whose first layer is kept up to date move by move.
//!
//! Inputs are on or off: something of somebody is on some square. Each player
//! looks at the board with own and other exchanged; the two views of the hidden
//! layer, the mover's first, make the output. All is done in whole numbers, so
//! that the answer is the same everywhere.

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
    /// The network in `bytes`: 16-bit numbers, the lower byte first. `n_inputs` rows of input weights, the
    /// hidden biases, and for each of `n_stages` the output weights and bias.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many as that.
    pub(crate) fn read(bytes: &[u8], n_inputs: usize, n_stages: usize) -> Self {
        let mut numbers = bytes
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || numbers.next().expect("the weights are complete");
        let inputs = (0..n_inputs)
            .map(|_| std::array::from_fn(|_| next()))
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

/// The sum of products with the hidden units clipped.
#[inline]
fn clipped_product<const H: usize>(hidden: &[i16; H], weights: &[i16; H]) -> i32 {
    let mut sum = 0;
    for (unit, weight) in hidden.iter().zip(weights) {
        let unit = (*unit).clamp(0, ONE_HIDDEN as i16);
        sum += i32::from(unit) * i32::from(*weight);
    }
    sum
}

impl<const H: usize> Hidden<H> {
    /// An input comes on: `first` in the first player's view, `second` in the
    /// second's.
    #[inline]
    pub(crate) fn add(&mut self, network: &Network<H>, first: usize, second: usize) {
        add(&mut self.0.first, &network.inputs[first]);
        add(&mut self.0.second, &network.inputs[second]);
    }

    /// An input goes off.
    #[inline]
    pub(crate) fn subtract(&mut self, network: &Network<H>, first: usize, second: usize) {
        subtract(&mut self.0.first, &network.inputs[first]);
        subtract(&mut self.0.second, &network.inputs[second]);
    }
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
