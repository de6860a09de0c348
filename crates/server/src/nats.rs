//! NATS as the bus between nodes.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use tokio::sync::mpsc;

use crate::bus::{Bus, Hint};

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
