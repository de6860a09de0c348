//! Setting up a position.

use leptos::{ev, html, prelude::*};

use super::Studying;
use crate::study_route::{Source, StudyRoute};

/// Where the lines of the engine are otherwise: a position as text.
#[component]
pub(super) fn SetUp(studying: Studying, is_open: RwSignal<bool>) -> impl IntoView {
    let room = studying.room;
    let field = NodeRef::<html::Textarea>::new();
    let problem = RwSignal::new(None::<String>);
    let text = studying.with_untracked(|study| study.record().position());
    let done = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(field) = field.get() else {
            return;
        };
        match read(studying, field.value().trim()) {
            Ok(address) => {
                is_open.set(false);
                window().location().set_hash(&address).ok();
            }
            Err(why) => problem.set(Some(why)),
        }
    };
    view! {
        <form class="eng setup" on:submit=done>
            <h2>{room.text("study.set-up")}</h2>
            <label for="position">{room.text("study.position")}</label>
            <textarea id="position" node_ref=field rows="4" spellcheck="false" autocomplete="off">
                {text}
            </textarea>
            <p class="bad" role="alert">{move || problem.get()}</p>
            <div class="two">
                <button class="btn" type="button" id="set-up-cancel" on:click=move |_| is_open.set(false)>
                    {room.text("do.decline")}
                </button>
                <button class="btn pri" id="set-up-done">{room.text("study.done")}</button>
            </div>
        </form>
    }
}

/// The address of the analysis of what `text` is: a position of the same game, the record
/// of a match, or a link.
fn read(studying: Studying, text: &str) -> Result<String, String> {
    let game = studying.with_untracked(|study| study.record().game());
    let in_link = text.rsplit_once("#/").map_or(text, |(_, path)| path);
    let link = in_link.rsplit_once('/').map_or(in_link, |(_, link)| link);
    let record = if text.starts_with("parlour ") {
        catalog::read_file(text)
    } else if let Ok(record) = catalog::read_link(link) {
        Ok(record)
    } else {
        catalog::find(game).and_then(|game| game.start_from(text))
    };
    let record = record.map_err(|error| error.to_string())?;
    let route = StudyRoute::analysis(Source::Shared(record.to_link()));
    Ok(route.to_string())
}
