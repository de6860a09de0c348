//! The board of a match that is studied.

use leptos::prelude::*;
use study::{Event, SetUp, SetUpEvent, Study};
use view::{AnyTable, Mark};

use super::Studying;
use crate::{
    board::Transition,
    hosted_board::{Host, Hosted, status_of},
    mirror::Status,
};

impl Hosted for Studying {
    fn host(self) -> Host {
        Host {
            room: self.room,
            is_fast: self.is_fast,
            is_moving: self.is_moving,
            hover: self.hover,
        }
    }

    fn step(self) -> Option<Transition> {
        self.with(|study| Some(self.place(study)))
    }

    fn with_table<T>(self, f: impl FnOnce(&dyn AnyTable, Option<&str>) -> T) -> Option<T> {
        if self.is_setting_up.get() {
            return self.with_set_up(|set_up| f(set_up.table(), None));
        }
        self.with(|study| Some(f(study.table(), study.origin())))
    }

    fn is_open(self) -> bool {
        let takes_any = |study: &Study| study.may_act() || study.is_drawing();
        self.is_setting_up.get() || self.with(takes_any)
    }

    fn is_locked(self) -> bool {
        self.is_setting_up.get() || !self.with(Study::may_act)
    }

    fn hover(self) -> Option<String> {
        self.hover.get().filter(|_| !self.is_setting_up.get())
    }

    fn activate(self, target: String) {
        if self.is_setting_up.get_untracked() {
            self.edit(SetUpEvent::Click(target));
        } else {
            self.dispatch(Event::Activate(target));
        }
    }

    fn clear(self) {
        if self.is_setting_up.get_untracked() {
            self.edit(SetUpEvent::Clear);
        } else {
            self.dispatch(Event::Clear);
        }
    }

    fn marks(self) -> Vec<Mark> {
        if let Some(marks) = self.with_shown_set_up(SetUp::marks) {
            return marks;
        }
        if self.is_analysis.get() {
            let shown = self.shown.get();
            self.with_lines(|study| study.marks(shown))
        } else {
            self.with(Study::better_marks)
        }
    }

    fn takes_up(self, target: &str) -> bool {
        let of_set_up = self.with_shown_set_up(|set_up| set_up.takes_up(target));
        let of_study = |study: &Study| !study.is_drawing() && study.table().takes_up(target);
        of_set_up.unwrap_or_else(|| self.with(of_study))
    }

    fn is_taken_up(self, target: &str) -> bool {
        let of_set_up = self.with_shown_set_up(|set_up| set_up.taken() == Some(target));
        of_set_up.unwrap_or_else(|| {
            let picked = self.with(|study| study.table().picked().pop());
            picked.as_deref() == Some(target)
        })
    }

    fn leads_on(self, target: &str) -> bool {
        let of_set_up = self.with_shown_set_up(|set_up| {
            let taken = set_up.taken();
            taken.is_some_and(|taken| taken != target)
        });
        of_set_up.unwrap_or_else(|| self.with(|study| study.table().leads_on(target)))
    }

    fn is_useful(self, target: &str) -> bool {
        let is_useful = |study: &Study| study.is_drawing() || study.table().is_useful(target);
        self.is_setting_up.get() || self.with(is_useful)
    }

    fn wheel(self, way: f64) {
        if let Some(jump) = self.wheel.turn(way) {
            self.jump(jump);
        }
    }

    fn status(self) -> Status {
        let set_up = self.with_shown_set_up(|set_up| Status {
            result: "none".to_owned(),
            ..status_of(self.room, set_up.record(), false)
        });
        set_up.unwrap_or_else(|| {
            let is_busy = self.is_moving.get();
            self.with(|study| status_of(self.room, study.record(), is_busy))
        })
    }
}
