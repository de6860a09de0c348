use std::{
    env, fs,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Child,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder that has all of some programs: one of `folders`, or of the search path.
pub(crate) fn folder_with(programs: &[&str], folders: &[PathBuf]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = folders.iter().cloned().chain(env::split_paths(&path));
    folders.find(|folder| {
        let mut programs = programs.iter();
        programs.all(|program| folder.join(program).is_file())
    })
}

/// A port that nobody listens on just now.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// Waits until `is_ready`, or until the server ends, which is an error with what it wrote
/// to `log`.
pub(crate) fn wait_until(
    is_ready: impl Fn() -> bool,
    child: &mut Child,
    log: &Path,
) -> anyhow::Result<()> {
    let start = Instant::now();
    while !is_ready() {
        if let Some(status) = child.try_wait()? {
            let log = fs::read_to_string(log).context("its log can't be read")?;
            bail!("it ended with {status}: {log}");
        }
        if start.elapsed() > PATIENCE {
            bail!("it did not start within {PATIENCE:?}");
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Whether somebody listens on a port.
pub(crate) fn is_listening(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}
