//! A guide that remembers positions of a search.

use std::sync::{Mutex, PoisonError};

use rules::Position;
use search::{Guide, Tuning, Value};

/// A guide, and a sample of the positions that it evaluated: what a search really asks
/// of an evaluation, rather than what occurs in good matches.
pub(crate) struct Watched<P, G> {
    guide: G,
    /// One position of so many is remembered, chosen by its key; 0 for none.
    one_in: u64,
    seen: Mutex<Vec<P>>,
}

impl<P, G> Watched<P, G> {
    pub(crate) fn new(guide: G, one_in: u64) -> Self {
        Self {
            guide,
            one_in,
            seen: Mutex::default(),
        }
    }

    /// The remembered positions.
    pub(crate) fn into_seen(self) -> Vec<P> {
        self.seen
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Position, G: Guide<P>> Guide<P> for Watched<P, G> {
    type Memo = G::Memo;

    const N_SLOTS: usize = G::N_SLOTS;
    const N_PLACES: usize = G::N_PLACES;
    const TUNING: Tuning = G::TUNING;

    fn tuning(&self) -> Tuning {
        self.guide.tuning()
    }

    fn memo(&self, position: &P) -> Self::Memo {
        self.guide.memo(position)
    }

    fn memo_after(&self, memo: &Self::Memo, before: &P, m: P::Move, after: &P) -> Self::Memo {
        self.guide.memo_after(memo, before, m, after)
    }

    fn evaluate(&self, position: &P, memo: &Self::Memo) -> Value {
        if self.one_in > 0 && position.key().is_multiple_of(self.one_in) {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push(position.clone());
        }
        self.guide.evaluate(position, memo)
    }

    fn moves_into(&self, position: &P, memo: &Self::Memo, moves: &mut Vec<P::Move>) {
        self.guide.moves_into(position, memo, moves);
    }

    fn rank_into(
        &self,
        position: &P,
        memo: &Self::Memo,
        moves: &[P::Move],
        depth: i32,
        ranks: &mut Vec<i32>,
    ) {
        self.guide.rank_into(position, memo, moves, depth, ranks);
    }

    fn few_into(&self, position: &P, memo: &Self::Memo, n: usize, moves: &mut Vec<P::Move>) {
        self.guide.few_into(position, memo, n, moves);
    }

    fn slot(&self, position: &P, m: P::Move) -> usize {
        self.guide.slot(position, m)
    }

    fn place(&self, m: P::Move) -> usize {
        self.guide.place(m)
    }

    fn may_repeat(&self, position: &P) -> bool {
        self.guide.may_repeat(position)
    }

    fn null_move(&self, position: &P, memo: &Self::Memo) -> Option<(P, Self::Memo)> {
        self.guide.null_move(position, memo)
    }
}
