use lilypads::N_PIECES;

use crate::pond::bits;

/// The ways in which one player's pieces can stand, each with a number.
///
/// They are numbered by how many pieces are on the board, and among as many by
/// the highest circle, then the next. That order does not change when circles
/// that nobody may stand on are left out, which makes [`rank_beside`] simple.
#[derive(Clone, Debug)]
pub(crate) struct Arrangements {
    n_circles: usize,
    sets: Vec<u32>,
}

impl Arrangements {
    pub(crate) fn new(n_circles: usize) -> Self {
        let mut sets: Vec<u32> = (0..=N_PIECES)
            .flat_map(|n_pieces| subsets(n_circles, n_pieces))
            .collect();
        sets.sort_by_key(|set| (set.count_ones(), *set));
        Self { n_circles, sets }
    }

    /// The set of circles with each number.
    pub(crate) fn sets(&self) -> &[u32] {
        &self.sets
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// How many have a piece to spare. Theirs are the lowest numbers.
    pub(crate) fn n_with_held(&self) -> usize {
        n_below(self.n_circles, N_PIECES as u32)
    }

    /// The number of an arrangement.
    #[inline]
    pub(crate) fn number(&self, set: u32) -> usize {
        rank_beside(set, 0, self.n_circles)
    }
}

fn subsets(n_circles: usize, n: usize) -> Vec<u32> {
    if n == 0 {
        return vec![0];
    }
    let smaller = subsets(n_circles, n - 1).into_iter();
    let larger = smaller.flat_map(|set| {
        let above = (u32::BITS - set.leading_zeros()) as usize;
        (above..n_circles).map(move |circle| set | 1 << circle)
    });
    larger.collect()
}

/// How many arrangements of fewer than `n_pieces` there are on `n` circles.
#[inline]
fn n_below(n: usize, n_pieces: u32) -> usize {
    match n_pieces {
        0 => 0,
        1 => 1,
        2 => 1 + n,
        _ => 1 + n + n * n.saturating_sub(1) / 2,
    }
}

/// How many arrangements one player has if `n` circles are free of the other's
/// pieces.
pub(crate) fn n_arrangements(n: usize) -> usize {
    n_below(n, 3) + n * n.saturating_sub(1) * n.saturating_sub(2) / 6
}

/// The number of arrangement `set` among those that share no circle with
/// `occupied`.
#[inline]
pub(crate) fn rank_beside(set: u32, occupied: u32, n_circles: usize) -> usize {
    let n_free = n_circles - occupied.count_ones() as usize;
    let mut rank = n_below(n_free, set.count_ones());
    for (n_lower, circle) in bits(set).enumerate() {
        let below = (1 << circle) - 1;
        let c = circle - (occupied & below).count_ones() as usize;
        rank += match n_lower {
            0 => c,
            1 => c * c.wrapping_sub(1) / 2,
            _ => c * c.wrapping_sub(1) * c.wrapping_sub(2) / 6,
        };
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::{Arrangements, n_arrangements, rank_beside};

    #[test]
    fn numbers_are_those_of_the_list() {
        let all = Arrangements::new(28);
        assert_eq!(all.len(), 3683);
        assert_eq!(all.n_with_held(), 407);
        for (number, &set) in all.sets().iter().enumerate() {
            assert_eq!(all.number(set), number);
        }
    }

    #[test]
    fn ranks_count_what_shares_no_circle() {
        let all = Arrangements::new(28);
        for occupied in [0, 1, 1 << 27, 0b1001 << 9, 1 << 27 | 0b101 << 3] {
            let free = all.sets().iter().filter(|&set| set & occupied == 0);
            let mut n = 0;
            for (rank, &set) in free.enumerate() {
                assert_eq!(rank_beside(set, occupied, 28), rank);
                n += 1;
            }
            assert_eq!(n_arrangements(28 - occupied.count_ones() as usize), n);
        }
    }
}
