//! Servers start, crash and start again.

#![cfg(all(unix, feature = "services"))]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::net::TcpStream;

use testservers::{Nats, Postgres};

fn is_listening(url: &str) -> bool {
    let (_, rest) = url.rsplit_once("127.0.0.1:").unwrap();
    let port = rest.split('/').next().unwrap().parse::<u16>().unwrap();
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

#[test]
fn postgres_starts_and_ends() {
    let mut server = Postgres::start().unwrap();
    let url = server.url();
    assert!(is_listening(&url));
    server.kill();
    assert!(!is_listening(&url));
    server.restart().unwrap();
    assert!(is_listening(&url));
    drop(server);
    assert!(!is_listening(&url));
}

#[test]
fn nats_starts_and_ends() {
    let mut server = Nats::start().unwrap();
    let url = server.url();
    assert!(is_listening(&url));
    server.kill();
    assert!(!is_listening(&url));
    server.restart().unwrap();
    assert!(is_listening(&url));
    drop(server);
    assert!(!is_listening(&url));
}
