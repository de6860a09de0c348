use lilypads::N_PIECES;

use crate::pond::MOST_CIRCLES;

/// The sets of circles that one player's pieces can occupy, each with a number.
///
/// They are ordered by the number of pieces on the board, then by the highest
/// circle, then the next. The order stays the same when circles are excluded, which
/// makes [`rank_beside`] simple.
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

    /// The number of circles of the pond.
    pub(crate) fn n_circles(&self) -> usize {
        self.n_circles
    }

    /// The set of circles with each number.
    pub(crate) fn sets(&self) -> &[u32] {
        &self.sets
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The number of arrangements with a held piece. They come first.
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

/// The number of arrangements of fewer than `n_pieces` on `n` circles.
#[inline]
fn n_below(n: usize, n_pieces: u32) -> usize {
    match n_pieces {
        0 => 0,
        1 => 1,
        2 => 1 + n,
        _ => 1 + n + usize::from(CHOICES[1][n]),
    }
}

/// The number of arrangements of one player if `n` circles are free of the other's
/// pieces.
pub(crate) fn n_arrangements(n: usize) -> usize {
    n_below(n, 3) + usize::from(CHOICES[2][n])
}

/// Binomial coefficients: the ways to choose one, two or three of `n` circles.
const CHOICES: [[u16; MOST_CIRCLES + 1]; N_PIECES] = {
    let mut choices = [[0; MOST_CIRCLES + 1]; N_PIECES];
    let mut n = 1;
    while n <= MOST_CIRCLES {
        choices[0][n] = n as u16;
        choices[1][n] = choices[1][n - 1] + choices[0][n - 1];
        choices[2][n] = choices[2][n - 1] + choices[1][n - 1];
        n += 1;
    }
    choices
};

/// The rank of `set` among the arrangements that share no circle with `occupied`.
#[inline]
pub(crate) fn rank_beside(set: u32, occupied: u32, n_circles: usize) -> usize {
    let n_free = n_circles - occupied.count_ones() as usize;
    let mut rank = n_below(n_free, set.count_ones());
    let mut rest = set;
    for choices in &CHOICES {
        if rest == 0 {
            break;
        }
        let below = (rest & rest.wrapping_neg()) - 1;
        rank += usize::from(choices[(below & !occupied).count_ones() as usize]);
        rest &= rest - 1;
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
