//! The list of moves, and the field for typed ones.

use leptos::{ev, html, prelude::*};

use crate::room::Room;

/// The moves, two to a row: one of each player, or a turn of two.
#[component]
pub(crate) fn Moves(room: Room) -> impl IntoView {
    let list = NodeRef::<html::Ol>::new();
    let rows = move || {
        room.with_session(|session| {
            let moves = session.playing.moves();
            let n_moves = moves.len();
            let rows = moves.chunks(2).enumerate();
            rows.map(|(row, moves)| {
                let cell = |column: usize| {
                    let m = moves.get(column)?;
                    Some((session.table.notation(m), row * 2 + column + 1 == n_moves))
                };
                (row + 1, cell(0), cell(1))
            })
            .collect::<Vec<_>>()
        })
    };
    Effect::new(move |_| {
        room.session.with(|_| ());
        if let Some(list) = list.get() {
            request_animation_frame(move || list.set_scroll_top(list.scroll_height()));
        }
    });
    let is_empty = move || room.with_session(|session| session.playing.moves().is_empty());
    let cell = |cell: Option<(String, bool)>| match cell {
        Some((text, is_last)) => view! {
            <span class:cur=is_last aria-current=is_last.then_some("step")>{text}</span>
        }
        .into_any(),
        None => view! { <b></b> }.into_any(),
    };
    view! {
        <section class="mv" aria-label=room.text("moves.title")>
            <Show when=is_empty>
                <p class="none">{room.text("moves.none")}</p>
            </Show>
            <ol node_ref=list tabindex="0" aria-label=room.text("moves.title")>
                <For each=rows key=|row| row.clone() let:row>
                    <li>
                        <i>{row.0}</i>
                        {cell(row.1)}
                        {cell(row.2)}
                    </li>
                </For>
            </ol>
            <Typed room=room />
        </section>
    }
}

/// The field for typed moves.
#[component]
fn Typed(room: Room) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let bad = RwSignal::new(None::<String>);
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(field) = field.get() else {
            return;
        };
        let text = field.value().trim().to_owned();
        if text.is_empty() {
            return;
        }
        if room.play_typed(&text) {
            field.set_value("");
            bad.set(None);
        } else {
            bad.set(Some(text));
        }
    };
    view! {
        <form class="typed" on:submit=submit>
            <input
                id="typed"
                node_ref=field
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                placeholder=room.text("moves.type")
                aria-label=room.text("moves.type")
                aria-invalid=move || bad.with(Option::is_some).to_string()
                on:input=move |_| bad.set(None)
                on:keydown=move |event: ev::KeyboardEvent| {
                    if event.key() == "Escape" {
                        bad.set(None);
                        if let Some(field) = field.get() {
                            field.set_value("");
                        }
                    }
                }
            />
            <span class="bad" role="status">
                {move || bad.get().map(|text| room.say_with("moves.type.bad", &[("text", &text)]))}
            </span>
        </form>
    }
}
