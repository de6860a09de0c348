//! The code map in ARCHITECTURE.md lists all crates, and no others.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

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

/// The documents of the repository: those at the top, and all in `docs`.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/rules"].map(|folder| root().join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect()
}

/// Whether the document has the section that `anchor` names: its heading in lower case, with
/// hyphens for spaces and without other signs.
fn has_section(document: &Path, anchor: &str) -> bool {
    let text = fs::read_to_string(document).unwrap();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c })
            .eq(anchor.chars())
    })
}

#[test]
fn what_the_documents_link_to_is_there() {
    let documents = documents();
    assert!(documents.len() >= 20, "{documents:?}");
    for path in documents {
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1) {
            let (link, _) = link.split_once(')').unwrap();
            if link.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            let is_there = target.exists() && (anchor.is_empty() || has_section(&target, anchor));
            assert!(is_there, "{} links to {link}", path.display());
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
