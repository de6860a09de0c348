//! A linear evaluation: a weighted sum of features.

/// Weights for `N` features of the player to move and the same of the opponent.
#[derive(Clone, Debug)]
pub(crate) struct Linear<const N: usize> {
    own: [i32; N],
    other: [i32; N],
    bias: i32,
}

impl<const N: usize> Linear<N> {
    /// Reads the weights from `bytes`, 16-bit little-endian numbers: those of the
    /// player to move, those of the opponent, and the bias.
    ///
    /// # Panics
    ///
    /// Panics if `bytes` is too short.
    pub(crate) const fn read(bytes: &[u8], start: usize) -> Self {
        let mut weights = Self {
            own: [0; N],
            other: [0; N],
            bias: number(bytes, start + 2 * N),
        };
        let mut n = 0;
        while n < N {
            weights.own[n] = number(bytes, start + n);
            weights.other[n] = number(bytes, start + N + n);
            n += 1;
        }
        weights
    }

    /// The number of weights, with the bias.
    pub(crate) const fn n_numbers() -> usize {
        2 * N + 1
    }

    /// The score for the player to move.
    #[inline]
    pub(crate) fn score(&self, own: &[i32; N], other: &[i32; N]) -> i32 {
        let product = |counts: &[i32; N], weights: &[i32; N]| -> i32 {
            counts
                .iter()
                .zip(weights)
                .map(|(count, weight)| count * weight)
                .sum()
        };
        product(own, &self.own) + product(other, &self.other) + self.bias
    }
}

const fn number(bytes: &[u8], index: usize) -> i32 {
    i16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]]) as i32
}
