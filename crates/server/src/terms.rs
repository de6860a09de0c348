//! The terms of a match: validation and stored form.

use catalog::AnyGame;
use protocol::{ColorChoice, OnlineControl, Seat};
use referee::{State, Terms};
use rules::Values;
use serde_json::{Map, Value};
use store::{Head, Millis, NewMatch};

use crate::{error::ApiError, secret};

/// Validates the options of a game, and chooses a fair board if none is given.
pub(crate) fn complete_options(
    game: &'static dyn AnyGame,
    options: &Map<String, Value>,
) -> Result<Vec<(String, String)>, ApiError> {
    let mut chosen = Vec::new();
    for (name, value) in options {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => {
                return Err(ApiError::field(
                    "options",
                    format!("{name} has to be a text"),
                ));
            }
        };
        let checked = game.check_option(name, &value);
        checked.map_err(|error| ApiError::field("options", error))?;
        chosen.push((name.clone(), value));
    }
    for option in game.options() {
        if chosen.iter().any(|(name, _)| name == option.name) {
            continue;
        }
        let value = match option.values {
            Values::Words(_) => option.default,
            Values::Number => {
                let fair = game.fair_boards();
                let number = secret::number();
                let n = u64::try_from(fair.len()).unwrap_or(0);
                let board = number
                    .checked_rem(n)
                    .and_then(|i| fair.get(usize::try_from(i).ok()?));
                // Small numbers are easier to talk about.
                board.copied().unwrap_or(number % 1_000_000).to_string()
            }
        };
        chosen.push((option.name.to_owned(), value));
    }
    Ok(chosen)
}

pub(crate) fn options_json(options: &[(String, String)]) -> Map<String, Value> {
    let options = options.iter();
    options
        .map(|(name, value)| (name.clone(), Value::from(value.clone())))
        .collect()
}

/// Parses the stored terms of a match or a challenge.
pub(crate) fn stored_terms(
    game: &str,
    options: &str,
    clock: &str,
    is_rated: bool,
) -> Option<Terms> {
    let options: Map<String, Value> = serde_json::from_str(options).ok()?;
    let text = |(name, value): (String, Value)| Some((name, value.as_str()?.to_owned()));
    Some(Terms {
        game: game.to_owned(),
        options: options.into_iter().map(text).collect::<Option<_>>()?,
        control: serde_json::from_str(clock).ok()?,
        is_rated,
    })
}

pub(crate) fn clock_json(control: Option<OnlineControl>) -> String {
    serde_json::to_string(&control).unwrap_or_default()
}

/// The head of a match in this state, for the store.
pub(crate) fn head(state: &State) -> Head {
    let shown = serde_json::json!({ "fen": state.position(), "turn": state.turn().name() });
    Head {
        at: state.at(),
        state: shown.to_string(),
        deadline: state.deadline(),
        status: state.status(),
        result: state.result(),
    }
}

/// A match to create.
pub(crate) fn new_match(
    terms: Terms,
    [first, second]: [String; 2],
    now: Millis,
) -> Result<NewMatch, ApiError> {
    let game = catalog::find(&terms.game).map_err(|_| ApiError::Internal)?;
    let options = Value::Object(options_json(&terms.options)).to_string();
    let clock = clock_json(terms.control);
    let is_rated = terms.is_rated;
    let state = State::new(terms, now).map_err(|error| ApiError::field("options", error))?;
    Ok(NewMatch {
        id: secret::id(),
        game: game.name().to_owned(),
        rules: game.rules_version(),
        options,
        clock,
        rated: is_rated,
        first,
        second,
        head: head(&state),
        created: now,
    })
}

/// The seat of a challenger with this choice. A random one follows from the token, so that it is
/// always the same.
pub(crate) fn challenger_seat(color: ColorChoice, token_hash: &str) -> Seat {
    match color {
        ColorChoice::First => Seat::First,
        ColorChoice::Second => Seat::Second,
        ColorChoice::Random => {
            let is_even = token_hash.bytes().last().is_some_and(|byte| byte % 2 == 0);
            if is_even { Seat::First } else { Seat::Second }
        }
    }
}

pub(crate) fn in_order(seat: Seat, own: String, other: String) -> [String; 2] {
    match seat {
        Seat::First => [own, other],
        Seat::Second => [other, own],
    }
}
