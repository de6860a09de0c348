//! The puzzles that are shipped.

use crate::{
    run::{cargo, root},
    solver,
};

const PACKAGE: &str = "parlour-miner";

const RUN: [&str; 5] = ["run", "--release", "--package", PACKAGE, "--"];

/// How many puzzles are found in WebAssembly, a quarter of them in each game.
const N_IN_WASM: u32 = 24;

/// Writes the files of the named games, or of all.
pub(crate) fn write(games: &[String]) -> anyhow::Result<()> {
    let folder = root().join("crates/puzzles/files");
    let folder = folder.to_string_lossy();
    let games: Vec<&str> = games.iter().map(String::as_str).collect();
    cargo(&[&RUN[..], &["write", &folder], &games].concat()).check()
}

/// Proves all shipped puzzles, and those of so many seeds a game; and compares those of the
/// first seeds with what WebAssembly finds.
pub(crate) fn check(n_seeds: u32) -> anyhow::Result<()> {
    cargo(&[&RUN[..], &["check", &n_seeds.to_string()]].concat()).check()?;
    solver::compare_example(PACKAGE, "files", N_IN_WASM, "puzzle")
}
