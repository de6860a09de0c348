//! Both languages say the same, and nothing is said that nobody wrote.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../view/tests/text/mod.rs"]
mod text;

use std::{collections::BTreeSet, path::Path};

use text::{lines, places, sources};

/// All phrases in a language: those of the first load, and what comes later.
fn phrases(tag: &str) -> Vec<(String, String)> {
    ["", "more.", "online.", "people."]
        .iter()
        .flat_map(|part| lines(&here().join(format!("text/{part}{tag}.txt"))))
        .collect()
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn languages_have_the_same_phrases_in_the_same_order() {
    let [english, japanese] = ["en", "ja"].map(phrases);
    assert_eq!(english.len(), japanese.len());
    for ((name, english), (other, japanese)) in english.iter().zip(&japanese) {
        assert_eq!(name, other);
        assert_eq!(places(english), places(japanese), "{name}");
    }
}

#[test]
fn every_level_is_described() {
    for tag in ["en", "ja"] {
        let phrases = phrases(tag);
        let described = |n: u8| {
            phrases
                .iter()
                .any(|(name, _)| *name == format!("level.{n}"))
        };
        assert!((1..=play::Bot::TOP_LEVEL).all(described), "{tag}");
        assert!(!described(play::Bot::TOP_LEVEL + 1), "{tag}");
    }
}

#[test]
fn every_phrase_is_used_and_every_used_one_is_there() {
    let sources = sources(&here().join("src"));
    let english = phrases("en");
    let names: BTreeSet<&str> = english.iter().map(|(name, _)| name.as_str()).collect();
    // These are put together from parts.
    let families = [
        "settings.",
        "level.",
        "set.theme.",
        "hint.near.",
        "hint.most.",
        "hint.saves.",
        "hint.least.",
        "study.class.",
        "study.shown.",
        "on.say.",
        "on.speed.",
        "on.pace.",
        "on.color.",
        "on.reason.",
        "on.badge.",
        "on.offer.",
    ];
    let kinds = [
        "human", "classic", "levels", "perfect", "first", "second", "random",
    ];
    let results = ["won", "drawn", "lost", "going-on", "over"];
    let is_put_together = |name: &str| {
        families.iter().any(|start| name.starts_with(start))
            || kinds.iter().any(|kind| name == format!("new.{kind}"))
            || results
                .iter()
                .any(|result| name == format!("library.{result}"))
            || results
                .iter()
                .any(|result| name == format!("library.{result}.letter"))
            || results
                .iter()
                .any(|result| name == format!("study.{result}.title"))
    };
    for name in names.iter().filter(|name| !is_put_together(name)) {
        assert!(
            sources.contains(&format!("\"{name}\"")),
            "nobody says {name}"
        );
    }
    let groups = [
        "site.",
        "home.",
        "set.",
        "seat.",
        "state.",
        "do.",
        "moves.",
        "board.",
        "new.",
        "bad.",
        "learn.",
        "offer.",
        "settings.",
        "hint.",
        "standing.",
        "sure.",
        "remark.",
        "study.",
        "puzzles.",
    ];
    for quoted in sources.split('"').skip(1).step_by(2) {
        let is_name = groups.iter().any(|group| quoted.starts_with(group));
        if is_name && !quoted.contains(['{', ' ', '(']) {
            assert!(names.contains(quoted), "there is no phrase {quoted}");
        }
    }
}
