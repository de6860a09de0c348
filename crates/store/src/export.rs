use crate::{
    Challenge, MatchHead, Millis, PlayerId, PlayerRating, Profile, RatingChange, SessionKind,
    StoredEvent,
};

/// Everything that is stored about a player, except secrets.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// The player.
    pub profile: Profile,
    /// Whether there is a password.
    pub has_password: bool,
    /// The number of unused recovery codes.
    pub n_recovery_codes: u64,
    /// All sessions, the oldest first.
    pub sessions: Vec<ExportedSession>,
    /// All matches, the newest first.
    pub matches: Vec<ExportedMatch>,
    /// All ratings.
    pub ratings: Vec<PlayerRating>,
    /// All changes of ratings, in order.
    pub rating_changes: Vec<RatingChange>,
    /// The players whom the player blocks.
    pub blocks: Vec<PlayerId>,
    /// The challenges of the player.
    pub challenges: Vec<Challenge>,
    /// The pools that the player waits in, in order of preference.
    pub pools: Vec<String>,
}

/// A session without its token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportedSession {
    /// The kind of client.
    pub kind: SessionKind,
    /// The time of creation.
    pub created: Millis,
    /// The time of the last use, to the day.
    pub seen: Millis,
}

/// A match with its record and its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedMatch {
    /// The match without its events.
    pub head: MatchHead,
    /// The record, once the match is over.
    pub record: Option<String>,
    /// The events, in order.
    pub events: Vec<StoredEvent>,
}
