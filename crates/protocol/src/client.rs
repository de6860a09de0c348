use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{LARGEST_ID, LARGEST_MESSAGE, N_PHRASES};

/// A message of a client. `g` is the id of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum ClientMessage {
    /// Subscribes to the events of a match.
    Join {
        /// The match.
        g: String,
        /// The last version the client knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        v: Option<u64>,
    },
    /// Makes a turn.
    Turn(TurnMessage),
    /// Does something in a match that is not a turn.
    Do(Action),
    /// Looks for an opponent.
    Seek {
        /// The client's number for this request.
        id: u64,
        /// The pools to wait in, as [`Pool`](crate::Pool) writes them.
        pools: Vec<String>,
    },
    /// Stops looking for an opponent.
    Unseek {},
    /// Unsubscribes from a match.
    Leave {
        /// The match.
        g: String,
    },
    /// Requests a `pong`.
    Ping {
        /// A number that the `pong` repeats.
        n: u64,
    },
}

/// One whole turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnMessage {
    /// The match.
    pub g: String,
    /// The client's number, unique per seat and match.
    pub id: u64,
    /// The version of the last event that changed the position.
    pub at: u64,
    /// The moves, in their text form.
    pub m: Vec<String>,
    /// The time thought, in milliseconds.
    #[serde(default)]
    pub ms: u64,
}

/// An action of a player in a match that is not a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Action {
    /// The match.
    pub g: String,
    /// The client's number, unique per seat and match.
    pub id: u64,
    /// The kind of action.
    pub what: ActionName,
    /// The version of the offer that is accepted or declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// The number of the phrase to send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<u8>,
    /// The claimed result; a win by default.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub result: Option<ClaimAs>,
}

/// The kind of an [`Action`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionName {
    /// Resign the match.
    Resign,
    /// Propose a draw.
    Draw,
    /// Propose to take back one's last turn.
    Takeback,
    /// Propose to play again.
    Rematch,
    /// Accept an offer.
    Accept,
    /// Decline an offer, or withdraw one's own.
    Decline,
    /// End a match that has hardly begun, without a result.
    Abort,
    /// End a match whose other player is gone.
    Claim,
    /// Send one of the phrases.
    Say,
}

/// The result that a player claims when the other is gone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimAs {
    /// A win.
    Win,
    /// A draw.
    Draw,
}

/// Error when parsing a [`ClientMessage`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct ParseMessageError {
    /// The number of the request, if it could be read.
    pub id: Option<u64>,
    /// The match, if it could be read.
    pub g: Option<String>,
    /// Why it is invalid.
    pub reason: String,
}

impl ParseMessageError {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            id: None,
            g: None,
            reason: reason.into(),
        }
    }
}

impl ClientMessage {
    /// Parses the text of a message.
    ///
    /// # Errors
    ///
    /// Returns [`ParseMessageError`] if the text is not a message, is too long, or has a number out
    /// of bounds.
    pub fn parse(text: &str) -> Result<Self, ParseMessageError> {
        if text.len() > LARGEST_MESSAGE {
            return Err(ParseMessageError::new(format!(
                "a message has at most {LARGEST_MESSAGE} bytes"
            )));
        }
        let value: Value =
            serde_json::from_str(text).map_err(|e| ParseMessageError::new(e.to_string()))?;
        let id = value.get("id").and_then(Value::as_u64);
        let g = value.get("g").and_then(Value::as_str).map(str::to_owned);
        let fail = |reason: String| ParseMessageError {
            id,
            g: g.clone(),
            reason,
        };
        let message: Self = serde_json::from_value(value).map_err(|e| fail(e.to_string()))?;
        message.check().map_err(|reason| fail(reason.to_owned()))?;
        Ok(message)
    }

    fn check(&self) -> Result<(), &'static str> {
        let id = match self {
            Self::Turn(turn) => turn.id,
            Self::Do(action) => action.id,
            Self::Seek { id, .. } => *id,
            _ => 0,
        };
        if id >= LARGEST_ID {
            return Err("id has to be below 2^53");
        }
        match self {
            Self::Turn(turn) if turn.m.is_empty() => Err("m has to list the moves of the turn"),
            Self::Do(action) => action.check(),
            Self::Seek { pools, .. } if pools.is_empty() => Err("pools has to name at least one"),
            _ => Ok(()),
        }
    }

    /// The text of the message.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a message is plain JSON")
    }
}

impl Action {
    fn check(&self) -> Result<(), &'static str> {
        match self.what {
            ActionName::Say if self.phrase.is_none_or(|phrase| phrase >= N_PHRASES) => {
                Err("phrase has to be the number of a phrase, from 0 to 11")
            }
            ActionName::Accept | ActionName::Decline if self.of.is_none() => {
                Err("of has to be the version of the offer")
            }
            _ => Ok(()),
        }
    }
}
