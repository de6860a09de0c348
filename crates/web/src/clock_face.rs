//! The face of a clock, and when it changes.

use play::Clocks;

/// No more than this is shown: 999 hours and a bit, which is more than two weeks.
const MOST_SECONDS: u64 = 3_599_999;

/// Milliseconds as a clock shows them: hours and minutes if there are any, seconds,
/// and tenths where time is short.
pub(crate) fn face(left: u64) -> String {
    let tenths = left.div_ceil(100);
    if tenths < Clocks::LOW / 100 {
        return format!("{}.{}", tenths / 10, tenths % 10);
    }
    let seconds = left.div_ceil(1000).min(MOST_SECONDS);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

/// The milliseconds until the [face] of a running clock changes.
pub(crate) fn until_change(left: u64) -> u64 {
    let step = if left <= Clocks::LOW { 100 } else { 1000 };
    left.saturating_sub(1) % step + 1
}

#[cfg(test)]
mod tests {
    use super::{face, until_change};

    #[test]
    fn faces() {
        for (left, text) in [
            (0, "0.0"),
            (1, "0.1"),
            (9_900, "9.9"),
            (10_000, "0:10"),
            (10_001, "0:11"),
            (59_999, "1:00"),
            (60_001, "1:01"),
            (300_000, "5:00"),
            (3_599_000, "59:59"),
            (3_600_000, "1:00:00"),
            (u64::MAX, "999:59:59"),
        ] {
            assert_eq!(face(left), text, "{left}");
        }
    }

    #[test]
    fn a_face_stays_until_it_is_said_to_change() {
        let mut left = 75_250;
        while left > 0 {
            let wait = until_change(left);
            assert!((1..=left).contains(&wait), "{left}");
            assert_eq!(face(left - (wait - 1)), face(left), "{left}");
            assert_ne!(face(left - wait), face(left), "{left}");
            left -= wait;
        }
        assert_eq!(until_change(0), 1);
        assert_eq!(until_change(u64::MAX) % 1000, u64::MAX % 1000);
    }
}
