//! Runs other programs.

use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// The folder that cargo builds into.
pub(crate) fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// The load average, where the system has one: figures of a busy machine are not those of
/// the program.
pub(crate) fn load_average() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').nth(1).unwrap_or("unknown").to_owned()
}

/// Prints a message to the terminal.
pub(crate) fn say(text: &str) {
    // Standard error may be closed.
    writeln!(std::io::stderr(), "{text}").ok();
}

/// A program to be run in the root of the repository.
pub(crate) struct Run(Command);

/// `program` with `args`.
pub(crate) fn program(program: impl AsRef<OsStr>, args: &[&str]) -> Run {
    let mut command = Command::new(program);
    command.args(args).current_dir(root()).stdin(Stdio::null());
    Run(command)
}

/// The cargo that runs this.
pub(crate) fn cargo(args: &[&str]) -> Run {
    program(std::env::var_os("CARGO").unwrap_or("cargo".into()), args)
}

/// Whether nextest runs the tests, as `.config/nextest.toml` says; otherwise cargo does.
pub(crate) fn has_nextest() -> bool {
    cargo(&["nextest", "--version"]).succeeds()
}

/// Another toolchain's cargo has to be run through rustup.
pub(crate) fn nightly_cargo(args: &[&str]) -> Run {
    let args = [&["run", "nightly", "cargo"], args].concat();
    // Environment variables of this cargo must not reach the other toolchain's.
    program("rustup", &args)
        .without("CARGO")
        .without("RUSTUP_TOOLCHAIN")
}

impl Run {
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.0.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.0.env_remove(name);
        self
    }

    pub(crate) fn inside(mut self, folder: impl AsRef<Path>) -> Self {
        self.0.current_dir(folder);
        self
    }

    /// Runs it with its output shown, and fails if it does.
    pub(crate) fn check(self) -> anyhow::Result<()> {
        say(&format!("$ {}", self.line()));
        self.check_quietly()
    }

    /// As [`check`](Self::check), without showing the command.
    pub(crate) fn check_quietly(mut self) -> anyhow::Result<()> {
        let line = self.line();
        let status = self
            .0
            .status()
            .with_context(|| format!("can't start {line}"))?;
        if !status.success() {
            bail!("{line} failed ({status})");
        }
        Ok(())
    }

    /// Starts it with an input that is closed when this process ends.
    pub(crate) fn spawn_with_input(mut self) -> anyhow::Result<Child> {
        let line = self.line();
        self.0.stdin(Stdio::piped());
        self.0
            .spawn()
            .with_context(|| format!("can't start {line}"))
    }

    /// As [`check`](Self::check), but gives up after `limit`.
    pub(crate) fn check_within(mut self, limit: Duration) -> anyhow::Result<()> {
        let line = self.line();
        say(&format!("$ {line}"));
        let mut child = self
            .0
            .spawn()
            .with_context(|| format!("can't start {line}"))?;
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                if !status.success() {
                    bail!("{line} failed ({status})");
                }
                return Ok(());
            }
            if start.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                bail!("{line} took more than {} s", limit.as_secs());
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Whether it can be run and succeeds, quietly.
    pub(crate) fn succeeds(mut self) -> bool {
        let quiet = self.0.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    }

    /// Its output, without the last line break.
    pub(crate) fn output(mut self) -> anyhow::Result<String> {
        let line = self.line();
        let output = self.0.stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("can't start {line}"))?;
        if !output.status.success() {
            bail!("{line} failed ({})", output.status);
        }
        Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
    }

    /// The command line.
    fn line(&self) -> String {
        let program = Path::new(self.0.get_program());
        let name = program.file_name().unwrap_or(program.as_os_str());
        let words = std::iter::once(name).chain(self.0.get_args());
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        words.join(" ")
    }
}
