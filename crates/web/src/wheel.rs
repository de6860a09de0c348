//! The wheel of a mouse, which leads through the moves of a match.

use leptos::prelude::*;

use crate::room::Jump;

/// How far a wheel is turned for one move, in pixels.
const STEP: f64 = 40.0;

/// How far a wheel was turned since the last move: a touchpad turns it by a few pixels at a
/// time. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Wheel(StoredValue<f64>);

impl Wheel {
    /// A wheel that was not turned yet.
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(0.0))
    }

    /// Turns it by so many pixels; returns where to look once that is far enough.
    pub(crate) fn turn(self, way: f64) -> Option<Jump> {
        let sum = self.0.get_value() + way;
        let is_far = sum.abs() >= STEP;
        self.0.set_value(if is_far { 0.0 } else { sum });
        let jump = if sum < 0.0 { Jump::Back } else { Jump::Forward };
        is_far.then_some(jump)
    }
}
