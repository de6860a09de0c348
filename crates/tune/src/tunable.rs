//! Games whose evaluation is fitted by this program.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use rules::{Game, MatchSetup, Random};
use search::Guide;

use crate::self_play::{self, Conditions, Example, Extent};

/// A game to be tuned.
pub(crate) trait Tunable: Game {
    type Guide: Guide<Self>;

    /// The weights of a guide.
    type Weights: Sync;

    /// The weights in `bytes`, if they are of the right size.
    fn weights(bytes: &[u8]) -> Option<Self::Weights>;

    /// The built-in weights.
    fn built_in() -> Self::Weights;

    /// Where a match begins.
    fn beginning(random: &mut Random) -> Self;

    fn guide(&self, weights: &Self::Weights) -> Self::Guide;
}

/// The weights in the file `path`, or else the built-in ones.
pub(crate) fn weights<G: Tunable>(path: Option<&Path>) -> anyhow::Result<G::Weights> {
    let Some(path) = path else {
        return Ok(G::built_in());
    };
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    G::weights(&bytes).with_context(|| format!("{} has another size", path.display()))
}

/// Where matches begin: with the given options of the game, such as `size=9`, or else with
/// any that the game chooses.
pub(crate) fn start<G: Tunable>(
    options: &[String],
) -> anyhow::Result<impl Fn(&mut Random) -> G + Sync> {
    let mut setup = G::Setup::default();
    for option in options {
        let (name, value) = option.split_once('=').context("expected NAME=VALUE")?;
        setup.set(name, value)?;
    }
    let fixed = match options {
        [] => None,
        _ => Some(G::start(&setup)?),
    };
    Ok(move |random: &mut Random| match &fixed {
        Some(position) => position.clone(),
        None => G::beginning(random),
    })
}

/// Plays matches and appends their positions to a file, as text: the position, the score of
/// the search, and the result, or `-` if the position did not occur in the match.
pub(crate) fn play<G: Tunable>(
    options: &[String],
    path: Option<&Path>,
    conditions: Conditions,
    extent: Extent,
    out: &Path,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<()> {
    let weights = weights::<G>(path)?;
    let bytes = |example: &Example<G>| {
        let Example {
            position,
            score: Some(score),
            result,
        } = example
        else {
            // What a search came across, without a score.
            return Vec::new();
        };
        let result = result.map_or("-".to_owned(), |result| result.to_string());
        format!("{position}\t{score}\t{result}\n").into_bytes()
    };
    self_play::play_many(
        |position: &G| position.guide(&weights),
        start::<G>(options)?,
        conditions,
        extent,
        bytes,
        out,
        tell,
    )
}

/// Calls `take` with every line of the `files` that [`play`] wrote: its number in the file, the
/// position, and the expected result of its mover, from 0 to 1.
pub(crate) fn read_all<G: Game>(
    files: &[PathBuf],
    result_share: f32,
    mut take: impl FnMut(usize, G, f32),
) -> anyhow::Result<()> {
    for file in files {
        for (number, line) in fs::read_to_string(file)?.lines().enumerate() {
            let (position, target) = read(line, result_share).context("a line is broken")?;
            take(number, position, target);
        }
    }
    Ok(())
}

/// Reads a line of [`play`].
fn read<G: Game>(line: &str, result_share: f32) -> anyhow::Result<(G, f32)> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().context("a field is missing");
    let position = next()?.parse::<G>().ok().context("no position")?;
    let score: f32 = next()?.parse()?;
    let thought = 1.0 / (1.0 + (-score / 400.0).exp());
    let target = match next()? {
        "-" => thought,
        result => {
            let result: f32 = result.parse()?;
            result_share * result / 2.0 + (1.0 - result_share) * thought
        }
    };
    Ok((position, target))
}
