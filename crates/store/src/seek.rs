use std::sync::Arc;

use crate::{MatchId, Millis, NewMatch, PlayerId, ServerId};

/// A pool that a player waits in, with their rating for it.
#[derive(Clone, PartialEq, Debug)]
pub struct PoolEntry {
    /// The name of the pool. Opaque.
    pub pool: String,
    /// The rating in the game and at the speed of the pool.
    pub rating: f64,
}

/// A request to be paired with any suitable player.
#[derive(Clone, PartialEq, Debug)]
pub struct Seek {
    /// The player.
    pub player: PlayerId,
    /// The server that has the player's socket.
    pub node: ServerId,
    /// The pools, in order of preference.
    pub pools: Vec<PoolEntry>,
    /// The current time.
    pub now: Millis,
}

/// A pairing of two players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The match.
    pub id: MatchId,
    /// The pool.
    pub pool: String,
    /// The player who waited longer, and the server that has their socket.
    pub waiting: (PlayerId, ServerId),
    /// The player who came later, and the server that has their socket.
    pub arriving: (PlayerId, ServerId),
}

/// Creates the match of a pool for two players: the one who waited and the one who came.
/// It may be called more than once for a pairing; the last match counts.
pub type MakeMatch = Arc<dyn Fn(&str, &PlayerId, &PlayerId) -> NewMatch + Send + Sync>;

/// Answer to [`seek`](crate::Store::seek).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sought {
    /// The match was created, and neither player waits any more. The other's server collects it
    /// with [`take_pairings`](crate::Store::take_pairings).
    Paired(Pairing),
    /// The player had already been paired, in this match.
    AlreadyPaired(MatchId),
    /// The player waits.
    Waiting,
}

/// The number of pairings that the usual wait in a pool is the median of.
pub const USUAL_OF: usize = 21;

/// The median, the lower of the two in the middle of an even number; none of nothing.
pub(crate) fn median(mut waits: Vec<Millis>) -> Option<Millis> {
    waits.sort_unstable();
    let middle = waits.len().checked_sub(1)? / 2;
    waits.get(middle).copied()
}

/// Rating points that two players may be apart at first. They score 70 % or less
/// against each other then.
pub(crate) const WINDOW: f64 = 150.0;
/// Rating points by which the window widens in a second, so that after a minute
/// nearly everybody can be paired.
pub(crate) const WIDENING: f64 = 10.0;

/// Rating points that two players may be apart after waiting for `millis`.
pub(crate) fn window(millis: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "nobody waits that long")]
    let seconds = millis as f64 / 1000.0;
    WINDOW + WIDENING * seconds
}
