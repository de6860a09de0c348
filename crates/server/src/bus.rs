//! What nodes tell each other. The bus is a hint: it may lose, repeat and reorder, and
//! everything it says is in the store.

use async_trait::async_trait;
use tokio::sync::mpsc;

/// Something to look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hint {
    /// A match has this version.
    Match {
        /// The match.
        id: String,
        /// Its version.
        version: u64,
    },
    /// Somebody came to a match or left it.
    Presence {
        /// The match.
        id: String,
    },
    /// A player was paired.
    Paired {
        /// Who.
        player: String,
        /// The match.
        id: String,
        /// The seat: `first` or `second`.
        seat: protocol::Seat,
    },
    /// A player signed out somewhere, or is no longer a player.
    Player {
        /// Who.
        player: String,
    },
}

impl Hint {
    /// Its text: words with single spaces.
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

/// How nodes reach each other.
#[async_trait]
pub trait Bus: Send + Sync {
    /// Tells all nodes. Nobody waits for it.
    async fn publish(&self, hint: Hint);

    /// What all nodes say, this one perhaps included.
    async fn subscribe(&self) -> mpsc::Receiver<Hint>;

    /// Whether there can be other nodes.
    fn is_shared(&self) -> bool;
}

/// For one node alone.
#[derive(Clone, Copy, Debug)]
pub struct NoBus;

#[async_trait]
impl Bus for NoBus {
    async fn publish(&self, _hint: Hint) {}

    async fn subscribe(&self) -> mpsc::Receiver<Hint> {
        mpsc::channel(1).1
    }

    fn is_shared(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Hint;

    #[test]
    fn hints_round_trip() {
        for text in [
            "match k3 7",
            "presence k3",
            "paired p1 k3 second",
            "player p1",
        ] {
            assert_eq!(
                Hint::parse(text).map(|hint| hint.to_text()),
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
            assert_eq!(Hint::parse(text), None, "{text}");
        }
    }
}
