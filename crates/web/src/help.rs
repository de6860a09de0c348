//! The rules in a few sentences.

use leptos::prelude::*;

use crate::{dialog::Dialog, room::Room};

/// No game has more sentences than this.
const MOST_RULES: usize = 6;

/// The rules of the game that is played.
#[component]
pub(crate) fn Help(room: Room) -> impl IntoView {
    let close = move || room.is_help_open.set(false);
    let game = move || room.with_session(|session| session.wish.game.clone());
    let rules = move || {
        let game = game();
        let words = room.settings.words.get();
        let names = (1..=MOST_RULES).map(|n| format!("{game}.rule.{n}"));
        names
            .filter(|name| words.names().any(|known| known == name))
            .map(|name| view! { <li>{words.say(&name, &[])}</li> })
            .collect_view()
    };
    view! {
        <Dialog class="help" label="help-title" on_close=Callback::new(move |()| close())>
            <h2 id="help-title">{move || room.say(&format!("{}.name", game()))}</h2>
            <ol>{rules}</ol>
            <div class="go">
                <button class="btn pri" id="close" on:click=move |_| close()>{room.text("do.close")}</button>
            </div>
        </Dialog>
    }
}
