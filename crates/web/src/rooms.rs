//! Parts that the screens besides a match share: the header, the tabs of phones, the list of
//! stored matches, the notice when nothing can be stored.

use std::rc::Rc;

use leptos::{prelude::*, task::spawn_local};

use crate::{
    icons::{Icon, Wordmark, icon},
    nav::QuickSettings,
    room::{Room, Screen},
    route::LIBRARY,
    shelf::{Entry, Trouble},
};

/// Screens, their addresses, and the names and icons of the links to them.
const ROOMS: [(Screen, &str, &str, Icon); 5] = [
    (Screen::Home, "#/", "site.home", Icon::Home),
    (Screen::Online, "#/play", "online.title", Icon::People),
    (Screen::Puzzles, "#/puzzles", "puzzles.title", Icon::Puzzle),
    (Screen::Learn, "#/learn", "learn.title", Icon::Learn),
    (Screen::Library, LIBRARY, "library.title", Icon::Library),
];

/// The stored matches, the one that changed last first; `None` until they are read.
pub(crate) type Entries = RwSignal<Option<Rc<Vec<Entry>>>, LocalStorage>;

/// Reads the stored matches, and again whenever one changes.
pub(crate) fn entries(room: Room) -> Entries {
    let entries = RwSignal::new_local(None);
    let shelf = room.driver.shelf;
    Effect::new(move |_| {
        let version = shelf.version.get();
        spawn_local(async move {
            let read = shelf.read_all().await;
            // Only the last one counts.
            if shelf.version.try_get_untracked() == Some(version) {
                entries.try_set(Some(Rc::new(read)));
            }
        });
    });
    entries
}

/// The wordmark, the way to other screens, and the settings.
#[component]
pub(crate) fn Header(room: Room) -> impl IntoView {
    let link = move |(screen, address, name, _)| {
        let is_current = move || room.screen.get() == screen;
        view! {
            <a href=address aria-current=move || is_current().then_some("page")>
                {room.text(name)}
            </a>
        }
    };
    view! {
        <header>
            <a class="wml" href="#/" aria-label=room.text("site.home")><Wordmark /></a>
            <nav class="rooms" aria-label=room.text("site.rooms")>
                {ROOMS.into_iter().skip(1).map(link).collect_view()}
            </nav>
            <span class="sp"></span>
            <span class="grp"><QuickSettings room=room /></span>
        </header>
    }
}

/// The way to other screens, for thumbs.
#[component]
pub(crate) fn Tabs(room: Room) -> impl IntoView {
    let tab = move |(screen, address, name, kind)| {
        let is_current = move || room.screen.get() == screen;
        view! {
            <a href=address aria-current=move || is_current().then_some("page")>
                <span>{icon(kind)}</span>
                {room.text(name)}
            </a>
        }
    };
    view! {
        <nav class="thumbs" aria-label=room.text("site.rooms")>
            {ROOMS.map(tab).into_iter().collect_view()}
        </nav>
    }
}

/// Says once that nothing can be stored, or that a part of the opponents is missing.
#[component]
pub(crate) fn TroubleNotice(room: Room) -> impl IntoView {
    let is_read = RwSignal::new(false);
    let lacks_weights = room.driver.lacks_weights;
    let trouble = move || {
        let stored = room.driver.shelf.trouble.get().filter(|_| !is_read.get());
        match stored {
            Some(Trouble::Forbidden) => Some("bad.storage"),
            Some(Trouble::Full) => Some("bad.storage.full"),
            None => lacks_weights.get().then_some("bad.weights"),
        }
    };
    let close = move |_| {
        if is_read.get_untracked() || room.driver.shelf.trouble.get_untracked().is_none() {
            lacks_weights.set(false);
        } else {
            is_read.set(true);
        }
    };
    move || {
        trouble().map(|phrase| {
            view! {
                <p class="notice float" role="status">
                    {room.text(phrase)}
                    <button class="btn" on:click=close>
                        {room.text("do.close")}
                    </button>
                </p>
            }
        })
    }
}

/// A card where something would be that is not available.
#[component]
pub(crate) fn Trouble(
    room: Room,
    /// The phrase that says why.
    name: &'static str,
) -> impl IntoView {
    view! {
        <div class="home online">
            <Header room=room />
            <main class="one">
                <section class="oc card1">
                    <h1>{room.text("online.title")}</h1>
                    <p role="alert">{room.text(name)}</p>
                    <a class="btn pri" href="#/">{room.text("site.home")}</a>
                </section>
            </main>
            <Tabs room=room />
        </div>
    }
}
