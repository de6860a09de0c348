//! One WebSocket.

use std::{
    collections::{HashMap, VecDeque},
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::{FutureExt, SinkExt, StreamExt, stream::SplitSink};
use protocol::{
    ClientMessage, DELETED_PLAYER, LARGEST_MESSAGE, ParseMessageError, PlayerInfo, Pool, Refusal,
    Refused, ServerMessage,
};
use store::{MatchFilter, MatchId, PoolEntry, Profile, ProfileKind, Seek, Sought, StoreError};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    connection::Connection,
    hub::Hub,
    live::{Acted, Live, MatchRequest, No},
    metrics::count,
    request::Caller,
    secret,
    sweep::make_match,
};

/// The interval between measurements of the round-trip time.
const PING_EVERY: Duration = Duration::from_secs(5);
/// A socket without a message for this long is closed.
const SILENT_FOR: Duration = Duration::from_secs(30);
/// A socket that accepts no data for this long is closed.
const STUCK_FOR: Duration = Duration::from_secs(10);
/// The time to flush queued messages before a socket is closed.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// The number of messages that a socket may send in a span of time.
const MOST_MESSAGES: usize = 100;
const SPAN: Duration = Duration::from_secs(20);
/// The delay before a message over the limit is read.
const PENALTY: Duration = Duration::from_millis(10);
/// The largest number of matches that a socket watches, not counting the player's own.
const MOST_WATCHED: usize = 200;

/// The largest frame that is read, in bytes. A frame between the limit for messages and this one is
/// refused without closing the socket.
pub(crate) const LARGEST_FRAME: usize = 4 * LARGEST_MESSAGE;

/// A player, as others see them.
pub(crate) fn public(profile: &Profile) -> PlayerInfo {
    let is_deleted = profile.kind == ProfileKind::Deleted;
    let name = if is_deleted {
        DELETED_PLAYER
    } else {
        &profile.name
    };
    PlayerInfo {
        id: profile.id.clone(),
        name: name.to_owned(),
        guest: profile.kind == ProfileKind::Guest,
        bot: profile.kind == ProfileKind::Bot,
        deleted: is_deleted,
    }
}

/// Serves a socket until it closes.
pub(crate) async fn run(hub: Arc<Hub>, socket: WebSocket, caller: Caller) {
    let (connection, messages) = Connection::new(hub.next_number(), caller, hub.now());
    let connection = Arc::new(connection);
    let (sink, mut stream) = socket.split();
    hub.add(&connection);
    let pings = Arc::new(std::sync::Mutex::new(None));
    let writing = Writer {
        hub: hub.clone(),
        connection: connection.clone(),
        sink,
        messages,
        pings: pings.clone(),
    };
    let mut writer = tokio::spawn(writing.run());
    let mut session = SocketSession {
        hub: hub.clone(),
        connection: connection.clone(),
        joined: HashMap::new(),
        messages: Pace::default(),
        frames: Pace::default(),
    };
    session.greet().await;
    let mut is_writing = true;
    loop {
        let next = tokio::select! {
            next = timeout(SILENT_FOR, stream.next()) => next,
            _ = &mut writer => {
                is_writing = false;
                break;
            }
        };
        let Ok(Some(received)) = next else {
            break;
        };
        let message = match received {
            Ok(message) => message,
            // Too long, or not a valid frame: the rest of the stream can't be read.
            Err(error) => {
                let no = no(None, None, Refusal::Broken, &error.to_string());
                session.say_if_room(&no);
                break;
            }
        };
        match message {
            Message::Text(text) => {
                // A panic is a bug of ours, and ends only this socket.
                let heard = AssertUnwindSafe(session.hear(&text)).catch_unwind().await;
                if heard.is_err() {
                    break;
                }
            }
            Message::Binary(_) => {
                session.note_frame().await;
                let no = no(None, None, Refusal::Broken, "messages are text");
                session.say(no).await;
            }
            Message::Pong(nonce) => {
                session.note_frame().await;
                let mut pings = pings
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                if let Some((expected, sent)) = pings.take() {
                    if nonce == secret_bytes(expected) {
                        note_round_trip(&connection, sent);
                    } else {
                        *pings = Some((expected, sent));
                    }
                }
            }
            Message::Ping(_) => session.note_frame().await,
            Message::Close(_) => break,
        }
    }
    session.end().await;
    if is_writing {
        connection.close();
        timeout(LAST_WORDS, &mut writer).await.ok();
    }
    writer.abort();
}

fn secret_bytes(nonce: u64) -> axum::body::Bytes {
    axum::body::Bytes::copy_from_slice(&nonce.to_be_bytes())
}

/// Records a round trip in the moving average, of which the last one is a quarter.
fn note_round_trip(connection: &Connection, sent: Instant) {
    let sample = u64::try_from(sent.elapsed().as_millis()).unwrap_or(u64::MAX);
    let before = connection.round_trip.load(Ordering::Relaxed);
    let estimate = if before == 0 {
        sample
    } else {
        (3 * before + sample) / 4
    };
    connection
        .round_trip
        .store(estimate.max(1), Ordering::Relaxed);
}

fn no(id: Option<u64>, g: Option<String>, why: Refusal, message: &str) -> ServerMessage {
    ServerMessage::No(Refused {
        id,
        g,
        why,
        v: None,
        message: Some(message.to_owned()),
    })
}

/// Sends the queued messages of a socket.
struct Writer {
    hub: Arc<Hub>,
    connection: Arc<Connection>,
    sink: SplitSink<WebSocket, Message>,
    messages: mpsc::Receiver<Utf8Bytes>,
    /// The nonce of the last ping, and the time it was sent.
    pings: Arc<std::sync::Mutex<Option<(u64, Instant)>>>,
}

impl Writer {
    async fn run(mut self) {
        let mut ticks = tokio::time::interval(PING_EVERY);
        loop {
            let sent = tokio::select! {
                message = self.messages.recv() => match message {
                    Some(message) => self.send(Message::Text(message)).await,
                    None => return,
                },
                () = self.connection.wake.notified() => {
                    if self.connection.is_closing() {
                        return self.say_goodbye().await;
                    }
                    self.send_states().await
                }
                _ = ticks.tick() => self.ping().await,
            };
            if sent.is_none() {
                return;
            }
        }
    }

    /// Sends a message; `None` if the socket is closed, or accepts no data.
    async fn send(&mut self, message: Message) -> Option<()> {
        match timeout(STUCK_FOR, self.sink.send(message)).await {
            Ok(sent) => sent.ok(),
            Err(_) => {
                count(&self.hub.metrics.slow_closed);
                None
            }
        }
    }

    /// Sends the queued messages, and closes the socket.
    async fn say_goodbye(&mut self) {
        while let Ok(message) = self.messages.try_recv() {
            if self.send(Message::Text(message)).await.is_none() {
                return;
            }
        }
        self.send(Message::Close(None)).await;
    }

    /// Sends the whole state of matches whose events did not fit into the queue.
    async fn send_states(&mut self) -> Option<()> {
        // Messages in the queue are older than the states.
        while let Ok(message) = self.messages.try_recv() {
            self.send(Message::Text(message)).await?;
        }
        for g in self.connection.behind() {
            count(&self.hub.metrics.resyncs);
            let Some(live) = self.hub.live_in_memory(&g) else {
                self.connection.catches_up(&g);
                continue;
            };
            if let Some(state) = live.state_for(&self.hub, &self.connection).await {
                self.send(Message::Text(state)).await?;
            }
        }
        Some(())
    }

    async fn ping(&mut self) -> Option<()> {
        let nonce = secret::number();
        {
            let mut pings = self
                .pings
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            *pings = Some((nonce, Instant::now()));
        }
        self.send(Message::Ping(secret_bytes(nonce))).await
    }
}

/// The state of a socket's conversation.
struct SocketSession {
    hub: Arc<Hub>,
    connection: Arc<Connection>,
    joined: HashMap<String, Arc<Live>>,
    messages: Pace,
    /// The rate of frames that are not messages.
    frames: Pace,
}

/// A sliding-window rate limit.
#[derive(Default)]
struct Pace {
    /// The times of the last events.
    times: VecDeque<Instant>,
}

impl Pace {
    /// Counts an event now. Returns whether it exceeds the limit.
    fn is_too_fast(&mut self) -> bool {
        let now = Instant::now();
        let is_old = |&time: &Instant| now.duration_since(time) >= SPAN;
        while self.times.front().is_some_and(is_old) {
            self.times.pop_front();
        }
        if self.times.len() >= MOST_MESSAGES {
            return true;
        }
        self.times.push_back(now);
        false
    }
}

impl SocketSession {
    fn player(&self) -> Option<&Profile> {
        self.connection.player.as_ref()
    }

    async fn say(&self, message: ServerMessage) {
        if matches!(message, ServerMessage::No(_)) {
            count(&self.hub.metrics.refused);
        }
        self.connection.answer(message.to_json().into()).await;
    }

    /// Sends a message if there is room in the queue.
    fn say_if_room(&self, message: &ServerMessage) {
        count(&self.hub.metrics.refused);
        self.connection.try_answer(message.to_json().into());
    }

    async fn greet(&self) {
        // As many as fit into a message.
        const MOST: usize = 4_000;
        let live = match self.player() {
            Some(player) => {
                let store = &self.hub.store;
                let playing = store
                    .matches_of(&player.id, MatchFilter::Playing, None, MOST)
                    .await;
                self.hub.note_result(&playing);
                let playing = playing.unwrap_or_default();
                self.hub.note_greeted(&self.connection, &playing);
                playing.into_iter().map(|head| head.id).collect()
            }
            None => Vec::new(),
        };
        let hi = ServerMessage::Hi {
            you: self.player().map(public),
            now: self.hub.now(),
            live,
        };
        self.say(hi).await;
        self.connection.greeted();
        if self.hub.is_leaving() {
            self.say(ServerMessage::Over {}).await;
        }
    }

    /// Counts a frame that is not a message.
    async fn note_frame(&mut self) {
        if self.frames.is_too_fast() {
            tokio::time::sleep(PENALTY).await;
        }
    }

    async fn hear(&mut self, text: &str) {
        // The time of a turn is that of its arrival.
        let (now, began) = (self.hub.now(), Instant::now());
        let parsed = ClientMessage::parse(text);
        if self.messages.is_too_fast() {
            // This delays only this socket.
            tokio::time::sleep(PENALTY).await;
            let (id, g) = match &parsed {
                Ok(ClientMessage::Turn(turn)) => (Some(turn.id), Some(turn.g.clone())),
                Ok(ClientMessage::Do(action)) => (Some(action.id), Some(action.g.clone())),
                Ok(ClientMessage::Seek { id, .. }) => (Some(*id), None),
                Ok(ClientMessage::Join { g, .. } | ClientMessage::Leave { g }) => {
                    (None, Some(g.clone()))
                }
                Ok(ClientMessage::Unseek {} | ClientMessage::Ping { .. }) => (None, None),
                Err(error) => (error.id, error.g.clone()),
            };
            let reason = "at most 100 messages in 20 seconds";
            return self.say(no(id, g, Refusal::SlowDown, reason)).await;
        }
        match parsed {
            Ok(ClientMessage::Join { g, v }) => self.join(g, v).await,
            Ok(ClientMessage::Leave { g }) => {
                if let Some(live) = self.joined.remove(&g) {
                    live.leave(&self.hub, &self.connection).await;
                }
            }
            Ok(ClientMessage::Turn(turn)) => {
                let request = MatchRequest::Turn(&turn);
                if self.act(turn.id, &turn.g, request, now).await {
                    count(&self.hub.metrics.turns);
                    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(0);
                    self.hub
                        .metrics
                        .turn_micros
                        .fetch_add(micros, Ordering::Relaxed);
                }
            }
            Ok(ClientMessage::Do(action)) => {
                self.act(action.id, &action.g, MatchRequest::Do(&action), now)
                    .await;
            }
            Ok(ClientMessage::Seek { id, pools }) => self.seek(id, &pools).await,
            Ok(ClientMessage::Unseek {}) => self.unseek().await,
            Ok(ClientMessage::Ping { n }) => {
                self.say(ServerMessage::Pong {
                    n,
                    now: self.hub.now(),
                })
                .await;
            }
            Err(ParseMessageError { id, g, reason }) => {
                self.say(no(id, g, Refusal::Broken, &reason)).await;
            }
        }
    }

    /// The match with this id. Sends a refusal if there is none.
    async fn live(&self, id: Option<u64>, g: &str) -> Option<Arc<Live>> {
        if let Some(live) = self.joined.get(g) {
            return Some(live.clone());
        }
        let found = self.hub.live(g).await;
        self.hub.note_result(&found);
        let (why, reason) = match found {
            Ok(Some(live)) => return Some(live),
            Ok(None) => (Refusal::Unknown, "there is no such match"),
            Err(_) => (
                Refusal::Unavailable,
                "the store does not answer: send it again",
            ),
        };
        self.say(no(id, Some(g.to_owned()), why, reason)).await;
        None
    }

    async fn join(&mut self, g: String, v: Option<u64>) {
        if let Some(live) = self.live(None, &g).await {
            let is_watched = |live: &Live| {
                let player = self.player();
                player.is_none_or(|player| live.seat(&player.id).is_none())
            };
            let is_watching = is_watched(&live);
            let joined = self.joined.values();
            if is_watching
                && !self.joined.contains_key(&g)
                && joined.filter(|live| is_watched(live)).count() >= MOST_WATCHED
            {
                let reason = "leave another match first";
                return self.say(no(None, Some(g), Refusal::SlowDown, reason)).await;
            }
            if is_watching && self.hub.is_store_slow() {
                let reason = "the server is busy: join again later";
                let no = no(None, Some(g), Refusal::Unavailable, reason);
                return self.say(no).await;
            }
            let uncertain = live.join(&self.hub, &self.connection, v).await;
            if !uncertain.is_empty() {
                tokio::spawn(live.clone().settle(self.hub.clone(), uncertain));
            }
            self.joined.insert(g, live);
        }
    }

    /// Carries out a request of the player, and answers. Returns whether it was carried out.
    async fn act(&self, id: u64, g: &str, request: MatchRequest<'_>, now: u64) -> bool {
        let Some(live) = self.live(Some(id), g).await else {
            return false;
        };
        let seat = self.player().and_then(|player| live.seat(&player.id));
        let Some(seat) = seat else {
            let reason = "you have no seat in this match";
            let no = no(Some(id), Some(g.to_owned()), Refusal::NotYourSeat, reason);
            self.say(no).await;
            return false;
        };
        let g = Some(g.to_owned());
        let acted = live.act(&self.hub, &self.connection, seat, &request, now);
        match acted.await {
            Ok(Acted {
                is_acknowledged: true,
                ..
            }) => true,
            Ok(Acted { version, .. }) => {
                self.say(ServerMessage::Ok {
                    id,
                    g,
                    v: Some(version),
                })
                .await;
                true
            }
            Err(No {
                why,
                message,
                version,
            }) => {
                let refused = Refused {
                    id: Some(id),
                    g,
                    why,
                    v: Some(version),
                    message: Some(message),
                };
                self.say(ServerMessage::No(refused)).await;
                false
            }
        }
    }

    async fn seek(&self, id: u64, pools: &[String]) {
        const MOST_POOLS: usize = 12;
        let Some(player) = self.player().cloned() else {
            let reason = "create a guest with POST /api/guests first, or sign in";
            return self
                .say(no(Some(id), None, Refusal::NotYourSeat, reason))
                .await;
        };
        let is_pool = |text: &String| {
            let pool = text.parse::<Pool>().ok();
            pool.filter(|pool| catalog::find(&pool.game).is_ok())
        };
        let known: Option<Vec<_>> = pools.iter().map(is_pool).collect();
        let known = known.filter(|pools| pools.len() <= MOST_POOLS);
        let Some(known) = known else {
            let reason = "expected at most 12 pools such as takeover/3+2";
            return self.say(no(Some(id), None, Refusal::Unknown, reason)).await;
        };
        if self.hub.is_store_slow() {
            let reason = "the server is busy: send it again later";
            return self
                .say(no(Some(id), None, Refusal::Unavailable, reason))
                .await;
        }
        let ratings = self
            .hub
            .store
            .ratings_of(&player.id)
            .await
            .unwrap_or_default();
        let entry = |pool: &Pool| {
            let rating = ratings
                .iter()
                .find(|rating| rating.game == pool.game && rating.speed == pool.speed.name());
            PoolEntry {
                pool: pool.to_string(),
                rating: rating.map_or(1500.0, |rating| rating.rating.rating),
            }
        };
        let seek = Seek {
            player: player.id.clone(),
            node: self.hub.node.clone(),
            pools: known.iter().map(entry).collect(),
            now: self.hub.now(),
        };
        let sought = self.hub.store.seek(seek, make_match(&self.hub)).await;
        self.hub.note_result(&sought);
        match sought {
            Ok(sought) => {
                let is_waiting = matches!(sought, Sought::Waiting);
                self.hub.set_seeking(&player.id, is_waiting);
                self.say(ServerMessage::Ok {
                    id,
                    g: None,
                    v: None,
                })
                .await;
                match sought {
                    Sought::Paired(pairing) => self.hub.tell_pairing(&pairing.id).await,
                    Sought::AlreadyPaired(id) => self.hub.tell_pairing(&id).await,
                    Sought::Waiting => {}
                }
            }
            Err(_) => {
                let reason = "the store does not answer: send it again";
                self.say(no(Some(id), None, Refusal::Unavailable, reason))
                    .await;
            }
        }
    }

    async fn unseek(&self) {
        if let Some(player) = self.player() {
            self.hub.set_seeking(&player.id, false);
            let ended = self.hub.store.unseek(&player.id).await;
            self.tell_unsought(ended).await;
        }
    }

    /// Notifies a player who has ended their waiting, but was paired meanwhile.
    async fn tell_unsought(&self, ended: Result<Option<MatchId>, StoreError>) {
        self.hub.note_result(&ended);
        if let Ok(Some(id)) = ended {
            self.hub.tell_pairing(&id).await;
        }
    }

    async fn end(self) {
        let is_last = self.hub.remove(&self.connection);
        // Another socket of the player may have started a seek.
        if let Some(player) = self.player().filter(|_| is_last)
            && self.hub.set_seeking(&player.id, false)
        {
            // On another node, too: then this one does not end it.
            let ended = self.hub.store.unseek_on(&player.id, &self.hub.node).await;
            self.tell_unsought(ended).await;
        }
        for live in self.joined.values() {
            live.leave(&self.hub, &self.connection).await;
        }
    }
}
