use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::mix;

/// Seeded random numbers: the same for the same seed on every platform and in every
/// version of Parlour.
///
/// The stream is that of [`Pcg32`]. Seeding and drawing are implemented here,
/// because board numbers would mean other boards if a library changed its
/// algorithms.
///
/// ```
/// use rules::Random;
///
/// let mut a = Random::new(7);
/// let mut b = Random::new(7);
/// assert_eq!(a.below(1000), b.below(1000));
/// ```
#[derive(Clone, Debug)]
pub struct Random(Pcg32);

impl Random {
    /// The generator for `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // Similar seeds must not give similar streams.
        let state = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        Self(Pcg32::new(state, mix(state)))
    }

    /// Any 64-bit number.
    pub fn any(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, uniformly distributed.
    ///
    /// # Panics
    ///
    /// Panics if `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "no number is below 0");
        // The upper half of the product is uniform except for the first few values
        // of the lower half, which are rejected (Lemire 2019).
        let unfair = n.wrapping_neg() % n;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(n);
            if product as u32 >= unfair {
                return (product >> 32) as u32;
            }
        }
    }

    /// A number from `low` to `high`, both included.
    ///
    /// # Panics
    ///
    /// Panics if `low` is above `high`.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = i64::from(high) - i64::from(low) + 1;
        let span = u32::try_from(span).expect("low is at most high, and both are small");
        low + self.below(span) as i32
    }

    /// One of `items`, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        let n = u32::try_from(items.len()).expect("a list of moves or places is short");
        items.get(self.below(n) as usize)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::Random;

    /// A change here would give every board number another board.
    #[test]
    fn the_stream_never_changes() {
        let mut random = Random::new(42);
        let drawn: Vec<u32> = (0..8).map(|_| random.below(100)).collect();
        expect!["[86, 98, 42, 98, 56, 29, 54, 34]"].assert_eq(&format!("{drawn:?}"));
    }

    #[test]
    fn every_number_below_comes_up() {
        let mut random = Random::new(1);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
    }

    #[test]
    fn between_includes_both_ends() {
        let mut random = Random::new(1);
        let drawn: Vec<i32> = (0..200).map(|_| random.between(-1, 1)).collect();
        assert_eq!(drawn.iter().min(), Some(&-1));
        assert_eq!(drawn.iter().max(), Some(&1));
    }
}
