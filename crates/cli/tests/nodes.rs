//! Three nodes, Postgres and NATS behind a proxy that distributes connections. Nodes die, the
//! bus dies, the database dies, nodes are replaced: matches go on, and nobody loses a turn or time.

#![cfg(all(unix, feature = "services"))]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../server/tests/law/mod.rs"]
mod law;
mod serving;
#[path = "../../server/tests/table/mod.rs"]
mod table;
#[path = "../../server/tests/wire/mod.rs"]
mod wire;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use client::{Api, Socket};
use law::{Match, check_clocks, is_full_size, note, state, time_left};
use protocol::{ActionName, ClientMessage, Event, Refusal, Seat, ServerMessage, StateMessage};
use serde_json::json;
use serving::Node;
use store::{PostgresStore, StoredMatch};
use table::{action, legal_turn, turn};
use testservers::{Nats, Postgres};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use wire::Proxy;

/// Three nodes on one store and one bus.
struct Site {
    postgres: Postgres,
    nats: Nats,
    nodes: Vec<Node>,
    proxy: Proxy,
}

impl Site {
    async fn new() -> Self {
        let postgres = Postgres::start().unwrap();
        let nats = Nats::start().unwrap();
        let start = |_| Node::start(&postgres.url(), Some(&nats.url()));
        let nodes: Vec<_> = (0..3).map(start).collect();
        let addresses: Vec<_> = nodes.iter().map(|node| node.address.clone()).collect();
        let proxy = Proxy::new(&addresses).await;
        Self {
            postgres,
            nats,
            nodes,
            proxy,
        }
    }

    fn api(&self) -> Api {
        Api::new(&self.proxy.address.to_string())
    }

    /// Matches of all games, with players who connect through the proxy.
    async fn play(&self, n_moves: usize) -> (Vec<Match>, Vec<JoinHandle<StateMessage>>) {
        let nodes = Arc::new(vec![self.proxy.socket()]);
        let (mut matches, mut tasks) = (Vec::new(), Vec::new());
        for (i, game) in (0..).zip(catalog::GAMES) {
            let clock = json!({ "base_ms": 600_000, "inc_ms": 0 });
            let terms = json!({ "game": game.name(), "clock": clock });
            let begun = Match::new(&self.api(), terms).await;
            for seat in Seat::BOTH {
                let mut player = begun.player(seat, &nodes, i);
                player.patience = Duration::from_secs(3);
                player.slowest_reply = 60;
                tasks.push(tokio::spawn(player.play(n_moves)));
            }
            matches.push(begun);
        }
        (matches, tasks)
    }

    /// Everybody has finished, and the law holds.
    /// Returns how many turns were acknowledged.
    async fn check(&self, matches: Vec<Match>, tasks: Vec<JoinHandle<StateMessage>>) -> usize {
        for task in tasks {
            task.await.unwrap();
        }
        self.check_all(matches, |_| ()).await.0
    }

    /// The law holds for all matches. Returns how many turns were acknowledged, and the results of
    /// another check of each match.
    async fn check_all<T>(
        &self,
        matches: Vec<Match>,
        check: impl Fn(&StoredMatch) -> T,
    ) -> (usize, Vec<T>) {
        let store = PostgresStore::connect(&self.postgres.url()).await.unwrap();
        let views: Vec<_> = self.nodes.iter().map(Node::socket).collect();
        let (mut n_all, mut checked) = (0, Vec::new());
        for played in matches {
            let stored = played.check_views(&store, &views).await;
            let n_done = played.n_done();
            assert!(n_done >= 4, "{n_done} turns of {}", stored.head.game);
            played.check(&stored);
            checked.push(check(&stored));
            n_all += n_done;
        }
        (n_all, checked)
    }
}

/// Makes the first turns of both players, so that the clocks run. Returns the match as the
/// player to move sees it.
async fn begin(sockets: &mut [Socket; 2], g: &str) -> StateMessage {
    for (seat, id) in Seat::BOTH.into_iter().zip(1..) {
        let socket = &mut sockets[seat as usize];
        let known = state(socket, g).await.unwrap();
        let game = catalog::find(&known.game).unwrap();
        let mut record = game.read_file(&known.record).unwrap();
        while record.redo().is_some() {}
        let message = ClientMessage::Turn(turn(g, id, known.at, &legal_turn(&*record)));
        socket.send(&message).await.unwrap();
        law::answer(socket, id).await.unwrap().unwrap();
    }
    state(&mut sockets[0], g).await.unwrap()
}

async fn ask(socket: &mut Socket, g: &str, id: u64, what: ActionName) -> Result<u64, Refusal> {
    let message = ClientMessage::Do(action(g, id, what));
    socket.send(&message).await.unwrap();
    law::answer(socket, id).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_survive_the_death_of_anything() {
    let mut site = Site::new().await;
    let n_rounds = if is_full_size() { 30 } else { 1 };
    let mut n_done = 0;
    for _ in 0..n_rounds {
        let (matches, tasks) = site.play(40).await;
        sleep(Duration::from_millis(300)).await;
        site.nodes[1].kill();
        sleep(Duration::from_millis(500)).await;
        site.nats.kill();
        sleep(Duration::from_millis(300)).await;
        site.nodes[1].restart();
        site.postgres.kill();
        sleep(Duration::from_millis(300)).await;
        site.postgres.restart().unwrap();
        site.nats.restart().unwrap();
        n_done += site.check(matches, tasks).await;
    }
    // The operator is told of the database, and not by every request that failed.
    let n_lines = |node: &Node| node.n_errors("error: the store is unavailable: ");
    let n_lines: usize = site.nodes.iter().map(n_lines).sum();
    assert!((1..100 * n_rounds).contains(&n_lines), "{n_lines} lines");
    note(&format!(
        "{n_rounds} times a node, the bus and the database killed in the middle of matches of all \
         games: {n_done} turns acknowledged, each in the log once"
    ));
}

/// A node dies under one player. The other can't claim the match for a minute, and the player
/// gets the time back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_can_claim_because_a_node_died() {
    let mut site = Site::new().await;
    let clock = json!({ "base_ms": 60_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let begun = Match::new(&site.api(), terms).await;
    let (g, [first, second]) = (&begun.g, &begun.tokens);
    let mut sockets = [
        Socket::connect(&site.nodes[0].socket(), Some(first))
            .await
            .unwrap(),
        Socket::connect(&site.nodes[1].socket(), Some(second))
            .await
            .unwrap(),
    ];
    let before = begin(&mut sockets, g).await;
    assert_eq!(before.turn, Seat::First);
    site.nodes[0].kill();
    let [_, mut other] = sockets;
    assert_eq!(
        ask(&mut other, g, 10, ActionName::Claim).await,
        Err(Refusal::NotNow)
    );
    // The time comes back once it is certain that the node is dead.
    let given = |message| match message {
        ServerMessage::Ev {
            e: Event::Time { to, ms },
            clock,
            ..
        } => Some((to, ms, clock)),
        _ => None,
    };
    let mut heard = other.expect(given).await;
    for _ in 0..2 {
        if heard.is_err() {
            heard = other.expect(given).await;
        }
    }
    let (to, ms, clock) = heard.unwrap();
    assert_eq!(to, Seat::First);
    assert!((10_000..=15_000).contains(&ms), "{ms}");
    let left = time_left(&clock.unwrap(), Seat::First);
    assert!(left > time_left(&before.clock.unwrap(), Seat::First) - 15_000);
    // By now they seem gone for long enough, and still it is our fault.
    // Who does not listen meanwhile is taken for gone, too.
    let wait = Duration::from_secs(if is_full_size() { 30 } else { 1 });
    timeout(wait, other.expect(|_| None::<()>)).await.ok();
    assert_eq!(
        ask(&mut other, g, 11, ActionName::Claim).await,
        Err(Refusal::NotNow)
    );
    let mut back = Socket::connect(&site.nodes[2].socket(), Some(first))
        .await
        .unwrap();
    assert_eq!(state(&mut back, g).await.unwrap().turn, Seat::First);
    assert!(ask(&mut back, g, 12, ActionName::Resign).await.is_ok());
}

/// Plays matches of a game through the proxy, one after the other, until the nodes are replaced.
async fn play_on(proxy: Proxied, game: &'static str, is_done: Arc<AtomicBool>) -> Vec<Match> {
    let nodes = Arc::new(vec![proxy.socket]);
    let mut matches = Vec::new();
    while !is_done.load(Ordering::Relaxed) {
        let clock = json!({ "base_ms": 600_000, "inc_ms": 0 });
        let terms = json!({ "game": game, "clock": clock });
        let begun = Match::new(&proxy.api, terms).await;
        let players = Seat::BOTH.map(|seat| {
            let mut player = begun.player(seat, &nodes, matches.len() as u64);
            player.patience = Duration::from_secs(3);
            player.slowest_reply = 200;
            tokio::spawn(player.play(40))
        });
        for player in players {
            player.await.unwrap();
        }
        matches.push(begun);
    }
    matches
}

/// The proxy, as players see it.
#[derive(Clone)]
struct Proxied {
    api: Api,
    socket: String,
}

/// Nodes are replaced one by one: each says that it leaves, and its sockets move. Matches are played
/// until the last one is back, and nobody loses or is given any time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_costs_nothing() {
    /// The most that a turn may be charged on a busy machine, with what players wait for an answer
    /// before they ask another node.
    const MOST_CHARGED: u64 = 15_000;
    let mut site = Site::new().await;
    let proxy = Proxied {
        api: site.api(),
        socket: site.proxy.socket(),
    };
    let is_done = Arc::new(AtomicBool::new(false));
    let games = catalog::GAMES.into_iter();
    let play = |game: &'static dyn catalog::AnyGame| {
        tokio::spawn(play_on(proxy.clone(), game.name(), is_done.clone()))
    };
    let tasks: Vec<_> = games.map(play).collect();
    let (_, watcher) = site.api().new_guest().await.unwrap();
    let watched = Match::new(&site.api(), json!({ "game": "nonaga" })).await;
    for i in 0..3 {
        let mut socket = Socket::connect(&site.nodes[i].socket(), Some(&watcher.token))
            .await
            .unwrap();
        let others = site.nodes.iter().enumerate().filter(|(j, _)| *j != i);
        let others: Vec<_> = others.map(|(_, node)| node.address.clone()).collect();
        site.proxy.set_nodes(&others);
        site.nodes[i].ask_to_leave();
        let over = |message| matches!(message, ServerMessage::Over {}).then_some(());
        socket.expect(over).await.unwrap();
        let ready = site.nodes[i].api().get("/readyz").await;
        assert!(ready.is_err() || ready.unwrap().status == 503);
        // Like a page: the match goes on elsewhere before this socket closes.
        let elsewhere = Socket::connect(&site.proxy.socket(), Some(&watcher.token)).await;
        let shown = state(&mut elsewhere.unwrap(), &watched.g).await;
        assert!(shown.is_some());
        socket.close().await;
        while !site.nodes[i].has_left() {
            sleep(Duration::from_millis(20)).await;
        }
        site.nodes[i].restart();
        let all: Vec<_> = site.nodes.iter().map(|node| node.address.clone()).collect();
        site.proxy.set_nodes(&all);
    }
    is_done.store(true, Ordering::Relaxed);
    let mut matches = Vec::new();
    for task in tasks {
        matches.extend(task.await.unwrap());
    }
    let n_matches = matches.len();
    let (n_done, most_charged) = site
        .check_all(matches, |stored| {
            for event in &stored.events {
                let given = matches!(Event::parse(&event.body), Ok(Event::Time { .. }));
                assert!(!given, "{event:?}");
            }
            check_clocks(stored, &[])
        })
        .await;
    let most_charged = most_charged.into_iter().max().unwrap();
    assert!(most_charged < MOST_CHARGED, "{most_charged} ms for a turn");
    note(&format!(
        "all three nodes replaced one by one during {n_matches} matches: {n_done} turns acknowledged, \
         each in the log once, no time given back, at most {most_charged} ms charged for a turn"
    ));
}
