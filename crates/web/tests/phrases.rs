//! Both languages say the same, and nothing is said that nobody wrote.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::BTreeSet, fs, path::Path};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn lines(language: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(here().join(format!("text/{language}.txt"))).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, phrase) = line.split_once(" = ").unwrap();
            (name.to_owned(), phrase.to_owned())
        })
        .collect()
}

/// The values that a phrase asks for.
fn places(phrase: &str) -> BTreeSet<&str> {
    let places = phrase.split('{').skip(1);
    places
        .map(|place| &place[..place.find(['?', '}']).unwrap()])
        .collect()
}

#[test]
fn languages_have_the_same_phrases_in_the_same_order() {
    let (english, japanese) = (lines("en"), lines("ja"));
    assert_eq!(english.len(), japanese.len());
    for ((name, english), (other, japanese)) in english.iter().zip(&japanese) {
        assert_eq!(name, other);
        assert_eq!(places(english), places(japanese), "{name}");
    }
}

#[test]
fn every_phrase_is_used_and_every_used_one_is_there() {
    let mut sources = String::new();
    for file in fs::read_dir(here().join("src")).unwrap() {
        sources += &fs::read_to_string(file.unwrap().path()).unwrap();
    }
    let english = lines("en");
    let names: BTreeSet<&str> = english.iter().map(|(name, _)| name.as_str()).collect();
    // These are put together from parts.
    let families = ["set.theme.", "new.mode."];
    let kinds = [
        "human", "classic", "levels", "perfect", "first", "second", "random",
    ];
    let is_put_together = |name: &str| {
        families.iter().any(|start| name.starts_with(start))
            || kinds.iter().any(|kind| name == format!("new.{kind}"))
    };
    for name in names.iter().filter(|name| !is_put_together(name)) {
        assert!(
            sources.contains(&format!("\"{name}\"")),
            "nobody says {name}"
        );
    }
    let groups = [
        "site.", "home.", "set.", "seat.", "state.", "do.", "moves.", "board.", "new.", "bad.",
    ];
    for quoted in sources.split('"').skip(1).step_by(2) {
        let is_name = groups.iter().any(|group| quoted.starts_with(group));
        if is_name && !quoted.contains(['{', ' ', '(']) {
            assert!(names.contains(quoted), "there is no phrase {quoted}");
        }
    }
}
