//! The list of moves, and the field for typed ones.

use leptos::{ev, html, prelude::*};
use play::{Event, ListedMove, MoveRow, RefusedInput};
use rules::Player;
use web_sys::Element;

use crate::{hint::hint_mark, room::Room};

/// The moves, two to a row: one of each player, or a turn of two. Variations stand
/// below the row where they leave the match. On phones it is one line to drag.
#[component]
pub(crate) fn Moves(room: Room) -> impl IntoView {
    let list = NodeRef::<html::Ol>::new();
    let rows = move || room.with_session(|session| session.sitting.move_list());
    Effect::new(move |_| {
        room.with_session(|_| ());
        if let Some(list) = list.get() {
            request_animation_frame(move || show_current(&list));
        }
    });
    let is_empty = move || room.with_session(|session| session.sitting.move_list().is_empty());
    let cell = move |m: &ListedMove| {
        let node = m.node;
        view! {
            <button
                type="button"
                class=if m.player == Player::First { "p1" } else { "p2" }
                class:cur=m.is_current
                class:undone=m.is_undone
                aria-current=m.is_current.then_some("step")
                tabindex="-1"
                on:click=move |_| room.driver.dispatch(Event::GoTo(node))
            >
                {m.text.clone()}
                {m.has_hint.then(|| hint_mark(room))}
            </button>
        }
    };
    let row = move |row: MoveRow| {
        let cells = row.moves().iter().map(cell).collect_view();
        match row {
            MoveRow::Match { number, .. } => view! { <li><i>{number}</i>{cells}</li> }.into_any(),
            MoveRow::Variation { number, depth, .. } => view! {
                <li class="var" style:--depth=depth.to_string()>
                    <i>{number}</i>
                    {cells}
                </li>
            }
            .into_any(),
        }
    };
    view! {
        <section class="mv" aria-label=room.text("moves.title")>
            <Show when=is_empty>
                <p class="none">{room.text("moves.none")}</p>
            </Show>
            <ol node_ref=list tabindex="0" aria-label=room.text("moves.title")>
                <For each=rows key=|row| row.clone() children=row />
            </ol>
            <Typed room=room />
        </section>
    }
}

/// Scrolls the list to the move that is looked at, and to its beginning where no move is.
fn show_current(list: &web_sys::HtmlElement) {
    if list.query_selector(".cur").ok().flatten().is_none() {
        list.set_scroll_top(0);
        list.set_scroll_left(0);
    }
    scroll_to_current(list);
}

/// Scrolls a list to the move that is looked at; the page itself stays where it is.
pub(crate) fn scroll_to_current(list: &Element) {
    let Some(current) = list.query_selector(".cur").ok().flatten() else {
        return;
    };
    let (outer, inner) = (
        list.get_bounding_client_rect(),
        current.get_bounding_client_rect(),
    );
    let down = (inner.top() + inner.bottom() - outer.top() - outer.bottom()) / 2.0;
    let right = (inner.left() + inner.right() - outer.left() - outer.right()) / 2.0;
    list.set_scroll_top(list.scroll_top() + down as i32);
    list.set_scroll_left(list.scroll_left() + right as i32);
}

/// The field for moves of the match.
#[component]
fn Typed(room: Room) -> impl IntoView {
    let bad = Signal::derive(move || {
        room.driver.refusal.with(|refusal| match refusal {
            Some(RefusedInput::Typed(text)) => Some(text.clone()),
            _ => None,
        })
    });
    let play = Callback::new(move |text| {
        let n_before = n_moves(room);
        room.driver.dispatch(Event::Typed(text));
        n_moves(room) != n_before
    });
    view! { <TypedMove room=room bad=bad play=play /> }
}

fn n_moves(room: Room) -> usize {
    room.driver
        .with_untracked(|session| session.record().moves().len())
}

/// A field for typed moves.
#[component]
pub(crate) fn TypedMove(
    room: Room,
    /// The last typed text, if it is not a legal move.
    bad: Signal<Option<String>>,
    /// Plays a move; returns whether it was accepted.
    play: Callback<String, bool>,
) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if let Some(field) = field.get() {
            let text = field.value().trim().to_owned();
            if !text.is_empty() && play.run(text) {
                field.set_value("");
            }
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
                on:keydown=move |event: ev::KeyboardEvent| {
                    if let ("Escape", Some(field)) = (event.key().as_str(), field.get()) {
                        field.set_value("");
                    }
                }
            />
            <span class="bad" role="status">
                {move || bad.get().map(|text| room.say_with("moves.type.bad", &[("text", &text)]))}
            </span>
        </form>
    }
}
