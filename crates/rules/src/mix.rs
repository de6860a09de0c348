/// Hashes `value` to 64 bits, the same way on every platform.
///
/// It is a bijection. Keys of positions are made of such hashes, since a position
/// has too many possible contents for a table of random numbers (Zobrist keys): a
/// Nonaga board may drift anywhere. The constants are those of SplitMix64's
/// finalizer.
#[inline]
#[must_use]
pub const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::mix;

    #[test]
    fn small_values_scatter_over_both_halves() {
        let upper: HashSet<u32> = (1..=1000).map(|n| (mix(n) >> 32) as u32).collect();
        let lower: HashSet<u32> = (1..=1000).map(|n| mix(n) as u32).collect();
        assert_eq!((upper.len(), lower.len()), (1000, 1000));
    }
}
