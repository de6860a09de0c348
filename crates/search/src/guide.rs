use rules::Position;

use crate::Value;

/// What a search has to know about a game beyond its rules.
///
/// A guide is shared by all threads of a search, so it holds weights and
/// tables, and nothing that changes.
pub trait Guide<P: Position>: Sync {
    /// What is kept along with a position while it is searched, such as sums
    /// that change little from move to move. `()` if there is none.
    type Memo: Clone + Send;

    /// How much room [`slot`](Self::slot) needs.
    const N_SLOTS: usize;

    /// How boldly to cut corners.
    const TUNING: Tuning;

    /// The tuning of this guide, if it differs from that of others of its kind.
    fn tuning(&self) -> Tuning {
        Self::TUNING
    }

    /// The memo of a position, from scratch.
    fn memo(&self, position: &P) -> Self::Memo;

    /// The memo of `after`, the position that `m` leads to from `before`.
    fn memo_after(&self, memo: &Self::Memo, before: &P, m: P::Move, after: &P) -> Self::Memo {
        let _ = (memo, before, m);
        self.memo(after)
    }

    /// The value of an unfinished position for the player to move: a score, or a
    /// win or loss that can be seen without a search.
    ///
    /// What is told as a win or a loss must be one.
    fn evaluate(&self, position: &P, memo: &Self::Memo) -> Value;

    /// Appends the moves that are worth a look, at least one; a game with far
    /// too many moves may leave out the rest. Equal positions give the same list.
    fn moves_into(&self, position: &P, memo: &Self::Memo, moves: &mut Vec<P::Move>) {
        let _ = memo;
        position.legal_moves_into(moves);
    }

    /// Appends to `ranks` how promising each of `moves` looks at first sight;
    /// those with a larger rank are tried earlier. About 1000 is a lot. The more
    /// of `depth` is left to search, the more thought is worth while.
    fn rank_into(
        &self,
        position: &P,
        memo: &Self::Memo,
        moves: &[P::Move],
        depth: i32,
        ranks: &mut Vec<i32>,
    );

    /// Appends up to `n` of the moves that rank highest, the best first, if these can
    /// be found faster than by listing all; else none.
    fn few_into(&self, position: &P, memo: &Self::Memo, n: usize, moves: &mut Vec<P::Move>) {
        let _ = (position, memo, n, moves);
    }

    /// A number below [`N_SLOTS`](Self::N_SLOTS) for moves that are alike
    /// wherever they are played, by which a search learns what tends to be good.
    fn slot(&self, position: &P, m: P::Move) -> usize;

    /// Whether `position` can have come before in the same match. Where a glance tells
    /// that it can't, the search need not look back.
    fn may_repeat(&self, position: &P) -> bool {
        let _ = position;
        true
    }

    /// The position with the turn passed, and its memo, for "even then it is good
    /// enough"; `None` where that proves nothing.
    fn null_move(&self, position: &P, memo: &Self::Memo) -> Option<(P, Self::Memo)> {
        let _ = (position, memo);
        None
    }
}

/// How boldly a search cuts corners. Everything is off in [`Tuning::EXACT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Late moves are searched less deeply: the larger the less. In 128ths.
    pub late_move_reduction: i32,
    /// A position is good enough if it stays so after a loss of this much for
    /// every move left to search.
    pub futility_margin: Option<i32>,
    /// So many moves are tried near the leaves, plus more the further away.
    pub late_move_count: Option<u32>,
    /// How much less deeply to search when the turn is passed.
    pub null_move_reduction: i32,
    /// Positions with less depth left than this are not remembered: to look them up
    /// takes longer than to search them.
    pub least_table_depth: i32,
    /// After so many nodes the search looks whether it has to stop.
    pub poll: u32,
}

impl Tuning {
    /// A search that leaves nothing out.
    pub const EXACT: Self = Self {
        late_move_reduction: 0,
        futility_margin: None,
        late_move_count: None,
        null_move_reduction: 0,
        least_table_depth: 1,
        poll: 256,
    };
}
