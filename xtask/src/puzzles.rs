//! The puzzles that are shipped.

use crate::{
    circumstances::circumstances,
    run::{cargo, root},
    solver,
};

const PACKAGE: &str = "parlour-miner";

const RUN: [&str; 5] = ["run", "--release", "--package", PACKAGE, "--"];

/// The folder of the shipped puzzles.
const FILES: &str = "crates/puzzles/files";

/// Where the result of the check is written.
const DOCUMENT: &str = "docs/puzzles.md";

/// How many puzzles are found in WebAssembly, a quarter of them in each game.
const N_IN_WASM: u32 = 24;

/// Writes the files of the named games, or of all.
pub(crate) fn write(games: &[String]) -> anyhow::Result<()> {
    let folder = root().join(FILES);
    let folder = folder.to_string_lossy();
    let games: Vec<&str> = games.iter().map(String::as_str).collect();
    cargo(&[&RUN[..], &["write", &folder], &games].concat()).check()
}

/// Chooses the shipped puzzles again and compares them with the files, proves them and those
/// of so many seeds a game, and compares those of the
/// first seeds with what WebAssembly finds. Writes the result into the document.
pub(crate) fn check(n_seeds: u32) -> anyhow::Result<()> {
    let (n_seeds, when) = (n_seeds.to_string(), circumstances()?);
    let document = root().join(DOCUMENT);
    let document = document.to_string_lossy();
    let folder = root().join(FILES);
    let folder = folder.to_string_lossy();
    let args = ["check", &folder, &n_seeds, "--record", &document, &when];
    cargo(&[&RUN[..], &args].concat()).check()?;
    solver::compare_example(PACKAGE, "files", N_IN_WASM, "puzzle")
}
