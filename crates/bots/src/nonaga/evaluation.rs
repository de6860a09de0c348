//! The evaluation of Nonaga: a weighted sum of [patterns](super::patterns).

use std::sync::LazyLock;

use nonaga::{Nonaga, Phase};
use rules::Position;

use super::patterns::{Inputs, Patterns};

/// The weights of all patterns.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    patterns: Patterns,
    /// Those of positions where a slide comes next, and where a shift does.
    phases: [PhaseWeights; 2],
}

#[derive(Clone, Debug)]
struct PhaseWeights {
    weights: Box<[i16]>,
    bias: i32,
}

static BUILT_IN: LazyLock<Weights> = LazyLock::new(|| {
    let weights = Weights::read(include_bytes!("patterns.weights"));
    weights.expect("the built-in weights are of the right size")
});

impl Weights {
    pub(crate) fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads the weights from `bytes`, 16-bit little-endian numbers: for slides and then
    /// for shifts, those of all patterns and the bias. `None` if there are too few or too
    /// many.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let patterns = Patterns::new();
        let n_numbers = patterns.n_inputs() + 1;
        if bytes.len() != 2 * 2 * n_numbers {
            return None;
        }
        let phase = |bytes: &[u8]| {
            let numbers = bytes.chunks_exact(2);
            let mut weights: Vec<i16> = numbers
                .map(|number| i16::from_le_bytes([number[0], number[1]]))
                .collect();
            let bias = weights.pop()?;
            Some(PhaseWeights {
                weights: weights.into(),
                bias: bias.into(),
            })
        };
        let (slides, shifts) = bytes.split_at(2 * n_numbers);
        Some(Self {
            patterns,
            phases: [phase(slides)?, phase(shifts)?],
        })
    }

    /// The number of patterns.
    pub(crate) fn n_inputs(&self) -> usize {
        self.patterns.n_inputs()
    }

    /// The patterns of a position.
    #[inline]
    pub(crate) fn inputs(&self, position: &Nonaga) -> Inputs {
        self.patterns.inputs(&position.survey(), position.turn())
    }

    /// The score for the player to move.
    #[inline]
    pub(crate) fn score(&self, phase: Phase, inputs: &Inputs) -> i32 {
        let PhaseWeights { weights, bias } = &self.phases[phase as usize];
        let of_input = |&input: &u16| i32::from(weights[usize::from(input)]);
        bias + inputs.numbers().iter().map(of_input).sum::<i32>()
    }
}
