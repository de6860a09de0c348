//! The board of a match that is studied.

use std::rc::Rc;

use leptos::prelude::*;
use study::{Event, SetUp, SetUpEvent, Study};
use view::{Cue, Look, Words};

use super::Studying;
use crate::{
    board::{Act, BoardView, Input},
    mirror::Status,
    room::{Jump, Room},
};

/// How far a wheel is turned for one move, in pixels.
const WHEEL_STEP: f64 = 40.0;

/// The board.
#[component]
pub(super) fn StudyBoard(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let settings = room.settings;
    let step = Memo::new(move |_| studying.with(|study| Some(studying.step(study))));
    let is_locked = Memo::new(move |_| !studying.with(Study::may_act));
    let scene = Signal::derive_local(move || {
        let words = settings.words.get();
        let hover = studying.hover.get();
        let is_moving = studying.is_moving.get();
        settings.is_small.track();
        settings.is_tiny.track();
        room.is_flipped.track();
        let look = Look {
            has_coordinates: room.has_coordinates.get(),
            hover: hover.as_deref(),
            is_locked: is_locked.get(),
            is_moving,
            ..look_of(room, &words)
        };
        let set_up = studying.with_shown_set_up(|set_up| {
            let look = Look {
                hover: None,
                is_locked: true,
                is_moving: false,
                ..look
            };
            Rc::new(set_up.table().scene(&look).marked(&set_up.marks()))
        });
        if set_up.is_some() {
            return set_up;
        }
        let shown = studying.shown.get();
        let is_analysis = studying.is_analysis.get();
        studying.with(|study| {
            let marks = match (is_moving, is_analysis) {
                (true, _) => Vec::new(),
                (false, true) => study.marks(shown),
                (false, false) => study.better_marks(),
            };
            Some(Rc::new(study.table().scene(&look).marked(&marks)))
        })
    });
    let plan = Callback::new(move |()| {
        let words = settings.words.get_untracked();
        let look = Look {
            is_locked: true,
            is_moving: true,
            ..look_of(room, &words)
        };
        let plan = studying.with_untracked(|study| study.table().plan(&look));
        settings.paced(plan)
    });
    let ask = |f: fn(&Study, &str) -> bool, of_set_up: fn(&SetUp, &str) -> bool| {
        Callback::new(move |id: String| {
            let answer = studying.with_set_up_untracked(|set_up| of_set_up(set_up, &id));
            answer.unwrap_or_else(|| studying.with_untracked(|study| f(study, &id)))
        })
    };
    let is_setting_up = move || studying.is_setting_up.get_untracked();
    let turned = StoredValue::new(0.0);
    let wheel = move |way: f64| {
        let sum = turned.get_value() + way;
        if sum.abs() < WHEEL_STEP {
            turned.set_value(sum);
            return;
        }
        turned.set_value(0.0);
        studying.jump(if sum < 0.0 { Jump::Back } else { Jump::Forward });
    };
    let input = Input {
        is_open: Signal::derive(move || {
            studying.is_setting_up.get()
                || studying.with(|study| study.may_act() || study.is_drawing())
        }),
        takes_up: ask(
            |study, id| !study.is_drawing() && study.table().takes_up(id),
            SetUp::takes_up,
        ),
        is_taken_up: ask(
            |study, id| {
                let picked = study.table().picked();
                picked.last().is_some_and(|last| last == id)
            },
            |set_up, id| set_up.taken() == Some(id),
        ),
        leads_on: ask(
            |study, id| study.table().leads_on(id),
            |set_up, id| set_up.taken().is_some_and(|taken| taken != id),
        ),
        on_act: Callback::new(move |act| match (act, is_setting_up()) {
            (Act::Activate(id), true) => studying.edit(SetUpEvent::Click(id)),
            (Act::Clear, true) => studying.edit(SetUpEvent::Clear),
            (Act::Activate(id), false) => studying.dispatch(Event::Activate(id)),
            (Act::Clear, false) => studying.dispatch(Event::Clear),
            (Act::Wheel(way), _) => wheel(way),
            (Act::Hover(hover), _) => {
                if studying.hover.get_untracked() != hover {
                    studying.hover.set(hover);
                }
            }
        }),
        status: Memo::new(move |_| status(studying)).into(),
    };
    view! {
        <BoardView
            settings=settings
            scene=scene
            step=step
            plan=plan
            is_still=Signal::derive(move || studying.is_fast || settings.is_still())
            is_moving=studying.is_moving
            on_cues=Callback::new(move |cues: Vec<Cue>| room.sounds.play_all(&cues))
            input=input
        />
    }
}

fn look_of(room: Room, words: &Words) -> Look<'_> {
    Look {
        is_large: room.settings.is_small.get_untracked(),
        is_tiny: room.settings.is_tiny.get_untracked(),
        is_flipped: room.is_flipped.get_untracked(),
        ..Look::new(words)
    }
}

fn status(studying: Studying) -> Status {
    let is_busy = studying.is_moving.get();
    let set_up = studying.with_shown_set_up(|set_up| {
        let record = set_up.record();
        (record.turn().to_string(), record.position())
    });
    let status = studying.with(|study| {
        let record = study.record();
        let name = studying.room.say(&format!("{}.name", record.game()));
        let ending = record.ending().filter(|_| !is_busy);
        Status {
            label: studying.room.say_with("board.label", &[("game", &name)]),
            game: record.game().to_owned(),
            turn: record.turn().to_string(),
            result: ending.map_or("none".to_owned(), |ending| ending.outcome.to_string()),
            position: record.position(),
            is_busy,
            online: None,
        }
    });
    match set_up {
        Some((turn, position)) => Status {
            turn,
            position,
            result: "none".to_owned(),
            ..status
        },
        None => status,
    }
}
