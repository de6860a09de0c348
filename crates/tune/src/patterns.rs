//! Fits the weights of the patterns of Nonaga (`crates/bots/src/nonaga/patterns.rs`).

use std::{
    fs,
    path::{Path, PathBuf},
};

use bots::nonaga::{inputs, n_inputs};
use nonaga::Nonaga;
use rules::Random;

use crate::tunable::read_all;

/// Hyperparameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) epochs: u32,
    pub(crate) batch: usize,
    /// The rate at the beginning; it falls along a cosine.
    pub(crate) rate: f32,
    /// The share of the weights that is lost at a rate of 1 in one step.
    pub(crate) decay: f32,
    pub(crate) seed: u64,
}

/// The score for an output of 1, which means odds of e to 1.
const SCORE: f32 = 400.0;

/// One of so many lines in a row is held back to measure the error.
const ONE_HELD_BACK: usize = 20;

/// Lines held back together: positions of one match are alike.
const BLOCK: usize = 400;

/// Positions with their inputs, one list after the other.
#[derive(Default)]
struct Examples {
    inputs: Vec<u16>,
    ends: Vec<usize>,
    targets: Vec<f32>,
}

impl Examples {
    fn push(&mut self, inputs: &[u16], target: f32) {
        self.inputs.extend(inputs);
        self.ends.push(self.inputs.len());
        self.targets.push(target);
    }

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn get(&self, index: usize) -> (&[u16], f32) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (&self.inputs[start..self.ends[index]], self.targets[index])
    }
}

/// Fits the weights of both phases to the positions in `files` and writes them to `out`.
pub(crate) fn fit(
    files: &[PathBuf],
    result_share: f32,
    schedule: Schedule,
    out: &Path,
    mut tell: impl FnMut(String),
) -> anyhow::Result<()> {
    let mut learned = [Examples::default(), Examples::default()];
    let mut held_back = [Examples::default(), Examples::default()];
    read_all(files, result_share, |number, position: Nonaga, target| {
        let Some(inputs) = inputs(&position) else {
            return;
        };
        let is_held_back = number / BLOCK % ONE_HELD_BACK == ONE_HELD_BACK - 1;
        let examples = if is_held_back {
            &mut held_back
        } else {
            &mut learned
        };
        examples[position.phase() as usize].push(&inputs, target);
    })?;
    let mut bytes = Vec::new();
    for (phase, (learned, held_back)) in learned.iter().zip(&held_back).enumerate() {
        tell(format!(
            "phase {phase}: {} positions, and {} held back",
            learned.len(),
            held_back.len()
        ));
        let weights = fitted(n_inputs(), learned, held_back, schedule, &mut tell);
        let numbers = weights.iter().map(|w| (w * SCORE).round() as i16);
        bytes.extend(numbers.flat_map(i16::to_le_bytes));
    }
    fs::write(out, bytes)?;
    Ok(())
}

/// The weights of all inputs, and the bias, by gradient descent (Adam).
fn fitted(
    n_inputs: usize,
    learned: &Examples,
    held_back: &Examples,
    schedule: Schedule,
    mut tell: impl FnMut(String),
) -> Vec<f32> {
    let mut random = Random::new(schedule.seed);
    let mut weights = vec![0.0; n_inputs + 1];
    let mut moments = vec![(0.0, 0.0); n_inputs + 1];
    let mut order: Vec<usize> = (0..learned.len()).collect();
    let n_steps = learned.len().div_ceil(schedule.batch) * schedule.epochs as usize;
    let mut step = 0;
    for epoch in 1..=schedule.epochs {
        for index in (1..order.len()).rev() {
            order.swap(index, random.below(index as u32 + 1) as usize);
        }
        let mut error = 0.0;
        for batch in order.chunks(schedule.batch) {
            let mut slopes = vec![0.0; n_inputs + 1];
            for &index in batch {
                let (inputs, target) = learned.get(index);
                let off = expected(&weights, inputs) - target;
                error += f64::from(off * off);
                slopes[n_inputs] += off;
                for &input in inputs {
                    slopes[usize::from(input)] += off;
                }
            }
            let share = step as f32 / n_steps as f32;
            let rate = schedule.rate * 0.5 * (1.0 + (share * std::f32::consts::PI).cos());
            step += 1;
            let [first, second] = [0.9_f32, 0.999].map(|fading| 1.0 - fading.powi(step));
            for ((weight, (mean, square)), slope) in
                weights.iter_mut().zip(&mut moments).zip(&slopes)
            {
                let slope = slope / batch.len() as f32;
                *mean += 0.1 * (slope - *mean);
                *square += 0.001 * (slope * slope - *square);
                let change = (*mean / first) / ((*square / second).sqrt() + 1e-8);
                *weight -= rate * (change + schedule.decay * *weight);
            }
        }
        let unseen: f64 = (0..held_back.len())
            .map(|index| {
                let (inputs, target) = held_back.get(index);
                f64::from((expected(&weights, inputs) - target).powi(2))
            })
            .sum();
        tell(format!(
            "epoch {epoch:3}  {:.6}  held back {:.6}",
            error / learned.len().max(1) as f64,
            unseen / held_back.len().max(1) as f64
        ));
    }
    weights
}

/// The expected result of the player to move.
fn expected(weights: &[f32], inputs: &[u16]) -> f32 {
    let (bias, weights) = weights.split_last().expect("there is a bias");
    let of_input = |&input: &u16| weights[usize::from(input)];
    let sum = bias + inputs.iter().map(of_input).sum::<f32>();
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::{Examples, Schedule, expected, fitted};

    #[test]
    fn inputs_get_the_weights_that_explain_the_results() {
        let mut examples = Examples::default();
        for _ in 0..200 {
            examples.push(&[0], 0.8);
            examples.push(&[1], 0.4);
            examples.push(&[0, 1], 0.6);
        }
        let schedule = Schedule {
            epochs: 100,
            batch: 64,
            rate: 0.05,
            decay: 0.0,
            seed: 0,
        };
        let weights = fitted(3, &examples, &Examples::default(), schedule, |_| {});
        assert!((expected(&weights, &[0]) - 0.8).abs() < 0.01);
        assert!((expected(&weights, &[1]) - 0.4).abs() < 0.01);
        assert!((expected(&weights, &[0, 1]) - 0.6).abs() < 0.01);
        assert_eq!(weights[2], 0.0);
    }
}
