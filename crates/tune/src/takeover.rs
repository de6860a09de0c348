//! Takeover and Ataxx.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bots::takeover::{N_HIDDEN, N_INPUTS, N_STAGES, TakeoverGuide, input, stage};
use rules::{Game, Position, Random};
use takeover::{Setup, SquareSet, Takeover, Variant};

use crate::{
    network::{self, Examples, Inputs, Network, Schedule},
    self_play::{self, Conditions, Example, Extent},
};

/// A position in 32 bytes, own and other as its mover sees them.
#[derive(Clone, Copy)]
struct Packed {
    mover: u64,
    other: u64,
    obstacles: u64,
    score: i16,
    result: u8,
}

const PACKED_SIZE: usize = 32;

impl Packed {
    fn new(example: &Example<Takeover>) -> Self {
        let position = &example.position;
        Self {
            mover: position.pieces(position.turn()).0,
            other: position.pieces(!position.turn()).0,
            obstacles: position.obstacles().0,
            score: example.score.clamp(-32_000, 32_000) as i16,
            result: example.result,
        }
    }

    fn bytes(self) -> [u8; PACKED_SIZE] {
        let mut bytes = [0; PACKED_SIZE];
        bytes[..8].copy_from_slice(&self.mover.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.other.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.obstacles.to_le_bytes());
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        bytes
    }

    fn read(bytes: &[u8]) -> Self {
        let word = |start: usize| {
            let bytes = bytes[start..start + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        Self {
            mover: word(0),
            other: word(8),
            obstacles: word(16),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: bytes[26],
        }
    }
}

/// Plays matches and appends their positions to a file.
pub(crate) fn play(
    variant: Variant,
    conditions: Conditions,
    extent: Extent,
    out: &Path,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<()> {
    let start = |random: &mut Random| {
        // Every other board of Ataxx has no obstacles.
        let is_bare = variant == Variant::Ataxx && random.below(2) == 0;
        let board = if is_bare { 0 } else { random.any() };
        Takeover::start(&Setup { variant, board }).expect("Takeover has a start")
    };
    let bytes = |example: &Example<Takeover>| Packed::new(example).bytes().to_vec();
    self_play::play_many(&TakeoverGuide, start, conditions, extent, bytes, out, tell)
}

struct Positions {
    packed: Vec<Packed>,
    size: u8,
    /// How much the result counts against what the search thought.
    result_share: f32,
}

impl Examples for Positions {
    fn len(&self) -> usize {
        self.packed.len()
    }

    fn inputs(&self, index: usize, symmetry: u32, inputs: &mut Inputs) {
        let packed = self.packed[index];
        let size = self.size;
        inputs.mover.clear();
        inputs.other.clear();
        let turned = |square: takeover::Square| {
            let last = size - 1;
            let (mut file, mut rank) = (square.file(), square.rank());
            if symmetry & 1 != 0 {
                file = last - file;
            }
            if symmetry & 2 != 0 {
                rank = last - rank;
            }
            if symmetry & 4 != 0 {
                (file, rank) = (rank, file);
            }
            takeover::Square::new(file, rank)
        };
        for (kind, set) in [packed.mover, packed.other, packed.obstacles]
            .into_iter()
            .enumerate()
        {
            for square in SquareSet(set) {
                let square = turned(square);
                let seen_by_other = [1, 0, 2][kind];
                inputs.mover.push(input(size, kind, square) as u16);
                inputs.other.push(input(size, seen_by_other, square) as u16);
            }
        }
        inputs.stage = stage(
            size,
            (packed.mover | packed.other | packed.obstacles).count_ones(),
        );
        let thought = 1.0 / (1.0 + (-f32::from(packed.score) / 400.0).exp());
        let result = f32::from(packed.result) / 2.0;
        inputs.target = self.result_share * result + (1.0 - self.result_share) * thought;
    }
}

/// Fits a network to the positions in `files` and writes it to `out`.
pub(crate) fn fit(
    variant: Variant,
    files: &[PathBuf],
    result_share: f32,
    schedule: Schedule,
    out: &Path,
    mut tell: impl FnMut(String),
) -> anyhow::Result<()> {
    let mut packed = Vec::new();
    for file in files {
        let bytes = fs::read(file)?;
        packed.extend(bytes.chunks_exact(PACKED_SIZE).map(Packed::read));
    }
    // The part that is kept back is a sample of all.
    let mut random = Random::new(schedule.seed);
    for n in (1..packed.len()).rev() {
        packed.swap(n, random.below(n as u32 + 1) as usize);
    }
    tell(format!("{} positions", packed.len()));
    let positions = Positions {
        packed,
        size: variant.size(),
        result_share,
    };
    let mut network = Network::<N_HIDDEN>::random(N_INPUTS, N_STAGES, &mut random);
    network::fit(&mut network, &positions, schedule, tell);
    fs::write(out, quantized(&network))?;
    Ok(())
}

/// The weights as 16-bit numbers, as `bots` reads them.
fn quantized<const H: usize>(network: &Network<H>) -> Vec<u8> {
    const ONE_HIDDEN: f32 = 255.0;
    const ONE_OUTPUT: f32 = 64.0;
    let mut bytes = Vec::new();
    let mut push = |weight: f32| {
        let number = weight.round().clamp(-32_768.0, 32_767.0) as i16;
        bytes.extend_from_slice(&number.to_le_bytes());
    };
    for row in network
        .inputs
        .iter()
        .chain(std::iter::once(&network.hidden_bias))
    {
        for weight in row {
            push(weight * ONE_HIDDEN);
        }
    }
    for output in &network.outputs {
        for weight in output.mover.iter().chain(&output.other) {
            push(weight * ONE_OUTPUT);
        }
        push(output.bias * ONE_OUTPUT);
    }
    bytes
}
