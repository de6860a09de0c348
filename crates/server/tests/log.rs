//! The law of the log: several nodes on one store, with a bus and a store that fail, players
//! who reconnect to any node, and requests sent twice.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod chaos;
mod law;
mod table;

use std::{sync::Arc, time::Duration};

use chaos::{ChaosBus, ChaosStore};
use client::Socket;
use law::{Match, is_full_size, note, state};
use protocol::{ActionName, ClientMessage, MatchStatus, Seat, ServerMessage};
use rules::Random;
use serde_json::json;
use store::{MemoryStore, Store};
use table::{Table, node, random_turn, turn};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_ok_is_in_the_log_once() {
    let n_seeds = if is_full_size() { 100 } else { 3 };
    let mut n_done = 0;
    for seed in 0..n_seeds {
        n_done += check(seed).await;
    }
    note(&format!(
        "{n_seeds} times matches of all games on two to four nodes with a bus and a store that fail: \
         {n_done} requests acknowledged, each in the log once"
    ));
}

/// Returns the number of acknowledged requests.
async fn check(seed: u64) -> usize {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let bus = ChaosBus::new(seed);
    let (mut nodes, mut stores) = (Vec::new(), Vec::new());
    for n in 0..2 + seed % 3 {
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
    let mut n_all = 0;
    for played in matches {
        let stored = played.check_views(&*memory, &sockets).await;
        let n_done = played.n_done();
        assert!(n_done >= 4, "{n_done} turns of {}", stored.head.game);
        played.check(&stored);
        n_all += n_done;
    }
    n_all
}

/// A bus that loses everything.
struct DeadBus;

#[async_trait::async_trait]
impl server::Bus for DeadBus {
    async fn publish(&self, _notice: server::Notice) {}

    async fn subscribe(&self) -> tokio::sync::mpsc::Receiver<server::Notice> {
        tokio::sync::mpsc::channel(1).1
    }
}

/// A player who signs out on one node is signed out on the others, although the notice was lost.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_end_although_the_bus_loses_it() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(memory.clone(), Arc::new(DeadBus)).await;
    let two = node(memory, Arc::new(DeadBus)).await;
    let (leaver, leaver_session) = one.api.new_guest().await.unwrap();
    let (_, stayer_session) = one.api.new_guest().await.unwrap();
    let connect = |session: &protocol::SignedIn| {
        let (address, token) = (two.socket.clone(), session.token.clone());
        async move { Socket::connect(&address, Some(&token)).await.unwrap() }
    };
    let mut leaving = connect(&leaver_session).await;
    let mut staying = connect(&stayer_session).await;
    let left = leaver.post("/api/logout", &json!({})).await.unwrap();
    assert_eq!(left.status, 200);
    let closed = leaving.expect(|_| None::<()>).await.unwrap_err();
    assert!(!matches!(closed, client::SocketError::Silent), "{closed}");
    staying.send(&ClientMessage::Ping { n: 7 }).await.unwrap();
    let pong = |message| matches!(message, ServerMessage::Pong { n: 7, .. }).then_some(());
    staying.expect(pong).await.unwrap();
}

/// A player becomes an account, and then deletes it: a watcher on another node sees it.
#[tokio::test(flavor = "multi_thread")]
async fn names_change_although_the_bus_loses_it() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(memory.clone(), Arc::new(DeadBus)).await;
    let two = node(memory, Arc::new(DeadBus)).await;
    let begun = Match::new(&one.api, json!({ "game": "takeover" })).await;
    let mut watcher = Socket::connect(&two.socket, None).await.unwrap();
    let known = state(&mut watcher, &begun.g).await.unwrap();
    let guest = known.seats.first.player;
    assert!(guest.guest, "{guest:?}");
    let player = one.api.with_token(&begun.tokens[0]);
    let account = json!({ "name": "Mika", "password": "correct horse" });
    let made = player.post("/api/accounts", &account).await.unwrap();
    assert_eq!(made.status, 201, "{}", made.body);
    let made: protocol::SignedIn = made.parse().unwrap();
    assert_eq!(made.player.id, guest.id);
    let shown = |message| match message {
        ServerMessage::State(state) => Some(state.seats.first.player),
        _ => None,
    };
    let account = watcher.expect(shown).await.unwrap();
    assert_eq!((&*account.name, account.guest), ("Mika", false));
    let player = one.api.with_token(&made.token);
    let deleted = player.send("DELETE", "/api/me", "", "").await.unwrap();
    assert_eq!(deleted.status, 200);
    let gone = watcher.expect(shown).await.unwrap();
    assert!(gone.deleted && gone.id == guest.id, "{gone:?}");
}

/// A turn made on one node reaches a player of another, although the notice was lost.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_bus_loses_is_found() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(memory.clone(), Arc::new(DeadBus)).await;
    let store = Arc::new(ChaosStore::new(memory, 1));
    let two = node(store.clone(), Arc::new(DeadBus)).await;
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
    let n_before = store.n_calls("versions");
    mover
        .send(&ClientMessage::Turn(turn(&g, 1, 0, &m)))
        .await
        .unwrap();
    let event = |message| match message {
        ServerMessage::Ev { v, fen, .. } => Some((v, fen)),
        _ => None,
    };
    assert_eq!(other.expect(event).await.unwrap(), (1, record.position()));
    // Sweeps, which are two seconds apart, are counted, since a busy machine may be slower. One may
    // have begun before the turn, and one after the event.
    let n_sweeps = store.n_calls("versions") - n_before;
    assert!((1..=3).contains(&n_sweeps), "{n_sweeps}");
}

/// A challenge is taken on another node, and a rematch is agreed there: the other player hears of
/// it in the next sweep, once. Who took the challenge knows.
#[tokio::test(flavor = "multi_thread")]
async fn matches_begin_although_the_bus_loses_it() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(memory.clone(), Arc::new(DeadBus)).await;
    let store = Arc::new(ChaosStore::new(memory, 1));
    let two = node(store.clone(), Arc::new(DeadBus)).await;
    let (host, first) = one.api.new_guest().await.unwrap();
    let (friend, second) = one.api.new_guest().await.unwrap();
    let connect = async |url: &str, token: &str| Socket::connect(url, Some(token)).await.unwrap();
    let mut waiting = connect(&two.socket, &first.token).await;
    let mut watching = connect(&two.socket, &second.token).await;
    let mut friends = connect(&one.socket, &second.token).await;
    let challenge = host
        .challenge(&json!({ "game": "takeover", "color": "first" }))
        .await
        .unwrap();
    let n_before = store.n_calls("begun_after");
    let g = friend.accept(&challenge.challenge).await.unwrap().id;
    let paired = |message| match message {
        ServerMessage::Paired { g, seat } => Some((g, seat)),
        _ => None,
    };
    let heard = waiting.expect(paired).await.unwrap();
    assert_eq!(heard, (g.clone(), Seat::First));
    let n_sweeps = store.n_calls("begun_after") - n_before;
    assert!((1..=3).contains(&n_sweeps), "{n_sweeps}");

    for (id, what) in [(1, ActionName::Resign), (2, ActionName::Rematch)] {
        let message = ClientMessage::Do(table::action(&g, id, what));
        waiting.send(&message).await.unwrap();
        law::answer(&mut waiting, id).await.unwrap().unwrap();
    }
    let message = ClientMessage::Do(table::action(&g, 1, ActionName::Rematch));
    let n_before = store.n_calls("begun_after");
    friends.send(&message).await.unwrap();
    let (next, seat) = friends.expect(paired).await.unwrap();
    assert_eq!(seat, Seat::First);
    let heard = waiting.expect(paired).await.unwrap();
    assert_eq!(heard, (next.clone(), Seat::Second));
    let n_sweeps = store.n_calls("begun_after") - n_before;
    assert!((1..=3).contains(&n_sweeps), "{n_sweeps}");
    // Of the challenge they know, and of the rematch they hear.
    assert_eq!(watching.expect(paired).await.unwrap(), (next, Seat::First));

    // Two sweeps later.
    let n_before = store.n_calls("begun_after");
    while store.n_calls("begun_after") < n_before + 3 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    waiting.send(&ClientMessage::Ping { n: 7 }).await.unwrap();
    let next = |message| match message {
        ServerMessage::Paired { .. } => Some(false),
        ServerMessage::Pong { n: 7, .. } => Some(true),
        _ => None,
    };
    assert!(waiting.expect(next).await.unwrap(), "heard twice");
}

/// A challenge is taken while the challenger connects: they hear `hi` first, and then of it.
#[tokio::test(flavor = "multi_thread")]
async fn hi_is_the_first_message() {
    let store = Arc::new(ChaosStore::new(Arc::new(MemoryStore::new()), 1));
    let server = node(store.clone(), Arc::new(server::NoBus)).await;
    let (host, session) = server.api.new_guest().await.unwrap();
    let (friend, _) = server.api.new_guest().await.unwrap();
    let challenge = host
        .challenge(&json!({ "game": "takeover", "color": "first" }))
        .await
        .unwrap();
    // `hi` waits for this operation.
    store.set_stall(Some("matches_of"));
    let mut socket = Socket::connect(&server.socket, Some(&session.token))
        .await
        .unwrap();
    let accepted = friend.accept(&challenge.challenge).await.unwrap();
    store.set_stall(None);
    let first = socket.expect(Some).await.unwrap();
    assert!(matches!(first, ServerMessage::Hi { .. }), "{first:?}");
    let second = socket.expect(Some).await.unwrap();
    let (g, seat) = (accepted.id, Seat::First);
    assert_eq!(second, ServerMessage::Paired { g, seat });
}

/// While the store is slow nothing new begins, and running matches go on.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_store_is_spared_all_but_turns() {
    let store = Arc::new(ChaosStore::new(Arc::new(MemoryStore::new()), 1));
    let server = node(store.clone(), Arc::new(server::NoBus)).await;
    let mut table = Table::new(&server, json!({ "game": "takeover" })).await;
    table.play(1).await;
    let (_, session) = server.api.new_guest().await.unwrap();
    let connect = Socket::connect(&server.socket, Some(&session.token));
    let mut watcher = connect.await.unwrap();
    let pools = vec!["takeover/3+2".to_owned()];
    let seek = ClientMessage::Seek { id: 1, pools };
    let answer = |message| match message {
        ServerMessage::Ok { .. } => Some(true),
        ServerMessage::No(refused) => {
            assert_eq!(refused.why, protocol::Refusal::Unavailable);
            Some(false)
        }
        _ => None,
    };
    store.set_stall(Some("beat"));
    loop {
        watcher.send(&seek).await.unwrap();
        if !watcher.expect(answer).await.unwrap() {
            break;
        }
        watcher.send(&ClientMessage::Unseek {}).await.unwrap();
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    table.play(2).await;
    let g = table.g.clone();
    let join = ClientMessage::Join { g, v: None };
    watcher.send(&join).await.unwrap();
    assert!(!watcher.expect(answer).await.unwrap(), "nobody new watches");
    let created = server.api.post("/api/guests", &json!({})).await.unwrap();
    assert_eq!(created.status, 503);
    store.set_stall(None);
    while server.api.new_guest().await.is_err() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    watcher.send(&seek).await.unwrap();
    assert!(watcher.expect(answer).await.unwrap());
    table.play(2).await;
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

/// Both players do anything at any time, on any node: offers meet turns, take-backs, resignations
/// and each other. Every node shows what the log says, and a rematch is one match.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_at_the_same_time_is_one_log() {
    let n_seeds = if is_full_size() { 200 } else { 6 };
    for seed in 0..n_seeds {
        check_race(seed).await;
    }
}

async fn check_race(seed: u64) {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let bus = ChaosBus::new(seed);
    let mut nodes = Vec::new();
    for _ in 0..2 {
        nodes.push(node(memory.clone(), bus.clone()).await);
    }
    let sockets: Vec<_> = nodes.iter().map(|node| node.socket.clone()).collect();
    let terms = json!({ "game": "takeover", "options": { "board": "7" } });
    let begun = Match::new(&nodes[0].api, terms).await;
    let mut tasks = Vec::new();
    for seat in Seat::BOTH {
        for (i, url) in sockets.clone().into_iter().enumerate() {
            let (g, token) = (begun.g.clone(), begun.tokens[seat as usize].clone());
            let random = Random::new(10 * seed + 2 * i as u64 + seat as u64);
            tasks.push(tokio::spawn(do_anything(url, token, g, seat, random)));
        }
    }
    let mut next = Vec::new();
    for task in tasks {
        next.extend(task.await.unwrap());
    }
    // However often and wherever it was asked for, there is one next match.
    assert!(!next.is_empty());
    assert!(next.iter().all(|g| *g == next[0]), "{next:?}");
    let stored = begun.check_views(&*memory, &sockets).await;
    let mut causes: Vec<_> = stored.events.iter().map(|event| &event.cause).collect();
    let n_events = causes.len();
    causes.sort();
    causes.dedup();
    assert_eq!(causes.len(), n_events);
}

/// Sends requests without waiting for answers, ends the match, and wants a rematch. Returns the
/// matches that the player is told of.
async fn do_anything(
    url: String,
    token: String,
    g: String,
    seat: Seat,
    mut random: Random,
) -> Vec<String> {
    let mut socket = Socket::connect(&url, Some(&token)).await.unwrap();
    let mut known = state(&mut socket, &g).await.unwrap();
    for id in 0..30 {
        // Numbers of the two sockets of a player do not meet.
        let id = 1_000 * (random.any() % (1 << 40)) + id;
        let of = known.offers.first().map(|offer| offer.of);
        let what = [
            ActionName::Draw,
            ActionName::Takeback,
            ActionName::Accept,
            ActionName::Decline,
            ActionName::Takeback,
            ActionName::Accept,
        ];
        let what = what[random.below(6) as usize];
        let message = if random.below(2) == 0 {
            let game = catalog::find(&known.game).unwrap();
            let mut record = game.read_file(&known.record).unwrap();
            while record.redo().is_some() {}
            let m = random_turn(&mut *record, &mut random);
            ClientMessage::Turn(turn(&g, id, known.at, &m))
        } else {
            let action = table::action(&g, id, what);
            ClientMessage::Do(protocol::Action {
                of: of.or(Some(known.v)),
                ..action
            })
        };
        socket.send(&message).await.unwrap();
        if random.below(3) == 0 {
            match state(&mut socket, &g).await {
                Some(state) => known = state,
                // A refusal came first.
                None => tokio::time::sleep(std::time::Duration::from_millis(2)).await,
            }
        }
        if known.status != MatchStatus::Playing {
            break;
        }
    }
    let mut socket = Socket::connect(&url, Some(&token)).await.unwrap();
    for (id, what) in [(1, ActionName::Resign), (2, ActionName::Rematch)] {
        let id = id + 10 * (random.any() % (1 << 40));
        let action = ClientMessage::Do(table::action(&g, id, what));
        socket.send(&action).await.unwrap();
        law::answer(&mut socket, id).await.unwrap().ok();
    }
    // It is in the state, or will be when the other player wants it too.
    for _ in 0..200 {
        if let Some(next) = state(&mut socket, &g).await.and_then(|state| state.rematch) {
            return vec![next];
        }
        tokio::time::sleep(std::time::Duration::from_millis(250)).await;
    }
    panic!("{seat} waits for the rematch");
}
