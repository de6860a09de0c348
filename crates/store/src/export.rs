use crate::{
    Challenge, MatchHead, Millis, PlayerId, PlayerRating, Profile, RatingChange, SessionKind,
};

/// Everything that is stored about a player, except secrets.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// The player.
    pub profile: Profile,
    /// Kind and start of all sessions.
    pub sessions: Vec<(SessionKind, Millis)>,
    /// All matches, the newest first.
    pub matches: Vec<ExportedMatch>,
    /// All ratings.
    pub ratings: Vec<PlayerRating>,
    /// How they changed, in order.
    pub rating_changes: Vec<RatingChange>,
    /// Whom the player blocks.
    pub blocks: Vec<PlayerId>,
    /// The challenges of the player.
    pub challenges: Vec<Challenge>,
}

/// A match with its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedMatch {
    /// All but the events.
    pub head: MatchHead,
    /// The record, once the match is over.
    pub record: Option<String>,
}
