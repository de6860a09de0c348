//! Several nodes on one store: nobody loses by a node that died, or by notices that were lost.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod chaos;
mod law;
mod table;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chaos::ChaosStore;
use client::{Api, Socket};
use law::{Match, answer, state, time_left};
use protocol::{
    Action, ActionName, ClientMessage, Event, MatchResult, MatchStatus, Refusal, Seat,
    ServerMessage,
};
use rules::Random;
use serde_json::json;
use server::{Config, Hub, NoBus};
use store::{
    Append, Appended, Head, MatchFilter, MatchHead, MemoryStore, NewMatch, Presence, Store,
    StoredMatch,
};
use table::{Server, action, node, random_turn, turn};
use tokio::{runtime::Runtime, sync::oneshot, task::JoinHandle};

/// Begins a match with a clock, in which both made their first turn `ago` milliseconds ago, and the
/// first player has `left` milliseconds left.
async fn begin(server: &Server, store: &dyn Store, ago: u64, left: u64) -> Match {
    begin_with(server, store, (ago, left), None).await
}

/// As [`begin`], with the deadline that sweeps find the match by.
async fn begin_with(
    server: &Server,
    store: &dyn Store,
    (ago, left): (u64, u64),
    deadline: Option<u64>,
) -> Match {
    let clock = json!({ "base_ms": 60_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let begun = Match::new(&server.api, terms).await;
    let path = format!("/api/matches/{}/record", begun.g);
    let record = server.api.get(&path).await.unwrap().body;
    let mut record = catalog::find("takeover")
        .unwrap()
        .read_file(&record)
        .unwrap();
    let time = store.now().await.unwrap() - ago;
    for (by, version) in Seat::BOTH.into_iter().zip(1..) {
        let event = Event::Turn {
            by,
            m: random_turn(&mut *record, &mut Random::new(5)),
            left: Some(left),
            lag: 0,
        };
        let mut append = append(&begun.g, version, time, &event);
        append.head.deadline = deadline.filter(|_| by == Seat::Second);
        let appended = store.append(append).await.unwrap();
        assert!(matches!(appended, Appended::Done { .. }), "{appended:?}");
    }
    begun
}

/// As [`begin`], a second ago, with a deadline in the store, so that sweeps find the match.
async fn begin_with_deadline(server: &Server, store: &dyn Store) -> Match {
    let deadline = store.now().await.unwrap() + 60_000;
    begin_with(server, store, (1_000, 60_000), Some(deadline)).await
}

fn append(g: &str, version: u64, time: u64, event: &Event) -> Append {
    Append {
        id: g.to_owned(),
        version,
        cause: None,
        time,
        body: event.to_json(),
        head: Head {
            at: version,
            state: "{}".to_owned(),
            deadline: None,
            status: MatchStatus::Playing,
            result: MatchResult::None,
        },
        record: None,
        rated_speed: None,
        rematch: None,
    }
}

/// Makes the player at `seat` one of a node that sent its last heartbeat `ago` milliseconds ago.
async fn connect_to_dead_node(store: &dyn Store, g: &str, seat: Seat, ago: u64) {
    let now = store.now().await.unwrap();
    store.beat("dead", now - ago).await.unwrap();
    store.set_presence(g, seat, "dead").await.unwrap();
}

/// The time that was given back, with its cause.
fn given(stored: &StoredMatch) -> Vec<(Seat, u64, String)> {
    let given = stored.events.iter().filter_map(|event| {
        let cause = event.cause.clone().unwrap_or_default();
        match Event::parse(&event.body).unwrap() {
            Event::Time { to, ms } => Some((to, ms, cause)),
            _ => None,
        }
    });
    given.collect()
}

/// Waits until something holds.
async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    for _ in 0..600 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it does not happen");
}

/// Makes a turn of the first player with the number 1.
async fn send_turn(socket: &mut Socket, g: &str) {
    let known = state(socket, g).await.unwrap();
    assert_eq!(
        (known.turn, known.status),
        (Seat::First, MatchStatus::Playing)
    );
    let game = catalog::find(&known.game).unwrap();
    let mut record = game.read_file(&known.record).unwrap();
    while record.redo().is_some() {}
    let m = random_turn(&mut *record, &mut Random::new(1));
    let message = ClientMessage::Turn(turn(g, 1, known.at, &m));
    socket.send(&message).await.unwrap();
}

/// The time since the node died comes back before the turn is decided, so that it is not late.
#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_from_a_dead_node_has_lost_nothing() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    // Without the eight seconds the time is up.
    let begun = begin(&server, &*store, 10_000, 8_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 8_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    let known = state(&mut socket, &begun.g).await.unwrap();
    assert!(time_left(&known.clock.unwrap(), Seat::First) > 0);
    send_turn(&mut socket, &begun.g).await;
    assert!(answer(&mut socket, 1).await.unwrap().is_ok());
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    let given = given(&stored);
    assert_eq!(given.len(), 1, "{given:?}");
    let (to, ms, cause) = &given[0];
    assert_eq!(*to, Seat::First);
    assert!((8_000..=15_000).contains(ms), "{ms}");
    assert!(cause.starts_with("node:dead:"), "{cause}");
    let left = store.presence(&[begun.g]).await.unwrap();
    assert!(
        left.iter().all(|presence| presence.node != "dead"),
        "{left:?}"
    );
}

/// Also without having joined, and once.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_enough_to_come_back() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 10_000, 8_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 8_000).await;
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    let known = state(&mut watcher, &begun.g).await.unwrap();
    let mut record = catalog::find("takeover")
        .unwrap()
        .read_file(&known.record)
        .unwrap();
    while record.redo().is_some() {}
    let m = random_turn(&mut *record, &mut Random::new(1));
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    let message = ClientMessage::Turn(turn(&begun.g, 1, known.at, &m));
    for _ in 0..2 {
        socket.send(&message).await.unwrap();
        assert_eq!(answer(&mut socket, 1).await.unwrap(), Ok(4));
    }
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    assert_eq!(given(&stored).len(), 1);
}

/// A player comes back so fast that the node might still be alive: the time comes later, although
/// it is the other's turn by then.
#[tokio::test(flavor = "multi_thread")]
async fn who_moves_before_it_is_certain_gets_the_time_later() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 10_000, 60_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 500).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    send_turn(&mut socket, &begun.g).await;
    assert!(answer(&mut socket, 1).await.unwrap().is_ok());
    let time = |message| match message {
        ServerMessage::Ev {
            e: Event::Time { to, ms },
            ..
        } => Some((to, ms)),
        _ => None,
    };
    let (to, ms) = socket.expect(time).await.unwrap();
    assert_eq!(to, Seat::First);
    assert!((500..=15_000).contains(&ms), "{ms}");
}

/// A turn that would be late is decided once it is certain whether the node died.
#[tokio::test(flavor = "multi_thread")]
async fn a_late_turn_waits_until_it_is_certain() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 10_000, 9_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 2_500).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    send_turn(&mut socket, &begun.g).await;
    assert!(answer(&mut socket, 1).await.unwrap().is_ok());
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    assert_eq!(given(&stored).len(), 1);
}

/// Who changes the node, because they open another page, gets nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_lives_gives_nothing_back() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&one, &*store, 10_000, 60_000).await;
    let mut sockets = Vec::new();
    for server in [&one, &two] {
        let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
        let mut socket = connect.await.unwrap();
        state(&mut socket, &begun.g).await.unwrap();
        sockets.push(socket);
    }
    let present = store
        .presence(std::slice::from_ref(&begun.g))
        .await
        .unwrap();
    assert_eq!(present.len(), 2, "{present:?}");
    send_turn(&mut sockets[1], &begun.g).await;
    assert!(answer(&mut sockets[1], 1).await.unwrap().is_ok());
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    assert_eq!(given(&stored), []);
}

/// The store fails while time is given back: it is given back later.
#[tokio::test(flavor = "multi_thread")]
async fn no_error_of_the_store_costs_a_player_time() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let mut matches = Vec::new();
    for _ in 0..2 {
        matches.push(begin(&server, &*memory, 20_000, 60_000).await);
    }
    store.set_failure(Some("append"));
    for begun in &matches {
        connect_to_dead_node(&*memory, &begun.g, Seat::First, 16_000).await;
    }
    until(async || store.n_failures() > 0).await;
    store.set_failure(None);
    for begun in &matches {
        until(async || {
            let stored = memory.load_match(&begun.g).await.unwrap().unwrap();
            given(&stored).len() == 1
        })
        .await;
    }
    until(async || memory.silent_presence(u64::MAX).await.unwrap().is_empty()).await;
}

/// All nodes were down for less than three seconds: running clocks get that back.
#[tokio::test(flavor = "multi_thread")]
async fn a_short_stop_of_all_nodes_costs_nothing() {
    let elsewhere: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = node(elsewhere.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*elsewhere, 10_000, 60_000).await;
    let stored = elsewhere.load_match(&begun.g).await.unwrap().unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    copy(&stored, &*store).await;
    let now = store.now().await.unwrap();
    store.beat("older", now - 60_000).await.unwrap();
    store.beat("stopped", now - 1_000).await.unwrap();
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    state(&mut watcher, &begun.g).await.unwrap();
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    let given = given(&stored);
    assert_eq!(given.len(), 1, "{given:?}");
    let (to, ms, cause) = &given[0];
    assert_eq!(*to, Seat::First);
    assert!((1_000..10_000).contains(ms), "{ms}");
    assert!(cause.starts_with("outage:"), "{cause}");
}

/// The store fails twice while a player thinks: they get both times back.
#[tokio::test(flavor = "multi_thread")]
async fn two_outages_within_one_turn_cost_nothing() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*memory, 1_000, 60_000).await;
    let mut lost = Duration::ZERO;
    for _ in 0..2 {
        let (n_failures, fails) = (store.n_failures(), Instant::now());
        store.set_failure(Some("beat"));
        until(async || store.n_failures() >= n_failures + 4).await;
        lost += fails.elapsed();
        store.set_failure(None);
        let n_beats = store.n_calls("beat");
        until(async || store.n_calls("beat") >= n_beats + 2).await;
    }
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    send_turn(&mut socket, &begun.g).await;
    assert!(answer(&mut socket, 1).await.unwrap().is_ok());
    let stored = memory.load_match(&begun.g).await.unwrap().unwrap();
    let given = given(&stored);
    assert_eq!(given.len(), 1, "{given:?}");
    let (to, ms, cause) = &given[0];
    assert_eq!(*to, Seat::First);
    // A heartbeat that was on its way when the failures began may have arrived.
    let lost = u64::try_from(lost.as_millis()).unwrap() - 500;
    let [.., before, turn] = &stored.events[..] else {
        panic!("{stored:?}");
    };
    let thought = turn.time - stored.events[1].time;
    assert!((lost..thought).contains(ms), "{ms} of {thought}");
    assert_eq!(before.cause.as_ref(), Some(cause));
    assert!(cause.starts_with("outage:"), "{cause}");
}

/// A node that can be told to leave, or killed.
struct Mortal {
    server: Server,
    runtime: Runtime,
    leave: oneshot::Sender<()>,
    left: JoinHandle<std::io::Result<()>>,
}

impl Mortal {
    async fn new(store: Arc<dyn Store>) -> Self {
        let listening = server::listen(([127, 0, 0, 1], 0).into()).unwrap();
        let address = listening.address;
        let config = Config {
            url: address.into(),
            proxies: Vec::new(),
            files: &[],
        };
        let runtime = Runtime::new().unwrap();
        let (leave, told) = oneshot::channel();
        let stop = async {
            told.await.ok();
        };
        let hub = Hub::new(config, store, Arc::new(NoBus)).await.unwrap();
        let left = runtime.spawn(server::serve(hub, listening, None, stop));
        let server = Server {
            api: Api::new(&address.to_string()),
            address: address.to_string(),
            socket: format!("ws://{address}/ws"),
        };
        Self {
            server,
            runtime,
            leave,
            left,
        }
    }

    async fn leave(self) {
        self.leave.send(()).unwrap();
        self.left.await.unwrap().unwrap();
        self.runtime.shutdown_background();
    }

    async fn kill(self) {
        self.runtime.shutdown_background();
        assert!(self.left.await.unwrap_err().is_cancelled());
    }
}

/// Lets heartbeats fail for some seconds. Returns how long at least, in milliseconds.
async fn fail_for_a_while(stores: &[&ChaosStore]) -> u64 {
    let fails = Instant::now();
    for store in stores {
        store.set_failure(Some("beat"));
    }
    for store in stores {
        let n_failures = store.n_failures();
        until(async || store.n_failures() >= n_failures + 4).await;
    }
    // A heartbeat that was on its way when the failures began may have arrived.
    u64::try_from(fails.elapsed().as_millis()).unwrap() - 500
}

/// Waits for the next heartbeat that is stored.
async fn until_it_beats(store: &ChaosStore) {
    let n_beats = store.n_calls("beat");
    until(async || store.n_calls("beat") >= n_beats + 2).await;
}

/// The time that was given back altogether, in milliseconds.
async fn given_to(store: &dyn Store, g: &str) -> u64 {
    let stored = store.load_match(g).await.unwrap().unwrap();
    given(&stored).iter().map(|(_, ms, _)| ms).sum()
}

/// Whoever thinks through an outage and a restart after it gets the time back, although nobody
/// looked at the match in between.
#[tokio::test(flavor = "multi_thread")]
async fn no_restart_forgets_an_outage() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let node = Mortal::new(store.clone()).await;
    let begun = begin_with_deadline(&node.server, &*memory).await;
    let lost = fail_for_a_while(&[&store]).await;
    store.set_failure(None);
    node.leave().await;
    let given = given_to(&*memory, &begun.g).await;
    assert!((lost..lost + 3_000).contains(&given), "{given} of {lost}");
}

/// Neither does one of a process that is killed before the time is given back.
#[tokio::test(flavor = "multi_thread")]
async fn no_crash_forgets_an_outage() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let node = Mortal::new(store.clone()).await;
    let begun = begin_with_deadline(&node.server, &*memory).await;
    let lost = fail_for_a_while(&[&store]).await;
    store.set_failure(Some("append"));
    until_it_beats(&store).await;
    until_it_beats(&store).await;
    node.kill().await;
    assert_eq!(given_to(&*memory, &begun.g).await, 0);
    let node = Mortal::new(memory.clone()).await;
    until(async || given_to(&*memory, &begun.g).await > 0).await;
    let given = given_to(&*memory, &begun.g).await;
    // With the time between the outage and the crash.
    assert!((lost..lost + 8_000).contains(&given), "{given} of {lost}");
    // What the next one reads is only what it has not given back.
    until(async || memory.nodes().await.unwrap().len() == 1).await;
    node.kill().await;
}

/// Two nodes notice the same outage, and give it back at the same time: it counts once.
#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_give_an_outage_back_once() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let stores = [1, 2].map(|seed| Arc::new(ChaosStore::new(memory.clone(), seed)));
    let one = node(stores[0].clone(), Arc::new(NoBus)).await;
    let two = node(stores[1].clone(), Arc::new(NoBus)).await;
    let begun = begin_with_deadline(&one, &*memory).await;
    let _tabs = [
        join_first(&one, &begun).await,
        join_first(&two, &begun).await,
    ];
    let lost = fail_for_a_while(&[&stores[0], &stores[1]]).await;
    for store in &stores {
        store.set_stall(Some("append"));
        store.set_failure(None);
    }
    for store in &stores {
        until(async || store.n_calls("append") > 0).await;
    }
    for store in &stores {
        store.set_stall(None);
    }
    for store in &stores {
        until_it_beats(store).await;
        until_it_beats(store).await;
    }
    let given = given_to(&*memory, &begun.g).await;
    assert!((lost..lost + 3_000).contains(&given), "{given} of {lost}");
}

/// The first node after a stop of all tries again while the store fails.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_fails_at_first_costs_nothing() {
    let elsewhere: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = node(elsewhere.clone(), Arc::new(NoBus)).await;
    let begun = begin_with_deadline(&server, &*elsewhere).await;
    let stored = elsewhere.load_match(&begun.g).await.unwrap().unwrap();
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    copy(&stored, &*memory).await;
    let now = memory.now().await.unwrap();
    memory.beat("stopped", now - 5_000).await.unwrap();
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    store.set_failure(Some("append"));
    let _server = node(store.clone(), Arc::new(NoBus)).await;
    until(async || store.n_failures() > 0).await;
    assert_eq!(given_to(&*memory, &begun.g).await, 0);
    store.set_failure(None);
    until(async || given_to(&*memory, &begun.g).await > 0).await;
}

/// A node that alone lost its store gives time to its own players, not to those of others.
#[tokio::test(flavor = "multi_thread")]
async fn players_of_other_nodes_get_nothing_back() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let one = node(memory.clone(), Arc::new(NoBus)).await;
    let two = node(store.clone(), Arc::new(NoBus)).await;
    let theirs = begin_with_deadline(&one, &*memory).await;
    let own = begin_with_deadline(&one, &*memory).await;
    let _players = [
        join_first(&one, &theirs).await,
        join_first(&two, &own).await,
    ];
    let lost = fail_for_a_while(&[&store]).await;
    store.set_failure(None);
    until(async || given_to(&*memory, &own.g).await > 0).await;
    let given = given_to(&*memory, &own.g).await;
    assert!((lost..lost + 3_000).contains(&given), "{given} of {lost}");
    until_it_beats(&store).await;
    until_it_beats(&store).await;
    assert_eq!(given_to(&*memory, &theirs.g).await, 0);
}

/// Who got time back on another node, because this one seemed dead, gets the same time only once.
#[tokio::test(flavor = "multi_thread")]
async fn who_came_over_gets_the_rest_of_an_outage() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin_with_deadline(&server, &*memory).await;
    join_first(&server, &begun).await;
    let lost = fail_for_a_while(&[&store]).await + fail_for_a_while(&[&store]).await;
    let now = memory.now().await.unwrap();
    let to = Seat::First;
    let back = Append {
        cause: Some(format!("node:this:{}:{to}", now - lost)),
        ..append(&begun.g, 3, now, &Event::Time { to, ms: lost })
    };
    let appended = memory.append(back).await.unwrap();
    assert!(matches!(appended, Appended::Done { .. }), "{appended:?}");
    store.set_failure(None);
    until(async || given_to(&*memory, &begun.g).await > lost).await;
    let rest = given_to(&*memory, &begun.g).await - lost;
    assert!(rest < lost / 2, "{rest} after {lost}");
}

/// Connects the first player to the match, until the test ends.
async fn join_first(server: &Server, begun: &Match) {
    let token = Some(&*begun.tokens[0]);
    let mut socket = Socket::connect(&server.socket, token).await.unwrap();
    let known = state(&mut socket, &begun.g).await.unwrap();
    assert_eq!(known.you, Some(Seat::First));
    // A socket that does not answer pings is closed.
    tokio::spawn(async move { while socket.next().await.is_ok() {} });
}

/// Players see until when a first turn is due, and that the match is aborted when it is not made.
#[tokio::test(flavor = "multi_thread")]
async fn a_match_without_a_first_turn_is_aborted() {
    let elsewhere: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = node(elsewhere.clone(), Arc::new(NoBus)).await;
    let clock = json!({ "base_ms": 60_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let begun = Match::new(&server.api, terms).await;
    // The same match, but created 22 s ago.
    let mut stored = elsewhere.load_match(&begun.g).await.unwrap().unwrap();
    stored.head.created -= 22_000;
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    copy(&stored, &*store).await;
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    let known = state(&mut watcher, &begun.g).await.unwrap();
    assert_eq!(known.status, MatchStatus::Playing);
    assert_eq!(known.abort_at, Some(stored.head.created + 30_000));
    let ended = |message| match message {
        ServerMessage::Ev {
            e,
            status,
            abort_at,
            ..
        } => Some((e, status, abort_at)),
        _ => None,
    };
    let aborted = (Event::Abort { by: None }, MatchStatus::Aborted, None);
    assert_eq!(watcher.expect(ended).await.unwrap(), aborted);
    assert!(store.now().await.unwrap() > stored.head.created + 30_000);
    let known = state(&mut watcher, &begun.g).await.unwrap();
    assert_eq!((known.status, known.abort_at), (MatchStatus::Aborted, None));
}

/// Whoever missed some events sees the clocks that those had who were there: a take-back and a
/// resignation cost the time until then, although something was said since.
#[tokio::test(flavor = "multi_thread")]
async fn missed_events_have_their_own_clocks() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    // Both have a minute left after turns that were made 50 s ago.
    let begun = begin(&server, &*store, 50_000, 60_000).await;
    let began = store.now().await.unwrap() - 50_000;
    // Who is there all along hears of them from the store, all at once.
    let mut present = Socket::connect(&server.socket, None).await.unwrap();
    let join = ClientMessage::Join {
        g: begun.g.clone(),
        v: None,
    };
    present.send(&join).await.unwrap();
    let state = |message| matches!(message, ServerMessage::State(_)).then_some(());
    present.expect(state).await.unwrap();
    let events = [
        (
            10_000,
            Event::Takeback {
                by: Seat::Second,
                n: 1,
            },
        ),
        (15_000, Event::Resign { by: Seat::Second }),
        (
            20_000,
            Event::Say {
                by: Seat::First,
                phrase: 3,
            },
        ),
    ];
    for (version, (after, event)) in (3..).zip(&events) {
        let append = append(&begun.g, version, began + after, event);
        let appended = store.append(append).await.unwrap();
        assert!(matches!(appended, Appended::Done { .. }), "{appended:?}");
    }
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    let join = ClientMessage::Join {
        g: begun.g.clone(),
        v: Some(2),
    };
    watcher.send(&join).await.unwrap();
    let clocks = |message| match message {
        ServerMessage::Ev { v, clock, .. } => Some((v, clock.unwrap())),
        ServerMessage::State(state) => panic!("{state:?}"),
        _ => None,
    };
    let mut seen = Vec::new();
    for socket in [&mut watcher, &mut present] {
        for _ in &events {
            let (v, clock) = socket.expect(clocks).await.unwrap();
            let left = Seat::BOTH.map(|seat| time_left(&clock, seat));
            seen.push((v, left, clock.running));
        }
    }
    // The first player was to move, and loses ten seconds; then the second player five.
    let expected = [
        (3, [50_000, 60_000], Some(Seat::Second)),
        (4, [50_000, 55_000], None),
        (5, [50_000, 55_000], None),
    ];
    for ((v, left, running), (expected_v, expected_left, expected_running)) in
        seen.into_iter().zip([expected, expected].concat())
    {
        assert_eq!((v, running), (expected_v, expected_running));
        // The time of the store was read twice.
        for (left, expected) in left.into_iter().zip(expected_left) {
            assert!(left.abs_diff(expected) < 2_000, "{v}: {left}");
        }
    }
}

/// Copies a match to another store.
async fn copy(StoredMatch { head, events, .. }: &StoredMatch, store: &dyn Store) {
    let MatchHead { id, created, .. } = head;
    let new = NewMatch {
        id: id.clone(),
        game: head.game.clone(),
        rules: head.rules,
        options: head.options.clone(),
        clock: head.clock.clone(),
        rated: head.rated,
        first: head.first.clone(),
        second: head.second.clone(),
        head: head.head.clone(),
        created: *created,
    };
    store.create_match(new).await.unwrap();
    for event in events {
        let body = Event::parse(&event.body).unwrap();
        let mut append = append(id, event.version, event.time, &body);
        append.head.deadline = head.head.deadline;
        store.append(append).await.unwrap();
    }
}

/// Who looks for an opponent and connects to another node goes on looking there: the node that they
/// left, which may notice late, does not end it.
#[tokio::test(flavor = "multi_thread")]
async fn who_changes_the_node_goes_on_looking() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&one, &*store, 0, 60_000).await;
    let mut sockets = Vec::new();
    for (server, token) in [(&one, 0), (&two, 0), (&two, 1)] {
        let connect = Socket::connect(&server.socket, Some(&begun.tokens[token]));
        sockets.push(connect.await.unwrap());
    }
    let seek = ClientMessage::Seek {
        id: 1,
        pools: vec!["takeover/3+2".to_owned()],
    };
    let sought = |message| match message {
        ServerMessage::Ok { id: 1, .. } => Some(()),
        _ => None,
    };
    state(&mut sockets[0], &begun.g).await.unwrap();
    for socket in &mut sockets[..2] {
        socket.send(&seek).await.unwrap();
        socket.expect(sought).await.unwrap();
    }
    // A socket leaves its matches last.
    let ids = [begun.g.clone()];
    sockets.remove(0).close().await;
    until(async || store.presence(&ids).await.unwrap().is_empty()).await;
    sockets[1].send(&seek).await.unwrap();
    let paired = |message| match message {
        ServerMessage::Paired { g, .. } if g != begun.g => Some(g),
        _ => None,
    };
    let g = sockets[0].expect(paired).await.unwrap();
    assert_eq!(sockets[1].expect(paired).await.unwrap(), g);
}

/// The other player is connected to another node, and no notice says so: they are seen to be here,
/// and nobody can claim the match.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_can_claim_against_who_is_on_another_node() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&one, &*store, 0, 60_000).await;
    let connect = Socket::connect(&one.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    let known = state(&mut first, &begun.g).await.unwrap();
    assert_eq!(known.here, []);
    let connect = Socket::connect(&two.socket, Some(&begun.tokens[1]));
    let mut second = connect.await.unwrap();
    let known = state(&mut second, &begun.g).await.unwrap();
    assert!(known.here.contains(&Seat::First), "{:?}", known.here);
    let here = |message| match message {
        ServerMessage::Here {
            seat: Seat::Second,
            is: true,
            claim,
            ..
        } => Some(claim),
        _ => None,
    };
    assert_eq!(first.expect(here).await.unwrap(), None);
    // Longer than a player has to be gone.
    for id in 1..=35 {
        let claim = ClientMessage::Do(action(&begun.g, id, ActionName::Claim));
        first.send(&claim).await.unwrap();
        let answer = answer(&mut first, id).await.unwrap();
        assert_eq!(answer, Err(protocol::Refusal::NotNow), "{id}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// A claim is decided by what the store has, not by what was last heard: here the sweep that would
/// notice the other player does not run.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_asks_the_store_who_is_here() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*memory, 0, 60_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    state(&mut first, &begun.g).await.unwrap();
    // `versions` comes before the comparison of presences.
    store.set_stall(Some("versions"));
    let now = memory.now().await.unwrap();
    memory.beat("other", now + 60_000).await.unwrap();
    memory
        .set_presence(&begun.g, Seat::Second, "other")
        .await
        .unwrap();
    for id in 1..=35 {
        let claim = ClientMessage::Do(action(&begun.g, id, ActionName::Claim));
        first.send(&claim).await.unwrap();
        let answer = answer(&mut first, id).await.unwrap();
        assert_eq!(answer, Err(protocol::Refusal::NotNow), "{id}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Other nodes remove what a node has stored that was silent for a while. It stores it again.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_here_is_stored_again() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 0, 60_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    state(&mut socket, &begun.g).await.unwrap();
    let ids = [begun.g.clone()];
    let present = store.presence(&ids).await.unwrap();
    assert_eq!(present.len(), 1, "{present:?}");
    let Presence { id, seat, node } = present[0].clone();
    assert_eq!(seat, Seat::First);
    store.remove_presence(&id, seat, &node).await.unwrap();
    until(async || store.presence(&ids).await.unwrap() == present).await;
    // And what is wrong is removed.
    let stale = store.set_presence(&id, Seat::Second, &node).await;
    stale.unwrap();
    until(async || store.presence(&ids).await.unwrap() == present).await;
    socket.close().await;
    until(async || store.presence(&ids).await.unwrap().is_empty()).await;
}

/// Players hear from when on a match can be claimed, which is later if a node died.
#[tokio::test(flavor = "multi_thread")]
async fn the_countdown_of_a_claim_knows_of_dead_nodes() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 0, 60_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    let known = state(&mut first, &begun.g).await.unwrap();
    let claim = known.claim.unwrap();
    assert_eq!(Some(claim - 15_000), known.since);
    let seen = store.now().await.unwrap() - 10_000;
    store.beat("dead", seen).await.unwrap();
    let gone = |message| match message {
        ServerMessage::Here {
            seat: Seat::Second,
            is: false,
            claim,
            ..
        } => Some(claim),
        _ => None,
    };
    let later = Some(seen + 75_000);
    assert_eq!(first.expect(gone).await.unwrap(), later);
    let known = state(&mut first, &begun.g).await.unwrap();
    assert_eq!(known.claim, later);
}

/// Sends an action about the offer `of`, and returns the answer.
async fn ask(
    socket: &mut Socket,
    g: &str,
    id: u64,
    what: ActionName,
    of: Option<u64>,
) -> Result<u64, Refusal> {
    let action = Action {
        of,
        ..action(g, id, what)
    };
    socket.send(&ClientMessage::Do(action)).await.unwrap();
    answer(socket, id).await.unwrap()
}

/// The offer of a rematch is withdrawn on one node while it is accepted on another: then there is
/// no next match. One that is agreed is in the lists of both players, whatever the node.
#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_that_was_withdrawn_is_no_match() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(memory.clone(), Arc::new(NoBus)).await;
    let terms = json!({ "game": "takeover", "options": { "board": "7" } });
    let begun = Match::new(&one.api, terms).await;
    let head = memory.match_head(&begun.g).await.unwrap().unwrap();
    let playing = async || {
        let mut lists = Vec::new();
        for player in [&head.first, &head.second] {
            let list = memory.matches_of(player, MatchFilter::Playing, None, 10);
            let ids = list.await.unwrap().into_iter().map(|head| head.id);
            lists.push(ids.collect::<Vec<_>>());
        }
        assert_eq!(lists[0], lists[1]);
        lists.swap_remove(0)
    };
    let connect = Socket::connect(&one.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    let connect = Socket::connect(&two.socket, Some(&begun.tokens[1]));
    let mut second = connect.await.unwrap();
    let mut g = begun.g.clone();
    let (resign, rematch) = (ActionName::Resign, ActionName::Rematch);
    ask(&mut second, &g, 1, resign, None).await.unwrap();
    let of = ask(&mut second, &g, 2, rematch, None).await.unwrap();
    // The node of the first player knows of the offer, and not that it is withdrawn.
    let known = state(&mut first, &g).await.unwrap();
    assert_eq!(known.offers.len(), 1, "{:?}", known.offers);
    let n_appends = store.n_calls("append");
    store.set_stall(Some("append"));
    let accept = Action {
        of: Some(of),
        ..action(&g, 1, ActionName::Accept)
    };
    first.send(&ClientMessage::Do(accept)).await.unwrap();
    until(async || store.n_calls("append") > n_appends).await;
    let withdrawn = ask(&mut second, &g, 3, ActionName::Decline, Some(of)).await;
    withdrawn.unwrap();
    store.set_stall(None);
    let refused = answer(&mut first, 1).await.unwrap();
    assert_eq!(refused, Err(Refusal::Over));
    assert_eq!(playing().await, Vec::<String>::new());

    let paired = |message| match message {
        ServerMessage::Paired { g, .. } => Some(g),
        _ => None,
    };
    // Accepted on the one node, and then on the other.
    let (mut offering, mut accepting) = (second, first);
    for id in 10..12 {
        let of = ask(&mut offering, &g, id, rematch, None).await.unwrap();
        state(&mut accepting, &g).await.unwrap();
        let accepted = ask(&mut accepting, &g, id, ActionName::Accept, Some(of)).await;
        accepted.unwrap();
        let next = accepting.expect(paired).await.unwrap();
        assert_eq!(playing().await, std::slice::from_ref(&next));
        let child = memory.match_head(&next).await.unwrap().unwrap();
        assert_eq!(child.rematch_of.as_deref(), Some(&*g));
        let parent = memory.match_head(&g).await.unwrap().unwrap();
        assert_eq!(parent.rematch.as_ref(), Some(&next));
        (g, offering, accepting) = (next, accepting, offering);
        ask(&mut offering, &g, 1, resign, None).await.unwrap();
    }
}
