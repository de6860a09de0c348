/// The number of bits of a [`BitLine`].
pub(crate) const LINE_BITS: usize = 512;

/// A cache line of bits, the unit of the solver's work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(64))]
pub(crate) struct BitLine(pub(crate) [u64; 8]);

impl BitLine {
    pub(crate) const EMPTY: Self = Self([0; 8]);

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(crate) fn set(&mut self, bit: usize) {
        self.0[bit / 64 % 8] |= 1 << (bit % 64);
    }

    #[inline]
    pub(crate) fn insert(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
    }

    #[inline]
    pub(crate) fn retain(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }

    /// Intersection.
    #[inline]
    pub(crate) fn both(&self, other: &Self) -> Self {
        let mut line = *self;
        line.retain(other);
        line
    }

    /// The index of the only word with bits, if there is just one.
    #[inline]
    pub(crate) fn only_word(&self) -> Option<usize> {
        let used = self
            .0
            .iter()
            .enumerate()
            .fold(0_u32, |used, (index, &word)| {
                used | u32::from(word != 0) << index
            });
        (used.count_ones() == 1).then(|| used.trailing_zeros() as usize)
    }
}
