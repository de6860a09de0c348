use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::{ClientMessage, SUBPROTOCOL, ServerMessage};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{
        self, Message,
        client::IntoClientRequest,
        http::{HeaderName, HeaderValue},
        protocol::WebSocketConfig,
    },
};

/// Error of a socket.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// The connection failed or broke.
    #[error(transparent)]
    Broken(Box<tungstenite::Error>),
    /// The address or a header is not valid.
    #[error("the address {0:?} is not valid; expected one such as ws://127.0.0.1:8430/ws")]
    Address(String),
    /// The server refused to open the socket, with this HTTP status.
    #[error("the server answered {0}")]
    Refused(u16),
    /// The server closed the connection.
    #[error("the server closed the connection")]
    Closed,
    /// The server said nothing for too long.
    #[error("the server does not answer")]
    Silent,
    /// The server said something that is no message.
    #[error("the server's message can't be read: {0}")]
    NoMessage(String),
}

impl From<tungstenite::Error> for SocketError {
    fn from(error: tungstenite::Error) -> Self {
        match error {
            tungstenite::Error::Http(response) => Self::Refused(response.status().as_u16()),
            error => Self::Broken(Box::new(error)),
        }
    }
}

/// Bytes read at a time; most messages are shorter.
const READ_BUFFER: usize = 8 * 1024;

/// A connection of one player, or of somebody who watches.
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    /// Connects to `url`, such as `ws://127.0.0.1:8430/ws`, with the token of a player.
    ///
    /// # Errors
    ///
    /// Returns [`SocketError`] if that fails.
    pub async fn connect(url: &str, token: Option<&str>) -> Result<Self, SocketError> {
        let authorization = token.map(|token| ("authorization", format!("Bearer {token}")));
        Self::connect_with(url, authorization).await
    }

    /// As [`connect`](Self::connect), with any headers.
    ///
    /// # Errors
    ///
    /// Returns [`SocketError`] if that fails.
    pub async fn connect_with(
        url: &str,
        headers: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Result<Self, SocketError> {
        let invalid = || SocketError::Address(url.to_owned());
        let mut request = url.into_client_request().map_err(|_| invalid())?;
        let protocol = ("sec-websocket-protocol", SUBPROTOCOL.to_owned());
        for (name, value) in headers.into_iter().chain([protocol]) {
            let value = HeaderValue::from_str(&value).map_err(|_| invalid())?;
            request
                .headers_mut()
                .insert(HeaderName::from_static(name), value);
        }
        // The default is 128 KiB, which is a lot for thousands of sockets.
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER);
        let (stream, _) =
            tokio_tungstenite::connect_async_with_config(request, Some(config), false).await?;
        if let MaybeTlsStream::Plain(stream) = stream.get_ref() {
            // Turns are small and should not wait for one another.
            stream.set_nodelay(true).ok();
        }
        Ok(Self { stream })
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// Returns [`SocketError`] if the connection is broken.
    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), SocketError> {
        self.send_text(message.to_json()).await
    }

    /// Sends any text.
    ///
    /// # Errors
    ///
    /// Returns [`SocketError`] if the connection is broken.
    pub async fn send_text(&mut self, text: String) -> Result<(), SocketError> {
        Ok(self.stream.send(Message::text(text)).await?)
    }

    /// The next message.
    ///
    /// # Errors
    ///
    /// Returns [`SocketError`] if the connection is broken or closed.
    pub async fn next(&mut self) -> Result<ServerMessage, SocketError> {
        loop {
            match self.stream.next().await {
                None | Some(Ok(Message::Close(_))) => return Err(SocketError::Closed),
                Some(Err(error)) => return Err(error.into()),
                Some(Ok(Message::Text(text))) => {
                    let message = ServerMessage::parse(&text);
                    return message.map_err(|_| SocketError::NoMessage(text.to_string()));
                }
                // Pings are answered by the library.
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message that `wanted` accepts; others are skipped.
    ///
    /// # Errors
    ///
    /// Returns [`SocketError`] if the connection is broken, or there is none for 30 seconds.
    pub async fn expect<T>(
        &mut self,
        mut wanted: impl FnMut(ServerMessage) -> Option<T>,
    ) -> Result<T, SocketError> {
        const PATIENCE: Duration = Duration::from_secs(30);
        let wait = async {
            loop {
                if let Some(found) = wanted(self.next().await?) {
                    return Ok(found);
                }
            }
        };
        let waited = tokio::time::timeout(PATIENCE, wait).await;
        waited.unwrap_or(Err(SocketError::Silent))
    }

    /// Closes the connection.
    pub async fn close(mut self) {
        // It ends in any case.
        self.stream.close(None).await.ok();
    }
}
