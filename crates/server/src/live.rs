//! A match in memory: a cache of its log, and who listens.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::extract::ws::Utf8Bytes;
use protocol::{
    Action, ActionName, ClaimAs, Event, MatchInfo, OfferKind, Player, Refusal, Seat, SeatInfo,
    Seats, ServerMessage, Speed, StateMessage, TurnMessage,
};
use referee::{Denial, Intent, State, claim_delay, decide};
use store::{
    Append, Appended, Created, MatchHead, Millis, Profile, ProfileKind, RatingChange, StoreError,
    StoredEvent,
};
use tokio::sync::Mutex;

use crate::{
    bus::Hint,
    connection::Connection,
    hub::{Hub, Outage},
    metrics::count,
    terms::{head, in_order, new_match, options_json, stored_terms},
};

/// How often a decision is made again because another node was first.
const MOST_TRIES: usize = 3;

/// How long a match stays in memory that nobody looks at.
const IDLE: Millis = 30_000;

pub(crate) struct Live {
    pub(crate) id: String,
    /// The players, in the order of their seats.
    pub(crate) players: [String; 2],
    inner: Mutex<Inner>,
    /// When the time of the player to move is up; `u64::MAX` if never. For sweeps.
    deadline: AtomicU64,
    version: AtomicU64,
    /// When somebody last left.
    left: AtomicU64,
}

struct Inner {
    state: State,
    log: Vec<Event>,
    /// The requests that were carried out, and the version of what came of them.
    causes: HashMap<String, u64>,
    seats: Seats,
    listeners: Vec<Listener>,
    /// Since when each player is gone; `None` if they are here, or nobody knows.
    gone: [Option<Millis>; 2],
    /// The outage of the store that was made up for.
    outage: Option<Millis>,
}

struct Listener {
    connection: Arc<Connection>,
    seat: Option<Seat>,
}

/// A request that was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct No {
    pub(crate) why: Refusal,
    pub(crate) message: String,
    pub(crate) version: u64,
}

impl No {
    fn unavailable(version: u64) -> Self {
        Self {
            why: Refusal::Unavailable,
            message: "the store does not answer: send it again".to_owned(),
            version,
        }
    }
}

/// A request that was carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Acted {
    /// The version of what came of it, which is stored.
    pub(crate) version: u64,
    /// Whether the player has been told.
    pub(crate) is_acknowledged: bool,
}

/// What a player asks for.
pub(crate) enum Request<'a> {
    Turn(&'a TurnMessage),
    Do(&'a Action),
}

impl Request<'_> {
    fn id(&self) -> u64 {
        match self {
            Self::Turn(turn) => turn.id,
            Self::Do(action) => action.id,
        }
    }
}

/// What became of an event that was to be stored.
enum Commit {
    Done(u64),
    Repeated(u64),
    Stale,
}

fn seat_player(profile: Option<Profile>, id: &str) -> Player {
    let (name, kind) = match profile {
        Some(profile) => (profile.name, profile.kind),
        None => (String::new(), ProfileKind::Deleted),
    };
    Player {
        id: id.to_owned(),
        name,
        guest: kind == ProfileKind::Guest,
        bot: kind == ProfileKind::Bot,
        deleted: kind == ProfileKind::Deleted,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "ratings have four digits")]
pub(crate) fn whole(rating: f64) -> i32 {
    rating.round() as i32
}

/// Who plays a match, with their ratings.
pub(crate) async fn seats(hub: &Hub, head: &MatchHead) -> Result<Seats, StoreError> {
    let terms = stored_terms(&head.game, &head.options, &head.clock, head.rated);
    let speed = Speed::of(terms.and_then(|terms| terms.control)).name();
    let mut infos = Vec::new();
    for seat in Seat::BOTH {
        let id = head.player(seat);
        let player = seat_player(hub.store.player(id).await?, id);
        let rating = if player.guest || player.deleted {
            None
        } else {
            let ratings = hub.store.ratings_of(id).await?;
            ratings
                .into_iter()
                .find(|rating| rating.game == head.game && rating.speed == speed)
        };
        infos.push(SeatInfo {
            player,
            provisional: rating
                .as_ref()
                .is_some_and(|rating| rating.rating.is_provisional()),
            rating: rating.map(|rating| whole(rating.rating.rating)),
            change: None,
        });
    }
    let mut infos = infos.into_iter();
    let (first, second) = infos.next().zip(infos.next()).expect("there are two seats");
    Ok(Seats { first, second })
}

impl Live {
    /// Reads a match; `None` if there is none.
    pub(crate) async fn load(hub: &Arc<Hub>, id: &str) -> Result<Option<Arc<Self>>, StoreError> {
        let Some(stored) = hub.store.load_match(id).await? else {
            return Ok(None);
        };
        let head = &stored.head;
        let broken = |what: &str| StoreError::Broken(format!("match {id}: {what}"));
        let terms = stored_terms(&head.game, &head.options, &head.clock, head.rated);
        let terms = terms.ok_or_else(|| broken("its terms"))?;
        let state = State::new(terms, head.created).map_err(|error| broken(&error.to_string()))?;
        let now = hub.now();
        let mut inner = Inner {
            state,
            log: Vec::new(),
            causes: HashMap::new(),
            seats: seats(hub, head).await?,
            listeners: Vec::new(),
            gone: [Some(now); 2],
            outage: hub.outage().map(|outage| outage.began),
        };
        for event in &stored.events {
            inner.apply(event).map_err(|error| broken(&error))?;
        }
        inner.note_changes(&stored.rating_changes);
        let live = Self {
            id: id.to_owned(),
            players: [head.first.clone(), head.second.clone()],
            deadline: AtomicU64::new(inner.state.deadline().unwrap_or(u64::MAX)),
            version: AtomicU64::new(inner.state.version()),
            inner: Mutex::new(inner),
            left: AtomicU64::new(now),
        };
        if hub.bus.is_shared() {
            live.look_who_is_here(hub).await?;
        }
        Ok(Some(Arc::new(live)))
    }

    /// The seat of a player, if they play.
    pub(crate) fn seat(&self, player: &str) -> Option<Seat> {
        let mut seats = Seat::BOTH.into_iter().zip(&self.players);
        seats.find(|(_, id)| *id == player).map(|(seat, _)| seat)
    }

    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// Whether the time of the player to move is up, roughly.
    pub(crate) fn is_due(&self, now: Millis) -> bool {
        now > self.deadline.load(Ordering::Relaxed)
    }

    pub(crate) fn is_idle(&self, now: Millis) -> bool {
        let has_listeners = self
            .inner
            .try_lock()
            .map_or(true, |inner| !inner.listeners.is_empty());
        !has_listeners && now > self.left.load(Ordering::Relaxed) + IDLE
    }

    // Who listens.

    /// Lets a socket hear what happens from now on, and sends it what it needs to follow: the
    /// events after version `v`, or the whole state.
    pub(crate) async fn join(&self, hub: &Hub, connection: &Arc<Connection>, v: Option<u64>) {
        let seat = connection
            .player
            .as_ref()
            .and_then(|player| self.seat(&player.id));
        let mut inner = self.inner.lock().await;
        if let Err(error) = self.catch_up(hub, &mut inner).await {
            hub.note_store_error(&error);
        }
        inner
            .listeners
            .retain(|listener| listener.connection.number != connection.number);
        let connected = connection.clone();
        inner.listeners.push(Listener {
            connection: connected,
            seat,
        });
        let messages = v.and_then(|v| self.messages_after(hub, &inner, v));
        let messages = messages.unwrap_or_else(|| vec![self.state_message(hub, &inner, seat)]);
        for message in messages {
            connection.tell(&self.id, &message);
        }
        if let Some(seat) = seat
            && inner.gone[seat as usize].take().is_some()
        {
            let here = self.here_message(&inner, seat);
            inner.tell_all(&self.id, &here);
        }
        drop(inner);
        if let Some(seat) = seat
            && hub.bus.is_shared()
        {
            let stored = hub.store.set_presence(&self.id, seat, &hub.node).await;
            hub.note_result(&stored);
            let id = self.id.clone();
            hub.bus.publish(Hint::Presence { id }).await;
        }
    }

    /// The events after version `v`, if there are some, but not too many.
    fn messages_after(&self, hub: &Hub, inner: &Inner, v: u64) -> Option<Vec<Utf8Bytes>> {
        const MOST: u64 = 40;
        let version = inner.state.version();
        if v >= version || version - v > MOST {
            return None;
        }
        // What the position was after each of them is not kept.
        let mut state = State::new(inner.state.terms().clone(), inner.state.created()).ok()?;
        let mut messages = Vec::new();
        for event in &inner.log {
            state.apply(event, hub.now()).ok()?;
            if state.version() == version {
                messages.push(self.event_message(hub, &inner.state, event));
            } else if state.version() > v {
                messages.push(self.event_message(hub, &state, event));
            }
        }
        Some(messages)
    }

    /// A socket no longer listens.
    pub(crate) async fn leave(&self, hub: &Hub, connection: &Connection) {
        let mut inner = self.inner.lock().await;
        let before = inner.listeners.len();
        inner
            .listeners
            .retain(|listener| listener.connection.number != connection.number);
        if inner.listeners.len() == before {
            return;
        }
        let now = hub.now();
        self.left.store(now, Ordering::Relaxed);
        let seat = connection
            .player
            .as_ref()
            .and_then(|player| self.seat(&player.id));
        let Some(seat) = seat else {
            return;
        };
        if inner
            .listeners
            .iter()
            .any(|listener| listener.seat == Some(seat))
        {
            return;
        }
        if hub.bus.is_shared() {
            drop(inner);
            let removed = hub.store.remove_presence(&self.id, seat, &hub.node).await;
            hub.note_result(&removed);
            let looked = self.look_who_is_here(hub).await;
            hub.note_result(&looked);
            let id = self.id.clone();
            hub.bus.publish(Hint::Presence { id }).await;
            return;
        }
        inner.gone[seat as usize] = Some(now);
        let here = self.here_message(&inner, seat);
        inner.tell_all(&self.id, &here);
    }

    /// Asks the store who is connected to other nodes, and tells listeners what changed.
    pub(crate) async fn look_who_is_here(&self, hub: &Hub) -> Result<(), StoreError> {
        let presences = hub.store.presence(&self.id).await?;
        let mut inner = self.inner.lock().await;
        for seat in Seat::BOTH {
            let is_local = inner
                .listeners
                .iter()
                .any(|listener| listener.seat == Some(seat));
            let is_here = is_local || presences.iter().any(|presence| presence.seat == seat);
            if is_here == inner.gone[seat as usize].is_none() {
                continue;
            }
            inner.gone[seat as usize] = (!is_here).then(|| hub.now());
            let here = self.here_message(&inner, seat);
            inner.tell_all(&self.id, &here);
        }
        Ok(())
    }

    fn here_message(&self, inner: &Inner, seat: Seat) -> Utf8Bytes {
        let message = ServerMessage::Here {
            g: self.id.clone(),
            seat,
            is: inner.gone[seat as usize].is_none(),
            claim: inner.claim_time(seat),
        };
        message.to_json().into()
    }

    // What happens.

    /// Does what a player asks for.
    pub(crate) async fn act(
        &self,
        hub: &Arc<Hub>,
        connection: &Connection,
        seat: Seat,
        request: &Request<'_>,
        now: Millis,
    ) -> Result<Acted, No> {
        let cause = format!("{seat}:{}", request.id());
        let mut inner = self.inner.lock().await;
        for _ in 0..MOST_TRIES {
            if let Some(&version) = inner.causes.get(&cause) {
                return Ok(Acted {
                    version,
                    is_acknowledged: false,
                });
            }
            let made_up = self.make_up_for_outage(hub, &mut inner, now).await;
            made_up.map_err(|error| self.fail(hub, &inner, &error))?;
            let event = match request {
                Request::Do(action) if inner.is_rematch(seat, action) => {
                    let next = self.create_rematch(hub, &inner).await;
                    let g = next.map_err(|error| self.fail(hub, &inner, &error))?;
                    decide(&inner.state, &Intent::Rematch { g }, now)
                }
                _ => {
                    let round_trip = connection.round_trip();
                    let intent = self.intent(hub, &inner, seat, request, round_trip);
                    decide(&inner.state, &intent, now)
                }
            };
            let (event, is_late) = match event {
                Ok(event) => (event, false),
                Err(Denial::Late(event)) => (event, true),
                Err(Denial::Refused(why, message)) => {
                    // Perhaps it is this cache that is wrong.
                    let is_behind = why == Refusal::Stale || why == Refusal::NotYourTurn;
                    let caught_up = if is_behind {
                        let caught_up = self.catch_up(hub, &mut inner).await;
                        caught_up.map_err(|error| self.fail(hub, &inner, &error))?
                    } else {
                        false
                    };
                    if caught_up {
                        continue;
                    }
                    let version = inner.state.version();
                    return Err(No {
                        why,
                        message,
                        version,
                    });
                }
            };
            let cause = (!is_late).then(|| cause.clone());
            let mut is_acknowledged = false;
            let acknowledge = |version| {
                let ok = ServerMessage::Ok {
                    id: request.id(),
                    g: Some(self.id.clone()),
                    v: Some(version),
                };
                is_acknowledged = !is_late && connection.try_answer(ok.to_json().into());
            };
            let committed = self
                .commit(hub, &mut inner, event, cause, now, acknowledge)
                .await;
            match committed.map_err(|error| self.fail(hub, &inner, &error))? {
                Commit::Done(version) if is_late => {
                    return Err(No {
                        why: Refusal::Over,
                        message: "the time is up".to_owned(),
                        version,
                    });
                }
                Commit::Done(version) | Commit::Repeated(version) => {
                    return Ok(Acted {
                        version,
                        is_acknowledged,
                    });
                }
                Commit::Stale => {}
            }
        }
        Err(No::unavailable(inner.state.version()))
    }

    fn fail(&self, hub: &Hub, inner: &Inner, error: &StoreError) -> No {
        hub.note_store_error(error);
        No::unavailable(inner.state.version())
    }

    fn intent(
        &self,
        hub: &Hub,
        inner: &Inner,
        by: Seat,
        request: &Request<'_>,
        round_trip: u64,
    ) -> Intent {
        let action = match request {
            Request::Turn(turn) => {
                return Intent::Turn {
                    by,
                    at: turn.at,
                    m: turn.m.clone(),
                    ms: turn.ms,
                    round_trip,
                };
            }
            Request::Do(action) => action,
        };
        let of = action.of.unwrap_or(0);
        match action.what {
            ActionName::Resign => Intent::Resign { by },
            ActionName::Draw => Intent::Offer {
                by,
                what: OfferKind::Draw,
            },
            ActionName::Takeback => Intent::Offer {
                by,
                what: OfferKind::Takeback,
            },
            ActionName::Rematch => Intent::Offer {
                by,
                what: OfferKind::Rematch,
            },
            ActionName::Accept => Intent::Accept { by, of },
            ActionName::Decline => Intent::Decline { by, of },
            ActionName::Abort => Intent::Abort { by },
            ActionName::Claim => Intent::Claim {
                by,
                result: action.result.unwrap_or(ClaimAs::Win),
                // Nobody loses because one of our nodes died.
                gone_since: inner.gone[!by as usize].filter(|_| !hub.had_trouble()),
            },
            ActionName::Say => Intent::Say {
                by,
                phrase: action.phrase.unwrap_or(0),
            },
        }
    }

    /// Ends the match if the time of the player to move is up.
    pub(crate) async fn check_time(&self, hub: &Arc<Hub>) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        for _ in 0..MOST_TRIES {
            let now = hub.now();
            self.make_up_for_outage(hub, &mut inner, now).await?;
            let Ok(event) = decide(&inner.state, &Intent::TimeIsUp, now) else {
                return Ok(());
            };
            if hub.bus.is_shared() && self.waits_for_dead_node(hub, &inner, now).await? {
                return Ok(());
            }
            match self.commit(hub, &mut inner, event, None, now, drop).await? {
                Commit::Done(_) | Commit::Repeated(_) => return Ok(()),
                Commit::Stale => {}
            }
        }
        Ok(())
    }

    /// Whether the player to move was connected to a node that has just died. They get the time
    /// back, as soon as it is certain.
    async fn waits_for_dead_node(
        &self,
        hub: &Hub,
        inner: &Inner,
        now: Millis,
    ) -> Result<bool, StoreError> {
        let deadline = inner.state.deadline().unwrap_or(0);
        if now > deadline + store::SILENT_AFTER + 5_000 {
            return Ok(false);
        }
        let presences = hub.store.presence(&self.id).await?;
        let turn = inner.state.turn();
        let mut presences = presences.iter().filter(|presence| presence.seat == turn);
        Ok(presences.any(|presence| hub.is_silent(&presence.node)))
    }

    /// Gives back time that a player lost by our fault. `cause` makes sure it is given once.
    pub(crate) async fn give_time(
        &self,
        hub: &Arc<Hub>,
        to: Option<Seat>,
        ms: u64,
        cause: &str,
    ) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        self.catch_up(hub, &mut inner).await?;
        self.give(hub, &mut inner, to, ms, cause).await
    }

    async fn give(
        &self,
        hub: &Arc<Hub>,
        inner: &mut Inner,
        to: Option<Seat>,
        ms: u64,
        cause: &str,
    ) -> Result<(), StoreError> {
        for _ in 0..MOST_TRIES {
            let now = hub.now();
            // Only a clock that is running has lost time.
            let running = inner.state.clock(now).and_then(|clock| clock.running);
            let Some(to) = running.filter(|&running| to.is_none_or(|to| to == running)) else {
                return Ok(());
            };
            let Ok(event) = decide(&inner.state, &Intent::GiveTime { to, ms }, now) else {
                return Ok(());
            };
            let cause = Some(cause.to_owned());
            match self.commit(hub, inner, event, cause, now, drop).await? {
                Commit::Done(_) | Commit::Repeated(_) => return Ok(()),
                Commit::Stale => {}
            }
        }
        Ok(())
    }

    /// If the store was not there while the player to move was thinking, the time of that
    /// outage is not theirs.
    async fn make_up_for_outage(
        &self,
        hub: &Arc<Hub>,
        inner: &mut Inner,
        now: Millis,
    ) -> Result<(), StoreError> {
        let Some(Outage { began, ended }) = hub.outage() else {
            return Ok(());
        };
        if inner.outage == Some(began) {
            return Ok(());
        }
        let ms = ended.unwrap_or(now).saturating_sub(began);
        let cause = format!("outage:{}:{began}", hub.node);
        self.give(hub, inner, None, ms, &cause).await?;
        inner.outage = Some(began);
        Ok(())
    }

    /// Stores an event, acknowledges it, and then tells everybody.
    async fn commit(
        &self,
        hub: &Arc<Hub>,
        inner: &mut Inner,
        event: Event,
        cause: Option<String>,
        now: Millis,
        acknowledge: impl FnOnce(u64),
    ) -> Result<Commit, StoreError> {
        let mut state = inner.state.clone();
        let applied = state.apply(&event, now);
        applied.map_err(|error| StoreError::Broken(error.to_string()))?;
        let ends = inner.state.is_playing() && !state.is_playing();
        let record = if ends {
            inner.log.push(event.clone());
            let record = inner.record(&state);
            inner.log.pop();
            record
        } else {
            None
        };
        let terms = state.terms();
        let rated_speed = (ends && terms.is_rated).then(|| Speed::of(terms.control).name());
        let append = Append {
            id: self.id.clone(),
            version: state.version(),
            cause: cause.clone(),
            time: now,
            body: event.to_json(),
            head: head(&state),
            record,
            rated_speed: rated_speed.map(str::to_owned),
        };
        match hub.store.append(append).await? {
            Appended::Done { rating_changes } => {
                let version = state.version();
                inner.causes.extend(cause.map(|cause| (cause, version)));
                inner.state = state;
                inner.note_changes(&rating_changes);
                self.note_state(&inner.state);
                count(&hub.metrics.events);
                acknowledge(version);
                let message = self.event_message(hub, &inner.state, &event);
                let rematch = match &event {
                    Event::Rematch { g } => Some(g.clone()),
                    _ => None,
                };
                inner.log.push(event);
                inner.tell_all(&self.id, &message);
                if hub.bus.is_shared() {
                    let id = self.id.clone();
                    hub.bus.publish(Hint::Match { id, version }).await;
                }
                if let Some(next) = rematch {
                    for (seat, player) in Seat::BOTH.into_iter().zip(&self.players) {
                        hub.tell_paired(player, &next, !seat).await;
                    }
                }
                Ok(Commit::Done(version))
            }
            Appended::Repeated { version } => {
                self.catch_up(hub, inner).await?;
                Ok(Commit::Repeated(version))
            }
            Appended::Stale => {
                count(&hub.metrics.stale);
                self.catch_up(hub, inner).await?;
                Ok(Commit::Stale)
            }
        }
    }

    fn note_state(&self, state: &State) {
        let deadline = state.deadline().unwrap_or(u64::MAX);
        self.deadline.store(deadline, Ordering::Relaxed);
        self.version.store(state.version(), Ordering::Relaxed);
    }

    /// Creates the match that both want to play next, with the colors swapped, or finds it.
    async fn create_rematch(&self, hub: &Hub, inner: &Inner) -> Result<String, StoreError> {
        let [first, second] = self.players.clone();
        let players = in_order(Seat::First, second, first);
        let terms = inner.state.terms().clone();
        let new = new_match(terms, players, Some(self.id.clone()), hub.now());
        let new = new.map_err(|error| StoreError::Broken(error.to_string()))?;
        let id = new.id.clone();
        Ok(match hub.store.create_match(new).await? {
            Created::New => id,
            Created::AlreadyThere(id) => id,
        })
    }

    /// Reads what other nodes have stored. Returns whether there was anything.
    async fn catch_up(&self, hub: &Hub, inner: &mut Inner) -> Result<bool, StoreError> {
        let events = hub
            .store
            .events_after(&self.id, inner.state.version())
            .await?;
        for event in &events {
            if let Err(error) = inner.apply(event) {
                hub.forget(&self.id);
                return Err(StoreError::Broken(error));
            }
            if let Some(event) = inner.log.last() {
                let message = self.event_message(hub, &inner.state, event);
                inner.tell_all(&self.id, &message);
            }
        }
        if !events.is_empty() {
            count(&hub.metrics.repaired);
            self.note_state(&inner.state);
        }
        Ok(!events.is_empty())
    }
}

impl Live {
    // What is said.

    fn event_message(&self, hub: &Hub, state: &State, event: &Event) -> Utf8Bytes {
        let message = ServerMessage::Ev {
            g: self.id.clone(),
            v: state.version(),
            at: state.at(),
            e: event.clone(),
            fen: state.position(),
            turn: state.turn(),
            result: state.result(),
            status: state.status(),
            clock: state.clock(hub.now()),
        };
        message.to_json().into()
    }

    fn state_message(&self, hub: &Hub, inner: &Inner, you: Option<Seat>) -> Utf8Bytes {
        let state = &inner.state;
        let here = |seat: &Seat| inner.gone[*seat as usize].is_none();
        let other = you.map(|seat| !seat);
        let message = StateMessage {
            g: self.id.clone(),
            v: state.version(),
            at: state.at(),
            game: state.terms().game.clone(),
            options: options_json(&state.terms().options),
            record: inner.record(state).unwrap_or_default(),
            fen: state.position(),
            turn: state.turn(),
            result: state.result(),
            status: state.status(),
            reason: state.reason().map(str::to_owned),
            control: state.terms().control,
            clock: state.clock(hub.now()),
            rated: state.terms().is_rated,
            seats: inner.seats.clone(),
            you,
            offers: state.offers().to_vec(),
            here: Seat::BOTH.into_iter().filter(here).collect(),
            claim: other.and_then(|seat| inner.claim_time(seat)),
            now: hub.now(),
            rematch: state.rematch().map(str::to_owned),
        };
        ServerMessage::State(Box::new(message)).to_json().into()
    }

    /// Sends the whole state to a socket that was too slow for events.
    pub(crate) async fn state_for(&self, hub: &Hub, connection: &Connection) -> Option<Utf8Bytes> {
        let inner = self.inner.lock().await;
        let mut listeners = inner.listeners.iter();
        let listener =
            listeners.find(|listener| listener.connection.number == connection.number)?;
        Some(self.state_message(hub, &inner, listener.seat))
    }

    /// Catches up with the store, if that is ahead.
    pub(crate) async fn refresh(&self, hub: &Hub, version: u64) -> Result<(), StoreError> {
        if version <= self.version() {
            return Ok(());
        }
        let mut inner = self.inner.lock().await;
        if version > inner.state.version() {
            self.catch_up(hub, &mut inner).await?;
        }
        Ok(())
    }

    /// The match, as `GET /api/matches/ID` shows it.
    pub(crate) async fn info(&self, hub: &Hub) -> Result<MatchInfo, StoreError> {
        let mut inner = self.inner.lock().await;
        self.catch_up(hub, &mut inner).await?;
        let state = &inner.state;
        Ok(MatchInfo {
            id: self.id.clone(),
            game: state.terms().game.clone(),
            options: options_json(&state.terms().options),
            version: state.version(),
            status: state.status(),
            result: state.result(),
            fen: state.position(),
            turn: state.turn(),
            seats: inner.seats.clone(),
            clock: state.clock(hub.now()),
            control: state.terms().control,
            rated: state.terms().is_rated,
        })
    }

    /// The record, in its text form.
    pub(crate) async fn record(&self, hub: &Hub) -> Result<String, StoreError> {
        let mut inner = self.inner.lock().await;
        self.catch_up(hub, &mut inner).await?;
        let record = inner.record(&inner.state);
        record.ok_or_else(|| StoreError::Broken(format!("match {} has no record", self.id)))
    }
}

impl Inner {
    /// Applies an event that was stored.
    fn apply(&mut self, stored: &StoredEvent) -> Result<(), String> {
        let event = Event::parse(&stored.body).map_err(|error| error.to_string())?;
        let applied = self.state.apply(&event, stored.time);
        applied.map_err(|error| error.to_string())?;
        if let Some(cause) = &stored.cause {
            self.causes.insert(cause.clone(), stored.version);
        }
        self.log.push(event);
        Ok(())
    }

    fn tell_all(&self, id: &str, message: &Utf8Bytes) {
        for listener in &self.listeners {
            listener.connection.tell(id, message);
        }
    }

    fn record(&self, state: &State) -> Option<String> {
        let name = |seat| self.seats.get(seat).player.name.as_str();
        let names = [name(Seat::First), name(Seat::Second)];
        let record = referee::record(state.terms(), names, &self.log).ok()?;
        Some(record.to_string())
    }

    /// When the other player may claim the match because the one at `seat` is gone.
    fn claim_time(&self, seat: Seat) -> Option<Millis> {
        let since = self.gone[seat as usize].filter(|_| self.state.is_playing())?;
        Some(since + claim_delay(self.state.terms().control)?)
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
