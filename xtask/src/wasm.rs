//! Builds for the browser.
//!
//! There are two compilers for `wasm32-unknown-unknown`. The usual one is rustup's
//! target. Where rustup is missing or can't fetch it, Debian's packages have a
//! compiler and the sources of the standard library, which is built once and kept.

#[cfg(unix)]
mod debian;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::bail;

use crate::install::DOWNLOAD_LIMIT;
use crate::run::{Run, cargo, program, root, say, target_folder};

const TARGET: &str = "wasm32-unknown-unknown";

/// The page's program.
const PAGE: &str = "parlour-web";

/// The program of its web worker.
const WORKER: &str = "parlour-worker";

/// The files of weights that the worker fetches.
pub(crate) fn weights() -> [PathBuf; 2] {
    ["takeover", "ataxx"].map(|name| {
        let folder = root().join("crates/bots/src/takeover");
        folder.join(format!("{name}.weights"))
    })
}

/// The two built programs that run in the browser.
pub(crate) struct Programs {
    pub(crate) page: PathBuf,
    pub(crate) worker: PathBuf,
}

/// A build profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    /// As quickly as possible: what `cargo xtask play` serves.
    Development,
    /// Optimized, the page for size and the worker for speed: what is shipped, tested
    /// and measured.
    Release,
}

impl Profile {
    /// The profiles of the page and of its worker in `Cargo.toml`, which are also
    /// the names of their output folders.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Development => ["wasm-dev", "wasm-dev"],
            Self::Release => ["page", "worker"],
        }
    }
}

/// Builds what runs in the browser.
pub(crate) fn build(profile: Profile) -> anyhow::Result<Programs> {
    let compiler = Compiler::find()?;
    let [page, worker] = profile.names();
    match profile {
        // In one go, and in one piece: without the page's feature `split`.
        Profile::Development => {
            compile(&compiler, page, &["--no-default-features"], &[PAGE, WORKER])?
        }
        Profile::Release => {
            compile(&compiler, page, &[], &[PAGE])?;
            compile(&compiler, worker, &[], &[WORKER])?;
        }
    }
    let folder = compiler.target_folder().join(TARGET);
    let program =
        |profile: &str, package: &str| folder.join(profile).join(format!("{package}.wasm"));
    Ok(Programs {
        page: program(page, PAGE),
        worker: program(worker, WORKER),
    })
}

/// Compiles packages with one of the profiles of `Cargo.toml`.
fn compile(
    compiler: &Compiler,
    profile: &str,
    options: &[&str],
    packages: &[&str],
) -> anyhow::Result<()> {
    let mut args = vec!["build", "--profile", profile, "--target", TARGET];
    args.extend(options);
    args.extend(packages.iter().flat_map(|package| ["--package", package]));
    compiler.apply(cargo(&args)).check()
}

/// Lints the code for the browser.
pub(crate) fn lint() -> anyhow::Result<()> {
    let compiler = Compiler::find()?;
    let args = [
        "clippy",
        "--release",
        "--target",
        TARGET,
        "--package",
        PAGE,
        "--package",
        WORKER,
        "--",
        "--deny",
        "warnings",
    ];
    match compiler {
        Compiler::Active => cargo(&args).check(),
        Compiler::Debian(_) => bail!(
            "Debian's compiler comes without clippy for WebAssembly, and the compiler in use can't be \
             given the target; rustup target add {TARGET} gives it"
        ),
    }
}

/// Builds an example of a package and returns its path.
pub(crate) fn build_example(package: &str, example: &str) -> anyhow::Result<PathBuf> {
    let compiler = Compiler::find()?;
    let args = [
        "build",
        "--release",
        "--target",
        TARGET,
        "--package",
        package,
        "--example",
        example,
    ];
    compiler.apply(cargo(&args)).check()?;
    let folder = compiler.target_folder().join(TARGET);
    Ok(folder
        .join("release/examples")
        .join(format!("{example}.wasm")))
}

/// Makes sure that there is a compiler for the target.
pub(crate) fn prepare() -> anyhow::Result<()> {
    Compiler::find().map(drop)
}

/// A compiler for the target.
enum Compiler {
    /// The active toolchain.
    Active,
    /// Debian's, through a wrapper script.
    Debian(PathBuf),
}

impl Compiler {
    /// Finds a compiler, fetching what it needs, and prints which it is.
    fn find() -> anyhow::Result<Self> {
        let way = std::env::var("PARLOUR_WASM").unwrap_or_else(|_| "auto".to_owned());
        match way.as_str() {
            "auto" => match Self::rustup() {
                Ok(compiler) => Ok(compiler),
                Err(e) => {
                    say(&format!("{e:#}; trying Debian's packages"));
                    Self::debian()
                }
            },
            "rustup" => Self::rustup(),
            "debian" => Self::debian(),
            _ => bail!("PARLOUR_WASM can't be {way}; expected auto, rustup or debian"),
        }
    }

    fn rustup() -> anyhow::Result<Self> {
        if active_has_target()? {
            say("WebAssembly: the compiler in use has the target");
            return Ok(Self::Active);
        }
        let add = program("rustup", &["target", "add", TARGET]);
        add.check_within(DOWNLOAD_LIMIT)?;
        if !active_has_target()? {
            bail!("rustup added the target, but not to the compiler in use");
        }
        say("WebAssembly: the target was added by rustup");
        Ok(Self::Active)
    }

    #[cfg(unix)]
    fn debian() -> anyhow::Result<Self> {
        let sysroot = debian::sysroot()?;
        say("WebAssembly: Debian's compiler, with a standard library built here");
        Ok(Self::Debian(sysroot.join("bin/rustc")))
    }

    #[cfg(not(unix))]
    fn debian() -> anyhow::Result<Self> {
        bail!("Debian's packages are not available on this system");
    }

    /// Two compilers must not share build output.
    fn target_folder(&self) -> PathBuf {
        match self {
            Self::Active => target_folder(),
            Self::Debian(_) => root().join("target/wasm-debian"),
        }
    }

    fn apply(&self, run: Run) -> Run {
        match self {
            Self::Active => run,
            Self::Debian(rustc) => run
                .with("RUSTC", rustc)
                .with("CARGO_TARGET_DIR", self.target_folder()),
        }
    }
}

fn active_has_target() -> anyhow::Result<bool> {
    let sysroot = program("rustc", &["--print", "sysroot"]).output()?;
    Ok(has_target(Path::new(&sysroot)))
}

/// Whether there is a standard library for the target.
fn has_target(sysroot: &Path) -> bool {
    let libraries = fs::read_dir(sysroot.join("lib/rustlib").join(TARGET).join("lib"));
    let mut names = libraries
        .into_iter()
        .flatten()
        .flatten()
        .map(|file| file.file_name());
    names.any(|name| name.to_string_lossy().starts_with("libstd-"))
}
