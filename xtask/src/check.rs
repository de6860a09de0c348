//! All checks, as the continuous integration runs them.

use crate::{
    browser, fuzz,
    run::{cargo, program, say},
    solver, wasm,
};

/// How long each fuzz target runs among the checks.
const FUZZ_SECONDS: u32 = 5;

/// Runs all checks; the tests come last, so that their count closes the output.
pub(crate) fn test() -> anyhow::Result<()> {
    // A minimal toolchain comes without these.
    for component in ["fmt", "clippy"] {
        if !cargo(&[component, "--version"]).succeeds() {
            let name = component.replace("fmt", "rustfmt");
            program("rustup", &["component", "add", &name]).check()?;
        }
    }
    step("format");
    cargo(&["fmt", "--all", "--check"]).check()?;
    step("lints");
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        // What only some commands run is checked by all.
        "parlour-page/audit,parlour-page/figures",
        "--",
        "--deny",
        "warnings",
    ])
    .check()?;
    step("docs");
    cargo(&[
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ])
    .with("RUSTDOCFLAGS", "--deny warnings")
    .check()?;
    step("dependencies");
    if cargo(&["deny", "--version"]).succeeds() {
        // Advisories need a data base from outside, so they are left to those
        // who have it: cargo deny check.
        cargo(&["deny", "check", "bans", "licenses", "sources"]).check()?;
    } else {
        say("left out: cargo-deny is not installed (cargo install cargo-deny)");
    }
    step("the page");
    wasm::lint()?;
    browser::test()?;
    step("the solver");
    solver::compare_wasm(1)?;
    step("fuzz");
    if fuzz::is_possible() {
        fuzz::run(FUZZ_SECONDS)?;
    } else {
        say(
            "left out: the nightly toolchain or cargo-fuzz is not installed; the tests run the \
             same harness",
        );
    }
    step("tests");
    cargo(&["test", "--workspace", "--doc"]).check()?;
    if cargo(&["nextest", "--version"]).succeeds() {
        cargo(&["nextest", "run", "--workspace"]).check()
    } else {
        cargo(&["test", "--workspace", "--lib", "--bins", "--tests"]).check()
    }
}

fn step(name: &str) {
    say(&format!("\n== {name}"));
}
