use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{MatchResult, MatchStatus, OnlineControl, PlayerInfo, Seat, Seats, Speed};

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
    /// The player to move.
    pub turn: Seat,
    /// The status.
    pub status: MatchStatus,
    /// The result.
    pub result: MatchResult,
    /// The players.
    pub seats: Seats,
    /// The seat of the player whose list it is; none in a list of matches to watch.
    #[serde(default)]
    pub seat: Option<Seat>,
    /// The time control.
    pub control: Option<OnlineControl>,
    /// When the time of the player to move is up, by the server's clock.
    #[serde(default)]
    pub deadline: Option<u64>,
    /// Whether the result changes ratings.
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
    /// Half the width of the 95 % confidence interval.
    pub spread: i32,
    /// Whether the rating is provisional.
    pub provisional: bool,
    /// The number of rated matches.
    pub n: u64,
}

/// A point of a player's rating history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RatingPoint {
    /// The name of the game.
    pub game: String,
    /// The speed.
    pub speed: Speed,
    /// The rating after a match.
    pub rating: i32,
    /// The time of that match.
    pub time: u64,
}

/// Answers `GET /api/me`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Me {
    /// The caller.
    pub player: PlayerInfo,
    /// Their ratings.
    pub ratings: Vec<RatingInfo>,
    /// Their matches that are being played; those with their turn come first.
    pub matches: Vec<MatchCard>,
    /// The number of their open challenges. Their tokens are known only to the page that made
    /// them.
    pub n_challenges: usize,
    /// The ids of the players whom they block.
    #[serde(default)]
    pub blocked: Vec<String>,
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
    /// The usual wait in milliseconds in pools where players were paired lately: the median of
    /// the last pairings.
    #[serde(default)]
    pub waits: BTreeMap<String, u64>,
}

/// Answers `GET /api/players/NAME`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerPage {
    /// The player.
    pub player: PlayerInfo,
    /// The time of their first visit.
    pub since: u64,
    /// Their ratings.
    pub ratings: Vec<RatingInfo>,
    /// Their recent ratings, oldest first.
    #[serde(default)]
    pub history: Vec<RatingPoint>,
    /// Their last matches.
    pub matches: Vec<MatchCard>,
    /// Whether the caller blocks them.
    #[serde(default)]
    pub blocked: bool,
}

/// Answers `GET /api/leaderboard?game=GAME&speed=SPEED`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Leaderboard {
    /// The best players.
    pub players: Vec<LeaderboardRow>,
    /// The caller, if they have a rating and are not among the best.
    #[serde(default)]
    pub you: Option<LeaderboardRow>,
}

/// A line of a [`Leaderboard`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeaderboardRow {
    /// The rank, from 1, if it is known.
    #[serde(default)]
    pub rank: Option<u32>,
    /// The name.
    pub name: String,
    /// The rating.
    pub rating: i32,
    /// Whether the rating is provisional.
    #[serde(default)]
    pub provisional: bool,
}

/// The body of `POST /api/blocks`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// The id of the other player.
    pub player: String,
    /// Whether to block or unblock them.
    pub on: bool,
}
