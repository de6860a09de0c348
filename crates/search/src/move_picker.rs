//! Move ordering: picks the moves of a position one by one, most promising first.

/// A move, its index in the guide's list, and its score for move ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate<M> {
    pub(crate) m: M,
    pub(crate) index: u16,
    pub(crate) order: i32,
}

/// The moves of a position, picked one by one, most promising first.
///
/// The moves are not moved; what is sorted are keys of 32 bits, several of which fit
/// into a SIMD register.
#[derive(Clone, Debug)]
pub(crate) struct MovePicker<M> {
    /// In the guide's order.
    moves: Vec<M>,
    /// The keys of the picked moves in the order they were picked, then of the
    /// others.
    keys: Vec<SortKey>,
    /// The index of a move picked before sorting.
    first: Option<u16>,
}

/// Sort key of a move: the score in the upper bits, the reversed index in the lower,
/// so that larger keys come first and ties go to the move listed first.
type SortKey = u32;

const INDEX_BITS: u32 = 14;
const LAST_INDEX: u32 = (1 << INDEX_BITS) - 1;
const ORDER_LIMIT: i32 = 1 << (31 - INDEX_BITS);

/// The score of a move that is tried before all others.
const FIRST: i32 = ORDER_LIMIT - 1;

fn sort_key(index: usize, order: i32) -> SortKey {
    let order = order.clamp(-ORDER_LIMIT, ORDER_LIMIT - 1) + ORDER_LIMIT;
    (order as u32) << INDEX_BITS | (LAST_INDEX - index as u32)
}

fn index(sort_key: SortKey) -> usize {
    (LAST_INDEX - (sort_key & LAST_INDEX)) as usize
}

fn order(sort_key: SortKey) -> i32 {
    (sort_key >> INDEX_BITS) as i32 - ORDER_LIMIT
}

impl<M: Copy> MovePicker<M> {
    pub(crate) const fn new() -> Self {
        Self {
            moves: Vec::new(),
            keys: Vec::new(),
            first: None,
        }
    }

    /// Fills the list, unsorted.
    ///
    /// Moves beyond the first 16384 are dropped; no game comes near.
    pub(crate) fn list(&mut self, fill: impl FnOnce(&mut Vec<M>)) {
        self.moves.clear();
        self.keys.clear();
        self.first = None;
        fill(&mut self.moves);
        self.moves.truncate(LAST_INDEX as usize + 1);
    }

    pub(crate) fn moves(&self) -> &[M] {
        &self.moves
    }

    /// Picks the move at the given index of the list, if there is one, before all
    /// others.
    pub(crate) fn take_first(&mut self, index: u16) -> Option<Candidate<M>> {
        let m = *self.moves.get(usize::from(index))?;
        self.first = Some(index);
        let order = FIRST;
        Some(Candidate { m, index, order })
    }

    /// Assigns a key to every move but one that was already picked.
    pub(crate) fn sort(&mut self, order: impl Fn(usize, M) -> i32) {
        let moves = self.moves.iter().enumerate();
        self.keys
            .extend(moves.map(|(index, &m)| sort_key(index, order(index, m))));
        if let Some(first) = self.first {
            self.keys.swap(0, usize::from(first));
        }
    }

    /// Picks the next move after `n_tried` others.
    #[inline]
    pub(crate) fn next(&mut self, n_tried: usize) -> Candidate<M> {
        // Most nodes need only a few moves, so the first are selected one by one;
        // after that all are likely to be tried, and a full sort is cheaper.
        const N_SELECTED: usize = 12;
        let rest = &mut self.keys[n_tried..];
        if n_tried < N_SELECTED {
            let best = rest.iter().copied().max().unwrap_or_default();
            let place = rest.iter().position(|&other| other == best);
            rest.swap(0, place.unwrap_or_default());
        } else if n_tried == N_SELECTED {
            rest.sort_unstable_by(|one, other| other.cmp(one));
        }
        let index = index(rest[0]);
        Candidate {
            m: self.moves[index],
            index: index as u16,
            order: order(rest[0]),
        }
    }

    /// The first `n_tried` moves that were picked.
    pub(crate) fn tried(&self, n_tried: usize) -> impl Iterator<Item = M> {
        let keys = self.keys[..n_tried].iter();
        keys.map(|&sort_key| self.moves[index(sort_key)])
    }
}

#[cfg(test)]
mod tests {
    use super::MovePicker;

    fn listed(orders: &[i32]) -> MovePicker<usize> {
        let mut picker = MovePicker::new();
        picker.list(|moves| moves.extend(0..orders.len()));
        picker
    }

    #[test]
    fn moves_come_by_their_order_and_then_as_listed() {
        let orders: Vec<i32> = (0..40).map(|n: i32| n * 7 % 5 * 1000 - 2000).collect();
        let mut picker = listed(&orders);
        picker.sort(|index, _| orders[index]);
        let taken: Vec<usize> = (0..orders.len()).map(|n| picker.next(n).m).collect();
        let mut expected: Vec<usize> = (0..orders.len()).collect();
        expected.sort_by_key(|&index| -orders[index]);
        assert_eq!(taken, expected);
        assert_eq!(picker.next(0).order, 2000);
        assert_eq!(picker.tried(3).collect::<Vec<_>>(), expected[..3]);
    }

    #[test]
    fn the_first_of_all_is_taken_only_once() {
        let orders = [5, 50, 500];
        let mut picker = listed(&orders);
        let first = picker.take_first(0).unwrap();
        assert_eq!(first.m, 0);
        picker.sort(|index, _| orders[index]);
        assert_eq!([1, 2].map(|n| picker.next(n).m), [2, 1]);
        assert!(picker.take_first(3).is_none());
    }

    #[test]
    fn orders_out_of_bounds_are_as_good_as_the_bound() {
        let orders = [i32::MIN, 0, i32::MAX];
        let mut picker = listed(&orders);
        picker.sort(|index, _| orders[index]);
        assert_eq!([0, 1, 2].map(|n| picker.next(n).m), [2, 1, 0]);
    }
}
