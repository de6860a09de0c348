//! Bit boards with a margin, so that the neighbors of a point can be read without
//! bounds checks.

use simply_go::{LARGEST_SIZE, Point, PointSet};

const N_ROWS: usize = LARGEST_SIZE as usize + 2;

/// The number of spots, margin included.
pub(crate) const N_SPOTS: usize = N_ROWS << 6;

/// A point or a place in the margin, as one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Spot(pub(crate) u16);

impl Spot {
    /// The offsets of the four neighbors.
    pub(crate) const WAYS: [i16; 4] = [1, 64, -1, -64];

    #[inline]
    pub(crate) fn new(point: Point) -> Self {
        Self((u16::from(point.row()) + 1) << 6 | (u16::from(point.column()) + 1))
    }

    /// The point of a spot that is not in the margin.
    #[inline]
    pub(crate) fn point(self) -> Point {
        Point::new((self.0 & 63) as u8 - 1, (self.0 >> 6) as u8 - 1)
    }

    #[inline]
    pub(crate) fn step(self, way: i16) -> Self {
        Self(self.0.wrapping_add_signed(way))
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of spots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    pub(crate) rows: [u64; N_ROWS],
}

impl Bits {
    pub(crate) const EMPTY: Self = Self { rows: [0; N_ROWS] };

    pub(crate) fn new(points: &PointSet, size: u8) -> Self {
        let mut bits = Self::EMPTY;
        for row in 0..size {
            bits.rows[usize::from(row) + 1] = points.row(row) << 1;
        }
        bits
    }

    #[inline]
    pub(crate) fn contains(&self, spot: Spot) -> bool {
        self.rows[usize::from(spot.0 >> 6)] >> (spot.0 & 63) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert(&mut self, spot: Spot) {
        self.rows[usize::from(spot.0 >> 6)] |= 1 << (spot.0 & 63);
    }

    /// The nine spots on and around `spot` as bits: the row below first, each from
    /// the left.
    #[inline]
    pub(crate) fn around(&self, spot: Spot) -> usize {
        let row = usize::from(spot.0 >> 6);
        let column = (spot.0 & 63) - 1;
        let three = |row: usize| (self.rows[row] >> column & 7) as usize;
        three(row - 1) | three(row) << 3 | three(row + 1) << 6
    }

    pub(crate) fn len(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// The spots row by row, each from the left.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Spot> {
        self.rows.iter().enumerate().flat_map(|(row, &columns)| {
            let mut columns = columns;
            std::iter::from_fn(move || {
                let column = columns.trailing_zeros() as u16;
                columns &= columns.checked_sub(1)?;
                Some(Spot((row as u16) << 6 | column))
            })
        })
    }

    pub(crate) fn first(&self) -> Option<Spot> {
        let row = self.rows.iter().position(|&row| row != 0)?;
        Some(Spot(
            (row as u16) << 6 | self.rows[row].trailing_zeros() as u16,
        ))
    }

    /// Flood fill: the spots of `within` that are connected with `start`.
    pub(crate) fn flooded(start: Spot, within: &Self, size: u8) -> Self {
        let mut set = Self::EMPTY;
        set.insert(start);
        let last = usize::from(size);
        let mut row = usize::from(start.0 >> 6);
        let mut step = |row: usize| {
            let near = set.rows[row - 1] | set.rows[row] | set.rows[row + 1];
            let reached = fill_row(near & within.rows[row], within.rows[row]);
            let has_changed = reached != set.rows[row];
            set.rows[row] = reached;
            has_changed
        };
        loop {
            let mut has_changed = false;
            for row in row..=last {
                has_changed |= step(row);
            }
            for row in (1..=last).rev() {
                has_changed |= step(row);
            }
            if !has_changed {
                return set;
            }
            row = 1;
        }
    }

    /// Combines the rows of both sets.
    #[inline]
    pub(crate) fn zip(&self, other: &Self, size: u8, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut bits = Self::EMPTY;
        for row in 1..=usize::from(size) {
            bits.rows[row] = f(self.rows[row], other.rows[row]);
        }
        bits
    }

    /// Dilation: these spots and their eight neighbors. The margin is cleared above
    /// and below only.
    pub(crate) fn spread(&self, size: u8) -> Self {
        let wide = |row: usize| {
            let columns = self.rows[row];
            columns | columns << 1 | columns >> 1
        };
        let mut bits = Self::EMPTY;
        for row in 1..=usize::from(size) {
            bits.rows[row] = wide(row - 1) | wide(row) | wide(row + 1);
        }
        bits
    }
}

/// The runs of `within` that contain a bit of `row`, which is a subset.
#[inline]
fn fill_row(row: u64, within: u64) -> u64 {
    if row == 0 || row == within {
        return row;
    }
    // Adding a bit to its run carries to the run's end and flips the bits on the
    // way. There is no carry in the other direction: fill 1, 2, 4, … at a time.
    let mut filled = row | within & (within ^ within.wrapping_add(row));
    let mut way = within;
    for shift in [1, 2, 4, 8, 16, 32] {
        filled |= way & filled >> shift;
        way &= way >> shift;
    }
    filled
}

/// The bits set in at least two of the four.
#[inline]
pub(crate) fn two_of(a: u64, b: u64, c: u64, d: u64) -> u64 {
    a & b | c & d | (a | b) & (c | d)
}

/// The bits set in at least three of the four.
#[inline]
pub(crate) fn three_of(a: u64, b: u64, c: u64, d: u64) -> u64 {
    a & b & (c | d) | c & d & (a | b)
}

/// For the nine spots of [`Bits::around`], set if open: the number of parts that the
/// neighbors of the middle form around it.
pub(crate) static N_PARTS: [u8; 512] = n_parts();

const fn n_parts() -> [u8; 512] {
    // The eight spots around the middle, in order.
    const RING: [usize; 8] = [5, 8, 7, 6, 3, 0, 1, 2];
    let mut parts = [0; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut side = 0;
        let mut any = false;
        while side < 8 {
            let is_open = pattern >> RING[side] & 1 == 1;
            let goes_on =
                pattern >> RING[side + 1] & 1 == 1 && pattern >> RING[(side + 2) % 8] & 1 == 1;
            any |= is_open;
            if is_open && !goes_on {
                parts[pattern] += 1;
            }
            side += 2;
        }
        if any && parts[pattern] == 0 {
            parts[pattern] = 1;
        }
        pattern += 1;
    }
    parts
}
