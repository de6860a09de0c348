use std::{fmt, str::FromStr};

use rules::parse_decimal;

use crate::{AttemptTally, Collection, Progress};

/// How good somebody is at puzzles.
///
/// An Elo rating in whole numbers: a puzzle is an opponent whose rating follows from its
/// grade. Its K-factor falls with the number of puzzles, so that a rating soon is about
/// right, and then steady. The text form is the rating and the number of puzzles,
/// `1486 37`.
///
/// ```
/// use puzzles::{PuzzleRating, AttemptTally};
///
/// let clean = AttemptTally { hints: 0, wrong_tries: 0, is_revealed: false };
/// let rating = PuzzleRating::default();
/// let after = rating.after(3, clean);
/// assert!(after.points() > rating.points());
/// // A hint costs what it says.
/// let helped = rating.after(3, AttemptTally { hints: 1, ..clean });
/// assert_eq!(helped.points(), after.points() - 1);
/// // A puzzle that is given up is lost.
/// assert!(rating.after(1, AttemptTally { is_revealed: true, ..clean }).points() < rating.points());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PuzzleRating {
    points: u16,
    n_puzzles: u32,
}

impl PuzzleRating {
    const LOWEST: i32 = 100;
    const HIGHEST: i32 = 3000;

    /// What a hint costs, in points: which piece, where to, why.
    pub const HINT_COSTS: [u16; 3] = [1, 1, 1];

    /// The rating.
    #[must_use]
    pub fn points(self) -> u16 {
        self.points
    }

    /// The number of puzzles that it follows from.
    #[must_use]
    pub fn n_puzzles(self) -> u32 {
        self.n_puzzles
    }

    /// Whether it follows from too few puzzles to be shown without a question mark.
    #[must_use]
    pub fn is_provisional(self) -> bool {
        self.n_puzzles < 10
    }

    /// The rating of puzzles of a grade.
    #[must_use]
    pub fn of_grade(grade: u8) -> u16 {
        750 + 250 * u16::from(grade.clamp(1, crate::TOP_GRADE))
    }

    /// The grade of puzzles that are about as hard as this rating.
    #[must_use]
    pub fn nearest_grade(self) -> u8 {
        let distance = |grade: &u8| Self::of_grade(*grade).abs_diff(self.points);
        (1..=crate::TOP_GRADE).min_by_key(distance).unwrap_or(1)
    }

    /// The rating after a puzzle of this grade. One wrong try makes it half a success,
    /// two or giving up a failure; hints cost points on top.
    #[must_use]
    pub fn after(self, grade: u8, tally: AttemptTally) -> Self {
        let score = match tally {
            AttemptTally {
                is_revealed: true, ..
            } => 0,
            AttemptTally { wrong_tries: 0, .. } => 1000,
            AttemptTally { wrong_tries: 1, .. } => 500,
            AttemptTally { .. } => 0,
        };
        let ahead = i32::from(self.points) - i32::from(Self::of_grade(grade));
        let k_factor = 16 + 240 / (self.n_puzzles.saturating_add(5) as i32).max(5);
        let change = k_factor * (score - expected_score(ahead));
        // Half away from zero, so that wins and losses round alike.
        let change = (change + 500 * change.signum()) / 1000;
        let hints = Self::HINT_COSTS.iter().take(usize::from(tally.hints));
        let cost: i32 = hints.map(|&cost| i32::from(cost)).sum();
        let points = i32::from(self.points) + change - cost;
        Self {
            points: points.clamp(Self::LOWEST, Self::HIGHEST) as u16,
            n_puzzles: self.n_puzzles.saturating_add(1),
        }
    }

    /// The rating if a puzzle that made `before` what it became was to count otherwise: as the
    /// second of these efforts, not as the first. What was rated in between stays.
    #[must_use]
    pub fn revised(self, before: Self, grade: u8, [old, new]: [AttemptTally; 2]) -> Self {
        let points = |tally| i32::from(before.after(grade, tally).points);
        let points = i32::from(self.points) + points(new) - points(old);
        Self {
            points: points.clamp(Self::LOWEST, Self::HIGHEST) as u16,
            ..self
        }
    }

    /// The index of an unsolved puzzle about as hard as this rating; `None` if all are
    /// solved. `seed` chooses among equally hard ones.
    #[must_use]
    pub fn next(self, collection: &Collection, progress: &Progress, seed: u64) -> Option<usize> {
        let unsolved = (0..collection.len()).filter_map(|index| {
            let id = collection.id(index).filter(|id| !progress.has(*id))?;
            let distance = Self::of_grade(collection.grade(index)?).abs_diff(self.points);
            Some((distance, rules::mix(seed ^ rules::mix(id.0.into())), index))
        });
        unsolved.min().map(|(_, _, index)| index)
    }
}

impl Default for PuzzleRating {
    fn default() -> Self {
        Self {
            points: 1200,
            n_puzzles: 0,
        }
    }
}

/// The expected score against somebody rated `ahead` points lower, in thousandths: the
/// logistic curve of the Elo system at every 50 points, and straight lines between.
fn expected_score(ahead: i32) -> i32 {
    const STEP: i32 = 50;
    const TABLE: [i32; 17] = [
        500, 571, 640, 703, 760, 808, 849, 882, 909, 930, 947, 960, 969, 977, 983, 987, 990,
    ];
    if ahead < 0 {
        return 1000 - expected_score(-ahead);
    }
    let index = (ahead / STEP) as usize;
    match (TABLE.get(index), TABLE.get(index + 1)) {
        (Some(low), Some(high)) => low + (high - low) * (ahead % STEP) / STEP,
        _ => 990,
    }
}

impl fmt::Display for PuzzleRating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.points, self.n_puzzles)
    }
}

/// Error when parsing a [`PuzzleRating`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a rating such as 1486 37")]
pub struct ParseRatingError;

impl FromStr for PuzzleRating {
    type Err = ParseRatingError;

    fn from_str(text: &str) -> Result<Self, ParseRatingError> {
        let read = || {
            let (points, n_puzzles) = text.split_once(' ')?;
            let points = parse_decimal(points)
                .filter(|&points| (Self::LOWEST..=Self::HIGHEST).contains(&i32::from(points)))?;
            let n_puzzles = parse_decimal(n_puzzles)?;
            Some(Self { points, n_puzzles })
        };
        read().ok_or(ParseRatingError)
    }
}

#[cfg(test)]
mod tests {
    use super::expected_score;

    #[test]
    fn the_curve_is_that_of_the_elo_system() {
        for ahead in -1000..=1000 {
            let exact = 1000.0 / (1.0 + 10_f64.powf(f64::from(-ahead) / 400.0));
            assert!(
                (f64::from(expected_score(ahead)) - exact).abs() < 8.0,
                "{ahead}"
            );
            assert!(expected_score(ahead) >= expected_score(ahead - 1));
        }
    }
}
