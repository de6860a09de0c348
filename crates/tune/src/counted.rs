//! Games with a linear evaluation of a few counts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    linear::{self, Counted, Schedule},
    tunable::{Tunable, read_all},
};

/// A game with `N` features for a player.
pub(crate) trait Counting<const N: usize>: Tunable {
    /// The number of kinds of positions with weights of their own.
    const N_KINDS: usize = 1;

    /// The kind of a position, and the features of its mover and of the opponent;
    /// `None` if the evaluation does not use the weights.
    fn counts(&self) -> Option<(usize, [[i32; N]; 2])>;

    /// The value of the first weight, if the unit of the score is fixed.
    const UNIT: Option<f32> = None;
}

/// Fits the weights to the positions in `files` and writes them to `out`.
pub(crate) fn fit<G: Counting<N>, const N: usize>(
    files: &[PathBuf],
    result_share: f32,
    schedule: Schedule,
    out: &Path,
    mut tell: impl FnMut(String),
) -> anyhow::Result<()> {
    let mut examples: Vec<Vec<Counted<N>>> = Vec::new();
    examples.resize_with(G::N_KINDS, Vec::new);
    read_all(files, result_share, |_, position: G, target| {
        if let Some((kind, [own, other])) = position.counts() {
            examples[kind].push(Counted { own, other, target });
        }
    })?;
    let mut bytes = Vec::new();
    for (kind, examples) in examples.iter().enumerate() {
        tell(format!("kind {kind}: {} positions", examples.len()));
        bytes.extend(linear::fit(examples, G::UNIT, schedule, &mut tell));
    }
    fs::write(out, bytes)?;
    Ok(())
}
