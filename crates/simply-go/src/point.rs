use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub};

/// The size of the largest board (R1).
pub const LARGEST_SIZE: u8 = 48;

/// A point of a board, by column and row, both counted from 0 at the lower
/// left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    // The row comes first so that points are ordered as they are listed.
    row: u8,
    column: u8,
}

impl Point {
    /// The point on the given column and row.
    ///
    /// # Panics
    ///
    /// Panics if it is outside the largest board.
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Self {
        assert!(column < LARGEST_SIZE && row < LARGEST_SIZE);
        Self { row, column }
    }

    /// Its column.
    #[inline]
    #[must_use]
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Its row.
    #[inline]
    #[must_use]
    pub const fn row(self) -> u8 {
        self.row
    }

    /// Whether it is on the outermost ring of a board (R1).
    #[inline]
    #[must_use]
    pub const fn is_on_rim(self, size: u8) -> bool {
        let last = size - 1;
        self.row == 0 || self.column == 0 || self.row == last || self.column == last
    }

    /// The point so many columns and rows away, if it is on the board.
    #[inline]
    #[must_use]
    pub fn offset(self, columns: i8, rows: i8, size: u8) -> Option<Self> {
        let column = self.column.wrapping_add_signed(columns);
        let row = self.row.wrapping_add_signed(rows);
        (column < size && row < size).then_some(Self { row, column })
    }

    /// The points that touch this one.
    pub fn neighbors(self, size: u8) -> impl Iterator<Item = Self> {
        const WAYS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        WAYS.into_iter()
            .filter_map(move |(columns, rows)| self.offset(columns, rows, size))
    }
}

/// A set of points: a word of bits for each row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PointSet {
    rows: [u64; LARGEST_SIZE as usize],
}

impl PointSet {
    /// No point.
    pub const EMPTY: Self = Self {
        rows: [0; LARGEST_SIZE as usize],
    };

    /// All points of a board.
    #[must_use]
    pub fn board(size: u8) -> Self {
        let mut set = Self::EMPTY;
        set.rows[..usize::from(size)].fill((1 << size) - 1);
        set
    }

    /// The outermost ring of a board (R1).
    #[must_use]
    pub fn rim(size: u8) -> Self {
        let last = usize::from(size) - 1;
        let mut set = Self::EMPTY;
        set.rows[..=last].fill(1 | 1 << last);
        set.rows[0] = (1 << size) - 1;
        set.rows[last] = (1 << size) - 1;
        set
    }

    /// Whether `point` is one of them.
    #[inline]
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.rows[usize::from(point.row)] >> point.column & 1 == 1
    }

    /// Adds `point`.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.rows[usize::from(point.row)] |= 1 << point.column;
    }

    /// The points of one row, a bit for each column.
    #[inline]
    #[must_use]
    pub fn row(&self, row: u8) -> u64 {
        self.rows[usize::from(row)]
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// Whether the sets have a point in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.rows.iter().zip(&other.rows).any(|(a, b)| a & b != 0)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// The first point of [`iter`](Self::iter).
    #[must_use]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points row by row from the bottom, each row from the left.
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        (0..LARGEST_SIZE).flat_map(|row| {
            let mut columns = self.row(row);
            std::iter::from_fn(move || {
                let column = columns.trailing_zeros() as u8;
                columns &= columns.checked_sub(1)?;
                Some(Point { row, column })
            })
        })
    }

    /// These points and all that touch them.
    #[must_use]
    pub fn grown(&self) -> Self {
        let mut set = *self;
        for (row, &columns) in self.rows.iter().enumerate() {
            set.rows[row] |= columns << 1 | columns >> 1;
            if row > 0 {
                set.rows[row - 1] |= columns;
            }
            if let Some(above) = set.rows.get_mut(row + 1) {
                *above |= columns;
            }
        }
        set
    }

    /// Flood fill: the points of `within` that are connected with `start`.
    #[must_use]
    pub fn flooded_from(start: Point, within: &Self) -> Self {
        let mut set = Self::EMPTY;
        set.insert(start);
        set.flooded(within)
    }

    /// Flood fill: the points of `within` that are connected with these.
    #[must_use]
    pub fn flooded(self, within: &Self) -> Self {
        let mut set = self & *within;
        let n_rows = within
            .rows
            .iter()
            .rposition(|&row| row != 0)
            .map_or(0, |last| last + 1);
        // Sweep up and down until nothing changes. One sweep fills everything that
        // can be reached without turning back.
        while set.sweep(within, 0..n_rows) | set.sweep(within, (0..n_rows).rev()) {}
        set
    }

    /// Floods each row from itself and from the row before. Returns whether that
    /// changed anything.
    fn sweep(&mut self, within: &Self, rows: impl Iterator<Item = usize>) -> bool {
        let mut has_changed = false;
        let mut before = 0;
        for row in rows {
            let reached = self.rows[row] | before & within.rows[row];
            before = if reached == 0 {
                0
            } else {
                fill_row(reached, within.rows[row])
            };
            has_changed |= before != self.rows[row];
            self.rows[row] = before;
        }
        has_changed
    }
}

/// The runs of `within` that contain a point of `row`.
#[inline]
fn fill_row(row: u64, within: u64) -> u64 {
    if row == within {
        return row;
    }
    // Adding a point to its run carries to the run's end and flips the bits on
    // the way.
    let mut filled = row | within & (within ^ within.wrapping_add(row));
    // The other way there is no carry: fill 1, 2, 4, … points at a time.
    let mut way = within;
    for shift in [1, 2, 4, 8, 16, 32] {
        filled |= way & filled >> shift;
        way &= way >> shift;
    }
    filled
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl BitAnd for PointSet {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl BitAndAssign for PointSet {
    fn bitand_assign(&mut self, other: Self) {
        for (row, other) in self.rows.iter_mut().zip(other.rows) {
            *row &= other;
        }
    }
}

impl BitOr for PointSet {
    type Output = Self;

    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl BitOrAssign for PointSet {
    fn bitor_assign(&mut self, other: Self) {
        for (row, other) in self.rows.iter_mut().zip(other.rows) {
            *row |= other;
        }
    }
}

/// Set difference.
impl Sub for PointSet {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        for (row, other) in self.rows.iter_mut().zip(other.rows) {
            *row &= !other;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use rules::Random;

    use super::{LARGEST_SIZE, Point, PointSet, fill_row};

    /// The points reached one by one.
    fn slowly_flooded(start: Point, within: &PointSet) -> PointSet {
        let mut set = PointSet::EMPTY;
        let mut frontier = vec![start];
        while let Some(point) = frontier.pop() {
            if within.contains(point) && !set.contains(point) {
                set.insert(point);
                frontier.extend(point.neighbors(LARGEST_SIZE));
            }
        }
        set
    }

    #[test]
    fn a_row_fills_whole_runs() {
        assert_eq!(fill_row(0b0_0100_0000, 0b1_1110_0111), 0b1_1110_0000);
        assert_eq!(fill_row(0b0_1010_0010, 0b0_1110_0111), 0b0_1110_0111);
        assert_eq!(fill_row(0, 0b111), 0);
    }

    #[test]
    fn a_flood_reaches_what_a_walk_reaches() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let n_walls = random.below(2000);
            let mut within = PointSet::board(LARGEST_SIZE);
            let point = |random: &mut Random| {
                let mut coordinate = || random.below(u32::from(LARGEST_SIZE)) as u8;
                Point::new(coordinate(), coordinate())
            };
            for _ in 0..n_walls {
                within = within - [point(&mut random)].into_iter().collect();
            }
            let start = point(&mut random);
            let flooded = PointSet::flooded_from(start, &within);
            assert_eq!(flooded, slowly_flooded(start, &within));
        }
    }
}
