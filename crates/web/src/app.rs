//! The page: what is on it, its title, and the keys that work everywhere.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::{
    driver::Stage,
    help::Help,
    home::Home,
    keys::Keys,
    library::Library,
    match_board::MatchBoard,
    nav::{Nav, TopBar},
    panel::Panel,
    room::{Jump, Room, Screen},
    rooms::TroubleNotice,
    share::Share,
    sheet::Sheet,
    timer::Timer,
};

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

/// The first element that a selector finds.
fn find(selector: &str) -> Option<HtmlElement> {
    let element = document().query_selector(selector).ok().flatten()?;
    element.dyn_into().ok()
}

#[component]
fn App() -> impl IntoView {
    let room = Room::new();
    room.settings.follow_device();
    window_event_listener(ev::hashchange, move |_| room.follow_address());
    room.follow_address();
    // The engine is fetched once the page can be used.
    Timer::new().start(0.0, move || room.driver.start_engine());

    Effect::new(move |_| {
        if let Some(root) = document().document_element() {
            root.set_attribute("lang", room.settings.language.get().tag())
                .ok();
            root.set_attribute("data-theme", room.settings.theme().name())
                .ok();
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
                Screen::Library => view! { <Library room=room /> }.into_any(),
                Screen::Opening => view! { <main class="app" aria-busy="true"></main> }.into_any(),
            }
        >
            <Play room=room />
        </Show>
        {move || room.sheet.get().map(|wish| view! { <Sheet room=room wish=wish /> })}
        <Show when=move || room.is_help_open.get()>
            <Help room=room />
        </Show>
        <Show when=move || room.is_share_open.get()>
            <Share room=room />
        </Show>
        <Show when=move || room.is_keys_open.get()>
            <Keys room=room />
        </Show>
    }
}

/// The page while a match is played.
#[component]
fn Play(room: Room) -> impl IntoView {
    let game = move || room.with_session(|session| session.wish.game.clone());
    let is_past = move || room.with_session(|session| session.sitting.is_looking_back());
    view! {
        <SkipLink room=room text="site.skip" to=".mirror [tabindex='0']" />
        <div class="app" class:past=is_past data-game=game>
            <Nav room=room />
            <TopBar room=room />
            <main class="middle">
                <h1 class="sr">{move || room.say(&format!("{}.name", game()))}</h1>
                <MatchBoard room=room />
            </main>
            <Panel room=room />
        </div>
        <TroubleNotice room=room />
    }
}

/// A link, shown when it has the focus, to what comes after the controls of a screen: the
/// element that `to` selects.
#[component]
pub(crate) fn SkipLink(room: Room, text: &'static str, to: &'static str) -> impl IntoView {
    let skip = move |event: ev::MouseEvent| {
        // The fragment is the URL of the screen.
        event.prevent_default();
        if let Some(element) = find(to) {
            element.focus().ok();
        }
    };
    view! {
        <a class="skip" href="#" on:click=skip>
            {room.text(text)}
        </a>
    }
}

/// The page's title, which tells from afar that it is one's turn.
fn title(room: Room) -> String {
    let site = room.say("site.title");
    let is_waiting = room.driver.stage() == Some(Stage::Waiting);
    let name = room.with_session(|session| {
        let is_turn = is_waiting && session.sitting.person().is_some();
        Some((format!("{}.name", session.wish.game), is_turn))
    });
    match name {
        None => site,
        Some((name, false)) => format!("{} · {site}", room.say(&name)),
        Some((name, true)) => {
            format!("{} · {} · {site}", room.say("state.turn"), room.say(&name))
        }
    }
}

/// A key that means the same wherever the focus is, as long as nothing lies over the
/// match.
fn key(room: Room, event: &ev::KeyboardEvent) {
    let is_covered = room.sheet.with_untracked(Option::is_some)
        || room.is_help_open.get_untracked()
        || room.is_share_open.get_untracked()
        || room.is_keys_open.get_untracked();
    let target = event_target::<Element>(event);
    // On the board the arrows lead from place to place.
    if is_covered || event.default_prevented() {
        return;
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || target.tag_name() == "INPUT" {
        return;
    }
    match event.key().as_str() {
        "ArrowLeft" => room.look(Jump::Back),
        "ArrowRight" => room.look(Jump::Forward),
        "Home" => room.look(Jump::First),
        "End" => room.look(Jump::Last),
        "?" => room.is_keys_open.set(true),
        "f" => room.flip(),
        "c" => room.toggle_coordinates(),
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
