//! Tools that checks need, installed if they are missing.
//!
//! Nothing is skipped silently: a tool that is missing and can't be installed is an
//! error.

use std::{env, ffi::OsString, fs, path::PathBuf, time::Duration};

use anyhow::Context;

use crate::run::{Run, cargo, program, say, target_folder};

/// The time limit for rustup and npm.
pub(crate) const DOWNLOAD_LIMIT: Duration = Duration::from_secs(120);

/// The accessibility audit, as npm names it.
const AUDIT: &str = "axe-core@4.10.3";

/// A program from crates.io that extends cargo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    /// The subcommand.
    pub(crate) command: &'static str,
    version: &'static str,
}

/// Checks licenses and sources of dependencies.
pub(crate) const DENY: Tool = Tool {
    command: "deny",
    version: "0.20.2",
};

/// Runs the fuzz targets.
pub(crate) const FUZZ: Tool = Tool {
    command: "fuzz",
    version: "0.13.2",
};

impl Tool {
    fn name(self) -> String {
        format!("cargo-{}", self.command)
    }

    /// Where it is installed by [`prepare`](Self::prepare).
    fn folder() -> PathBuf {
        target_folder().join("tools")
    }

    fn path(self) -> PathBuf {
        let name = format!("{}{}", self.name(), env::consts::EXE_SUFFIX);
        Self::folder().join("bin").join(name)
    }

    /// Makes sure that it is installed. An installed one is used, whatever its
    /// version.
    pub(crate) fn prepare(self) -> anyhow::Result<()> {
        if self.path().exists() || program(self.name(), &[self.command, "--version"]).succeeds() {
            return Ok(());
        }
        let name = self.name();
        say(&format!(
            "compiling {name} {} once, which takes some minutes",
            self.version
        ));
        let folder = Self::folder();
        let crate_name = format!("{name}@{}", self.version);
        let install = [
            "install",
            "--locked",
            // It has little to do, so optimizing it would take longer than it saves.
            "--debug",
            "--root",
            &folder.to_string_lossy(),
            &crate_name,
        ];
        cargo(&install)
            .with("CARGO_PROFILE_DEV_DEBUG", "false")
            .check()
            .with_context(|| format!("{name} is missing, and can't be installed"))
    }

    /// The search path with the folder of installed tools, for a cargo that looks there.
    pub(crate) fn search_path() -> anyhow::Result<OsString> {
        let old = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&old).chain([Self::folder().join("bin")]);
        Ok(env::join_paths(folders)?)
    }

    /// Its program, with `args` after its name.
    pub(crate) fn run(self, args: &[&str]) -> Run {
        let args = [&[self.command], args].concat();
        if self.path().exists() {
            program(self.path(), &args)
        } else {
            program(self.name(), &args)
        }
    }
}

/// A component of the toolchain; minimal toolchains lack some.
pub(crate) fn component(command: &str, name: &str) -> anyhow::Result<()> {
    if cargo(&[command, "--version"]).succeeds() {
        return Ok(());
    }
    program("rustup", &["component", "add", name])
        .check_within(DOWNLOAD_LIMIT)
        .with_context(|| format!("{name} is missing, and can't be installed"))
}

/// Chromium without windows starts in a third of the time. Not every system has a package of
/// it.
const BROWSERS: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// A browser, with fonts for both languages. Returns its program.
pub(crate) fn chromium() -> anyhow::Result<&'static str> {
    let [shell, whole] = BROWSERS;
    let fonts = ["fonts-dejavu-core", "fonts-noto-cjk"];
    let install = |name| from_packages(name, &[name, fonts[0], fonts[1]]).map(|()| name);
    install(shell).or_else(|_| install(whole))
}

/// What runs WebAssembly without a browser.
pub(crate) fn node() -> anyhow::Result<()> {
    from_packages("node", &["nodejs"])
}

/// Servers that tests of online play start.
pub(crate) fn servers() -> anyhow::Result<()> {
    // Debian has Postgres in a folder for each version.
    let has_postgres = fs::read_dir("/usr/lib/postgresql").is_ok_and(|mut versions| {
        versions.any(|version| version.is_ok_and(|v| v.path().join("bin/postgres").exists()))
    });
    if !has_postgres && !program("postgres", &["--version"]).succeeds() {
        packages(&["postgresql"]).context("Postgres is missing, and can't be installed")?;
    }
    // Its folder is not in everybody's search path.
    if fs::exists("/usr/sbin/nats-server")? {
        return Ok(());
    }
    from_packages("nats-server", &["nats-server"])
}

/// The script of the accessibility audit, fetched once.
pub(crate) fn audit() -> anyhow::Result<PathBuf> {
    let folder = target_folder().join("audit");
    let script = folder.join("package/axe.min.js");
    if !script.exists() {
        from_packages("npm", &["npm"])?;
        fs::create_dir_all(&folder)?;
        program("npm", &["pack", "--silent", AUDIT])
            .inside(&folder)
            .check_within(DOWNLOAD_LIMIT)
            .with_context(|| format!("{AUDIT} can't be fetched"))?;
        let package = format!("{}.tgz", AUDIT.replace('@', "-"));
        program("tar", &["xzf", &package])
            .inside(&folder)
            .check()
            .with_context(|| format!("{package} can't be unpacked"))?;
    }
    Ok(script)
}

/// A program that Debian's packages have.
fn from_packages(name: &str, names: &[&str]) -> anyhow::Result<()> {
    if program(name, &["--version"]).succeeds() {
        return Ok(());
    }
    packages(names).with_context(|| format!("{name} is missing, and can't be installed"))
}

/// Installs Debian's packages.
pub(crate) fn packages(names: &[&str]) -> anyhow::Result<()> {
    let is_root = program("id", &["-u"]).output()? == "0";
    let apt = |args: &[&str]| {
        let run = if is_root {
            program("apt-get", args)
        } else {
            program("sudo", &[&["apt-get"], args].concat())
        };
        run.with("DEBIAN_FRONTEND", "noninteractive").check()
    };
    apt(&["update", "-qq"])?;
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    apt(&[&install, names].concat())
}
