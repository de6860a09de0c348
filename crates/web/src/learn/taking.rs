//! A lesson under way on the page: its state, what is seen moving, what is kept.

use leptos::prelude::*;
use lessons::{Answer, Event, Lesson};
use wasm_bindgen::JsValue;

use super::{keep_progress, kept_progress};
use crate::{board::Step, news::tell, room::Room, route::LearnRoute, session::Place, timer::Timer};

/// How long a wrong try stays on the board once it has been seen to happen, in
/// milliseconds.
const WRONG_TIME: f64 = 1000.0;

/// A lesson under way. It is cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Taking {
    pub(super) room: Room,
    lesson: RwSignal<Lesson, LocalStorage>,
    /// Whether the board is showing how a move happens. The board sets it.
    pub(super) is_moving: RwSignal<bool>,
    /// The target under the pointer.
    pub(super) hover: RwSignal<Option<String>>,
    pub(super) is_fast: bool,
    back: Timer,
}

impl Taking {
    pub(super) fn new(
        room: Room,
        lesson: &'static dyn lessons::AnyLesson,
        route: &LearnRoute,
    ) -> Self {
        let progress = kept_progress(lesson.game());
        let taking = Self {
            room,
            lesson: RwSignal::new_local(Lesson::new(lesson, &progress, route.step)),
            is_moving: RwSignal::new(false),
            hover: RwSignal::new(None),
            is_fast: route.is_fast,
            back: Timer::new(),
        };
        // A wrong try goes back once it has been seen.
        Effect::new(move |_| {
            if taking.with(Lesson::is_out) && !taking.is_moving.get() {
                let pause = if taking.is_fast { 0.0 } else { WRONG_TIME };
                taking
                    .back
                    .start(pause, move || taking.dispatch(Event::TakeBack));
            }
        });
        on_cleanup(move || taking.back.stop());
        taking.note_address();
        taking
    }

    /// What `f` makes of the lesson; runs again whenever it changes.
    pub(super) fn with<T>(self, f: impl FnOnce(&Lesson) -> T) -> T {
        self.lesson.with(f)
    }

    /// As [`with`](Self::with), without a subscription.
    pub(super) fn with_untracked<T>(self, f: impl FnOnce(&Lesson) -> T) -> T {
        self.lesson.with_untracked(f)
    }

    /// Where the board stands.
    pub(super) fn step(lesson: &Lesson) -> Option<Step> {
        let record = lesson.sitting()?.record();
        let (at, number) = (record.cursor(), lesson.n_boards());
        let place = |node| -> Place { (number, node) };
        Some(Step {
            at: place(at),
            before: record.ancestors(at).first().copied().map(place),
            last: None,
        })
    }

    /// Hands an event to the lesson.
    pub(super) fn dispatch(self, event: Event) {
        self.back.stop();
        let mut is_move = false;
        let mut is_other_step = false;
        let was_done = self.with_untracked(Lesson::is_done);
        self.lesson.update_untracked(|lesson| {
            let (at, step) = (lesson.at(), Self::step(lesson));
            lesson.update(event);
            let before = Self::step(lesson).and_then(|step| step.before);
            is_move = before.is_some() && before == step.map(|step| step.at);
            is_other_step = lesson.at() != at;
        });
        // The board shows the move, and says when it is done.
        if is_move && !document().hidden() {
            self.is_moving.set(true);
        }
        tell(&self.lesson);
        if is_other_step {
            self.note_address();
        }
        if !was_done && self.with_untracked(Lesson::is_done) {
            self.with_untracked(|lesson| keep_progress(lesson.game(), &lesson.progress()));
        }
    }

    /// The address follows the step, so that a reload comes back to it.
    fn note_address(self) {
        let route = self.with_untracked(|lesson| LearnRoute {
            game: Some(lesson.game().to_owned()),
            step: Some(lesson.at()),
            is_fast: self.is_fast,
        });
        if let Ok(history) = window().history() {
            // Where it can't be kept, a reload leads to the first step that is not done.
            history
                .replace_state_with_url(&JsValue::NULL, "", Some(&route.address()))
                .ok();
        }
    }

    /// The answer to be seen: not before its move has been seen to happen.
    pub(super) fn answer(self) -> Option<Answer> {
        let answer = self.with(|lesson| lesson.answer().cloned());
        answer.filter(|_| !self.is_moving.get())
    }

    /// Whether the step is done, and the move that did it has been seen to happen.
    pub(super) fn is_done(self) -> bool {
        self.with(Lesson::is_done) && !self.is_moving.get()
    }

    /// Whether somebody may act on the board once nothing moves.
    pub(super) fn may_act(self) -> bool {
        self.with(Lesson::may_act)
    }

    /// Whether all steps are behind.
    pub(super) fn is_over(self) -> bool {
        self.with(|lesson| lesson.sitting().is_none())
    }
}
