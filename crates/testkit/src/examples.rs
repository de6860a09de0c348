//! Checks of single positions, for the tests of rules and texts.

use std::{collections::BTreeSet, error::Error, fmt, str::FromStr};

use rules::Position;

/// Checks that exactly the moves `expected`, separated by spaces, are legal in
/// the position `text`.
///
/// # Panics
///
/// Panics if they are not.
#[track_caller]
pub fn check_moves<P: Position>(text: &str, expected: &str) {
    let moves = read::<P>(text).legal_moves();
    let moves: BTreeSet<_> = moves.iter().map(ToString::to_string).collect();
    let expected: BTreeSet<_> = expected.split_whitespace().map(str::to_owned).collect();
    assert_eq!(moves, expected, "in {text}");
}

/// Plays `moves`, separated by spaces, from the position `text`, and checks what
/// they lead to.
///
/// # Panics
///
/// Panics if a move is not legal or leads elsewhere.
#[track_caller]
pub fn check_after<P: Position>(text: &str, moves: &str, expected: &str) -> P {
    let mut position = read::<P>(text);
    for m in moves.split_whitespace() {
        let played = position.play(read(m));
        assert!(played.is_ok(), "{m} in {position}");
    }
    assert_eq!(position.to_string(), expected, "{moves} in {text}");
    position
}

/// Checks that `text` is rejected for the given reason.
///
/// # Panics
///
/// Panics if it is accepted, or rejected for another reason.
#[track_caller]
pub fn check_refused<T: FromStr<Err: Error> + fmt::Debug>(text: &str, reason: &str) {
    match text.parse::<T>() {
        Ok(value) => panic!("{text:?} was read as {value:?}"),
        Err(error) => assert_eq!(error.to_string(), reason, "{text:?}"),
    }
}

#[track_caller]
fn read<T: FromStr<Err: Error>>(text: &str) -> T {
    match text.parse() {
        Ok(value) => value,
        Err(error) => panic!("{text:?}: {error}"),
    }
}
