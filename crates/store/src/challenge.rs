use protocol::Seat;

use crate::{MatchId, Millis, PlayerId};

/// A challenge to create: an offer of a match to whoever has its link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewChallenge {
    /// Hash of the token in the link.
    pub token_hash: String,
    /// The player who offers it.
    pub challenger: PlayerId,
    /// The name of the game.
    pub game: String,
    /// The options of the match. Opaque.
    pub options: String,
    /// The seat that the challenger wants: `first`, `second` or `random`. Opaque.
    pub color: String,
    /// The time control. Opaque.
    pub clock: String,
    /// Whether the result changes ratings.
    pub rated: bool,
    /// The time of creation.
    pub created: Millis,
    /// The time at which it expires.
    pub expires: Millis,
}

/// A challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// The offer.
    pub offer: NewChallenge,
    /// The state.
    pub status: ChallengeState,
}

/// The state of a challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChallengeState {
    /// Can be taken.
    Open,
    /// Was taken.
    Taken {
        /// The player who took it.
        by: PlayerId,
        /// The match that was created.
        id: MatchId,
    },
    /// It was cancelled, or it expired.
    Gone,
}

/// Answer to [`take_challenge`](crate::Store::take_challenge).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Take {
    /// The player has a seat: since now, or since an earlier request.
    Seated {
        /// The match.
        id: MatchId,
        /// The seat.
        seat: Seat,
        /// Whether this request created the match.
        is_new: bool,
    },
    /// Somebody else took it.
    Taken,
    /// It is the player's own challenge, and open.
    Own,
    /// It was cancelled, or it expired.
    Gone,
    /// There is no such challenge.
    Unknown,
}
