//! The buttons besides the board: pass, undo, redo, hint, resign.

use leptos::prelude::*;

use play::Event;

use crate::{
    board::Place,
    driver::Stage,
    hint::HintButton,
    icons::{Icon, IconButton, icon},
    room::{Jump, Room},
    timer::Timer,
};

/// How long one has to press a second time to resign, in milliseconds.
const SURE_TIME: f64 = 3000.0;

/// Passes, in games and positions that know it.
#[component]
pub(crate) fn PassButton(room: Room) -> impl IntoView {
    let can_pass = move || {
        let is_waiting = room.driver.stage() == Some(Stage::Waiting);
        room.with_session(|session| {
            is_waiting && session.sitting.may_act() && session.table().pass().is_some()
        })
    };
    let has_pass = move || {
        can_pass() || room.with_session(|session| session.game.presentation().always_shows_pass)
    };
    view! {
        <Show when=has_pass>
            <button
                class="ib w"
                class:must=move || room.with_session(|session| session.table().must_pass())
                data-target="pass"
                disabled=move || !can_pass()
                on:click=move |_| room.driver.dispatch(Event::Activate("pass".to_owned()))
            >
                {icon(Icon::Pass)}
                {room.text("do.pass")}
            </button>
        </Show>
    }
}

/// Opens the dialog for sharing.
#[component]
pub(crate) fn ShareButton(room: Room) -> impl IntoView {
    view! {
        <IconButton
            id="share"
            name=Signal::derive(room.text("share.title"))
            kind=Icon::Share
            on_press=move || room.is_share_open.set(true)
        />
    }
}

/// The buttons below the moves.
#[component]
pub(crate) fn Controls(room: Room) -> impl IntoView {
    // Where the match stood when somebody asked to resign; it counts only there.
    let asked = RwSignal::new(None::<Place>);
    let place = move || room.with_session(|session| Some((session.number, session.sitting.live())));
    let is_sure = move || asked.get().is_some() && asked.get() == place();
    let can_undo = move || room.with_session(|session| session.sitting.can_take_back());
    let can_step_back =
        move || room.with_session(|session| Room::jump_target(session, Jump::Back).is_some());
    let can_redo = move || room.with_session(|session| session.sitting.can_redo());
    let can_resign = move || room.with_session(|session| session.sitting.can_resign());
    let end = Timer::new();
    on_cleanup(move || end.stop());
    let resign = move |_| {
        if untrack(is_sure) {
            end.stop();
            asked.set(None);
            room.driver.dispatch(Event::Resign);
        } else {
            asked.set(untrack(place));
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
            // On phones, where the history has no row of its own until it is looked at.
            <IconButton
                id="step-back"
                name=Signal::derive(room.text("past.back"))
                kind=Icon::Back
                is_disabled=Signal::derive(move || !can_step_back())
                on_press=move || room.look(Jump::Back)
            />
            <PassButton room=room />
            <IconButton
                id="undo"
                name=Signal::derive(room.text("do.undo"))
                kind=Icon::Undo
                is_disabled=Signal::derive(move || !can_undo())
                on_press=move || room.driver.dispatch(Event::TakeBack)
            />
            <IconButton
                id="redo"
                name=Signal::derive(room.text("do.redo"))
                kind=Icon::Redo
                is_disabled=Signal::derive(move || !can_redo())
                on_press=move || room.driver.dispatch(Event::Redo)
            />
            <HintButton room=room />
            <ShareButton room=room />
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
