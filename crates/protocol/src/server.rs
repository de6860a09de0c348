use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    ClockState, Event, MatchResult, MatchStatus, Offer, OnlineControl, Player, Seat, Seats,
};

/// A message of the server. `g` is the id of a match, `v` a version.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum ServerMessage {
    /// The first message.
    Hi {
        /// Who the client is; none without a session, with which one can only watch.
        you: Option<Player>,
        /// The server's time, in milliseconds.
        now: u64,
        /// The player's matches that are being played.
        live: Vec<String>,
    },
    /// A match as it stands.
    State(Box<StateMessage>),
    /// Something happened in a match.
    Ev {
        /// The match.
        g: String,
        /// The version of this event.
        v: u64,
        /// The version of the last event that changed the position.
        at: u64,
        /// What happened.
        e: Event,
        /// The position afterwards.
        fen: String,
        /// Whose turn it is afterwards.
        turn: Seat,
        /// The result.
        result: MatchResult,
        /// Whether the match goes on.
        #[serde(default = "playing")]
        status: MatchStatus,
        /// The clocks, if there are any.
        clock: Option<ClockState>,
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
        /// The seat of who hears this.
        seat: Seat,
    },
    /// Answers `ping`.
    Pong {
        /// As in the question.
        n: u64,
        /// The server's time, in milliseconds.
        now: u64,
    },
    /// A player came or went.
    Here {
        /// The match.
        g: String,
        /// Who.
        seat: Seat,
        /// Whether they are here.
        is: bool,
        /// When the other player may claim the match, by the server's clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim: Option<u64>,
    },
    /// This node is leaving: connect again.
    Over {},
}

fn playing() -> MatchStatus {
    MatchStatus::Playing
}

/// A match as it stands.
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
    /// Whose turn it is.
    pub turn: Seat,
    /// The result.
    pub result: MatchResult,
    /// Whether the match goes on.
    pub status: MatchStatus,
    /// Why it ended: the name of the event, or `rules`, or `repetition`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The time control.
    pub control: Option<OnlineControl>,
    /// The clocks.
    pub clock: Option<ClockState>,
    /// Whether the result counts.
    pub rated: bool,
    /// Who plays.
    pub seats: Seats,
    /// The seat of who hears this; none if they watch.
    #[serde(default)]
    pub you: Option<Seat>,
    /// What is proposed.
    pub offers: Vec<Offer>,
    /// Who is here.
    #[serde(default)]
    pub here: Vec<Seat>,
    /// When the player who is here may claim the match, by the server's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<u64>,
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
    /// Why.
    pub why: Refusal,
    /// The version of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<u64>,
    /// What is wrong, for people who write programs.
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
    /// Who asks has no seat in the match.
    NotYourSeat,
    /// It can't be done now: too early, too late, or there is nothing to do it to.
    NotNow,
    /// Too many messages.
    SlowDown,
    /// The message could not be read.
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
    /// Returns an error if it is no message.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}
