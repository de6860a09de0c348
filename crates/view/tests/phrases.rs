//! Both languages say the same, and nothing is said that nobody wrote.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod text;

use std::{collections::BTreeSet, path::Path};

use rules::{Game, MatchSetup, Values};
use text::{lines, places, sources};
use view::{Language, Words};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn languages_have_the_same_phrases_in_the_same_order() {
    let file = |language: Language| here().join(format!("text/{}.txt", language.tag()));
    let [english, japanese] = Language::ALL.map(|language| lines(&file(language)));
    assert_eq!(english.len(), japanese.len());
    for ((name, english), (other, japanese)) in english.iter().zip(&japanese) {
        assert_eq!(name, other);
        assert!(!japanese.is_empty(), "{name}");
        // Japanese may leave out what is plain anyway, but may not ask for more.
        let (asked, offered) = (places(japanese), places(english));
        let missing: Vec<_> = asked.difference(&offered).collect();
        assert!(missing.is_empty(), "{name} has no {missing:?} in English");
    }
}

#[test]
fn every_phrase_is_used_and_every_used_one_is_there() {
    let sources = sources(&here().join("src"));
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
