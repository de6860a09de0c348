use std::ops::{Add, Sub};

/// A hexagonal cell of the endless plane, in axial coordinates (R1).
///
/// Cells are ordered by `q`, then by `r`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hex {
    /// The first coordinate.
    pub q: i32,
    /// The second coordinate.
    pub r: i32,
}

impl Hex {
    /// Limit of the coordinates. The plane is infinite in a match, but numbers are
    /// not.
    pub(crate) const FARTHEST: i32 = 1_000_000_000;

    /// The six directions (R1), each beside the next.
    pub const DIRECTIONS: [Self; 6] = [
        Self::new(1, 0),
        Self::new(1, -1),
        Self::new(0, -1),
        Self::new(-1, 0),
        Self::new(-1, 1),
        Self::new(0, 1),
    ];

    /// The cell with the given coordinates.
    #[must_use]
    pub const fn new(q: i32, r: i32) -> Self {
        Self { q, r }
    }

    pub(crate) fn is_on_plane(self) -> bool {
        let is_near = |n| (-Self::FARTHEST..=Self::FARTHEST).contains(&n);
        is_near(self.q) && is_near(self.r)
    }

    /// The six cells that touch this one.
    #[must_use]
    pub fn neighbors(self) -> [Self; 6] {
        Self::DIRECTIONS.map(|direction| self + direction)
    }

    /// The least number of steps from one cell to the other.
    #[must_use]
    pub const fn distance(self, other: Self) -> u32 {
        let q = self.q.abs_diff(other.q);
        let r = self.r.abs_diff(other.r);
        // One step may increase one coordinate and decrease the other.
        let is_same_way = (self.q < other.q) == (self.r < other.r);
        if is_same_way {
            q.saturating_add(r)
        } else if q > r {
            q
        } else {
            r
        }
    }
}

impl Add for Hex {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.q.wrapping_add(other.q), self.r.wrapping_add(other.r))
    }
}

impl Sub for Hex {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.q.wrapping_sub(other.q), self.r.wrapping_sub(other.r))
    }
}
