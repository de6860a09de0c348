//! Screens and dialogs that a first match does not need.
//!
//! They are a part of the program that is fetched when it is first needed, or a moment after
//! the page can be used: whatever only [`part_view`] leads to.

use leptos::{prelude::*, reactive::computed::ScopedFuture, task::spawn_local};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

use crate::{
    help::Help,
    keys::Keys,
    learn::Learn,
    library::Library,
    preferences::Preferences,
    puzzle::{Puzzles, Today},
    room::Room,
    share::ShareDialog,
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
    Study,
    Puzzles,
    Today,
}

#[wasm_split(more, fallible, preload(preload))]
fn part_view(room: Room, part: Part) -> Result<AnyView, SplitLoaderError> {
    Ok(match part {
        Part::Learn => view! { <Learn room=room /> }.into_any(),
        Part::Library => view! { <Library room=room /> }.into_any(),
        Part::Help => view! { <Help room=room /> }.into_any(),
        Part::Share => view! { <ShareDialog room=room /> }.into_any(),
        Part::Keys => view! { <Keys room=room /> }.into_any(),
        Part::Study => view! { <StudyScreen room=room /> }.into_any(),
        Part::Puzzles => view! { <Puzzles room=room /> }.into_any(),
        Part::Today => view! { <Today room=room /> }.into_any(),
        Part::Settings => view! { <Preferences room=room /> }.into_any(),
    })
}

/// Fetches what can be shown later, so that it is there at once.
pub(crate) fn fetch() {
    // If that fails, it is tried again when it is needed.
    spawn_local(async { drop(preload().await) });
}

/// Shows a part of the page, once it has been fetched.
#[component]
pub(crate) fn Lazy(room: Room, part: Part) -> impl IntoView {
    let fetched = RwSignal::new_local(None);
    let fetch = move || {
        // The part belongs to the place where it is shown.
        spawn_local(ScopedFuture::new(async move {
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
