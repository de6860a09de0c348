use std::borrow::Cow;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header},
};

use crate::File;

/// Only files of the page itself are loaded, and no inline scripts.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Caching of a file whose name contains a hash of its content.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// Answers a request with one of `files`, or an error, on this machine.
#[must_use]
pub fn answer(files: &[File], request: &Request<Body>) -> Response<Body> {
    let host = text(request.headers(), header::HOST);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is_own_host = matches!(name, "127.0.0.1" | "localhost");
    answer_for(files, request, is_own_host, None)
}

/// Answers a request with one of `files`, or an error. `is_own_host` is whether the request is
/// for a host name of this server, and `socket` the origin of its WebSocket, which pages may
/// connect to.
#[must_use]
pub fn answer_for(
    files: &[File],
    request: &Request<Body>,
    is_own_host: bool,
    socket: Option<&str>,
) -> Response<Body> {
    let mut response = match find(files, request, is_own_host) {
        Ok(file) => send(file, request),
        Err(status) => {
            let reason = status.canonical_reason().unwrap_or("error");
            let mut response = Response::new(Body::from(format!("{reason}\n")));
            *response.status_mut() = status;
            set(
                &mut response,
                header::CONTENT_TYPE,
                "text/plain; charset=utf-8",
            );
            if status == StatusCode::METHOD_NOT_ALLOWED {
                set(&mut response, header::ALLOW, "GET, HEAD");
            }
            response
        }
    };
    let policy = match socket {
        Some(socket) => {
            let connect = format!("connect-src 'self' {socket}");
            Cow::from(POLICY.replace("connect-src 'self'", &connect))
        }
        None => Cow::from(POLICY),
    };
    set(&mut response, header::CONTENT_SECURITY_POLICY, &policy);
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(&mut response, header::REFERRER_POLICY, "no-referrer");
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    set(&mut response, opener, "same-origin");
    response
}

/// The requested file, or an error status.
fn find<'a>(
    files: &'a [File],
    request: &Request<Body>,
    is_own_host: bool,
) -> Result<&'a File, StatusCode> {
    // DNS rebinding: requests for another host name are rejected.
    if !is_own_host {
        return Err(StatusCode::MISDIRECTED_REQUEST);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(StatusCode::METHOD_NOT_ALLOWED);
    }
    let path = request.uri().path().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let file = files.iter().find(|file| file.name == name);
    file.ok_or(StatusCode::NOT_FOUND)
}

fn send(file: &File, request: &Request<Body>) -> Response<Body> {
    let headers = request.headers();
    let tag = file.tag();
    let is_known = text(headers, header::IF_NONE_MATCH)
        .split(',')
        .any(|known| known.trim() == tag);
    let accepted = text(headers, header::ACCEPT_ENCODING);
    let small = file.small.as_ref().filter(|_| accepts(accepted, "br"));
    let mut response = if is_known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let content = small.unwrap_or(&file.whole);
        let mut response = Response::new(Body::from(content.clone()));
        set(&mut response, header::CONTENT_TYPE, file.media_type());
        if small.is_some() {
            set(&mut response, header::CONTENT_ENCODING, "br");
        }
        response
    };
    set(&mut response, header::ETAG, &tag);
    set(&mut response, header::VARY, "accept-encoding");
    let keep = if file.is_immutable() {
        FOREVER
    } else {
        "no-cache"
    };
    set(&mut response, header::CACHE_CONTROL, keep);
    response
}

/// Whether an `Accept-Encoding` header accepts a coding by name (RFC 9110, 12.5.3):
/// case-insensitive, and a weight of 0 rejects it. A coding covered only by `*` is
/// not used, which is always allowed.
fn accepts(field: &str, coding: &str) -> bool {
    field.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let weight = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
        });
        // An invalid weight rejects it: the plain file is always acceptable.
        let is_positive = |weight: &str| weight.parse().is_ok_and(|weight: f32| weight > 0.0);
        is_named && weight.is_none_or(is_positive)
    })
}

fn text(headers: &HeaderMap, name: HeaderName) -> &str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("")
}

fn set(response: &mut Response<Body>, name: HeaderName, value: &str) {
    // All values here are plain text.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}
