//! NATS as the bus between nodes.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use tokio::sync::mpsc;

use crate::bus::{Bus, Notice};

/// A bus over NATS. The client reconnects by itself.
#[derive(Clone, Debug)]
pub struct NatsBus {
    client: async_nats::Client,
    /// The queue of notices to publish.
    out: mpsc::Sender<Notice>,
}

/// The length of the queues of notices. Sweeps find what dropped notices announced.
const LARGEST_BACKLOG: usize = 65_536;

const SUBJECT: &str = "parlour.hints";

impl NatsBus {
    /// Connects to the server at this address, in the background if it is not available yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not valid.
    pub async fn connect(address: &str) -> Result<Arc<Self>, async_nats::ConnectError> {
        let options = async_nats::ConnectOptions::new().retry_on_initial_connect();
        let client = options.connect(address).await?;
        let (out, mut notices) = mpsc::channel::<Notice>(LARGEST_BACKLOG);
        let publisher = client.clone();
        tokio::spawn(async move {
            while let Some(notice) = notices.recv().await {
                // Waits while the server is not available.
                let published = publisher.publish(SUBJECT, notice.to_text().into());
                published.await.ok();
            }
        });
        Ok(Arc::new(Self { client, out }))
    }
}

#[async_trait]
impl Bus for NatsBus {
    async fn publish(&self, notice: Notice) {
        // Without a server the client's buffer fills up. A match must not wait for that.
        self.out.try_send(notice).ok();
    }

    async fn subscribe(&self) -> mpsc::Receiver<Notice> {
        let (send, receive) = mpsc::channel(LARGEST_BACKLOG);
        if let Ok(mut messages) = self.client.subscribe(SUBJECT).await {
            tokio::spawn(async move {
                while let Some(message) = messages.next().await {
                    let text = str::from_utf8(&message.payload).ok();
                    let Some(notice) = text.and_then(Notice::parse) else {
                        continue;
                    };
                    if let Err(mpsc::error::TrySendError::Closed(_)) = send.try_send(notice) {
                        return;
                    }
                }
            });
        }
        receive
    }
}
