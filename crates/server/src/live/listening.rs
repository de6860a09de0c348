//! Who listens to a match, and who is here.

use std::sync::{Arc, atomic::Ordering};

use axum::extract::ws::Utf8Bytes;
use protocol::{Seat, ServerMessage};
use referee::State;
use store::StoreError;

use super::{Inner, Listener, Live};
use crate::{bus::Hint, connection::Connection, hub::Hub};

impl Live {
    /// Lets a socket hear what happens from now on, and sends it what it needs to follow: the
    /// events after version `v`, or the whole state.
    pub(crate) async fn join(&self, hub: &Hub, connection: &Arc<Connection>, v: Option<u64>) {
        let seat = connection
            .player
            .as_ref()
            .and_then(|player| self.seat(&player.id));
        let mut inner = self.inner.lock().await;
        let caught_up = self.catch_up(hub, &mut inner).await;
        hub.note_result(&caught_up);
        let made_up = self.make_up_for_outage(hub, &mut inner, hub.now()).await;
        hub.note_result(&made_up);
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
        if inner.is_here(seat) {
            return;
        }
        if hub.bus.is_shared() {
            drop(inner);
            let removed = hub.store.remove_presence(&self.id, seat, &hub.node).await;
            hub.note_result(&removed);
            // Somebody with the same seat may have come meanwhile.
            if self.inner.lock().await.is_here(seat) {
                let stored = hub.store.set_presence(&self.id, seat, &hub.node).await;
                hub.note_result(&stored);
            }
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
        // What was read first must not be applied last.
        let mut inner = self.inner.lock().await;
        let presences = hub.store.presence(&self.id).await?;
        for seat in Seat::BOTH {
            let is_elsewhere = presences.iter().any(|presence| presence.seat == seat);
            let is_here = is_elsewhere || inner.is_here(seat);
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
}
