//! Hostile clients. Nothing of theirs is accepted, nothing is lost, nothing panics, memory does not
//! grow, and an honest match goes on to its end meanwhile.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod law;
mod raw;
mod table;

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use client::{Api, Socket};
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use law::{Match, Player, is_full_size, note, state};
use protocol::{
    ActionName, ClientMessage, MatchStatus, Refusal, Seat, ServerMessage, StateMessage,
};
use raw::{Frame, mutate, read_to_end, websocket};
use rules::Random;
use serde_json::json;
use store::{MemoryStore, Store};
use table::{Server, Table, action, server, server_with, turn};
use tokio::{io::AsyncWriteExt, net::TcpStream, task::JoinHandle, time::timeout};

/// The number of panics in this process.
static PANICS: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| {
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = panics.clone();
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        counter.fetch_add(1, Ordering::Relaxed);
        report(info);
    }));
    panics
});

/// The memory of this process, in bytes.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * 4096
}

/// Held by tests that measure memory, so that they do not measure each other.
static MEASURING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A server with a match that two honest players play to its end.
struct Scene {
    server: Server,
    store: Arc<dyn Store>,
    honest: Match,
    players: Vec<JoinHandle<StateMessage>>,
    memory: u64,
    n_panics: usize,
}

/// What an attack did to the server and to the honest players.
struct Effect {
    /// By how many MiB the memory has grown.
    grown: u64,
    /// How long the acknowledgements of honest players took until the attack was over.
    latencies: Vec<Duration>,
}

impl Scene {
    async fn new() -> Self {
        let n_panics = PANICS.load(Ordering::Relaxed);
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let server = server_with(store.clone()).await;
        let (honest, players) = Self::begin(&server).await;
        Self {
            server,
            store,
            honest,
            players,
            memory: memory(),
            n_panics,
        }
    }

    /// Begins the honest match.
    async fn begin(server: &Server) -> (Match, Vec<JoinHandle<StateMessage>>) {
        let clock = json!({ "base_ms": 600_000, "inc_ms": 0 });
        let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
        let honest = Match::new(&server.api, terms).await;
        let nodes = Arc::new(vec![server.socket.clone()]);
        let play = |seat| {
            let mut player: Player = honest.player(seat, &nodes, 5);
            player.one_in = 0;
            // Long enough for the attacks, and with three messages in two replies on average below
            // the limit of 100 in 20 s.
            player.slowest_reply = 800;
            tokio::spawn(player.play(usize::MAX))
        };
        let players = Seat::BOTH.map(play).into();
        (honest, players)
    }

    /// Another honest match on the same server.
    async fn renew(&mut self) {
        (self.honest, self.players) = Self::begin(&self.server).await;
        self.memory = memory();
    }

    /// After an attack. The honest match ends by the rules, and has nothing but the turns of its
    /// players.
    async fn check(&mut self) -> Effect {
        let latencies = self.honest.latencies();
        for player in std::mem::take(&mut self.players) {
            let seen = player.await.unwrap();
            assert_eq!(seen.status, MatchStatus::Over);
            assert_eq!(seen.reason.as_deref(), Some("rules"));
        }
        let stored = self.store.load_match(&self.honest.g).await;
        let stored = stored.unwrap().unwrap();
        assert_eq!(stored.events.len(), self.honest.n_done());
        // Nobody waited for more than ten seconds.
        assert_eq!(self.honest.n_lost.load(Ordering::Relaxed), 0);
        self.honest.check(&stored);
        assert_eq!(PANICS.load(Ordering::Relaxed), self.n_panics);
        let grown = memory().saturating_sub(self.memory) >> 20;
        assert!(grown < 256, "{grown} MiB more");
        Effect { grown, latencies }
    }
}

/// Checks that a second attack of the same kind takes hardly any memory: what the first took was
/// for buffers and caches, and did not leak. Returns the figures.
fn compare(first: &Effect, second: &Effect) -> String {
    // Everyday attacks are so small that other tests of this process take more.
    let slack = if is_full_size() { 32 } else { 64 };
    assert!(
        second.grown <= first.grown / 2 + slack,
        "{} MiB more, and then {} MiB more",
        first.grown,
        second.grown
    );
    let mut latencies = [&*first.latencies, &*second.latencies].concat();
    latencies.sort();
    let ms = |part: f64| {
        let last = latencies.len().saturating_sub(1);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "there are some hundred"
        )]
        let place = (last as f64 * part) as usize;
        latencies
            .get(place)
            .map_or(0.0, |latency| latency.as_secs_f64() * 1_000.0)
    };
    format!(
        "{} MiB more memory after the first half, {} MiB more after the second. Of {} turns of honest \
         players during the attacks half were acknowledged within {:.1} ms, all within {:.1} ms",
        first.grown,
        second.grown,
        latencies.len(),
        ms(0.5),
        ms(1.0),
    )
}

/// Messages that would do something if they came from the right player.
fn messages(g: &str, random: &mut Random) -> String {
    let id = u64::from(random.below(5));
    let at = u64::from(random.below(12));
    let m = ["c4", "c5", "a5b3", "pass", "e3", "b1d3"];
    let m = vec![m[random.below(6) as usize].to_owned()];
    let names = [
        ActionName::Resign,
        ActionName::Draw,
        ActionName::Takeback,
        ActionName::Rematch,
        ActionName::Accept,
        ActionName::Decline,
        ActionName::Abort,
        ActionName::Claim,
        ActionName::Say,
    ];
    let name = names[random.below(9) as usize];
    let message = match random.below(8) {
        0 => ClientMessage::Join {
            g: g.to_owned(),
            v: (random.below(2) == 0).then_some(at),
        },
        1 => ClientMessage::Leave { g: g.to_owned() },
        2 => ClientMessage::Ping { n: at },
        3 => ClientMessage::Seek {
            id,
            pools: vec!["takeover/3+2".to_owned(), "chess/1+0".to_owned()],
        },
        4 => ClientMessage::Unseek {},
        5 => ClientMessage::Turn(turn(g, id, at, &m)),
        _ => ClientMessage::Do(protocol::Action {
            of: (random.below(2) == 0).then_some(at),
            phrase: (random.below(2) == 0).then_some(3),
            ..action(g, id, name)
        }),
    };
    message.to_json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_and_mutated_frames_do_nothing() {
    let _measuring = MEASURING.lock().await;
    let n_sockets = if is_full_size() { 1_112 } else { 40 };
    let mut random = Random::new(17);
    let mut scene = Scene::new().await;
    send_frames(&scene, n_sockets, &mut random).await;
    let first = scene.check().await;
    scene.renew().await;
    send_frames(&scene, n_sockets, &mut random).await;
    let second = scene.check().await;
    note(&format!(
        "two times {} random and mutated frames on {n_sockets} sockets: {}",
        90 * n_sockets,
        compare(&first, &second)
    ));
}

async fn send_frames(scene: &Scene, n_sockets: usize, random: &mut Random) {
    for i in 0..n_sockets {
        let (_, guest) = scene.server.api.new_guest().await.unwrap();
        let token = (i % 3 > 0).then_some(&*guest.token);
        let mut stream = websocket(&scene.server.address, token).await;
        for _ in 0..90 {
            let text = messages(&scene.honest.g, random);
            let mut frame = Frame::text(text);
            match random.below(10) {
                // As it is: forged.
                0..3 => {}
                3..8 => mutate(&mut frame.payload, random),
                8 => {
                    frame.opcode = u8::try_from(random.below(16)).unwrap();
                    frame.is_final = random.below(2) == 0;
                }
                _ => frame.announced = Some(u64::from(random.below(70_000))),
            }
            let mut bytes = frame.to_bytes();
            if random.below(12) == 0 {
                mutate(&mut bytes, random);
            }
            // The server may have closed it, as it should.
            if stream.write_all(&bytes).await.is_err() {
                stream = websocket(&scene.server.address, token).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_and_mutated_requests_do_nothing() {
    let _measuring = MEASURING.lock().await;
    let n_requests = if is_full_size() { 100_000 } else { 1_500 };
    let mut random = Random::new(18);
    let mut scene = Scene::new().await;
    send_requests(&scene, n_requests, &mut random).await;
    let first = scene.check().await;
    scene.renew().await;
    send_requests(&scene, n_requests, &mut random).await;
    let second = scene.check().await;
    note(&format!(
        "two times {n_requests} random and mutated requests: {}",
        compare(&first, &second)
    ));
}

async fn send_requests(scene: &Scene, n_requests: usize, random: &mut Random) {
    let (_, guest) = scene.server.api.new_guest().await.unwrap();
    let g = &scene.honest.g;
    let paths = [
        "/api/guests".to_owned(),
        "/api/accounts".to_owned(),
        "/api/login".to_owned(),
        "/api/challenges".to_owned(),
        "/api/challenges/x/accept".to_owned(),
        format!("/api/matches/{g}"),
        format!("/api/matches/{g}/record"),
        "/api/me/export".to_owned(),
        "/api/leaderboard?game=takeover&speed=blitz".to_owned(),
        "/api/players/%00".to_owned(),
        "/ws".to_owned(),
        "/".to_owned(),
    ];
    let bodies = [
        "{}",
        r#"{"name":"Mika","password":"12345678"}"#,
        r#"{"game":"takeover","color":"first","clock":{"base_ms":60000,"inc_ms":0}}"#,
        r#"{"game":"simply-go","options":{"size":"9","mode":"moves:200"}}"#,
        r#"{"game":"lilypads","options":{"board":18446744073709551615}}"#,
    ];
    let methods = [
        "GET", "POST", "DELETE", "HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "BREW",
    ];
    let address = &scene.server.address;
    let mut pending = tokio::task::JoinSet::new();
    for _ in 0..n_requests {
        let method = methods[random.below(9) as usize];
        let path = &paths[random.below(12) as usize];
        let body = bodies[random.below(5) as usize];
        let token = if random.below(2) == 0 {
            &*guest.token
        } else {
            "x"
        };
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
             cookie: parlour={token}\r\norigin: http://evil.example\r\nconnection: close\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes();
        if random.below(4) > 0 {
            mutate(&mut request, random);
        }
        let mut stream = TcpStream::connect(address).await.unwrap();
        pending.spawn(async move {
            stream.write_all(&request).await.ok();
            stream.shutdown().await.ok();
            let answer = read_to_end(&mut stream).await.unwrap();
            let answer = String::from_utf8_lossy(&answer).into_owned();
            assert!(!answer.starts_with("HTTP/1.1 5"), "{answer}");
        });
        while pending.len() > 50 {
            pending.join_next().await.unwrap().unwrap();
        }
    }
    while let Some(ended) = pending.join_next().await {
        ended.unwrap();
    }
}

/// The answer to one message of somebody who has joined nothing.
async fn answer_to(socket: &mut Socket, text: impl Into<String>) -> ServerMessage {
    socket.send_text(text.into()).await.unwrap();
    let not_hi = |message| match message {
        ServerMessage::Hi { .. } => None,
        message => Some(message),
    };
    socket.expect(not_hi).await.unwrap()
}

#[track_caller]
fn is_no(answer: &ServerMessage, why: Refusal) {
    let ServerMessage::No(refused) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(refused.why, why, "{answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_messages_are_refused_one_by_one() {
    let server = server().await;
    let table = Table::new(&server, json!({ "game": "takeover" })).await;
    let before = table.info().await;
    let (_, guest) = server.api.new_guest().await.unwrap();
    let mut socket = Socket::connect(&server.socket, Some(&guest.token))
        .await
        .unwrap();
    let g = &table.g;
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let moves = vec!["a1"; 1_000];
    let broken = [
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        deep(100),
        deep(2_000),
        format!(r#"{{"t":"join","g":{}}}"#, deep(1_900)),
        r#"{"t":"join"}"#.to_owned(),
        r#"{"t":"fly","g":"x","id":1}"#.to_owned(),
        r#"{"t":"ping","n":-1}"#.to_owned(),
        r#"{"t":"ping","n":1e400}"#.to_owned(),
        r#"{"t":"ping","n":18446744073709551616}"#.to_owned(),
        r#"{"t":"join","g":"\ud800"}"#.to_owned(),
        format!(r#"{{"t":"turn","g":"{g}","id":9007199254740992,"at":0,"m":["c4"]}}"#),
        format!(r#"{{"t":"turn","g":"{g}","id":1,"at":0,"m":[]}}"#),
        json!({ "t": "turn", "g": g, "id": 1, "at": 0, "m": moves }).to_string(),
        format!(r#"{{"t":"do","g":"{g}","id":1,"what":"say","phrase":12}}"#),
        format!(r#"{{"t":"do","g":"{g}","id":1,"what":"accept"}}"#),
        format!(r#"{{"t":"do","g":"{g}","id":1,"what":"win"}}"#),
    ];
    for text in broken {
        is_no(&answer_to(&mut socket, &*text).await, Refusal::Broken);
    }
    let unknown = [
        json!({ "t": "join", "g": "x".repeat(3_000) }),
        json!({ "t": "join", "g": "" }),
        json!({ "t": "join", "g": "../../etc/passwd\u{0}" }),
        json!({ "t": "join", "g": "' OR 1=1 --" }),
        json!({ "t": "seek", "id": 1, "pools": ["chess/3+2"] }),
        json!({ "t": "seek", "id": 1, "pools": ["takeover/3+2/x"] }),
    ];
    for message in unknown {
        is_no(
            &answer_to(&mut socket, message.to_string()).await,
            Refusal::Unknown,
        );
    }
    // Forged seats.
    let last = protocol::LARGEST_ID - 1;
    let forged = [
        ClientMessage::Turn(turn(g, last, 0, &["c4".to_owned()])),
        ClientMessage::Do(action(g, 1, ActionName::Resign)),
        ClientMessage::Do(action(g, 2, ActionName::Abort)),
        ClientMessage::Do(action(g, 3, ActionName::Claim)),
    ];
    for message in forged {
        is_no(
            &answer_to(&mut socket, message.to_json()).await,
            Refusal::NotYourSeat,
        );
    }
    // The socket still works, and nothing has happened.
    let pong = answer_to(&mut socket, r#"{"t":"ping","n":7,"extra":[1]}"#).await;
    assert!(matches!(pong, ServerMessage::Pong { n: 7, .. }));
    let after = table.info().await;
    assert_eq!((before.version, before.fen), (after.version, after.fen));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_messages_are_refused_or_end_the_socket() {
    let mut scene = Scene::new().await;
    let server = &scene.server;
    let mut socket = Socket::connect(&server.socket, None).await.unwrap();
    let long = format!(r#"{{"t":"ping","n":1,"x":"{}"}}"#, "x".repeat(4_096));
    is_no(&answer_to(&mut socket, long).await, Refusal::Broken);
    let pong = answer_to(&mut socket, r#"{"t":"ping","n":7}"#).await;
    assert!(matches!(pong, ServerMessage::Pong { n: 7, .. }));

    let ends = |frames: Vec<Frame>| {
        let address = server.address.clone();
        async move {
            let mut stream = websocket(&address, None).await;
            for frame in frames {
                stream.write_all(&frame.to_bytes()).await.ok();
            }
            read_to_end(&mut stream).await
        }
    };
    let part = |is_final, opcode| Frame {
        is_final,
        opcode,
        payload: vec![b'x'; 9_000],
        announced: None,
    };
    let announced = |n| Frame {
        announced: Some(n),
        ..Frame::text("x")
    };
    let attacks = [
        vec![Frame::text("x".repeat(20_000))],
        vec![part(false, 1), part(true, 0)],
        vec![part(false, 1), part(false, 0), part(false, 0)],
        vec![announced(64 << 20)],
        vec![announced(u64::MAX)],
        // Not UTF-8, a reserved opcode, a fragment of nothing.
        vec![Frame::text([0xff, 0xfe, 0xc0])],
        vec![part(true, 3)],
        vec![part(true, 0)],
    ];
    for (i, attack) in attacks.into_iter().enumerate() {
        let heard = ends(attack).await.unwrap();
        let heard = String::from_utf8_lossy(&heard);
        assert!(
            heard.contains(r#"{"t":"no","why":"broken""#),
            "attack {i}: {heard:?}"
        );
    }
    scene.check().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_requests_are_refused() {
    let server = server().await;
    let (api, _) = server.api.new_guest().await.unwrap();
    let many = format!("{{\"game\":{}}}", "[".repeat(10_000));
    let long = "x".repeat(20_000);
    let cases = [
        ("POST", "/api/challenges", "{\"game\":\"chess\"}", 400),
        ("POST", "/api/challenges", "{\"game\":[]}", 400),
        ("POST", "/api/challenges", "[1]", 400),
        ("POST", "/api/challenges", &many, 400),
        ("POST", "/api/challenges", &long, 413),
        (
            "POST",
            "/api/challenges",
            "{\"game\":\"takeover\",\"clock\":{\"base_ms\":18446744073709551615,\"inc_ms\":18446744073709551615}}",
            400,
        ),
        (
            "POST",
            "/api/challenges",
            "{\"game\":\"takeover\",\"clock\":{\"days\":4294967295}}",
            400,
        ),
        (
            "POST",
            "/api/challenges",
            "{\"game\":\"takeover\",\"options\":{\"board\":\"1e9\"}}",
            400,
        ),
        (
            "POST",
            "/api/challenges",
            "{\"game\":\"simply-go\",\"options\":{\"mode\":\"moves:99999999999\"}}",
            400,
        ),
        ("GET", "/api/matches/%2e%2e", "", 404),
        ("GET", "/api/matches/..", "", 404),
        ("GET", "/api/matches/../me", "", 404),
        ("GET", "/api/players/%00%ff", "", 404),
        ("GET", "/api/players/..%2f..%2fetc", "", 404),
        ("GET", "/api//me", "", 404),
        ("GET", "/api/", "", 404),
        ("TRACE", "/api/me", "", 405),
        ("OPTIONS", "/api/me", "", 405),
        ("PUT", "/api/guests", "{}", 405),
        ("GET", "/ws", "", 400),
        ("GET", "/../../etc/passwd", "", 404),
    ];
    for (method, path, body, status) in cases {
        let answer = api.send(method, path, "", body).await.unwrap();
        let found = answer.status;
        assert!(
            found == status || status != 400 && (400..500).contains(&found),
            "{method} {path} {}: {found} {}",
            body.get(..80).unwrap_or(body),
            answer.body
        );
        if path.starts_with("/api/") || path == "/ws" {
            let error: protocol::ErrorBody = serde_json::from_str(&answer.body).unwrap();
            assert!(
                !error.error.is_empty() && !error.message.is_empty(),
                "{path}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_is_over_has_no_sockets() {
    let server = server().await;
    let mut table = Table::new(
        &server,
        json!({ "game": "takeover", "options": { "board": "7" } }),
    )
    .await;
    let (thief, session) = server.api.new_guest().await.unwrap();
    let connect = || Socket::connect(&server.socket, Some(&session.token));
    let mut open = connect().await.unwrap();
    assert_eq!(
        thief.post("/api/logout", &json!({})).await.unwrap().status,
        200
    );
    // It is closed, and the token is of no use any more.
    while open.next().await.is_ok() {}
    assert!(connect().await.is_err());
    assert_eq!(thief.get("/api/me").await.unwrap().status, 401);

    // A player who is deleted during a match can't go on, and whoever is left sees it.
    let gone = Api::new(&server.address).with_token(&table.tokens[0]);
    assert_eq!(
        gone.send("DELETE", "/api/me", "", "").await.unwrap().status,
        200
    );
    while table.sockets[0].next().await.is_ok() {}
    let deleted = |message| match message {
        ServerMessage::State(state) => Some(state.seats.first.player),
        _ => None,
    };
    let shown = table.sockets[1].expect(deleted).await.unwrap();
    assert!(shown.deleted && shown.name == "deleted player", "{shown:?}");
    // They still hear of the match.
    let resigned = table.act(Seat::Second, ActionName::Resign, None).await;
    assert!(resigned.is_ok(), "{resigned:?}");
    assert_eq!(table.info().await.status, MatchStatus::Over);
}

/// A seek that began on one socket ends with the player's last socket.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_paired_with_somebody_who_has_left() {
    let server = server().await;
    let seek = ClientMessage::Seek {
        id: 1,
        pools: vec!["takeover/3+2".to_owned()],
    };
    let ok = |message| matches!(message, ServerMessage::Ok { id: 1, .. }).then_some(());
    let (_, session) = server.api.new_guest().await.unwrap();
    let connect = || Socket::connect(&server.socket, Some(&session.token));
    let (mut one, two) = (connect().await.unwrap(), connect().await.unwrap());
    one.send(&seek).await.unwrap();
    one.expect(ok).await.unwrap();
    one.close().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    two.close().await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (_, session) = server.api.new_guest().await.unwrap();
    let mut other = Socket::connect(&server.socket, Some(&session.token))
        .await
        .unwrap();
    other.send(&seek).await.unwrap();
    other.expect(ok).await.unwrap();
    let paired = async {
        let paired = |message| matches!(message, ServerMessage::Paired { .. }).then_some(());
        other.expect(paired).await
    };
    assert!(timeout(Duration::from_secs(3), paired).await.is_err());
}

/// A socket that does not read gets one state instead of what it missed, and no gap.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_reads_late_sees_no_gap() {
    let server = server().await;
    let terms = json!({ "game": "simply-go", "options": { "size": "9" } });
    let mut table = Table::new(&server, terms).await;
    table.play(12).await;
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    let join = ClientMessage::Join {
        g: table.g.clone(),
        v: None,
    };
    for _ in 0..95 {
        watcher.send(&join).await.unwrap();
    }
    table.play(12).await;
    let version = table.info().await.version;
    let mut known = 0;
    while known < version {
        let seen = |message| match message {
            ServerMessage::State(state) => Some((state.v, true)),
            ServerMessage::Ev { v, .. } => Some((v, false)),
            _ => None,
        };
        let (v, is_state) = watcher.expect(seen).await.unwrap();
        assert!(
            is_state && v >= known || v == known + 1,
            "{v} after {known}"
        );
        known = v;
    }
}

/// A socket that accepts no data for ten seconds is closed. Time is simulated, and the data is
/// buffered in a pipe of this process, since systems buffer megabytes.
#[tokio::test(start_paused = true)]
async fn a_socket_that_never_reads_is_closed() {
    let config = server::Config {
        url: "http://127.0.0.1:1".parse().unwrap(),
        proxies: Vec::new(),
        files: &[],
    };
    let hub = server::Hub::new(
        config,
        Arc::new(MemoryStore::new()),
        Arc::new(server::NoBus),
    );
    let app = TowerToHyperService::new(hub.await.unwrap().app());
    let (mut client, served) = tokio::io::duplex(4_096);
    let connection = http1::Builder::new().serve_connection(TokioIo::new(served), app);
    tokio::spawn(connection.with_upgrades());
    raw::shake_hands(&mut client, "127.0.0.1:1", None).await;
    let mut n_seconds = 0;
    let ping = Frame::text(r#"{"t":"ping","n":1}"#).to_bytes();
    loop {
        let writing = timeout(Duration::from_secs(1), client.write_all(&ping)).await;
        match writing {
            Ok(Ok(())) => {}
            Ok(Err(_)) => break,
            Err(_) => n_seconds += 1,
        }
        assert!(n_seconds < 20, "it is still open");
    }
    assert!(n_seconds >= 8, "it was closed after {n_seconds} s");
}

/// Sockets that send half a head, half a body or nothing are closed, and nobody else is held up
/// by them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_that_stall_are_closed() {
    let mut scene = Scene::new().await;
    let address = scene.server.address.clone();
    let n_silent = if is_full_size() { 1_000 } else { 300 };
    let mut stalling = tokio::task::JoinSet::new();
    let beginnings = [
        "",
        "GET /api/me HTTP/1.1\r\nhost:",
        "POST /api/guests HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10\r\n\r\n{",
    ];
    for i in 0..n_silent {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let beginning = beginnings[i % 3];
        stalling.spawn(async move {
            stream.write_all(beginning.as_bytes()).await.ok();
            assert!(read_to_end(&mut stream).await.is_ok(), "{beginning:?}");
        });
    }
    // Some send nothing, but stay connected.
    let mut quiet = Vec::new();
    for _ in 0..n_silent / 3 {
        quiet.push(websocket(&address, None).await);
    }
    while let Some(ended) = stalling.join_next().await {
        ended.unwrap();
    }
    let mut watcher = Socket::connect(&scene.server.socket, None).await.unwrap();
    assert!(state(&mut watcher, &scene.honest.g).await.is_some());
    scene.check().await;
}

/// The number of sockets of an address is limited.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_has_so_many_sockets() {
    let listening = server::listen(([127, 0, 0, 1], 0).into()).unwrap();
    let address = listening.address;
    let config = server::Config {
        url: address.into(),
        proxies: vec![address.ip()],
        files: &[],
    };
    let store = Arc::new(MemoryStore::new());
    let hub = server::Hub::new(config, store, Arc::new(server::NoBus));
    let hub = hub.await.unwrap();
    tokio::spawn(server::serve(hub, listening, None, std::future::pending()));
    let url = format!("ws://{address}/ws");
    let connect = |from: &str| {
        let forwarded = ("x-forwarded-for", format!("10.0.0.1, {from}"));
        Socket::connect_with(&url, [forwarded])
    };
    let mut sockets = Vec::new();
    for i in 0..200 {
        // One network is one address.
        let socket = connect(&format!("2001:db8::{i:x}")).await;
        sockets.push(socket.unwrap());
    }
    assert!(connect("2001:db8::ffff").await.is_err());
    assert!(connect("2001:db8:1::1").await.is_ok());
    sockets.pop().unwrap().close().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(connect("2001:db8::ffff").await.is_ok());
}
