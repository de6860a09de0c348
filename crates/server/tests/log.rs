//! The law of the log: several nodes on one store, with a bus and a store that fail, players
//! who reconnect to any node, and requests sent twice.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod chaos;
mod law;
mod table;

use std::sync::Arc;

use chaos::{ChaosBus, ChaosStore};
use client::Socket;
use law::{Match, is_full_size, state};
use protocol::{ClientMessage, Seat, ServerMessage};
use rules::Random;
use serde_json::json;
use store::{MemoryStore, Store};
use table::{Table, node, random_turn, turn};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_ok_is_in_the_log_once() {
    let n_seeds = if is_full_size() { 100 } else { 3 };
    for seed in 0..n_seeds {
        check(seed).await;
    }
}

async fn check(seed: u64) {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let bus = ChaosBus::new(seed);
    let (mut nodes, mut stores) = (Vec::new(), Vec::new());
    for n in 0..3 {
        let store = Arc::new(ChaosStore::new(memory.clone(), 10 * seed + n));
        nodes.push(node(store.clone(), bus.clone()).await);
        stores.push(store);
    }
    let sockets = Arc::new(nodes.iter().map(|node| node.socket.clone()).collect());
    let (mut tasks, mut matches) = (Vec::new(), Vec::new());
    for game in catalog::GAMES {
        let begun = Match::new(&nodes[0].api, json!({ "game": game.name() })).await;
        for seat in Seat::BOTH {
            let player = begun.player(seat, &sockets, 50 * seed);
            tasks.push(tokio::spawn(player.play(24)));
        }
        matches.push(begun);
    }
    for store in &stores {
        store.set_chaos(12);
    }
    for task in tasks {
        task.await.unwrap();
    }
    for store in &stores {
        store.set_chaos(0);
    }
    for played in matches {
        let stored = played.check_views(&*memory, &sockets).await;
        let n_done = played.n_done();
        assert!(n_done >= 4, "{n_done} turns of {}", stored.head.game);
        played.check(&stored);
    }
}

/// A turn made on one node reaches a player of another although the bus lost the hint.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_bus_loses_is_found() {
    struct DeadBus;

    #[async_trait::async_trait]
    impl server::Bus for DeadBus {
        async fn publish(&self, _hint: server::Hint) {}

        async fn subscribe(&self) -> tokio::sync::mpsc::Receiver<server::Hint> {
            tokio::sync::mpsc::channel(1).1
        }

        fn is_shared(&self) -> bool {
            true
        }
    }

    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let one = node(memory.clone(), Arc::new(DeadBus)).await;
    let two = node(memory, Arc::new(DeadBus)).await;
    let (host, first) = one.api.new_guest().await.unwrap();
    let (friend, second) = two.api.new_guest().await.unwrap();
    let challenge = host
        .challenge(&json!({ "game": "takeover", "color": "first" }))
        .await
        .unwrap();
    let g = friend.accept(&challenge.challenge).await.unwrap().id;
    let mut mover = Socket::connect(&one.socket, Some(&first.token))
        .await
        .unwrap();
    let known = state(&mut mover, &g).await.unwrap();
    let mut other = Socket::connect(&two.socket, Some(&second.token))
        .await
        .unwrap();
    state(&mut other, &g).await.unwrap();
    let mut record = catalog::find("takeover")
        .unwrap()
        .read_file(&known.record)
        .unwrap();
    let m = random_turn(&mut *record, &mut Random::new(1));
    mover
        .send(&ClientMessage::Turn(turn(&g, 1, 0, &m)))
        .await
        .unwrap();
    let event = |message| match message {
        ServerMessage::Ev { v, fen, .. } => Some((v, fen)),
        _ => None,
    };
    assert_eq!(other.expect(event).await.unwrap(), (1, record.position()));
}

/// A panic ends one request, or one sweep, and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_not_the_end() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let server = node(store.clone(), Arc::new(server::NoBus)).await;
    let clock = json!({ "base_ms": 1_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let mut table = Table::new(&server, terms).await;
    table.play(1).await;
    // In each sweep.
    for name in ["beat", "versions", "due"] {
        store.set_panic(Some(name));
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    }
    // In a request: the socket closes, and the turn can be sent again.
    store.set_panic(Some("append"));
    let message = ClientMessage::Do(table::action(&table.g, 7, protocol::ActionName::Resign));
    table.sockets[1].send(&message).await.unwrap();
    while table.sockets[1].next().await.is_ok() {}
    store.set_panic(None);
    table.sockets[1] = Socket::connect(&server.socket, Some(&table.tokens[1]))
        .await
        .unwrap();
    state(&mut table.sockets[1], &table.g).await.unwrap();
    table.play(3).await;
    // The time runs out, which a sweep notices.
    let timeout = |message| match message {
        ServerMessage::Ev {
            e: protocol::Event::Timeout { .. },
            ..
        } => Some(()),
        _ => None,
    };
    table.sockets[0].expect(timeout).await.unwrap();
}
