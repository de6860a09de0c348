//! Rows and columns of places, as many of the one as of the other.

use crate::Point;

/// Where the places are.
#[derive(Clone, Copy)]
pub(super) struct Lattice {
    /// How many columns there are, and rows.
    pub(super) size: u8,
    /// The middle of the place in the upper left corner.
    pub(super) corner: Point,
    /// How far it is from the middle of a place to that of the next.
    pub(super) pitch: f64,
    /// Whether the board is turned around.
    pub(super) is_flipped: bool,
}

impl Lattice {
    /// The middle of a place. Columns are counted from the left and rows from
    /// the foot, as long as the board is not turned around.
    pub(super) fn at(&self, column: u8, row: u8) -> Point {
        let last = self.size - 1;
        let (right, down) = if self.is_flipped {
            (last - column, row)
        } else {
            (column, last - row)
        };
        self.corner + Point::new(f64::from(right), f64::from(down)) * self.pitch
    }
}
