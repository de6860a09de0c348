//! The protocol between a page and a server of online play: the messages of the WebSocket and
//! the bodies of HTTP requests, as JSON.
//!
//! Parsing is strict about known fields and ignores unknown ones, so that either side can be
//! newer than the other.
//!
//! ```
//! use protocol::{ClientMessage, ServerMessage};
//!
//! let text = r#"{"t":"turn","g":"k3","id":7,"at":4,"m":["b2"],"ms":812}"#;
//! let Ok(ClientMessage::Turn(turn)) = ClientMessage::parse(text) else {
//!     panic!("a whole turn");
//! };
//! let answer = ServerMessage::Ok { id: turn.id, g: Some(turn.g), v: Some(5) };
//! assert_eq!(answer.to_json(), r#"{"t":"ok","id":7,"g":"k3","v":5}"#);
//! ```

mod client;
mod event;
mod http;
mod limits;
mod lists;
mod pool;
mod server;
mod types;

pub use crate::{
    client::{Action, ActionName, ClaimAs, ClientMessage, ParseMessageError, TurnMessage},
    event::{Event, EventKind, OfferKind},
    http::{
        AcceptedChallenge, ChallengeInfo, ChallengeStatus, ColorChoice, CreatedChallenge,
        ErrorBody, MatchInfo, SignedIn,
    },
    limits::{LARGEST_ANSWER, LARGEST_ID, LARGEST_MESSAGE, N_PHRASES, SUBPROTOCOL},
    lists::{
        Block, Leaderboard, LeaderboardRow, Lobby, MatchCard, MatchList, Me, PlayerPage,
        RatingInfo, RatingPoint,
    },
    pool::{Pool, Speed},
    server::{Refusal, Refused, ServerMessage, StateMessage},
    types::{
        ClockState, ControlError, DELETED_PLAYER, MatchResult, MatchStatus, Offer, OnlineControl,
        PlayerInfo, Seat, SeatInfo, Seats,
    },
};
