//! Verifies a solution against the rules.

use lilypads::{Board, Circle, CircleSet, Lilypads, N_PIECES};
use rules::{ByPlayer, Player, Position};

use crate::{ExactValue, Solution};

/// Error for a position whose value does not follow from those of its moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{position} is said to be a {found}, but its moves make it a {expected}")]
pub struct Contradiction {
    /// The position.
    pub position: Box<Lilypads>,
    /// Its value in the solution.
    pub found: ExactValue,
    /// The value that follows from its moves.
    pub expected: ExactValue,
}

/// Derives the value and distance of every unfinished position from those of its
/// legal moves. Returns the number of positions.
///
/// Only the rules and [`Solution::value`] are used. Without a contradiction the
/// whole solution is correct: wins and losses by induction on their distance, draws
/// because the player in one can always stay in one.
///
/// # Errors
///
/// Returns the first [`Contradiction`].
pub fn every_state(solution: &Solution) -> Result<usize, Contradiction> {
    let board = solution.board();
    let arrangements = arrangements(board);
    let mut n_states = 0;
    let mut moves = Vec::new();
    // The positions after one position's moves are close together in the table if
    // the other player's pieces do not change.
    for &waiting in &arrangements {
        for turn in Player::BOTH {
            for &moving in &arrangements {
                let mut pieces = ByPlayer::default();
                pieces[turn] = moving;
                pieces[!turn] = waiting;
                // If they share a circle, there is no such position.
                let Ok(position) = Lilypads::with_pieces(board, pieces, turn) else {
                    continue;
                };
                moves.clear();
                position.legal_moves_into(&mut moves);
                let values = moves.iter().filter_map(|&m| {
                    let value = solution.value(&position.after(m))?;
                    Some(value.one_ply_earlier())
                });
                let expected = values.max();
                if let (Some(found), Some(expected)) = (solution.value(&position), expected)
                    && found != expected
                {
                    return Err(Contradiction {
                        position: Box::new(position),
                        found,
                        expected,
                    });
                }
                n_states += 1;
            }
        }
    }
    Ok(n_states)
}

/// All arrangements of a player's pieces.
fn arrangements(board: &Board) -> Vec<CircleSet> {
    let is_start = |circle| {
        Player::BOTH
            .iter()
            .any(|&p| board.graph().start(p) == circle)
    };
    let mut sets = vec![CircleSet::EMPTY];
    for circle in Circle::all().filter(|&circle| !is_start(circle)) {
        for index in 0..sets.len() {
            if sets[index].len() < N_PIECES {
                sets.push(sets[index] | circle.into());
            }
        }
    }
    sets
}
