//! The public URL of the server, and checks of `Host` and `Origin`.

use std::{net::SocketAddr, str::FromStr};

use axum::http::{HeaderMap, header};

/// The public URL of the server: `https://play.example.org`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    origin: String,
    host: String,
}

/// Error when parsing a [`PublicUrl`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected an address without a path, such as https://play.example.org")]
pub struct ParseUrlError;

impl FromStr for PublicUrl {
    type Err = ParseUrlError;

    fn from_str(text: &str) -> Result<Self, ParseUrlError> {
        let origin = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let host = ["https://", "http://"]
            .iter()
            .find_map(|scheme| origin.strip_prefix(scheme))
            .ok_or(ParseUrlError)?;
        let is_host = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        if host.is_empty() || !host.chars().all(is_host) {
            return Err(ParseUrlError);
        }
        let host = host.to_owned();
        Ok(Self { origin, host })
    }
}

impl From<SocketAddr> for PublicUrl {
    fn from(address: SocketAddr) -> Self {
        Self {
            origin: format!("http://{address}"),
            host: address.to_string(),
        }
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_loopback(host: &str) -> bool {
    matches!(without_port(host), "127.0.0.1" | "localhost" | "[::1]")
}

impl PublicUrl {
    /// The origin, without a slash at the end.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether it is reached over TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// Whether it is for this machine alone.
    pub(crate) fn is_local(&self) -> bool {
        is_loopback(&self.host)
    }

    /// Whether the `Host` header is the server's own. Others are rejected, against DNS rebinding.
    pub(crate) fn is_own_host(&self, headers: &HeaderMap) -> bool {
        let host = text(headers, header::HOST).to_ascii_lowercase();
        host == self.host || is_loopback(&host) && (is_loopback(&self.host) || !self.is_secure())
    }

    /// Whether the `Origin` header is this server's own; `None` if there is none.
    pub(crate) fn is_own_origin(&self, headers: &HeaderMap) -> Option<bool> {
        let origin = headers.get(header::ORIGIN)?;
        let origin = origin.to_str().unwrap_or("").to_ascii_lowercase();
        if origin == self.origin {
            return Some(true);
        }
        let host = text(headers, header::HOST).to_ascii_lowercase();
        let is_local = is_loopback(&host) && origin == format!("http://{host}");
        Some(is_local && self.is_own_host(headers))
    }

    /// The name of the session's cookie.
    pub(crate) fn cookie_name(&self) -> &'static str {
        if self.is_secure() {
            "__Host-parlour"
        } else {
            "parlour"
        }
    }

    /// The origin of the WebSocket, for the content security policy: older browsers do not treat a
    /// WebSocket to the same host as the same origin.
    pub(crate) fn socket_origin(&self) -> String {
        match self.origin.strip_prefix("https://") {
            Some(host) => format!("wss://{host}"),
            None => format!("ws://{}", self.host),
        }
    }
}

pub(crate) fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    let value = headers.get(name);
    value.and_then(|value| value.to_str().ok()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::PublicUrl;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        headers
    }

    #[test]
    fn only_the_own_name_is_served() {
        let url: PublicUrl = "https://play.example.org/".parse().unwrap();
        assert!(url.is_own_host(&headers("Play.example.org", None)));
        assert!(!url.is_own_host(&headers("example.org", None)));
        assert!(!url.is_own_host(&headers("127.0.0.1:80", None)));
        let local: PublicUrl = "http://127.0.0.1:8430".parse().unwrap();
        assert!(local.is_own_host(&headers("localhost:8430", None)));
        assert!(!local.is_own_host(&headers("evil.example", None)));
    }

    #[test]
    fn only_the_own_origin_is_trusted() {
        let url: PublicUrl = "https://play.example.org".parse().unwrap();
        let own = |host, origin| url.is_own_origin(&headers(host, origin));
        assert_eq!(own("play.example.org", None), None);
        assert_eq!(
            own("play.example.org", Some("https://play.example.org")),
            Some(true)
        );
        assert_eq!(
            own("play.example.org", Some("https://evil.example")),
            Some(false)
        );
        assert_eq!(own("play.example.org", Some("null")), Some(false));
        let url: PublicUrl = "http://127.0.0.1:8430".parse().unwrap();
        let own = |host, origin| url.is_own_origin(&headers(host, origin));
        assert_eq!(
            own("localhost:8430", Some("http://localhost:8430")),
            Some(true)
        );
        assert_eq!(
            own("localhost:8430", Some("http://localhost:9")),
            Some(false)
        );
    }

    #[test]
    fn older_browsers_are_told_of_the_socket() {
        for (url, socket) in [
            ("https://play.example.org", "wss://play.example.org"),
            ("http://127.0.0.1:8430", "ws://127.0.0.1:8430"),
        ] {
            let url: PublicUrl = url.parse().unwrap();
            assert_eq!(url.socket_origin(), socket);
        }
    }

    #[test]
    fn addresses_have_no_path() {
        for text in [
            "play.example.org",
            "https://",
            "https://a/b",
            "ftp://a",
            "https://a b",
        ] {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }
}
