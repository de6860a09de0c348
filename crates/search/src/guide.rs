use rules::Position;

use crate::Value;

/// What a search has to know about a game beyond its rules: evaluation, move ranking
/// and tuning.
///
/// A guide is shared by all threads of a search, so it is immutable: weights and
/// tables.
pub trait Guide<P: Position>: Sync {
    /// State of an incremental evaluation, kept for every position on the stack,
    /// such as the accumulator of a network. `()` if there is none.
    type Memo: Clone + Send;

    /// The number of [slots](Self::slot) of the history heuristic.
    const N_SLOTS: usize;

    /// The number of [places](Self::place) of the continuation history; 0 turns it off.
    const N_PLACES: usize = 0;

    /// Pruning and reduction parameters.
    const TUNING: Tuning;

    /// The parameters of this guide, if they differ from those of its type.
    fn tuning(&self) -> Tuning {
        Self::TUNING
    }

    /// Computes the memo of a position from scratch.
    fn memo(&self, position: &P) -> Self::Memo;

    /// Updates a memo: that of `after`, which `m` leads to from `before`.
    fn memo_after(&self, memo: &Self::Memo, before: &P, m: P::Move, after: &P) -> Self::Memo {
        let _ = (memo, before, m);
        self.memo(after)
    }

    /// Static evaluation of an unfinished position for the player to move: a score,
    /// or a win or loss that is visible without a search.
    ///
    /// A win or loss returned here must be proven.
    fn evaluate(&self, position: &P, memo: &Self::Memo) -> Value;

    /// Appends the moves to search, at least one; games with very many moves may
    /// drop the unpromising ones. Equal positions give the same list.
    fn moves_into(&self, position: &P, memo: &Self::Memo, moves: &mut Vec<P::Move>) {
        let _ = memo;
        position.legal_moves_into(moves);
    }

    /// Appends a rank for each of `moves`, for move ordering: larger ranks are tried
    /// first, and 1000 is a large rank. The more `depth` is left, the more time
    /// ranking may take.
    fn rank_into(
        &self,
        position: &P,
        memo: &Self::Memo,
        moves: &[P::Move],
        depth: i32,
        ranks: &mut Vec<i32>,
    );

    /// Appends up to `n` of the moves with the highest ranks, best first, if they
    /// can be found faster than by listing all moves; otherwise none.
    fn few_into(&self, position: &P, memo: &Self::Memo, n: usize, moves: &mut Vec<P::Move>) {
        let _ = (position, memo, n, moves);
    }

    /// Index of a move for the history heuristic, below [`N_SLOTS`](Self::N_SLOTS).
    /// Moves that are alike in different positions share a slot.
    fn slot(&self, position: &P, m: P::Move) -> usize;

    /// The place that a move goes to, below [`N_PLACES`](Self::N_PLACES): the
    /// continuation history learns which places are good replies to which.
    fn place(&self, m: P::Move) -> usize {
        let _ = m;
        0
    }

    /// Whether `position` can have occurred before in the same match. `false` saves
    /// the repetition check.
    fn may_repeat(&self, position: &P) -> bool {
        let _ = position;
        true
    }

    /// The position with the turn passed, and its memo, for null-move pruning;
    /// `None` where passing proves nothing (zugzwang).
    fn null_move(&self, position: &P, memo: &Self::Memo) -> Option<(P, Self::Memo)> {
        let _ = (position, memo);
        None
    }
}

/// Pruning and reduction parameters. All are off in [`Tuning::EXACT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Late move reductions, in 128ths of the usual amount; 0 turns them off.
    pub late_move_reduction: i32,
    /// Reverse futility pruning: the margin for each ply of depth left.
    pub futility_margin: Option<i32>,
    /// Late move pruning: the number of moves tried at depth 1; it grows with the
    /// square of the depth.
    pub late_move_count: Option<u32>,
    /// Null-move pruning: the depth reduction; 0 turns it off.
    pub null_move_reduction: i32,
    /// Singular extensions: the margin for each ply of depth by which all other moves
    /// have to be worse than the table's.
    pub singular_margin: Option<i32>,
    /// Positions with less depth left are not looked up in the transposition table:
    /// searching them takes less time.
    pub least_table_depth: i32,
    /// The number of nodes between two checks of the stop condition.
    pub poll: u32,
}

impl Tuning {
    /// No pruning and no reductions.
    pub const EXACT: Self = Self {
        late_move_reduction: 0,
        futility_margin: None,
        late_move_count: None,
        null_move_reduction: 0,
        singular_margin: None,
        least_table_depth: 1,
        poll: 256,
    };
}
