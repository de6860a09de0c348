use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{MatchResult, MatchStatus, OnlineControl, Player, Seat, Seats, Speed};

/// A match in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchCard {
    /// The id.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// Its options.
    pub options: Map<String, Value>,
    /// The position.
    pub fen: String,
    /// Whose turn it is.
    pub turn: Seat,
    /// Whether it goes on.
    pub status: MatchStatus,
    /// The result.
    pub result: MatchResult,
    /// Who plays.
    pub seats: Seats,
    /// The seat of the player whose list it is; none in a list of matches to watch.
    #[serde(default)]
    pub seat: Option<Seat>,
    /// The time control.
    pub control: Option<OnlineControl>,
    /// When the time of the player to move is up, by the server's clock.
    #[serde(default)]
    pub deadline: Option<u64>,
    /// Whether the result counts.
    pub rated: bool,
    /// When it was created.
    pub created: u64,
    /// When it ended.
    #[serde(default)]
    pub ended: Option<u64>,
}

/// A player's rating in a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RatingInfo {
    /// The name of the game.
    pub game: String,
    /// The speed.
    pub speed: Speed,
    /// The rating.
    pub rating: i32,
    /// Half the width of the interval that it is in with 95 % confidence.
    pub spread: i32,
    /// Whether it is still uncertain.
    pub provisional: bool,
    /// The number of matches.
    pub n: u64,
}

/// Answers `GET /api/me`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Me {
    /// Who asks.
    pub player: Player,
    /// Their ratings.
    pub ratings: Vec<RatingInfo>,
    /// Their matches that are being played: those in which it is their turn first.
    pub matches: Vec<MatchCard>,
    /// Their open challenges: no tokens, which only the page knows that made them.
    pub n_challenges: usize,
}

/// Answers `GET /api/me/matches` and `GET /api/players/NAME/matches`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchList {
    /// Matches that ended, newest first.
    pub matches: Vec<MatchCard>,
}

/// Answers `GET /api/lobby`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lobby {
    /// Matches to watch.
    pub live: Vec<MatchCard>,
    /// The pools, as `seek` names them.
    pub pools: Vec<String>,
}

/// Answers `GET /api/players/NAME`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerPage {
    /// The player.
    pub player: Player,
    /// When they first came.
    pub since: u64,
    /// Their ratings.
    pub ratings: Vec<RatingInfo>,
    /// Their last matches.
    pub matches: Vec<MatchCard>,
    /// Whether who asks blocks them.
    #[serde(default)]
    pub blocked: bool,
}

/// Answers `GET /api/leaderboard?game=GAME&speed=SPEED`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Leaderboard {
    /// The best players.
    pub players: Vec<Ranked>,
    /// Who asks, if they have a rating and are not among the best.
    #[serde(default)]
    pub you: Option<Ranked>,
}

/// A line of a [`Leaderboard`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ranked {
    /// The place, from 1; none if it is not known.
    #[serde(default)]
    pub rank: Option<u32>,
    /// The name.
    pub name: String,
    /// The rating.
    pub rating: i32,
    /// Whether it is still uncertain.
    #[serde(default)]
    pub provisional: bool,
}

/// The body of `POST /api/blocks`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// The id of the other player.
    pub player: String,
    /// Whether to block them, or no longer.
    pub on: bool,
}

/// The body of `POST /api/recover`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recovery {
    /// The name.
    pub name: String,
    /// One of the recovery codes.
    pub code: String,
    /// The new password.
    pub password: String,
}
