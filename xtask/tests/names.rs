//! One name, one thing: public types, and what ARCHITECTURE.md names.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Names that several crates share on purpose: what changes a state machine, what it asks for
/// and what it waits for; and the word of Go and of geometry for a place.
const SHARED: [&str; 4] = ["Event", "Effect", "Phase", "Point"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The Rust files below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The texts of all crates, by their names.
fn crates() -> BTreeMap<String, Vec<String>> {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let folders = folders.map(|folder| folder.unwrap().path());
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap();
    folders
        .map(|folder| {
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            let texts = sources(&folder.join("src")).iter().map(read).collect();
            (name, texts)
        })
        .collect()
}

/// The name that `line` gives to a public type.
fn public_type(line: &str) -> Option<&str> {
    let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
    let is_type = matches!(kind, "struct" | "enum" | "trait" | "type" | "union");
    let end = rest.find(|sign: char| !sign.is_alphanumeric());
    is_type.then(|| &rest[..end.unwrap_or(rest.len())])
}

#[test]
fn public_types_of_different_crates_have_different_names() {
    let mut homes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, texts) in crates() {
        for ty in texts
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(public_type)
        {
            homes.entry(ty.to_owned()).or_default().insert(name.clone());
        }
    }
    assert!(homes.len() > 200, "types are found");
    // Games have the same parts under the same names.
    let is_game = |name: &String| root().join(format!("docs/rules/{name}.md")).exists();
    homes.retain(|ty, crates| {
        crates.len() > 1 && !crates.iter().all(is_game) && !SHARED.contains(&ty.as_str())
    });
    assert!(homes.is_empty(), "{homes:#?}");
}

fn has_word(text: &str, words: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(words)
        .any(|(at, _)| !text[at + words.len()..].starts_with(is_part))
}

/// What a click and a move of the engine pass through, by file and function.
#[test]
fn the_walks_in_the_architecture_are_true() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let walks = text
        .split("\n## ")
        .find(|part| part.starts_with("Two walks"));
    let all: Vec<String> = crates().into_values().flatten().collect();
    let (mut n_files, mut n_functions) = (0, 0);
    for name in walks.unwrap().split('`').skip(1).step_by(2) {
        if let Some((folder, file)) = name.split_once('/').filter(|_| name.ends_with(".rs")) {
            let file = file.replace("GAME", "nonaga");
            let path = root().join("crates").join(folder).join("src").join(&file);
            assert!(path.exists(), "{name}");
            n_files += 1;
        } else if let Some((ty, item)) = name.split_once("::") {
            let is_home = |text: &&String| {
                // The last one ends the parameters of an `impl`.
                let kinds = ["impl ", "impl dyn ", "trait ", "enum ", "> "];
                let is_type = kinds
                    .iter()
                    .any(|kind| has_word(text, &format!("{kind}{ty}")));
                let forms = [format!("fn {item}"), format!("    {item}")];
                let has_item = || forms.iter().any(|form| has_word(text, form));
                is_type && has_item()
            };
            assert!(all.iter().any(|text| is_home(&text)), "{name}");
            n_functions += 1;
        }
    }
    assert!(
        n_files >= 12 && n_functions >= 20,
        "{n_files} files, {n_functions} functions"
    );
}
