//! Both languages have the same phrases, and every phrase used exists.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use catalog::{AnyGame, GAMES};
use rules::Values;
use text::{lines, places, sources};
use view::{Language, Words, match_phrases, more_phrases, value_key};

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
        // Japanese may omit a value, but not use others.
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
    // Names of colors are composed from the game and the player, and front ends
    // compose others likewise.
    let asked = asked_of_all();
    let is_put_together =
        |name: &str| asked.contains(name) || name.contains(".rule.") || name.ends_with(".what");
    for name in names.iter().filter(|name| !is_put_together(name)) {
        assert!(
            sources.contains(&format!("\"{name}\"")),
            "nobody says {name}"
        );
    }
    let groups = [
        "list.", "place.", "key.", "advice.", "tale.", "refusal.", "end.", "edit.",
    ]
    .map(str::to_owned);
    let games = GAMES.map(|game| format!("{}.", game.name()));
    for quoted in sources.split('"').skip(1).step_by(2) {
        let is_name = groups
            .iter()
            .chain(&games)
            .any(|group| quoted.starts_with(group.as_str()));
        if is_name && !quoted.contains(['{', ' ']) {
            assert!(names.contains(quoted), "there is no phrase {quoted}");
        }
    }
}

/// The phrases that front ends compose for a game.
fn asked_of(game: &dyn AnyGame) -> BTreeSet<String> {
    let ends = [
        "name",
        "line",
        "first",
        "second",
        "first.long",
        "second.long",
        "rule.1",
        "fairness",
    ];
    let name = |end: &&str| format!("{}.{end}", game.name());
    let mut names: BTreeSet<String> = ends.iter().map(name).collect();
    for option in game.options() {
        names.insert(option.label.to_owned());
        let values = match option.values {
            Values::Words(words) => words,
            Values::Number => &["0"],
        };
        names.extend(values.iter().map(|value| value_key(option.label, value).0));
    }
    names
}

fn asked_of_all() -> BTreeSet<String> {
    GAMES.into_iter().flat_map(asked_of).collect()
}

/// The page fetches these later: they are a third of all phrases on boards.
#[test]
fn a_match_begins_without_rules_and_editing() {
    let is_for_later = |name: &str| {
        name.contains(".rule.") || name.ends_with(".fairness") || name.contains("edit.")
    };
    for language in Language::ALL {
        let first = Words::new(&[match_phrases(language)]);
        assert!(!first.names().any(is_for_later));
        let later = Words::new(&[more_phrases(language)]);
        assert!(later.names().all(is_for_later));
    }
}

#[test]
fn every_game_has_the_phrases_that_front_ends_ask_for() {
    let words = Words::of(Language::English);
    let names: BTreeSet<String> = words.names().map(str::to_owned).collect();
    let asked = asked_of_all();
    let missing: Vec<_> = asked.difference(&names).collect();
    assert!(missing.is_empty(), "nobody wrote {missing:?}");
}

/// All Japanese phrases.
const JAPANESE: [&str; 8] = [
    include_str!("../text/ja.txt"),
    include_str!("../text/more.ja.txt"),
    include_str!("../../web/text/ja.txt"),
    include_str!("../../web/text/more.ja.txt"),
    include_str!("../../web/text/online.ja.txt"),
    include_str!("../../web/text/people.ja.txt"),
    include_str!("../../lessons/text/ja.txt"),
    include_str!("../../puzzles/text/ja.txt"),
];

/// Words that players of such games do not use.
#[test]
fn japanese_lacks_the_words_that_players_do_not_use() {
    // Somebody who asks an opponent to take a move back does ask for a 待った.
    let asked = ["on.offer.takeback", "on.takeback"];
    let out = [
        "くじ",
        "出版版",
        "六つ点",
        "一つ点",
        "二つ点",
        "待った",
        "やり直し",
        "完全解",
        "広さ",
        "指せません",
        "斜めでも",
        "対局を読めません",
        "まだ手が",
        "= 終わり",
        "color = あなたの番",
        // Stones are not 指す, and most phrases are for all games.
        "指し",
        "指す",
        "指せ",
        "指さ",
        // Punctuation is of full width.
        ":",
        "(",
        ")",
    ];
    let quick = "早指し";
    let lines = JAPANESE.iter().flat_map(|text| text.lines());
    let lines = lines.filter(|line| !line.ends_with(quick));
    let is_out = |line: &&str| {
        let is_asked = asked.iter().any(|name| line.starts_with(name));
        let mut words = out.iter().filter(|&&word| !(is_asked && word == "待った"));
        words.any(|word| line.contains(word))
    };
    let found: Vec<&str> = lines.filter(is_out).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// Phrases in the words of players, by their keys.
#[test]
fn japanese_has_the_words_of_players() {
    let phrases: BTreeMap<&str, &str> = JAPANESE
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.split_once(" = "))
        .collect();
    for (key, phrase) in [
        ("new.color", "先手・後手"),
        ("new.random", "ランダム"),
        ("state.lots", "先手・後手を決めています"),
        ("nonaga.variant.published", "市販版"),
        ("nonaga.second.long", "青（点二つ）"),
        ("do.undo", "一手戻す"),
        ("do.redo", "一手進める"),
        ("simply-go.mode", "終局条件"),
        ("simply-go.size", "盤の大きさ"),
        ("new.perfect", "最善手"),
        ("moves.none", "まだ着手がありません"),
    ] {
        assert_eq!(phrases.get(key), Some(&phrase), "{key}");
    }
    for (key, words) in [
        ("nonaga.advice.shift", "点が六つあるタイル"),
        ("simply-go.refusal.fort", "打てません"),
        (
            "simply-go.rule.2",
            "斜めにつながっていても、相手をさえぎる壁になります",
        ),
        ("bad.damaged", "対局を読み込めません"),
    ] {
        assert!(phrases[key].contains(words), "{key}: {}", phrases[key]);
    }
}

#[test]
fn english_has_the_words_of_other_programs() {
    let words = Words::with(Language::English, include_str!("../../web/text/en.txt"))
        .and(include_str!("../../web/text/more.en.txt"));
    let theme = |name: &str| {
        let theme = words.say(&format!("set.theme.{name}"), &[]);
        words.say("set.theme", &[("theme", &theme)])
    };
    let themes = ["auto", "light", "dark", "contrast"].map(theme);
    assert_eq!(
        themes,
        [
            "Theme: System",
            "Theme: Light",
            "Theme: Dark",
            "Theme: High contrast"
        ]
    );
    let names = ["do.undo", "do.redo", "do.resign", "new.random"];
    let said = names.map(|name| words.say(name, &[]));
    assert_eq!(said, ["Undo", "Redo", "Resign", "Random"]);
}
