//! Times in which the store failed or no node ran: nobody loses by them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod begun;
mod chaos;
mod law;
mod table;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use begun::{append, begin, begin_with_deadline, copy, given, send_turn, until};
use chaos::ChaosStore;
use client::{Api, Socket};
use law::{Match, answer, state};
use protocol::{Event, Seat};
use server::{Config, Hub, NoBus};
use store::{Append, Appended, MemoryStore, Store};
use table::{Server, node};
use tokio::{runtime::Runtime, sync::oneshot, task::JoinHandle};

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
