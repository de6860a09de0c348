//! The shipped page: built with all optimizations, and embedded in the program.

use std::path::{Path, PathBuf};

use crate::{
    run::{Run, cargo, has_nextest, root, say},
    wasm::{self, Profile},
};

/// The built page.
pub(crate) struct Page {
    /// The folder with its files.
    folder: PathBuf,
    /// The same as one document.
    file: PathBuf,
}

/// Builds the page.
pub(crate) fn build_page() -> anyhow::Result<Page> {
    say("compiling the page for WebAssembly with all optimizations; the first time takes minutes");
    let programs = wasm::build(Profile::Release)?;
    let page = Page {
        folder: root().join("target/page-shipped"),
        file: root().join("target/parlour.html"),
    };
    let statics = root().join("crates/web/page");
    let [takeover, ataxx] = &wasm::weights();
    let paths = [
        &programs.page,
        &programs.worker,
        &statics,
        &page.folder,
        &page.file,
        takeover,
        ataxx,
    ];
    let paths = paths.map(|path| path.to_string_lossy().into_owned());
    let run = ["run", "--quiet", "--package", "parlour-bundle", "--"];
    cargo(&[&run[..], &paths.each_ref().map(String::as_str)].concat()).check()?;
    Ok(page)
}

fn with_page(args: &[&str]) -> anyhow::Result<Run> {
    let page = build_page()?;
    Ok(cargo(args)
        .with("PARLOUR_PAGE", page.folder)
        .with("PARLOUR_FILE", page.file))
}

/// Builds the page as one file.
pub(crate) fn build_single_file() -> anyhow::Result<()> {
    let page = build_page()?;
    say(&format!("{}", page.file.display()));
    Ok(())
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
    let tests = ["--package", "parlour-page", "--features", features];
    let tests = [&tests[..], &["--test", "browser"]].concat();
    let args = if has_nextest() {
        let others = "not test(=figures::are_written)";
        let options = ["--test-threads=2", "--filterset", others];
        [&["nextest", "run"], &tests[..], &options].concat()
    } else {
        let options = ["--", "--test-threads=2", "--skip", "figures::are_written"];
        [&["test"], &tests[..], &options].concat()
    };
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
