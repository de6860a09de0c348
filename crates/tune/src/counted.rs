//! Games with a linear evaluation.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use rules::{Game, Random};
use search::Guide;

use crate::{
    linear::{self, Counted, Schedule},
    self_play::{self, Conditions, Example, Extent},
};

/// A game to be tuned, with `N` features for a player.
pub(crate) trait Tunable<const N: usize>: Game {
    type Guide: Guide<Self>;

    /// The number of kinds of positions with weights of their own.
    const N_KINDS: usize = 1;

    /// Where a match begins.
    fn beginning(random: &mut Random) -> Self;

    fn guide(&self) -> Self::Guide;

    /// The kind of a position, and the features of its mover and of the opponent;
    /// `None` if the evaluation does not use the weights.
    fn counts(&self) -> Option<(usize, [[i32; N]; 2])>;

    /// The value of the first weight, if the unit of the score is fixed.
    const UNIT: Option<f32> = None;
}

/// Plays matches and appends their positions to a file.
pub(crate) fn play<G: Tunable<N>, const N: usize>(
    conditions: Conditions,
    extent: Extent,
    out: &Path,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<()> {
    let bytes = |example: &Example<G>| {
        let Example {
            position,
            score,
            result,
        } = example;
        format!("{position}\t{score}\t{result}\n").into_bytes()
    };
    self_play::play_many(G::guide, G::beginning, conditions, extent, bytes, out, tell)
}

/// Fits the weights to the positions in `files` and writes them to `out`.
pub(crate) fn fit<G: Tunable<N>, const N: usize>(
    files: &[PathBuf],
    result_share: f32,
    schedule: Schedule,
    out: &Path,
    mut tell: impl FnMut(String),
) -> anyhow::Result<()> {
    let mut examples: Vec<Vec<Counted<N>>> = Vec::new();
    examples.resize_with(G::N_KINDS, Vec::new);
    for file in files {
        for line in fs::read_to_string(file)?.lines() {
            let read = read::<G, N>(line, result_share).context("a line is broken")?;
            if let Some((kind, example)) = read {
                examples[kind].push(example);
            }
        }
    }
    let mut bytes = Vec::new();
    for (kind, examples) in examples.iter().enumerate() {
        tell(format!("kind {kind}: {} positions", examples.len()));
        bytes.extend(linear::fit(examples, G::UNIT, schedule, &mut tell));
    }
    fs::write(out, bytes)?;
    Ok(())
}

fn read<G: Tunable<N>, const N: usize>(
    line: &str,
    result_share: f32,
) -> anyhow::Result<Option<(usize, Counted<N>)>> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().context("a field is missing");
    let position = next()?.parse::<G>().ok().context("no position")?;
    let score: f32 = next()?.parse()?;
    let result: f32 = next()?.parse()?;
    let thought = 1.0 / (1.0 + (-score / 400.0).exp());
    Ok(position.counts().map(|(kind, [own, other])| {
        let example = Counted {
            own,
            other,
            target: result_share * result / 2.0 + (1.0 - result_share) * thought,
        };
        (kind, example)
    }))
}
