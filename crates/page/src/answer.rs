use axum::{
    Router,
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header},
    routing::any,
};

use crate::File;

/// Nothing comes from anywhere else, and nothing is run that was not sent as
/// a file of its own.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How long a file may be kept whose name has a hash of its content.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// The service that answers with `files`.
pub fn app(files: &'static [File]) -> Router {
    let answer = move |request: Request<Body>| async move { answer(files, &request) };
    Router::new().fallback(any(answer))
}

/// The answer to one request: one of `files`, or why there is none.
#[must_use]
pub fn answer(files: &[File], request: &Request<Body>) -> Response<Body> {
    let mut response = match find(files, request) {
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
    set(&mut response, header::CONTENT_SECURITY_POLICY, POLICY);
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(&mut response, header::REFERRER_POLICY, "no-referrer");
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    set(&mut response, opener, "same-origin");
    response
}

/// The file that is asked for, or why there is none.
fn find<'a>(files: &'a [File], request: &Request<Body>) -> Result<&'a File, StatusCode> {
    // A name that leads here from elsewhere must not open this machine's doors.
    let host = text(request.headers(), header::HOST);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if !matches!(name, "127.0.0.1" | "localhost") {
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

/// Whether an `Accept-Encoding` field accepts a coding by name, as RFC 9110 has it in 12.5.3: names
/// have no case, and a weight of 0 refuses. A coding that is covered by `*` only is not
/// used, which is always allowed.
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
        // A weight that is no number refuses: the plain file is always right.
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
