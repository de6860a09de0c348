//! The moves of a position in the order in which a search tries them.

/// A move, its place in the guide's list, and how early it is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate<M> {
    pub(crate) m: M,
    pub(crate) index: u16,
    pub(crate) order: i32,
}

/// The moves of a position, to be taken out one by one, the most promising first.
///
/// Moves stay where they are; what is put in order are keys of 32 bits, of which
/// processors compare several at once.
#[derive(Clone, Debug)]
pub(crate) struct MovePicker<M> {
    /// As the guide lists them.
    moves: Vec<M>,
    /// Those of the moves taken out, in this order, and then of the others.
    keys: Vec<SortKey>,
    /// The move taken out before there was an order, by its index.
    first: Option<u16>,
}

/// Tells how early to try a move: its order in the upper bits and its index,
/// reversed, in the lower, so that the larger sort_key comes first, and of equal orders
/// the move listed first.
type SortKey = u32;

const INDEX_BITS: u32 = 14;
const LAST_INDEX: u32 = (1 << INDEX_BITS) - 1;
const ORDER_LIMIT: i32 = 1 << (31 - INDEX_BITS);

/// The order of a move that is tried before all others.
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

    /// Lists other moves, in no order yet.
    ///
    /// Moves beyond the first 16384 are left out; no game comes near.
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

    /// Takes out the move at the given index of the list, if there is one, as the
    /// first of all.
    pub(crate) fn take_first(&mut self, index: u16) -> Option<Candidate<M>> {
        let m = *self.moves.get(usize::from(index))?;
        self.first = Some(index);
        let order = FIRST;
        Some(Candidate { m, index, order })
    }

    /// Puts the moves in order, by their indices and what they are: all but one that
    /// was taken out before.
    pub(crate) fn sort(&mut self, order: impl Fn(usize, M) -> i32) {
        let moves = self.moves.iter().enumerate();
        self.keys
            .extend(moves.map(|(index, &m)| sort_key(index, order(index, m))));
        if let Some(first) = self.first {
            self.keys.swap(0, usize::from(first));
        }
    }

    /// Takes out the most promising move after `n_tried` others.
    #[inline]
    pub(crate) fn next(&mut self, n_tried: usize) -> Candidate<M> {
        // Most nodes are done after a few moves, and need no more than those; where
        // they don't, all will be tried.
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

    /// The first `n_tried` moves that were taken out.
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
