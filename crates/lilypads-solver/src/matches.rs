//! Whole matches.

use lilypads::{Lilypads, Move};
use rules::{Outcome, Position};

/// A match with this many moves counts as drawn; none needs so many.
const MOST_MOVES: usize = 1000;

/// Plays a match from `start`, with every move from `choose`, and returns the
/// result. It is a draw if `choose` returns `None`.
pub fn play(start: &Lilypads, mut choose: impl FnMut(&Lilypads) -> Option<Move>) -> Outcome {
    let mut position = start.clone();
    let mut seen = vec![position.repetition_key()];
    while position.outcome().is_none()
        && seen.len() < MOST_MOVES
        && let Some(m) = choose(&position)
        && position.play(m).is_ok()
    {
        let key = position.repetition_key();
        // R16: the third time.
        if seen.iter().filter(|&&earlier| earlier == key).count() == 2 {
            return Outcome::Draw;
        }
        seen.push(key);
    }
    position.outcome().unwrap_or(Outcome::Draw)
}
