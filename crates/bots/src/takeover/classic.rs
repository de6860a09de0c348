use rules::{Position, Random};
use takeover::{Move, SquareSet, Takeover};

/// The classic opponent: a move that converts most; if none converts any, one
/// that leaves most pieces. Ties at random.
pub(super) fn choose(position: &Takeover, random: &mut Random) -> Move {
    let moves = position.legal_moves();
    let enemies = position.pieces(!position.turn());
    let worth = |m: &Move| {
        let n_converted = |to| (SquareSet::neighbors(to) & enemies).len();
        match *m {
            Move::Duplicate { to } => (n_converted(to), true),
            Move::Jump { to, .. } => (n_converted(to), false),
            Move::Pass => (0, false),
        }
    };
    // A duplication leaves a piece more than a jump, but that counts only if
    // nothing is converted either way.
    let most = moves.iter().map(|m| worth(m).0).max().unwrap_or(0);
    let is_best = |m: &&Move| {
        let (n_converted, is_duplicate) = worth(m);
        let has_duplicate = || moves.iter().any(|m| worth(m).1);
        n_converted == most && (most > 0 || is_duplicate || !has_duplicate())
    };
    let best: Vec<Move> = moves.iter().filter(is_best).copied().collect();
    *random.pick(&best).expect("there is a legal move")
}
