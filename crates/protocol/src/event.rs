use serde::{Deserialize, Serialize};

use crate::{ClaimAs, Seat};

/// An event of a match. A match is the list of its events, and the version of an event is its
/// place in that list, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
pub enum Event {
    /// A player made a turn.
    Turn {
        /// The player.
        by: Seat,
        /// The moves: one, or two in Nonaga.
        m: Vec<String>,
        /// The player's remaining time afterwards, in milliseconds, if there is a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u64>,
        /// Milliseconds since the turn began that were not counted, because the network took
        /// them.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: u64,
    },
    /// A player makes an offer.
    Offer {
        /// The player.
        by: Seat,
        /// The kind of offer.
        what: OfferKind,
    },
    /// A player declines the other's offer, or withdraws their own.
    Decline {
        /// The player.
        by: Seat,
        /// The kind of offer.
        what: OfferKind,
        /// The version of the offer. Logs of older servers have 0, which means any offer of this
        /// kind.
        #[serde(default)]
        of: u64,
    },
    /// The last turn of a player was taken back, as both agreed.
    Takeback {
        /// The player whose turn it was.
        by: Seat,
        /// The number of moves taken back.
        n: usize,
    },
    /// A player resigned.
    Resign {
        /// The player.
        by: Seat,
    },
    /// The players agreed on a draw.
    Draw,
    /// The match ended without a result.
    Abort {
        /// The player who ended it; `None` if somebody did not make a first turn in time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Seat>,
    },
    /// The time of a player ran out.
    Timeout {
        /// The player.
        by: Seat,
    },
    /// A player ended the match because the other is gone.
    Claim {
        /// The player who claims.
        by: Seat,
        /// The claimed result.
        #[serde(rename = "as")]
        result: ClaimAs,
    },
    /// A player sends one of the phrases.
    Say {
        /// The player.
        by: Seat,
        /// The number of the phrase.
        phrase: u8,
    },
    /// Both want to play again.
    Rematch {
        /// The next match.
        g: String,
    },
    /// A player gets time back that was lost through a fault of the server.
    Time {
        /// The player.
        to: Seat,
        /// The time, in milliseconds.
        ms: u64,
    },
}

/// Whether a number is the default, which is not written.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The effect of an event on a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// Changes the position.
    Position,
    /// Ends the match.
    Ending,
    /// Neither.
    Other,
}

impl Event {
    /// The effect on the match, apart from turns that end it by the rules.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        match self {
            Self::Turn { .. } | Self::Takeback { .. } => EventKind::Position,
            Self::Resign { .. }
            | Self::Draw
            | Self::Abort { .. }
            | Self::Timeout { .. }
            | Self::Claim { .. } => EventKind::Ending,
            Self::Offer { .. }
            | Self::Decline { .. }
            | Self::Say { .. }
            | Self::Rematch { .. }
            | Self::Time { .. } => EventKind::Other,
        }
    }

    /// The text form, as stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event is plain JSON")
    }

    /// Parses the text form of [`to_json`](Self::to_json).
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not an event.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// The kinds of offers between players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// Taking back the last turn of the player who offers.
    Takeback,
    /// Another match, after the end of this one.
    Rematch,
}
