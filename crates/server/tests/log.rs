//! The law of the log: several nodes on one store, with a bus and a store that fail, players
//! who reconnect to any node, and requests sent twice.
//!
//! Each `ok` is in the log exactly once; an `ok` before another request began has the lower
//! version; replaying the log gives what every node shows.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod chaos;
mod table;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chaos::{ChaosBus, ChaosStore};
use client::Socket;
use protocol::{ClientMessage, Event, MatchStatus, Refusal, ServerMessage, StateMessage};
use rules::Random;
use serde_json::json;
use store::{MemoryStore, Store};
use table::{Server, node, random_turn, turn};

/// A request that was acknowledged.
struct Done {
    cause: String,
    version: u64,
    /// Two points on a time line that all players share.
    began: u64,
    ended: u64,
}

struct Player {
    nodes: Arc<Vec<Server>>,
    token: String,
    g: String,
    seat: protocol::Seat,
    random: Random,
    time: Arc<AtomicU64>,
    done: Arc<Mutex<Vec<Done>>>,
}

impl Player {
    async fn connect(&mut self) -> Option<(Socket, StateMessage)> {
        for _ in 0..200 {
            let node = self.random.below(u32::try_from(self.nodes.len()).unwrap());
            let node = &self.nodes[node as usize];
            let Ok(mut socket) = Socket::connect(&node.socket, Some(&self.token)).await else {
                continue;
            };
            if let Some(state) = state(&mut socket, &self.g).await {
                return Some((socket, state));
            }
        }
        None
    }

    /// Makes random turns until the match has this many moves or is over.
    async fn play(mut self, n_moves: usize) {
        let mut next_id = 0;
        let Some((mut socket, mut known)) = self.connect().await else {
            panic!("no node takes the player");
        };
        loop {
            let game = catalog::find(&known.game).unwrap();
            let mut record = game.read_file(&known.record).unwrap();
            while record.redo().is_some() {}
            if known.status != MatchStatus::Playing || record.moves().len() >= n_moves {
                return;
            }
            if known.turn == self.seat {
                next_id += 1;
                let m = random_turn(&mut *record, &mut self.random);
                let message = ClientMessage::Turn(turn(&self.g, next_id, known.at, &m));
                let began = self.time.fetch_add(1, Ordering::SeqCst);
                let is_cut = self.random.below(8) == 0;
                let is_doubled = self.random.below(4) == 0;
                socket.send(&message).await.ok();
                if is_doubled {
                    socket.send(&message).await.ok();
                }
                // Until it is acknowledged it is sent again, with the same number, anywhere.
                let mut is_connected = !is_cut;
                loop {
                    let answer = if is_connected {
                        answer(&mut socket, next_id).await
                    } else {
                        None
                    };
                    match answer {
                        Some(Ok(version)) => {
                            let ended = self.time.fetch_add(1, Ordering::SeqCst);
                            let cause = format!("{}:{next_id}", self.seat);
                            let done = Done {
                                cause,
                                version,
                                began,
                                ended,
                            };
                            self.done.lock().unwrap().push(done);
                            break;
                        }
                        // It was not stored, or not by this node's knowledge: look again.
                        Some(Err(Refusal::Stale | Refusal::NotYourTurn | Refusal::Over)) => break,
                        Some(Err(_)) => tokio::time::sleep(Duration::from_millis(5)).await,
                        None => {
                            let Some(again) = self.connect().await else {
                                panic!("no node takes the player");
                            };
                            socket = again.0;
                            is_connected = true;
                        }
                    }
                    socket.send(&message).await.ok();
                }
            }
            // What happened, from events or from the state.
            let wait = self.random.below(30);
            tokio::time::sleep(Duration::from_millis(u64::from(wait))).await;
            match state(&mut socket, &self.g).await {
                Some(state) => known = state,
                None => {
                    let again = self.connect().await;
                    (socket, known) = again.unwrap_or_else(|| panic!("no node takes the player"));
                }
            }
        }
    }
}

async fn state(socket: &mut Socket, g: &str) -> Option<StateMessage> {
    let join = ClientMessage::Join {
        g: g.to_owned(),
        v: None,
    };
    socket.send(&join).await.ok()?;
    let answer = |message| match message {
        ServerMessage::State(state) => Some(Some(*state)),
        ServerMessage::No(_) => Some(None),
        _ => None,
    };
    socket.expect(answer).await.ok()?
}

async fn answer(socket: &mut Socket, id: u64) -> Option<Result<u64, Refusal>> {
    let answer = |message| match message {
        ServerMessage::Ok { id: found, v, .. } if found == id => Some(Ok(v.unwrap())),
        ServerMessage::No(refused) if refused.id == Some(id) => Some(Err(refused.why)),
        _ => None,
    };
    socket.expect(answer).await.ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_ok_is_in_the_log_once() {
    for seed in 0..3 {
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
    let nodes = Arc::new(nodes);
    let (mut tasks, mut matches) = (Vec::new(), Vec::new());
    for game in catalog::GAMES {
        let (host, first) = nodes[0].api.new_guest().await.unwrap();
        let (friend, second) = nodes[1].api.new_guest().await.unwrap();
        let terms = json!({ "game": game.name(), "color": "first" });
        let challenge = host.challenge(&terms).await.unwrap();
        let g = friend.accept(&challenge.challenge).await.unwrap().id;
        let done = Arc::new(Mutex::new(Vec::new()));
        let time = Arc::new(AtomicU64::new(0));
        for (seat, session) in protocol::Seat::BOTH.into_iter().zip([first, second]) {
            let player = Player {
                nodes: nodes.clone(),
                token: session.token,
                g: g.clone(),
                seat,
                random: Random::new(100 * seed + seat as u64),
                time: time.clone(),
                done: done.clone(),
            };
            tasks.push(tokio::spawn(player.play(24)));
        }
        matches.push((g, done));
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
    for (g, done) in matches {
        let stored = memory.load_match(&g).await.unwrap().unwrap();
        let done = std::mem::take(&mut *done.lock().unwrap());
        assert!(
            done.len() >= 4,
            "{} turns of {}",
            done.len(),
            stored.head.game
        );
        for one in &done {
            let found: Vec<_> = stored
                .events
                .iter()
                .filter(|event| event.cause.as_deref() == Some(&one.cause))
                .map(|event| event.version)
                .collect();
            assert_eq!(found, [one.version], "{}", one.cause);
            for other in &done {
                assert!(one.ended >= other.began || one.version < other.version);
            }
        }
        let terms = referee::Terms::new(&stored.head.game, &[]);
        let options: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&stored.head.options).unwrap();
        let options = options
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
        let terms = referee::Terms {
            options: options.collect(),
            ..terms
        };
        let mut replayed = referee::State::new(terms, stored.head.created).unwrap();
        for event in &stored.events {
            replayed
                .apply(&Event::parse(&event.body).unwrap(), event.time)
                .unwrap();
        }
        for node in &*nodes {
            let mut socket = Socket::connect(&node.socket, None).await.unwrap();
            let shown = state(&mut socket, &g).await.unwrap();
            assert_eq!(
                (shown.v, shown.fen),
                (replayed.version(), replayed.position())
            );
        }
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
