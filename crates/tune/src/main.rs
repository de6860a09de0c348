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
mod matches;
mod nonaga;
mod patterns;
mod rank;
mod self_play;
mod simply_go;
mod takeover;
mod tunable;
mod watched;

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
        /// Plays with the weights in this file instead of the built-in ones
        #[arg(long)]
        weights: Option<PathBuf>,
        /// Nonaga and Simply Go: an option of the game, such as size=9
        #[arg(long = "set")]
        options: Vec<String>,
        /// Ends most matches when both players agree on a score of this much; those
        /// with a proven win end in any case
        #[arg(long)]
        resign: Option<i32>,
        /// Appends so many positions of every search as well, without a result, and one of
        /// twice as many with a score; of Nonaga and Simply Go only those
        #[arg(long, default_value_t = 0)]
        samples: usize,
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
    /// Plays matches between two sets of weights
    Match(matches::MatchArgs),
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
        /// Nonaga: how fast weights that nothing needs fade
        #[arg(long, default_value_t = 0.01)]
        decay: f32,
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long)]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
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
            options,
            resign,
            samples,
            seed,
            threads,
            out,
        } => {
            let conditions = Conditions {
                nodes,
                n_random_moves: random_moves,
                most_moves: 300,
                resign,
                n_samples: samples,
            };
            let extent = Extent {
                n_matches: matches,
                seconds,
                seed,
                n_threads: threads,
            };
            let weights = weights.as_deref();
            match game {
                GameName::Takeover | GameName::Ataxx => {
                    let variant = game.variant().unwrap_or_default();
                    takeover::play(variant, weights, conditions, extent, &out, &tell)
                }
                GameName::Nonaga => {
                    let play = tunable::play::<Nonaga>;
                    play(&options, weights, conditions, extent, &out, &tell)
                }
                GameName::SimplyGo => {
                    let play = tunable::play::<SimplyGo>;
                    play(&options, weights, conditions, extent, &out, &tell)
                }
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
        Command::Match(args) => match args.game {
            GameName::Takeover | GameName::Ataxx => bail!("parlour match plays this game"),
            GameName::Nonaga => matches::run::<Nonaga>(&args, &tell),
            GameName::SimplyGo => matches::run::<SimplyGo>(&args, &tell),
        },
        Command::Fair(args) => fair::run(&args, &tell),
        Command::Fit {
            game,
            files,
            epochs,
            rate,
            result_share,
            decay,
            seed,
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
                GameName::Nonaga => {
                    let schedule = patterns::Schedule {
                        epochs,
                        batch: 1024,
                        rate,
                        decay,
                        seed,
                    };
                    patterns::fit(&files, share, schedule, &out, tell)
                }
                GameName::SimplyGo => {
                    counted::fit::<SimplyGo, _>(&files, share, schedule, &out, tell)
                }
            }
        }
    }
}
