//! Subscribers of a match, and the presence of its players.

use std::{
    slice,
    sync::{Arc, atomic::Ordering},
};

use axum::extract::ws::Utf8Bytes;
use protocol::{Seat, ServerMessage};
use referee::State;
use store::{Presence, StoreError};

use super::{FormerNode, Inner, Listener, Live};
use crate::{bus::Notice, connection::Connection, hub::Hub};

impl Live {
    /// Subscribes a socket, and sends it the events after version `v`, or the whole state. Returns
    /// the nodes for [`settle`](Self::settle).
    pub(crate) async fn join(
        &self,
        hub: &Hub,
        connection: &Arc<Connection>,
        v: Option<u64>,
    ) -> Vec<FormerNode> {
        let seat = connection
            .player
            .as_ref()
            .and_then(|player| self.seat(&player.id));
        let mut inner = self.inner.lock().await;
        let caught_up = self.catch_up(hub, &mut inner).await;
        hub.note_result(&caught_up);
        let made_up = self.make_up_for_outage(hub, &mut inner, hub.now()).await;
        hub.note_result(&made_up);
        let mut uncertain = Vec::new();
        // A player who has another socket here has lost nothing.
        if let Some(seat) = seat.filter(|&seat| !inner.is_here(seat)) {
            let made_up = self.make_up_for_dead_nodes(hub, &mut inner, seat).await;
            hub.note_result(&made_up);
            uncertain = made_up.unwrap_or_default();
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
            let here = self.here_message(hub, &inner, seat);
            inner.tell_all(&self.id, &here);
        }
        if seat.is_some() && hub.store.is_shared() {
            let looked = self.look(hub, &mut inner).await;
            hub.note_result(&looked);
            drop(inner);
            let id = self.id.clone();
            hub.bus.publish(Notice::Presence { id }).await;
        }
        uncertain
    }

    /// The messages for the events after version `v`; `None` if there are none, or too many.
    fn messages_after(&self, hub: &Hub, inner: &Inner, v: u64) -> Option<Vec<Utf8Bytes>> {
        const MOST: u64 = 40;
        let version = inner.state.version();
        if v >= version || version - v > MOST {
            return None;
        }
        // Positions are not cached, so the log is replayed.
        let mut state = State::new(inner.state.terms().clone(), inner.state.created()).ok()?;
        let mut messages = Vec::new();
        for (event, time) in &inner.log {
            state.apply(event, *time).ok()?;
            if state.version() == version {
                messages.push(self.event_message(&state, event, hub.now()));
            } else if state.version() > v {
                // As it was sent when it happened.
                messages.push(self.event_message(&state, event, *time));
            }
        }
        Some(messages)
    }

    /// Unsubscribes a socket.
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
        if hub.store.is_shared() {
            let looked = self.look(hub, &mut inner).await;
            hub.note_result(&looked);
            drop(inner);
            let id = self.id.clone();
            hub.bus.publish(Notice::Presence { id }).await;
            return;
        }
        inner.gone[seat as usize] = Some(now);
        let here = self.here_message(hub, &inner, seat);
        inner.tell_all(&self.id, &here);
    }

    /// Reads from the store which players are connected to other nodes, and broadcasts changes.
    pub(crate) async fn look_who_is_here(&self, hub: &Hub) -> Result<(), StoreError> {
        // The lock is taken before the read, so that an older result is not applied after a newer
        // one.
        let mut inner = self.inner.lock().await;
        self.look(hub, &mut inner).await
    }

    /// As [`look_who_is_here`](Self::look_who_is_here). Also records in the store who is connected
    /// to this node, if that is missing or wrong there.
    pub(super) async fn look(&self, hub: &Hub, inner: &mut Inner) -> Result<(), StoreError> {
        let presences = hub.store.presence(slice::from_ref(&self.id)).await?;
        for seat in Seat::BOTH {
            let (is_stored, is_elsewhere) = places(hub, &presences, seat);
            let is_connected = inner.is_here(seat);
            if is_connected && !is_stored {
                hub.store.set_presence(&self.id, seat, &hub.node).await?;
            } else if is_stored && !is_connected {
                hub.store.remove_presence(&self.id, seat, &hub.node).await?;
            }
            let is_here = is_connected || is_elsewhere;
            if is_here == inner.gone[seat as usize].is_none() {
                continue;
            }
            inner.gone[seat as usize] = (!is_here).then(|| hub.now());
            let here = self.here_message(hub, inner, seat);
            inner.tell_all(&self.id, &here);
        }
        Ok(())
    }

    /// Corrects what is known about the players if it differs from what the store has: notices may
    /// be lost, and other nodes remove what a node has stored that was silent for a while.
    pub(crate) async fn compare_presence(
        &self,
        hub: &Hub,
        presences: &[Presence],
    ) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        let is_same = |seat| {
            let (is_stored, is_elsewhere) = places(hub, presences, seat);
            let is_connected = inner.is_here(seat);
            let is_known_here = inner.gone[seat as usize].is_none();
            is_stored == is_connected && is_known_here == (is_connected || is_elsewhere)
        };
        if Seat::BOTH.into_iter().all(is_same) {
            return Ok(());
        }
        // `presences` were read without the lock, and may be out of date.
        self.look(hub, &mut inner).await
    }

    /// Broadcasts when the match may be claimed, which has changed.
    pub(crate) async fn tell_claim_times(&self, hub: &Hub) {
        let inner = self.inner.lock().await;
        for seat in Seat::BOTH {
            if inner.state.is_playing() && inner.gone[seat as usize].is_some() {
                let here = self.here_message(hub, &inner, seat);
                inner.tell_all(&self.id, &here);
            }
        }
    }

    fn here_message(&self, hub: &Hub, inner: &Inner, seat: Seat) -> Utf8Bytes {
        let message = ServerMessage::Here {
            g: self.id.clone(),
            seat,
            is: inner.gone[seat as usize].is_none(),
            claim: inner.claim_time(hub, seat),
            since: inner.gone[seat as usize],
        };
        message.to_json().into()
    }
}

/// Whether the player at `seat` is connected to this node, and to another one.
fn places(hub: &Hub, presences: &[Presence], seat: Seat) -> (bool, bool) {
    let mut nodes = presences
        .iter()
        .filter(|presence| presence.seat == seat)
        .map(|presence| presence.node == hub.node);
    let is_here = nodes.clone().any(|is_own| is_own);
    (is_here, nodes.any(|is_own| !is_own))
}
