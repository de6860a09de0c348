//! Online play: challenges, pairing, matches with somebody elsewhere.
//!
//! The state is that of [`online::Link`] and [`online::OnlineMatch`]; here are the socket, the
//! requests and the screens. All of this is a part of the program that is fetched when somebody
//! plays online (`lazy.rs`).

mod accounts;
mod cards;
mod http;
mod invitation;
mod json;
mod lobby;
mod people;
mod table;
mod wire;

use std::collections::VecDeque;

use leptos::{ev, prelude::*, task::spawn_local};
use online::{
    Connection, Effect as MatchEffect, Event, Link, LinkEffect, LinkEvent, OnlineMatch, PendingTurn,
};
use play::{Saved, Standing};
use protocol::{ClientMessage, SUBPROTOCOL, ServerMessage};
use rules::ByPlayer;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{MessageEvent, WebSocket};

pub(crate) use self::table::{OnlineControls, OnlinePanel, OnlineSeat};
use self::{
    accounts::AccountDialog,
    http::{Failure, call},
    invitation::Join,
    json::Json,
    lobby::Lobby,
    people::{Games, Profile},
};
use crate::{
    app::find,
    device::{chance, date, now, store, stored},
    news::tell,
    online_hub::{Hub, Me},
    online_route::OnlineRoute,
    room::{Room, Screen},
    rooms::Trouble,
    route::Route,
    session::{OnlineSession, Session},
    timer::Timer,
};

/// The time between two looks at the connection, in milliseconds.
const TICK: f64 = 250.0;

/// The time between two questions for lists that somebody looks at, in milliseconds.
const LIST_TIME: f64 = 10_000.0;

/// The same while nobody looks at them.
const COUNT_TIME: f64 = 60_000.0;

/// Online play. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Online {
    pub(crate) room: Room,
    pub(crate) hub: Hub,
}

/// The time of events, in milliseconds.
fn time() -> u64 {
    now() as u64
}

/// What drives online play, and its screens.
#[component]
pub(crate) fn OnlineRoot(room: Room) -> impl IntoView {
    let hub = Hub {
        me: RwSignal::new(Me::Unknown),
        link: StoredValue::new_local(Link::new(chance())),
        connection: RwSignal::new(Connection::Reconnecting),
        sockets: StoredValue::new_local(Vec::new()),
        n_sockets: StoredValue::new(0),
        current: RwSignal::new_local(None),
        queue: StoredValue::new_local(VecDeque::new()),
        seeking: RwSignal::new(Vec::new()),
        seeking_since: StoredValue::new(0),
        invitation: RwSignal::new(None),
        mine: RwSignal::new_local(JsValue::NULL),
        lobby: RwSignal::new_local(JsValue::NULL),
        seconds: RwSignal::new(0),
        trouble: RwSignal::new(None),
        account: RwSignal::new(None),
        n_requests: StoredValue::new(chance()),
        tick: Timer::new(),
        refresh: Timer::new(),
    };
    room.hub.set_value(Some(hub));
    let online = Online { room, hub };
    online.listen();
    let is_shown =
        Memo::new(move |_| room.screen.get() == Screen::Online && !room.driver.is_open());
    let screen = move || {
        let route = room.online.get();
        Some(match route {
            _ if !is_shown.get() => return None,
            _ if hub.me.get() == Me::NoServer => {
                view! { <Trouble room=room name="on.no-server" /> }.into_any()
            }
            OnlineRoute::Play => view! { <Lobby online=online /> }.into_any(),
            OnlineRoute::Join { token, .. } => {
                view! { <Join online=online token=token /> }.into_any()
            }
            OnlineRoute::Match { .. } => view! { <Opening online=online /> }.into_any(),
            OnlineRoute::Player(name) => view! { <Profile online=online name=name /> }.into_any(),
            OnlineRoute::Games => view! { <Games online=online /> }.into_any(),
        })
    };
    view! {
        {screen}
        <Show when=move || hub.account.with(Option::is_some)>
            <AccountDialog online=online />
        </Show>
    }
}

/// A match that is not there yet.
#[component]
fn Opening(online: Online) -> impl IntoView {
    let Online { room, hub } = online;
    let is_unknown = Memo::new(move |_| {
        hub.current
            .with(|it| it.as_ref().is_some_and(OnlineMatch::is_unknown))
    });
    let is_lost = Memo::new(move |_| hub.connection.get() == Connection::Offline);
    move || {
        if is_unknown.get() {
            return view! { <Trouble room=room name="on.match.unknown" /> }.into_any();
        }
        if is_lost.get() {
            return view! { <Trouble room=room name="on.offline.long" /> }.into_any();
        }
        view! {
            <div class="app opening" aria-busy="true">
                <nav class="nav"></nav>
                <main class="middle">
                    <h1 class="sr">{room.text("on.opening")}</h1>
                    <div class="bd ghost"></div>
                </main>
                <aside class="side"><i class="ghost"></i><i class="ghost"></i></aside>
            </div>
        }
        .into_any()
    }
}

impl Online {
    /// What drives online play, in a room where somebody plays online.
    pub(crate) fn of(room: Room) -> Option<Self> {
        let hub = room.hub.get_value()?;
        Some(Self { room, hub })
    }

    /// Follows the address, the network and the board.
    fn listen(self) {
        let room = self.room;
        let hash = window_event_listener(ev::hashchange, move |_| self.follow_address());
        let nudge = move |_: web_sys::Event| self.update_link(LinkEvent::Nudge);
        let found = window_event_listener_untyped("online", nudge);
        let lost = window_event_listener_untyped("offline", move |_| {
            self.update_link(LinkEvent::NetworkLost);
        });
        let seen = window_event_listener_untyped("visibilitychange", move |_| {
            if !document().hidden() {
                self.update_link(LinkEvent::Nudge);
                self.refresh();
            }
            self.drain();
        });
        on_cleanup(move || {
            hash.remove();
            found.remove();
            lost.remove();
            seen.remove();
        });
        room.driver
            .on_turn
            .set_value(Some(Callback::new(move |moves| {
                self.update(Event::Made(moves));
            })));
        Effect::new(move |_| {
            if !room.driver.is_moving.get() {
                self.drain();
            }
        });
        self.follow_address();
        if self.room.screen.get_untracked() != Screen::Online {
            self.refresh();
        }
    }

    fn follow_address(self) {
        let fragment = window().location().hash().unwrap_or_default();
        match Route::read(&fragment) {
            Route::Online(OnlineRoute::Match { id, .. }) => self.open_match(id),
            Route::Online(_) => {
                self.close_match();
                self.refresh();
            }
            _ => self.close_match(),
        }
    }

    /// Goes to an address of the page.
    fn go(self, address: &str) {
        window().location().set_hash(address).ok();
    }

    fn go_to_match(self, id: &str) {
        let is_fast = match self.room.online.get_untracked() {
            OnlineRoute::Match { is_fast, .. } | OnlineRoute::Join { is_fast, .. } => is_fast,
            _ => false,
        };
        let id = id.to_owned();
        self.go(&OnlineRoute::Match { id, is_fast }.to_string());
    }

    /// The number of the next request besides those of a match.
    fn next_request(self) -> u64 {
        self.hub
            .n_requests
            .update_value(|n| *n = (*n + 1) % (1 << 52));
        self.hub.n_requests.get_value()
    }

    // Who is here, and their lists.

    /// Makes sure that the server knows who is here.
    async fn ensure_player(self) -> Result<(), Failure> {
        if matches!(self.hub.me.get_untracked(), Me::Player { .. }) {
            return Ok(());
        }
        if stored("online").is_some()
            && let Ok(json) = call("GET", "/api/me", None).await
        {
            self.set_mine(json);
            return Ok(());
        }
        let session = call("POST", "/api/guests", Some("{}")).await?;
        self.set_me(session.get("player"));
        Ok(())
    }

    fn set_me(self, player: Option<Json>) {
        let me = player.map_or(Me::Nobody, |player| Me::Player {
            name: player.text("name"),
            is_guest: player.is("guest"),
        });
        if me != Me::Nobody && stored("online").is_none() {
            store("online", "1");
        }
        if self.hub.me.get_untracked() != me {
            self.hub.me.set(me);
        }
    }

    fn set_mine(self, json: Json) {
        self.set_me(json.get("player"));
        let matches = json.list("matches");
        let open = self.room.online.with_untracked(|route| {
            let id = route.match_id().map(str::to_owned);
            id.filter(|_| self.hub.current.with_untracked(Option::is_some))
        });
        let is_turn = |card: &&Json| {
            // The one that is looked at has the title for itself.
            card.text("seat") == card.text("turn") && Some(card.text("id")) != open
        };
        let n_turns = matches.iter().filter(is_turn).count();
        if self.room.n_turns.get_untracked() != n_turns {
            self.room.n_turns.set(n_turns);
        }
        self.hub.mine.set(json.0);
    }

    /// Asks for the lists now, and again later.
    fn refresh(self) {
        let is_seen = self.room.screen.get_untracked() == Screen::Online;
        spawn_local(async move {
            // A server is not asked about somebody whom it has never seen.
            if stored("online").is_some() {
                match call("GET", "/api/me", None).await {
                    Ok(json) => self.set_mine(json),
                    Err(failure) if failure.status == 401 => self.set_me(None),
                    Err(_) => {}
                }
            } else {
                self.set_me(None);
            }
            if is_seen {
                match call("GET", "/api/lobby", None).await {
                    Ok(json) => self.hub.lobby.set(json.0),
                    Err(failure) if failure.is_no_server() => self.hub.me.set(Me::NoServer),
                    Err(_) => {}
                }
            }
        });
        let pause = if is_seen { LIST_TIME } else { COUNT_TIME };
        self.hub.refresh.start(pause, move || {
            if !document().hidden() || self.room.n_turns.get_untracked() == 0 {
                self.refresh();
            }
        });
    }

    // The connection.

    /// Whether anybody needs the connection.
    fn is_wanted(self) -> bool {
        let hub = self.hub;
        hub.current.with_untracked(Option::is_some)
            || hub.invitation.with_untracked(Option::is_some)
            || !hub.seeking.with_untracked(Vec::is_empty)
    }

    /// Connects, or ends the connection if nobody needs it.
    fn settle(self) {
        if self.is_wanted() {
            self.update_link(LinkEvent::Start);
            self.tick();
        } else {
            self.hub.tick.stop();
            self.update_link(LinkEvent::Stop);
        }
    }

    fn tick(self) {
        self.update_link(LinkEvent::Tick);
        self.update(Event::Tick);
        let seconds = time() / 1000;
        if self.hub.seconds.get_untracked() != seconds {
            self.hub.seconds.set(seconds);
        }
        self.hub.tick.start(TICK, move || self.tick());
    }

    fn update_link(self, event: LinkEvent) {
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
                    self.send_seek();
                }
                LinkEffect::Lost => self.update(Event::Lost),
            }
        }
    }

    fn open_socket(self) {
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

    fn forget_socket(self, number: u32) {
        self.hub
            .sockets
            .try_update_value(|sockets| sockets.retain(|(other, _)| *other != number));
    }

    /// Closes all sockets but one.
    fn close_sockets(self, but: Option<u32>) {
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
    fn send(self, message: &ClientMessage) {
        let text = wire::write(message);
        self.hub.sockets.with_value(|sockets| {
            let mut open = sockets.iter().rev();
            let open = open.find(|(_, socket)| socket.ready_state() == WebSocket::OPEN);
            if let Some((_, socket)) = open {
                socket.send_with_str(&text).ok();
            }
        });
    }

    fn receive(self, number: u32, text: &str) {
        let Some(message) = Json::parse(text).and_then(|json| wire::read(&json)) else {
            return;
        };
        let is_last = self.hub.n_sockets.get_value() == number;
        match &message {
            ServerMessage::Hi { you, .. } if is_last => {
                self.close_sockets(Some(number));
                let me = you.as_ref().map_or(Me::Nobody, |you| Me::Player {
                    name: you.name.clone(),
                    is_guest: you.guest,
                });
                if self.hub.me.get_untracked() != me {
                    self.hub.me.set(me);
                }
                self.update_link(LinkEvent::Opened);
            }
            ServerMessage::Over {} => self.update_link(LinkEvent::Leaving),
            ServerMessage::Paired { g, .. } => {
                self.update_link(LinkEvent::Heard);
                self.paired(g);
            }
            _ => self.update_link(LinkEvent::Heard),
        }
        self.update(Event::Heard(message));
    }

    // Looking for an opponent.

    fn paired(self, id: &str) {
        self.hub.seeking.set(Vec::new());
        self.hub.invitation.set(None);
        self.go_to_match(id);
    }

    /// Waits in these pools.
    fn seek(self, pools: Vec<String>) {
        if self.hub.seeking.with_untracked(Vec::is_empty) {
            self.hub.seeking_since.set_value(time());
        }
        self.hub.seeking.set(pools);
        spawn_local(async move {
            if let Err(failure) = self.ensure_player().await {
                self.hub.seeking.set(Vec::new());
                self.fail(&failure);
            }
            self.settle();
            self.send_seek();
        });
    }

    fn send_seek(self) {
        let pools = self.hub.seeking.get_untracked();
        if pools.is_empty() {
            self.send(&ClientMessage::Unseek {});
        } else {
            let id = self.next_request();
            self.send(&ClientMessage::Seek { id, pools });
        }
    }

    /// Says why a request failed.
    fn fail(self, failure: &Failure) {
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

    // The match.

    fn open_match(self, id: String) {
        let is_open = |it: &Option<OnlineMatch>| it.as_ref().is_some_and(|it| it.id() == id);
        if self.hub.current.with_untracked(is_open) {
            return;
        }
        self.close_match();
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

    fn close_match(self) {
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
    fn update(self, event: Event) {
        let is_tick = event == Event::Tick;
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

    fn run(self, effect: MatchEffect) {
        match effect {
            MatchEffect::Send(message) => self.send(&message),
            MatchEffect::Open => self.open_session(),
            MatchEffect::Sit(play::Event::Follow(standing)) => self.enqueue(standing),
            MatchEffect::Sit(event) => self.sit(event),
            MatchEffect::Keep(text) => {
                let id = self
                    .hub
                    .current
                    .with_untracked(|it| it.as_ref().map(|it| it.id().to_owned()));
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
    fn open_session(self) {
        let opened = self.hub.current.with_untracked(|current| {
            let current = current.as_ref()?;
            let seats = current.seats()?;
            let names = ByPlayer::from_fn(|player| match &seats[player].player {
                gone if gone.deleted => self.room.say("on.deleted"),
                player => player.name.clone(),
            });
            let id = current.id().to_owned();
            Some((current.sit()?, OnlineSession { id, names }))
        });
        let Some((sitting, head)) = opened else {
            return;
        };
        let is_fast = match self.room.online.get_untracked() {
            OnlineRoute::Match { is_fast, .. } => is_fast,
            _ => false,
        };
        let Ok(mut session) = Session::of_sitting(self.room.next_number(), sitting) else {
            return;
        };
        session.online = Some(head);
        session.wish.is_fast = is_fast;
        self.room.show(session, Vec::new());
        let is_over = |it: &Option<OnlineMatch>| it.as_ref().is_some_and(OnlineMatch::is_over);
        if self.hub.current.with_untracked(is_over) {
            self.keep_match();
        }
    }

    /// Hands an event to the board, if it shows the match.
    fn sit(self, event: play::Event) {
        let is_shown = self
            .room
            .driver
            .with_untracked(|session| session.online.is_some());
        if is_shown {
            self.room.driver.dispatch(event);
        }
    }

    /// The match stands there; what leads there is shown move by move.
    fn enqueue(self, standing: Standing) {
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
                queue.push_back(play::Event::Follow(Standing {
                    moves: standing.moves[..n].to_vec(),
                    ..Standing::default()
                }));
            }
            queue.push_back(play::Event::Follow(standing));
        });
        self.drain();
    }

    /// Shows what waits, unless something is still seen to happen.
    fn drain(self) {
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
    fn keep_match(self) {
        let kept = self.hub.current.with_untracked(|current| {
            let current = current.as_ref()?;
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

    /// Tells somebody who looks elsewhere that it is their turn.
    fn notify(self) {
        if !document().hidden() || stored("notify").as_deref() != Some("on") {
            return;
        }
        let title = self.room.say("state.turn");
        let body = self.room.driver.with_untracked(|session| {
            let online = session.online.as_ref();
            let rival = session.sitting.person().zip(online);
            rival.map(|(person, online)| online.names[!person].clone())
        });
        let options = web_sys::NotificationOptions::new();
        options.set_body(&body.unwrap_or_default());
        options.set_icon("app.svg");
        web_sys::Notification::new_with_options(&title, &options).ok();
    }
}

/// The text in a field.
fn field(selector: &str) -> String {
    let input = find(selector).and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
    input.map(|input| input.value()).unwrap_or_default()
}
