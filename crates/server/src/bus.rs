//! What nodes tell each other. The bus is a hint: it may lose, repeat and reorder, and
//! everything it says is in the store.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
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

/// NATS, which connects again by itself.
#[derive(Clone, Debug)]
pub struct Nats {
    client: async_nats::Client,
    /// Hints on their way out.
    out: mpsc::Sender<Hint>,
}

/// How many hints wait for a node that is busy. What is lost is found by the sweep.
const LARGEST_BACKLOG: usize = 65_536;

const SUBJECT: &str = "parlour.hints";

impl Nats {
    /// Connects to the server with this address, now or as soon as it is there.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not valid.
    pub async fn connect(address: &str) -> Result<Arc<Self>, async_nats::ConnectError> {
        let options = async_nats::ConnectOptions::new().retry_on_initial_connect();
        let client = options.connect(address).await?;
        let (out, mut hints) = mpsc::channel::<Hint>(LARGEST_BACKLOG);
        let publisher = client.clone();
        tokio::spawn(async move {
            while let Some(hint) = hints.recv().await {
                // Waits while the server is away.
                let published = publisher.publish(SUBJECT, hint.to_text().into());
                published.await.ok();
            }
        });
        Ok(Arc::new(Self { client, out }))
    }
}

#[async_trait]
impl Bus for Nats {
    async fn publish(&self, hint: Hint) {
        // While the server is away its client takes only so many. A match must not wait for that.
        self.out.try_send(hint).ok();
    }

    async fn subscribe(&self) -> mpsc::Receiver<Hint> {
        let (send, receive) = mpsc::channel(LARGEST_BACKLOG);
        if let Ok(mut messages) = self.client.subscribe(SUBJECT).await {
            tokio::spawn(async move {
                while let Some(message) = messages.next().await {
                    let text = str::from_utf8(&message.payload).ok();
                    let Some(hint) = text.and_then(Hint::parse) else {
                        continue;
                    };
                    if let Err(mpsc::error::TrySendError::Closed(_)) = send.try_send(hint) {
                        return;
                    }
                }
            });
        }
        receive
    }

    fn is_shared(&self) -> bool {
        true
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
