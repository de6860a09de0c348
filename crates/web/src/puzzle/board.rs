//! The board of a puzzle.

use leptos::prelude::*;
use puzzles::{Attempt, Event, PuzzleHint};
use view::{AnyTable, Mark};

use super::Solving;
use crate::{
    board::Transition,
    hosted_board::{Host, Hosted, status_of},
    mirror::Status,
};

impl Hosted for Solving {
    fn host(self) -> Host {
        Host {
            room: self.room,
            is_fast: self.is_fast,
            is_moving: self.is_moving,
            hover: self.hover,
        }
    }

    fn step(self) -> Option<Transition> {
        self.with(|attempt| Some(self.place(attempt)))
    }

    fn with_table<T>(self, f: impl FnOnce(&dyn AnyTable, Option<&str>) -> T) -> Option<T> {
        self.with(|attempt| {
            let sitting = attempt.sitting();
            Some(f(sitting.table(), sitting.origin()))
        })
    }

    fn is_open(self) -> bool {
        self.with(Attempt::may_act)
    }

    fn activate(self, target: String) {
        self.dispatch(Event::Activate(target));
    }

    fn clear(self) {
        self.dispatch(Event::Clear);
    }

    /// The places that hints point at.
    fn marks(self) -> Vec<Mark> {
        let hints = self.with(Attempt::hints).into_iter();
        let targets = hints.flat_map(|hint| match hint {
            PuzzleHint::Piece(targets) => targets,
            PuzzleHint::Place(target) => vec![target],
            PuzzleHint::Why(_) => Vec::new(),
        });
        targets.map(Mark::Ring).collect()
    }

    fn status(self) -> Status {
        let is_moving = self.is_moving.get();
        self.with(|attempt| {
            let is_busy = is_moving || !(attempt.may_act() || attempt.is_over());
            status_of(self.room, attempt.sitting().record(), is_busy)
        })
    }
}
