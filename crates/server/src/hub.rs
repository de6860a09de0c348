use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use axum::extract::ws::Utf8Bytes;
use protocol::{Seat, ServerMessage};
use store::{Millis, SILENT_AFTER, ServerNode, Store, StoreError};
use tokio::sync::Semaphore;

use crate::{
    bus::{Bus, Notice},
    connection::Connection,
    errors::ErrorLog,
    limit::Limit,
    live::Live,
    metrics::{Metrics, count},
    origin::PublicUrl,
    outages::{Outage, Outages},
    secret,
    time::StoreClock,
    waits::UsualWaits,
};

/// The configuration of a node.
#[derive(Clone, Debug)]
pub struct Config {
    /// The public URL.
    pub url: PublicUrl,
    /// Addresses of trusted proxies, whose `X-Forwarded-For` is used.
    pub proxies: Vec<std::net::IpAddr>,
    /// The files of the page.
    pub files: &'static [page::File],
}

/// One node: the state that its sockets and requests share.
pub struct Hub {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    /// The id of this process.
    pub(crate) node: String,
    clock: StoreClock,
    lives: Mutex<HashMap<String, Arc<Live>>>,
    /// The sockets of each connected player.
    players: Mutex<HashMap<String, Vec<Arc<Connection>>>>,
    connections: Mutex<HashMap<u64, Arc<Connection>>>,
    /// The number of sockets of each address.
    addresses: Mutex<HashMap<String, u32>>,
    /// The players who wait in pools through a socket of this node.
    seeking: Mutex<HashSet<String>>,
    pub(crate) waits: UsualWaits,
    n_connections: AtomicU64,
    /// When matches that have begun were last looked for.
    pub(crate) looked_for_begun: AtomicU64,
    pub(crate) metrics: Metrics,
    pub(crate) errors: ErrorLog,
    pub(crate) limits: RateLimits,
    /// Limits concurrent password hashing, which takes a core and 19 MiB each.
    pub(crate) hashing: Semaphore,
    is_leaving: AtomicBool,
    /// Until when matches can't be claimed, because another node was silent.
    claims_after_silence: AtomicU64,
    /// The result of [`claims_from`](Self::claims_from) that players were last told.
    claims_told: AtomicU64,
    pub(crate) outages: Outages,
    /// When the last outage began whose time was given back.
    pub(crate) made_up: tokio::sync::Mutex<Option<Millis>>,
    /// When this process was last seen running; 0 before it serves.
    alive: AtomicU64,
    /// When the last heartbeat was sent to the store, and its duration; `u64::MAX` until it is
    /// stored.
    beat: (AtomicU64, AtomicU64),
}

/// The rate limits of a node.
pub(crate) struct RateLimits {
    /// New guests, accounts and challenges, per address.
    pub(crate) new: Limit,
    /// Sign-ins and uses of recovery codes, per name and address, and changes of passwords, per
    /// player. Right ones count as well: each takes a core for a while.
    pub(crate) passwords: Limit,
    /// Passwords that are hashed, per address: each takes a core for a while.
    pub(crate) hashes: Limit,
    /// Requests, per address. Many people may share one.
    pub(crate) requests: Limit,
    /// Requests, per session.
    pub(crate) session_requests: Limit,
    /// Phrases, per player and match.
    pub(crate) phrases: Limit,
}

/// A gap of this length in the life of a node counts as an outage.
pub(crate) const STANDSTILL: Millis = 3_000;

/// A node without a heartbeat for this long is in trouble. They are a second apart.
pub(crate) const SUSPICIOUS: Millis = 3_000;

const MINUTE: Millis = 60_000;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A poisoned lock is ignored: nothing panics while one is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// A node that does not serve yet.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError`] if the store does not report its time.
    pub async fn new(
        config: Config,
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
    ) -> Result<Arc<Self>, StoreError> {
        const MINUTE: u32 = 60_000;
        let clock = StoreClock::new();
        clock.measure(&*store).await?;
        let now = clock.now();
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let hub = Self {
            config,
            store,
            bus,
            node: secret::id(),
            clock,
            lives: Mutex::default(),
            players: Mutex::default(),
            connections: Mutex::default(),
            addresses: Mutex::default(),
            seeking: Mutex::default(),
            waits: UsualWaits::default(),
            n_connections: AtomicU64::new(0),
            looked_for_begun: AtomicU64::new(now),
            metrics: Metrics::default(),
            errors: ErrorLog::default(),
            limits: RateLimits {
                new: Limit::new(60, 10 * MINUTE),
                passwords: Limit::new(10, 10 * MINUTE),
                hashes: Limit::new(60, MINUTE),
                requests: Limit::new(3_000, MINUTE),
                session_requests: Limit::new(300, MINUTE),
                phrases: Limit::new(4, MINUTE / 6),
            },
            hashing: Semaphore::new(n_cores),
            is_leaving: AtomicBool::new(false),
            claims_after_silence: AtomicU64::new(0),
            claims_told: AtomicU64::new(0),
            outages: Outages::default(),
            made_up: tokio::sync::Mutex::default(),
            alive: AtomicU64::new(0),
            beat: (AtomicU64::new(0), AtomicU64::new(0)),
        };
        let hub = Arc::new(hub);
        hub.note_a_stop().await?;
        Ok(hub)
    }

    /// The current time of the store, in milliseconds.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) async fn measure_time(&self) -> Result<(), StoreError> {
        self.clock.measure(&*self.store).await
    }

    /// Whether the node is shutting down.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::Relaxed)
    }

    /// Begins the shutdown of the node.
    pub(crate) fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
    }

    // Matches in memory.

    /// The match with this id, from memory or from the store; `None` if there is none.
    pub(crate) async fn live(self: &Arc<Self>, id: &str) -> Result<Option<Arc<Live>>, StoreError> {
        if let Some(live) = lock(&self.lives).get(id) {
            return Ok(Some(live.clone()));
        }
        let Some(live) = Live::load(self, id).await? else {
            return Ok(None);
        };
        // Another task may have loaded it meanwhile.
        let live = lock(&self.lives)
            .entry(id.to_owned())
            .or_insert(live)
            .clone();
        Ok(Some(live))
    }

    /// The match with this id, if it is in memory.
    pub(crate) fn live_in_memory(&self, id: &str) -> Option<Arc<Live>> {
        lock(&self.lives).get(id).cloned()
    }

    pub(crate) fn lives(&self) -> Vec<Arc<Live>> {
        lock(&self.lives).values().cloned().collect()
    }

    /// The number of matches in memory.
    pub(crate) fn n_lives(&self) -> usize {
        lock(&self.lives).len()
    }

    /// Drops idle matches from memory.
    pub(crate) fn forget_idle(&self) {
        let now = self.now();
        // A task that has just looked one up holds a reference too.
        lock(&self.lives).retain(|_, live| Arc::strong_count(live) > 1 || !live.is_idle(now));
    }

    /// Drops a match from memory that was loaded for a moment, unless somebody uses it now.
    pub(crate) fn forget(&self, id: &str) {
        let mut lives = lock(&self.lives);
        let is_unused = |live: &Arc<Live>| Arc::strong_count(live) == 1 && !live.has_listeners();
        if lives.get(id).is_some_and(is_unused) {
            lives.remove(id);
        }
    }

    // Sockets.

    pub(crate) fn next_number(&self) -> u64 {
        self.n_connections.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn add(&self, connection: &Arc<Connection>) {
        count(&self.metrics.sockets);
        lock(&self.connections).insert(connection.number, connection.clone());
        if let Some(address) = &connection.address {
            *lock(&self.addresses).entry(address.clone()).or_default() += 1;
        }
        if let Some(player) = &connection.player {
            let mut players = lock(&self.players);
            let sockets = players.entry(player.id.clone()).or_default();
            sockets.push(connection.clone());
        }
    }

    /// Whether an address may have one more socket.
    pub(crate) fn has_room_for(&self, address: &str) -> bool {
        const MOST_SOCKETS: u32 = 200;
        let addresses = lock(&self.addresses);
        addresses.get(address).is_none_or(|&n| n < MOST_SOCKETS)
    }

    /// Removes a socket. Returns whether it was the player's last one on this node.
    pub(crate) fn remove(&self, connection: &Connection) -> bool {
        self.metrics.sockets.fetch_sub(1, Ordering::Relaxed);
        lock(&self.connections).remove(&connection.number);
        if let Some(address) = &connection.address {
            let mut addresses = lock(&self.addresses);
            if let Some(n_sockets) = addresses.get_mut(address) {
                *n_sockets -= 1;
                if *n_sockets == 0 {
                    addresses.remove(address);
                }
            }
        }
        let Some(player) = &connection.player else {
            return false;
        };
        let mut players = lock(&self.players);
        let Some(sockets) = players.get_mut(&player.id) else {
            return false;
        };
        sockets.retain(|other| other.number != connection.number);
        let is_last = sockets.is_empty();
        if is_last {
            players.remove(&player.id);
        }
        is_last
    }

    /// Records whether a player waits in pools. Returns whether they did before.
    pub(crate) fn set_seeking(&self, player: &str, is_seeking: bool) -> bool {
        let mut seeking = lock(&self.seeking);
        if is_seeking {
            !seeking.insert(player.to_owned())
        } else {
            seeking.remove(player)
        }
    }

    pub(crate) fn connections(&self) -> Vec<Arc<Connection>> {
        lock(&self.connections).values().cloned().collect()
    }

    /// Notifies a player that a match begins, whichever node they are connected to.
    pub(crate) async fn tell_paired(&self, player: &str, id: &str, seat: Seat) {
        self.tell_paired_here(player, id, seat);
        if self.store.is_shared() {
            let (player, id) = (player.to_owned(), id.to_owned());
            self.bus.publish(Notice::Paired { player, id, seat }).await;
        }
    }

    pub(crate) fn tell_paired_here(&self, player: &str, id: &str, seat: Seat) {
        let g = id.to_owned();
        let message = Utf8Bytes::from(ServerMessage::Paired { g, seat }.to_json());
        for connection in lock(&self.players).get(player).into_iter().flatten() {
            if connection.mention(&message) {
                connection.note_begun(id, self.now());
            }
        }
    }

    /// The sockets of a player.
    pub(crate) fn sockets_of(&self, player: &str) -> Vec<Arc<Connection>> {
        let players = lock(&self.players);
        players.get(player).cloned().unwrap_or_default()
    }

    /// Handles a player who signed out somewhere, or was renamed or deleted: closes the sockets of
    /// ended sessions on all nodes, and updates the players of matches.
    pub(crate) async fn player_changed(&self, player: &str) -> Result<(), StoreError> {
        if self.store.is_shared() {
            let player = player.to_owned();
            self.bus.publish(Notice::Player { player }).await;
        }
        self.look_at_player(player).await
    }

    pub(crate) async fn look_at_player(&self, player: &str) -> Result<(), StoreError> {
        for connection in self.sockets_of(player) {
            let session = match &connection.token_hash {
                Some(hash) => self.store.session(hash).await?,
                None => None,
            };
            if session.is_none() {
                connection.close();
            }
        }
        for live in self.lives() {
            if live.seat(player).is_some() {
                live.reload(self).await?;
            }
        }
        Ok(())
    }

    // Other nodes, and the store.

    /// Reads the nodes and their last heartbeats from the store.
    pub(crate) async fn read_nodes(&self) -> Result<Vec<ServerNode>, StoreError> {
        let nodes = self.store.nodes().await?;
        let now = self.now();
        for node in nodes.iter().filter(|node| node.id != self.node) {
            let end = node.seen + SILENT_AFTER + MINUTE;
            if now > node.seen + SUSPICIOUS && now < end {
                // Also if it recovers: its players seemed gone meanwhile.
                self.claims_after_silence.fetch_max(end, Ordering::Relaxed);
            }
        }
        Ok(nodes)
    }

    /// Whether another node serves, by its last heartbeat.
    pub(crate) async fn find_live_peer(&self) -> bool {
        if !self.store.is_shared() {
            return false;
        }
        let nodes = self.read_nodes().await;
        self.note_result(&nodes);
        let now = self.now();
        let is_live = |node: &ServerNode| node.id != self.node && now < node.seen + SUSPICIOUS;
        nodes.is_ok_and(|nodes| nodes.iter().any(is_live))
    }

    /// From when matches can be claimed: a minute after a node died or the store was not
    /// available, since then it may be our fault that a player is gone. `Millis::MAX` while the
    /// store is not available.
    pub(crate) fn claims_from(&self) -> Millis {
        let after_outage = self.outages.last().map_or(0, |outage| {
            outage.ended.map_or(Millis::MAX, |ended| ended + MINUTE)
        });
        let after_silence = self.claims_after_silence.load(Ordering::Relaxed);
        after_outage.max(after_silence)
    }

    /// Whether [`claims_from`](Self::claims_from) has changed since this was last called.
    pub(crate) fn have_claims_moved(&self) -> bool {
        let from = self.claims_from();
        self.claims_told.swap(from, Ordering::Relaxed) != from
    }

    /// Records that this process runs. A gap, because the process or the machine was suspended or
    /// the time jumped, is an outage.
    pub(crate) fn notice_standstill(&self) {
        let now = self.now();
        let last = self.alive.fetch_max(now, Ordering::Relaxed);
        if last > 0 && now > last + STANDSTILL {
            self.outages.add(Outage {
                began: last,
                ended: Some(now),
            });
        }
    }

    /// Records the start of a heartbeat.
    pub(crate) fn note_beat_begins(&self) {
        self.beat.0.store(self.now(), Ordering::Relaxed);
        self.beat.1.store(u64::MAX, Ordering::Relaxed);
    }

    /// Records the end of a heartbeat.
    pub(crate) fn note_beat_ends(&self) {
        let took = self
            .now()
            .saturating_sub(self.beat.0.load(Ordering::Relaxed));
        self.beat.1.store(took, Ordering::Relaxed);
    }

    /// Whether the store is slow. Then load is shed: running matches go on, but nothing new begins,
    /// and there are no new spectators.
    pub(crate) fn is_store_slow(&self) -> bool {
        const SLOW: Millis = 5_000;
        let began = self.beat.0.load(Ordering::Relaxed);
        let took = self.beat.1.load(Ordering::Relaxed);
        took.min(self.now().saturating_sub(began)) >= SLOW
    }
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hub")
            .field("node", &self.node)
            .finish_non_exhaustive()
    }
}
