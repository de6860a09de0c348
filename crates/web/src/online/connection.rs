//! The socket, and what comes over it.

use leptos::{prelude::*, task::spawn_local};
use online::{Connection, Event, Link, LinkEffect, LinkEvent, SeekRequest};
use protocol::{ClientMessage, SUBPROTOCOL, ServerMessage};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{MessageEvent, WebSocket};

use super::{Online, TICK, http::Failure, json::Json, time, wire};
use crate::online_state::Identity;

impl Online {
    /// Whether anybody needs the connection.
    pub(super) fn is_wanted(self) -> bool {
        let hub = self.hub;
        hub.current.with_untracked(Option::is_some)
            || hub.invitation.with_untracked(Option::is_some)
            || !hub.seeking.with_untracked(Vec::is_empty)
    }

    /// Connects, or ends the connection if nobody needs it.
    pub(super) fn settle(self) {
        if self.is_wanted() {
            self.update_link(LinkEvent::Start);
            self.tick();
        } else {
            self.hub.tick.stop();
            self.update_link(LinkEvent::Stop);
        }
    }

    /// The phrase for a connection that is not there; nothing while it is.
    pub(super) fn trouble_name(self) -> Option<&'static str> {
        match self.hub.connection.get() {
            Connection::Connected => None,
            Connection::Reconnecting => Some("on.state.connecting"),
            Connection::Offline => Some("on.state.offline"),
        }
    }

    pub(super) fn tick(self) {
        self.update_link(LinkEvent::Tick);
        self.update(Event::Tick);
        self.resend_seek();
        let seconds = time() / 1000;
        if self.hub.seconds.get_untracked() != seconds {
            self.hub.seconds.set(seconds);
        }
        self.hub.tick.start(TICK, move || self.tick());
    }

    pub(super) fn update_link(self, event: LinkEvent) {
        let update = |link: &mut Link| (link.update(event, time()), link.connection());
        let Some((effects, connection)) = self.hub.link.try_update_value(update) else {
            return;
        };
        if self.hub.connection.get_untracked() != connection {
            self.hub.connection.set(connection);
            self.room.driver.connection.set(connection.name());
        }
        for effect in effects {
            match effect {
                LinkEffect::Open => self.open_socket(),
                LinkEffect::Close => self.close_sockets(None),
                LinkEffect::Ping(n) => self.send(&ClientMessage::Ping { n }),
                LinkEffect::Connected => {
                    self.update(Event::Connected);
                    // Another tab may wait, and should not be stopped from here.
                    if !self.hub.seeking.with_untracked(Vec::is_empty) {
                        self.send_seek();
                    }
                }
                LinkEffect::Lost => self.update(Event::Lost),
            }
        }
    }

    pub(super) fn open_socket(self) {
        let location = window().location();
        let scheme = match location.protocol().as_deref() {
            Ok("https:") => "wss",
            _ => "ws",
        };
        let host = location.host().unwrap_or_default();
        let number = self.hub.n_sockets.get_value() + 1;
        self.hub.n_sockets.set_value(number);
        let Ok(socket) = WebSocket::new_with_str(&format!("{scheme}://{host}/ws"), SUBPROTOCOL)
        else {
            return self.update_link(LinkEvent::Closed);
        };
        let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string() {
                self.receive(number, &text);
            }
        });
        let closed = Closure::<dyn Fn()>::new(move || {
            let is_last = self.hub.n_sockets.get_value() == number;
            self.forget_socket(number);
            if is_last {
                self.update_link(LinkEvent::Closed);
            }
        });
        socket.set_onmessage(Some(heard.into_js_value().unchecked_ref()));
        socket.set_onclose(Some(closed.into_js_value().unchecked_ref()));
        self.hub
            .sockets
            .update_value(|sockets| sockets.push((number, socket)));
    }

    pub(super) fn forget_socket(self, number: u32) {
        self.hub
            .sockets
            .try_update_value(|sockets| sockets.retain(|(other, _)| *other != number));
    }

    /// Closes all sockets but one.
    pub(super) fn close_sockets(self, but: Option<u32>) {
        let Some(all) = self.hub.sockets.try_update_value(std::mem::take) else {
            return;
        };
        for (number, socket) in all {
            if Some(number) == but {
                self.hub
                    .sockets
                    .update_value(|kept| kept.push((number, socket)));
            } else {
                socket.set_onmessage(None);
                socket.set_onclose(None);
                socket.close().ok();
            }
        }
    }

    /// Sends a message over the last socket that is open.
    pub(super) fn send(self, message: &ClientMessage) {
        let text = wire::write(message);
        self.hub.sockets.with_value(|sockets| {
            let mut open = sockets.iter().rev();
            let open = open.find(|(_, socket)| socket.ready_state() == WebSocket::OPEN);
            if let Some((_, socket)) = open {
                socket.send_with_str(&text).ok();
            }
        });
    }

    pub(super) fn receive(self, number: u32, text: &str) {
        let Some(message) = Json::parse(text).and_then(|json| wire::read(&json)) else {
            return;
        };
        let is_last = self.hub.n_sockets.get_value() == number;
        match &message {
            ServerMessage::Hi { you, .. } if is_last => {
                self.close_sockets(Some(number));
                let me = you
                    .as_ref()
                    .map_or(Identity::Nobody, |you| Identity::Player {
                        name: you.name.clone(),
                        is_guest: you.guest,
                    });
                self.set_player(me);
                self.update_link(LinkEvent::Opened);
            }
            ServerMessage::Over {} => self.update_link(LinkEvent::Leaving),
            ServerMessage::Paired { g, .. } => {
                self.update_link(LinkEvent::Heard);
                self.paired(g);
            }
            _ => self.update_link(LinkEvent::Heard),
        }
        self.hear_of_seek(&message);
        self.update(Event::Heard(message));
    }

    // Looking for an opponent.

    pub(super) fn paired(self, id: &str) {
        self.hub.seeking.set(Vec::new());
        self.end_invitation();
        let is_busy =
            self.with_untracked(|it| it.id() != id && it.seat().is_some() && !it.is_over());
        if is_busy {
            // Nobody is taken away from a match in play.
            self.hub.begun.set(Some(id.to_owned()));
        } else {
            self.go_to_match(id);
        }
    }

    /// Waits in these pools.
    pub(super) fn seek(self, pools: Vec<String>) {
        if self.hub.seeking.with_untracked(Vec::is_empty) {
            self.hub.seeking_since.set_value(time());
        }
        self.hub.seeking.set(pools);
        spawn_local(async move {
            if let Err(failure) = self.ensure_player().await {
                self.hub.seeking.set(Vec::new());
                self.fail(&failure);
            }
            // `unseek` is sent before the connection is closed.
            if self.hub.seeking.with_untracked(Vec::is_empty) {
                self.send_seek();
                self.settle();
            } else {
                self.settle();
                self.send_seek();
            }
        });
    }

    pub(super) fn send_seek(self) {
        let pools = self.hub.seeking.get_untracked();
        if pools.is_empty() {
            self.hub.seek_request.update_value(SeekRequest::end);
            self.send(&ClientMessage::Unseek {});
        } else {
            let id = self.next_request();
            let note = |request: &mut SeekRequest| request.send(id, time());
            self.hub.seek_request.update_value(note);
            self.send(&ClientMessage::Seek { id, pools });
        }
    }

    /// Sends the request for an opponent again if its answer does not come.
    fn resend_seek(self) {
        let pools = self.hub.seeking.get_untracked();
        let resend = |request: &mut SeekRequest| request.resend(time());
        if !pools.is_empty()
            && let Some(Some(id)) = self.hub.seek_request.try_update_value(resend)
        {
            self.send(&ClientMessage::Seek { id, pools });
        }
    }

    /// Ends the search if the server refuses it for good.
    fn hear_of_seek(self, message: &ServerMessage) {
        let hear = |request: &mut SeekRequest| request.hear(message);
        let is_refused = self.hub.seek_request.try_update_value(hear) == Some(true);
        if is_refused && !self.hub.seeking.with_untracked(Vec::is_empty) {
            self.hub.seeking.set(Vec::new());
            self.hub.trouble.set(Some("on.failed".to_owned()));
            // Another try needs another connection if this one has no player.
            self.settle();
        }
    }

    /// Says why a request failed.
    pub(super) fn fail(self, failure: &Failure) {
        let name = match (failure.status, &*failure.code) {
            (0, _) => "on.offline.long",
            (429, _) => "on.slow-down",
            (401, _) => "on.wrong",
            (409, _) => "on.taken",
            (400, _) => "on.bad",
            _ => "on.failed",
        };
        self.hub.trouble.set(Some(name.to_owned()));
    }
}
