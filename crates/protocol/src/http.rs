use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ClockState, MatchResult, MatchStatus, OnlineControl, PlayerInfo, Seat, Seats};

/// The body of a 4xx or 5xx answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorBody {
    /// A short code: `taken`.
    pub error: String,
    /// An explanation for people: what is wrong, and what to do.
    pub message: String,
}

/// Answers `POST /api/guests`, `/api/accounts` and `/api/login`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SignedIn {
    /// The player who signed in.
    pub player: PlayerInfo,
    /// The bearer token that programs send in an `Authorization` header.
    pub token: String,
    /// Codes for somebody who forgot the password, shown once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recovery: Vec<String>,
}

/// The side that a person chooses, in a challenge or in a match on their own device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorChoice {
    /// To move first.
    First,
    /// To move second.
    Second,
    /// Either, drawn by lot.
    #[default]
    Random,
}

impl ColorChoice {
    /// Its name in messages and addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Random => "random",
        }
    }

    /// The choice with this [name](Self::name).
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        [Self::First, Self::Second, Self::Random]
            .into_iter()
            .find(|color| color.name() == text)
    }

    /// The choice that is left for the other player.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Random => Self::Random,
        }
    }
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
    /// The seat of the player who accepted.
    pub seat: Seat,
}

/// The status of a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChallengeStatus {
    /// Can be accepted.
    Open,
    /// Was accepted.
    Taken,
    /// Was withdrawn, or has expired.
    Gone,
}

/// Answers `GET /api/challenges/TOKEN`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChallengeInfo {
    /// The status.
    pub status: ChallengeStatus,
    /// The name of the game.
    pub game: String,
    /// Its options.
    pub options: Map<String, Value>,
    /// The seat that the challenger chose.
    pub color: ColorChoice,
    /// The time control.
    pub clock: Option<OnlineControl>,
    /// Whether the result changes ratings.
    pub rated: bool,
    /// The challenger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PlayerInfo>,
    /// Whether the caller is the challenger.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
    /// The caller's seat, if they have one, once the challenge is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The id of the match, once the challenge is taken.
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
    /// The status.
    pub status: MatchStatus,
    /// The result.
    pub result: MatchResult,
    /// The position.
    pub fen: String,
    /// The player to move.
    pub turn: Seat,
    /// The players.
    pub seats: Seats,
    /// The clocks.
    pub clock: Option<ClockState>,
    /// The time control.
    pub control: Option<OnlineControl>,
    /// Whether the result changes ratings.
    pub rated: bool,
}
