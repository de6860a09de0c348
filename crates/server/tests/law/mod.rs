//! Players whose connections break and who send things twice, and the law that holds for them.
//!
//! Each `ok` is in the log exactly once; an `ok` before another request began has the lower
//! version; replaying the log gives what every node shows.

#![allow(dead_code, reason = "each test program uses a part")]

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use client::{Api, RequestError, Socket};
use protocol::{
    ClientMessage, ClockState, Event, MatchStatus, OnlineControl, Refusal, Seat, ServerMessage,
    StateMessage,
};
use rules::Random;
use serde_json::Value;
use store::{Store, StoredMatch};
use tokio::time::{sleep, timeout};

use crate::table::{random_turn, turn};

/// Whether tests run at full size, for `cargo xtask soak`.
pub(crate) fn is_full_size() -> bool {
    std::env::var_os("PARLOUR_SOAK").is_some()
}

/// Records the figures of a run at full size, for `cargo xtask soak`.
pub(crate) fn note(text: &str) {
    use std::io::Write;
    let Some(path) = std::env::var_os("PARLOUR_SOAK") else {
        return;
    };
    let file = std::fs::OpenOptions::new().append(true).open(path);
    writeln!(file.unwrap(), "{text}").unwrap();
}

/// A request that was acknowledged.
pub(crate) struct Done {
    pub(crate) cause: String,
    pub(crate) version: u64,
    /// Two points on a time line that all players share.
    pub(crate) began: u64,
    pub(crate) ended: u64,
    /// The time from sending the request to its acknowledgement.
    pub(crate) took: Duration,
}

/// A match, and the acknowledgements that its players got.
pub(crate) struct Match {
    pub(crate) g: String,
    pub(crate) tokens: [String; 2],
    time: Arc<AtomicU64>,
    done: Arc<Mutex<Vec<Done>>>,
    /// The number of reconnects.
    pub(crate) n_lost: Arc<AtomicU64>,
}

/// Repeats a request until the store is fast enough for something new.
async fn patiently<T, F>(ask: impl Fn() -> F) -> T
where
    F: Future<Output = Result<T, RequestError>>,
{
    loop {
        match ask().await {
            Err(RequestError::Refused { status: 503, .. }) => {
                sleep(Duration::from_millis(100)).await
            }
            answer => return answer.unwrap(),
        }
    }
}

impl Match {
    /// Two new guests begin a match.
    pub(crate) async fn new(api: &Api, mut terms: Value) -> Self {
        terms["color"] = "first".into();
        let (host, first) = patiently(|| api.new_guest()).await;
        let (friend, second) = patiently(|| api.new_guest()).await;
        let challenge = patiently(|| host.challenge(&terms)).await;
        let accepted = patiently(|| friend.accept(&challenge.challenge)).await;
        Self {
            g: accepted.id,
            tokens: [first.token, second.token],
            time: Arc::default(),
            done: Arc::default(),
            n_lost: Arc::default(),
        }
    }

    /// The player at `seat`, who connects to any of `nodes`.
    pub(crate) fn player(&self, seat: Seat, nodes: &Arc<Vec<String>>, seed: u64) -> Player {
        Player {
            nodes: nodes.clone(),
            token: self.tokens[seat as usize].clone(),
            g: self.g.clone(),
            seat,
            random: Random::new(2 * seed + seat as u64),
            time: self.time.clone(),
            done: self.done.clone(),
            n_lost: self.n_lost.clone(),
            patience: Duration::from_secs(10),
            one_in: 8,
            slowest_reply: 30,
            next_id: 0,
        }
    }

    pub(crate) fn n_done(&self) -> usize {
        self.done.lock().unwrap().len()
    }

    /// How long the acknowledgements so far took.
    pub(crate) fn latencies(&self) -> Vec<Duration> {
        let done = self.done.lock().unwrap();
        done.iter().map(|one| one.took).collect()
    }

    /// Checks the law against what is stored.
    pub(crate) fn check(&self, stored: &StoredMatch) {
        let done = std::mem::take(&mut *self.done.lock().unwrap());
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
    }

    /// Checks that all nodes show what the log says, which is returned.
    pub(crate) async fn check_views(&self, store: &dyn Store, nodes: &[String]) -> StoredMatch {
        let mut sockets = Vec::new();
        for node in nodes {
            let mut socket = Socket::connect(node, None).await.unwrap();
            // Loading a match may make the node give time back after an outage.
            state(&mut socket, &self.g).await.unwrap();
            sockets.push(socket);
        }
        let stored = store.load_match(&self.g).await.unwrap().unwrap();
        let replayed = replay(&stored);
        for socket in &mut sockets {
            let shown = state(socket, &self.g).await.unwrap();
            assert_eq!(
                (shown.v, shown.fen),
                (replayed.version(), replayed.position())
            );
        }
        stored
    }
}

/// The state after all stored events.
pub(crate) fn replay(stored: &StoredMatch) -> referee::State {
    let head = &stored.head;
    let options: serde_json::Map<String, Value> = serde_json::from_str(&head.options).unwrap();
    let options = options
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
    let terms = referee::Terms {
        game: head.game.clone(),
        options: options.collect(),
        control: serde_json::from_str(&head.clock).unwrap(),
        is_rated: head.rated,
    };
    let mut replayed = referee::State::new(terms, head.created).unwrap();
    for event in &stored.events {
        let applied = replayed.apply(&Event::parse(&event.body).unwrap(), event.time);
        applied.unwrap();
    }
    replayed
}

/// A player who makes random turns.
pub(crate) struct Player {
    nodes: Arc<Vec<String>>,
    token: String,
    g: String,
    seat: Seat,
    random: Random,
    time: Arc<AtomicU64>,
    done: Arc<Mutex<Vec<Done>>>,
    n_lost: Arc<AtomicU64>,
    /// How long the player waits for an answer before reconnecting.
    pub(crate) patience: Duration,
    /// One connection in this many is broken after a turn was sent; 0 means none.
    pub(crate) one_in: u32,
    /// The longest pause before a turn, in milliseconds.
    pub(crate) slowest_reply: u32,
    next_id: u64,
}

impl Player {
    async fn connect(&mut self) -> (Socket, StateMessage) {
        for _ in 0..600 {
            let node = self.random.below(u32::try_from(self.nodes.len()).unwrap());
            let node = &self.nodes[node as usize];
            let connecting = Socket::connect(node, Some(&self.token));
            if let Ok(Ok(mut socket)) = timeout(self.patience, connecting).await
                && let Ok(Some(state)) = timeout(self.patience, state(&mut socket, &self.g)).await
            {
                return (socket, state);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("no node takes the player");
    }

    async fn connect_again(&mut self) -> (Socket, StateMessage) {
        self.n_lost.fetch_add(1, Ordering::Relaxed);
        self.connect().await
    }

    /// Makes random turns until the match has this many moves or is over. Returns what the
    /// player saw last.
    pub(crate) async fn play(mut self, n_moves: usize) -> StateMessage {
        let (mut socket, mut known) = self.connect().await;
        loop {
            let game = catalog::find(&known.game).unwrap();
            let mut record = game.read_file(&known.record).unwrap();
            while record.redo().is_some() {}
            if known.status != MatchStatus::Playing || record.moves().len() >= n_moves {
                return known;
            }
            if known.turn == self.seat {
                let m = random_turn(&mut *record, &mut self.random);
                socket = self.make_turn(socket, known.at, &m).await;
            }
            // What happened, from events or from the state.
            let wait = self.random.below(self.slowest_reply.max(1));
            tokio::time::sleep(Duration::from_millis(u64::from(wait))).await;
            match timeout(self.patience, state(&mut socket, &self.g)).await {
                Ok(Some(state)) => known = state,
                _ => (socket, known) = self.connect_again().await,
            }
        }
    }

    /// Sends a turn until it is acknowledged or refused, with the same number, anywhere.
    async fn make_turn(&mut self, mut socket: Socket, at: u64, m: &[String]) -> Socket {
        self.next_id += 1;
        let id = self.next_id;
        let message = ClientMessage::Turn(turn(&self.g, id, at, m));
        let began = self.time.fetch_add(1, Ordering::SeqCst);
        let sent = Instant::now();
        let mut is_connected = self.one_in == 0 || self.random.below(self.one_in) > 0;
        let is_doubled = self.one_in > 0 && self.random.below(4) == 0;
        socket.send(&message).await.ok();
        if is_doubled {
            socket.send(&message).await.ok();
        }
        loop {
            let answer = if is_connected {
                timeout(self.patience, answer(&mut socket, id)).await
            } else {
                Ok(None)
            };
            match answer.ok().flatten() {
                Some(Ok(version)) => {
                    let ended = self.time.fetch_add(1, Ordering::SeqCst);
                    let cause = format!("{}:{id}", self.seat);
                    let done = Done {
                        cause,
                        version,
                        began,
                        ended,
                        took: sent.elapsed(),
                    };
                    self.done.lock().unwrap().push(done);
                    return socket;
                }
                // It was not stored, or this node does not know of it: read the state again.
                Some(Err(Refusal::Stale | Refusal::NotYourTurn | Refusal::Over)) => {
                    return socket;
                }
                Some(Err(_)) => tokio::time::sleep(Duration::from_millis(5)).await,
                None => {
                    socket = self.connect_again().await.0;
                    is_connected = true;
                }
            }
            socket.send(&message).await.ok();
        }
    }
}

pub(crate) async fn state(socket: &mut Socket, g: &str) -> Option<StateMessage> {
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

pub(crate) async fn answer(socket: &mut Socket, id: u64) -> Option<Result<u64, Refusal>> {
    let answer = |message| match message {
        ServerMessage::Ok { id: found, v, .. } if found == id => Some(Ok(v.unwrap())),
        ServerMessage::No(refused) if refused.id == Some(id) => Some(Err(refused.why)),
        _ => None,
    };
    socket.expect(answer).await.ok()
}

/// What the player at `seat` has left.
pub(crate) fn time_left(clock: &ClockState, seat: Seat) -> u64 {
    match seat {
        Seat::First => clock.first,
        Seat::Second => clock.second,
    }
}

/// A time in which no server ran, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub(crate) from: u64,
    pub(crate) until: u64,
}

/// Checks that nobody was charged for a time in which no server ran. Returns the most that a turn
/// was charged, in milliseconds.
pub(crate) fn check_clocks(stored: &StoredMatch, gaps: &[Gap]) -> u64 {
    /// How far a node's estimate of the store's time may be off.
    const SKEW: u64 = 20;
    let control = serde_json::from_str(&stored.head.clock).unwrap();
    let Some(OnlineControl::Match { base_ms, inc_ms: 0 }) = control else {
        panic!("{control:?}");
    };
    let mut left_before = [base_ms; 2];
    let (mut began, mut n_turns) = (stored.head.created, 0);
    let mut most_charged = 0;
    for event in &stored.events {
        let Event::Turn { by, left, .. } = Event::parse(&event.body).unwrap() else {
            continue;
        };
        let (seat, left) = (by as usize, left.unwrap());
        // The clocks run once both have made a turn.
        if n_turns >= 2 {
            let gone = |gap: &Gap| {
                let until = gap.until.min(event.time);
                until.saturating_sub(gap.from.max(began))
            };
            let gone: u64 = gaps.iter().map(gone).sum();
            let own = event.time.saturating_sub(began + gone);
            let charged = left_before[seat].saturating_sub(left);
            let version = event.version;
            assert!(
                charged <= own + SKEW,
                "{by} was charged {charged} ms for {own} ms at version {version}, and {gone} ms \
                 without a server"
            );
            most_charged = most_charged.max(charged);
        }
        left_before[seat] = left;
        began = event.time;
        n_turns += 1;
    }
    most_charged
}
