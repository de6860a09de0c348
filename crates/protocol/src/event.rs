use serde::{Deserialize, Serialize};

use crate::{ClaimAs, Seat};

/// Something that happened in a match. A match is the list of its events, and the version
/// of an event is its place in that list, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
pub enum Event {
    /// A player made a turn.
    Turn {
        /// Who.
        by: Seat,
        /// The moves: one, or two in Nonaga.
        m: Vec<String>,
        /// What the player has left afterwards, in milliseconds, if there is a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u64>,
        /// How much of the time since the turn began was not counted, because the network
        /// took it.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: u64,
    },
    /// A player proposes something.
    Offer {
        /// Who.
        by: Seat,
        /// What.
        what: OfferKind,
    },
    /// A player declines what the other proposed, or withdraws the own proposal.
    Decline {
        /// Who.
        by: Seat,
        /// What was proposed.
        what: OfferKind,
    },
    /// The last turn of a player was taken back, as both wished.
    Takeback {
        /// Whose.
        by: Seat,
        /// How many moves, from the last.
        n: usize,
    },
    /// A player resigned.
    Resign {
        /// Who.
        by: Seat,
    },
    /// The players agreed on a draw.
    Draw,
    /// The match ended without a result.
    Abort {
        /// Who ended it; nobody if a player made no first turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Seat>,
    },
    /// The time of a player ran out.
    Timeout {
        /// Whose.
        by: Seat,
    },
    /// A player ended the match because the other is gone.
    Claim {
        /// Who.
        by: Seat,
        /// How.
        #[serde(rename = "as")]
        result: ClaimAs,
    },
    /// A player says one of the phrases.
    Say {
        /// Who.
        by: Seat,
        /// Its number.
        phrase: u8,
    },
    /// Both want to play again.
    Rematch {
        /// The next match.
        g: String,
    },
    /// A player gets time back that was lost by our fault.
    Time {
        /// Who.
        to: Seat,
        /// How much, in milliseconds.
        ms: u64,
    },
}

/// Whether a number need not be written.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What an event does to a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// It changes the position.
    Position,
    /// It ends the match.
    Ending,
    /// Neither.
    Other,
}

impl Event {
    /// What it does to the match, apart from turns that end it by the rules.
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

    /// As the store has it.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event is plain JSON")
    }

    /// Parses what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    ///
    /// Returns an error if it is something else.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// Something a player can propose to the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OfferKind {
    /// To call it a draw.
    Draw,
    /// To take back the last turn of who proposes it.
    Takeback,
    /// To play again, after the end.
    Rematch,
}
