//! Authentication and limits of requests.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{HeaderMap, Method, Response, StatusCode, header, request::Parts},
    response::IntoResponse,
};
use serde_json::Value;
use store::{Profile, SessionKind};

use crate::{
    error::ApiError,
    hub::Hub,
    limit::{Limit, address_key},
    origin::text,
    secret,
    sessions::SESSION,
};

/// The largest body of a request, in bytes.
pub(crate) const LARGEST_BODY: usize = 16 * 1024;

/// The timeout for the body of a request.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The authenticated sender of a request.
pub(crate) struct Caller {
    pub(crate) hub: Arc<Hub>,
    pub(crate) profile: Option<Profile>,
    /// Hash of the session's token.
    pub(crate) token_hash: Option<String>,
    /// The [key](crate::limit::address_key) of the sender's address; `None` if it has no limits.
    pub(crate) address: Option<String>,
    /// The token of the session's cookie, if the cookie is due for renewal.
    renewed: Option<String>,
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, header::AUTHORIZATION).split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let fields = headers.get_all(header::COOKIE).into_iter();
    let mut pairs = fields
        .filter_map(|field| field.to_str().ok())
        .flat_map(|field| field.split(';'));
    pairs.find_map(|pair| {
        let (found, value) = pair.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}

/// The address of the sender: the last one that a trusted proxy added, or the socket's.
fn sender(hub: &Hub, parts: &Parts) -> Option<IpAddr> {
    let ConnectInfo(socket) = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
    let direct = socket.ip().to_canonical();
    if !hub.config.proxies.contains(&direct) {
        return Some(direct);
    }
    let forwarded = parts.headers.get_all("x-forwarded-for").into_iter();
    let addresses = forwarded
        .filter_map(|field| field.to_str().ok())
        .flat_map(|field| field.split(','))
        .map(|address| address.trim().parse::<IpAddr>().ok());
    let is_proxy = |address: IpAddr| hub.config.proxies.contains(&address.to_canonical());
    let mut outside = addresses.filter(|address| !address.is_some_and(is_proxy));
    // Entries before one that is not an address may be forged by the sender.
    Some(
        outside
            .next_back()
            .flatten()
            .map_or(direct, |ip| ip.to_canonical()),
    )
}

impl Caller {
    /// Authenticates a request.
    pub(crate) async fn new(hub: &Arc<Hub>, parts: &Parts) -> Result<Self, ApiError> {
        let url = &hub.config.url;
        let headers = &parts.headers;
        if !url.is_own_host(headers) {
            return Err(ApiError::ForeignHost);
        }
        let bearer = bearer(headers);
        let cookie = cookie(headers, url.cookie_name()).filter(|_| bearer.is_none());
        let is_socket = headers.contains_key(header::UPGRADE);
        let is_safe = matches!(parts.method, Method::GET | Method::HEAD) && !is_socket;
        let is_own = url.is_own_origin(headers);
        // CSRF: other websites must not act with a visitor's cookie. Programs that send no `Origin`
        // have no cookie either, unless somebody copied it.
        let is_trusted = match is_own {
            Some(is_own) => is_own || bearer.is_some(),
            None => cookie.is_none(),
        };
        if !is_safe && !is_trusted {
            return Err(ApiError::ForeignOrigin);
        }
        // A server for this machine alone does not limit it. With a public URL, requests of this
        // machine may be those of anybody, from a proxy that was not named.
        let is_limited = |address: &IpAddr| !(url.is_local() && address.is_loopback());
        let address = sender(hub, parts).filter(is_limited).map(address_key);
        if let Some(address) = &address
            && !hub.limits.requests.allow(address, hub.now())
        {
            return Err(ApiError::SlowDown);
        }
        let token_hash = bearer.or(cookie).map(secret::hash);
        let used = match &token_hash {
            Some(hash) => hub.use_session(hash).await?,
            None => None,
        };
        let (profile, is_first_today) = used.unzip();
        let renewed = cookie.filter(|_| is_first_today == Some(true));
        if bearer.is_some() && profile.is_none() {
            return Err(ApiError::NobodyYet);
        }
        let token_hash = token_hash.filter(|_| profile.is_some());
        if address.is_some()
            && let Some(hash) = &token_hash
            && !hub.limits.session_requests.allow(hash, hub.now())
        {
            return Err(ApiError::SlowDown);
        }
        Ok(Self {
            hub: hub.clone(),
            profile,
            token_hash,
            address,
            renewed: renewed.map(str::to_owned),
        })
    }

    /// Somebody without a session, and without limits.
    #[cfg(test)]
    pub(crate) fn nobody(hub: &Arc<Hub>) -> Self {
        Self {
            hub: hub.clone(),
            profile: None,
            token_hash: None,
            address: None,
            renewed: None,
        }
    }

    /// The renewed cookie, if it is due.
    pub(crate) fn renewed_cookie(&self) -> Option<String> {
        self.renewed
            .as_deref()
            .map(|token| self.cookie(Some(token)))
    }

    /// The player, who must be signed in.
    pub(crate) fn player(&self) -> Result<&Profile, ApiError> {
        self.profile.as_ref().ok_or(ApiError::NobodyYet)
    }

    /// Counts a new object of this address against its limit. None is created while the store is
    /// slow.
    pub(crate) fn count_new(&self) -> Result<(), ApiError> {
        if self.hub.is_store_slow() {
            return Err(ApiError::Unavailable);
        }
        self.count(&self.hub.limits.new)
    }

    /// Counts a password that is to be hashed for somebody who may be anybody.
    ///
    /// # Errors
    ///
    /// Returns [`ApiError::SlowDown`] if the address has sent too many.
    pub(crate) fn count_hash(&self) -> Result<(), ApiError> {
        self.count(&self.hub.limits.hashes)
    }

    /// Counts a request of this address against `limit`.
    fn count(&self, limit: &Limit) -> Result<(), ApiError> {
        let now = self.hub.now();
        let is_allowed = |address: &String| limit.allow(address, now);
        if self.address.as_ref().is_none_or(is_allowed) {
            Ok(())
        } else {
            Err(ApiError::SlowDown)
        }
    }

    /// Begins a session of `player`, and returns its token.
    pub(crate) async fn begin_session(&self, player: &str) -> Result<String, ApiError> {
        let token = secret::token();
        let hash = secret::hash(&token);
        let (store, now) = (&self.hub.store, self.hub.now());
        store
            .create_session(&hash, player, SessionKind::Browser, now)
            .await?;
        Ok(token)
    }

    /// The `Set-Cookie` value of a session; without a token it deletes the cookie.
    pub(crate) fn cookie(&self, token: Option<&str>) -> String {
        let url = &self.hub.config.url;
        let secure = if url.is_secure() { "; Secure" } else { "" };
        let age = if token.is_some() { SESSION / 1000 } else { 0 };
        let (name, value) = (url.cookie_name(), token.unwrap_or(""));
        format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}")
    }
}

/// Reads a body as a JSON object; an empty body is `{}`.
pub(crate) async fn read_object(body: Body) -> Result<serde_json::Map<String, Value>, ApiError> {
    let read = axum::body::to_bytes(body, LARGEST_BODY);
    let bytes = tokio::time::timeout(BODY_TIMEOUT, read).await;
    let bytes = bytes.map_err(|_| ApiError::TooSlow)?;
    let bytes = bytes.map_err(|_| ApiError::TooLong)?;
    if bytes.is_empty() {
        return Ok(serde_json::Map::new());
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(ApiError::Body("a JSON object")),
    }
}

/// An answer in JSON.
pub(crate) fn json(status: StatusCode, value: &impl serde::Serialize) -> Response<Body> {
    let kind = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    match serde_json::to_string(value) {
        Ok(body) => (status, kind, body).into_response(),
        Err(_) => ApiError::Internal.into_response(),
    }
}

/// The raw value of a query parameter.
pub(crate) fn parameter<'a>(query: Option<&'a str>, name: &str) -> Option<&'a str> {
    let mut pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}
