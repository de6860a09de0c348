use std::{fmt, str::FromStr};

use rules::parse_decimal;

use crate::Day;

/// Days in a row on which a daily puzzle was solved.
///
/// A day that is missed is not mentioned: the next one begins a new streak. The text
/// form is the last day and the number of days, `20772 7`, or `-` if there is none.
///
/// ```
/// use puzzles::{Day, Streak};
///
/// let streak = Streak::default().solved(Day(100)).solved(Day(101));
/// assert_eq!(streak.days(Day(101)), 2);
/// assert_eq!(streak.days(Day(102)), 2); // Today's puzzle is still to come.
/// assert_eq!(streak.days(Day(103)), 0);
/// assert_eq!(streak.solved(Day(103)).days(Day(103)), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Streak {
    /// The last day, and how many days there were up to it, at least 1.
    last: Option<(Day, u32)>,
}

impl Streak {
    /// The streak after a daily puzzle was solved on `day`. Days before the last one
    /// change nothing.
    #[must_use]
    pub fn solved(self, day: Day) -> Self {
        let days = match self.last {
            Some((last, _)) if day <= last => return self,
            Some((last, days)) if day.0 - last.0 == 1 => days.saturating_add(1),
            _ => 1,
        };
        Self {
            last: Some((day, days)),
        }
    }

    /// The number of days in a row up to `today` or yesterday.
    #[must_use]
    pub fn days(self, today: Day) -> u32 {
        match self.last {
            Some((last, days)) if today.0.saturating_sub(last.0) <= 1 => days,
            _ => 0,
        }
    }

    /// Whether the puzzle of `today` is solved.
    #[must_use]
    pub fn has(self, today: Day) -> bool {
        self.last.is_some_and(|(last, _)| last == today)
    }
}

impl fmt::Display for Streak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            None => f.write_str("-"),
            Some((Day(last), days)) => write!(f, "{last} {days}"),
        }
    }
}

/// Error when parsing a [`Streak`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a streak such as 20772 7, or -")]
pub struct ParseStreakError;

impl FromStr for Streak {
    type Err = ParseStreakError;

    fn from_str(text: &str) -> Result<Self, ParseStreakError> {
        if text == "-" {
            return Ok(Self::default());
        }
        let read = || {
            let (last, days) = text.split_once(' ')?;
            let days = parse_decimal(days).filter(|&days| days > 0)?;
            Some((Day(parse_decimal(last)?), days))
        };
        let last = Some(read().ok_or(ParseStreakError)?);
        Ok(Self { last })
    }
}
