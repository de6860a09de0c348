//! Notices between nodes. They are hints: the bus may lose, repeat and reorder them, and the store
//! has everything that they announce.

use async_trait::async_trait;
use tokio::sync::mpsc;

/// A change that other nodes should look up in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A match has this version.
    Match {
        /// The match.
        id: String,
        /// Its version.
        version: u64,
    },
    /// A player of a match connected or disconnected.
    Presence {
        /// The match.
        id: String,
    },
    /// A player was paired.
    Paired {
        /// The player.
        player: String,
        /// The match.
        id: String,
        /// The seat: `first` or `second`.
        seat: protocol::Seat,
    },
    /// A player signed out somewhere, or was deleted.
    Player {
        /// The player.
        player: String,
    },
}

impl Notice {
    /// The text form: words separated by single spaces.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Match { id, version } => format!("match {id} {version}"),
            Self::Presence { id } => format!("presence {id}"),
            Self::Paired { player, id, seat } => format!("paired {player} {id} {seat}"),
            Self::Player { player } => format!("player {player}"),
        }
    }

    /// Parses a [text](Self::to_text).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<_> = text.split(' ').collect();
        Some(match *words {
            ["match", id, version] => Self::Match {
                id: id.to_owned(),
                version: version.parse().ok()?,
            },
            ["presence", id] => Self::Presence { id: id.to_owned() },
            ["player", player] => Self::Player {
                player: player.to_owned(),
            },
            ["paired", player, id, seat] => Self::Paired {
                player: player.to_owned(),
                id: id.to_owned(),
                seat: seat.parse().ok()?,
            },
            _ => return None,
        })
    }
}

/// A message bus between nodes.
#[async_trait]
pub trait Bus: Send + Sync {
    /// Notifies all nodes, without waiting for them.
    async fn publish(&self, notice: Notice);

    /// Subscribes to the notices of all nodes, possibly including this one.
    async fn subscribe(&self) -> mpsc::Receiver<Notice>;
}

/// No bus: notices go nowhere. Several nodes find in the store what they would have announced, up
/// to two seconds later; new names and the end of sessions up to ten.
#[derive(Clone, Copy, Debug)]
pub struct NoBus;

#[async_trait]
impl Bus for NoBus {
    async fn publish(&self, _notice: Notice) {}

    async fn subscribe(&self) -> mpsc::Receiver<Notice> {
        mpsc::channel(1).1
    }
}

#[cfg(test)]
mod tests {
    use super::Notice;

    #[test]
    fn hints_round_trip() {
        for text in [
            "match k3 7",
            "presence k3",
            "paired p1 k3 second",
            "player p1",
        ] {
            assert_eq!(
                Notice::parse(text).map(|notice| notice.to_text()),
                Some(text.to_owned())
            );
        }
        for text in [
            "",
            "match k3",
            "match k3 x",
            "paired p1 k3 third",
            "presence k3 ",
        ] {
            assert_eq!(Notice::parse(text), None, "{text}");
        }
    }
}
