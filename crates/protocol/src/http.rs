use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ClockState, MatchResult, MatchStatus, OnlineControl, Player, Seat, Seats};

/// The body of a 4xx or 5xx answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorBody {
    /// A short code: `taken`.
    pub error: String,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Answers `POST /api/guests`, `/api/accounts` and `/api/login`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Who it is.
    pub player: Player,
    /// What programs send in an `Authorization` header.
    pub token: String,
    /// Codes for somebody who forgot the password, shown once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recovery: Vec<String>,
}

/// The body of `POST /api/accounts` and `/api/login`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Credentials {
    /// The name.
    pub name: String,
    /// The password.
    pub password: String,
}

/// The body of `POST /api/challenges`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NewChallenge {
    /// The name of the game.
    pub game: String,
    /// Its options, named and valued as in the engine protocol.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// The side of the challenger.
    #[serde(default)]
    pub color: ColorChoice,
    /// The time control.
    #[serde(default)]
    pub clock: Option<OnlineControl>,
    /// Whether the result counts.
    #[serde(default)]
    pub rated: bool,
}

/// The side that somebody chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorChoice {
    /// To move first.
    First,
    /// To move second.
    Second,
    /// Either.
    #[default]
    Random,
}

/// Answers `POST /api/challenges`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CreatedChallenge {
    /// The token.
    pub challenge: String,
    /// The link for the other player.
    pub url: String,
}

/// Answers `POST /api/challenges/TOKEN/accept`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AcceptedChallenge {
    /// The id of the match.
    #[serde(rename = "match")]
    pub id: String,
    /// The seat of who accepted.
    pub seat: Seat,
}

/// Whether a challenge can be accepted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChallengeStatus {
    /// It can.
    Open,
    /// Somebody did.
    Taken,
    /// It was withdrawn, or is too old.
    Gone,
}

/// Answers `GET /api/challenges/TOKEN`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChallengeInfo {
    /// Whether it can be accepted.
    pub status: ChallengeStatus,
    /// The name of the game.
    pub game: String,
    /// Its options.
    pub options: Map<String, Value>,
    /// The side of the challenger.
    pub color: ColorChoice,
    /// The time control.
    pub clock: Option<OnlineControl>,
    /// Whether the result counts.
    pub rated: bool,
    /// The challenger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Player>,
    /// Whether who asks is the challenger.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
    /// The match, once it is taken.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// Answers `GET /api/matches/ID`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchInfo {
    /// The id.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// Its options.
    pub options: Map<String, Value>,
    /// The version of the last event.
    pub version: u64,
    /// Whether it goes on.
    pub status: MatchStatus,
    /// The result.
    pub result: MatchResult,
    /// The position.
    pub fen: String,
    /// Whose turn it is.
    pub turn: Seat,
    /// Who plays.
    pub seats: Seats,
    /// The clocks.
    pub clock: Option<ClockState>,
    /// The time control.
    pub control: Option<OnlineControl>,
    /// Whether the result counts.
    pub rated: bool,
}
