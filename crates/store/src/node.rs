use protocol::Seat;

use crate::{MatchId, Millis, NodeId};

/// Milliseconds after which a server that wrote nothing is believed dead.
pub const SILENT_AFTER: Millis = 15_000;

/// A server process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its id.
    pub id: NodeId,
    /// When it last wrote.
    pub seen: Millis,
}

/// The player at a seat is connected to a server.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Presence {
    /// The match.
    pub id: MatchId,
    /// The seat.
    pub seat: Seat,
    /// The server.
    pub node: NodeId,
}
