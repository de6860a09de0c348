//! All checks, as the continuous integration runs them.

use anyhow::Context;

use crate::{
    browser,
    install::{self, DENY},
    run::{cargo, has_nextest, say},
    searches, solver, wasm, web,
};

/// A part of the checks that needs a tool, and can be skipped by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Format,
    Lints,
    /// The lints of code for the browser.
    PageLints,
    Docs,
    Dependencies,
    /// The page in Chromium.
    Browser,
    /// The audit of accessibility, which is skipped with the browser.
    Audit,
    /// The solver and the engine's searches in WebAssembly.
    Solver,
    /// The tests that start Postgres and NATS, which run among the others.
    Services,
}

impl Part {
    pub(crate) const ALL: [Self; 9] = [
        Self::Format,
        Self::Lints,
        Self::PageLints,
        Self::Docs,
        Self::Dependencies,
        Self::Browser,
        Self::Audit,
        Self::Solver,
        Self::Services,
    ];

    /// Its name after `--skip`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lints => "lints",
            Self::PageLints => "page-lints",
            Self::Docs => "docs",
            Self::Dependencies => "dependencies",
            Self::Browser => "browser",
            Self::Audit => "audit",
            Self::Solver => "solver",
            Self::Services => "services",
        }
    }

    /// Installs what the part needs.
    fn prepare(self) -> anyhow::Result<()> {
        match self {
            Self::Format => install::component("fmt", "rustfmt"),
            Self::Lints => install::component("clippy", "clippy"),
            Self::PageLints => {
                install::component("clippy", "clippy")?;
                wasm::prepare()
            }
            Self::Docs => Ok(()),
            Self::Dependencies => DENY.prepare(),
            Self::Browser => install::chromium().map(drop),
            Self::Audit => install::audit().map(drop),
            Self::Solver => install::node(),
            Self::Services => install::servers(),
        }
    }

    fn run(self, skipped: &[Self]) -> anyhow::Result<()> {
        match self {
            Self::Format => cargo(&["fmt", "--all", "--check"]).check(),
            Self::Lints => lint(),
            Self::PageLints => wasm::lint(),
            Self::Docs => document(),
            // Advisories need a database from outside, and are printed as skipped.
            Self::Dependencies => DENY.run(&["check", "bans", "licenses", "sources"]).check(),
            Self::Browser => browser::test(!skipped.contains(&Self::Audit)),
            // They run among the tests in the browser, and among all tests.
            Self::Audit | Self::Services => Ok(()),
            Self::Solver => solver::compare_wasm(1).and_then(|()| searches::compare()),
        }
    }
}

/// Runs all checks except the named ones; the tests come last, so that their count
/// ends the output.
///
/// Tools are installed before anything is run; one that can't be installed is an
/// error.
pub(crate) fn test(named: &[Part]) -> anyhow::Result<()> {
    let is_skipped = |part: &Part| {
        let needs_browser = *part == Part::Audit && named.contains(&Part::Browser);
        named.contains(part) || needs_browser
    };
    let (skipped, parts): (Vec<_>, Vec<_>) = Part::ALL.into_iter().partition(is_skipped);
    step("tools");
    for part in &parts {
        let name = part.name();
        part.prepare().with_context(|| {
            format!("{name} can't be checked (cargo xtask test --skip {name} goes on without)")
        })?;
    }
    wasm::prepare()?;
    for part in parts {
        step(part.name());
        part.run(&skipped)?;
    }
    if skipped.contains(&Part::Browser) {
        // The size is checked all the same.
        step("page");
        web::build_page()?;
    }
    step("tests");
    cargo(&["test", "--workspace", "--doc"]).check()?;
    let features: &[&str] = if skipped.contains(&Part::Services) {
        &[]
    } else {
        &["--features", SERVICES]
    };
    let command: &[&str] = if has_nextest() {
        &["nextest", "run", "--workspace"]
    } else {
        &["test", "--workspace", "--lib", "--bins", "--tests"]
    };
    let result = cargo(&[command, features].concat()).check();
    for part in &skipped {
        say(&format!("SKIPPED: {}", part.name()));
    }
    if !skipped.contains(&Part::Dependencies) {
        say(
            "SKIPPED: advisories of cargo-deny, which need a database from outside; \
             target/tools/bin/cargo-deny check advisories where it can be fetched",
        );
    }
    result
}

/// The features of tests that start Postgres and NATS.
const SERVICES: &str = "parlour-cli/services,parlour-store/services,parlour-testservers/services";

fn step(name: &str) {
    say(&format!("\n== {name}"));
}

fn lint() -> anyhow::Result<()> {
    // Code of optional commands is checked as well.
    let features = format!("parlour-page/audit,parlour-page/figures,{SERVICES}");
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        &features,
        "--",
        "--deny",
        "warnings",
    ])
    .check()
}

fn document() -> anyhow::Result<()> {
    cargo(&[
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ])
    .with("RUSTDOCFLAGS", "--deny warnings")
    .check()
}
