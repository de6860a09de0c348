use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A square. Both boards lie in the lower left of an 8 × 8 grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square on the given file and rank, both counted from 0.
    ///
    /// # Panics
    ///
    /// Panics if it is not on the grid.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        assert!(file < 8 && rank < 8, "files and ranks run from 0 to 7");
        Self(rank * 8 + file)
    }

    /// The file, counted from 0.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// The rank, counted from 0.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// Its place in a list of 64.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SquareSet(pub u64);

/// The squares of files a to g: a step sideways from one board edge ends
/// outside of them, since file h is never part of a board.
const FILES_WITHOUT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares next to each square, on the whole grid.
static NEIGHBORS: [SquareSet; 64] = squares_at_distance(1);

/// The squares two away from each square, on the whole grid: 8 in a straight
/// or diagonal line, 8 by a knight's move.
static TWO_AWAY: [SquareSet; 64] = squares_at_distance(2);

/// For each square, the squares at this distance: the larger of file and rank
/// distance.
const fn squares_at_distance(distance: i32) -> [SquareSet; 64] {
    let mut sets = [SquareSet(0); 64];
    let mut from: i32 = 0;
    while from < 64 {
        let mut to: i32 = 0;
        while to < 64 {
            let files = (from % 8 - to % 8).abs();
            let ranks = (from / 8 - to / 8).abs();
            let greater = if files > ranks { files } else { ranks };
            if greater == distance {
                sets[from as usize].0 |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    sets
}

impl SquareSet {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// The whole board with `size` files and ranks.
    #[must_use]
    pub const fn board(size: u8) -> Self {
        let mut squares = 0;
        let mut rank = 0;
        while rank < size {
            squares |= ((1 << size) - 1) << (8 * rank);
            rank += 1;
        }
        Self(squares)
    }

    /// The squares next to `square`.
    #[inline]
    #[must_use]
    pub fn neighbors(square: Square) -> Self {
        NEIGHBORS[square.index()]
    }

    /// The squares two away from `square`: in a line or by a knight's move.
    #[inline]
    #[must_use]
    pub fn two_away(square: Square) -> Self {
        TWO_AWAY[square.index()]
    }

    /// Dilation: these squares and their neighbors. File h may be among them.
    #[inline]
    #[must_use]
    pub const fn grown(self) -> Self {
        let wide = self.0 | (self.0 & FILES_WITHOUT_H) << 1 | self.0 >> 1;
        Self(wide | wide << 8 | wide >> 8)
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// The squares one by one, in the order of their ranks and then files.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> Squares {
        Squares(self.0)
    }
}

impl From<Square> for SquareSet {
    #[inline]
    fn from(square: Square) -> Self {
        Self(1 << square.0)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | square.into())
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

/// The squares of a [`SquareSet`].
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

macro_rules! set_operator {
    ($operator:ident, $function:ident, $assign:ident, $assign_function:ident) => {
        impl $operator for SquareSet {
            type Output = Self;

            #[inline]
            fn $function(self, other: Self) -> Self {
                Self($operator::$function(self.0, other.0))
            }
        }

        impl $assign for SquareSet {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                $assign::$assign_function(&mut self.0, other.0);
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl Not for SquareSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
