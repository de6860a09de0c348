use std::{
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, bail};
use catalog::{AnyGame, AnyMatch};
use client::Api;
use hdrhistogram::Histogram;
use protocol::{
    Action, ActionName, ClientMessage, Event, MatchStatus, Refusal, Seat, ServerMessage,
    StateMessage, TurnMessage,
};
use rules::Random;
use serde_json::json;
use tokio::{sync::mpsc, time::Instant};

use super::link::{Caller, Heard, News, SocketTask};

/// How long the answer to the last turn is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a refused turn waits before it is sent again.
const PAUSE: Duration = Duration::from_millis(200);

/// When the turns of a pair are due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) first: Instant,
    pub(super) every: Duration,
    pub(super) end: Instant,
}

/// Counts and measurements.
#[derive(Clone, Debug)]
pub(super) struct LoadTally {
    /// From the time a turn was due to the other player's socket, in microseconds.
    pub(super) to_opponent: Histogram<u64>,
    /// From the time a turn was due to its `ok`, in microseconds.
    pub(super) to_ok: Histogram<u64>,
    pub(super) n_ok: u64,
    /// Refusals by reason.
    pub(super) refused: BTreeMap<String, u64>,
    /// Connections that broke.
    pub(super) n_broken: u64,
    /// Turns that were due while a match had ended and the next had not begun.
    pub(super) n_skipped: u64,
    /// Turns that nothing was heard of in the end.
    pub(super) n_unanswered: u64,
    /// Events that came out of order, or with another position than the first listener saw.
    pub(super) n_wrong_events: u64,
}

impl Default for LoadTally {
    fn default() -> Self {
        let histogram = Histogram::new(3).expect("three digits are possible");
        Self {
            to_opponent: histogram.clone(),
            to_ok: histogram,
            n_ok: 0,
            refused: BTreeMap::new(),
            n_broken: 0,
            n_skipped: 0,
            n_unanswered: 0,
            n_wrong_events: 0,
        }
    }
}

/// The last state shown to one socket.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shown {
    pub(super) v: u64,
    pub(super) fen: String,
}

/// A match that was played.
pub(super) struct Played {
    pub(super) g: String,
    pub(super) game: &'static dyn AnyGame,
    /// The moves of the turns that were acknowledged, by their versions.
    pub(super) acknowledged: BTreeMap<u64, Vec<String>>,
    /// A turn that nothing was heard of: it may be stored or not.
    pub(super) in_doubt: Option<Vec<String>>,
    /// The last state shown to every socket.
    pub(super) shown: Vec<Shown>,
}

/// A turn on its way.
struct Pending {
    message: TurnMessage,
    by: Seat,
    due: Instant,
    is_acknowledged: bool,
    is_seen: bool,
}

/// Two players and those who watch them, match after match.
pub(super) struct Pair {
    game: &'static dyn AnyGame,
    /// The first player of the current match has the link of this number, 0 or 1.
    first: usize,
    links: Vec<SocketTask>,
    news: mpsc::UnboundedReceiver<News>,
    random: Random,
    current: Current,
    /// Matches that ended.
    ended: Vec<Played>,
    tally: Arc<Mutex<LoadTally>>,
    /// No match begins after this.
    end: Option<Instant>,
}

/// The match that is being played.
struct Current {
    g: String,
    /// `None` until a first state arrived.
    record: Option<Box<dyn AnyMatch>>,
    at: u64,
    status: MatchStatus,
    /// Hashes of the positions after each event, as somebody was shown them first.
    positions: HashMap<u64, u64>,
    /// The last state shown to each link; `None` if it has not joined.
    shown: Vec<Option<Shown>>,
    acknowledged: BTreeMap<u64, Vec<String>>,
    pending: Option<Pending>,
    next_id: u64,
    is_rematch_asked: bool,
    /// The next match.
    next: Option<String>,
}

impl Current {
    fn new(g: String, n_links: usize) -> Self {
        Self {
            g,
            record: None,
            at: 0,
            status: MatchStatus::Playing,
            positions: HashMap::new(),
            shown: vec![None; n_links],
            acknowledged: BTreeMap::new(),
            pending: None,
            next_id: 1,
            is_rematch_asked: false,
            next: None,
        }
    }

    fn has_everybody(&self) -> bool {
        self.record.is_some() && self.shown.iter().all(Option::is_some)
    }

    /// Whether everybody was shown the last position.
    fn is_settled(&self) -> bool {
        let newest = self.shown.iter().flatten().map(|shown| shown.v).max();
        let mut shown = self.shown.iter().flatten();
        self.pending.is_none() && shown.all(|shown| Some(shown.v) == newest)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1)
}

impl Pair {
    /// Creates two guests and a match between them, and connects everybody to it.
    pub(super) async fn arrive(
        api: &Api,
        urls: &[Arc<str>],
        game: &'static dyn AnyGame,
        n_watchers: u32,
        seed: u64,
        tally: Arc<Mutex<LoadTally>>,
    ) -> anyhow::Result<Self> {
        let (first, first_session) = api.new_guest().await?;
        let (second, second_session) = api.new_guest().await?;
        let terms = json!({ "game": game.name(), "color": "first", "clock": { "days": 1 } });
        let challenge = first.challenge(&terms).await?;
        let accepted = second.accept(&challenge.challenge).await?;
        let tokens = [Some(first_session.token), Some(second_session.token)];
        let tokens = tokens.into_iter().chain((0..n_watchers).map(|_| None));
        let (sender, news) = mpsc::unbounded_channel();
        let mut links = Vec::new();
        for (index, token) in tokens.enumerate() {
            let url = urls[index % urls.len()].clone();
            let caller = Caller { url, token };
            let link = SocketTask::new(index, caller, sender.clone()).await;
            links.push(link.with_context(|| format!("can't open socket {index} of a match"))?);
        }
        let mut pair = Self {
            game,
            first: 0,
            current: Current::new(accepted.id, links.len()),
            links,
            news,
            random: Random::new(seed),
            ended: Vec::new(),
            tally,
            end: None,
        };
        pair.join_all();
        let arrived = async {
            while !pair.current.has_everybody() {
                pair.hear_next().await?;
            }
            Ok(())
        };
        match tokio::time::timeout(PATIENCE, arrived).await {
            Ok(Ok(())) => Ok(pair),
            Ok(Err(error)) => Err(error),
            Err(_) => bail!("the server does not show match {}", pair.current.g),
        }
    }

    pub(super) fn n_links(&self) -> usize {
        self.links.len()
    }

    fn tally(&self) -> MutexGuard<'_, LoadTally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn join_all(&self) {
        for link in &self.links {
            let g = self.current.g.clone();
            link.send(ClientMessage::Join { g, v: None });
        }
    }

    /// The matches that were played, and are.
    pub(super) fn into_played(self) -> Vec<Played> {
        let mut played = self.ended;
        played.push(finish(self.current, self.game));
        played
    }

    /// Plays turns when they are due, until the end. Then waits until everything is answered.
    pub(super) async fn play(mut self, place: Place, n_turns: Arc<AtomicU64>) -> Self {
        let mut due = place.first;
        self.end = Some(place.end);
        let give_up = place.end + PATIENCE;
        loop {
            let is_over = due >= place.end;
            let is_between = self.current.is_rematch_asked || !self.current.has_everybody();
            if is_over && self.current.is_settled() && !is_between {
                break;
            }
            let is_free = self.current.pending.is_none()
                && self.current.status == MatchStatus::Playing
                && self.current.has_everybody();
            let n_ended = self.ended.len();
            tokio::select! {
                heard = self.hear_next() => {
                    if heard.is_err() {
                        break;
                    }
                }
                () = tokio::time::sleep_until(due), if is_free && !is_over => {
                    self.send_turn(due);
                    n_turns.fetch_add(1, Ordering::Relaxed);
                    due += place.every;
                }
                () = tokio::time::sleep_until(give_up) => break,
            }
            let is_playing = self.current.status == MatchStatus::Playing;
            if self.ended.len() > n_ended || !self.current.has_everybody() || !is_playing {
                // The next match has to begin first.
                while due < Instant::now().min(place.end) {
                    due += place.every;
                    self.tally().n_skipped += 1;
                }
            }
        }
        if self.current.pending.is_some() {
            self.tally().n_unanswered += 1;
        }
        self
    }

    fn link_of(&self, seat: Seat) -> usize {
        match seat {
            Seat::First => self.first,
            Seat::Second => 1 - self.first,
        }
    }

    /// Sends a random turn.
    fn send_turn(&mut self, due: Instant) {
        let Some(record) = &mut self.current.record else {
            return;
        };
        let by = record.turn();
        let mut m = Vec::new();
        while record.ending().is_none() && record.turn() == by {
            let moves = record.legal_moves();
            let Some(next) = self.random.pick(&moves) else {
                break;
            };
            if record.play(next).is_err() {
                break;
            }
            m.push(next.clone());
        }
        let message = TurnMessage {
            g: self.current.g.clone(),
            id: self.current.next_id,
            at: self.current.at,
            m,
            ms: 0,
        };
        self.current.next_id += 1;
        let by = Seat::from(by);
        self.links[self.link_of(by)].send(ClientMessage::Turn(message.clone()));
        self.current.pending = Some(Pending {
            message,
            by,
            due,
            is_acknowledged: false,
            is_seen: false,
        });
    }

    /// Sends the turn on its way once more. The server takes it once.
    fn resend(&self) {
        if let Some(pending) = &self.current.pending {
            let message = ClientMessage::Turn(pending.message.clone());
            self.links[self.link_of(pending.by)].send(message);
        }
    }

    async fn hear_next(&mut self) -> anyhow::Result<()> {
        let news = self.news.recv().await;
        let News { link, at, what } = news.context("all sockets are closed")?;
        match what {
            Heard::Message(message) => self.hear(link, at, *message).await,
            Heard::Reconnected => {
                self.tally().n_broken += 1;
                let v = self.current.shown[link].as_ref().map(|shown| shown.v);
                let g = self.current.g.clone();
                self.links[link].send(ClientMessage::Join { g, v });
                self.resend();
                Ok(())
            }
            Heard::Lost => {
                self.tally().n_broken += 1;
                bail!("the server can't be reached")
            }
        }
    }

    async fn hear(
        &mut self,
        link: usize,
        at: Instant,
        message: ServerMessage,
    ) -> anyhow::Result<()> {
        match message {
            ServerMessage::State(state) if state.g == self.current.g => {
                self.hear_state(link, *state)?;
            }
            ServerMessage::Ev {
                g,
                v,
                at: position,
                e,
                fen,
                status,
                ..
            } if g == self.current.g => {
                self.note_shown(link, v, fen, true);
                self.current.at = self.current.at.max(position);
                if let Some(pending) = &mut self.current.pending
                    && let Event::Turn { by, m, .. } = &e
                    && *by == pending.by
                    && *m == pending.message.m
                    && position > pending.message.at
                {
                    let is_firsts = link == self.first;
                    let is_opponent = link < 2 && is_firsts == (pending.by == Seat::Second);
                    if is_opponent && !pending.is_seen {
                        pending.is_seen = true;
                        let latency = at.saturating_duration_since(pending.due);
                        self.tally().to_opponent.record(microseconds(latency)).ok();
                    }
                }
                self.end_turn();
                self.current.status = status;
                if status != MatchStatus::Playing && matches!(e, Event::Turn { .. }) {
                    self.ask_for_rematch(link);
                }
                if let Event::Rematch { g } = e {
                    self.current.next = Some(g);
                }
                self.begin_next();
            }
            ServerMessage::Ok { id, g, v } if g.as_ref() == Some(&self.current.g) => {
                if let Some(pending) = &mut self.current.pending
                    && pending.message.id == id
                    && !pending.is_acknowledged
                {
                    pending.is_acknowledged = true;
                    let latency = at.saturating_duration_since(pending.due);
                    let m = pending.message.m.clone();
                    let mut tally = self.tally();
                    tally.n_ok += 1;
                    tally.to_ok.record(microseconds(latency)).ok();
                    drop(tally);
                    self.current.acknowledged.insert(v.unwrap_or(0), m);
                    self.end_turn();
                    self.begin_next();
                }
            }
            ServerMessage::No(refused) => {
                let why = serde_json::to_value(refused.why).unwrap_or_default();
                let why = why.as_str().unwrap_or_default().to_owned();
                *self.tally().refused.entry(why).or_default() += 1;
                let pending = self.current.pending.as_ref();
                let is_ours = pending.is_some_and(|turn| refused.id == Some(turn.message.id));
                if is_ours {
                    match refused.why {
                        Refusal::Unavailable | Refusal::SlowDown => {
                            tokio::time::sleep(PAUSE).await;
                            self.resend();
                        }
                        _ => bail!("a turn was refused"),
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn hear_state(&mut self, link: usize, state: StateMessage) -> anyhow::Result<()> {
        self.note_shown(link, state.v, state.fen, false);
        self.current.at = self.current.at.max(state.at);
        if self.current.record.is_none() {
            let mut record = self.game.read_file(&state.record)?;
            while record.redo().is_some() {}
            self.current.record = Some(record);
        }
        // After a reconnection this may be how the other player hears of a turn.
        if let Some(pending) = &mut self.current.pending
            && pending.is_acknowledged
            && state.at > pending.message.at
        {
            pending.is_seen = true;
        }
        self.end_turn();
        Ok(())
    }

    /// Compares what a link is shown with what the others were.
    fn note_shown(&mut self, link: usize, v: u64, fen: String, is_event: bool) {
        let hash = hash(&fen);
        let expected = *self.current.positions.entry(v).or_insert(hash);
        let before = self.current.shown[link].as_ref().map(|shown| shown.v);
        // Events come one after the other; after a reconnection some come again.
        let has_gap = is_event && before.is_some_and(|before| v > before + 1);
        if expected != hash || has_gap {
            self.tally().n_wrong_events += 1;
        }
        if before.is_none_or(|before| v >= before) {
            self.current.shown[link] = Some(Shown { v, fen });
        }
    }

    fn end_turn(&mut self) {
        let is_done = |turn: &mut Pending| turn.is_acknowledged && turn.is_seen;
        drop(self.current.pending.take_if(is_done));
    }

    /// The player of a link sees that the match is over, and wants to play again.
    fn ask_for_rematch(&mut self, link: usize) {
        let is_last = self.end.is_some_and(|end| Instant::now() >= end);
        // If one asks, so does the other.
        if link > 1 || is_last && !self.current.is_rematch_asked {
            return;
        }
        self.current.is_rematch_asked = true;
        let id = self.current.next_id;
        self.links[link].send(ClientMessage::Do(Action {
            g: self.current.g.clone(),
            id,
            what: ActionName::Rematch,
            of: None,
            phrase: None,
            result: None,
        }));
        self.current.next_id += 1;
    }

    /// Goes on to the next match, once everybody has heard of it.
    fn begin_next(&mut self) {
        let is_heard = self.current.next.is_some() && self.current.is_settled();
        let Some(next) = self.current.next.take_if(|_| is_heard) else {
            return;
        };
        for link in &self.links {
            let g = self.current.g.clone();
            link.send(ClientMessage::Leave { g });
        }
        let next = Current::new(next, self.links.len());
        let last = std::mem::replace(&mut self.current, next);
        self.ended.push(finish(last, self.game));
        // Colors are swapped.
        self.first = 1 - self.first;
        self.join_all();
    }
}

fn finish(current: Current, game: &'static dyn AnyGame) -> Played {
    let pending = current.pending.filter(|turn| !turn.is_acknowledged);
    Played {
        g: current.g,
        game,
        acknowledged: current.acknowledged,
        in_doubt: pending.map(|turn| turn.message.m),
        shown: current
            .shown
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect(),
    }
}
