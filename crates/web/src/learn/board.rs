//! The board of a lesson.

use leptos::prelude::*;
use lessons::{Event, Lesson};
use play::Sitting;
use view::AnyTable;

use super::Taking;
use crate::{
    board::Transition,
    hosted_board::{Host, Hosted, status_of},
    mirror::Status,
};

impl Hosted for Taking {
    fn host(self) -> Host {
        Host {
            room: self.room,
            is_fast: self.is_fast,
            is_moving: self.is_moving,
            hover: self.hover,
        }
    }

    fn step(self) -> Option<Transition> {
        self.with(Self::place)
    }

    fn with_table<T>(self, f: impl FnOnce(&dyn AnyTable, Option<&str>) -> T) -> Option<T> {
        self.with(|lesson| {
            let sitting = lesson.sitting()?;
            Some(f(sitting.table(), sitting.origin()))
        })
    }

    fn is_open(self) -> bool {
        self.may_act()
    }

    /// Tasks speak of places as they are seen from the near side.
    fn is_flipped(self) -> bool {
        false
    }

    fn activate(self, target: String) {
        self.dispatch(Event::Activate(target));
    }

    fn clear(self) {
        self.dispatch(Event::Clear);
    }

    fn status(self) -> Status {
        let is_busy = self.is_moving.get() || self.with(Lesson::is_out);
        self.with(|lesson| {
            let record = lesson.sitting().map(Sitting::record);
            record.map_or_else(Status::default, |record| {
                status_of(self.room, record, is_busy)
            })
        })
    }
}
