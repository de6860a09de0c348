mod reading;

use catalog::AnyMatch;
use play::{Clocks, PlayerKind, Sitting};
use protocol::{
    Action, ActionName, ClaimAs, ClientMessage, ClockState, MatchResult, MatchStatus, Offer,
    OfferKind, OnlineControl, Refusal, SeatInfo, ServerMessage, StateMessage, TurnMessage,
};
use rules::{
    ByPlayer, Outcome, Player,
    record::{Ending, Reason},
};

use crate::PendingTurn;

/// A match on a server, as somebody follows it who plays or watches.
pub struct OnlineMatch {
    id: String,
    /// The number of the next request.
    next_id: u64,
    /// Whether messages can be sent.
    is_connected: bool,
    /// Whether the server has answered since the connection is there.
    is_joined: bool,
    /// The match by the events of the server, once it has sent it.
    known: Option<ReportedMatch>,
    pending: Option<PendingTurn>,
    /// The last request besides turns, if it is not answered.
    asked: Option<(u64, ActionName)>,
    notice: Option<MatchNotice>,
    /// Whether the server does not know the match.
    is_unknown: bool,
    /// When the turn began of who is to move, by the clock of the caller.
    turn_since: u64,
    /// When the turn that waits was last sent or asked about.
    sent: u64,
    /// How far the caller's clock is ahead of the server's.
    ahead: i64,
}

/// After so long a turn that is not in the events yet is asked about again, in milliseconds.
const PATIENCE: u64 = 5_000;

/// The state of a match as the server reported it.
struct ReportedMatch {
    seat: Option<Player>,
    /// The record up to where the match stands.
    record: Box<dyn AnyMatch>,
    version: u64,
    /// The version of the last event that changed the position.
    at: u64,
    status: MatchStatus,
    ending: Option<Ending>,
    /// What ended it: the name of the event, `rules` or `repetition`.
    reason: String,
    seats: ByPlayer<SeatInfo>,
    control: Option<OnlineControl>,
    clock: Option<Clocks>,
    is_rated: bool,
    offers: Vec<Offer>,
    is_here: ByPlayer<bool>,
    /// When the match may be claimed, by the clock of the caller.
    claim_at: Option<u64>,
    /// Since when the other player is gone, by the clock of the caller.
    gone_since: Option<u64>,
    /// When the match is called off without a first turn, by the clock of the server.
    abort_at: Option<u64>,
    /// The last phrase of either player, and its version.
    said: ByPlayer<Option<(u8, u64)>>,
    rematch: Option<String>,
}

/// Something that the player should be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchNotice {
    /// The turn was not stored, because the match had gone on without it.
    TurnDropped,
    /// The turn was refused.
    TurnRefused(Refusal),
    /// Another request was refused.
    Refused(ActionName, Refusal),
}

/// Something that happens to an [`OnlineMatch`].
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The connection is there, for the first time or again.
    Connected,
    /// The connection is lost.
    Lost,
    /// The server said something.
    Heard(ServerMessage),
    /// The player here made a turn: [`play::Effect::Turn`].
    Made(Vec<String>),
    /// The player here wants something else. `of` is the version of the offer that is answered.
    Do {
        /// What.
        what: ActionName,
        /// The version of the offer that is accepted or declined.
        of: Option<u64>,
        /// The number of the phrase that is said.
        phrase: Option<u8>,
        /// What is claimed.
        result: Option<ClaimAs>,
    },
    /// The notice was read.
    Read,
    /// Time has passed.
    Tick,
}

impl Event {
    /// An action without parameters.
    #[must_use]
    pub fn plain(what: ActionName) -> Self {
        Self::Do {
            what,
            of: None,
            phrase: None,
            result: None,
        }
    }
}

/// Something to be done about an [`OnlineMatch`].
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Send a message.
    Send(ClientMessage),
    /// The match is known: [`OnlineMatch::sit`] opens it.
    Open,
    /// Hand an event to the sitting.
    Sit(play::Event),
    /// Store the turn until the server has it, or forget it.
    Keep(Option<String>),
    /// The other player moved, and the player here is to move.
    YourTurn,
    /// The match ended just now.
    Ended,
    /// Both players went on to another match.
    Next(String),
}

impl OnlineMatch {
    /// The match with this id, of which nothing is known. `first_id` is the number of the
    /// first request; `kept` is a turn that was stored on an earlier visit.
    #[must_use]
    pub fn new(id: String, first_id: u64, kept: Option<PendingTurn>) -> Self {
        Self {
            id,
            next_id: first_id,
            is_connected: false,
            is_joined: false,
            known: None,
            pending: kept,
            asked: None,
            notice: None,
            is_unknown: false,
            turn_since: 0,
            sent: 0,
            ahead: 0,
        }
    }

    /// The match as it stands, for somebody to sit at; nothing before [`Effect::Open`].
    #[must_use]
    pub fn sit(&self) -> Option<Sitting> {
        let known = self.known.as_ref()?;
        let seats = ByPlayer::from_fn(|player| match known.seat == Some(player) {
            true => PlayerKind::Person,
            false => PlayerKind::Remote,
        });
        let (mut sitting, _) = Sitting::new(known.record.boxed_clone(), seats, 0);
        sitting.update(play::Event::Follow(self.shown()));
        sitting.update(play::Event::Clocks(known.clock));
        Some(sitting)
    }

    /// Takes in what happened at `now`, in milliseconds of any clock that does not go back.
    pub fn update(&mut self, event: Event, now: u64) -> Vec<Effect> {
        match event {
            Event::Connected => {
                self.is_connected = true;
                self.is_joined = false;
                self.sent = now;
                self.asked = None;
                if let Some(pending) = &mut self.pending {
                    pending.is_sent = false;
                }
                let mut effects = vec![self.join(None)];
                effects.extend(self.send_turn(now));
                effects
            }
            Event::Lost => {
                self.is_connected = false;
                vec![Effect::Sit(play::Event::HoldClocks)]
            }
            Event::Heard(message) => self.hear(message, now),
            Event::Made(moves) => self.make(moves, now),
            Event::Do {
                what,
                of,
                phrase,
                result,
            } => self.ask(what, of, phrase, result),
            Event::Read => {
                self.notice = None;
                Vec::new()
            }
            Event::Tick => self.tick(now),
        }
    }

    fn join(&self, v: Option<u64>) -> Effect {
        let g = self.id.clone();
        Effect::Send(ClientMessage::Join { g, v })
    }

    /// Sends the turn that waits, unless it is on its way.
    fn send_turn(&mut self, now: u64) -> Option<Effect> {
        let is_connected = self.is_connected;
        let pending = self.pending.as_mut()?;
        if pending.is_sent || pending.is_stored || !is_connected {
            return None;
        }
        pending.is_sent = true;
        self.sent = now;
        Some(Effect::Send(ClientMessage::Turn(TurnMessage {
            g: self.id.clone(),
            id: pending.id,
            at: pending.at,
            m: pending.moves.clone(),
            ms: pending.ms,
        })))
    }

    /// Sends the turn that waits, or asks what became of it.
    fn tick(&mut self, now: u64) -> Vec<Effect> {
        let is_late = now.saturating_sub(self.sent) >= PATIENCE;
        if self.is_connected && !self.is_joined && !self.is_unknown && is_late {
            self.sent = now;
            return vec![self.join(None)];
        }
        if let Some(pending) = &mut self.pending
            && self.is_connected
            && is_late
        {
            self.sent = now;
            if pending.is_stored {
                return vec![self.join(None)];
            }
            pending.is_sent = false;
        }
        self.send_turn(now).into_iter().collect()
    }

    /// A time of the server by the clock of the caller.
    fn local(&self, time: u64) -> u64 {
        time.saturating_add_signed(self.ahead)
    }

    fn set_time(&mut self, server: u64, now: u64) {
        self.ahead = now.cast_signed().wrapping_sub(server.cast_signed());
    }

    fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    fn make(&mut self, moves: Vec<String>, now: u64) -> Vec<Effect> {
        let id = self.new_id();
        let Some(known) = &self.known else {
            return Vec::new();
        };
        let is_open = known.status == MatchStatus::Playing && self.pending.is_none();
        if !is_open || known.seat != Some(known.record.turn()) {
            // It can't be sent, so it should not be seen.
            return vec![Effect::Sit(play::Event::Follow(self.shown()))];
        }
        let pending = PendingTurn {
            id,
            at: known.at,
            ply: known.record.moves().len(),
            moves,
            ms: now.saturating_sub(self.turn_since),
            is_stored: false,
            is_sent: false,
        };
        let mut effects = vec![Effect::Keep(Some(pending.to_text()))];
        self.notice = None;
        self.pending = Some(pending);
        effects.extend(self.send_turn(now));
        effects
    }

    fn ask(
        &mut self,
        what: ActionName,
        of: Option<u64>,
        phrase: Option<u8>,
        result: Option<ClaimAs>,
    ) -> Vec<Effect> {
        if !self.is_connected || self.asked.is_some() || self.seat().is_none() {
            return Vec::new();
        }
        let id = self.new_id();
        self.notice = None;
        self.asked = Some((id, what));
        let action = Action {
            g: self.id.clone(),
            id,
            what,
            of,
            phrase,
            result,
        };
        vec![Effect::Send(ClientMessage::Do(action))]
    }

    fn hear(&mut self, message: ServerMessage, now: u64) -> Vec<Effect> {
        match message {
            ServerMessage::State(state) if state.g == self.id => {
                self.is_joined = true;
                self.hear_state(*state, now)
            }
            ServerMessage::Ev {
                g,
                v,
                at,
                e,
                fen,
                result,
                status,
                clock,
                abort_at,
                ..
            } if g == self.id => {
                let Some(known) = &self.known else {
                    return Vec::new();
                };
                if v <= known.version {
                    return Vec::new();
                }
                if v > known.version + 1 {
                    return vec![self.join(Some(known.version))];
                }
                let event = Happened {
                    v,
                    at,
                    event: e,
                    fen,
                    result,
                    status,
                    clock,
                    abort_at,
                };
                self.hear_event(event, now)
            }
            ServerMessage::Ok { id, g, .. } if g.as_deref() == Some(&*self.id) => {
                if self.asked.is_some_and(|(asked, _)| asked == id) {
                    self.asked = None;
                }
                match &mut self.pending {
                    Some(pending) if pending.id == id => {
                        pending.is_stored = true;
                        vec![Effect::Keep(None)]
                    }
                    _ => Vec::new(),
                }
            }
            ServerMessage::No(refused) => {
                let is_ours = refused.g.as_ref().is_none_or(|g| *g == self.id);
                if !is_ours {
                    return Vec::new();
                }
                self.hear_no(refused.id, refused.why)
            }
            ServerMessage::Here {
                g,
                seat,
                is,
                claim,
                since,
            } if g == self.id => {
                let claim_at = claim.map(|time| self.local(time));
                let gone_since = since.map(|time| self.local(time));
                if let Some(known) = &mut self.known {
                    known.is_here[seat.into()] = is;
                    // Presence of one's own seat says nothing about the other player.
                    if known.seat != Some(seat.into()) {
                        known.claim_at = claim_at;
                        known.gone_since = gone_since;
                    }
                }
                Vec::new()
            }
            ServerMessage::Hi { now: server, .. } | ServerMessage::Pong { now: server, .. } => {
                self.set_time(server, now);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn hear_no(&mut self, id: Option<u64>, why: Refusal) -> Vec<Effect> {
        if let Some((asked, what)) = self.asked
            && id == Some(asked)
        {
            self.asked = None;
            self.notice = Some(MatchNotice::Refused(what, why));
            return Vec::new();
        }
        let is_turn = self.pending.as_ref().is_some_and(|it| Some(it.id) == id);
        if is_turn {
            // The next tick sends it once more.
            if matches!(why, Refusal::Unavailable | Refusal::SlowDown) {
                if let Some(pending) = &mut self.pending {
                    pending.is_sent = false;
                }
                return Vec::new();
            }
            self.pending = None;
            self.notice = Some(match why {
                Refusal::Stale | Refusal::NotYourTurn => MatchNotice::TurnDropped,
                why => MatchNotice::TurnRefused(why),
            });
            // What the server knows better comes with the answer.
            return vec![
                Effect::Keep(None),
                Effect::Sit(play::Event::Follow(self.shown())),
                self.join(None),
            ];
        }
        if self.known.is_none() && why == Refusal::Unknown {
            self.is_unknown = true;
        }
        Vec::new()
    }

    fn hear_state(&mut self, state: StateMessage, now: u64) -> Vec<Effect> {
        // An old answer that arrives late.
        if self
            .known
            .as_ref()
            .is_some_and(|known| state.v < known.version)
        {
            return Vec::new();
        }
        let Ok(mut record) = catalog::read_file(&state.record) else {
            return Vec::new();
        };
        // A line that was taken back and begun anew goes on in the record beyond where the match
        // stands.
        while record.position() != state.fen {
            if record.undo().is_none() {
                return Vec::new();
            }
        }
        if state.now > 0 {
            self.set_time(state.now, now);
        }
        let claim_at = state.claim.map(|time| self.local(time));
        let gone_since = state.since.map(|time| self.local(time));
        let is_first = self.known.is_none();
        let was_over = self.is_over();
        let outcome = outcome_of(state.result);
        let reason = state.reason.unwrap_or_default();
        let ending = outcome.map(|outcome| Ending {
            outcome,
            reason: reason_of(&reason),
        });
        if let (Some(ending), None) = (ending, record.ending()) {
            end(&mut *record, ending);
        }
        let mut is_here = ByPlayer::from_fn(|_| false);
        for seat in state.here {
            is_here[seat.into()] = true;
        }
        let before = self.known.take();
        let at = state.at;
        let said = before.map(|before| {
            if before.at != at {
                self.turn_since = now;
            }
            before.said
        });
        self.known = Some(ReportedMatch {
            seat: state.you.map(Player::from),
            record,
            version: state.v,
            at,
            status: state.status,
            ending,
            reason,
            seats: ByPlayer {
                first: state.seats.first,
                second: state.seats.second,
            },
            control: state.control,
            clock: state.clock.map(clocks_of),
            is_rated: state.rated,
            offers: state.offers,
            is_here,
            claim_at,
            gone_since,
            abort_at: state.abort_at,
            said: said.unwrap_or_else(|| ByPlayer::from_fn(|_| None)),
            rematch: state.rematch,
        });
        let mut effects = self.settle_turn();
        if is_first {
            self.turn_since = now;
            effects.push(Effect::Open);
        } else {
            effects.push(Effect::Sit(play::Event::Follow(self.shown())));
            effects.push(self.clocks());
        }
        if !is_first && !was_over && self.is_over() {
            effects.push(Effect::Ended);
        }
        effects
    }

    /// Drops the turn that waits if the match went on: with it, or without it.
    fn settle_turn(&mut self) -> Vec<Effect> {
        let (Some(known), Some(pending)) = (&self.known, &self.pending) else {
            return Vec::new();
        };
        let is_over = known.status != MatchStatus::Playing;
        if known.at <= pending.at && !is_over && known.seat.is_some() {
            return Vec::new();
        }
        let moves = known.record.moves();
        let stored = moves.get(pending.ply..pending.ply + pending.moves.len());
        let is_stored = pending.is_stored || stored == Some(&pending.moves[..]);
        if !is_stored {
            self.notice = Some(MatchNotice::TurnDropped);
        }
        self.pending = None;
        vec![Effect::Keep(None)]
    }

    fn hear_event(&mut self, happened: Happened, now: u64) -> Vec<Effect> {
        use protocol::Event as Ev;
        let was_over = self.is_over();
        let Some(known) = &mut self.known else {
            return Vec::new();
        };
        let Happened {
            v,
            at,
            event,
            fen,
            result,
            status,
            clock,
            abort_at,
        } = happened;
        let has_moved = at != known.at;
        let is_opponents = match &event {
            Ev::Turn { by, .. } => known.seat.is_some_and(|seat| seat != Player::from(*by)),
            _ => false,
        };
        if let Some(replayed) = replay(&*known.record, &event, &fen) {
            known.record = replayed;
        } else if event.kind() == protocol::EventKind::Position {
            // Somebody is mistaken, and the server decides.
            return vec![self.join(None)];
        }
        known.version = v;
        known.at = at;
        known.status = status;
        known.clock = clock.map(clocks_of);
        known.abort_at = abort_at;
        if let Some(outcome) = outcome_of(result)
            && known.ending.is_none()
        {
            known.reason = match &event {
                Ev::Resign { .. } => "resign",
                Ev::Draw => "draw",
                Ev::Timeout { .. } => "timeout",
                Ev::Claim { .. } => "claim",
                _ => match known.record.ending().map(|ending| ending.reason) {
                    Some(Reason::Repetition) => "repetition",
                    _ => "rules",
                },
            }
            .to_owned();
            let reason = reason_of(&known.reason);
            known.ending = Some(Ending { outcome, reason });
            if let (Some(ending), None) = (known.ending, known.record.ending()) {
                end(&mut *known.record, ending);
            }
        }
        let mut next = None;
        match event {
            Ev::Turn { .. } => known.offers.clear(),
            Ev::Takeback { .. } => known.offers.clear(),
            Ev::Offer { by, what } => known.offers.push(Offer { what, by, of: v }),
            Ev::Decline { of, .. } => known.offers.retain(|offer| offer.of != of),
            Ev::Say { by, phrase } => known.said[by.into()] = Some((phrase, v)),
            Ev::Rematch { g } => {
                known.offers.clear();
                known.rematch = Some(g.clone());
                next = known.seat.map(|_| g);
            }
            Ev::Abort { .. } => known.reason = "abort".to_owned(),
            _ => {}
        }
        if known.status != MatchStatus::Playing {
            known
                .offers
                .retain(|offer| offer.what == OfferKind::Rematch);
        }
        let mut effects = self.settle_turn();
        if has_moved || self.is_over() != was_over {
            self.turn_since = now;
            effects.push(Effect::Sit(play::Event::Follow(self.shown())));
        }
        effects.push(self.clocks());
        if !was_over && self.is_over() {
            effects.push(Effect::Ended);
            if self.is_rated() {
                // What it did to the ratings is in the state.
                effects.push(self.join(None));
            }
        } else if is_opponents && self.is_my_turn() {
            effects.push(Effect::YourTurn);
        }
        effects.extend(next.map(Effect::Next));
        effects
    }

    fn clocks(&self) -> Effect {
        let clocks = self.known.as_ref().and_then(|known| known.clock);
        // The clock of a turn that waits has stopped, as far as the player is concerned.
        let is_waiting = self.pending.is_some() || !self.is_connected;
        Effect::Sit(play::Event::Clocks(clocks.map(|clocks| Clocks {
            running: clocks.running.filter(|_| !is_waiting),
            ..clocks
        })))
    }
}

/// The parts of an event's message.
struct Happened {
    v: u64,
    at: u64,
    event: protocol::Event,
    fen: String,
    result: MatchResult,
    status: MatchStatus,
    clock: Option<ClockState>,
    abort_at: Option<u64>,
}

/// The record after an event, if it changes the position to `fen`.
fn replay(record: &dyn AnyMatch, event: &protocol::Event, fen: &str) -> Option<Box<dyn AnyMatch>> {
    let mut next = record.boxed_clone();
    match event {
        protocol::Event::Turn { m, left, .. } => {
            for m in m {
                next.play(m).ok()?;
            }
            if let Some(left) = left {
                next.set_time_left(*left);
            }
        }
        protocol::Event::Takeback { by, .. } => {
            next.take_back((*by).into()).ok()?;
        }
        _ => return None,
    }
    (next.position() == fen).then_some(next)
}

/// Ends the record at its cursor.
fn end(record: &mut dyn AnyMatch, ending: Ending) {
    let ended = match (ending.outcome, ending.reason) {
        (Outcome::Win(winner), Reason::TimeOut) => record.time_out(!winner),
        (Outcome::Win(winner), _) => record.resign(!winner),
        (Outcome::Draw, _) => record.agree_draw(),
    };
    // Only what is over can't end, and that was asked before.
    ended.ok();
}

fn outcome_of(result: MatchResult) -> Option<Outcome> {
    match result {
        MatchResult::None => None,
        MatchResult::First => Some(Outcome::Win(Player::First)),
        MatchResult::Second => Some(Outcome::Win(Player::Second)),
        MatchResult::Draw => Some(Outcome::Draw),
    }
}

fn reason_of(name: &str) -> Reason {
    match name {
        "rules" => Reason::Rules,
        "repetition" => Reason::Repetition,
        // Whoever is gone has let their time run out.
        "timeout" | "claim" => Reason::TimeOut,
        "draw" => Reason::Agreement,
        _ => Reason::Resignation,
    }
}

fn clocks_of(clock: ClockState) -> Clocks {
    Clocks {
        left: ByPlayer {
            first: clock.first,
            second: clock.second,
        },
        running: clock.running.map(Player::from),
    }
}
