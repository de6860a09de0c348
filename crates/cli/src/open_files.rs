//! How many sockets this process may have.

use anyhow::bail;

/// What a process has open besides its sockets.
const OTHERS: u64 = 100;

/// Raises the limit of open files as far as it may, and returns it; `None` where the system
/// has no such limit.
#[cfg(unix)]
pub(crate) fn raise() -> Option<u64> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        limit.current = limit.maximum;
        // If it is refused, the limit is what it was.
        setrlimit(Resource::Nofile, limit).ok();
    }
    getrlimit(Resource::Nofile).current
}

/// There is no such limit.
#[cfg(not(unix))]
pub(crate) fn raise() -> Option<u64> {
    None
}

/// Makes room for this many sockets.
pub(crate) fn require(n_sockets: u64) -> anyhow::Result<()> {
    let needed = n_sockets + OTHERS;
    if let Some(limit) = raise().filter(|&limit| limit < needed) {
        bail!(
            "{n_sockets} sockets need {needed} open files, and {limit} are allowed; raise the \
             hard limit with ulimit -Hn {needed} as root, or with LimitNOFILE= in a systemd unit"
        );
    }
    Ok(())
}
