//! Neighbor counts of all squares at once, bit by bit.

use takeover::SquareSet;

/// For each square, how many of its neighbors are in a set: the binary digits of the
/// counts, the eights first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearby([SquareSet; 4]);

impl Nearby {
    #[inline]
    pub(super) fn count(set: SquareSet) -> Self {
        // No board has file h, so shifts across a rank's end do no harm.
        let (left, right) = (set.0 >> 1, set.0 << 1);
        let (ones, twos) = (left ^ right, left & right);
        // With the square itself, for the ranks above and below.
        let (row_ones, row_twos) = (ones ^ set.0, twos | ones & set.0);
        let (sum, carry) = add_three(row_ones << 8, row_ones >> 8, ones);
        let (twos, fours) = add_three(row_twos << 8, row_twos >> 8, twos);
        let (twos, carry) = (twos ^ carry, twos & carry);
        Self([fours & carry, fours ^ carry, twos, sum].map(SquareSet))
    }

    /// Those of `squares` with the highest count.
    #[inline]
    pub(super) fn most(&self, mut squares: SquareSet) -> SquareSet {
        for &digit in &self.0 {
            let larger = squares & digit;
            if !larger.is_empty() {
                squares = larger;
            }
        }
        squares
    }
}

/// A full adder for every bit: the lower and the upper digit of the sum of three.
#[inline]
fn add_three(a: u64, b: u64, c: u64) -> (u64, u64) {
    let sum = a ^ b;
    (sum ^ c, a & b | sum & c)
}

#[cfg(test)]
mod tests {
    use rules::Random;
    use takeover::{Square, SquareSet};

    use super::Nearby;

    #[test]
    fn all_squares_are_counted_as_one_by_one() {
        let mut random = Random::new(1);
        let board = SquareSet::board(7);
        for n in 0..1000 {
            let mut any = || SquareSet(random.any()) & board;
            // Full and sparse boards.
            let set = if n % 2 == 0 {
                any() | any()
            } else {
                any() & any()
            };
            let nearby = Nearby::count(set);
            let n_near = |square: Square| (SquareSet::neighbors(square) & set).len();
            for square in board {
                let digits = nearby.0.iter();
                let counted = digits.fold(0, |n, digit| 2 * n + u32::from(digit.contains(square)));
                assert_eq!(counted, n_near(square), "{square:?} of {set:?}");
            }
            let most = board.iter().map(n_near).max();
            for square in nearby.most(board) {
                assert_eq!(Some(n_near(square)), most);
            }
        }
    }
}
