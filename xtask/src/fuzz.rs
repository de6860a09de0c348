//! The fuzz targets of the folder `fuzz`.

use anyhow::ensure;

use crate::{
    install::{FUZZ, Tool},
    run::{nightly_cargo, root},
};

const TARGETS: [&str; 4] = ["texts", "records", "protocol", "online"];

/// Runs every target for `seconds`, from the examples in the repository.
pub(crate) fn run(seconds: u32) -> anyhow::Result<()> {
    let has_nightly = nightly_cargo(&["--version"]).succeeds();
    ensure!(
        has_nightly,
        "cargo-fuzz needs the nightly toolchain: rustup toolchain install nightly"
    );
    FUZZ.prepare()?;
    for target in TARGETS {
        let corpus = root().join("fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus)?;
        nightly_cargo(&[
            "fuzz",
            "run",
            target,
            // Without a sanitizer, since there is no unsafe code.
            "--sanitizer=none",
            &format!("fuzz/corpus/{target}"),
            "fuzz/examples",
            "--",
            &format!("-max_total_time={seconds}"),
            "-max_len=4096",
            "-verbosity=0",
        ])
        .with("PATH", Tool::search_path()?)
        .check()?;
    }
    Ok(())
}
