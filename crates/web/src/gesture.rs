//! Pointers on the board, from down to up.

use view::Point;

/// A press turns into a drag after this many pixels: fingers wobble.
const FINGER_SLACK: f64 = 12.0;
const MOUSE_SLACK: f64 = 6.0;

/// How far a press may move before it is a drag, in pixels.
pub(crate) fn slack(is_finger: bool) -> f64 {
    if is_finger { FINGER_SLACK } else { MOUSE_SLACK }
}

/// A finger that has rested this long before it moves adjusts where it presses, in milliseconds.
const REST_TIME: f64 = 300.0;

/// Whether a pointer holds a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hold {
    /// There is nothing to hold.
    Nothing,
    /// It took the piece up by going down.
    Taken,
    /// It went down on a piece that was selected already.
    Kept,
}

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
    /// What going down on the target did.
    pub(crate) hold: Hold,
    is_finger: bool,
    /// When it went down, in milliseconds.
    since: f64,
    /// Whether it looks for its place: it rested before it moved, and holds nothing.
    is_adjusting: bool,
    /// Whether it has moved far enough to be a drag.
    pub(crate) is_drag: bool,
}

impl Press {
    /// A pointer that goes down at `time`.
    pub(crate) fn new(
        pointer: i32,
        at: Point,
        time: f64,
        target: Option<String>,
        is_finger: bool,
    ) -> Self {
        Self {
            pointer,
            start: at,
            now: at,
            target,
            hold: Hold::Nothing,
            is_finger,
            since: time,
            is_adjusting: false,
            is_drag: false,
        }
    }

    /// Whether a piece is dragged.
    pub(crate) fn is_carrying(&self) -> bool {
        self.is_drag && self.hold != Hold::Nothing
    }

    /// The pointer moves. Returns by how much since the last time.
    fn move_to(&mut self, at: Point, time: f64) -> Point {
        let by = at - self.now;
        self.now = at;
        let is_far = at.distance(self.start) > slack(self.is_finger);
        if !self.is_drag && !self.is_adjusting && is_far {
            let has_rested = self.is_finger && time - self.since >= REST_TIME;
            self.is_adjusting = has_rested && self.hold == Hold::Nothing;
            self.is_drag = !self.is_adjusting;
        }
        by
    }
}

/// The effect of pointers that move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Motion {
    /// One drags by so much.
    Drag(Point),
    /// Two fingers come so many times farther apart, around a point.
    Pinch(Point, f64),
}

/// The pointers that are down: one, and perhaps the other finger of a pinch.
#[derive(Default, Debug)]
pub(crate) struct Gesture {
    press: Option<Press>,
    /// The other finger, and where it is.
    second: Option<(i32, Point)>,
}

impl Gesture {
    /// The first pointer, while it is down.
    pub(crate) fn press(&self) -> Option<&Press> {
        self.press.as_ref()
    }

    /// The first pointer goes down.
    pub(crate) fn begin(&mut self, press: Press) {
        self.press = Some(press);
    }

    /// Another pointer goes down while one is: it cancels a drag, or pinches. Returns
    /// whether it is another.
    pub(crate) fn join(&mut self, pointer: i32, at: Point) -> bool {
        let Some(press) = self.press.as_mut().filter(|press| press.pointer != pointer) else {
            return false;
        };
        press.is_drag = true;
        press.is_adjusting = false;
        press.target = None;
        press.hold = Hold::Nothing;
        self.second = Some((pointer, at));
        true
    }

    /// A pointer moves, at `time`.
    pub(crate) fn move_to(&mut self, pointer: i32, at: Point, time: f64) -> Option<Motion> {
        let press = self.press.as_mut()?;
        let Some((second, second_at)) = &mut self.second else {
            let by = (press.pointer == pointer).then(|| press.move_to(at, time))?;
            return press.is_drag.then_some(Motion::Drag(by));
        };
        let (still, before) = if *second == pointer {
            (press.now, std::mem::replace(second_at, at))
        } else if press.pointer == pointer {
            (*second_at, std::mem::replace(&mut press.now, at))
        } else {
            return None;
        };
        let factor = still.distance(at) / still.distance(before).max(1.0);
        Some(Motion::Pinch(still.toward(at, 0.5), factor))
    }

    /// A pointer goes up. Returns the first one, if it is that.
    pub(crate) fn end(&mut self, pointer: i32) -> Option<Press> {
        if self.second.is_some_and(|(second, _)| second == pointer) {
            self.second = None;
            return None;
        }
        let press = self.press.take_if(|press| press.pointer == pointer)?;
        self.second = None;
        Some(press)
    }

    /// The browser takes the pointers away. Returns the first one.
    pub(crate) fn cancel(&mut self) -> Option<Press> {
        self.second = None;
        self.press.take()
    }
}

#[cfg(test)]
mod tests {
    use view::Point;

    use super::{Gesture, Hold, Motion, Press};

    fn at(x: f64) -> Point {
        Point::new(x, 0.0)
    }

    fn press(is_finger: bool) -> Press {
        Press::new(1, at(0.0), 0.0, None, is_finger)
    }

    #[test]
    fn a_press_is_a_drag_once_it_has_moved() {
        let mut gesture = Gesture::default();
        gesture.begin(press(false));
        assert_eq!(gesture.move_to(1, at(4.0), 20.0), None);
        assert_eq!(
            gesture.move_to(1, at(9.0), 20.0),
            Some(Motion::Drag(at(5.0)))
        );
        assert!(gesture.end(1).is_some_and(|press| press.is_drag));
        assert_eq!(gesture.press(), None);
    }

    #[test]
    fn a_piece_hangs_on_the_pointer_once_it_is_dragged() {
        for (hold, is_carrying) in [
            (Hold::Nothing, false),
            (Hold::Taken, true),
            (Hold::Kept, true),
        ] {
            let mut press = press(false);
            press.hold = hold;
            assert!(!press.is_carrying());
            press.move_to(at(20.0), 500.0);
            assert_eq!(press.is_carrying(), is_carrying, "{hold:?}");
        }
    }

    #[test]
    fn a_finger_may_wobble() {
        let mut gesture = Gesture::default();
        gesture.begin(press(true));
        assert_eq!(gesture.move_to(1, at(10.0), 20.0), None);
        assert_eq!(gesture.move_to(1, at(-10.0), 20.0), None);
        assert!(gesture.end(1).is_some_and(|press| !press.is_drag));
    }

    #[test]
    fn a_finger_that_rests_looks_for_its_place() {
        for (is_finger, time, is_drag) in [
            (true, 299.0, true),
            (true, 300.0, false),
            (false, 900.0, true),
        ] {
            let mut gesture = Gesture::default();
            gesture.begin(press(is_finger));
            let motion = gesture.move_to(1, at(30.0), time);
            assert_eq!(motion.is_some(), is_drag, "{is_finger} {time}");
            assert_eq!(gesture.move_to(1, at(90.0), 999.0).is_some(), is_drag);
            assert!(gesture.end(1).is_some_and(|press| press.is_drag == is_drag));
        }
        // The selected piece follows the pointer.
        let mut held = press(true);
        held.hold = Hold::Taken;
        held.move_to(at(30.0), 900.0);
        assert!(held.is_carrying());
    }

    #[test]
    fn two_fingers_pinch_and_a_third_changes_nothing() {
        let mut gesture = Gesture::default();
        let mut held = press(false);
        held.hold = Hold::Taken;
        gesture.begin(held);
        assert!(gesture.join(2, at(100.0)));
        let hold = gesture.press().map(|press| press.hold);
        assert_eq!(hold, Some(Hold::Nothing), "nothing is dropped at the end");
        assert_eq!(gesture.move_to(3, at(500.0), 20.0), None);
        assert_eq!(gesture.end(3), None);
        let pinch = Motion::Pinch(at(100.0), 2.0);
        assert_eq!(gesture.move_to(2, at(200.0), 20.0), Some(pinch));
        let pinch = Motion::Pinch(at(150.0), 0.5);
        assert_eq!(gesture.move_to(1, at(100.0), 20.0), Some(pinch));
        // The first finger drags on when the other goes up.
        assert_eq!(gesture.end(2), None);
        assert_eq!(
            gesture.move_to(1, at(90.0), 20.0),
            Some(Motion::Drag(at(-10.0)))
        );
        assert!(gesture.end(1).is_some());
    }

    #[test]
    fn what_the_browser_takes_away_is_gone() {
        let mut gesture = Gesture::default();
        gesture.begin(press(false));
        gesture.join(2, at(100.0));
        assert!(gesture.cancel().is_some());
        assert_eq!(gesture.move_to(2, at(50.0), 20.0), None);
    }
}
