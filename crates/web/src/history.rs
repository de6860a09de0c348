//! Looking back: the buttons that lead through the moves, and what is said of an earlier
//! position.

use leptos::prelude::*;

use crate::{
    icons::{Icon, IconButton},
    room::{Jump, Room},
    session::MatchSession,
};

/// First, back, forward, last; on phones with the way back to the match in the middle.
#[component]
pub(crate) fn History(room: Room) -> impl IntoView {
    let button = |id, name, kind, jump| {
        let can = move || room.with_session(|s| Room::jump_target(s, jump).is_some());
        view! {
            <IconButton
                id=id
                name=Signal::derive(room.text(name))
                kind=kind
                is_disabled=Signal::derive(move || !can())
                on_press=move || room.look(jump)
            />
        }
    };
    view! {
        <div class="hist" role="group" aria-label=room.text("past.title")>
            {button("first", "past.first", Icon::First, Jump::First)}
            {button("back", "past.back", Icon::Back, Jump::Back)}
            <BackToMatch room=room class="btn pri pill thumb" />
            {button("forward", "past.forward", Icon::Forward, Jump::Forward)}
            {button("last", "past.last", Icon::Last, Jump::Last)}
        </div>
    }
}

/// The message shown with an earlier position.
#[component]
pub(crate) fn Past(room: Room) -> impl IntoView {
    let heading = move || room.with_session(|session| heading(room, session));
    let tale = move || {
        let words = room.settings.words.get();
        room.with_session(|session| session.table().tale(&words))
    };
    let may_try = move || room.with_session(|session| session.sitting.may_act());
    view! {
        <section class="msg" id="past">
            <div role="status">
                <h2>{heading}</h2>
                {move || tale().map(|tale| view! { <p class="tale">{tale}</p> })}
                <Show when=may_try>
                    <p>{room.text("past.try")}</p>
                </Show>
            </div>
            <BackToMatch room=room class="btn pri pill desk" />
        </section>
    }
}

fn heading(room: Room, session: &MatchSession) -> String {
    let record = session.record();
    let cursor = record.cursor();
    let n_moves = record.moves().len();
    let is_on_line = record.line(session.sitting.tip()).contains(&cursor);
    let number = n_moves.div_ceil(2);
    if n_moves == 0 {
        room.say("past.start")
    } else if is_on_line {
        room.say_with("past.after", &[("n", &number)])
    } else {
        room.say_with("past.variation", &[("n", &number)])
    }
}

/// The way back to where the match stands. A reply that arrives meanwhile changes only
/// its text.
#[component]
fn BackToMatch(room: Room, class: &'static str) -> impl IntoView {
    let text = move || {
        room.with_session(|session| {
            let sitting = &session.sitting;
            let opponent = sitting.person().map(|person| !person);
            match opponent.filter(|_| sitting.has_news()) {
                Some(opponent) => {
                    let who = room.seat_name(session, opponent);
                    room.say_with("past.replied", &[("who", &who)])
                }
                None => room.say("past.return"),
            }
        })
    };
    view! {
        <button class=class on:click=move |_| room.look(Jump::Last)>
            {text}
        </button>
    }
}
