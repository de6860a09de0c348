//! Actions in a match: decided, stored, acknowledged, then broadcast.

use std::{sync::atomic::Ordering, time::Duration};

use protocol::{
    Action, ActionName, ClaimAs, Event, OfferKind, Refusal, Seat, ServerMessage, Speed, TurnMessage,
};
use referee::{Denial, Intent, State, decide};
use store::{Append, Appended, Millis, NewMatch, StoreError};

use super::{Inner, Live, OUTAGE};
use crate::{
    bus::Notice,
    connection::Connection,
    hub::Hub,
    metrics::count,
    outages::Outage,
    secret,
    terms::{head, new_match},
};

/// The number of attempts at an action when other nodes append first.
const MOST_TRIES: usize = 3;

/// How often, and how long each time, a late turn waits until it is certain whether its player lost
/// the time to a node that died.
const MOST_WAITS: usize = 24;
const WAIT: Duration = Duration::from_millis(250);

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
    /// The version of its stored event.
    pub(crate) version: u64,
    /// Whether the acknowledgement has been sent.
    pub(crate) is_acknowledged: bool,
}

/// A request of a player.
pub(crate) enum MatchRequest<'a> {
    Turn(&'a TurnMessage),
    Do(&'a Action),
}

impl MatchRequest<'_> {
    fn id(&self) -> u64 {
        match self {
            Self::Turn(turn) => turn.id,
            Self::Do(action) => action.id,
        }
    }

    fn is(&self, what: ActionName) -> bool {
        matches!(self, Self::Do(action) if action.what == what)
    }
}

/// The outcome of storing an event.
enum Commit {
    Done(u64),
    Repeated(u64),
    Stale,
}

impl Live {
    /// Carries out a request of a player.
    pub(crate) async fn act(
        &self,
        hub: &Hub,
        connection: &Connection,
        seat: Seat,
        request: &MatchRequest<'_>,
        now: Millis,
    ) -> Result<Acted, No> {
        let cause = format!("{seat}:{}", request.id());
        let mut inner = self.inner.lock().await;
        if request.is(ActionName::Say) && !inner.causes.contains_key(&cause) {
            let is_allowed = || {
                hub.limits
                    .phrases
                    .allow(&format!("{seat} {}", self.id), now)
            };
            if !is_allowed() {
                // Another node may have carried it out.
                let caught_up = self.catch_up(hub, &mut inner).await;
                caught_up.map_err(|error| self.fail(hub, &inner, &error))?;
                if !inner.causes.contains_key(&cause) {
                    return Err(No {
                        why: Refusal::SlowDown,
                        message: "wait a little before the next phrase".to_owned(),
                        version: inner.state.version(),
                    });
                }
            }
        }
        if request.is(ActionName::Claim) && hub.store.is_shared() {
            let looked = self.look_before_claim(hub, &mut inner).await;
            looked.map_err(|error| self.fail(hub, &inner, &error))?;
        }
        let mut n_waits = 0;
        let mut tries = 0..MOST_TRIES;
        while tries.next().is_some() {
            if let Some(&version) = inner.causes.get(&cause) {
                return Ok(Acted {
                    version,
                    is_acknowledged: false,
                });
            }
            let made_up = self.make_up_for_outage(hub, &mut inner, now).await;
            made_up.map_err(|error| self.fail(hub, &inner, &error))?;
            // Who has joined got it then.
            if !inner.is_here(seat) {
                let made_up = self.make_up_for_dead_nodes(hub, &mut inner, seat).await;
                made_up.map_err(|error| self.fail(hub, &inner, &error))?;
            }
            let event = match request {
                MatchRequest::Do(action) if inner.is_rematch(seat, action) => {
                    let g = secret::id();
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
                Err(Denial::Late(event)) => {
                    let may_have = self.may_have_lost_node(hub, &inner, now).await;
                    let may_have = may_have.map_err(|error| self.fail(hub, &inner, &error))?;
                    if may_have && n_waits < MOST_WAITS {
                        n_waits += 1;
                        drop(inner);
                        tokio::time::sleep(WAIT).await;
                        inner = self.inner.lock().await;
                        let caught_up = self.catch_up(hub, &mut inner).await;
                        caught_up.map_err(|error| self.fail(hub, &inner, &error))?;
                        tries = 0..MOST_TRIES;
                        continue;
                    }
                    (event, true)
                }
                Err(Denial::Refused(why, message)) => {
                    // The cache may be stale: another node may have stored an end or an
                    // offer meanwhile. An illegal turn names the current position, so
                    // that the cache was right.
                    let caught_up = if why != Refusal::Illegal {
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
        request: &MatchRequest<'_>,
        round_trip: u64,
    ) -> Intent {
        let action = match request {
            MatchRequest::Turn(turn) => {
                return Intent::Turn {
                    by,
                    at: turn.at,
                    m: turn.m.clone(),
                    ms: turn.ms,
                    round_trip,
                };
            }
            MatchRequest::Do(action) => action,
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
                // Nobody loses by a node that died.
                gone_since: inner.gone[!by as usize].filter(|_| hub.now() >= hub.claims_from()),
            },
            ActionName::Say => Intent::Say {
                by,
                phrase: action.phrase.unwrap_or(0),
            },
        }
    }

    /// Ends the match if the clock of the player to move has expired.
    pub(crate) async fn check_time(&self, hub: &Hub) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        for _ in 0..MOST_TRIES {
            let now = hub.now();
            self.make_up_for_outage(hub, &mut inner, now).await?;
            let Ok(event) = decide(&inner.state, &Intent::TimeIsUp, now) else {
                return Ok(());
            };
            if self.may_have_lost_node(hub, &inner, now).await? {
                return Ok(());
            }
            match self.commit(hub, &mut inner, event, None, now, drop).await? {
                Commit::Done(_) | Commit::Repeated(_) => return Ok(()),
                Commit::Stale => {}
            }
        }
        Ok(())
    }

    /// Compensates an outage, unless that was done. The player to move has to be connected to this
    /// node, unless `is_everywhere`.
    pub(crate) async fn check_outage(
        &self,
        hub: &Hub,
        is_everywhere: bool,
    ) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        if !is_everywhere {
            self.catch_up(hub, &mut inner).await?;
            if !inner.is_here(inner.state.turn()) {
                return Ok(());
            }
        }
        self.make_up_for_outage(hub, &mut inner, hub.now()).await
    }

    /// Reads from the store what a claim depends on: the bus may have lost that the other player is
    /// back, or that a node died.
    async fn look_before_claim(&self, hub: &Hub, inner: &mut Inner) -> Result<(), StoreError> {
        hub.read_nodes().await?;
        self.look(hub, inner).await
    }

    /// Gives back time that `to` lost through a fault of the server. `cause` makes it idempotent.
    pub(super) async fn give_back(
        &self,
        hub: &Hub,
        inner: &mut Inner,
        to: Seat,
        ms: Millis,
        cause: &str,
    ) -> Result<(), StoreError> {
        for _ in 0..MOST_TRIES {
            if self.try_to_give_back(hub, inner, to, ms, cause).await? {
                break;
            }
        }
        Ok(())
    }

    /// As [`give_back`](Self::give_back), once. Returns whether nothing is left to do, because no
    /// other node was faster.
    async fn try_to_give_back(
        &self,
        hub: &Hub,
        inner: &mut Inner,
        to: Seat,
        ms: Millis,
        cause: &str,
    ) -> Result<bool, StoreError> {
        let (state, now) = (&inner.state, hub.now());
        // Before both have moved, only the player to move has a clock.
        let has_clock = to == state.turn() || state.have_both_moved();
        if ms == 0 || state.losing_since().is_none() || !has_clock {
            return Ok(true);
        }
        let Ok(event) = decide(state, &Intent::GiveTime { to, ms }, now) else {
            return Ok(true);
        };
        let cause = Some(cause.to_owned());
        let committed = self.commit(hub, inner, event, cause, now, drop).await?;
        Ok(!matches!(committed, Commit::Stale))
    }

    /// Gives the player to move the time of outages of the store or of this server back.
    pub(super) async fn make_up_for_outage(
        &self,
        hub: &Hub,
        inner: &mut Inner,
        now: Millis,
    ) -> Result<(), StoreError> {
        hub.notice_standstill();
        let Some(Outage { began, .. }) = hub.outages.last() else {
            return Ok(());
        };
        if inner.outage == Some(began) {
            return Ok(());
        }
        self.catch_up(hub, inner).await?;
        let cause = format!("{OUTAGE}{}:{began}", hub.node);
        for _ in 0..MOST_TRIES {
            // The player to move has lost time since the turn began, perhaps more than once. Other
            // nodes had the same outages, and one of them may have been faster.
            let to = inner.state.turn();
            let settled = inner.made_up.1.max(inner.came_over[to as usize]);
            let since = inner.state.losing_since();
            let ms = since.map_or(0, |since| hub.outages.time_since(since.max(settled), now));
            if self.try_to_give_back(hub, inner, to, ms, &cause).await? {
                inner.outage = Some(began);
                break;
            }
        }
        Ok(())
    }

    /// Stores an event, acknowledges it, and then broadcasts it.
    async fn commit(
        &self,
        hub: &Hub,
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
            inner.nameless_record(&event)
        } else {
            None
        };
        let terms = state.terms();
        let rematch = match &event {
            Event::Rematch { g } => Some(self.rematch(&state, g, hub.now())?),
            _ => None,
        };
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
            rematch,
        };
        match hub.store.append(append).await? {
            Appended::Done { rating_changes } => {
                let version = state.version();
                if let Some(cause) = cause {
                    inner.note_cause(cause, &event, version, now);
                }
                inner.state = state;
                inner.note_changes(&rating_changes);
                self.note_state(&inner.state);
                count(&hub.metrics.events);
                acknowledge(version);
                let message = self.event_message(&inner.state, &event, hub.now());
                let rematch = match &event {
                    Event::Rematch { g } => Some(g.clone()),
                    _ => None,
                };
                inner.log.push((event, now));
                inner.tell_all(&self.id, &message);
                if hub.store.is_shared() {
                    let id = self.id.clone();
                    hub.bus.publish(Notice::Match { id, version }).await;
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

    pub(super) fn note_state(&self, state: &State) {
        let deadline = state.deadline().unwrap_or(u64::MAX);
        self.deadline.store(deadline, Ordering::Relaxed);
        self.version.store(state.version(), Ordering::Relaxed);
    }

    /// The rematch with the id `g`: the colors are swapped.
    fn rematch(&self, state: &State, g: &str, now: Millis) -> Result<NewMatch, StoreError> {
        let [first, second] = self.players.clone();
        let new = new_match(state.terms().clone(), [second, first], now);
        let new = new.map_err(|error| StoreError::Broken(error.to_string()))?;
        Ok(NewMatch {
            id: g.to_owned(),
            ..new
        })
    }

    /// Applies the events that other nodes have stored. Returns whether there were any.
    pub(super) async fn catch_up(&self, hub: &Hub, inner: &mut Inner) -> Result<bool, StoreError> {
        let events = hub
            .store
            .events_after(&self.id, inner.state.version())
            .await?;
        let was_playing = inner.state.is_playing();
        let newest = events.last().map(|event| event.version);
        for event in &events {
            if inner.apply(event).is_err() {
                // The cache is inconsistent.
                self.read_again(hub, inner).await?;
                return Ok(true);
            }
            let is_newest = Some(event.version) == newest;
            if let Some((event, time)) = inner.log.last() {
                // Earlier ones as they were sent when they happened.
                let time = if is_newest { hub.now() } else { *time };
                let message = self.event_message(&inner.state, event, time);
                inner.tell_all(&self.id, &message);
            }
        }
        if !events.is_empty() {
            count(&hub.metrics.repaired);
            self.note_state(&inner.state);
        }
        if was_playing && !inner.state.is_playing() && inner.state.terms().is_rated {
            // Changes of ratings are not in the log.
            self.read_again(hub, inner).await?;
        }
        Ok(!events.is_empty())
    }
}
