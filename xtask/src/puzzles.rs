//! The puzzles that are shipped.

use crate::run::{cargo, root};

const RUN: [&str; 5] = ["run", "--release", "--package", "parlour-miner", "--"];

/// Writes the files of the named games, or of all.
pub(crate) fn write(games: &[String]) -> anyhow::Result<()> {
    let folder = root().join("crates/puzzles/files");
    let folder = folder.to_string_lossy();
    let games: Vec<&str> = games.iter().map(String::as_str).collect();
    cargo(&[&RUN[..], &["write", &folder], &games].concat()).check()
}

/// Proves all shipped puzzles, and those of so many seeds a game.
pub(crate) fn check(n_seeds: u32) -> anyhow::Result<()> {
    cargo(&[&RUN[..], &["check", &n_seeds.to_string()]].concat()).check()
}
