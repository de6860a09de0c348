//! Date, commit and machine of a measurement.

use std::thread;

use crate::run::program;

/// The date, the commit and the number of cores, as the documents have them.
pub(crate) fn circumstances() -> anyhow::Result<String> {
    let date = program("date", &["-u", "+%F"]).output()?;
    let commit = program("git", &["describe", "--always"]).output()?;
    // Documents with earlier figures may not be committed yet.
    let changed = program("git", &["status", "--porcelain", "--", ".", ":!docs"]).output()?;
    let changed = if changed.is_empty() { "" } else { "-dirty" };
    let n_cores = thread::available_parallelism()?.get();
    Ok(format!("{date}, commit {commit}{changed}, {n_cores} cores"))
}
