/// The most items that [`sort_short`] sorts.
const MOST: usize = 64;

/// Sorts a list of a few dozen items, at most 64, by insertion; equal items keep their order.
///
/// The sorts of the standard library take 5 KB of WebAssembly for each type that they are
/// used with, and this one a few hundred bytes. It takes quadratic time, so longer lists are for
/// the standard library.
///
/// ```
/// let mut words = ["pond", "pad", "frog", "lily"];
/// rules::sort_short(&mut words, |a, b| a.len() < b.len());
/// assert_eq!(words, ["pad", "pond", "frog", "lily"]);
/// ```
pub fn sort_short<T>(items: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    debug_assert!(items.len() <= MOST, "{} items are too many", items.len());
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && is_before(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, sort_short};
    use crate::Random;

    #[test]
    fn short_lists_are_sorted_as_by_the_standard_library() {
        let mut random = Random::new(1);
        for length in 0..=MOST as u32 {
            let mut items: Vec<(u32, u32)> = (0..length).map(|i| (random.below(9), i)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|&(key, _)| key);
            sort_short(&mut items, |a, b| a.0 < b.0);
            assert_eq!(items, expected);
        }
    }
}
