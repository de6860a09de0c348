//! Messages and answers that show a match.

use axum::extract::ws::Utf8Bytes;
use protocol::{Event, LARGEST_ANSWER, MatchInfo, Seat, ServerMessage, StateMessage};
use referee::{Extent, State};
use store::{Millis, StoreError};

use super::{Inner, Live};
use crate::{connection::Connection, hub::Hub, terms::options_json};

impl Live {
    /// An event, with what holds afterwards; the clocks are those of `now`.
    pub(super) fn event_message(&self, state: &State, event: &Event, now: Millis) -> Utf8Bytes {
        let message = ServerMessage::Ev {
            g: self.id.clone(),
            v: state.version(),
            at: state.at(),
            e: event.clone(),
            fen: state.position(),
            turn: state.turn(),
            result: state.result(),
            status: state.status(),
            clock: state.clock(now),
            abort_at: state.abort_at(),
        };
        message.to_json().into()
    }

    pub(super) fn state_message(&self, hub: &Hub, inner: &Inner, you: Option<Seat>) -> Utf8Bytes {
        let state = &inner.state;
        let here = |seat: &Seat| inner.gone[*seat as usize].is_none();
        let other = you.map(|seat| !seat);
        let mut message = StateMessage {
            g: self.id.clone(),
            v: state.version(),
            at: state.at(),
            game: state.terms().game.clone(),
            options: options_json(&state.terms().options),
            record: String::new(),
            fen: state.position(),
            turn: state.turn(),
            result: state.result(),
            status: state.status(),
            reason: state.reason().map(str::to_owned),
            control: state.terms().control,
            clock: state.clock(hub.now()),
            abort_at: state.abort_at(),
            rated: state.terms().is_rated,
            seats: inner.seats.clone(),
            you,
            offers: state.offers().to_vec(),
            here: Seat::BOTH.into_iter().filter(here).collect(),
            claim: other.and_then(|seat| inner.claim_time(hub, seat)),
            since: other.and_then(|seat| inner.gone[seat as usize]),
            now: hub.now(),
            rematch: state.rematch().map(str::to_owned),
        };
        // The whole record first, which fits most often.
        let halves = std::iter::successors(Some(inner.log.len()), |n| (*n > 0).then_some(n / 2));
        let shorter = halves.skip(1).map(Extent::Last);
        let extents = [Extent::Whole, Extent::MainLine].into_iter().chain(shorter);
        let mut text = String::new();
        for extent in extents {
            message.record = inner.record(extent).unwrap_or_default();
            text = ServerMessage::State(Box::new(message.clone())).to_json();
            if text.len() <= LARGEST_ANSWER {
                break;
            }
        }
        text.into()
    }

    /// The whole state, for a socket that was too slow for events. It gets later events again.
    pub(crate) async fn state_for(&self, hub: &Hub, connection: &Connection) -> Option<Utf8Bytes> {
        // No event is appended while this is held, so none is missing between the state and later
        // events.
        let inner = self.inner.lock().await;
        connection.catches_up(&self.id);
        let mut listeners = inner.listeners.iter();
        let listener =
            listeners.find(|listener| listener.connection.number == connection.number)?;
        Some(self.state_message(hub, &inner, listener.seat))
    }

    /// Catches up with the store, if it has a later version.
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
        let record = inner.record(Extent::Whole);
        record.ok_or_else(|| StoreError::Broken(format!("match {} has no record", self.id)))
    }
}
