//! Building for the browser.
//!
//! There are two ways to a compiler for `wasm32-unknown-unknown`. The ordinary
//! one is rustup's target. Where rustup is not there or can't fetch it, Debian's
//! packages have a compiler and the sources of the standard library, which is
//! built once and kept.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};

use crate::run::{Run, cargo, program, root, say};

const TARGET: &str = "wasm32-unknown-unknown";

/// The crates that the page is made of.
const PACKAGES: [&str; 1] = ["parlour-catalog"];

/// How long rustup may take to fetch the target.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// Builds what runs in the browser.
pub(crate) fn build() -> anyhow::Result<()> {
    let compiler = Compiler::find()?;
    for package in PACKAGES {
        let args = [
            "build",
            "--release",
            "--target",
            TARGET,
            "--package",
            package,
        ];
        compiler.apply(cargo(&args)).check()?;
    }
    Ok(())
}

/// A compiler that knows the target.
enum Compiler {
    /// The one in use.
    Active,
    /// Debian's, behind a script of ours.
    Debian(PathBuf),
}

impl Compiler {
    /// Finds a compiler, fetching what it needs, and says which it is.
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
        add.check_within(RUSTUP_LIMIT)?;
        if !active_has_target()? {
            bail!("rustup added the target, but not to the compiler in use");
        }
        say("WebAssembly: the target was added by rustup");
        Ok(Self::Active)
    }

    fn debian() -> anyhow::Result<Self> {
        let sysroot = debian_sysroot()?;
        say("WebAssembly: Debian's compiler, with a standard library built here");
        Ok(Self::Debian(sysroot.join("bin/rustc")))
    }

    fn apply(&self, run: Run) -> Run {
        match self {
            Self::Active => run,
            // Two compilers must not share what they have built.
            Self::Debian(rustc) => run
                .with("RUSTC", rustc)
                .with("CARGO_TARGET_DIR", root().join("target/wasm-debian")),
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

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src/rust/library";

/// A folder with a standard library for the target, built once.
fn debian_sysroot() -> anyhow::Result<PathBuf> {
    let is_there = |path: &str| Path::new(path).exists();
    let sources = format!("{DEBIAN_SOURCES}/std/Cargo.toml");
    if !(is_there(DEBIAN_RUSTC) && is_there(DEBIAN_CARGO) && is_there(&sources)) {
        install(&["rustc-web", "cargo-web", "rust-web-src", "gcc", "libc6-dev"])?;
    }
    let version = program(DEBIAN_RUSTC, &["--version", "--verbose"]).output()?;
    let field = |name: &str| {
        let mut lines = version.lines();
        lines
            .find_map(|line| line.strip_prefix(name))
            .map(str::to_owned)
    };
    let host = field("host: ").context("rustc does not tell its host")?;
    let llvm = field("LLVM version: ").context("rustc does not tell its LLVM version")?;
    let release = field("release: ").context("rustc does not tell its release")?;
    let sysroot = root()
        .join("target")
        .join(format!("wasm-sysroot-{release}"));
    if has_target(&sysroot) && sysroot.join("bin/rustc").exists() {
        return Ok(sysroot);
    }

    say("building the standard library for WebAssembly once, about a minute");
    let seed = sysroot.join("seed");
    fs::create_dir_all(seed.join("src"))?;
    fs::write(
        seed.join("Cargo.toml"),
        "[package]\nname = \"seed\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n",
    )?;
    fs::write(seed.join("src/lib.rs"), "#![no_std]\n")?;
    let vendored = format!("source.vendored.directory=\"{DEBIAN_SOURCES}/vendor\"");
    program(
        DEBIAN_CARGO,
        &[
            "build",
            "--quiet",
            "--offline",
            "--release",
            "--target",
            TARGET,
            "-Zbuild-std=std,panic_abort,proc_macro,test",
            "--config",
            "source.crates-io.replace-with=\"vendored\"",
            "--config",
            &vendored,
        ],
    )
    .inside(&seed)
    .without("RUSTFLAGS")
    .without("CARGO_TARGET_DIR")
    .without("CARGO")
    .with("RUSTC", DEBIAN_RUSTC)
    .with("RUSTC_BOOTSTRAP", "1")
    // With bit code, link-time optimization still works on top of it.
    .with(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
        "-Cembed-bitcode=yes",
    )
    .check()?;

    let libraries = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&libraries)?;
    for file in fs::read_dir(seed.join("target").join(TARGET).join("release/deps"))? {
        let path = file?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libseed-") {
            fs::copy(&path, libraries.join(name))?;
        }
    }
    fs::remove_dir_all(&seed)?;

    let host_folder = sysroot.join("lib/rustlib").join(&host);
    fs::create_dir_all(host_folder.join("bin"))?;
    link(
        &format!("/usr/lib/rustlib/{host}/lib").into(),
        &host_folder.join("lib"),
    )?;
    link(&wasm_linker(&llvm)?, &host_folder.join("bin/rust-lld"))?;
    fs::create_dir_all(sysroot.join("bin"))?;
    let script = sysroot.join("bin/rustc");
    let text = format!(
        "#!/bin/sh\nexec {DEBIAN_RUSTC} --sysroot {} \"$@\"\n",
        sysroot.display()
    );
    fs::write(&script, text)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    Ok(sysroot)
}

fn link(to: &PathBuf, from: &Path) -> anyhow::Result<()> {
    // One from an earlier try is replaced.
    fs::remove_file(from).ok();
    symlink(to, from).with_context(|| format!("can't link {}", from.display()))
}

/// The linker of the same LLVM as the compiler.
fn wasm_linker(llvm_version: &str) -> anyhow::Result<PathBuf> {
    let major = llvm_version.split('.').next().unwrap_or(llvm_version);
    let linker = PathBuf::from(format!("/usr/bin/wasm-ld-{major}"));
    if !linker.exists() {
        install(&[&format!("lld-{major}")])?;
    }
    Ok(linker)
}

/// Installs Debian's packages.
fn install(packages: &[&str]) -> anyhow::Result<()> {
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
    apt(&[&install, packages].concat())
}
