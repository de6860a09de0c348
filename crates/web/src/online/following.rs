//! The match that somebody plays or watches, and its board.

use std::collections::VecDeque;

use leptos::{prelude::*, task::spawn_local};
use online::{Connection, Effect as MatchEffect, Event, OnlineMatch, PendingTurn};
use play::{RemoteState, Saved};
use protocol::ClientMessage;
use rules::ByPlayer;

use super::{Online, time};
use crate::{
    device::{chance, date, store, stored},
    news::tell,
    online_route::OnlineRoute,
    session::{MatchSession, OnlineDetails},
};

impl Online {
    pub(super) fn open_match(self, id: String) {
        if self.with_untracked(|it| it.id() == id) {
            return;
        }
        self.close_match();
        self.hub.begun.set(None);
        let kept = stored(&format!("turn.{id}"));
        let kept = kept.and_then(|text| PendingTurn::from_text(&text));
        let current = OnlineMatch::new(id, chance(), kept);
        self.hub.current.set(Some(current));
        // Whoever has no name yet watches.
        self.settle();
        if self.hub.connection.get_untracked() == Connection::Connected {
            self.update(Event::Connected);
        }
    }

    pub(super) fn close_match(self) {
        let closed = self
            .hub
            .current
            .try_update_untracked(Option::take)
            .flatten();
        let Some(closed) = closed else {
            return;
        };
        tell(&self.hub.current);
        self.hub.queue.set_value(VecDeque::new());
        let g = closed.id().to_owned();
        self.send(&ClientMessage::Leave { g });
        self.settle();
        self.refresh();
    }

    /// Hands an event to the match, and carries out what it wants.
    pub(super) fn update(self, event: Event) {
        let is_tick = matches!(event, Event::Tick);
        let effects = self.hub.current.try_update_untracked(|current| {
            let current = current.as_mut();
            current.map(|current| current.update(event, time()))
        });
        let Some(Some(effects)) = effects else {
            return;
        };
        if !is_tick {
            tell(&self.hub.current);
        }
        for effect in effects {
            self.run(effect);
        }
    }

    pub(super) fn run(self, effect: MatchEffect) {
        match effect {
            MatchEffect::Send(message) => self.send(&message),
            MatchEffect::Open => self.open_session(),
            MatchEffect::Sit(play::Event::Follow(standing)) => self.enqueue(standing),
            MatchEffect::Sit(event) => self.sit(event),
            MatchEffect::Keep(text) => {
                let id = self.with_untracked(|it| Some(it.id().to_owned()));
                if let Some(id) = id {
                    store(&format!("turn.{id}"), &text.unwrap_or_default());
                }
            }
            MatchEffect::YourTurn => self.notify(),
            MatchEffect::Ended => {
                self.keep_match();
                self.refresh();
            }
            MatchEffect::Next(id) => self.go_to_match(&id),
        }
    }

    /// Shows the match, which has just become known.
    pub(super) fn open_session(self) {
        let opened = self.with_untracked(|current| {
            let seats = current.seats()?;
            let names = ByPlayer::from_fn(|player| match &seats[player].player {
                gone if gone.deleted => self.room.say("on.deleted"),
                player => player.name.clone(),
            });
            let id = current.id().to_owned();
            Some((current.sit()?, OnlineDetails { id, names }))
        });
        let Some((sitting, head)) = opened else {
            return;
        };
        let is_fast = match self.room.online.get_untracked() {
            OnlineRoute::Match { is_fast, .. } => is_fast,
            _ => false,
        };
        let Ok(mut session) = MatchSession::of_sitting(self.room.next_number(), sitting) else {
            return;
        };
        session.online = Some(head);
        session.wish.is_fast = is_fast;
        self.room.show(session, Vec::new());
        if self.with_untracked(OnlineMatch::is_over) {
            self.keep_match();
        } else {
            // From now on it is off limits for the engine.
            self.refresh();
        }
    }

    /// Hands an event to the board, if it shows the match.
    pub(super) fn sit(self, event: play::Event) {
        let is_shown = self
            .room
            .driver
            .with_untracked(|session| session.online.is_some());
        if is_shown {
            self.room.driver.dispatch(event);
        }
    }

    /// The match stands there; what leads there is shown move by move.
    pub(super) fn enqueue(self, standing: RemoteState) {
        let base = self.room.driver.with_untracked(|session| {
            let record = session.record();
            let line = record.line(session.sitting.live()).into_iter();
            line.filter_map(|node| record.move_to(node))
                .collect::<Vec<_>>()
        });
        self.hub.queue.update_value(|queue| {
            let base = match queue.back() {
                Some(play::Event::Follow(last)) => last.moves.len(),
                _ => base.len(),
            };
            for n in base + 1..standing.moves.len() {
                queue.push_back(play::Event::Follow(RemoteState {
                    moves: standing.moves[..n].to_vec(),
                    ..RemoteState::default()
                }));
            }
            queue.push_back(play::Event::Follow(standing));
        });
        self.drain();
    }

    /// Shows what waits, unless something is still seen to happen.
    pub(super) fn drain(self) {
        loop {
            let is_moving = self.room.driver.is_moving.get_untracked();
            if is_moving && !document().hidden() {
                return;
            }
            let next = self.hub.queue.try_update_value(VecDeque::pop_front);
            let Some(Some(event)) = next else {
                return;
            };
            self.sit(event);
        }
    }

    /// Stores a match that is over with the others on this device.
    pub(super) fn keep_match(self) {
        let kept = self.with_untracked(|current| {
            current.seat()?;
            current
                .record()
                .filter(|record| !record.moves().is_empty())?;
            Some((
                current.id().to_owned(),
                Saved::new(&current.sit()?, date(), None),
            ))
        });
        let Some((id, saved)) = kept else {
            return;
        };
        let driver = self.room.driver;
        spawn_local(async move {
            if driver.shelf.read(&id).await.is_none() {
                driver.shelf.write(id.clone(), &saved);
            }
            let is_shown = driver.with_untracked(|session| {
                session
                    .online
                    .as_ref()
                    .is_some_and(|online| online.id == id)
            });
            if is_shown {
                driver.set_id(&id);
            }
        });
    }

    /// Notifies somebody who looks elsewhere that it is their turn in the open match.
    pub(super) fn notify(self) {
        let rival = self.room.driver.with_untracked(|session| {
            let online = session.online.as_ref();
            let rival = session.sitting.person().zip(online);
            rival.map(|(person, online)| online.names[!person].clone())
        });
        self.notify_of(&rival.unwrap_or_default());
    }

    /// Notifies somebody who looks elsewhere that it is their turn against `rival`.
    pub(super) fn notify_of(self, rival: &str) {
        if !document().hidden() || !wants_notifications() {
            return;
        }
        let title = self.room.say("state.turn");
        let options = web_sys::NotificationOptions::new();
        options.set_body(rival);
        options.set_icon("app.svg");
        // Phones show notifications of service workers only.
        let shown = match self.room.updates.registration() {
            Some(registration) => registration
                .show_notification_with_options(&title, &options)
                .map(drop),
            None => web_sys::Notification::new_with_options(&title, &options).map(drop),
        };
        // The browser may not allow it any more.
        shown.ok();
    }
}

/// Whether the player wants to be notified.
pub(super) fn wants_notifications() -> bool {
    stored("notify").as_deref() == Some("on")
}
