//! The amount of late move reductions.

/// Late move reduction in 128ths of a ply: it grows with the logarithms of the depth
/// and of the number of moves tried before. Integers only, since floating-point
/// logarithms may differ between platforms.
pub(crate) fn for_late_move(depth: i32, n_tried: usize) -> i32 {
    let depth = log2(depth.max(1) as u32);
    let tried = log2(n_tried.max(1) as u32);
    // The usual factor in chess engines is about a half for natural logarithms,
    // which is a quarter for these.
    32 + depth * tried / (4 * 128)
}

/// The logarithm to base 2 in 128ths, linear between powers of two.
fn log2(n: u32) -> i32 {
    let whole = n.ilog2();
    let rest = n - (1 << whole);
    (whole * 128 + rest * 128 / (1 << whole)) as i32
}

#[cfg(test)]
mod tests {
    use super::{for_late_move, log2};

    #[test]
    fn powers_of_two_are_exact() {
        assert_eq!([1, 2, 4, 8, 64].map(log2), [0, 128, 256, 384, 768]);
        assert_eq!(log2(3), 192);
    }

    #[test]
    fn later_and_deeper_is_reduced_more() {
        assert!(for_late_move(8, 20) > for_late_move(8, 4));
        assert!(for_late_move(12, 20) > for_late_move(6, 20));
    }
}
