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
    /// When it last changed.
    pub updated: Millis,
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

/// How a match changed a rating.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingChange {
    /// The match.
    pub id: MatchId,
    /// Whose rating.
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
    /// When.
    pub time: Millis,
}

/// A place on a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// Who.
    pub profile: Profile,
    /// The rating.
    pub rating: Rating,
}
