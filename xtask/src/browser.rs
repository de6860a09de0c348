//! Tests in a real browser, which is installed where it is missing.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Context;

use crate::{
    circumstances::circumstances,
    run::{program, root, say},
    wasm, web,
};

/// The audit of accessibility, as npm names it.
const AUDIT: &str = "axe-core@4.10.3";

/// How long npm may take to fetch it.
const NPM_LIMIT: Duration = Duration::from_secs(60);

/// Makes sure that there is a browser.
fn prepare() -> anyhow::Result<()> {
    if program("chromium", &["--version"]).succeeds() {
        return Ok(());
    }
    let packages = ["chromium", "fonts-dejavu-core", "fonts-noto-cjk"];
    wasm::install(&packages).context("there is no Chromium, and it can't be installed")
}

/// Plays all games in Chromium.
pub(crate) fn test() -> anyhow::Result<()> {
    if let Err(e) = prepare() {
        say(&format!("left out: {e:#}"));
        return Ok(());
    }
    let audit = audit();
    if let Err(e) = &audit {
        say(&format!("left out: the audit by {AUDIT} ({e:#})"));
    }
    web::test(audit.ok())
}

const FIGURES: &str = "docs/page-figures.md";

/// Measures the page in Chromium and writes the figures down.
pub(crate) fn measure() -> anyhow::Result<()> {
    prepare()?;
    let part = root().join("target/page-figures.md");
    let circumstances = circumstances()?;
    let before = load();
    web::measure(&part)?;
    let load = format!("load {before} before and {} after", load());
    let figures = fs::read_to_string(part)?;
    let text = format!(
        "# Figures of the page\n\n\
         Written by `cargo xtask figures`, which plays in a real browser with a real mouse and reads its trace.\n\n\
         {circumstances}, {load}. {figures}"
    );
    fs::write(root().join(FIGURES), text)?;
    Ok(())
}

/// How many programs wanted a processor in the last minutes, where the system tells:
/// figures of a busy machine are not those of the page.
fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').nth(1).unwrap_or("unknown").to_owned()
}

/// Draws the picture that links to the page are shown with, from the drawings of
/// the documents.
pub(crate) fn draw_card() -> anyhow::Result<()> {
    prepare()?;
    let drawing = root().join("docs/pictures/card.svg");
    let card = root().join("crates/web/page/card.png");
    let folder = root().join("target/card");
    program(
        "chromium",
        &[
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--window-size=1200,630",
            &format!("--user-data-dir={}", folder.display()),
            &format!("--screenshot={}", card.display()),
            &format!("file://{}", drawing.display()),
        ],
    )
    .check()
}

/// Where the script of the audit is; it is fetched once.
fn audit() -> anyhow::Result<PathBuf> {
    let folder = root().join("target/audit");
    let script = folder.join("package/axe.min.js");
    if !script.exists() {
        fs::create_dir_all(&folder)?;
        program("npm", &["pack", "--silent", AUDIT])
            .inside(&folder)
            .check_within(NPM_LIMIT)?;
        let package = format!("{}.tgz", AUDIT.replace('@', "-"));
        program("tar", &["xzf", &package])
            .inside(&folder)
            .check()
            .context("the package can't be opened")?;
    }
    Ok(script)
}
