//! Screens and dialogs that a first match does not need.
//!
//! They are a part of the program that is fetched when it is first needed, or a moment after
//! the page can be used: whatever only [`part_view`] leads to.

use js_sys::Promise;
use leptos::{prelude::*, reactive::computed::ScopedFuture, task::spawn_local};
use view::Language;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

use crate::{
    comments::Comments,
    help::Help,
    hint::HintText,
    keys::Keys,
    learn::Learn,
    library::Library,
    preferences::Preferences,
    puzzle::{Puzzles, Today},
    room::Room,
    settings::MorePhrases,
    share::ShareDialog,
    sheet::Sheet,
    study::StudyScreen,
};

/// What can be shown later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Learn,
    Library,
    Help,
    Share,
    Keys,
    Settings,
    Comments,
    Hint,
    Study,
    Puzzles,
    Today,
    Sheet,
}

/// The phrases of what can be shown later.
fn phrases() -> MorePhrases {
    Language::ALL.map(|language| {
        let own = match language {
            Language::English => include_str!("../text/more.en.txt"),
            Language::Japanese => include_str!("../text/more.ja.txt"),
        };
        vec![own, lessons::phrases(language), puzzles::phrases(language)]
    })
}

#[wasm_split(more, fallible, preload(preload))]
fn part_view(room: Room, part: Part) -> Result<AnyView, SplitLoaderError> {
    room.settings.add_phrases(phrases);
    Ok(match part {
        Part::Learn => view! { <Learn room=room /> }.into_any(),
        Part::Library => view! { <Library room=room /> }.into_any(),
        Part::Help => view! { <Help room=room /> }.into_any(),
        Part::Share => view! { <ShareDialog room=room /> }.into_any(),
        Part::Keys => view! { <Keys room=room /> }.into_any(),
        Part::Study => view! { <StudyScreen room=room /> }.into_any(),
        Part::Puzzles => view! { <Puzzles room=room /> }.into_any(),
        Part::Today => view! { <Today room=room /> }.into_any(),
        Part::Sheet => {
            let sheet = move || {
                room.sheet
                    .get()
                    .map(|wish| view! { <Sheet room=room wish=wish /> })
            };
            sheet.into_any()
        }
        Part::Settings => view! { <Preferences room=room /> }.into_any(),
        Part::Hint => view! { <HintText room=room /> }.into_any(),
        Part::Comments => view! { <Comments room=room /> }.into_any(),
    })
}

/// Fetches what can be shown later, so that it is there at once.
pub(crate) fn fetch() {
    // If that fails, it is tried again when it is needed.
    spawn_local(async {
        style().await;
        drop(preload().await);
    });
}

/// Fetches the style sheet of what can be shown later. Where it can't be had, things look
/// plain and work.
async fn style() {
    let find = |selector: &str| document().query_selector(selector).ok().flatten();
    let name = find("meta[name=parlour-more]").and_then(|meta| meta.get_attribute("content"));
    // The page in one file has everything in one.
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return;
    };
    let known = find("link[data-more]");
    if known
        .as_ref()
        .is_some_and(|link| link.has_attribute("data-there"))
    {
        return;
    }
    let link = known.or_else(|| {
        let link = document().create_element("link").ok()?;
        link.set_attribute("rel", "stylesheet").ok()?;
        link.set_attribute("data-more", "").ok()?;
        link.set_attribute("href", &name).ok()?;
        document().head()?.append_child(&link).ok()?;
        Some(link)
    });
    let Some(link) = link else {
        return;
    };
    let waiting = Promise::new(&mut |done, _| {
        let there = link.clone();
        let end = Closure::once_into_js(move || {
            there.set_attribute("data-there", "").ok();
            done.call0(&JsValue::NULL).ok();
        });
        for event in ["load", "error"] {
            link.add_event_listener_with_callback(event, end.unchecked_ref())
                .ok();
        }
    });
    JsFuture::from(waiting).await.ok();
}

/// Shows a part of the page, once it has been fetched.
#[component]
pub(crate) fn Lazy(room: Room, part: Part) -> impl IntoView {
    let fetched = RwSignal::new_local(None);
    let fetch = move || {
        // The part belongs to the place where it is shown.
        spawn_local(ScopedFuture::new(async move {
            style().await;
            let view = part_view(room, part).await;
            fetched.try_set(Some(view));
        }));
    };
    fetch();
    move || {
        fetched.track();
        let view = fetched.try_update_untracked(Option::take).flatten()?;
        Some(view.unwrap_or_else(|_| {
            view! {
                <p class="notice float" role="alert">
                    {room.text("bad.part")}
                    <button class="btn" on:click=move |_| fetch()>{room.text("do.retry")}</button>
                </p>
            }
            .into_any()
        }))
    }
}
