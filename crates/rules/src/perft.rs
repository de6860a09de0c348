use crate::Position;

/// Counts the move sequences of `depth` moves from `position`.
///
/// A match that ends earlier has no more moves and adds nothing. The last two moves
/// of each sequence are counted in bulk, without being played, where a game
/// implements that. It recurses to `depth`, so a depth of thousands may overflow the
/// stack.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.n_legal_moves() as u64,
        _ => count(position, depth, &mut Vec::new()),
    }
}

/// Counts at depth 2 and more. `moves` serves as a stack for all levels, so that no
/// node allocates.
fn count<P: Position>(position: &P, depth: u32, moves: &mut Vec<P::Move>) -> u64 {
    if depth == 2 {
        return position.n_legal_pairs();
    }
    let start = moves.len();
    position.legal_moves_into(moves);
    let end = moves.len();
    let mut nodes = 0;
    for index in start..end {
        nodes += count(&position.after(moves[index]), depth - 1, moves);
    }
    moves.truncate(start);
    nodes
}
