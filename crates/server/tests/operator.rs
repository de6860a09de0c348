//! What depends on how a server is run: its public URL, its proxies, its ports, its end.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod chaos;
mod table;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{HeaderMap, Request, StatusCode, header},
};
use chaos::ChaosStore;
use client::{Api, Socket, SocketError};
use protocol::{ClientMessage, ServerMessage};
use serde_json::{Value, json};
use server::{Config, Hub, NoBus};
use store::{MemoryStore, Store};
use table::{Server, node};
use tokio::sync::oneshot;
use tower::ServiceExt;

const PUBLIC: &str = "https://play.example.org";

async fn hub(url: &str, proxies: &[&str]) -> Arc<Hub> {
    let config = Config {
        url: url.parse().unwrap(),
        proxies: proxies.iter().map(|ip| ip.parse().unwrap()).collect(),
        files: &[],
    };
    let store = Arc::new(MemoryStore::new());
    Hub::new(config, store, Arc::new(NoBus)).await.unwrap()
}

/// How many guests or challenges an address can create; on a slow machine a few more, since the limit
/// refills.
const IN_TEN_MINUTES: std::ops::Range<usize> = 60..90;

/// A request to the server by its name, as if it came from this address.
struct Sent<'a> {
    hub: &'a Arc<Hub>,
    from: &'a str,
    forwarded: Option<&'a str>,
    token: Option<&'a str>,
}

impl Sent<'_> {
    async fn get(&self, path: &str) -> (StatusCode, HeaderMap, Value) {
        self.send("GET", path, Body::empty()).await
    }

    async fn post(&self, path: &str, body: Value) -> (StatusCode, HeaderMap, Value) {
        self.send("POST", path, Body::from(body.to_string())).await
    }

    async fn send(&self, method: &str, path: &str, body: Body) -> (StatusCode, HeaderMap, Value) {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "play.example.org");
        if let Some(forwarded) = self.forwarded {
            request = request.header("x-forwarded-for", forwarded);
        }
        if let Some(token) = self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let address: SocketAddr = format!("{}:4000", self.from).parse().unwrap();
        let request = request.extension(ConnectInfo(address)).body(body).unwrap();
        let response = self.hub.app().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
        let body = serde_json::from_slice(&body).unwrap_or_default();
        (parts.status, parts.headers, body)
    }
}

/// Requests of somebody at this address.
fn from<'a>(hub: &'a Arc<Hub>, address: &'a str) -> Sent<'a> {
    Sent {
        hub,
        from: address,
        forwarded: None,
        token: None,
    }
}

#[tokio::test]
async fn over_tls_the_cookie_is_for_this_host_and_for_tls_alone() {
    let hub = hub(PUBLIC, &[]).await;
    let caller = from(&hub, "192.0.2.1");
    let (status, headers, _) = caller.post("/api/guests", json!({})).await;
    assert_eq!(status, StatusCode::CREATED);
    let cookie = headers[header::SET_COOKIE].to_str().unwrap();
    let fields: Vec<_> = cookie.split("; ").collect();
    assert!(fields[0].starts_with("__Host-parlour="), "{cookie}");
    for field in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(fields.contains(&field), "{field}: {cookie}");
    }
    // What browsers demand of a name with this prefix.
    assert!(!cookie.contains("Domain"), "{cookie}");
}

#[tokio::test]
async fn over_tls_the_policy_names_the_socket() {
    let hub = hub(PUBLIC, &[]).await;
    let (_, headers, _) = from(&hub, "192.0.2.1").get("/").await;
    let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    let mut directives = policy.split(';').map(str::trim);
    let connect = directives.find(|directive| directive.starts_with("connect-src"));
    let connect = connect.unwrap();
    let mut sources = connect.split(' ');
    assert!(
        sources.any(|source| source == "wss://play.example.org"),
        "{connect}"
    );
}

/// The number of guests that an address can create at once.
async fn n_guests(caller: &Sent<'_>) -> usize {
    n_allowed(caller, "/api/guests", json!({})).await
}

async fn n_allowed(caller: &Sent<'_>, path: &str, terms: Value) -> usize {
    for n in 0..100 {
        let (status, _, body) = caller.post(path, terms.clone()).await;
        if status == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(body["error"], "slow-down");
            return n;
        }
        assert_eq!(status, StatusCode::CREATED);
    }
    100
}

#[tokio::test]
async fn an_address_can_create_so_many_guests() {
    let hub = hub(PUBLIC, &["127.0.0.1"]).await;
    for address in ["192.0.2.1", "192.0.2.2"] {
        let n = n_guests(&from(&hub, address)).await;
        assert!(IN_TEN_MINUTES.contains(&n), "{n}");
    }
    // A proxy that is named is believed.
    let forwarded = Some("192.0.2.1");
    let behind = Sent {
        forwarded,
        ..from(&hub, "127.0.0.1")
    };
    let n = n_guests(&behind).await;
    assert!(n < 60, "{n}");
}

#[tokio::test]
async fn an_address_can_create_so_many_challenges() {
    let hub = hub(PUBLIC, &[]).await;
    let (_, _, guest) = from(&hub, "192.0.2.1").post("/api/guests", json!({})).await;
    let caller = Sent {
        token: guest["token"].as_str(),
        ..from(&hub, "192.0.2.2")
    };
    let n = n_allowed(&caller, "/api/challenges", json!({ "game": "takeover" })).await;
    assert!(IN_TEN_MINUTES.contains(&n), "{n}");
}

/// Hashing takes a core for a while, so an address that tries one name after the other is held up.
#[tokio::test]
async fn an_address_can_try_so_many_passwords() {
    let hub = hub(PUBLIC, &[]).await;
    let mut n = 0;
    for number in 0..200 {
        let body = json!({ "name": format!("nobody-{number}"), "password": "12345678" });
        let (status, _, body) = from(&hub, "192.0.2.1").post("/api/login", body).await;
        if status == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(body["error"], "slow-down");
            break;
        }
        assert_eq!(status, StatusCode::UNAUTHORIZED);
        n += 1;
    }
    // On a slow machine a few more, since limits refill.
    assert!((60..200).contains(&n), "{n}");
}

/// A proxy on this machine that was not named is one address: its limits hold for everybody behind
/// it, rather than for nobody.
#[tokio::test]
async fn this_machine_has_limits_unless_the_server_is_for_it_alone() {
    let public = hub(PUBLIC, &[]).await;
    let behind = Sent {
        forwarded: Some("192.0.2.1"),
        ..from(&public, "127.0.0.1")
    };
    let n = n_guests(&behind).await;
    assert!(IN_TEN_MINUTES.contains(&n), "{n}");
    let server = table::server().await;
    for _ in 0..70 {
        server.api.new_guest().await.unwrap();
    }
}

/// The requests that are answered before one is refused.
async fn n_requests(caller: &Sent<'_>, most: usize) -> usize {
    for n in 0..most {
        let (status, _, body) = caller.get("/api/challenges/none").await;
        if status == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(body["error"], "slow-down");
            return n;
        }
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
    most
}

/// People who share an address don't take each other's requests: a lobby makes up to 27 a minute.
#[tokio::test]
async fn requests_are_limited_by_session_and_loosely_by_address() {
    let hub = hub(PUBLIC, &[]).await;
    let mut tokens = Vec::new();
    for _ in 0..40 {
        let caller = from(&hub, "192.0.2.1");
        let (status, _, body) = caller.post("/api/guests", json!({})).await;
        assert_eq!(status, StatusCode::CREATED);
        tokens.push(body["token"].as_str().unwrap().to_owned());
    }
    let caller = |token| Sent {
        token: Some(token),
        ..from(&hub, "192.0.2.1")
    };
    for token in &tokens {
        assert_eq!(n_requests(&caller(token), 27).await, 27);
    }
    // On a slow machine a few more, since limits refill.
    let n = n_requests(&caller(&tokens[0]), 1_000).await;
    assert!((270..1_000).contains(&n), "{n}");
    assert_eq!(n_requests(&caller(&tokens[1]), 27).await, 27);
    let n = n_requests(&from(&hub, "192.0.2.2"), 20_000).await;
    assert!((3_000..20_000).contains(&n), "{n}");
    // The session is known, the address has sent too much.
    let elsewhere = Sent {
        token: Some(&tokens[1]),
        ..from(&hub, "192.0.2.2")
    };
    assert!(n_requests(&elsewhere, 200).await < 200);
    assert_eq!(n_requests(&caller(&tokens[1]), 27).await, 27);
}

/// Errors of the store are counted where requests meet them as well, and the answer says nothing
/// of them.
#[tokio::test]
async fn errors_of_the_store_are_counted() {
    let store = ChaosStore::new(Arc::new(MemoryStore::new()), 1);
    let store = Arc::new(store);
    let config = Config {
        url: PUBLIC.parse().unwrap(),
        proxies: Vec::new(),
        files: &[],
    };
    let hub = Hub::new(config, store.clone(), Arc::new(NoBus));
    let hub = hub.await.unwrap();
    let n_errors = async || {
        let request = Request::get("/metrics").body(Body::empty()).unwrap();
        let answer = hub.metrics_app().oneshot(request).await.unwrap();
        let text = axum::body::to_bytes(answer.into_body(), 1 << 20).await;
        let text = String::from_utf8(text.unwrap().to_vec()).unwrap();
        let mut lines = text.lines();
        let n = lines.find_map(|line| line.strip_prefix("parlour_store_errors_total "));
        n.unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(n_errors().await, 0);
    store.set_failure(Some("live_matches"));
    let caller = from(&hub, "192.0.2.1");
    let (status, _, body) = caller.get("/api/lobby").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(body["error"], "unavailable");
    assert!(!body.to_string().contains("live_matches"), "{body}");
    assert_eq!(n_errors().await, 1);
    store.set_failure(None);
    assert_eq!(caller.get("/api/lobby").await.0, StatusCode::OK);
    assert_eq!(n_errors().await, 1);
}

/// Serves a node that leaves when it is told to.
async fn leaving(store: Arc<dyn Store>) -> (Server, oneshot::Sender<()>) {
    let listening = server::listen(([127, 0, 0, 1], 0).into()).unwrap();
    let address = listening.address;
    let config = Config {
        url: address.into(),
        proxies: Vec::new(),
        files: &[],
    };
    let hub = Hub::new(config, store, Arc::new(NoBus)).await.unwrap();
    let (leave, told) = oneshot::channel();
    let stop = async {
        told.await.ok();
    };
    tokio::spawn(server::serve(hub, listening, None, stop));
    let server = Server {
        api: Api::new(&address.to_string()),
        address: address.to_string(),
        socket: format!("ws://{address}/ws"),
    };
    (server, leave)
}

fn over(message: ServerMessage) -> Option<()> {
    matches!(message, ServerMessage::Over {}).then_some(())
}

/// A node is ready as long as its store can be read and written; it is healthy without one.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_is_ready_while_its_store_works() {
    let store = Arc::new(ChaosStore::new(Arc::new(MemoryStore::new()), 1));
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let status = async |path| server.api.get(path).await.unwrap().status;
    let wait_for = async |expected| {
        for _ in 0..100 {
            if status("/readyz").await == expected {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it never answers {expected}");
    };
    wait_for(200).await;
    for broken in ["nodes", "beat"] {
        store.set_failure(Some(broken));
        wait_for(503).await;
        assert_eq!(status("/healthz").await, 200);
        store.set_failure(None);
        wait_for(200).await;
    }
}

/// The only server takes sockets until its end, and tells them.
#[tokio::test(flavor = "multi_thread")]
async fn the_only_node_takes_sockets_while_it_leaves() {
    let (server, leave) = leaving(Arc::new(MemoryStore::shared())).await;
    let mut socket = Socket::connect(&server.socket, None).await.unwrap();
    leave.send(()).unwrap();
    socket.expect(over).await.unwrap();
    assert_eq!(server.api.get("/readyz").await.unwrap().status, 503);
    let mut again = Socket::connect(&server.socket, None).await.unwrap();
    again.expect(over).await.unwrap();
    again.send(&ClientMessage::Ping { n: 3 }).await.unwrap();
    let pong = |message| matches!(message, ServerMessage::Pong { n: 3, .. }).then_some(());
    again.expect(pong).await.unwrap();
}

/// A proxy sends new sockets to another node, if there is one.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_leaves_sends_sockets_to_another() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let (server, leave) = leaving(store.clone()).await;
    let other = node(store, Arc::new(NoBus)).await;
    let mut socket = Socket::connect(&server.socket, None).await.unwrap();
    leave.send(()).unwrap();
    socket.expect(over).await.unwrap();
    let refused = Socket::connect(&server.socket, None).await;
    assert!(matches!(refused, Err(SocketError::Refused(503))));
    assert!(Socket::connect(&other.socket, None).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_are_on_a_port_of_their_own() {
    let listen = || server::listen(([127, 0, 0, 1], 0).into()).unwrap();
    let (listening, metrics) = (listen(), listen());
    let (address, own) = (listening.address, metrics.address.to_string());
    let config = Config {
        url: address.into(),
        proxies: Vec::new(),
        files: &[],
    };
    let hub = Hub::new(config, Arc::new(MemoryStore::new()), Arc::new(NoBus));
    let hub = hub.await.unwrap();
    let stop = std::future::pending();
    tokio::spawn(server::serve(hub, listening, Some(metrics), stop));
    let mut socket = Socket::connect(&format!("ws://{address}/ws"), None)
        .await
        .unwrap();
    socket
        .send(&ClientMessage::Join {
            g: "none".to_owned(),
            v: None,
        })
        .await
        .unwrap();
    let no = |message| matches!(message, ServerMessage::No(_)).then_some(());
    socket.expect(no).await.unwrap();
    let answer = Api::new(&own).get("/metrics").await.unwrap();
    assert_eq!(answer.status, 200);
    assert!(
        answer.head.contains("text/plain; version=0.0.4"),
        "{}",
        answer.head
    );
    for line in [
        "# TYPE parlour_sockets gauge",
        "parlour_sockets 1",
        "# TYPE parlour_refused_total counter",
        "parlour_refused_total 1",
        "parlour_store_errors_total 0",
    ] {
        assert!(
            answer.body.lines().any(|found| found == line),
            "{line}: {}",
            answer.body
        );
    }
    // Every figure has a description and a kind.
    let values = answer.body.lines().filter(|line| !line.starts_with('#'));
    for value in values {
        let (name, number) = value.split_once(' ').unwrap();
        assert!(number.parse::<u64>().is_ok(), "{value}");
        for word in ["HELP", "TYPE"] {
            assert!(
                answer.body.contains(&format!("# {word} {name} ")),
                "{value}"
            );
        }
    }
    let elsewhere = Api::new(&address.to_string())
        .get("/metrics")
        .await
        .unwrap();
    assert_eq!(elsewhere.status, 404);
    assert_eq!(Api::new(&own).get("/api/me").await.unwrap().status, 404);
}
