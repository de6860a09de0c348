//! When and on what something was measured.

use std::thread;

use crate::run::program;

/// The date, the commit and the number of cores, as the documents have them.
pub(crate) fn circumstances() -> anyhow::Result<String> {
    let date = program("date", &["-u", "+%F"]).output()?;
    let commit = program("git", &["describe", "--always"]).output()?;
    // What was measured before may be written and not yet be committed.
    let changed = program("git", &["status", "--porcelain", "--", ".", ":!docs"]).output()?;
    let changed = if changed.is_empty() { "" } else { "-dirty" };
    let n_cores = thread::available_parallelism()?.get();
    Ok(format!("{date}, commit {commit}{changed}, {n_cores} cores"))
}
