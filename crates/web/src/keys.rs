//! The list of keyboard shortcuts.

use leptos::prelude::*;

use crate::{dialog::Dialog, room::Room};

/// Keys and the phrases that say what they do.
const KEYS: [(&[&str], &str); 14] = [
    (&["←", "→"], "keys.step"),
    (&["Home", "End"], "keys.jump"),
    (&["Tab"], "keys.tab"),
    (&["←", "↑", "→", "↓"], "keys.arrows"),
    (&["Enter"], "keys.enter"),
    (&["Esc"], "keys.escape"),
    (&["m"], "keys.type"),
    (&["h"], "keys.hint"),
    (&["e"], "keys.engine"),
    (&["t"], "keys.threat"),
    (&["f"], "keys.flip"),
    (&["c"], "keys.coordinates"),
    (&["s"], "keys.mute"),
    (&["?"], "keys.keys"),
];

/// The list of keyboard shortcuts.
#[component]
pub(crate) fn Keys(room: Room) -> impl IntoView {
    let close = move || room.is_keys_open.set(false);
    let rows = KEYS.map(|(keys, phrase)| {
        let keys = keys.iter().map(|&key| view! { <kbd>{key}</kbd> });
        view! { <dt>{keys.collect_view()}</dt> <dd>{room.text(phrase)}</dd> }
    });
    view! {
        <Dialog class="help" label="keys-title" on_close=Callback::new(move |()| close())>
            <h2 id="keys-title">{room.text("keys.title")}</h2>
            <dl class="keys">{rows.into_iter().collect_view()}</dl>
            <div class="go">
                <button class="btn pri" on:click=move |_| close()>{room.text("do.close")}</button>
            </div>
        </Dialog>
    }
}
