//! What the server answers, without a socket.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, Request, StatusCode},
};
use page::{File, answer};

static FILES: &[File] = &[
    File::embedded("index.html", b"<!doctype html>", b"small page"),
    File::embedded("app-0123.wasm", b"\0asm", b"small module"),
    File::embedded("manifest.en.webmanifest", b"{}", b"small manifest"),
    File::embedded("sw.js", b"install", b"small worker"),
];

/// The answer to `method` and `path` with the given headers.
fn ask(method: &str, path: &str, headers: &[(&str, &str)]) -> (StatusCode, HeaderMap, Vec<u8>) {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (parts, body) = answer(FILES, &request).into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        (parts.status, parts.headers, body.to_vec())
    })
}

const HOST: (&str, &str) = ("host", "127.0.0.1:8430");

#[test]
fn the_page_comes_with_its_kind_and_a_strict_policy() {
    let (status, headers, body) = ask("GET", "/", &[HOST]);
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(headers["cache-control"], "no-cache");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(body, b"<!doctype html>");
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'"));
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
}

#[test]
fn files_are_compressed_for_those_who_take_it_and_kept_for_ever() {
    let (_, headers, body) = ask(
        "GET",
        "/app-0123.wasm",
        &[HOST, ("accept-encoding", "gzip, br")],
    );
    assert_eq!(headers["content-type"], "application/wasm");
    assert_eq!(headers["content-encoding"], "br");
    assert!(
        headers["cache-control"]
            .to_str()
            .unwrap()
            .contains("immutable")
    );
    assert_eq!(body, b"small module");
    let (_, headers, body) = ask("GET", "/app-0123.wasm", &[HOST]);
    assert_eq!(headers.get("content-encoding"), None);
    assert_eq!(body, b"\0asm");
}

/// Browsers look at these for a new version, so nobody may keep them without asking.
#[test]
fn the_service_worker_and_the_manifest_are_never_stale() {
    for (path, kind) in [
        ("/sw.js", "text/javascript; charset=utf-8"),
        ("/manifest.en.webmanifest", "application/manifest+json"),
    ] {
        let (status, headers, _) = ask("GET", path, &[HOST]);
        assert_eq!(status, StatusCode::OK);
        assert_eq!(headers["content-type"], kind);
        assert_eq!(headers["cache-control"], "no-cache");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("manifest-src 'self'"), "{policy}");
    }
    // Whatever follows the question mark is for the page to read.
    let (status, _, body) = ask("GET", "/?play=nonaga", &[HOST]);
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body, b"<!doctype html>");
}

#[test]
fn brotli_is_sent_only_where_it_is_accepted() {
    for (accepted, is_small) in [
        ("br", true),
        ("gzip, deflate, br, zstd", true),
        ("gzip;q=1.0, br;q=0.5", true),
        ("BR ; Q=0.001", true),
        ("br;q=0", false),
        ("gzip, br;q=0.000", false),
        ("br; q=0", false),
        ("br;q=", false),
        ("br;q=none", false),
        ("gzip, identity", false),
        ("brotli", false),
        ("*", false),
        ("", false),
    ] {
        let (_, headers, body) = ask("GET", "/", &[HOST, ("accept-encoding", accepted)]);
        assert_eq!(body == b"small page", is_small, "{accepted}");
        assert_eq!(headers.contains_key("content-encoding"), is_small);
        assert_eq!(headers["vary"], "accept-encoding");
    }
}

#[test]
fn what_is_known_is_not_sent_again() {
    let (_, headers, _) = ask("GET", "/", &[HOST]);
    let tag = headers["etag"].to_str().unwrap();
    let (status, _, body) = ask("GET", "/", &[HOST, ("if-none-match", tag)]);
    assert_eq!(status, StatusCode::NOT_MODIFIED);
    assert!(body.is_empty());
}

#[test]
fn everything_else_is_rejected() {
    let cases = [
        ("GET", "/nothing", "127.0.0.1", StatusCode::NOT_FOUND),
        (
            "GET",
            "/../Cargo.toml",
            "localhost:1",
            StatusCode::NOT_FOUND,
        ),
        (
            "GET",
            "/%2e%2e/Cargo.toml",
            "localhost",
            StatusCode::NOT_FOUND,
        ),
        ("POST", "/", "localhost", StatusCode::METHOD_NOT_ALLOWED),
        ("GET", "/", "evil.example", StatusCode::MISDIRECTED_REQUEST),
        (
            "GET",
            "/",
            "127.0.0.1.evil.example",
            StatusCode::MISDIRECTED_REQUEST,
        ),
    ];
    for (method, path, host, expected) in cases {
        let (status, headers, _) = ask(method, path, &[("host", host)]);
        assert_eq!(status, expected, "{method} {path} from {host}");
        assert!(headers.contains_key("content-security-policy"));
    }
}
