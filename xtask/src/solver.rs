//! What the Lilypads solver is held to beyond the tests of its crate.

use std::fs;

use crate::{
    run::{cargo, program, root, say},
    wasm,
};

const PACKAGE: &str = "parlour-lilypads-solver";
const SCRIPT: &str = include_str!("solver.mjs");

/// Solves so many boards in WebAssembly, under Node.js if it is there, and
/// compares the tables with those of native code.
pub(crate) fn compare_wasm(n_boards: u32) -> anyhow::Result<()> {
    let path = wasm::build_example(PACKAGE, "tables")?;
    if !program("node", &["--version"]).succeeds() {
        say("left out: Node.js is not installed, so the solver can't be run as WebAssembly");
        return Ok(());
    }
    let path = path.to_string_lossy();
    let n_boards = n_boards.to_string();
    let args = [
        "--input-type=module",
        "--eval",
        SCRIPT,
        "--",
        &path,
        &n_boards,
    ];
    say(&format!(
        "solving {n_boards} boards of Lilypads in WebAssembly"
    ));
    say(&program("node", &args).output()?);
    Ok(())
}

/// Derives every state of so many boards anew from its moves.
pub(crate) fn check_states(n_boards: u32) -> anyhow::Result<()> {
    for number in 0..n_boards {
        let number = number.to_string();
        let run = ["run", "--release", "--package", "parlour-cli", "--"];
        cargo(&[&run[..], &["solve", &number, "--check"]].concat()).check()?;
    }
    Ok(())
}

/// Writes the report on the first 200 boards.
pub(crate) fn report_boards() -> anyhow::Result<()> {
    let run = [
        "run",
        "--release",
        "--package",
        PACKAGE,
        "--example",
        "boards",
    ];
    let report = cargo(&run).output()?;
    fs::write(root().join("docs/lilypads-boards.md"), report + "\n")?;
    Ok(())
}
