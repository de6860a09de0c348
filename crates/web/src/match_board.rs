//! The board of the match that is played.

use std::rc::Rc;

use leptos::prelude::*;
use play::Event;
use rules::{Outcome, Player};
use view::{Cue, Look};

use crate::{
    board::{Act, BoardView, Input, Transition},
    driver::Stage,
    mirror::Status,
    room::Room,
    session::MatchSession,
    wheel::Wheel,
};

/// The board of the match that is played.
#[component]
pub(crate) fn MatchBoard(room: Room) -> impl IntoView {
    let driver = room.driver;
    let step = Memo::new(move |_| {
        driver.with(|session| {
            let (at, before) = session.places();
            let last = session.record().moves().pop();
            Some(Transition { at, before, last })
        })
    });
    let is_locked = Memo::new(move |_| !is_open(room));
    let scene = Signal::derive_local(move || {
        let words = room.settings.words.get();
        let hover = room.hover.get();
        let pending = room.pending.get();
        let look = Look {
            is_large: room.settings.is_small.get(),
            is_tiny: room.settings.is_tiny.get(),
            is_flipped: room.is_upside_down(),
            has_coordinates: room.has_coordinates.get(),
            hides_destinations: !room.settings.has_destinations.get(),
            hover: pending.as_deref().or(hover.as_deref()),
            is_locked: is_locked.get(),
            is_moving: driver.is_moving.get(),
            ..Look::new(&words)
        };
        driver.with(|session| {
            let origin = session.sitting.origin();
            let scene = session.table().scene(&Look { origin, ..look });
            let hint = session.sitting.shown_hint();
            let marks = hint.map(|(hint, n_shown)| hint.marks(n_shown));
            Some(Rc::new(match marks {
                Some(marks) => scene.marked(&marks),
                None => scene,
            }))
        })
    });
    let plan = Callback::new(move |()| {
        let words = room.settings.words.get_untracked();
        let look = Look {
            is_large: room.settings.is_small.get_untracked(),
            is_tiny: room.settings.is_tiny.get_untracked(),
            is_flipped: untrack(|| room.is_upside_down()),
            is_locked: true,
            is_moving: true,
            ..Look::new(&words)
        };
        driver.with_untracked(|session| {
            let origin = session.sitting.origin();
            let plan = session.table().plan(&Look { origin, ..look });
            room.settings.paced(plan)
        })
    });
    let is_still = Signal::derive(move || {
        let is_fast = driver.with(|session| session.wish.is_fast);
        is_fast || room.settings.is_still()
    });
    // A move that waits to be confirmed belongs to its position.
    Effect::new(move |_| {
        step.track();
        if room.pending.with_untracked(Option::is_some) {
            room.pending.set(None);
        }
    });
    let confetti = Memo::new(move |_| celebration(room));
    let wheel = Wheel::new();
    let input = Input {
        is_open: Signal::derive(move || is_open(room)),
        takes_up: ask(room, |session, id| session.table().takes_up(id)),
        is_taken_up: ask(room, |session, id| {
            session
                .table()
                .picked()
                .last()
                .is_some_and(|last| last == id)
        }),
        leads_on: ask(room, |session, id| session.table().leads_on(id)),
        is_useful: ask(room, |session, id| session.table().is_useful(id)),
        on_act: Callback::new(move |act| match act {
            Act::Activate(id) => activate(room, id),
            Act::Drop(id) => {
                room.pending.set(None);
                room.driver.dispatch(Event::Drop(id));
            }
            Act::Clear => {
                room.pending.set(None);
                room.clear();
            }
            Act::Hover(hover) => room.set_hover(hover),
            Act::Wheel(way) => {
                if let Some(jump) = wheel.turn(way) {
                    room.look(jump);
                }
            }
        }),
        status: Memo::new(move |_| status(room)).into(),
    };
    view! {
        <BoardView
            settings=room.settings
            scene=scene
            step=step
            plan=plan
            is_still=is_still
            is_moving=driver.is_moving
            confetti=confetti
            input=input
            on_cues=Callback::new(move |cues: Vec<Cue>| room.sounds.play_all(&cues))
        >
            <Show when=move || driver.stage() == Some(Stage::Lots)>
                <div class="lots" aria-hidden="true">
                    {Player::BOTH
                        .map(|player| {
                            let is_mine = move || {
                                room.with_session(|session| session.sitting.person()) == Some(player)
                            };
                            view! {
                                <span
                                    class="lot"
                                    class:mine=is_mine
                                    inner_html=move || room.token(player)
                                ></span>
                            }
                        })
                        .collect_view()}
                </div>
            </Show>
        </BoardView>
    }
}

/// Plays a move at once, or once more has been tapped where it leads.
fn activate(room: Room, id: String) {
    let is_move = || {
        room.driver
            .with_untracked(|session| session.table().completes(&id))
    };
    let is_confirmed = room.pending.get_untracked().as_ref() == Some(&id);
    if room.settings.asks_to_confirm() && !is_confirmed && is_move() {
        room.pending.set(Some(id));
        return;
    }
    room.pending.set(None);
    room.driver.dispatch(Event::Activate(id));
}

/// Whether somebody may act on the board once nothing moves.
fn is_open(room: Room) -> bool {
    let is_drawing = room.driver.stage() == Some(Stage::Lots);
    !is_drawing && room.driver.with(|session| session.sitting.may_act())
}

/// A question to the match about a target.
fn ask(room: Room, f: fn(&MatchSession, &str) -> bool) -> Callback<String, bool> {
    Callback::new(move |id: String| room.driver.with_untracked(|session| f(session, &id)))
}

/// The colors of confetti: on a win of a person, where the game has any.
fn celebration(room: Room) -> &'static [view::Color] {
    let Some(Outcome::Win(winner)) = room.driver.outcome() else {
        return &[];
    };
    room.driver.with(|session| {
        let is_person = session.sitting.seats()[winner] == play::PlayerKind::Person;
        let is_fast = session.wish.is_fast || room.settings.is_calm();
        if is_person && !is_fast {
            session.game.presentation().confetti
        } else {
            &[]
        }
    })
}

fn status(room: Room) -> Status {
    let driver = room.driver;
    let outcome = driver.outcome();
    driver.with(|session| {
        let record = session.record();
        let name = room.say(&format!("{}.name", session.wish.game));
        Status {
            label: room.say_with("board.label", &[("game", &name)]),
            game: session.wish.game.clone(),
            turn: record.turn().to_string(),
            result: outcome.map_or("none".to_owned(), |outcome| outcome.to_string()),
            position: record.position(),
            is_busy: driver.is_busy(),
            online: session.online.is_some().then(|| driver.connection.get()),
        }
    })
}
