//! The list of moves, and the field for typed ones.

use leptos::{ev, html, prelude::*};
use play::{Event, Refusal};
use rules::{Player, record::NodeId};

use crate::room::Room;

/// A move in the list.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Cell {
    text: String,
    /// Who made it.
    player: Player,
    /// Whether it led to what is on the board.
    is_current: bool,
}

/// The moves, two to a row: one of each player, or a turn of two.
#[component]
pub(crate) fn Moves(room: Room) -> impl IntoView {
    let list = NodeRef::<html::Ol>::new();
    let rows = move || {
        room.with_session(|session| {
            let record = session.record();
            let line = record.line(record.cursor());
            let steps: Vec<_> = line.windows(2).collect();
            let cell = |step: &&[NodeId]| {
                let [before, node] = **step else {
                    return None;
                };
                Some(Cell {
                    text: record.notation(node)?,
                    player: record.turn_at(before)?,
                    is_current: node == record.cursor(),
                })
            };
            let rows = steps.chunks(2).enumerate();
            rows.map(|(row, steps)| {
                let mut cells = steps.iter().map(cell);
                (row + 1, cells.next().flatten(), cells.next().flatten())
            })
            .collect::<Vec<_>>()
        })
    };
    Effect::new(move |_| {
        room.with_session(|_| ());
        if let Some(list) = list.get() {
            request_animation_frame(move || list.set_scroll_top(list.scroll_height()));
        }
    });
    let is_empty = move || room.with_session(|session| session.record().moves().is_empty());
    let cell = |cell: Option<Cell>| match cell {
        Some(Cell {
            text,
            player,
            is_current,
        }) => view! {
            <span
                class=if player == Player::First { "p1" } else { "p2" }
                class:cur=is_current
                aria-current=is_current.then_some("step")
            >
                {text}
            </span>
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
    let bad = move || {
        room.driver.refusal.with(|refusal| match refusal {
            Some(Refusal::Typed(text)) => Some(text.clone()),
            _ => None,
        })
    };
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(field) = field.get() else {
            return;
        };
        let text = field.value().trim().to_owned();
        if text.is_empty() {
            return;
        }
        let n_before = n_moves(room);
        room.driver.dispatch(Event::Typed(text));
        if n_moves(room) != n_before {
            field.set_value("");
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
                aria-invalid=move || bad().is_some().to_string()
                on:keydown=move |event: ev::KeyboardEvent| {
                    if let ("Escape", Some(field)) = (event.key().as_str(), field.get()) {
                        field.set_value("");
                    }
                }
            />
            <span class="bad" role="status">
                {move || bad().map(|text| room.say_with("moves.type.bad", &[("text", &text)]))}
            </span>
        </form>
    }
}

fn n_moves(room: Room) -> usize {
    room.driver
        .with_untracked(|session| session.record().moves().len())
}
