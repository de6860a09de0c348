//! What can be done besides moving: pass, undo, redo, resign.

use leptos::prelude::*;

use crate::{
    icons::{Icon, IconButton, icon},
    later::Later,
    room::Room,
    session::{Session, Stage},
};

/// How long one has to press a second time to resign, in milliseconds.
const SURE_TIME: u64 = 3000;

/// The buttons below the moves.
#[component]
pub(crate) fn Controls(room: Room) -> impl IntoView {
    // When somebody asked to resign; it is forgotten with the match.
    let asked = RwSignal::new(None);
    let is_sure = move || {
        room.session.track();
        asked.get() == Some(room.turn_id())
    };
    let can_undo = move || room.with_session(Session::can_undo);
    let can_redo = move || room.with_session(Session::can_redo);
    let can_resign = move || {
        room.with_session(|session| matches!(session.stage, Stage::Waiting | Stage::Thinking))
    };
    let can_pass = move || {
        room.with_session(|session| {
            session.stage == Stage::Waiting && session.table.pass().is_some()
        })
    };
    let has_pass = move || {
        can_pass() || room.with_session(|session| session.game.presentation().always_shows_pass)
    };
    let end = Later::new();
    on_cleanup(move || end.stop());
    let resign = move |_| {
        if untrack(is_sure) {
            end.stop();
            asked.set(None);
            room.resign();
        } else {
            asked.set(Some(room.turn_id()));
            end.start(SURE_TIME, move || asked.set(None));
        }
    };
    let resign_text = move || {
        room.say(if is_sure() {
            "do.resign.sure"
        } else {
            "do.resign"
        })
    };
    view! {
        <div class="ct">
            <Show when=has_pass>
                <button
                    class="ib w"
                    class:must=move || room.with_session(|session| session.table.must_pass())
                    data-target="pass"
                    disabled=move || !can_pass()
                    on:click=move |_| room.activate("pass")
                >
                    {icon(Icon::Pass)}
                    {room.text("do.pass")}
                </button>
            </Show>
            <IconButton
                id="undo"
                name=Signal::derive(room.text("do.undo"))
                kind=Icon::Undo
                is_disabled=Signal::derive(move || !can_undo())
                on_press=move || room.undo()
            />
            <IconButton
                id="redo"
                name=Signal::derive(room.text("do.redo"))
                kind=Icon::Redo
                is_disabled=Signal::derive(move || !can_redo())
                on_press=move || room.redo()
            />
            <button
                class="ib"
                id="resign"
                class:sure=is_sure
                title=resign_text
                aria-label=resign_text
                disabled=move || !can_resign()
                on:click=resign
            >
                {icon(Icon::Flag)}
                <Show when=is_sure>
                    <span class="tip" role="status">{room.text("do.resign.sure")}</span>
                </Show>
            </button>
        </div>
    }
}
