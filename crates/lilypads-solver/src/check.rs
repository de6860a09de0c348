//! Holding a solution to the rules.

use lilypads::{Board, Circle, CircleSet, Lilypads, N_PIECES};
use rules::{ByPlayer, Player, Position};

use crate::{ExactValue, Solution};

/// Error for a position whose value does not follow from those of its moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{position} is said to be a {found}, but its moves make it a {expected}")]
pub struct Contradiction {
    /// The position.
    pub position: Box<Lilypads>,
    /// What the solution says of it.
    pub found: ExactValue,
    /// What the solution says of its moves.
    pub expected: ExactValue,
}

/// Goes through every position in which the match goes on and derives its value and
/// distance from those of the legal moves. Returns the number of positions.
///
/// Only the rules and [`Solution::value`] are used. If nothing contradicts,
/// the whole solution is right: wins and losses by induction on their
/// distance, draws because who is in one can always stay in one.
///
/// # Errors
///
/// Returns the first [`Contradiction`].
pub fn every_state(solution: &Solution) -> Result<usize, Contradiction> {
    let board = solution.board();
    let arrangements = arrangements(board);
    let mut n_states = 0;
    let mut moves = Vec::new();
    // What the moves of one position lead to lies close together in the table if
    // the other player's pieces stand still.
    for &waiting in &arrangements {
        for turn in Player::BOTH {
            for &moving in &arrangements {
                let mut pieces = ByPlayer::default();
                pieces[turn] = moving;
                pieces[!turn] = waiting;
                // Where they share a circle there is no position.
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

/// Every way in which a player's pieces can stand.
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
