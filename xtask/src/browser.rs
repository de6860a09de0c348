//! Tests in a real browser, which is installed where it is missing.

use crate::{
    run::{program, say},
    wasm, web,
};

/// Whether Chromium can be started.
fn is_there() -> bool {
    program("chromium", &["--version"]).succeeds()
}

/// Plays all games in Chromium.
pub(crate) fn test() -> anyhow::Result<()> {
    if !is_there() {
        let packages = ["chromium", "fonts-dejavu-core", "fonts-noto-cjk"];
        if let Err(e) = wasm::install(&packages) {
            say(&format!(
                "left out: there is no Chromium, and it can't be installed ({e:#})"
            ));
            return Ok(());
        }
    }
    web::test()
}
