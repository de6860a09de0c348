//! Tunes evaluations by self-play.
//!
//! `tune play` plays a game's guide against itself and writes the positions to a
//! file. `tune fit` fits the guide's weights to them, except for the networks of
//! Takeover and Ataxx, which `train.py` trains; see docs/training.md. `tune fair`
//! measures how fair the games are.

#![allow(clippy::print_stdout, reason = "it reports progress")]

mod beginners;
mod counted;
mod fair;
mod linear;
mod nonaga;
mod rank;
mod self_play;
mod simply_go;
mod takeover;

use std::path::PathBuf;

use ::nonaga::Nonaga;
use ::simply_go::SimplyGo;
use ::takeover::Variant::{self, Ataxx, Standard};
use anyhow::bail;
use clap::{Parser, Subcommand, ValueEnum};

use crate::{
    linear::Schedule,
    self_play::{Conditions, Extent},
};

/// Finds the weights of evaluations by self-play.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays matches and appends their positions to a file
    Play {
        game: GameName,
        #[arg(long, default_value_t = 1_000_000)]
        matches: u64,
        /// Stops after so long
        #[arg(long, default_value_t = u64::MAX)]
        seconds: u64,
        #[arg(long, default_value_t = 2_000)]
        nodes: u64,
        #[arg(long, default_value_t = 4)]
        random_moves: u32,
        /// Takeover and Ataxx: plays with the network in this file
        #[arg(long)]
        weights: Option<PathBuf>,
        /// Ends most matches when both players agree on a score of this much; those
        /// with a proven win end in any case
        #[arg(long)]
        resign: Option<i32>,
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long, default_value_t = 2)]
        threads: usize,
        #[arg(long)]
        out: PathBuf,
    },
    /// Takeover and Ataxx: plays matches, and fits the weights that rank moves to what was
    /// played
    Rank {
        game: GameName,
        #[arg(long, default_value_t = 40_000)]
        positions: usize,
        #[arg(long, default_value_t = 3_000)]
        nodes: u64,
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long)]
        out: PathBuf,
    },
    /// Plays matches between beginners and other opponents, to calibrate the lower levels
    Beginners(beginners::BeginnersArgs),
    /// Measures First's share of the points; for Takeover, finds the fair boards
    Fair(fair::FairArgs),
    /// Fits weights to the positions of files
    Fit {
        game: GameName,
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[arg(long, default_value_t = 20)]
        epochs: u32,
        #[arg(long, default_value_t = 0.001)]
        rate: f32,
        /// How much the result counts against what the search thought
        #[arg(long, default_value_t = 0.5)]
        result_share: f32,
        #[arg(long)]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum GameName {
    Takeover,
    Ataxx,
    Nonaga,
    SimplyGo,
}

impl GameName {
    /// The variant of Takeover that it names.
    fn variant(self) -> Option<Variant> {
        match self {
            Self::Takeover => Some(Standard),
            Self::Ataxx => Some(Ataxx),
            Self::Nonaga | Self::SimplyGo => None,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let tell = |line: String| println!("{line}");
    match Args::parse().command {
        Command::Play {
            game,
            matches,
            seconds,
            nodes,
            random_moves,
            weights,
            resign,
            seed,
            threads,
            out,
        } => {
            let conditions = Conditions {
                nodes,
                n_random_moves: random_moves,
                most_moves: 300,
                resign,
            };
            let extent = Extent {
                n_matches: matches,
                seconds,
                seed,
                n_threads: threads,
            };
            match game {
                GameName::Takeover | GameName::Ataxx => {
                    let variant = game.variant().unwrap_or_default();
                    let weights = weights.as_deref();
                    takeover::play(variant, weights, conditions, extent, &out, &tell)
                }
                GameName::Nonaga => counted::play::<Nonaga, _>(conditions, extent, &out, &tell),
                GameName::SimplyGo => counted::play::<SimplyGo, _>(conditions, extent, &out, &tell),
            }
        }
        Command::Rank {
            game,
            positions,
            nodes,
            seed,
            out,
        } => match game.variant() {
            Some(variant) => rank::fit(variant, positions, nodes, seed, &out, &tell),
            None => bail!("only Takeover and Ataxx rank moves by fitted weights"),
        },
        Command::Beginners(args) => beginners::run(&args, &tell),
        Command::Fair(args) => fair::run(&args, &tell),
        Command::Fit {
            game,
            files,
            epochs,
            rate,
            result_share,
            out,
        } => {
            let schedule = Schedule {
                epochs,
                batch: 16_384,
                rate,
            };
            let share = result_share;
            match game {
                GameName::Takeover | GameName::Ataxx => {
                    bail!("train.py trains this game's network; see docs/training.md")
                }
                GameName::Nonaga => counted::fit::<Nonaga, _>(&files, share, schedule, &out, tell),
                GameName::SimplyGo => {
                    counted::fit::<SimplyGo, _>(&files, share, schedule, &out, tell)
                }
            }
        }
    }
}
