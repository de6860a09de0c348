//! How fair the games are, measured by matches.

use std::thread;

use crate::run::cargo;

const REPORT: &str = "docs/fairness.md";
const LIST: &str = "crates/takeover/src/fair-boards.txt";
const FIGURES: &str = "crates/takeover/src/fair-figures.txt";

/// Runs `tune fair` with `args`, on all cores, and writes its files.
pub(crate) fn measure(args: &[&str]) -> anyhow::Result<()> {
    let run = [
        "run",
        "--release",
        "--package",
        "parlour-tune",
        "--",
        "fair",
    ];
    let n_threads = thread::available_parallelism()?.get().to_string();
    let files = ["--report", REPORT, "--list", LIST, "--figures", FIGURES];
    cargo(&[&run, args, &["--threads", &n_threads], &files].concat()).check()
}
