//! Finds the weights of evaluations by self-play.
//!
//! `tune play` lets a game's guide play against itself and writes down the
//! positions; `tune fit` fits the guide's weights to them.

#![allow(clippy::print_stdout, reason = "it tells how it goes")]

mod linear;
mod network;
mod nonaga;
mod self_play;
mod takeover;

use std::path::PathBuf;

use ::takeover::Variant::{Ataxx, Standard};
use clap::{Parser, Subcommand, ValueEnum};

use crate::{
    network::Schedule,
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
        game: Game,
        #[arg(long, default_value_t = 1_000_000)]
        matches: u64,
        /// Stops after so long
        #[arg(long, default_value_t = u64::MAX)]
        seconds: u64,
        #[arg(long, default_value_t = 2_000)]
        nodes: u64,
        #[arg(long, default_value_t = 4)]
        random_moves: u32,
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long, default_value_t = 2)]
        threads: usize,
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits weights to the positions of files
    Fit {
        game: Game,
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[arg(long, default_value_t = 20)]
        epochs: u32,
        #[arg(long, default_value_t = 0.001)]
        rate: f32,
        /// How much the result counts against what the search thought
        #[arg(long, default_value_t = 0.5)]
        result_share: f32,
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long, default_value_t = 2)]
        threads: usize,
        #[arg(long)]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Game {
    Takeover,
    Ataxx,
    Nonaga,
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
            seed,
            threads,
            out,
        } => {
            let conditions = Conditions {
                nodes,
                n_random_moves: random_moves,
                most_moves: 300,
            };
            let extent = Extent {
                n_matches: matches,
                seconds,
                seed,
                n_threads: threads,
            };
            match game {
                Game::Takeover => takeover::play(Standard, conditions, extent, &out, &tell),
                Game::Ataxx => takeover::play(Ataxx, conditions, extent, &out, &tell),
                Game::Nonaga => nonaga::play(conditions, extent, &out, &tell),
            }
        }
        Command::Fit {
            game,
            files,
            epochs,
            rate,
            result_share,
            seed,
            threads,
            out,
        } => {
            let schedule = Schedule {
                epochs,
                batch: 16_384,
                rate,
                threads,
                seed,
            };
            let share = result_share;
            match game {
                Game::Takeover => takeover::fit(Standard, &files, share, schedule, &out, tell),
                Game::Ataxx => takeover::fit(Ataxx, &files, share, schedule, &out, tell),
                Game::Nonaga => nonaga::fit(&files, share, schedule, &out, tell),
            }
        }
    }
}
