//! Pointers on the board: what they take up, where they drop it.

use leptos::{ev, prelude::*};
use view::Point;
use web_sys::PointerEvent;

use super::{Act, Board};
use crate::{
    device::now,
    gesture::{Hold, Motion, Press},
};

/// The least radius of a finger, in pixels.
const FINGER: f64 = 22.0;

/// The bit of the right button among those that are down.
const RIGHT_BUTTON: u16 = 2;

/// Two clicks within this time are a double click, in milliseconds.
const DOUBLE_CLICK: f64 = 400.0;

/// Keeps a drag by finger from the browser. Even where nothing scrolls, browsers take a quick
/// one for a fling, and the next tap for its end, which is then lost.
#[expect(clippy::needless_pass_by_value, reason = "listeners get their events")]
pub(crate) fn own_touch(event: ev::TouchEvent) {
    event.prevent_default();
}

impl Board {
    /// The target under a pointer.
    fn hit(self, event: &PointerEvent) -> Option<String> {
        let (point, scale) = self.scene_point(place(event))?;
        let reach = if is_finger(event) {
            FINGER / scale
        } else {
            0.0
        };
        self.with(|core| {
            let target = core.easel.scene()?.hit(point, reach);
            target.map(|target| target.id.clone())
        })?
    }

    pub(super) fn down(self, event: &PointerEvent) {
        event.prevent_default();
        let (pointer, at) = (event.pointer_id(), place(event));
        let is_second = self.with(|core| core.gesture.join(pointer, at));
        if is_second == Some(true) || event.button() != 0 {
            self.act(Act::Clear);
            return;
        }
        if let Some(canvas) = self.canvas.get_untracked() {
            // Without capture a drag merely ends at the canvas's edge.
            canvas.set_pointer_capture(pointer).ok();
        }
        let mut press = Press::new(pointer, at, now(), self.hit(event), is_finger(event));
        if let Some(id) = press.target.clone() {
            press.hold = self.take_up(id);
        }
        if is_finger(event) {
            self.act(Act::Hover(press.target.clone()));
        }
        self.with(|core| {
            core.dropped = None;
            core.gesture.begin(press);
        });
        self.mirror.hide_ring();
        self.request_frame();
    }

    /// Takes up what is at a target, if that is all a click there would do: what makes
    /// a move waits for the pointer to go up.
    fn take_up(self, id: String) -> Hold {
        let Some(input) = self.input.filter(|_| self.is_open()) else {
            return Hold::Nothing;
        };
        if input.is_taken_up.run(id.clone()) {
            return Hold::Kept;
        }
        if !self.takes_up(&id) {
            return Hold::Nothing;
        }
        self.with(|core| core.taken = Some((id.clone(), now())));
        self.activate(id);
        Hold::Taken
    }

    pub(super) fn moved(self, event: &PointerEvent) {
        // A second button of a mouse that is down is no press of its own.
        if event.buttons() & RIGHT_BUTTON != 0 {
            self.cancel();
            return;
        }
        let (pointer, at) = (event.pointer_id(), place(event));
        match self
            .with(|core| core.gesture.move_to(pointer, at, now()))
            .flatten()
        {
            Some(Motion::Pinch(middle, factor)) => self.zoom(middle, factor),
            Some(Motion::Drag(by)) if self.is_vast.get_untracked() => self.pan(by),
            Some(Motion::Drag(_)) | None => {}
        }
        let is_down = self.with(|core| core.gesture.press().is_some()) == Some(true);
        // A finger that has gone up is nowhere.
        let hover = if is_finger(event) && !is_down {
            None
        } else {
            self.hit(event)
        };
        self.act(Act::Hover(hover));
        if is_down {
            self.request_frame();
        }
    }

    pub(super) fn up(self, event: &PointerEvent) {
        let press = self.with(|core| core.gesture.end(event.pointer_id()));
        let Some(press) = press.flatten() else {
            return;
        };
        self.request_frame();
        let target = self.hit(event);
        if is_finger(event) {
            self.act(Act::Hover(None));
        }
        let is_back = target.is_some() && press.target == target;
        match target {
            // A click counts where it began if it took something up, and else where it
            // ended: there a finger has found its place.
            Some(id) if !press.is_drag => match (press.hold, press.target) {
                (hold @ (Hold::Taken | Hold::Kept), Some(start)) => self.click(start, hold),
                (hold, _) => self.click(id, hold),
            },
            // Dropped on a destination it is a move.
            Some(id) if press.is_carrying() && self.leads_on(&id) => {
                self.with(|core| core.dropped = Some(id.clone()));
                self.activate(id);
            }
            // A drag that ends where it began is a click, unless it moved the view.
            Some(id) if is_back && !(press.is_drag && self.is_vast.get_untracked()) => {
                self.click(id, press.hold);
            }
            // Dropped elsewhere it goes back, and it is said why.
            Some(id) if press.is_carrying() => self.drop_on(id),
            _ if press.is_drag && press.hold == Hold::Nothing => self.refuse(press.target),
            _ => self.act(Act::Clear),
        }
    }

    fn drop_on(self, id: String) {
        if self.is_open() {
            self.act(Act::Drop(id));
        }
    }

    /// A drag began on `target`, where there was nothing to take up: it is said why, as after
    /// a click.
    fn refuse(self, target: Option<String>) {
        let is_useful = |id: &String| {
            let input = self.input.as_ref();
            input.is_none_or(|input| input.is_useful.run(id.clone()))
        };
        if let Some(id) = target.filter(|id| !self.is_vast.get_untracked() && !is_useful(id)) {
            self.activate(id);
        }
    }

    /// Ends a drag of something that is no longer selected: after Escape, or because the
    /// match went on.
    pub(super) fn let_go(self) {
        let held = self.with(|core| {
            let press = core.gesture.press();
            let held = press.filter(|press| press.hold != Hold::Nothing)?;
            held.target.clone()
        });
        if let (Some(id), Some(input)) = (held.flatten(), self.input)
            && !input.is_taken_up.run(id)
        {
            self.with(|core| core.gesture.cancel());
        }
    }

    /// A pointer went down and up on the same target.
    fn click(self, id: String, hold: Hold) {
        let is_double = self.with(|core| {
            let taken = core.taken.as_ref();
            taken.is_some_and(|(taken, time)| *taken == id && now() - time < DOUBLE_CLICK)
        });
        match hold {
            // It was selected when the pointer went down.
            Hold::Taken => {}
            // Two clicks in a row are meant as one.
            Hold::Kept if is_double == Some(true) => {}
            Hold::Kept | Hold::Nothing => self.activate(id),
        }
    }

    fn takes_up(self, id: &str) -> bool {
        self.input
            .is_some_and(|input| input.takes_up.run(id.to_owned()))
    }

    fn leads_on(self, id: &str) -> bool {
        self.input
            .is_some_and(|input| input.leads_on.run(id.to_owned()))
    }

    pub(super) fn cancel(self) {
        let press = self.with(|core| core.gesture.cancel()).flatten();
        if press.is_some_and(|press| press.hold == Hold::Taken || press.is_carrying()) {
            self.act(Act::Clear);
        }
        self.request_frame();
    }
}

/// Where a pointer is on the screen.
pub(crate) fn place(event: &PointerEvent) -> Point {
    Point::new(f64::from(event.client_x()), f64::from(event.client_y()))
}

pub(crate) fn is_finger(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}
