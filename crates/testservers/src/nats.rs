use std::{
    fs::File,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use anyhow::Context;
use tempfile::TempDir;

use crate::program::{folder_with, free_port, is_listening, wait_until};

/// A NATS server of its own.
#[derive(Debug)]
pub struct Nats {
    folder: TempDir,
    port: u16,
    child: Option<Child>,
}

impl Nats {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// Returns an error if Debian's package `nats-server` is not installed or it does not
    /// start.
    pub fn start() -> anyhow::Result<Self> {
        let mut nats = Self {
            folder: tempfile::tempdir()?,
            port: free_port()?,
            child: None,
        };
        nats.restart()?;
        Ok(nats)
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it; all connections break.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts it again on the same port.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.kill();
        let programs = folder_with(&["nats-server"], &[PathBuf::from("/usr/sbin")])
            .context("NATS is missing; it is in Debian's package nats-server")?;
        let log = self.folder.path().join("log");
        let mut child = Command::new(programs.join("nats-server"))
            .args(["--addr", "127.0.0.1", "--port", &self.port.to_string()])
            .stdin(Stdio::null())
            .stdout(File::create(&log)?)
            .stderr(File::options().append(true).open(&log)?)
            .spawn()?;
        let started = wait_until(|| is_listening(self.port), &mut child, &log);
        self.child = Some(child);
        started.context("nats-server does not start")
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
