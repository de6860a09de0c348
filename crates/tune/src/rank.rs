//! Fits the weights by which Takeover and Ataxx rank moves to what the search chose.

use std::{fs, path::Path};

use bots::takeover::{N_RANK_WEIGHTS, TakeoverGuide, features};
use rules::{Position, Random, Record};
use search::{AlphaBeta, Limits, NoStop, TranspositionTable};
use takeover::{Takeover, Variant};

use crate::takeover::start;

/// Positions that are this clear teach nothing.
const CLEAR: i32 = 1_500;

/// How often all positions are looked at.
const N_STEPS: usize = 150;

/// The rank of a move that is e times as likely to be chosen as another is so much
/// larger.
const SCALE: f64 = 100.0;

/// The mean rank of the moves that were chosen. Ranks of other games are about as large.
const MEAN: f64 = 300.0;

/// The features of all moves of a position, and which one was chosen.
struct Choice {
    moves: Vec<Vec<usize>>,
    chosen: usize,
}

/// Plays until there are `n_positions`, fits the weights to them and writes these.
pub(crate) fn fit(
    variant: Variant,
    n_positions: usize,
    nodes: u64,
    seed: u64,
    out: &Path,
    tell: &dyn Fn(String),
) -> anyhow::Result<()> {
    let guide = TakeoverGuide::new(variant);
    let table = TranspositionTable::for_nodes(4 * nodes);
    let mut choices = Vec::new();
    for number in 0.. {
        if choices.len() >= n_positions {
            break;
        }
        let mut random = Random::new(seed.wrapping_mul(1 << 40).wrapping_add(number));
        play(variant, guide, &table, nodes, &mut random, &mut choices);
    }
    let weights = fitted(&choices);
    let n_first = choices.iter().filter(|choice| choice.is_best(&weights));
    let percent = n_first.count() * 100 / choices.len().max(1);
    tell(format!(
        "{} positions, the choice ranks first in {percent} %",
        choices.len()
    ));
    let mean = choices
        .iter()
        .map(|choice| sum(&weights, &choice.moves[choice.chosen]))
        .sum::<f64>()
        / choices.len().max(1) as f64;
    // Every move but a pass has one of the first features.
    let shift = MEAN - SCALE * mean;
    let n_shifted = choices.iter().flat_map(|choice| &choice.moves);
    let n_shifted = n_shifted.filter_map(|features| features.first()).max();
    let rank = |(n, weight): (usize, &f64)| {
        let is_shifted = n_shifted.is_some_and(|&last| n <= last);
        let rank = SCALE * weight + if is_shifted { shift } else { 0.0 };
        format!("{rank:.0}")
    };
    let ranks: Vec<String> = weights.iter().enumerate().map(rank).collect();
    let lines: Vec<String> = ranks.chunks(18).map(|line| line.join(" ")).collect();
    fs::write(out, lines.join("\n") + "\n")?;
    Ok(())
}

/// Plays a match and adds its choices.
fn play(
    variant: Variant,
    guide: TakeoverGuide,
    table: &TranspositionTable,
    nodes: u64,
    random: &mut Random,
    choices: &mut Vec<Choice>,
) {
    let mut record = Record::from_position(start(variant, random));
    for _ in 0..4 + random.below(8) {
        let moves = record.position().legal_moves();
        if random.pick(&moves).is_none_or(|&m| record.play(m).is_err()) {
            return;
        }
    }
    table.clear();
    let mut played = Vec::new();
    while record.ending().is_none() && record.n_moves() < 200 {
        let position: Takeover = record.position().clone();
        let search = AlphaBeta::new(&guide, table);
        let limits = Limits::nodes(nodes);
        let report = search.search(&position, &played, limits, &NoStop, &mut |_| {});
        let Some((best, value)) = report.and_then(|report| report.best().zip(report.value()))
        else {
            return;
        };
        if value.number().abs() > CLEAR {
            return;
        }
        played.extend(position.repetition_key());
        let moves = position.legal_moves();
        if let Some(chosen) = moves.iter().position(|&m| m == best)
            && moves.len() > 1
        {
            let moves = moves.iter().map(|&m| features(&position, m)).collect();
            choices.push(Choice { moves, chosen });
        }
        if record.play(best).is_err() {
            return;
        }
    }
}

/// The weights that make the choices most likely, if the logarithm of a move's odds is
/// the sum of the weights of its features. Found with Adam, on all choices at once.
fn fitted(choices: &[Choice]) -> Vec<f64> {
    let mut weights = vec![0.0; N_RANK_WEIGHTS];
    let mut means = vec![(0.0, 0.0); N_RANK_WEIGHTS];
    for step in 1..=N_STEPS {
        let mut slopes: Vec<f64> = weights.iter().map(|weight| 1e-5 * weight).collect();
        for choice in choices {
            choice.add_slopes(&weights, choices.len() as f64, &mut slopes);
        }
        let rate = if step <= 100 { 0.15 } else { 0.045 };
        let (fading, slowly) = (
            1.0 - 0.9_f64.powi(step as i32),
            1.0 - 0.99_f64.powi(step as i32),
        );
        for ((weight, (first, second)), slope) in weights.iter_mut().zip(&mut means).zip(&slopes) {
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.99 * *second + 0.01 * slope * slope;
            *weight -= rate * (*first / fading) / ((*second / slowly).sqrt() + 1e-9);
        }
    }
    weights
}

fn sum(weights: &[f64], features: &[usize]) -> f64 {
    features.iter().map(|&n| weights[n]).sum()
}

impl Choice {
    /// Whether no move ranks higher than the one that was chosen.
    fn is_best(&self, weights: &[f64]) -> bool {
        let chosen = sum(weights, &self.moves[self.chosen]);
        self.moves.iter().all(|m| sum(weights, m) <= chosen)
    }

    /// Adds the slopes of the negative logarithm of the choice's probability.
    fn add_slopes(&self, weights: &[f64], n_choices: f64, slopes: &mut [f64]) {
        let sums: Vec<f64> = self.moves.iter().map(|m| sum(weights, m)).collect();
        let most = sums.iter().copied().fold(f64::MIN, f64::max);
        let total: f64 = sums.iter().map(|sum| (sum - most).exp()).sum();
        for (number, (features, sum)) in self.moves.iter().zip(&sums).enumerate() {
            let probability = (sum - most).exp() / total;
            let is_chosen = f64::from(u8::from(number == self.chosen));
            for &feature in features {
                slopes[feature] += (probability - is_chosen) / n_choices;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, fitted};

    #[test]
    fn what_is_chosen_more_often_weighs_more() {
        let choice = |chosen| Choice {
            moves: vec![vec![0], vec![1]],
            chosen,
        };
        let choices = [choice(1), choice(0), choice(1), choice(1)];
        let weights = fitted(&choices);
        // Three to one.
        assert!((weights[1] - weights[0] - 3.0_f64.ln()).abs() < 0.05);
        assert_eq!(weights[2], 0.0);
    }
}
