use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// How many circles a board has (R1).
pub const N_CIRCLES: usize = 30;

/// A circle of the board, by its number (R6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Circle(u8);

impl Circle {
    /// The circle with the given number, if there is one.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < N_CIRCLES {
            Some(Self(number))
        } else {
            None
        }
    }

    /// All circles in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..N_CIRCLES as u8).map(Self)
    }

    /// Its number, for use as an index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of circles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CircleSet(u32);

impl CircleSet {
    /// No circle.
    pub const EMPTY: Self = Self(0);

    /// All circles of a board.
    pub const ALL: Self = Self((1 << N_CIRCLES) - 1);

    /// The set with these bits, one for each circle's number.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// A bit for each circle's number.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of circles.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `circle` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, circle: Circle) -> bool {
        self.0 >> circle.0 & 1 == 1
    }

    /// The circles in the order of their numbers.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> Circles {
        Circles(self.0)
    }
}

impl From<Circle> for CircleSet {
    #[inline]
    fn from(circle: Circle) -> Self {
        Self(1 << circle.0)
    }
}

impl FromIterator<Circle> for CircleSet {
    fn from_iter<I: IntoIterator<Item = Circle>>(circles: I) -> Self {
        let circles = circles.into_iter();
        circles.fold(Self::EMPTY, |set, circle| set | circle.into())
    }
}

impl IntoIterator for CircleSet {
    type Item = Circle;
    type IntoIter = Circles;

    #[inline]
    fn into_iter(self) -> Circles {
        self.iter()
    }
}

impl BitAnd for CircleSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for CircleSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for CircleSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Set difference.
impl Sub for CircleSet {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// The circles of a [`CircleSet`].
#[derive(Clone, Debug)]
pub struct Circles(u32);

impl Iterator for Circles {
    type Item = Circle;

    #[inline]
    fn next(&mut self) -> Option<Circle> {
        if self.0 == 0 {
            return None;
        }
        let circle = Circle(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(circle)
    }
}
