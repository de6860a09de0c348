//! A server that is killed at any moment loses nothing that it acknowledged, does nothing twice,
//! and costs no player any time.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../server/tests/law/mod.rs"]
mod law;
mod serving;
#[path = "../../server/tests/table/mod.rs"]
mod table;

use std::{sync::Arc, time::Duration};

use client::Socket;
use law::{Gap, Match, answer, check_clocks, is_full_size, note, state};
use protocol::{ClientMessage, MatchStatus, Seat, ServerMessage};
use rules::Random;
use serde_json::json;
use serving::{Node, wall_clock};
use store::{SqliteStore, Store};
use table::{legal_turn, turn};

const BASE: u64 = 600_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_nothing_on_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("online.db");
    let matches = play_and_kill(&format!("sqlite:{}", path.display())).await;
    let store = SqliteStore::open(&path).unwrap();
    check(&store, matches).await;
}

#[cfg(feature = "services")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_nothing_on_postgres() {
    let postgres = testservers::Postgres::start().unwrap();
    let matches = play_and_kill(&postgres.url()).await;
    let store = store::PostgresStore::connect(&postgres.url())
        .await
        .unwrap();
    check(&store, matches).await;
}

/// A machine that stands still costs nobody a match.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stood_still_gives_the_time_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("online.db");
    let node = Node::start(&format!("sqlite:{}", path.display()), None);
    let clock = json!({ "base_ms": 3_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let begun = Match::new(&node.api(), terms).await;
    let mut sockets = Vec::new();
    for token in &begun.tokens {
        sockets.push(Socket::connect(&node.socket(), Some(token)).await.unwrap());
    }
    for (id, i) in [(1, 0), (2, 1), (3, 0)] {
        let socket = &mut sockets[i];
        let known = state(socket, &begun.g).await.unwrap();
        let game = catalog::find(&known.game).unwrap();
        let mut record = game.read_file(&known.record).unwrap();
        while record.redo().is_some() {}
        let message = ClientMessage::Turn(turn(&begun.g, id, known.at, &legal_turn(&*record)));
        if id == 3 {
            // Longer than the player has left.
            node.pause(true);
            tokio::time::sleep(Duration::from_millis(4_500)).await;
        }
        socket.send(&message).await.unwrap();
        node.pause(false);
        assert!(answer(socket, id).await.unwrap().is_ok());
    }
    let known = state(&mut sockets[0], &begun.g).await.unwrap();
    assert_eq!(known.status, MatchStatus::Playing);
}

/// Sockets that nobody closes do not keep a server from leaving. Then the file is free.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_leaves_within_twenty_seconds_with_sockets_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("online.db");
    let mut node = Node::start(&format!("sqlite:{}", path.display()), None);
    let begun = Match::new(&node.api(), json!({ "game": "takeover" })).await;
    let mut sockets = Vec::new();
    for token in [Some(&*begun.tokens[0]), Some(&*begun.tokens[1]), None] {
        let mut socket = Socket::connect(&node.socket(), token).await.unwrap();
        state(&mut socket, &begun.g).await.unwrap();
        sockets.push(socket);
    }
    // It is in the middle of a request, too.
    let mut stream = std::net::TcpStream::connect(&node.address).unwrap();
    std::io::Write::write_all(&mut stream, b"POST /api/guests HTTP/1.1\r\nhost:").unwrap();
    node.ask_to_leave();
    for socket in &mut sockets {
        let over = |message| matches!(message, ServerMessage::Over {}).then_some(());
        socket.expect(over).await.unwrap();
    }
    let left = async {
        while !node.has_left() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let left = tokio::time::timeout(Duration::from_secs(20), left).await;
    assert!(left.is_ok(), "it is still there");
    node.restart();
    assert_eq!(node.api().get("/readyz").await.unwrap().status, 200);
}

/// A second server on the same file would take the first for one that died.
#[test]
fn a_second_server_on_one_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("online.db").display());
    let mut first = Node::start(&store, None);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(["serve", "--listen", "127.0.0.1:0", "--store", &store])
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(output.stdout.is_empty(), "{output:?}");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(
        complaint.contains("another server uses this file"),
        "{complaint}"
    );
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    // `kill -9` leaves no lock behind.
    first.restart();
}

struct Played {
    matches: Vec<Match>,
    gaps: Vec<Gap>,
}

/// Plays matches of all games while the server is killed and started again.
async fn play_and_kill(store: &str) -> Played {
    let n_kills = if is_full_size() { 150 } else { 3 };
    let mut random = Random::new(9);
    let mut node = Node::start(store, None);
    let nodes = Arc::new(vec![node.socket()]);
    let mut played = Played {
        matches: Vec::new(),
        gaps: Vec::new(),
    };
    let mut round = 0;
    while played.gaps.len() < n_kills {
        round += 1;
        let mut tasks = Vec::new();
        for game in catalog::GAMES.iter().cycle().take(8) {
            let clock = json!({ "base_ms": BASE, "inc_ms": 0 });
            let terms = json!({ "game": game.name(), "clock": clock });
            let begun = Match::new(&node.api(), terms).await;
            for seat in Seat::BOTH {
                let mut player = begun.player(seat, &nodes, 100 * round + tasks.len() as u64);
                player.patience = Duration::from_secs(2);
                tasks.push(tokio::spawn(player.play(50)));
            }
            played.matches.push(begun);
        }
        let is_over = |tasks: &[tokio::task::JoinHandle<_>]| {
            let mut tasks = tasks.iter();
            tasks.all(tokio::task::JoinHandle::is_finished)
        };
        while !is_over(&tasks) {
            let wait = 200 + random.below(600);
            tokio::time::sleep(Duration::from_millis(wait.into())).await;
            let from = node.kill();
            let wait = random.below(500);
            tokio::time::sleep(Duration::from_millis(wait.into())).await;
            let until = wall_clock();
            node.restart();
            played.gaps.push(Gap { from, until });
        }
        for task in tasks {
            task.await.unwrap();
        }
    }
    played
}

async fn check(store: &dyn Store, Played { matches, gaps }: Played) {
    let mut n_turns = 0;
    let n_kills = gaps.len();
    for played in &matches {
        let stored = store.load_match(&played.g).await.unwrap().unwrap();
        n_turns += played.n_done();
        played.check(&stored);
        check_clocks(&stored, &gaps);
    }
    assert!(n_turns > 150, "only {n_turns} turns");
    note(&format!(
        "{n_kills} times kill -9 at a random moment of {} matches: {n_turns} turns acknowledged, each in \
         the log once, no clock short",
        matches.len()
    ));
}
