//! The small evaluation of Takeover and Ataxx, for programs without a network: pieces are
//! counted.

use rules::Position;
use takeover::Takeover;

use super::network::{N_STAGES, stage};

/// The score for a piece more than the opponent at every stage of a match: least squares
/// against the networks, over 5,400 and 9,200 positions of matches at 300 nodes a move with
/// a random move in four. Takeover has no first two stages.
const PIECE: [[i32; N_STAGES]; 2] = [
    [27, 27, 27, 46, 69, 93, 105, 115],
    [32, 32, 32, 36, 50, 71, 85, 94],
];

/// The score of a position for its mover.
pub(super) fn score(position: &Takeover) -> i32 {
    let mover = position.turn();
    let n_pieces = |player| position.pieces(player).len() as i32;
    let lead = n_pieces(mover) - n_pieces(!mover);
    let variant = position.variant();
    lead * PIECE[variant as usize][stage(variant, position.empty().len() as usize)]
}
