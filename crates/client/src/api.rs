use std::io;

use protocol::{AcceptedChallenge, CreatedChallenge, SignedIn};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Error of a request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The server can't be reached.
    #[error("can't reach {address}: {error}")]
    Unreachable {
        /// Its address.
        address: String,
        /// Why not.
        error: io::Error,
    },
    /// The server refused.
    #[error("the server answered {status}: {body}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The body.
        body: String,
    },
    /// The server's answer can't be parsed.
    #[error("the server's answer can't be read: {0}")]
    Broken(String),
}

/// An answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The head, in lower case.
    pub head: String,
    /// The body.
    pub body: String,
}

impl HttpResponse {
    /// Parses the body, if the request was carried out.
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if it was refused, or the body is something else.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, RequestError> {
        if !(200..300).contains(&self.status) {
            return Err(RequestError::Refused {
                status: self.status,
                body: self.body.clone(),
            });
        }
        serde_json::from_str(&self.body).map_err(|error| RequestError::Broken(error.to_string()))
    }
}

/// Requests over HTTP, without TLS: for servers on this machine.
#[derive(Clone, Debug)]
pub struct Api {
    /// Host and port.
    address: String,
    token: Option<String>,
}

impl Api {
    /// Requests to the server at `address`, such as `127.0.0.1:8430`, by nobody yet.
    #[must_use]
    pub fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            token: None,
        }
    }

    /// Requests of the player with this token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self {
            address: self.address.clone(),
            token: Some(token.to_owned()),
        }
    }

    /// The token of the player.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Sends a request with these header lines, each with its end.
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if there is no answer.
    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<HttpResponse, RequestError> {
        let unreachable = |error| RequestError::Unreachable {
            address: self.address.clone(),
            error,
        };
        let authorization = match &self.token {
            Some(token) => format!("authorization: Bearer {token}\r\n"),
            None => String::new(),
        };
        let host = &self.address;
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\
             {authorization}{headers}\r\n{body}"
        );
        let mut stream = TcpStream::connect(host).await.map_err(unreachable)?;
        stream
            .write_all(text.as_bytes())
            .await
            .map_err(unreachable)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.map_err(unreachable)?;
        let answer = String::from_utf8_lossy(&answer);
        parse_answer(&answer)
            .ok_or_else(|| RequestError::Broken(answer.chars().take(200).collect()))
    }

    /// Sends a request with a body in JSON.
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if there is no answer.
    pub async fn post(&self, path: &str, body: &Value) -> Result<HttpResponse, RequestError> {
        self.send("POST", path, "", &body.to_string()).await
    }

    /// Asks for something.
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if there is no answer.
    pub async fn get(&self, path: &str) -> Result<HttpResponse, RequestError> {
        self.send("GET", path, "", "").await
    }

    /// Creates a guest, and returns requests of that guest.
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if it is refused.
    pub async fn new_guest(&self) -> Result<(Self, SignedIn), RequestError> {
        let session: SignedIn = self.post("/api/guests", &json!({})).await?.parse()?;
        Ok((self.with_token(&session.token), session))
    }

    /// Creates a challenge.
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if it is refused.
    pub async fn challenge(&self, terms: &Value) -> Result<CreatedChallenge, RequestError> {
        self.post("/api/challenges", terms).await?.parse()
    }

    /// Accepts a challenge.
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if it is refused.
    pub async fn accept(&self, token: &str) -> Result<AcceptedChallenge, RequestError> {
        let path = format!("/api/challenges/{token}/accept");
        self.post(&path, &json!({})).await?.parse()
    }
}

fn parse_answer(text: &str) -> Option<HttpResponse> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let head = head.to_ascii_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let body = if head.contains("transfer-encoding: chunked") {
        unchunked(body)?
    } else {
        body.to_owned()
    };
    Some(HttpResponse { status, head, body })
}

fn unchunked(mut text: &str) -> Option<String> {
    let mut body = String::new();
    loop {
        let (size, rest) = text.split_once("\r\n")?;
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.push_str(rest.get(..size)?);
        text = rest.get(size..)?.strip_prefix("\r\n")?;
    }
}
