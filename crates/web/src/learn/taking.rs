//! A lesson in progress on the page: its state, what moves, what is stored.

use leptos::{ev, prelude::*};
use lessons::{Event, Lesson, LessonFeedback};
use view::Sound;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::{open_rules, store_progress, stored_progress};
use crate::{
    app::find, board::Transition, learn_route::LearnRoute, news::tell, room::Room, timer::Timer,
};

/// Selects what gets the focus on a board.
pub(super) const BOARD: &str = ".mirror [tabindex='0']";

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
        let progress = stored_progress(lesson.game());
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

    /// Returns `f` of the lesson; subscribes to it.
    pub(super) fn with<T>(self, f: impl FnOnce(&Lesson) -> T) -> T {
        self.lesson.with(f)
    }

    /// As [`with`](Self::with), without a subscription.
    pub(super) fn with_untracked<T>(self, f: impl FnOnce(&Lesson) -> T) -> T {
        self.lesson.with_untracked(f)
    }

    /// Where the board stands.
    pub(super) fn place(lesson: &Lesson) -> Option<Transition> {
        let record = lesson.sitting()?.record();
        Some(Transition::of(record, lesson.n_boards()))
    }

    /// Hands an event to the lesson.
    pub(super) fn dispatch(self, event: Event) {
        self.back.stop();
        let is_click = matches!(event, Event::Activate(_));
        let is_back = event == Event::TakeBack;
        let mut is_move = false;
        let mut is_other_step = false;
        let was_done = self.with_untracked(Lesson::is_done);
        self.lesson.update_untracked(|lesson| {
            let (at, step) = (lesson.at(), Self::place(lesson));
            lesson.update(event);
            let before = Self::place(lesson).and_then(|step| step.before);
            is_move = before.is_some() && before == step.map(|step| step.at);
            is_other_step = lesson.at() != at;
        });
        // The board shows the move, and says when it is done.
        if is_move && !document().hidden() {
            self.is_moving.set(true);
        }
        tell(&self.lesson);
        let is_refused =
            |lesson: &Lesson| matches!(lesson.answer(), Some(LessonFeedback::Refused { .. }));
        if is_click && self.with_untracked(is_refused) || is_back {
            self.room.sounds.play(Sound::Illegal);
        }
        if is_other_step {
            self.note_address();
        }
        if !was_done && self.with_untracked(Lesson::is_done) {
            self.with_untracked(|lesson| store_progress(lesson.game(), &lesson.progress()));
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
    pub(super) fn answer(self) -> Option<LessonFeedback> {
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

    /// Whether the turn can be left out now, in a game that always shows the button for
    /// that.
    pub(super) fn can_pass(self) -> bool {
        self.may_act()
            && self.with(|lesson| {
                let game = catalog::find(lesson.game());
                let is_shown = game.is_ok_and(|game| game.presentation().always_shows_pass);
                let table = lesson.sitting().map(play::Sitting::table);
                is_shown && table.is_some_and(|table| table.pass().is_some())
            })
    }

    /// Does what a button says.
    pub(super) fn command(self, command: &str) {
        let at = self.with_untracked(Lesson::at);
        let is_done = untrack(|| self.is_done());
        let is_moving = self.is_moving.get_untracked();
        match command {
            "help" => open_rules(self.room, self.with_untracked(Lesson::game)),
            "pass" => self.dispatch(Event::Activate("pass".to_owned())),
            "show" if !is_moving => self.dispatch(Event::Show),
            "again" => self.dispatch(Event::Again),
            "next" if is_done => self.go(Event::Next),
            "back" => self.go(Event::GoTo(at.saturating_sub(1))),
            _ => {
                let step = command.strip_prefix("go ");
                if let Some(step) = step.and_then(|step| step.parse().ok()) {
                    self.go(Event::GoTo(step));
                }
            }
        }
    }

    /// Goes to another step, with the focus on its board, or on the text after the last
    /// step.
    fn go(self, event: Event) {
        self.dispatch(event);
        // The board has to be there first. Whoever is on it already stays where they are: they
        // may have gone on by then.
        request_animation_frame(move || {
            let is_over = untrack(|| self.is_over());
            let is_there = !is_over && find(".mirror :focus").is_some();
            if let Some(element) = find(if is_over { "#task" } else { BOARD })
                && !is_there
            {
                element.focus().ok();
            }
        });
    }

    /// Enter goes on once a step is done, unless the focus is on another button or link.
    pub(super) fn listen_to_enter(self) {
        let listener = window_event_listener(ev::keydown, move |event| {
            let is_covered = self.room.is_help_open.get_untracked();
            if event.key() != "Enter" || event.repeat() || is_covered {
                return;
            }
            let target = event.target().and_then(|target| target.dyn_into().ok());
            let pressed = target.and_then(|target: Element| target.closest("button, a").ok()?);
            let is_other =
                pressed.is_some_and(|pressed| !matches!(pressed.closest(".mirror"), Ok(Some(_))));
            if !is_other && untrack(|| self.is_done()) {
                event.prevent_default();
                self.go(Event::Next);
            }
        });
        on_cleanup(move || listener.remove());
    }
}
