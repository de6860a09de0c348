//! One pointer's way from down to up.

use view::Point;

/// A press turns into a drag after this many pixels.
const DRAG_DISTANCE: f64 = 3.0;

/// The least radius of a finger, in pixels.
pub(crate) const FINGER: f64 = 22.0;

/// A pointer that is down.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Press {
    /// Which pointer.
    pub(crate) pointer: i32,
    /// Where it went down on the screen.
    pub(crate) start: Point,
    /// Where it is on the screen.
    pub(crate) now: Point,
    /// The target it went down on.
    pub(crate) target: Option<String>,
    /// Whether that target was taken up by going down.
    pub(crate) has_picked: bool,
    /// Whether it has moved far enough to be a drag.
    pub(crate) is_drag: bool,
}

impl Press {
    /// A pointer that goes down.
    pub(crate) fn new(pointer: i32, at: Point, target: Option<String>) -> Self {
        Self {
            pointer,
            start: at,
            now: at,
            target,
            has_picked: false,
            is_drag: false,
        }
    }

    /// The pointer moves. Returns by how much since the last time.
    pub(crate) fn move_to(&mut self, at: Point) -> Point {
        let by = at - self.now;
        self.now = at;
        self.is_drag |= at.distance(self.start) > DRAG_DISTANCE;
        by
    }
}
