use std::{sync::Arc, time::Duration};

use client::Socket;
use protocol::{ClientMessage, ServerMessage};
use tokio::{sync::mpsc, time::Instant};

/// How often a connection is tried again before it is given up.
const MOST_TRIES: u32 = 20;

/// A message of a socket, and when it was read.
pub(super) struct News {
    /// The number of the link.
    pub(super) link: usize,
    pub(super) at: Instant,
    pub(super) what: Heard,
}

pub(super) enum Heard {
    Message(Box<ServerMessage>),
    /// The connection broke, and there is a new one.
    Reconnected,
    /// The connection broke, and the server can't be reached.
    Lost,
}

/// A socket in a task of its own.
pub(super) struct SocketTask {
    messages: mpsc::UnboundedSender<ClientMessage>,
}

/// Who connects, and where.
pub(super) struct Caller {
    pub(super) url: Arc<str>,
    pub(super) token: Option<String>,
}

impl Caller {
    async fn connect(&self) -> Result<Socket, client::SocketError> {
        Socket::connect(&self.url, self.token.as_deref()).await
    }

    /// Connects again, as often as makes sense.
    async fn reconnect(&self) -> Option<Socket> {
        const SHORTEST: Duration = Duration::from_millis(100);
        const LONGEST: Duration = Duration::from_secs(2);
        for tries in 0..MOST_TRIES {
            tokio::time::sleep((SHORTEST * 2_u32.pow(tries.min(10))).min(LONGEST)).await;
            if let Ok(socket) = self.connect().await {
                return Some(socket);
            }
        }
        None
    }
}

impl SocketTask {
    /// Connects, and reports everything to `news` under the number `link`.
    pub(super) async fn new(
        link: usize,
        caller: Caller,
        news: mpsc::UnboundedSender<News>,
    ) -> Result<Self, client::SocketError> {
        let socket = caller.connect().await?;
        let (messages, to_send) = mpsc::unbounded_channel();
        tokio::spawn(run(link, caller, socket, to_send, news));
        Ok(Self { messages })
    }

    /// Sends a message. If the connection is broken, it is lost.
    pub(super) fn send(&self, message: ClientMessage) {
        // The task ends when the server can't be reached, and says so.
        self.messages.send(message).ok();
    }
}

async fn run(
    link: usize,
    caller: Caller,
    mut socket: Socket,
    mut to_send: mpsc::UnboundedReceiver<ClientMessage>,
    news: mpsc::UnboundedSender<News>,
) {
    let tell = |what| {
        let at = Instant::now();
        news.send(News { link, at, what }).is_ok()
    };
    loop {
        let is_broken = tokio::select! {
            message = socket.next() => match message {
                // A node that leaves is left.
                Ok(ServerMessage::Over {}) => true,
                Ok(message) => {
                    if !tell(Heard::Message(Box::new(message))) {
                        return;
                    }
                    false
                }
                Err(_) => true,
            },
            message = to_send.recv() => match message {
                Some(message) => socket.send(&message).await.is_err(),
                None => return socket.close().await,
            },
        };
        if is_broken {
            match caller.reconnect().await {
                Some(again) => socket = again,
                None => {
                    tell(Heard::Lost);
                    return;
                }
            }
            if !tell(Heard::Reconnected) {
                return;
            }
        }
    }
}
