use protocol::Seat;

use crate::{MatchId, Millis, ServerId};

/// Milliseconds without a heartbeat after which a server is considered dead.
pub const SILENT_AFTER: Millis = 15_000;

/// A server process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerNode {
    /// Its id.
    pub id: ServerId,
    /// The time of its last heartbeat.
    pub seen: Millis,
}

/// A connection of the player at a seat to a server.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Presence {
    /// The match.
    pub id: MatchId,
    /// The seat.
    pub seat: Seat,
    /// The server.
    pub node: ServerId,
}
