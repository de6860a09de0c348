//! Both languages say the same, and nothing is said that nobody wrote.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::BTreeSet, fs, path::Path};

use view::{Language, Words};

/// The places of a phrase: `{n}`, or `{n?one|many}`, which other languages may
/// do without.
fn places(phrase: &str) -> BTreeSet<String> {
    let places = phrase.split('{').skip(1);
    places
        .map(|place| {
            let end = place.find(['?', '}']).unwrap();
            place[..end].to_owned()
        })
        .collect()
}

fn lines(language: Language) -> Vec<(String, String)> {
    let path = format!("text/{}.txt", language.tag());
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
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

#[test]
fn languages_have_the_same_phrases_in_the_same_order() {
    let [english, japanese] = Language::ALL.map(lines);
    assert_eq!(english.len(), japanese.len());
    for ((name, english), (other, japanese)) in english.iter().zip(&japanese) {
        assert_eq!(name, other);
        assert!(!japanese.is_empty(), "{name}");
        // Japanese may leave out what is plain anyway, but may not ask for more.
        let missing: Vec<_> = places(japanese)
            .difference(&places(english))
            .cloned()
            .collect();
        assert!(missing.is_empty(), "{name} has no {missing:?} in English");
    }
}

#[test]
fn every_phrase_is_used_and_every_used_one_is_there() {
    let mut sources = String::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in [src.clone(), src.join("games")] {
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                sources += &fs::read_to_string(path).unwrap();
            }
        }
    }
    let words = Words::of(Language::English);
    let names: BTreeSet<&str> = words.names().collect();
    // Names of colors are put together from the game and the player.
    let is_color = |name: &str| name.ends_with(".first") || name.ends_with(".second");
    for name in names.iter().filter(|name| !is_color(name)) {
        assert!(
            sources.contains(&format!("\"{name}\"")),
            "nobody says {name}"
        );
    }
    let groups = ["list.", "place.", "advice.", "tale.", "end.", "fact."];
    let games = ["lilypads.", "nonaga.", "takeover.", "simply-go."];
    for quoted in sources.split('"').skip(1).step_by(2) {
        let is_name = groups
            .iter()
            .chain(&games)
            .any(|group| quoted.starts_with(group));
        if is_name && !quoted.contains(['{', ' ']) {
            assert!(names.contains(quoted), "there is no phrase {quoted}");
        }
    }
}
