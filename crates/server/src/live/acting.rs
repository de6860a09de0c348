//! What happens in a match: decided, stored, acknowledged, and then told.

use std::sync::atomic::Ordering;

use protocol::{
    Action, ActionName, ClaimAs, Event, OfferKind, Refusal, Seat, ServerMessage, Speed, TurnMessage,
};
use referee::{Denial, Intent, State, decide};
use store::{Append, Appended, Created, Millis, StoreError};

use super::{Inner, Live, OUTAGE};
use crate::{
    bus::Hint,
    connection::Connection,
    hub::{Hub, Outage},
    metrics::count,
    terms::{head, in_order, new_match},
};

/// How often a decision is made again because another node was first.
const MOST_TRIES: usize = 3;

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

/// Time that a player lost by our fault.
#[derive(Clone, Copy)]
pub(crate) struct Lost {
    /// Who; the player to move if it is left out.
    pub(crate) to: Option<Seat>,
    pub(crate) from: Millis,
    pub(crate) until: Millis,
}

/// What became of an event that was to be stored.
enum Commit {
    Done(u64),
    Repeated(u64),
    Stale,
}

impl Live {
    /// Does what a player asks for.
    pub(crate) async fn act(
        &self,
        hub: &Hub,
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
                    // Perhaps it is this cache that is wrong: another node may know of the
                    // end or the offer that this one has not heard of. The position of a
                    // turn that is illegal is the right one.
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
    pub(crate) async fn check_time(&self, hub: &Hub) -> Result<(), StoreError> {
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

    /// Makes up for an outage, if that was not done.
    pub(crate) async fn check_outage(&self, hub: &Hub) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        self.make_up_for_outage(hub, &mut inner, hub.now()).await
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
        hub: &Hub,
        lost: Lost,
        cause: &str,
    ) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        self.catch_up(hub, &mut inner).await?;
        self.give(hub, &mut inner, lost, cause).await
    }

    async fn give(
        &self,
        hub: &Hub,
        inner: &mut Inner,
        Lost { to, from, until }: Lost,
        cause: &str,
    ) -> Result<(), StoreError> {
        for _ in 0..MOST_TRIES {
            let (now, turn) = (hub.now(), inner.state.turn());
            let to = to.unwrap_or(turn);
            // Only the player to move has lost time, and only since the turn began.
            let Some(since) = inner.state.losing_since().filter(|_| to == turn) else {
                return Ok(());
            };
            // Other nodes had the same outage, and one of them may have been faster.
            let from = if cause.starts_with(OUTAGE) {
                from.max(inner.made_up)
            } else {
                from
            };
            let ms = until.saturating_sub(from.max(since));
            if ms == 0 {
                return Ok(());
            }
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

    /// If the store or this server was not there while the player to move was thinking, the
    /// time of that outage is not theirs.
    pub(super) async fn make_up_for_outage(
        &self,
        hub: &Hub,
        inner: &mut Inner,
        now: Millis,
    ) -> Result<(), StoreError> {
        hub.notice_standstill();
        let Some(Outage { began, ended }) = hub.outage() else {
            return Ok(());
        };
        if inner.outage == Some(began) {
            return Ok(());
        }
        self.catch_up(hub, inner).await?;
        let lost = Lost {
            to: None,
            from: began,
            until: ended.unwrap_or(now),
        };
        let cause = format!("{OUTAGE}{}:{began}", hub.node);
        self.give(hub, inner, lost, &cause).await?;
        inner.outage = Some(began);
        Ok(())
    }

    /// Stores an event, acknowledges it, and then tells everybody.
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
                if let Some(cause) = cause {
                    inner.note_cause(cause, version, now);
                }
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

    pub(super) fn note_state(&self, state: &State) {
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
    pub(super) async fn catch_up(&self, hub: &Hub, inner: &mut Inner) -> Result<bool, StoreError> {
        let events = hub
            .store
            .events_after(&self.id, inner.state.version())
            .await?;
        for event in &events {
            if inner.apply(event).is_err() {
                // This cache is wrong.
                self.read_again(hub, inner).await?;
                return Ok(true);
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
