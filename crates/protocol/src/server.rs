use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    ClockState, Event, MatchResult, MatchStatus, Offer, OnlineControl, PlayerInfo, Seat, Seats,
};

/// A message of the server. `g` is the id of a match, `v` a version.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum ServerMessage {
    /// The first message.
    Hi {
        /// The player of the client's session; `None` without a session, which allows only
        /// watching.
        you: Option<PlayerInfo>,
        /// The server's time, in milliseconds.
        now: u64,
        /// The player's matches that are being played.
        live: Vec<String>,
    },
    /// The current state of a match.
    State(Box<StateMessage>),
    /// An event of a match.
    Ev {
        /// The match.
        g: String,
        /// The version of this event.
        v: u64,
        /// The version of the last event that changed the position.
        at: u64,
        /// The event.
        e: Event,
        /// The position afterwards.
        fen: String,
        /// The player to move afterwards.
        turn: Seat,
        /// The result.
        result: MatchResult,
        /// The status of the match.
        #[serde(default = "playing")]
        status: MatchStatus,
        /// The clocks, if there are any.
        clock: Option<ClockState>,
        /// When the match is aborted unless the player to move makes their first turn, by the
        /// server's clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        abort_at: Option<u64>,
    },
    /// A request was carried out, and is stored.
    Ok {
        /// The client's number for it.
        id: u64,
        /// The match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        g: Option<String>,
        /// The version of the event.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        v: Option<u64>,
    },
    /// A request was refused, and nothing changed.
    No(Refused),
    /// An opponent was found.
    Paired {
        /// The match.
        g: String,
        /// The recipient's seat.
        seat: Seat,
    },
    /// Answers `ping`.
    Pong {
        /// The number of the `ping`.
        n: u64,
        /// The server's time, in milliseconds.
        now: u64,
    },
    /// A player connected or disconnected.
    Here {
        /// The match.
        g: String,
        /// The player's seat.
        seat: Seat,
        /// Whether they are connected.
        is: bool,
        /// When the other player may claim the match, by the server's clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim: Option<u64>,
        /// When they disconnected, by the server's clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u64>,
    },
    /// The node shuts down: reconnect.
    Over {},
}

fn playing() -> MatchStatus {
    MatchStatus::Playing
}

/// The current state of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StateMessage {
    /// The match.
    pub g: String,
    /// Its version.
    pub v: u64,
    /// The version of the last event that changed the position.
    pub at: u64,
    /// The name of the game.
    pub game: String,
    /// Its options.
    pub options: Map<String, Value>,
    /// The record, in its text form.
    pub record: String,
    /// The position.
    pub fen: String,
    /// The player to move.
    pub turn: Seat,
    /// The result.
    pub result: MatchResult,
    /// The status of the match.
    pub status: MatchStatus,
    /// Why the match ended: the name of the event, `rules` or `repetition`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The time control.
    pub control: Option<OnlineControl>,
    /// The clocks.
    pub clock: Option<ClockState>,
    /// When the match is aborted unless the player to move makes their first turn, by the server's
    /// clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abort_at: Option<u64>,
    /// Whether the result changes ratings.
    pub rated: bool,
    /// The players.
    pub seats: Seats,
    /// The recipient's seat; `None` for a spectator.
    #[serde(default)]
    pub you: Option<Seat>,
    /// The open offers.
    pub offers: Vec<Offer>,
    /// The seats of connected players.
    #[serde(default)]
    pub here: Vec<Seat>,
    /// When the connected player may claim the match, by the server's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<u64>,
    /// When the other player disconnected, by the server's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// The server's time, in milliseconds.
    #[serde(default)]
    pub now: u64,
    /// The next match between the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
}

/// A request that was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// The client's number for it, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The match, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub g: Option<String>,
    /// The reason.
    pub why: Refusal,
    /// The version of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<u64>,
    /// An explanation for authors of clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Why a request was refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The turn is not legal.
    Illegal,
    /// The position has changed.
    Stale,
    /// It is the other player's turn.
    NotYourTurn,
    /// The match is over.
    Over,
    /// There is no such match, offer or pool.
    Unknown,
    /// The sender has no seat in the match.
    NotYourSeat,
    /// The action is not available now: too early, too late, or without an object.
    NotNow,
    /// Too many messages.
    SlowDown,
    /// The message could not be parsed.
    Broken,
    /// The store does not answer: try again.
    Unavailable,
}

impl ServerMessage {
    /// The text of the message.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a message is plain JSON")
    }

    /// Parses the text of a message.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a message.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}
