//! The style sheet and the page's frame, which no compiler checks.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use view::{Language, Words};

const STYLE: &str = include_str!("../page/style.css");
/// All style sheets: that of the first load, and what comes later.
const STYLES: [&str; 3] = [
    STYLE,
    include_str!("../page/more.css"),
    include_str!("../page/online.css"),
];
const INDEX: &str = include_str!("../page/index.html");

/// The insides of all rules for `.app`.
fn app_rules() -> Vec<&'static str> {
    let starts = STYLE
        .match_indices(".app {")
        .map(|(at, start)| at + start.len());
    starts
        .map(|start| STYLE[start..].split('}').next().unwrap())
        .collect()
}

#[test]
fn heights_follow_the_part_of_the_window_that_is_seen() {
    for style in STYLES {
        for (at, _) in style.match_indices("vh") {
            let unit = style[..at].chars().next_back();
            let is_unit = unit.is_some_and(|sign| sign.is_ascii_digit());
            let line = style[..at].lines().last().unwrap();
            assert!(!is_unit, "vh in {line}");
        }
    }
    assert!(STYLE.contains("100dvh"));
}

#[test]
fn nothing_is_below_a_notch_or_a_home_bar() {
    for side in ["top", "right", "bottom", "left"] {
        let inset = format!("env(safe-area-inset-{side}, 0px)");
        assert_eq!(STYLE.matches(&inset).count(), 1, "{side}");
    }
    let rules = app_rules();
    assert_eq!(rules.len(), 4, "desks, rails, phones, phones on their side");
    for rule in rules {
        let has_own_padding = rule.contains("--pad-t:");
        for (inset, padding) in [
            ("--st", "--pad-t"),
            ("--sr", "--pad-r"),
            ("--sb", "--pad-b"),
            ("--sl", "--pad-l"),
        ] {
            assert!(
                !has_own_padding || rule.contains(inset),
                "{inset} in {rule}"
            );
            let is_height = matches!(padding, "--pad-t" | "--pad-b");
            let board = rule
                .split("--bd:")
                .nth(1)
                .unwrap()
                .split(';')
                .next()
                .unwrap();
            if is_height || board.contains("100vw") {
                assert!(board.contains(padding), "{padding} in {board}");
            }
        }
    }
}

/// The installed page has a shortcut for every game, under its name.
#[test]
fn manifests_know_all_games() {
    for (language, manifest) in [
        (
            Language::English,
            include_str!("../page/manifest.en.webmanifest"),
        ),
        (
            Language::Japanese,
            include_str!("../page/manifest.ja.webmanifest"),
        ),
    ] {
        let words = Words::of(language);
        assert!(manifest.contains(&format!("\"lang\": \"{}\"", language.tag())));
        assert_eq!(manifest.matches("?play=").count(), catalog::GAMES.len());
        for game in catalog::GAMES {
            let name = words.say(&format!("{}.name", game.name()), &[]);
            let shortcut = format!("{{\"name\": \"{name}\"");
            assert!(manifest.contains(&shortcut), "{name}");
            assert!(manifest.contains(&format!("\"./?play={}\"", game.name())));
        }
        assert!(manifest.contains("\"purpose\": \"maskable\""));
    }
}

/// `none` is no shadow, and a list of shadows with it is none at all.
#[test]
fn shadows_can_be_combined() {
    let lines = STYLES.iter().flat_map(|style| style.lines());
    for line in lines.filter(|line| line.contains("--sh-")) {
        let is_none = line
            .split(';')
            .any(|rule| rule.contains("--sh-") && rule.ends_with(": none"));
        assert!(!is_none, "{line}");
    }
}

#[test]
fn links_and_readers_without_scripts_get_both_languages() {
    for name in [
        "twitter:card",
        "twitter:title",
        "twitter:description",
        "twitter:image",
    ] {
        assert!(
            INDEX.contains(&format!("<meta name=\"{name}\" content=")),
            "{name}"
        );
    }
    assert_eq!(
        INDEX.matches("\"@type\":\"VideoGame\"").count(),
        catalog::GAMES.len()
    );
    let plain = INDEX.split("<noscript>").nth(1).unwrap();
    assert!(plain.contains("<main") && plain.contains("<h1>"));
    let meta = |name: &str| {
        let start = INDEX.split(&format!("{name}\" content=\"")).nth(1);
        start.unwrap().split('"').next().unwrap()
    };
    for language in Language::ALL {
        let words = Words::of(language);
        for game in catalog::GAMES {
            let name = words.say(&format!("{}.name", game.name()), &[]);
            assert!(meta("description").contains(&name), "{name}");
            assert!(plain.contains(&name), "{name}");
        }
    }
    let japanese = "静かな四つのゲーム";
    assert!(meta("og:description").contains(japanese));
    assert!(INDEX.len() < 8 * 1024, "the first load is limited");
}
