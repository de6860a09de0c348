use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use axum::extract::ws::Utf8Bytes;
use protocol::{Seat, ServerMessage};
use store::{Millis, Node, SILENT_AFTER, Store, StoreError};
use tokio::sync::Semaphore;

use crate::{
    bus::{Bus, Hint},
    connection::Connection,
    limit::Limit,
    live::Live,
    metrics::{Metrics, count},
    origin::PublicUrl,
    secret,
    time::Clock,
};

/// What an operator chooses.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address that people use.
    pub url: PublicUrl,
    /// Addresses of proxies whose `X-Forwarded-For` is believed.
    pub proxies: Vec<std::net::IpAddr>,
    /// The files of the page.
    pub files: &'static [page::File],
}

/// One node: what all its sockets and requests share.
pub struct Hub {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    /// Names this process.
    pub(crate) node: String,
    clock: Clock,
    lives: Mutex<HashMap<String, Arc<Live>>>,
    /// The sockets of each player who is connected.
    players: Mutex<HashMap<String, Vec<Arc<Connection>>>>,
    connections: Mutex<HashMap<u64, Arc<Connection>>>,
    /// How many sockets each address has.
    addresses: Mutex<HashMap<String, u32>>,
    /// The players who wait in pools, by a socket of this node.
    seeking: Mutex<HashSet<String>>,
    n_connections: AtomicU64,
    pub(crate) metrics: Metrics,
    pub(crate) limits: Limits,
    /// Hashing a password takes a core and 19 MiB.
    pub(crate) hashing: Semaphore,
    is_leaving: AtomicBool,
    /// The nodes when we last looked.
    nodes: Mutex<Vec<Node>>,
    outage: Mutex<Option<Outage>>,
    /// When this process last ran; 0 before it serves.
    alive: AtomicU64,
}

/// A time in which the store did not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outage {
    /// When it last answered before.
    pub(crate) began: Millis,
    /// When it answered again.
    pub(crate) ended: Option<Millis>,
}

/// How often things may be done.
pub(crate) struct Limits {
    /// New guests, accounts and challenges of an address.
    pub(crate) new: Limit,
    /// Wrong passwords for a name.
    pub(crate) passwords: Limit,
    /// Other requests of an address.
    pub(crate) requests: Limit,
    /// Phrases of a player in a match.
    pub(crate) phrases: Limit,
}

/// A node that was not alive for so long did not serve anybody.
pub(crate) const STANDSTILL: Millis = 3_000;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that panics is done while one of these is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// A node that has not begun to serve.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError`] if the store does not tell the time.
    pub async fn new(
        config: Config,
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
    ) -> Result<Arc<Self>, StoreError> {
        const MINUTE: u32 = 60_000;
        let clock = Clock::new();
        clock.measure(&*store).await?;
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
            n_connections: AtomicU64::new(0),
            metrics: Metrics::default(),
            limits: Limits {
                new: Limit::new(60, 10 * MINUTE),
                passwords: Limit::new(10, 10 * MINUTE),
                requests: Limit::new(300, MINUTE),
                phrases: Limit::new(4, MINUTE / 6),
            },
            hashing: Semaphore::new(n_cores),
            is_leaving: AtomicBool::new(false),
            nodes: Mutex::default(),
            outage: Mutex::default(),
            alive: AtomicU64::new(0),
        };
        let hub = Arc::new(hub);
        hub.note_a_stop().await?;
        Ok(hub)
    }

    /// The time of the store, in milliseconds.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) async fn measure_time(&self) -> Result<(), StoreError> {
        self.clock.measure(&*self.store).await
    }

    /// Whether the node has been told to stop.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::Relaxed)
    }

    /// Notes that the node has been told to stop.
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
        // Somebody else may have been faster.
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

    /// How many matches are in memory.
    pub(crate) fn n_lives(&self) -> usize {
        lock(&self.lives).len()
    }

    /// Forgets matches that nobody has looked at for a while.
    pub(crate) fn forget_idle(&self) {
        let now = self.now();
        // Somebody who has just been given one holds it too.
        lock(&self.lives).retain(|_, live| Arc::strong_count(live) > 1 || !live.is_idle(now));
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

    /// Returns whether it was the player's last socket here.
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

    /// Notes whether a player waits in pools. Returns whether they did.
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

    /// Tells a player that a match begins, wherever they are connected.
    pub(crate) async fn tell_paired(&self, player: &str, id: &str, seat: Seat) {
        self.tell_paired_here(player, id, seat);
        if self.bus.is_shared() {
            let (player, id) = (player.to_owned(), id.to_owned());
            self.bus.publish(Hint::Paired { player, id, seat }).await;
        }
    }

    pub(crate) fn tell_paired_here(&self, player: &str, id: &str, seat: Seat) {
        let g = id.to_owned();
        let message = Utf8Bytes::from(ServerMessage::Paired { g, seat }.to_json());
        for connection in lock(&self.players).get(player).into_iter().flatten() {
            connection.mention(&message);
        }
    }

    /// A player signed out somewhere, or is no longer a player: the sockets whose session is
    /// over are closed, on all nodes, and matches show who plays.
    pub(crate) async fn player_changed(&self, player: &str) -> Result<(), StoreError> {
        if self.bus.is_shared() {
            let player = player.to_owned();
            self.bus.publish(Hint::Player { player }).await;
        }
        self.look_at_player(player).await
    }

    pub(crate) async fn look_at_player(&self, player: &str) -> Result<(), StoreError> {
        let sockets = lock(&self.players).get(player).cloned();
        for connection in sockets.into_iter().flatten() {
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

    pub(crate) fn set_nodes(&self, nodes: Vec<Node>) {
        *lock(&self.nodes) = nodes;
    }

    /// Whether a node has been silent for so long that something is wrong with it.
    pub(crate) fn is_silent(&self, node: &str) -> bool {
        const SUSPICIOUS: Millis = 3_000;
        let now = self.now();
        let nodes = lock(&self.nodes);
        let seen = nodes
            .iter()
            .find(|known| known.id == node)
            .map(|known| known.seen);
        node != self.node && seen.is_none_or(|seen| now > seen + SUSPICIOUS)
    }

    /// Whether a node died in the last minute without leaving, or the store was not there.
    pub(crate) fn had_trouble(&self) -> bool {
        const MINUTE: Millis = 60_000;
        const SUSPICIOUS: Millis = 3_000;
        let now = self.now();
        let died = lock(&self.nodes).iter().any(|node| {
            let silent = now.saturating_sub(node.seen);
            node.id != self.node && (SUSPICIOUS..MINUTE + SILENT_AFTER).contains(&silent)
        });
        let outage = self.outage();
        died || outage.is_some_and(|outage| outage.ended.is_none_or(|ended| now < ended + MINUTE))
    }

    /// Notes that this process runs. If it did not for a while, because it or the whole machine
    /// stood still, or the time jumped, that was an outage.
    pub(crate) fn notice_standstill(&self) {
        let now = self.now();
        let last = self.alive.fetch_max(now, Ordering::Relaxed);
        if last > 0 && now > last + STANDSTILL {
            self.set_outage(Outage {
                began: last,
                ended: Some(now),
            });
        }
    }

    pub(crate) fn outage(&self) -> Option<Outage> {
        *lock(&self.outage)
    }

    pub(crate) fn set_outage(&self, outage: Outage) {
        *lock(&self.outage) = Some(outage);
    }
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hub")
            .field("node", &self.node)
            .finish_non_exhaustive()
    }
}
