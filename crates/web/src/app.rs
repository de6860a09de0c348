//! The page: what is on it, its title, and the keys that work everywhere.

use leptos::{ev, prelude::*};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

use crate::{
    audio,
    device::stored,
    driver::Stage,
    home::Home,
    lazy::{self, Lazy, Part},
    learn,
    match_board::MatchBoard,
    nav::{Nav, TopBar, play_address, usual_opponent},
    panel::Panel,
    room::{Jump, Room, Screen},
    rooms::TroubleNotice,
    timer::Timer,
};

/// How long after the page can be used it is kept for a visit without a network, in milliseconds.
const OFFLINE_DELAY: f64 = 1000.0;

/// Opens the page.
pub(crate) fn open() {
    let Some(place) = find("#app") else {
        return;
    };
    place.set_inner_html("");
    mount_to(place, App).forget();
    if let Some(root) = document().document_element() {
        root.set_attribute("data-ready", "true").ok();
    }
}

/// Whether the page could be used already.
fn is_ready() -> bool {
    let root = document().document_element();
    root.is_some_and(|root| root.has_attribute("data-ready"))
}

/// The installed page has a shortcut for each game, `?play=GAME`: the address becomes that of an
/// ordinary match.
fn follow_shortcut() {
    let location = window().location();
    let search = location.search().unwrap_or_default();
    let game = search
        .strip_prefix("?play=")
        .and_then(|name| catalog::find(name).ok());
    if let (Some(game), Ok(path)) = (game, location.pathname()) {
        let address = path + &play_address(game, usual_opponent(game));
        let history = window().history();
        let replaced =
            history.and_then(|it| it.replace_state_with_url(&JsValue::NULL, "", Some(&address)));
        // Where addresses can't be replaced, the four games are shown.
        replaced.ok();
    }
}

/// The first element that a selector finds.
pub(crate) fn find(selector: &str) -> Option<HtmlElement> {
    let element = document().query_selector(selector).ok().flatten()?;
    element.dyn_into().ok()
}

#[component]
fn App() -> impl IntoView {
    let room = Room::new();
    room.settings.follow_device();
    room.settings.follow_pointers();
    window_event_listener(ev::hashchange, move |_| room.follow_address());
    window_event_listener_untyped("storage", move |_| room.recall_off_limits());
    follow_shortcut();
    audio::follow(room);
    room.follow_address();
    // The engine is fetched once the page can be used, and what else is kept for a visit without
    // a network comes after it.
    Timer::new().start(0.0, move || room.driver.start_engine());
    Timer::new().start(OFFLINE_DELAY, move || {
        lazy::fetch();
        // Whoever has played online hears of it when it is their turn.
        if stored("online").is_some() {
            room.is_online.set(true);
        }
        room.updates.start();
    });

    Effect::new(move |_| {
        if let Some(root) = document().document_element() {
            root.set_attribute("lang", room.settings.language.get().tag())
                .ok();
            root.set_attribute("data-theme", room.settings.theme().name())
                .ok();
            root.set_attribute("data-board", room.settings.board.get().name())
                .ok();
        }
        // The page is installed under the name of its language.
        if let Some(link) = find("link[rel=manifest]") {
            let tag = room.settings.language.get().tag();
            let manifest = format!("manifest.{tag}.webmanifest");
            if link.get_attribute("href").as_ref() != Some(&manifest) {
                link.set_attribute("href", &manifest).ok();
            }
        }
    });
    Effect::new(move |_| document().set_title(&title(room)));
    window_event_listener(ev::keydown, move |event| key(room, &event));

    let is_playing = Memo::new(move |_| room.driver.is_open());
    view! {
        <Show
            when=move || is_playing.get()
            fallback=move || match room.screen.get() {
                Screen::Home => view! { <Home room=room /> }.into_any(),
                Screen::Learn => view! { <Lazy room=room part=Part::Learn /> }.into_any(),
                Screen::Puzzles => view! { <Lazy room=room part=Part::Puzzles /> }.into_any(),
                Screen::Study => view! { <Lazy room=room part=Part::Study /> }.into_any(),
                Screen::Library => view! { <Lazy room=room part=Part::Library /> }.into_any(),
                // What drives online play shows its screens, too.
                Screen::Online => ().into_any(),
                Screen::Opening => view! { <main class="app" aria-busy="true"></main> }.into_any(),
            }
        >
            <Play room=room />
        </Show>
        <Show when=move || room.is_online.get()>
            <Lazy room=room part=Part::Online />
        </Show>
        <Show when=move || room.sheet.with(Option::is_some)>
            <Lazy room=room part=Part::Sheet />
        </Show>
        <Show when=move || room.is_help_open.get()>
            <Lazy room=room part=Part::Help />
        </Show>
        <Show when=move || room.is_share_open.get()>
            <Lazy room=room part=Part::Share />
        </Show>
        <Show when=move || room.settings.is_open.get()>
            <Lazy room=room part=Part::Settings />
        </Show>
        <Show when=move || room.is_keys_open.get()>
            <Lazy room=room part=Part::Keys />
        </Show>
    }
}

/// The page while a match is played.
#[component]
fn Play(room: Room) -> impl IntoView {
    let game = move || room.with_session(|session| session.wish.game.clone());
    let is_past = move || room.with_session(|session| session.sitting.is_looking_back());
    // Nobody analyzes a match that is being played.
    let is_closed = move || {
        room.with_session(|session| session.online.is_some()) && room.driver.outcome().is_none()
    };
    // Coming from another screen, the board and the rest are made in two steps, neither of which
    // takes long, and seen together.
    let is_whole = RwSignal::new(!is_ready());
    if !is_whole.get_untracked() {
        Timer::new().start(0.0, move || {
            is_whole.try_set(true);
        });
    }
    view! {
        <SkipLink room=room text="site.skip" to=".mirror [tabindex='0']" />
        <div
            class="app"
            class:past=is_past
            class:closed=is_closed
            class:unfinished=move || !is_whole.get()
            data-game=game
        >
            <Nav room=room />
            <TopBar room=room />
            <main class="middle">
                <h1 class="sr">{move || room.say(&format!("{}.name", game()))}</h1>
                <MatchBoard room=room />
            </main>
            <Show when=move || is_whole.get()>
                <Panel room=room />
            </Show>
        </div>
        <TroubleNotice room=room />
    }
}

/// A link, shown when it has the focus, to what comes after the controls of a screen: the
/// element that `to` selects.
#[component]
pub(crate) fn SkipLink(
    room: Room,
    text: &'static str,
    to: &'static str,
    /// The fragment of the part of the screen where that is.
    #[prop(default = "#board")]
    part: &'static str,
) -> impl IntoView {
    let skip = move |event: ev::MouseEvent| {
        // The fragment is the URL of the screen.
        event.prevent_default();
        if let Some(element) = find(to) {
            element.focus().ok();
        }
    };
    view! {
        <a class="skip" href=part on:click=skip>
            {room.text(text)}
        </a>
    }
}

/// The page's title, which also shows that it is the person's turn.
fn title(room: Room) -> String {
    let title = plain_title(room);
    match room.n_turns.get() {
        0 => title,
        n => format!("({n}) {title}"),
    }
}

fn plain_title(room: Room) -> String {
    let site = room.say("site.title");
    let is_waiting = room.driver.stage() == Some(Stage::Waiting);
    let name = room.with_session(|session| {
        let is_turn = is_waiting && session.sitting.person().is_some();
        Some((format!("{}.name", session.wish.game), is_turn))
    });
    match name {
        None if room.screen.get() == Screen::Learn => format!("{} · {site}", learn::title(room)),
        None => site,
        Some((name, false)) => format!("{} · {site}", room.say(&name)),
        Some((name, true)) => {
            format!("{} · {} · {site}", room.say("state.turn"), room.say(&name))
        }
    }
}

/// Whether an element does something of its own with a key.
pub(crate) fn uses_key(element: &Element, key: &str) -> bool {
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => match element.get_attribute("type").as_deref() {
            Some("checkbox") => false,
            Some("radio") => key.starts_with("Arrow"),
            _ => true,
        },
        _ => false,
    }
}

/// A key that means the same wherever the focus is, as long as nothing lies over the
/// match.
fn key(room: Room, event: &ev::KeyboardEvent) {
    let is_covered = room.sheet.with_untracked(Option::is_some)
        || room.is_help_open.get_untracked()
        || room.is_share_open.get_untracked()
        || room.is_keys_open.get_untracked()
        || room.settings.is_open.get_untracked();
    let target = event_target::<Element>(event);
    // On the board the arrows lead from place to place.
    if is_covered || event.default_prevented() {
        return;
    }
    let key = event.key();
    if event.ctrl_key() || event.meta_key() || event.alt_key() || uses_key(&target, &key) {
        return;
    }
    match key.as_str() {
        "ArrowLeft" => room.look(Jump::Back),
        "ArrowRight" => room.look(Jump::Forward),
        "Home" => room.look(Jump::First),
        "End" => room.look(Jump::Last),
        "?" => room.is_keys_open.set(true),
        "f" => room.flip(),
        "c" => room.toggle_coordinates(),
        "s" => room.sounds.toggle(),
        "h" => room.ask_hint(),
        "Escape" => room.escape(),
        "m" => {
            if let Some(field) = find("#typed") {
                event.prevent_default();
                field.focus().ok();
            }
        }
        _ => {}
    }
}
