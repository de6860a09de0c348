//! Takeover and Ataxx.

use std::{fs, path::Path};

use anyhow::Context;
use bots::takeover::TakeoverGuide;
use rules::{Game, Position, Random};
use takeover::{Setup, Takeover, Variant};

use crate::self_play::{self, Conditions, Example, Extent};

/// The result of a position that did not occur in a match.
const NO_RESULT: u8 = 3;

/// A position in 32 bytes, as `train.py` reads it: the squares of the mover, of the
/// opponent and of the obstacles in 8 bytes each, the score in 2, the result, and
/// whether there is a score. Little-endian. The last bytes are for a teacher's score.
fn packed(example: &Example<Takeover>) -> [u8; 32] {
    let position = &example.position;
    let squares = [
        position.pieces(position.turn()),
        position.pieces(!position.turn()),
        position.obstacles(),
    ];
    let mut bytes = [0; 32];
    for (n, squares) in squares.into_iter().enumerate() {
        bytes[8 * n..8 * n + 8].copy_from_slice(&squares.0.to_le_bytes());
    }
    let score = example.score.unwrap_or(0).clamp(-32_000, 32_000) as i16;
    bytes[24..26].copy_from_slice(&score.to_le_bytes());
    bytes[26] = example.result.unwrap_or(NO_RESULT);
    bytes[27] = example.score.is_some().into();
    bytes
}

/// The start of a match on any board; three of four boards of Ataxx have no obstacles.
pub(crate) fn start(variant: Variant, random: &mut Random) -> Takeover {
    let is_bare = variant == Variant::Ataxx && random.below(4) > 0;
    let board = if is_bare { 0 } else { random.any() };
    Takeover::start(&Setup { variant, board }).expect("Takeover has a start")
}

/// Plays matches and appends their positions to a file. The guide has the weights in
/// the file `weights`, or else the built-in ones.
pub(crate) fn play(
    variant: Variant,
    weights: Option<&Path>,
    conditions: Conditions,
    extent: Extent,
    out: &Path,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<()> {
    let guide = match weights {
        Some(path) => {
            let weights =
                fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
            TakeoverGuide::with_weights(variant, &weights)
                .with_context(|| format!("{} holds no network of this size", path.display()))?
        }
        None => TakeoverGuide::new(variant),
    };
    let bytes = |example: &Example<Takeover>| packed(example).to_vec();
    self_play::play_many(
        |_: &Takeover| guide,
        |random: &mut Random| start(variant, random),
        conditions,
        extent,
        bytes,
        out,
        tell,
    )
}
