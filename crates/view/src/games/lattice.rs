//! A square lattice of places.

use crate::Point;

/// The coordinates of the places.
#[derive(Clone, Copy)]
pub(super) struct Lattice {
    /// The number of columns and of rows.
    pub(super) size: u8,
    /// The center of the place in the upper left corner.
    pub(super) corner: Point,
    /// The distance between neighboring centers.
    pub(super) pitch: f64,
    /// Whether the board is rotated by 180°.
    pub(super) is_flipped: bool,
}

impl Lattice {
    /// The center of a place. Columns are counted from the left and rows from the
    /// bottom of the unrotated board.
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
