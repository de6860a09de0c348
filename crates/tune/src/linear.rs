//! Fits a linear evaluation to examples.

/// Hyperparameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) epochs: u32,
    pub(crate) batch: usize,
    pub(crate) rate: f32,
}

/// The features of an example, and the expected result of its mover.
pub(crate) struct Counted<const N: usize> {
    pub(crate) own: [i32; N],
    pub(crate) other: [i32; N],
    /// The expected result, from 0 to 1.
    pub(crate) target: f32,
}

/// The score for an output of 1, which means odds of e to 1.
const SCORE: f32 = 400.0;

/// Fits the weights, as 16-bit numbers: those of the player to move, of the
/// opponent, and the bias. By gradient descent (Adam).
///
/// If `unit` is given, all are scaled so that the first weights of both players are
/// that on average.
pub(crate) fn fit<const N: usize>(
    examples: &[Counted<N>],
    unit: Option<f32>,
    schedule: Schedule,
    mut tell: impl FnMut(String),
) -> Vec<u8> {
    let mut weights = vec![0.0; 2 * N + 1];
    let mut means = weights.clone();
    let mut squares = weights.clone();
    let mut n_steps = 0;
    for epoch in 1..=schedule.epochs {
        let mut error = 0.0;
        for batch in examples.chunks(schedule.batch) {
            let mut slopes = vec![0.0; weights.len()];
            for example in batch {
                let inputs = || example.own.iter().chain(&example.other).chain(&[1]);
                let sum: f32 = inputs()
                    .zip(&weights)
                    .map(|(input, w)| *input as f32 * w)
                    .sum();
                let off = 1.0 / (1.0 + (-sum).exp()) - example.target;
                error += f64::from(off * off);
                for (slope, input) in slopes.iter_mut().zip(inputs()) {
                    *slope += off * *input as f32 / batch.len() as f32;
                }
            }
            n_steps += 1;
            for (n, slope) in slopes.into_iter().enumerate() {
                means[n] += 0.1 * (slope - means[n]);
                squares[n] += 0.001 * (slope * slope - squares[n]);
                let mean = means[n] / (1.0 - 0.9_f32.powi(n_steps));
                let square = squares[n] / (1.0 - 0.999_f32.powi(n_steps));
                weights[n] -= schedule.rate * mean / (square.sqrt() + 1e-8);
            }
        }
        tell(format!(
            "epoch {epoch:3}  {:.6}",
            error / examples.len() as f64
        ));
    }
    let scale = match unit {
        Some(unit) => unit / ((weights[0] - weights[N]) / 2.0),
        None => SCORE,
    };
    let rounded: Vec<i16> = weights.iter().map(|w| (w * scale).round() as i16).collect();
    tell(format!("{rounded:?}"));
    rounded
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}
