use protocol::MatchResult;
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2},
};

use crate::{MatchId, Millis, PlayerId, Profile};

/// A Glicko-2 rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating; 1500 at first.
    pub rating: f64,
    /// The rating deviation: half the width of a 68 % confidence interval.
    pub deviation: f64,
    /// The volatility: how much the rating is expected to fluctuate.
    pub volatility: f64,
    /// The number of rated matches.
    pub n_matches: u64,
    /// The time of the last change.
    pub updated: Millis,
}

/// Ratings with a larger deviation are provisional, as on lichess.
pub(crate) const PROVISIONAL_ABOVE: f64 = 110.0;
/// The deviation of somebody who has not played, as Glickman proposes.
const HIGHEST_DEVIATION: f64 = 350.0;
/// A lower bound, so that ratings of frequent players keep changing.
const LOWEST_DEVIATION: f64 = 45.0;
/// Rating periods in a day without a match, as on lichess: a deviation of 60 becomes 110 within a
/// year.
const PERIODS_PER_DAY: f64 = 0.21436;
const DAY: f64 = 24.0 * 60.0 * 60.0 * 1000.0;
/// Points of a rating in one unit of Glicko-2's own scale.
const SCALE: f64 = 173.7178;

impl Default for Rating {
    /// The rating of a player without matches.
    fn default() -> Self {
        Self {
            rating: 1500.0,
            deviation: HIGHEST_DEVIATION,
            volatility: 0.06,
            n_matches: 0,
            updated: 0,
        }
    }
}

impl Rating {
    /// Whether it is too uncertain to be shown without a question mark.
    #[must_use]
    pub fn is_provisional(&self) -> bool {
        self.deviation > PROVISIONAL_ABOVE
    }

    /// The ratings of both players after a match between them; each match is a rating
    /// period. Without a result they are unchanged.
    #[must_use]
    pub fn after_match(before: [Self; 2], result: MatchResult, now: Millis) -> [Self; 2] {
        let outcome = match result {
            MatchResult::None => return before,
            MatchResult::First => Outcomes::WIN,
            MatchResult::Second => Outcomes::LOSS,
            MatchResult::Draw => Outcomes::DRAW,
        };
        let [first, second] = before.map(|rating| rating.glicko2(now));
        let (first, second) = glicko2(&first, &second, &outcome, &Glicko2Config::new());
        [
            before[0].replaced(first, now),
            before[1].replaced(second, now),
        ]
    }

    /// The rating at `now`: its deviation grows while the player is inactive.
    fn glicko2(&self, now: Millis) -> Glicko2Rating {
        #[expect(clippy::cast_precision_loss, reason = "days are precise enough")]
        let idle = now.saturating_sub(self.updated) as f64 / DAY * PERIODS_PER_DAY;
        let grown = (self.volatility * SCALE).powi(2) * idle;
        let deviation = (self.deviation.powi(2) + grown).sqrt();
        Glicko2Rating {
            rating: self.rating,
            deviation: deviation.min(HIGHEST_DEVIATION),
            volatility: self.volatility,
        }
    }

    fn replaced(&self, new: Glicko2Rating, now: Millis) -> Self {
        Self {
            rating: new.rating,
            deviation: new.deviation.clamp(LOWEST_DEVIATION, HIGHEST_DEVIATION),
            volatility: new.volatility,
            n_matches: self.n_matches + 1,
            updated: now,
        }
    }
}

/// A rating with the game and the speed that it is for.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRating {
    /// The name of the game.
    pub game: String,
    /// The name of the speed.
    pub speed: String,
    /// The rating.
    pub rating: Rating,
}

/// The change of a rating by a match.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingChange {
    /// The match.
    pub id: MatchId,
    /// The player.
    pub player: PlayerId,
    /// The name of the game.
    pub game: String,
    /// The name of the speed.
    pub speed: String,
    /// The rating before.
    pub before: f64,
    /// The rating after.
    pub after: f64,
    /// The rating deviation after.
    pub deviation: f64,
    /// The time of the change.
    pub time: Millis,
}

/// An entry of a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// The player.
    pub profile: Profile,
    /// The rating.
    pub rating: Rating,
}

#[cfg(test)]
mod tests {
    use skillratings::glicko2::glicko2_rating_period;

    use super::*;

    #[track_caller]
    fn check(actual: f64, expected: f64, tolerance: f64) {
        assert!(
            (actual - expected).abs() <= tolerance,
            "{actual} is not {expected}"
        );
    }

    /// The example in Glickman, "Example of the Glicko-2 system".
    #[test]
    fn the_published_example() {
        let rating = |rating, deviation| Glicko2Rating {
            rating,
            deviation,
            volatility: 0.06,
        };
        let results = [
            (rating(1400.0, 30.0), Outcomes::WIN),
            (rating(1550.0, 100.0), Outcomes::LOSS),
            (rating(1700.0, 300.0), Outcomes::LOSS),
        ];
        let config = Glicko2Config::new();
        let after = glicko2_rating_period(&rating(1500.0, 200.0), &results, &config);
        check(after.rating, 1464.06, 0.01);
        check(after.deviation, 151.52, 0.01);
        check(after.volatility, 0.05999, 0.00001);
    }

    #[test]
    fn a_win_moves_both_ratings_as_far() {
        let new = Rating::default();
        let [winner, loser] = Rating::after_match([new, new], MatchResult::First, 5);
        check(winner.rating - 1500.0, 1500.0 - loser.rating, 1e-9);
        assert!(winner.rating > 1600.0 && winner.deviation < 300.0);
        assert_eq!((winner.n_matches, winner.updated), (1, 5));
        assert!(winner.is_provisional());
        let [first, second] = Rating::after_match([new, new], MatchResult::Second, 5);
        assert_eq!((second, first), (winner, loser));
        let [first, second] = Rating::after_match([new, new], MatchResult::Draw, 5);
        check(first.rating, 1500.0, 1e-9);
        check(second.rating, 1500.0, 1e-9);
        assert_eq!(
            Rating::after_match([new, new], MatchResult::None, 5),
            [new, new]
        );
    }

    #[test]
    fn a_deviation_grows_in_a_year_without_matches() {
        let rating = Rating {
            deviation: 60.0,
            ..Rating::default()
        };
        let year = rating.glicko2(365 * 24 * 60 * 60 * 1000);
        check(year.deviation, 110.0, 1.0);
        check(rating.glicko2(0).deviation, 60.0, 1e-9);
    }
}
