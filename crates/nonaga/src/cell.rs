//! A bit field that holds any connected board of 19 tiles and its surroundings.
//!
//! The field is a window of 21 × 21 cells. Tiles stay off its rim, so that no
//! step from a tile leaves it; 19 connected tiles never need more room than the
//! 19 × 19 cells within.

use std::ops::{BitAnd, BitOr, Not};

use crate::Hex;

/// The width and height of the field.
pub(crate) const SIZE: usize = 21;
const N_WORDS: usize = (SIZE * SIZE).div_ceil(64);

/// A cell of the field. Cells are ordered as [`Hex`] are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Cell(u16);

/// How far one direction leads in the list of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step(i16);

impl Step {
    /// The steps in the six directions, in the order of [`Hex::DIRECTIONS`].
    pub(crate) const ALL: [Self; 6] = [
        Self(SIZE as i16),
        Self(SIZE as i16 - 1),
        Self(-1),
        Self(-(SIZE as i16)),
        Self(1 - SIZE as i16),
        Self(1),
    ];
}

impl Cell {
    /// The cell in the middle of the field.
    pub(crate) const CENTER: Hex = Hex::new(SIZE as i32 / 2, SIZE as i32 / 2);

    /// The cell at `offset` from the field's first one, unless it is on the rim
    /// or beyond.
    pub(crate) fn inside(offset: Hex) -> Option<Self> {
        let is_inside = |n| (1..SIZE as i32 - 1).contains(&n);
        (is_inside(offset.q) && is_inside(offset.r)).then(|| Self::at(offset))
    }

    /// The cell at `offset` from the field's first one, if it is on the field.
    pub(crate) fn on_field(offset: Hex) -> Option<Self> {
        let is_on_field = |n| (0..SIZE as i32).contains(&n);
        (is_on_field(offset.q) && is_on_field(offset.r)).then(|| Self::at(offset))
    }

    fn at(offset: Hex) -> Self {
        Self((offset.q * SIZE as i32 + offset.r) as u16)
    }

    /// How far the cell is from the field's first one.
    #[inline]
    pub(crate) const fn offset(self) -> Hex {
        Hex::new(
            (self.0 as usize / SIZE) as i32,
            (self.0 as usize % SIZE) as i32,
        )
    }

    /// The number of the cell in the list of all cells.
    #[inline]
    pub(crate) const fn number(self) -> u16 {
        self.0
    }

    /// The cell one step further. Only cells off the rim have all neighbors.
    #[inline]
    pub(crate) const fn step(self, step: Step) -> Self {
        Self(self.0.wrapping_add_signed(step.0))
    }

    /// The same place after the field was moved by `offset`.
    pub(crate) fn moved(self, offset: Hex) -> Self {
        Self(self.0.wrapping_add_signed(index_distance(offset)))
    }

    /// Whether two cells off the rim touch.
    #[inline]
    pub(crate) const fn touches(self, other: Self) -> bool {
        let distance = self.0.abs_diff(other.0) as usize;
        distance == 1 || distance == SIZE || distance == SIZE - 1
    }

    /// Whether the cell is on the rim of the field.
    pub(crate) fn is_on_rim(self) -> bool {
        Self::inside(self.offset()).is_none()
    }
}

fn index_distance(offset: Hex) -> i16 {
    (offset.q * SIZE as i32 + offset.r) as i16
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CellSet([u64; N_WORDS]);

impl CellSet {
    #[inline]
    pub(crate) const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.0 as usize / 64] >> (cell.0 % 64) & 1 == 1
    }

    #[inline]
    pub(crate) const fn insert(&mut self, cell: Cell) {
        self.0[cell.0 as usize / 64] |= 1 << (cell.0 % 64);
    }

    #[inline]
    pub(crate) const fn remove(&mut self, cell: Cell) {
        self.0[cell.0 as usize / 64] &= !(1 << (cell.0 % 64));
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cells from which a step leads to one of these.
    #[inline]
    pub(crate) fn stepped_back(&self, step: Step) -> Self {
        if step.0 > 0 {
            self.shifted_down(step.0 as u32)
        } else {
            self.shifted_up(u32::from(step.0.unsigned_abs()))
        }
    }

    #[inline]
    fn shifted_down(&self, n: u32) -> Self {
        let mut words = [0; N_WORDS];
        for (index, word) in words.iter_mut().enumerate() {
            let above = self.0.get(index + 1).copied().unwrap_or(0);
            *word = self.0[index] >> n | above << (64 - n);
        }
        Self(words)
    }

    #[inline]
    fn shifted_up(&self, n: u32) -> Self {
        let mut words = [0; N_WORDS];
        for (index, word) in words.iter_mut().enumerate() {
            let below = if index == 0 { 0 } else { self.0[index - 1] };
            *word = self.0[index] << n | below >> (64 - n);
        }
        Self(words)
    }

    /// The same places after the field was moved by `offset`.
    pub(crate) fn moved(&self, offset: Hex) -> Self {
        self.iter().map(|cell| cell.moved(offset)).collect()
    }

    /// The neighbors of `cell` that are in the set: a bit for each direction.
    #[inline]
    pub(crate) fn around(&self, cell: Cell) -> u8 {
        let mut around = 0;
        for (index, &step) in Step::ALL.iter().enumerate() {
            around |= u8::from(self.contains(cell.step(step))) << index;
        }
        around
    }

    /// The cells one by one, in their order.
    #[inline]
    pub(crate) fn iter(&self) -> Cells {
        Cells {
            words: self.0,
            index: 0,
        }
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::default();
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl BitAnd for CellSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }
}

impl BitOr for CellSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }
}

impl Not for CellSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

/// The cells of a [`CellSet`].
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    words: [u64; N_WORDS],
    index: usize,
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.index < N_WORDS {
            let word = &mut self.words[self.index];
            if *word != 0 {
                let cell = Cell((self.index * 64) as u16 + word.trailing_zeros() as u16);
                *word &= *word - 1;
                return Some(cell);
            }
            self.index += 1;
        }
        None
    }
}
