//! Debian's compiler, with a standard library for the browser built once.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::{TARGET, has_target};
use crate::{
    install::packages,
    run::{program, root, say},
};

const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const SOURCES: &str = "/usr/lib/rustlib/src/rust/library";

/// A folder with a standard library for the target, built once.
pub(super) fn sysroot() -> anyhow::Result<PathBuf> {
    let is_there = |path: &str| Path::new(path).exists();
    let sources = format!("{SOURCES}/std/Cargo.toml");
    if !(is_there(RUSTC) && is_there(CARGO) && is_there(&sources)) {
        packages(&["rustc-web", "cargo-web", "rust-web-src", "gcc", "libc6-dev"])?;
    }
    let version = program(RUSTC, &["--version", "--verbose"]).output()?;
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
    let vendored = format!("source.vendored.directory=\"{SOURCES}/vendor\"");
    program(
        CARGO,
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
    .with("RUSTC", RUSTC)
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
        "#!/bin/sh\nexec {RUSTC} --sysroot {} \"$@\"\n",
        sysroot.display()
    );
    fs::write(&script, text)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    Ok(sysroot)
}

fn link(to: &PathBuf, from: &Path) -> anyhow::Result<()> {
    // One from an earlier attempt is replaced.
    fs::remove_file(from).ok();
    symlink(to, from).with_context(|| format!("can't link {}", from.display()))
}

/// The linker of the same LLVM as the compiler.
fn wasm_linker(llvm_version: &str) -> anyhow::Result<PathBuf> {
    let major = llvm_version.split('.').next().unwrap_or(llvm_version);
    let linker = PathBuf::from(format!("/usr/bin/wasm-ld-{major}"));
    if !linker.exists() {
        packages(&[&format!("lld-{major}")])?;
    }
    Ok(linker)
}
