//! The options of all games, as front ends iterate over them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use catalog::{AnyGame, GAMES, OptionInfo};
use rules::Values;
use view::{Language, Words, value_key};

/// Every value of an option, or some if it takes any number.
fn values(option: &OptionInfo) -> Vec<String> {
    match option.values {
        Values::Words(words) => words.iter().map(|&word| word.to_owned()).collect(),
        Values::Number => vec!["0".to_owned(), u64::MAX.to_string()],
    }
}

/// Calls `check` with every option of every game.
fn for_every_option(check: impl Fn(&'static dyn AnyGame, &OptionInfo)) {
    for game in GAMES {
        for option in game.options() {
            check(game, &option);
        }
    }
}

#[test]
fn every_option_can_be_set_to_every_value() {
    for_every_option(|game, option| {
        let values = values(option);
        assert!(values.contains(&option.default));
        for value in values {
            assert_eq!(game.check_option(option.name, &value), Ok(()));
        }
        assert!(game.check_option(option.name, "none of them").is_err());
    });
    for game in GAMES {
        assert!(game.check_option("weather", "fine").is_err());
    }
}

/// URLs and command lines use names and values as they are.
#[test]
fn names_and_values_are_plain() {
    let is_plain = |text: &str| {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-:".contains(c);
        !text.is_empty() && text.chars().all(is_plain)
    };
    for_every_option(|_, option| {
        assert!(is_plain(option.name) && !option.name.contains(':'));
        for value in values(option) {
            assert!(is_plain(&value), "{} {value}", option.name);
        }
    });
}

#[test]
fn every_option_and_every_value_has_a_phrase_in_every_language() {
    for language in Language::ALL {
        let words = Words::of(language);
        let names: BTreeSet<&str> = words.names().collect();
        for_every_option(|_, option| {
            assert!(names.contains(option.label), "no phrase {}", option.label);
            let mut texts = BTreeSet::new();
            for value in values(option) {
                let (key, number) = value_key(option.label, &value);
                assert!(names.contains(key.as_str()), "no phrase {key}");
                let text = words.say_value(option.label, &value);
                assert!(text.contains(number), "{key} does not show {number}");
                assert!(texts.insert(text), "{key} does not tell {value} apart");
            }
        });
    }
}

/// Front ends offer the values that are valid with the options earlier in the list,
/// and with the defaults of the later ones.
#[test]
fn every_value_can_be_chosen_by_going_down_the_list() {
    for game in GAMES {
        let options = game.options();
        let mut ways: Vec<Vec<(&str, String)>> = vec![Vec::new()];
        for option in &options {
            let mut longer = Vec::new();
            let mut offered = BTreeSet::new();
            for way in &ways {
                for value in values(option) {
                    let mut way = way.clone();
                    way.push((option.name, value.clone()));
                    let choices: Vec<_> = way.iter().map(|(name, v)| (*name, &**v)).collect();
                    if game.start(&choices).is_ok() {
                        offered.insert(value);
                        longer.push(way);
                    }
                }
            }
            assert_eq!(offered.len(), values(option).len(), "{}", option.name);
            ways = longer;
        }
    }
}

#[test]
fn the_protocol_documents_every_option_and_value() {
    let text = include_str!("../../../docs/protocol.md");
    for_every_option(|_, option| {
        let (first, rest) = option.name.split_at(1);
        let name = format!("`{}{rest}`", first.to_ascii_uppercase());
        assert!(text.contains(&name), "{name}");
        if let Values::Words(words) = option.values {
            for word in words {
                assert!(text.contains(word), "{name}: {word}");
            }
        }
    });
}
