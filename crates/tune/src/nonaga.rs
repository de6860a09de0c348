//! Nonaga.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use bots::nonaga::{N_COUNTS, NonagaGuide, counts};
use nonaga::{Nonaga, Phase, Setup, Variant};
use rules::{Game, Position, Random};
use search::Guide;

use crate::{
    linear::{self, Counted},
    network::Schedule,
    self_play::{self, Conditions, Example, Extent},
};

/// Plays matches of both variants and appends their positions to a file.
pub(crate) fn play(
    conditions: Conditions,
    extent: Extent,
    out: &Path,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<()> {
    let start = |random: &mut Random| {
        let variants = [Variant::Standard, Variant::Published];
        let variant = variants[random.below(2) as usize];
        Nonaga::start(&Setup { variant }).expect("Nonaga has a start")
    };
    let bytes = |example: &Example<Nonaga>| {
        let Example {
            position,
            score,
            result,
        } = example;
        format!("{position}\t{score}\t{result}\n").into_bytes()
    };
    self_play::play_many(&NonagaGuide, start, conditions, extent, bytes, out, tell)
}

/// Fits the weights of both phases to the positions in `files` and writes them
/// to `out`.
pub(crate) fn fit(
    files: &[PathBuf],
    result_share: f32,
    schedule: Schedule,
    out: &Path,
    mut tell: impl FnMut(String),
) -> anyhow::Result<()> {
    let mut examples: [Vec<Counted<N_COUNTS>>; 2] = Default::default();
    for file in files {
        for line in fs::read_to_string(file)?.lines() {
            let (position, example) = read(line, result_share).context("a line is broken")?;
            // The weights are never asked where the end is in sight.
            if !NonagaGuide.evaluate(&position, &()).is_decided() {
                examples[position.phase() as usize].push(example);
            }
        }
    }
    let mut bytes = Vec::new();
    for phase in [Phase::Slide, Phase::Shift] {
        let examples = &examples[phase as usize];
        tell(format!("{phase:?}: {} positions", examples.len()));
        bytes.extend(linear::fit(examples, schedule, &mut tell));
    }
    fs::write(out, bytes)?;
    Ok(())
}

fn read(line: &str, result_share: f32) -> anyhow::Result<(Nonaga, Counted<N_COUNTS>)> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().context("a field is missing");
    let position: Nonaga = next()?.parse()?;
    let score: f32 = next()?.parse()?;
    let result: f32 = next()?.parse()?;
    let counts_of = |player| counts(&position, player, position.slide_counts(player));
    let thought = 1.0 / (1.0 + (-score / 400.0).exp());
    let example = Counted {
        own: counts_of(position.turn()),
        other: counts_of(!position.turn()),
        target: result_share * result / 2.0 + (1.0 - result_share) * thought,
    };
    Ok((position, example))
}
