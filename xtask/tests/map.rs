//! The code map in ARCHITECTURE.md lists all crates, and no others.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::BTreeSet, fs, path::Path};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The crates on the map.
fn on_the_map() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let lines = text.lines();
    let names = lines.filter_map(|line| {
        let (name, _) = line.strip_prefix("- `crates/")?.split_once("`:")?;
        Some(name.to_owned())
    });
    names.collect()
}

#[test]
fn every_crate_is_on_the_map() {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let crates: BTreeSet<String> = folders
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(on_the_map(), crates);
}

#[test]
fn what_the_documents_link_to_is_there() {
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/page.md",
        "docs/protocol.md",
        "docs/puzzles.md",
        "docs/lilypads-solver.md",
        "docs/lilypads-boards.md",
    ] {
        let path = root().join(document);
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1) {
            let (target, _) = link.split_once(')').unwrap();
            let is_there = path.parent().unwrap().join(target).exists();
            assert!(is_there, "{document} links to {target}");
        }
    }
}

#[test]
fn every_game_has_a_rule_sheet_with_tests_for_its_numbers() {
    let sheets: Vec<_> = fs::read_dir(root().join("docs/rules")).unwrap().collect();
    assert!(sheets.len() >= 4);
    for path in sheets.into_iter().map(|sheet| sheet.unwrap().path()) {
        let game = path.file_stem().unwrap().to_str().unwrap();
        let sheet = fs::read_to_string(&path).unwrap();
        let tests =
            fs::read_to_string(root().join(format!("crates/{game}/tests/rules.rs"))).unwrap();
        let rules = sheet.lines().filter_map(|line| {
            let (number, _) = line.strip_prefix("- R")?.split_once('.')?;
            number.parse::<u32>().ok()
        });
        let rules: Vec<u32> = rules.collect();
        assert!(!rules.is_empty());
        for number in rules {
            assert!(
                tests.contains(&format!("fn r{number}_")),
                "R{number} of {game}"
            );
        }
    }
}

/// The page does not link search, solver and weights.
#[test]
fn the_page_links_no_search_no_solver_and_no_weights() {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let tree = |package: &str| {
        let output = std::process::Command::new(&cargo)
            .args(["tree", "--offline", "--prefix", "none", "--edges", "normal"])
            .args(["--target", "wasm32-unknown-unknown", "--package", package])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let thinking = [
        "parlour-search ",
        "parlour-bots ",
        "parlour-lilypads-solver ",
    ];
    let (page, worker) = (tree("parlour-web"), tree("parlour-worker"));
    for name in thinking {
        assert!(worker.contains(name), "the worker links {name}");
        assert!(!page.contains(name), "the page links {name}");
    }
}
