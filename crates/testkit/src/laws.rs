use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use rules::{IllegalMove, Position, Random};

/// The number of moves of other positions that are tried where they are not legal.
const N_FOREIGN_MOVES: usize = 40;

/// Checks the laws of [`Position`] in `start` and in `n_positions` positions of
/// random matches from it.
///
/// # Panics
///
/// Panics if a law is broken.
#[track_caller]
pub fn check_laws<P: Position>(start: &P, seed: u64, n_positions: usize) {
    let mut random = Random::new(seed);
    let mut seen: HashMap<P, u64> = HashMap::new();
    let mut foreign: Vec<P::Move> = Vec::new();
    let mut position = start.clone();
    for _ in 0..=n_positions {
        check_position(&position, &foreign);
        // Transpositions have equal keys.
        let key = *seen.entry(position.clone()).or_insert(position.key());
        assert_eq!(key, position.key(), "law 4: the key of {position}");

        let moves = position.legal_moves();
        if let Some(&m) = random.pick(&moves) {
            let index = random.below(N_FOREIGN_MOVES as u32) as usize;
            if foreign.len() < N_FOREIGN_MOVES {
                foreign.push(m);
            } else {
                foreign[index] = m;
            }
            position.play_unchecked(m);
        } else {
            position = start.clone();
        }
    }
}

fn check_position<P: Position>(position: &P, foreign: &[P::Move]) {
    let moves = position.legal_moves();
    assert_eq!(
        position.outcome().is_none(),
        !moves.is_empty(),
        "law 1: the game goes on exactly when there is a legal move: {position}"
    );
    check_moves(position, &moves, foreign);
    check_text(position, &moves);
    check_overrides(position, &moves);
}

fn check_moves<P: Position>(position: &P, moves: &[P::Move], foreign: &[P::Move]) {
    let mut reached = HashSet::new();
    for &m in moves {
        let after = position.after(m);
        let mut played = position.clone();
        assert_eq!(played.play(m), Ok(()), "law 3: {m} is listed in {position}");
        assert_eq!(played, after, "play and after differ: {m} in {position}");
        assert!(
            reached.insert(after),
            "law 2: {m} leads to the same position as another move in {position}"
        );
    }
    for &m in foreign.iter().filter(|m| !moves.contains(m)) {
        let mut refused = position.clone();
        assert_eq!(
            refused.play(m),
            Err(IllegalMove(m)),
            "law 3: {m} is not listed in {position}"
        );
        assert_eq!(
            refused, *position,
            "law 3: a refused {m} changes {position}"
        );
    }
}

fn check_text<P: Position>(position: &P, moves: &[P::Move]) {
    let text = position.to_string();
    let again: P = match text.parse() {
        Ok(again) => again,
        Err(e) => panic!("law 5: {text} can't be read: {e}"),
    };
    assert_eq!(again, *position, "law 5: {text}");
    assert_eq!(again.to_string(), text, "law 5: {text}");
    assert_eq!(again.key(), position.key(), "law 4: {text}");
    assert_eq!(again.repetition_key(), position.repetition_key(), "{text}");
    assert_eq!(
        hash(&again),
        hash(position),
        "equal positions hash alike: {text}"
    );
    assert_eq!(again.turn(), position.turn(), "{text}");
    assert_eq!(again.outcome(), position.outcome(), "{text}");
    assert_eq!(
        again.legal_moves(),
        moves,
        "law 2: the order of moves in {text}"
    );
    // What the text omits may show one move later.
    if let Some(&m) = moves.first() {
        assert_eq!(again.after(m), position.after(m), "law 5: {m} in {text}");
    }
    for &m in moves {
        let text = m.to_string();
        assert!(
            text.parse::<P::Move>().is_ok_and(|again| again == m),
            "law 5: the move {text}"
        );
    }
}

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Methods that a game overrides agree with the default ones.
fn check_overrides<P: Position>(position: &P, moves: &[P::Move]) {
    let n_after = |&m| position.after(m).legal_moves().len() as u64;
    assert_eq!(position.n_legal_moves(), moves.len(), "{position}");
    assert_eq!(
        position.n_legal_pairs(),
        moves.iter().map(n_after).sum::<u64>(),
        "{position}"
    );
    for &m in moves {
        assert!(position.is_legal(m), "{m} in {position}");
    }
}
