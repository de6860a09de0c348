//! A match in memory: a cache of its log, and its subscribers.

mod acting;
mod listening;
mod nodes;
mod saying;
mod seats;

use std::{
    collections::HashMap,
    slice,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::extract::ws::Utf8Bytes;
use protocol::{Action, ActionName, Event, OfferKind, Seat, Seats};
use referee::{Extent, State, claim_delay};
use store::{Millis, PlayerId, Profile, RatingChange, StoreError, StoredEvent, StoredMatch};
use tokio::sync::Mutex;

use self::seats::seat_player;
pub(crate) use self::{
    acting::{Acted, MatchRequest, No},
    nodes::FormerNode,
    seats::{seats, whole},
};
use crate::{connection::Connection, hub::Hub, terms::stored_terms};

/// How long an unused match stays in memory.
const IDLE: Millis = 30_000;

/// The prefix of the cause of events that give back time after an outage.
const OUTAGE: &str = "outage:";

/// The same after the death of a node, whose last heartbeat is before the seat at the end.
const NODE: &str = "node:";

pub(crate) struct Live {
    pub(crate) id: String,
    /// The players, in the order of their seats.
    pub(crate) players: [String; 2],
    inner: Mutex<Inner>,
    /// When the clock of the player to move expires; `u64::MAX` if never. For sweeps.
    deadline: AtomicU64,
    version: AtomicU64,
    /// When a subscriber last left.
    left: AtomicU64,
}

struct Inner {
    state: State,
    /// The events, and when they were stored.
    log: Vec<(Event, Millis)>,
    /// The requests that were carried out, and the versions of their events.
    causes: HashMap<String, u64>,
    seats: Seats,
    listeners: Vec<Listener>,
    /// When each player disconnected; `None` if they are connected, or it is unknown.
    gone: [Option<Millis>; 2],
    /// The last outage that was compensated.
    outage: Option<Millis>,
    /// The last compensated outage: when it began, and when that was done.
    made_up: (Millis, Millis),
    /// Until when each player got time back because their node had died: when they came to
    /// another, or before.
    came_over: [Millis; 2],
}

struct Listener {
    connection: Arc<Connection>,
    seat: Option<Seat>,
}

impl Live {
    /// Loads a match from the store; `None` if there is none.
    pub(crate) async fn load(hub: &Arc<Hub>, id: &str) -> Result<Option<Arc<Self>>, StoreError> {
        let Some(stored) = hub.store.load_match(id).await? else {
            return Ok(None);
        };
        let mut inner = Inner::new(hub, &stored).await?;
        if hub.store.is_shared() {
            // Only read: another task may have loaded it, and have players.
            for presence in hub.store.presence(slice::from_ref(&stored.head.id)).await? {
                inner.gone[presence.seat as usize] = None;
            }
        }
        let live = Self {
            id: id.to_owned(),
            players: [stored.head.first, stored.head.second],
            deadline: AtomicU64::new(inner.state.deadline().unwrap_or(u64::MAX)),
            version: AtomicU64::new(inner.state.version()),
            inner: Mutex::new(inner),
            left: AtomicU64::new(hub.now()),
        };
        Ok(Some(Arc::new(live)))
    }

    /// Loads the match again, because a player changed, and sends it to all subscribers.
    pub(crate) async fn reload(&self, hub: &Hub) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        self.read_again(hub, &mut inner).await
    }

    /// Loads the match again if the players, as just read from the store, are not those in memory:
    /// the notice that one of them was renamed or deleted may be lost.
    pub(crate) async fn compare_players(
        &self,
        hub: &Hub,
        profiles: &HashMap<PlayerId, Profile>,
    ) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        let is_same = |seat: Seat| {
            let known = &inner.seats.get(seat).player;
            *known == seat_player(profiles.get(&known.id), &known.id)
        };
        if Seat::BOTH.into_iter().all(is_same) {
            return Ok(());
        }
        self.read_again(hub, &mut inner).await
    }

    async fn read_again(&self, hub: &Hub, inner: &mut Inner) -> Result<(), StoreError> {
        let Some(stored) = hub.store.load_match(&self.id).await? else {
            return Ok(());
        };
        let read = Inner::new(hub, &stored).await?;
        // Subscribers are not in the store.
        *inner = Inner {
            listeners: std::mem::take(&mut inner.listeners),
            gone: inner.gone,
            outage: inner.outage,
            ..read
        };
        self.note_state(&inner.state);
        for listener in &inner.listeners {
            let state = self.state_message(hub, inner, listener.seat);
            listener.connection.tell(&self.id, &state);
        }
        Ok(())
    }

    /// The seat of a player, if they play.
    pub(crate) fn seat(&self, player: &str) -> Option<Seat> {
        let mut seats = Seat::BOTH.into_iter().zip(&self.players);
        seats.find(|(_, id)| *id == player).map(|(seat, _)| seat)
    }

    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// Whether the clock of the player to move has expired, by the cached deadline.
    pub(crate) fn is_due(&self, now: Millis) -> bool {
        now > self.deadline.load(Ordering::Relaxed)
    }

    /// Whether the match has subscribers, or may get some now.
    pub(crate) fn has_listeners(&self) -> bool {
        let inner = self.inner.try_lock();
        inner.map_or(true, |inner| !inner.listeners.is_empty())
    }

    pub(crate) fn is_idle(&self, now: Millis) -> bool {
        !self.has_listeners() && now > self.left.load(Ordering::Relaxed) + IDLE
    }
}

impl Inner {
    async fn new(hub: &Hub, stored: &StoredMatch) -> Result<Self, StoreError> {
        let head = &stored.head;
        let broken = |what: &str| StoreError::Broken(format!("match {}: {what}", head.id));
        let terms = stored_terms(&head.game, &head.options, &head.clock, head.rated);
        let terms = terms.ok_or_else(|| broken("its terms"))?;
        let state = State::new(terms, head.created).map_err(|error| broken(&error.to_string()))?;
        let mut inner = Self {
            state,
            log: Vec::new(),
            causes: HashMap::new(),
            seats: seats(hub, head).await?,
            listeners: Vec::new(),
            gone: [Some(hub.now()); 2],
            outage: None,
            made_up: (0, 0),
            came_over: [0; 2],
        };
        for event in &stored.events {
            inner.apply(event).map_err(|error| broken(&error))?;
        }
        inner.note_changes(&stored.rating_changes);
        Ok(inner)
    }

    /// Applies a stored event.
    fn apply(&mut self, stored: &StoredEvent) -> Result<(), String> {
        let event = Event::parse(&stored.body).map_err(|error| error.to_string())?;
        let applied = self.state.apply(&event, stored.time);
        applied.map_err(|error| error.to_string())?;
        if let Some(cause) = &stored.cause {
            self.note_cause(cause.clone(), &event, stored.version, stored.time);
        }
        self.log.push((event, stored.time));
        Ok(())
    }

    /// Records the cause of the event with this version.
    fn note_cause(&mut self, cause: String, event: &Event, version: u64, time: Millis) {
        let mut parts = cause.rsplit(':').map(|part| part.parse().ok());
        if cause.starts_with(OUTAGE) && time > self.made_up.1 {
            let began = parts.next().flatten();
            self.made_up = (began.unwrap_or(time), time);
        } else if let Event::Time { to, ms } = event
            && cause.starts_with(NODE)
        {
            let seen: Millis = parts.nth(1).flatten().unwrap_or(0);
            let came_over = &mut self.came_over[*to as usize];
            *came_over = seen.saturating_add(*ms).max(*came_over);
        }
        self.causes.insert(cause, version);
    }

    /// Whether the player at `seat` is connected to this node.
    fn is_here(&self, seat: Seat) -> bool {
        let mut listeners = self.listeners.iter();
        listeners.any(|listener| listener.seat == Some(seat))
    }

    fn tell_all(&self, id: &str, message: &Utf8Bytes) {
        for listener in &self.listeners {
            listener.connection.tell(id, message);
        }
    }

    fn events(&self) -> impl Iterator<Item = &Event> {
        self.log.iter().map(|(event, _)| event)
    }

    fn record(&self, extent: Extent) -> Option<String> {
        let name = |seat| self.seats.get(seat).player.name.as_str();
        let names = [name(Seat::First), name(Seat::Second)];
        let record = referee::record(self.state.terms(), names, self.events(), extent).ok()?;
        Some(record.to_string())
    }

    /// The record after `event`, for the store: without names, since players may change or delete
    /// them.
    fn nameless_record(&self, event: &Event) -> Option<String> {
        let log = self.events().chain([event]);
        let record = referee::record(self.state.terms(), ["", ""], log, Extent::Whole).ok()?;
        Some(record.to_string())
    }

    /// When the other player may claim the match because the one at `seat` is gone; `None` if that
    /// is not known.
    fn claim_time(&self, hub: &Hub, seat: Seat) -> Option<Millis> {
        let since = self.gone[seat as usize].filter(|_| self.state.is_playing())?;
        let time = since + claim_delay(self.state.terms().control)?;
        Some(time.max(hub.claims_from())).filter(|&time| time < Millis::MAX)
    }

    /// Whether the action makes a rematch certain: it accepts the offer of the other player,
    /// or offers what the other has offered too.
    fn is_rematch(&self, by: Seat, action: &Action) -> bool {
        let mut offers = self.state.offers().iter();
        let offer = offers.find(|offer| offer.what == OfferKind::Rematch && offer.by != by);
        offer.is_some_and(|offer| match action.what {
            ActionName::Rematch => true,
            ActionName::Accept => action.of == Some(offer.of),
            _ => false,
        })
    }

    fn note_changes(&mut self, changes: &[RatingChange]) {
        for seat in [&mut self.seats.first, &mut self.seats.second] {
            let mut changes = changes.iter();
            if let Some(change) = changes.find(|change| change.player == seat.player.id) {
                seat.rating = Some(whole(change.after));
                seat.change = Some(whole(change.after) - whole(change.before));
            }
        }
    }
}
