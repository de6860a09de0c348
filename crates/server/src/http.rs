//! The HTTP interface.

mod accounts;
mod challenges;
mod lists;
mod matches;
mod passwords;

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{FromRequestParts, WebSocketUpgrade},
    http::{HeaderValue, Method, Request, Response, StatusCode, header, request::Parts},
    response::IntoResponse,
    routing::any,
};
use protocol::SUBPROTOCOL;
use tower::ServiceExt;

use crate::{
    error::ApiError,
    hub::Hub,
    request::{Caller, read_object},
    socket::{self, LARGEST_FRAME},
};

/// The result of a request handler.
type ApiResult = Result<Response<Body>, ApiError>;

impl Hub {
    /// The whole service: the page, the HTTP interface and the WebSocket.
    pub fn app(self: &Arc<Self>) -> Router {
        let hub = self.clone();
        let files = move |request: Request<Body>| {
            let hub = hub.clone();
            async move { hub.answer_with_file(&request) }
        };
        self.app_with(Router::new().fallback(any(files)))
    }

    /// As [`app`](Self::app), with another service for the files of the page.
    pub fn app_with(self: &Arc<Self>, files: Router) -> Router {
        let hub = self.clone();
        let answer = move |request: Request<Body>| {
            let (hub, files) = (hub.clone(), files.clone());
            async move {
                let path = request.uri().path();
                if path.starts_with("/api/") || matches!(path, "/ws" | "/healthz" | "/readyz") {
                    return hub.answer(request).await;
                }
                let answered = files.oneshot(request).await;
                answered.unwrap_or_else(|never| match never {})
            }
        };
        Router::new().fallback(any(answer))
    }

    /// Metrics for the operator, on a separate port.
    pub fn metrics_app(self: &Arc<Self>) -> Router {
        let hub = self.clone();
        let answer = move || {
            let text = hub.metrics.to_text(hub.n_lives());
            async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text) }
        };
        Router::new().route("/metrics", any(answer))
    }

    async fn answer(self: Arc<Self>, request: Request<Body>) -> Response<Body> {
        let answer = self.clone().answer_call(request).await;
        if let Err(ApiError::Store(error)) = &answer {
            self.note_store_error(error);
        }
        let mut response = answer.unwrap_or_else(IntoResponse::into_response);
        let headers = response.headers_mut();
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        response
    }

    fn answer_with_file(&self, request: &Request<Body>) -> Response<Body> {
        let url = &self.config.url;
        let is_own = url.is_own_host(request.headers());
        page::answer_for(
            self.config.files,
            request,
            is_own,
            Some(&url.socket_origin()),
        )
    }

    async fn answer_call(self: Arc<Self>, request: Request<Body>) -> ApiResult {
        let path = request.uri().path().to_owned();
        match &*path {
            "/healthz" => return Ok("ok\n".into_response()),
            "/readyz" => return self.answer_readiness().await,
            _ => {}
        }
        let (mut parts, body) = request.into_parts();
        let caller = Caller::new(&self, &parts).await?;
        let renewed = caller.renewed_cookie();
        let answer = match &*path {
            "/ws" => self.upgrade(caller, &mut parts).await?,
            _ => answer_api(&caller, &path, &parts, body).await?,
        };
        Ok(match renewed {
            Some(cookie) if !answer.headers().contains_key(header::SET_COOKIE) => {
                with_cookie(answer, &cookie)
            }
            _ => answer,
        })
    }

    async fn answer_readiness(&self) -> ApiResult {
        // The heartbeat writes into the store every second; here it is read.
        let is_down = self.outages.last().is_some_and(|it| it.ended.is_none());
        if self.is_leaving() || is_down {
            return Err(ApiError::Unavailable);
        }
        let nodes = self.store.nodes().await;
        self.note_result(&nodes);
        nodes.map_err(|_| ApiError::Unavailable)?;
        Ok("ready\n".into_response())
    }

    async fn upgrade(self: Arc<Self>, caller: Caller, parts: &mut Parts) -> ApiResult {
        // A proxy asks the next node. Where there is none, matches go on here until the end.
        if self.is_leaving() && self.find_live_peer().await {
            return Err(ApiError::Unavailable);
        }
        let address = caller.address.as_deref();
        if address.is_some_and(|address| !self.has_room_for(address)) {
            return Err(ApiError::SlowDown);
        }
        let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await;
        let upgrade = match upgrade {
            Ok(upgrade) => upgrade,
            Err(rejection) => return Err(ApiError::NoHandshake(rejection.body_text())),
        };
        let upgrade = upgrade
            .protocols([SUBPROTOCOL])
            // The default is 128 KiB a socket.
            .read_buffer_size(LARGEST_FRAME)
            .write_buffer_size(LARGEST_FRAME)
            .max_frame_size(LARGEST_FRAME)
            .max_message_size(LARGEST_FRAME);
        Ok(upgrade.on_upgrade(move |socket| socket::run(self, socket, caller)))
    }
}

/// Answers a request of `/api`.
async fn answer_api(caller: &Caller, path: &str, parts: &Parts, body: Body) -> ApiResult {
    let segments: Vec<_> = path.split('/').skip(2).collect();
    let query = parts.uri.query();
    let is = |method: Method| parts.method == method;
    match *segments {
        ["guests"] if is(Method::POST) => {
            read_object(body).await?;
            accounts::create_guest(caller).await
        }
        ["accounts"] if is(Method::POST) => {
            accounts::create(caller, &read_object(body).await?).await
        }
        ["login"] if is(Method::POST) => accounts::login(caller, &read_object(body).await?).await,
        ["logout"] if is(Method::POST) => accounts::logout(caller).await,
        ["recover"] if is(Method::POST) => {
            accounts::recover(caller, &read_object(body).await?).await
        }
        ["password"] if is(Method::POST) => {
            accounts::change_password(caller, &read_object(body).await?).await
        }
        ["bots"] if is(Method::POST) => {
            accounts::create_bot(caller, &read_object(body).await?).await
        }
        ["me"] if is(Method::GET) => lists::me(caller).await,
        ["me"] if is(Method::DELETE) => accounts::delete(caller).await,
        ["me", "export"] if is(Method::GET) => lists::export(caller).await,
        ["me", "matches.ndjson"] if is(Method::GET) => lists::export_matches(caller).await,
        ["me", "matches"] if is(Method::GET) => lists::my_matches(caller, query).await,
        ["blocks"] if is(Method::POST) => accounts::block(caller, &read_object(body).await?).await,
        ["challenges"] if is(Method::POST) => {
            challenges::create(caller, &read_object(body).await?).await
        }
        ["challenges", token] if is(Method::GET) => challenges::show(caller, token).await,
        ["challenges", token] if is(Method::DELETE) => challenges::cancel(caller, token).await,
        ["challenges", token, "accept"] if is(Method::POST) => {
            challenges::accept(caller, token).await
        }
        ["matches", id] if is(Method::GET) => matches::show(caller, id).await,
        ["matches", id, "record"] if is(Method::GET) => matches::record(caller, id).await,
        ["lobby"] if is(Method::GET) => lists::lobby(caller).await,
        ["leaderboard"] if is(Method::GET) => lists::leaderboard(caller, query).await,
        ["players", name] if is(Method::GET) => lists::player(caller, name).await,
        ["players", name, "matches"] if is(Method::GET) => {
            lists::matches_of(caller, name, query).await
        }
        [
            "guests" | "accounts" | "login" | "logout" | "recover" | "password" | "bots" | "me"
            | "blocks" | "challenges" | "lobby" | "leaderboard",
        ]
        | ["challenges" | "matches" | "players" | "me", _]
        | [
            "challenges" | "matches" | "players",
            _,
            "accept" | "record" | "matches",
        ] => Err(ApiError::Method),
        _ => Err(ApiError::Unknown("address")),
    }
}

/// Adds a header that sets the session's cookie.
fn with_cookie(mut response: Response<Body>, cookie: &str) -> Response<Body> {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// A field of a body that has to be a string.
fn text_field<'a>(
    body: &'a serde_json::Map<String, serde_json::Value>,
    field: &'static str,
) -> Result<&'a str, ApiError> {
    let value = body.get(field).and_then(|value| value.as_str());
    value.ok_or_else(|| ApiError::field(field, "expected a text"))
}

/// The answer `{}`.
fn done() -> Response<Body> {
    crate::request::json(StatusCode::OK, &serde_json::Map::new())
}
