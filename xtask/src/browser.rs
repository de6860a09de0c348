//! Tests in a real browser, which is installed where it is missing.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Context;

use crate::{
    run::{program, root, say},
    wasm, web,
};

/// The audit of accessibility, as npm names it.
const AUDIT: &str = "axe-core@4.10.3";

/// How long npm may take to fetch it.
const NPM_LIMIT: Duration = Duration::from_secs(60);

/// Plays all games in Chromium.
pub(crate) fn test() -> anyhow::Result<()> {
    if !program("chromium", &["--version"]).succeeds() {
        let packages = ["chromium", "fonts-dejavu-core", "fonts-noto-cjk"];
        if let Err(e) = wasm::install(&packages) {
            say(&format!(
                "left out: there is no Chromium, and it can't be installed ({e:#})"
            ));
            return Ok(());
        }
    }
    let audit = audit();
    if let Err(e) = &audit {
        say(&format!("left out: the audit by {AUDIT} ({e:#})"));
    }
    web::test(audit.ok())
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
