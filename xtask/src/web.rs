//! The shipped page: built with all optimizations, and embedded in the program.

use std::path::{Path, PathBuf};

use crate::{
    run::{Run, cargo, root, say},
    wasm::{self, Profile},
};

/// Builds the page and returns the folder with its files.
pub(crate) fn build_page() -> anyhow::Result<PathBuf> {
    say("compiling the page for WebAssembly with all optimizations; the first time takes minutes");
    let programs = wasm::build(Profile::Release)?;
    let page = root().join("target/page");
    let statics = root().join("crates/web/page");
    let paths = [&programs.page, &programs.worker, &statics, &page];
    let [program, worker, statics, out] = &paths.map(|path| path.to_string_lossy().into_owned());
    cargo(&[
        "run",
        "--quiet",
        "--package",
        "parlour-bundle",
        "--",
        program,
        worker,
        statics,
        out,
    ])
    .check()?;
    Ok(page)
}

fn with_page(args: &[&str]) -> anyhow::Result<Run> {
    let page = build_page()?;
    Ok(cargo(args).with("PARLOUR_PAGE", page))
}

/// Builds the page and a `parlour` that serves it.
pub(crate) fn build() -> anyhow::Result<()> {
    with_page(&["build", "--release", "--package", "parlour-cli"])?.check()
}

/// Plays in a real browser, and audits the page if there is a script for that.
pub(crate) fn test(audit: Option<PathBuf>) -> anyhow::Result<()> {
    // Code that reads figures from a trace is tested as well.
    let features = if audit.is_some() {
        "audit,figures"
    } else {
        "figures"
    };
    let args = [
        "test",
        "--package",
        "parlour-page",
        "--features",
        features,
        "--test",
        "browser",
        "--",
        "--test-threads=2",
        "--skip",
        "figures::are_written",
    ];
    let mut run = with_page(&args)?;
    if let Some(script) = audit {
        run = run.with("PARLOUR_AXE", script);
    }
    run.check()
}

/// Measures the page in a real browser and writes the figures to `file`.
pub(crate) fn measure(file: &Path) -> anyhow::Result<()> {
    let args = [
        "test",
        "--package",
        "parlour-page",
        "--features",
        "figures",
        "--test",
        "browser",
        "--",
        "--exact",
        "figures::are_written",
    ];
    with_page(&args)?.with("PARLOUR_FIGURES", file).check()
}
