//! The board of a puzzle.

use std::rc::Rc;

use leptos::prelude::*;
use puzzles::{Attempt, Event, Hint};
use view::{Cue, Look, Mark};

use super::Solving;
use crate::{
    board::{Act, BoardView, Input},
    mirror::Status,
};

/// What hints mark on the board.
fn marks(attempt: &Attempt) -> Vec<Mark> {
    let mut marks = Vec::new();
    for hint in attempt.hints() {
        match hint {
            Hint::Piece(targets) => marks.extend(targets.into_iter().map(Mark::Ring)),
            Hint::Place(target) => marks.push(Mark::Ring(target)),
            Hint::Why(_) => {}
        }
    }
    marks
}

/// The board of the puzzle.
#[component]
pub(super) fn PuzzleBoard(solving: Solving) -> impl IntoView {
    let room = solving.room;
    let settings = room.settings;
    let step = Memo::new(move |_| solving.with(|attempt| Some(solving.step(attempt))));
    let is_locked = Memo::new(move |_| !solving.with(Attempt::may_act));
    let scene = Signal::derive_local(move || {
        let words = settings.words.get();
        let hover = solving.hover.get();
        let is_moving = solving.is_moving.get();
        let look = Look {
            is_large: settings.is_small.get(),
            is_tiny: settings.is_tiny.get(),
            is_flipped: room.is_flipped.get(),
            has_coordinates: room.has_coordinates.get(),
            hover: hover.as_deref(),
            is_locked: is_locked.get(),
            is_moving,
            ..Look::new(&words)
        };
        solving.with(|attempt| {
            let sitting = attempt.sitting();
            let origin = sitting.origin();
            let scene = sitting.table().scene(&Look { origin, ..look });
            let marks = if is_moving {
                Vec::new()
            } else {
                marks(attempt)
            };
            Some(Rc::new(scene.marked(&marks)))
        })
    });
    let plan = Callback::new(move |()| {
        let words = settings.words.get_untracked();
        let look = Look {
            is_large: settings.is_small.get_untracked(),
            is_tiny: settings.is_tiny.get_untracked(),
            is_flipped: room.is_flipped.get_untracked(),
            is_locked: true,
            is_moving: true,
            ..Look::new(&words)
        };
        let plan = solving.with_untracked(|attempt| {
            let sitting = attempt.sitting();
            let origin = sitting.origin();
            sitting.table().plan(&Look { origin, ..look })
        });
        settings.paced(plan)
    });
    let ask = |f: fn(&play::Sitting, &str) -> bool| {
        Callback::new(move |id: String| solving.with_untracked(|attempt| f(attempt.sitting(), &id)))
    };
    let input = Input {
        is_open: Signal::derive(move || solving.with(Attempt::may_act)),
        takes_up: ask(|sitting, id| sitting.table().takes_up(id)),
        is_taken_up: ask(|sitting, id| {
            let picked = sitting.table().picked();
            picked.last().is_some_and(|last| last == id)
        }),
        leads_on: ask(|sitting, id| sitting.table().leads_on(id)),
        on_act: Callback::new(move |act| match act {
            Act::Activate(id) => solving.dispatch(Event::Activate(id)),
            Act::Clear => solving.dispatch(Event::Clear),
            Act::Wheel(_) => {}
            Act::Hover(hover) => {
                if solving.hover.get_untracked() != hover {
                    solving.hover.set(hover);
                }
            }
        }),
        status: Memo::new(move |_| status(solving)).into(),
    };
    view! {
        <BoardView
            settings=settings
            scene=scene
            step=step
            plan=plan
            is_still=Signal::derive(move || solving.is_fast || settings.is_still())
            is_moving=solving.is_moving
            on_cues=Callback::new(move |cues: Vec<Cue>| room.sounds.play_all(&cues))
            input=input
        />
    }
}

fn status(solving: Solving) -> Status {
    let is_moving = solving.is_moving.get();
    solving.with(|attempt| {
        let record = attempt.sitting().record();
        let game = attempt.puzzle().game();
        let name = solving.room.say(&format!("{game}.name"));
        let is_busy = is_moving || !(attempt.may_act() || attempt.is_over());
        let ending = record.ending().filter(|_| !is_busy);
        Status {
            label: solving.room.say_with("board.label", &[("game", &name)]),
            game: game.to_owned(),
            turn: record.turn().to_string(),
            result: ending.map_or("none".to_owned(), |ending| ending.outcome.to_string()),
            position: record.position(),
            is_busy,
            online: None,
        }
    })
}
