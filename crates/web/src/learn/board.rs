//! The board of a lesson.

use std::rc::Rc;

use leptos::prelude::*;
use lessons::{Event, Lesson};
use play::Sitting;
use view::{Cue, Look};

use super::Taking;
use crate::{
    board::{Act, BoardView, Input},
    mirror::Status,
};

/// The board of the step.
#[component]
pub(super) fn LessonBoard(taking: Taking) -> impl IntoView {
    let room = taking.room;
    let settings = room.settings;
    let step = Memo::new(move |_| taking.with(Taking::step));
    let is_locked = Memo::new(move |_| !taking.may_act());
    let scene = Signal::derive_local(move || {
        let words = settings.words.get();
        let hover = taking.hover.get();
        let look = Look {
            is_large: settings.is_small.get(),
            is_tiny: settings.is_tiny.get(),
            has_coordinates: room.has_coordinates.get(),
            hover: hover.as_deref(),
            is_locked: is_locked.get(),
            is_moving: taking.is_moving.get(),
            ..Look::new(&words)
        };
        taking.with(|lesson| {
            let sitting = lesson.sitting()?;
            let origin = sitting.origin();
            Some(Rc::new(sitting.table().scene(&Look { origin, ..look })))
        })
    });
    let plan = Callback::new(move |()| {
        let words = settings.words.get_untracked();
        let look = Look {
            is_large: settings.is_small.get_untracked(),
            is_tiny: settings.is_tiny.get_untracked(),
            is_locked: true,
            is_moving: true,
            ..Look::new(&words)
        };
        let plan = taking.with_untracked(|lesson| {
            let sitting = lesson.sitting()?;
            let origin = sitting.origin();
            Some(sitting.table().plan(&Look { origin, ..look }))
        });
        plan.map(|plan| settings.paced(plan)).unwrap_or_default()
    });
    let ask = |f: fn(&Sitting, &str) -> bool| {
        Callback::new(move |id: String| {
            taking.with_untracked(|lesson| lesson.sitting().is_some_and(|sitting| f(sitting, &id)))
        })
    };
    let input = Input {
        is_open: Signal::derive(move || taking.may_act()),
        takes_up: ask(|sitting, id| sitting.table().takes_up(id)),
        is_taken_up: ask(|sitting, id| {
            sitting
                .table()
                .picked()
                .last()
                .is_some_and(|last| last == id)
        }),
        leads_on: ask(|sitting, id| sitting.table().leads_on(id)),
        on_act: Callback::new(move |act| match act {
            Act::Activate(id) => taking.dispatch(Event::Activate(id)),
            Act::Clear => taking.dispatch(Event::Clear),
            Act::Wheel(_) => {}
            Act::Hover(hover) => {
                if taking.hover.get_untracked() != hover {
                    taking.hover.set(hover);
                }
            }
        }),
        status: Memo::new(move |_| status(taking)).into(),
    };
    view! {
        <BoardView
            settings=settings
            scene=scene
            step=step
            plan=plan
            is_still=Signal::derive(move || taking.is_fast || settings.is_still())
            is_moving=taking.is_moving
            on_cues=Callback::new(move |cues: Vec<Cue>| room.sounds.play_all(&cues))
            input=input
        />
    }
}

fn status(taking: Taking) -> Status {
    let is_busy = taking.is_moving.get() || taking.with(Lesson::is_out);
    taking.with(|lesson| {
        let Some(sitting) = lesson.sitting() else {
            return Status::default();
        };
        let record = sitting.record();
        let name = taking.room.say(&format!("{}.name", lesson.game()));
        let ending = record.ending().filter(|_| !is_busy);
        Status {
            label: taking.room.say_with("board.label", &[("game", &name)]),
            game: lesson.game().to_owned(),
            turn: record.turn().to_string(),
            result: ending.map_or("none".to_owned(), |ending| ending.outcome.to_string()),
            position: record.position(),
            is_busy,
            online: None,
        }
    })
}
