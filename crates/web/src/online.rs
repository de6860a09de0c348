//! Online play: challenges, pairing, matches with somebody elsewhere.
//!
//! The state is that of [`online::Link`] and [`online::OnlineMatch`]; here are the socket, the
//! requests and the screens. All of this is a part of the program that is fetched when somebody
//! plays online (`lazy.rs`).

mod accounts;
mod cards;
mod connection;
mod following;
mod http;
mod invitation;
mod json;
mod lobby;
mod muting;
mod people;
mod table;
mod wire;

use std::{collections::VecDeque, pin::Pin};

use js_sys::Promise;
use leptos::{ev, prelude::*, task::spawn_local};
use online::{Connection, Event, Link, LinkEvent, OnlineMatch, SeekRequest};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

pub(crate) use self::accounts::AccountDialog;
pub(crate) use self::table::{OnlineControls, OnlinePanel, OnlineSeat};
use self::{
    cards::{going, seat_name},
    following::wants_notifications,
    http::{Failure, call},
    invitation::Join,
    json::Json,
    lobby::Lobby,
    people::{Games, Profile},
};
use crate::{
    device::{chance, date, now, store, stored},
    lazy::{Lazy, Part},
    off_limits::OffLimits,
    online_route::OnlineRoute,
    online_state::{Identity, OnlineState},
    room::{Room, Screen},
    rooms::Trouble,
    route::Route,
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
    pub(crate) hub: OnlineState,
}

/// The time of events, in milliseconds.
fn time() -> u64 {
    now() as u64
}

/// The driver of online play, and its screens.
#[component]
pub(crate) fn OnlineRoot(room: Room) -> impl IntoView {
    let hub = OnlineState {
        me: RwSignal::new(Identity::Unknown),
        link: StoredValue::new_local(Link::new(chance())),
        connection: RwSignal::new(Connection::Reconnecting),
        sockets: StoredValue::new_local(Vec::new()),
        n_sockets: StoredValue::new(0),
        current: RwSignal::new_local(None),
        queue: StoredValue::new_local(VecDeque::new()),
        seeking: RwSignal::new(Vec::new()),
        seeking_since: StoredValue::new(0),
        seek_request: StoredValue::new(SeekRequest::default()),
        invitation: RwSignal::new(None),
        begun: RwSignal::new(None),
        mine: RwSignal::new_local(JsValue::NULL),
        lobby: RwSignal::new_local(JsValue::NULL),
        seconds: RwSignal::new(0),
        trouble: RwSignal::new(None),
        account: RwSignal::new(None),
        n_requests: StoredValue::new(chance()),
        n_changes: StoredValue::new(0),
        arrival: StoredValue::new_local(None),
        tick: Timer::new(),
        refresh: Timer::new(),
    };
    room.hub.set_value(Some(hub));
    let online = Online { room, hub };
    online.listen();
    online.find_invitation();
    Effect::new(move |_| {
        // The pictures are for the home screen.
        if room.screen.get() == Screen::Home {
            let going = going(room, &Json(hub.mine.get()));
            // What is on the screen stays there as long as it is true.
            if room.going.with_untracked(|shown| *shown != going) {
                room.going.set(going);
            }
        }
    });
    let is_shown =
        Memo::new(move |_| room.screen.get() == Screen::Online && !room.driver.is_open());
    let screen = move || {
        let route = room.online.get();
        Some(match route {
            _ if !is_shown.get() => return None,
            _ if hub.me.get() == Identity::NoServer => {
                view! { <Trouble room=room name="on.no-server" /> }.into_any()
            }
            OnlineRoute::Play => view! { <Lobby online=online /> }.into_any(),
            OnlineRoute::Join { token, .. } => {
                view! { <Join online=online token=token /> }.into_any()
            }
            OnlineRoute::Match { .. } => view! { <Opening online=online /> }.into_any(),
            OnlineRoute::Player(_) | OnlineRoute::Games => {
                view! { <Lazy room=room part=Part::People /> }.into_any()
            }
        })
    };
    view! {
        {screen}
        <Show when=move || hub.account.with(Option::is_some)>
            <Lazy room=room part=Part::Account />
        </Show>
    }
}

/// The screen for players and finished matches.
#[component]
pub(crate) fn People(room: Room) -> impl IntoView {
    let online = Online::of(room)?;
    // Another address makes another screen.
    Some(match room.online.get_untracked() {
        OnlineRoute::Player(name) => view! { <Profile online=online name=name /> }.into_any(),
        _ => view! { <Games online=online /> }.into_any(),
    })
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
    /// The driver of online play of a room, once somebody plays online.
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
    fn ensure_player(self) -> Pin<Box<dyn Future<Output = Result<(), Failure>>>> {
        Box::pin(self.find_player())
    }

    async fn find_player(self) -> Result<(), Failure> {
        let arrival = self.hub.arrival;
        // Two requests at a time would make two guests of one person.
        while let Some(pending) = arrival.get_value() {
            JsFuture::from(pending).await.ok();
        }
        if matches!(self.hub.me.get_untracked(), Identity::Player { .. }) {
            return Ok(());
        }
        let mut end = None;
        let pending = Promise::new(&mut |resolve, _| end = Some(resolve));
        arrival.set_value(Some(pending));
        let arrived = self.arrive().await;
        arrival.set_value(None);
        if let Some(end) = end {
            end.call0(&JsValue::NULL).ok();
        }
        arrived
    }

    /// Asks the server who is here, or to make a guest of them.
    async fn arrive(self) -> Result<(), Failure> {
        if stored("online").is_some() {
            match call("GET", "/api/me", None).await {
                Ok(json) => {
                    self.set_mine(json);
                    return Ok(());
                }
                Err(failure) if failure.status == 401 => {}
                // A new guest would take the place of somebody whom the server knows.
                Err(failure) => return Err(failure),
            }
        }
        let session = call("POST", "/api/guests", Some("{}")).await?;
        self.set_me(session.get("player"));
        Ok(())
    }

    fn set_me(self, player: Option<Json>) {
        let me = player.map_or(Identity::Nobody, |player| Identity::Player {
            name: player.text("name"),
            is_guest: player.is("guest"),
        });
        if me != Identity::Nobody && stored("online").is_none() {
            store("online", "1");
        }
        self.set_player(me);
    }

    fn set_player(self, me: Identity) {
        if self.hub.me.get_untracked() == me {
            return;
        }
        if me == Identity::Nobody {
            self.hub.mine.set(JsValue::NULL);
            self.room.n_turns.set(0);
            self.set_off_limits(OffLimits::NONE);
        }
        self.hub.me.set(me);
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
        let turns: Vec<_> = matches.iter().filter(is_turn).collect();
        if self.room.n_turns.get_untracked() != turns.len() {
            self.room.n_turns.set(turns.len());
        }
        let known = Json(self.hub.mine.get_untracked());
        let known: Vec<_> = known
            .list("matches")
            .iter()
            .filter(is_turn)
            .map(|card| card.text("id"))
            .collect();
        if let Some(card) = turns.iter().find(|card| !known.contains(&card.text("id"))) {
            let rival = if card.text("seat") == "first" {
                "second"
            } else {
                "first"
            };
            self.notify_of(&seat_name(self.room, card, rival));
        }
        let going = matches
            .iter()
            .filter(|card| card.text("status") == "playing");
        let has_clock = |card: &Json| {
            let control = card.get("control");
            control.is_some_and(|control| control.get("base_ms").is_some())
        };
        let off_limits = if going.clone().any(has_clock) {
            OffLimits::Everything
        } else {
            OffLimits::Positions(going.map(|card| card.text("fen")).collect())
        };
        self.set_off_limits(off_limits);
        self.hub.mine.set(json.0);
    }

    /// What is not to be analyzed, from now on and when the page is loaded again.
    fn set_off_limits(self, off_limits: OffLimits) {
        // Every time it is stored it counts for longer.
        store("off-limits", &off_limits.to_text(date()));
        self.room.show_off_limits(off_limits);
    }

    /// Asks for the lists now, and again later.
    fn refresh(self) {
        let is_seen = self.room.screen.get_untracked() == Screen::Online;
        spawn_local(async move {
            // A server is not asked about somebody whom it has never seen.
            if stored("online").is_some() {
                let n_changes = self.hub.n_changes.get_value();
                let answer = call("GET", "/api/me", None).await;
                match answer {
                    // It is about somebody who has signed in or out since.
                    _ if self.hub.n_changes.get_value() != n_changes => {}
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
                    Err(failure) if failure.is_no_server() => self.hub.me.set(Identity::NoServer),
                    Err(_) => {}
                }
            }
        });
        let pause = if is_seen { LIST_TIME } else { COUNT_TIME };
        self.hub.refresh.start(pause, move || {
            let is_news = self.room.n_turns.get_untracked() == 0 || wants_notifications();
            if !document().hidden() || is_news {
                self.refresh();
            }
        });
    }
}
