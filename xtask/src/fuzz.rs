//! The fuzz targets of the folder `fuzz`.

use crate::run::{nightly_cargo, root};

const TARGETS: [&str; 3] = ["texts", "records", "protocol"];

/// Whether the nightly toolchain and cargo-fuzz are there.
pub(crate) fn is_possible() -> bool {
    nightly_cargo(&["fuzz", "--version"]).succeeds()
}

/// Runs every target for so many seconds, from the examples in the repository.
pub(crate) fn run(seconds: u32) -> anyhow::Result<()> {
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
        .check()?;
    }
    Ok(())
}
