//! Fitting the weights of a network with one hidden layer to examples.

use std::thread;

use rules::Random;

/// The inputs that are on in an example, in the mover's view and in the other's.
pub(crate) struct Inputs {
    pub(crate) mover: Vec<u16>,
    pub(crate) other: Vec<u16>,
    pub(crate) stage: usize,
    /// The share of the point that the mover can expect.
    pub(crate) target: f32,
}

/// Examples that can be looked at one by one.
pub(crate) trait Examples: Sync {
    fn len(&self) -> usize;

    /// Writes example `index`, seen in one of its symmetries, to `inputs`.
    fn inputs(&self, index: usize, symmetry: u32, inputs: &mut Inputs);
}

/// A network with `H` hidden units, in floats.
#[derive(Clone)]
pub(crate) struct Network<const H: usize> {
    pub(crate) inputs: Vec<[f32; H]>,
    pub(crate) hidden_bias: [f32; H],
    pub(crate) outputs: Vec<Output<H>>,
}

#[derive(Clone)]
pub(crate) struct Output<const H: usize> {
    pub(crate) mover: [f32; H],
    pub(crate) other: [f32; H],
    pub(crate) bias: f32,
}

/// How the fitting is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) epochs: u32,
    pub(crate) batch: usize,
    pub(crate) rate: f32,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
}

impl<const H: usize> Network<H> {
    pub(crate) fn random(n_inputs: usize, n_stages: usize, random: &mut Random) -> Self {
        let mut uniform = |scale: f32| (random.below(20_001) as f32 / 10_000.0 - 1.0) * scale;
        Self {
            inputs: (0..n_inputs)
                .map(|_| std::array::from_fn(|_| uniform(0.15)))
                .collect(),
            hidden_bias: std::array::from_fn(|_| 0.1 + uniform(0.05)),
            outputs: (0..n_stages)
                .map(|_| Output {
                    mover: std::array::from_fn(|_| uniform(0.1)),
                    other: std::array::from_fn(|_| uniform(0.1)),
                    bias: 0.0,
                })
                .collect(),
        }
    }

    fn zero(n_inputs: usize, n_stages: usize) -> Self {
        let output = Output {
            mover: [0.0; H],
            other: [0.0; H],
            bias: 0.0,
        };
        Self {
            inputs: vec![[0.0; H]; n_inputs],
            hidden_bias: [0.0; H],
            outputs: vec![output; n_stages],
        }
    }

    fn hidden(&self, inputs: &[u16]) -> [f32; H] {
        let mut hidden = self.hidden_bias;
        for &input in inputs {
            for (unit, weight) in hidden.iter_mut().zip(&self.inputs[usize::from(input)]) {
                *unit += weight;
            }
        }
        hidden
    }

    /// The expectation of the mover.
    fn predict(&self, inputs: &Inputs) -> f32 {
        let output = &self.outputs[inputs.stage];
        let mover = self.hidden(&inputs.mover);
        let other = self.hidden(&inputs.other);
        let mut sum = output.bias;
        for unit in 0..H {
            sum += mover[unit].clamp(0.0, 1.0) * output.mover[unit]
                + other[unit].clamp(0.0, 1.0) * output.other[unit];
        }
        sigmoid(sum)
    }

    /// Adds the gradient of the squared error of one example, which is returned.
    fn add_gradient(&self, inputs: &Inputs, gradient: &mut Self) -> f32 {
        let output = &self.outputs[inputs.stage];
        let mover = self.hidden(&inputs.mover);
        let other = self.hidden(&inputs.other);
        let mut sum = output.bias;
        for unit in 0..H {
            sum += mover[unit].clamp(0.0, 1.0) * output.mover[unit]
                + other[unit].clamp(0.0, 1.0) * output.other[unit];
        }
        let prediction = sigmoid(sum);
        let error = prediction - inputs.target;
        let slope = 2.0 * error * prediction * (1.0 - prediction);

        let out = &mut gradient.outputs[inputs.stage];
        out.bias += slope;
        let mut mover_slope = [0.0; H];
        let mut other_slope = [0.0; H];
        for unit in 0..H {
            out.mover[unit] += slope * mover[unit].clamp(0.0, 1.0);
            out.other[unit] += slope * other[unit].clamp(0.0, 1.0);
            let is_mover_open = mover[unit] > 0.0 && mover[unit] < 1.0;
            let is_other_open = other[unit] > 0.0 && other[unit] < 1.0;
            mover_slope[unit] = if is_mover_open {
                slope * output.mover[unit]
            } else {
                0.0
            };
            other_slope[unit] = if is_other_open {
                slope * output.other[unit]
            } else {
                0.0
            };
            gradient.hidden_bias[unit] += mover_slope[unit] + other_slope[unit];
        }
        for (list, slopes) in [(&inputs.mover, &mover_slope), (&inputs.other, &other_slope)] {
            for &input in list {
                for (sum, slope) in gradient.inputs[usize::from(input)].iter_mut().zip(slopes) {
                    *sum += slope;
                }
            }
        }
        error * error
    }

    /// All weights, in one order.
    pub(crate) fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let outputs = self.outputs.iter_mut().flat_map(|output| {
            let weights = output.mover.iter_mut().chain(&mut output.other);
            weights.chain(std::iter::once(&mut output.bias))
        });
        self.inputs
            .iter_mut()
            .flatten()
            .chain(&mut self.hidden_bias)
            .chain(outputs)
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Fits `network` to the examples and tells how it goes. The last hundredth of
/// them is kept back to see how well it does on what it has not learned.
pub(crate) fn fit<const H: usize>(
    network: &mut Network<H>,
    examples: &impl Examples,
    schedule: Schedule,
    mut tell: impl FnMut(String),
) {
    let n_kept = examples.len() / 100;
    let n_learned = examples.len() - n_kept;
    let n_inputs = network.inputs.len();
    let n_stages = network.outputs.len();
    let mut first = Network::<H>::zero(n_inputs, n_stages);
    let mut second = Network::<H>::zero(n_inputs, n_stages);
    let mut random = Random::new(schedule.seed);
    let n_batches = (n_learned / schedule.batch).max(1);
    let n_steps = schedule.epochs as usize * n_batches;
    let mut step = 0;
    for epoch in 0..schedule.epochs {
        let mut loss = 0.0;
        for _ in 0..n_batches {
            let seeds: Vec<u64> = (0..schedule.threads).map(|_| random.any()).collect();
            let part = schedule.batch / schedule.threads;
            let shared = &*network;
            let parts: Vec<(Network<H>, f64)> = thread::scope(|scope| {
                let threads: Vec<_> = seeds
                    .iter()
                    .map(|&seed| {
                        scope.spawn(move || {
                            let mut random = Random::new(seed);
                            let mut gradient = Network::zero(n_inputs, n_stages);
                            let mut inputs = empty_inputs();
                            let mut loss = 0.0;
                            for _ in 0..part {
                                let index = random.below(n_learned as u32) as usize;
                                examples.inputs(index, random.below(8), &mut inputs);
                                loss += f64::from(shared.add_gradient(&inputs, &mut gradient));
                            }
                            (gradient, loss)
                        })
                    })
                    .collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().expect("learning does not panic"))
                    .collect()
            });
            let mut parts = parts.into_iter();
            let (mut gradient, part_loss) = parts.next().expect("at least one thread");
            loss += part_loss;
            for (mut other, part_loss) in parts {
                loss += part_loss;
                for (sum, more) in gradient.weights_mut().zip(other.weights_mut()) {
                    *sum += *more;
                }
            }
            step += 1;
            let progress = step as f32 / n_steps as f32;
            // A short start, then down along a cosine.
            let rate = schedule.rate
                * (step as f32 / 200.0).min(1.0)
                * (0.02 + 0.98 * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos()));
            update(
                network,
                &mut gradient,
                &mut first,
                &mut second,
                rate,
                step,
                schedule.batch,
            );
        }
        let kept = loss_on(network, examples, n_learned..examples.len());
        let n_seen = (n_batches * schedule.batch) as f64;
        tell(format!(
            "epoch {:>3}  learned {:.6}  kept back {kept:.6}",
            epoch + 1,
            loss / n_seen
        ));
    }
}

fn empty_inputs() -> Inputs {
    Inputs {
        mover: Vec::new(),
        other: Vec::new(),
        stage: 0,
        target: 0.0,
    }
}

fn loss_on<const H: usize>(
    network: &Network<H>,
    examples: &impl Examples,
    range: std::ops::Range<usize>,
) -> f64 {
    let n = range.len().max(1) as f64;
    let mut inputs = empty_inputs();
    let mut loss = 0.0;
    for index in range {
        examples.inputs(index, 0, &mut inputs);
        let error = f64::from(network.predict(&inputs) - inputs.target);
        loss += error * error;
    }
    loss / n
}

/// One step of Adam (Kingma and Ba 2014), with weights kept small enough to be
/// written in 16 bits.
fn update<const H: usize>(
    network: &mut Network<H>,
    gradient: &mut Network<H>,
    first: &mut Network<H>,
    second: &mut Network<H>,
    rate: f32,
    step: i32,
    batch: usize,
) {
    const FIRST: f32 = 0.9;
    const SECOND: f32 = 0.999;
    let first_scale = 1.0 / (1.0 - FIRST.powi(step));
    let second_scale = 1.0 / (1.0 - SECOND.powi(step));
    let weights = network.weights_mut().zip(gradient.weights_mut());
    let moments = first.weights_mut().zip(second.weights_mut());
    for ((weight, slope), (first, second)) in weights.zip(moments) {
        let slope = *slope / batch as f32;
        *first = FIRST * *first + (1.0 - FIRST) * slope;
        *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
        let change = *first * first_scale / ((*second * second_scale).sqrt() + 1e-8);
        *weight = (*weight - rate * change).clamp(-1.98, 1.98);
    }
}
