use protocol::{MatchResult, MatchStatus, Seat};

use crate::{MatchId, Millis, PlayerId, RatingChange};

/// The part of a match that changes with its events, as lists and sweeps need it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The version of the last event that changed the position.
    pub at: u64,
    /// Data that lists show without replaying the events, such as the player to move. Opaque.
    pub state: String,
    /// The time at which the running clock expires, if one is running.
    pub deadline: Option<Millis>,
    /// The status.
    pub status: MatchStatus,
    /// The result.
    pub result: MatchResult,
}

/// A match to create. Its log is empty: version 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMatch {
    /// A new id.
    pub id: MatchId,
    /// The name of the game.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// The options of the match. Opaque.
    pub options: String,
    /// The time control. Opaque.
    pub clock: String,
    /// Whether the result changes ratings.
    pub rated: bool,
    /// The player who moves first.
    pub first: PlayerId,
    /// The player who moves second.
    pub second: PlayerId,
    /// The initial head.
    pub head: Head,
    /// The time of creation.
    pub created: Millis,
}

/// A match without its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchHead {
    /// Its id.
    pub id: MatchId,
    /// The name of the game.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// The options of the match.
    pub options: String,
    /// The time control.
    pub clock: String,
    /// Whether the result changes ratings.
    pub rated: bool,
    /// The player who moves first.
    pub first: PlayerId,
    /// The player who moves second.
    pub second: PlayerId,
    /// The match that this is the rematch of.
    pub rematch_of: Option<MatchId>,
    /// The rematch of this match.
    pub rematch: Option<MatchId>,
    /// The time of creation.
    pub created: Millis,
    /// The time of its last event, if it is over or aborted.
    pub ended: Option<Millis>,
    /// The version of its last event; 0 if there is none.
    pub version: u64,
    /// The head after its last event.
    pub head: Head,
}

impl MatchHead {
    /// The player at `seat`.
    #[must_use]
    pub fn player(&self, seat: Seat) -> &PlayerId {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }

    /// The seat of `player`, if they play.
    #[must_use]
    pub fn seat(&self, player: &str) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|&seat| self.player(seat) == player)
    }
}

/// An event of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEvent {
    /// Its number, from 1 without gaps.
    pub version: u64,
    /// The request that it answers: its seat and the client's id for it.
    pub cause: Option<String>,
    /// The time of the event.
    pub time: Millis,
    /// The event itself. Opaque.
    pub body: String,
}

/// A consistent snapshot of a whole match.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredMatch {
    /// The match without its events.
    pub head: MatchHead,
    /// All events, in order.
    pub events: Vec<StoredEvent>,
    /// The record, once the match is over.
    pub record: Option<String>,
    /// The changes of ratings by the result: those of both players, or none.
    pub rating_changes: Vec<RatingChange>,
}

/// An event to append.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// The match.
    pub id: MatchId,
    /// The version of the event: that of the last one plus 1.
    pub version: u64,
    /// The request that it answers, if any; at most one event of a match has it.
    pub cause: Option<String>,
    /// The time of the event.
    pub time: Millis,
    /// The event itself. Opaque.
    pub body: String,
    /// The head after it.
    pub head: Head,
    /// The record, if the event ends the match.
    pub record: Option<String>,
    /// The speed that the result is rated under, if the event ends a rated match.
    /// Ratings change only if the status is `Over` and both players have accounts.
    pub rated_speed: Option<String>,
    /// The rematch to create with the event; a match has one at most.
    pub rematch: Option<NewMatch>,
}

/// Answer to [`append`](crate::Store::append).
#[derive(Clone, PartialEq, Debug)]
pub enum Appended {
    /// The event is stored, and so are the changes of ratings, if any.
    Done {
        /// The changes for both players, or none.
        rating_changes: Vec<RatingChange>,
    },
    /// The version is not the next one (or there is no such match), and nothing changed.
    Stale,
    /// The request was answered before, and nothing changed.
    Repeated {
        /// The version of the event that answered it.
        version: u64,
    },
}

/// A match that has begun.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BegunMatch {
    /// Its id.
    pub id: MatchId,
    /// The player who moves first.
    pub first: PlayerId,
    /// The player who moves second.
    pub second: PlayerId,
    /// The player who took its challenge, and knows of it.
    pub taken_by: Option<PlayerId>,
}

/// A filter for the matches of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatchFilter {
    /// Matches that are being played.
    Playing,
    /// Matches that ended, with or without a result.
    Ended,
    /// All matches.
    All,
}
