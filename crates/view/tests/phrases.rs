//! Both languages say the same, and nothing is said that nobody wrote.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use rules::{Game, MatchSetup, Values};
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

/// Everything that is written in a folder and those in it.
fn sources(folder: &Path) -> String {
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let read = |path: PathBuf| {
        if path.is_dir() {
            sources(&path)
        } else {
            fs::read_to_string(path).unwrap()
        }
    };
    paths.map(read).collect()
}

#[test]
fn every_phrase_is_used_and_every_used_one_is_there() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let words = Words::of(Language::English);
    let names: BTreeSet<&str> = words.names().collect();
    // Names of colors are put together from the game and the player, and front
    // ends do the same with what they say of every game.
    let is_put_together = |name: &str| {
        let ends = [".first", ".second", ".name", ".line", ".long"];
        let parts = [".variant.", ".rule."];
        ends.iter().any(|end| name.ends_with(end)) || parts.iter().any(|part| name.contains(part))
    };
    for name in names.iter().filter(|name| !is_put_together(name)) {
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

/// The phrases that front ends put together for the game `G`.
fn asked_of<G: Game>() -> BTreeSet<String> {
    let game = G::NAME;
    let ends = [
        "name",
        "line",
        "first",
        "second",
        "first.long",
        "second.long",
        "rule.1",
    ];
    let mut names: BTreeSet<String> = ends.iter().map(|end| format!("{game}.{end}")).collect();
    for option in G::Setup::options() {
        if let ("variant", Values::Words(words)) = (option.name, option.values) {
            names.extend(words.iter().map(|word| format!("{game}.variant.{word}")));
        }
    }
    names
}

#[test]
fn every_game_has_the_phrases_that_front_ends_ask_for() {
    let words = Words::of(Language::English);
    let names: BTreeSet<String> = words.names().map(str::to_owned).collect();
    let mut asked = asked_of::<lilypads::Lilypads>();
    asked.extend(asked_of::<nonaga::Nonaga>());
    asked.extend(asked_of::<takeover::Takeover>());
    asked.extend(asked_of::<simply_go::SimplyGo>());
    let missing: Vec<_> = asked.difference(&names).collect();
    assert!(missing.is_empty(), "nobody wrote {missing:?}");
    let is_variant = |name: &&String| name.contains(".variant.");
    let idle: Vec<_> = names.difference(&asked).filter(is_variant).collect();
    assert!(idle.is_empty(), "nobody asks for {idle:?}");
}
