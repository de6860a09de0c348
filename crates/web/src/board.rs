//! The board: a canvas that shows a scene, with its pointers, below the mirror.
//!
//! It knows no match. It is given a scene, and where in some match that scene belongs;
//! when the place is the next one, it shows how the move happens, and otherwise it
//! simply shows the scene.

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, html, prelude::*};
use view::{Color, Direction, Plan, Point, Scene};
use web_sys::{PointerEvent, WheelEvent};

use crate::{
    device::now,
    easel::{Easel, FrameInput},
    gesture::{Gesture, Hold, Motion, Press},
    icons::{Icon, IconButton},
    mirror::{Mirror, MirrorView, Status},
    session::Place,
    settings::Settings,
    timer::Timer,
};

/// The least radius of a finger, in pixels.
const FINGER: f64 = 22.0;

/// How many times closer a press of the button looks.
const ZOOM_STEP: f64 = 1.5;

/// How far a wheel has to be turned to look e times closer.
const WHEEL_WAY: f64 = 400.0;

/// A motion that is not over this long after its time is ended: where nothing is
/// painted, as in a window that is covered, frames never come. In milliseconds.
const FRAME_SLACK: f64 = 250.0;

/// The bit of the right button among those that are down.
const RIGHT_BUTTON: u16 = 2;

/// Two clicks within this time are a double click, in milliseconds.
const DOUBLE_CLICK: f64 = 400.0;

/// Where the scene of a board belongs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Step {
    /// The position.
    pub(crate) at: Place,
    /// The position before it.
    pub(crate) before: Option<Place>,
    /// The target that the last move led to, if it may be out of sight.
    pub(crate) last: Option<String>,
}

/// What somebody does on a board.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Act {
    /// Activates a target.
    Activate(String),
    /// Drops what was clicked so far.
    Clear,
    /// Points at a target, or at none.
    Hover(Option<String>),
}

/// What makes a board a thing to play on.
#[derive(Clone, Copy)]
pub(crate) struct Input {
    /// Whether it is accepted, as far as the match is concerned.
    pub(crate) is_open: Signal<bool>,
    /// Whether a click on a target would take it up and do nothing else.
    pub(crate) takes_up: Callback<String, bool>,
    /// Whether a target is what is taken up.
    pub(crate) is_taken_up: Callback<String, bool>,
    /// Whether a target goes on with what is taken up.
    pub(crate) leads_on: Callback<String, bool>,
    /// Receives what is done.
    pub(crate) on_act: Callback<Act>,
    /// The board's name and state, for screen readers and programs.
    pub(crate) status: Signal<Status>,
}

/// What the board remembers.
#[derive(Default)]
struct Core {
    easel: Easel,
    gesture: Gesture,
    is_frame_due: bool,
    /// The place that was shown last.
    at: Option<Place>,
    /// The target that something was just dropped on.
    dropped: Option<String>,
    /// What was taken up last, and when.
    taken: Option<(String, f64)>,
}

/// A board. It is cheap to copy.
#[derive(Clone, Copy)]
struct Board {
    settings: Settings,
    core: StoredValue<Rc<RefCell<Core>>, LocalStorage>,
    input: Option<Input>,
    is_moving: RwSignal<bool>,
    motion_end: Timer,
    mirror: Mirror,
    is_vast: RwSignal<bool>,
    is_zoomed: RwSignal<bool>,
    canvas: NodeRef<html::Canvas>,
    map: NodeRef<html::Canvas>,
}

impl Board {
    fn with<T>(self, f: impl FnOnce(&mut Core) -> T) -> Option<T> {
        let core = self.core.try_get_value()?;
        let mut core = core.try_borrow_mut().ok()?;
        Some(f(&mut core))
    }

    /// Asks for one frame, however often it is called.
    fn request_frame(self) {
        let is_due = self.with(|core| std::mem::replace(&mut core.is_frame_due, true));
        if is_due == Some(false) {
            request_animation_frame(move || self.frame());
        }
    }

    fn frame(self) {
        let Some(Some(canvas)) = self.canvas.try_get_untracked() else {
            // The board is gone, or not there yet.
            self.with(|core| core.is_frame_due = false);
            return;
        };
        let ring = self.mirror.ring_now();
        let painted = self.with(|core| {
            core.is_frame_due = false;
            let input = FrameInput {
                ring: ring.as_deref(),
                press: core.gesture.press(),
                theme: self.settings.theme_untracked(),
                time: now(),
            };
            let map = self.map.get_untracked();
            core.easel.paint(canvas, map, &input)
        });
        let Some((is_done, goes_on)) = painted.flatten() else {
            return;
        };
        if is_done {
            self.come_to_rest();
        }
        if goes_on {
            self.request_frame();
        }
    }

    /// Shows `scene`, which belongs to `step`. `plan` makes the motion that leads to
    /// it, if that is to be seen.
    fn show(self, scene: Rc<Scene>, step: &Step, plan: impl FnOnce() -> Option<Plan>) {
        self.mirror.show(&scene);
        if self.is_vast.get_untracked() != scene.is_vast {
            self.is_vast.set(scene.is_vast);
        }
        let last = step.last.as_ref().filter(|_| scene.is_vast);
        let last = last.and_then(|id| scene.target(id).map(|target| target.at));
        let canvas = self.canvas.get_untracked();
        let width = canvas.map(|canvas| canvas.get_bounding_client_rect().width());
        let shown = self.with(|core| {
            core.easel.show(scene, width);
            core.at.replace(step.at)
        });
        if shown != Some(Some(step.at)) {
            let is_next = step.before.is_some() && shown == Some(step.before);
            let plan = if is_next { plan() } else { None };
            let duration = self.with(|core| {
                let dropped = core.dropped.take();
                core.easel.animate(plan, dropped.as_deref());
                // What was just played may be out of sight.
                if let Some(last) = last {
                    core.easel
                        .turn_camera(|camera, whole| camera.follow(whole, last));
                }
                core.easel.duration()
            });
            match duration.flatten().filter(|&duration| duration > 0.0) {
                Some(duration) => {
                    self.motion_end
                        .start(duration + FRAME_SLACK, move || self.finish());
                    self.is_moving.set(true);
                }
                None => self.come_to_rest(),
            }
        }
        self.camera_moved();
    }

    /// Nothing moves any more.
    fn come_to_rest(self) {
        self.motion_end.stop();
        if self.is_moving.try_get_untracked() == Some(true) {
            self.is_moving.set(false);
        }
    }

    /// Ends a motion before its time.
    fn finish(self) {
        if self.is_moving.try_get_untracked() == Some(true) {
            self.with(|core| core.easel.animate(None, None));
            self.come_to_rest();
            self.request_frame();
        }
    }

    fn act(self, act: Act) {
        if let Some(input) = self.input {
            input.on_act.run(act);
        }
    }

    /// Whether input is accepted now: not while something moves.
    fn is_open(self) -> bool {
        let is_open = self.input.map(|input| input.is_open.get_untracked());
        is_open == Some(true) && !self.is_moving.get_untracked()
    }

    fn activate(self, id: String) {
        if self.is_open() {
            self.act(Act::Activate(id));
        }
    }

    /// Where a point of the screen is in the scene, and how many pixels a unit of
    /// the scene has.
    fn scene_point(self, at: Point) -> Option<(Point, f64)> {
        let canvas = self.canvas.get_untracked()?;
        self.with(|core| core.easel.scene_point(&canvas, at))?
    }

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

    fn down(self, event: &PointerEvent) {
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
        let mut press = Press::new(pointer, at, self.hit(event), is_finger(event));
        if let Some(id) = press.target.clone() {
            press.hold = self.take_up(id);
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

    fn moved(self, event: &PointerEvent) {
        // A second button of a mouse that is down is no press of its own.
        if event.buttons() & RIGHT_BUTTON != 0 {
            self.cancel();
            return;
        }
        let (pointer, at) = (event.pointer_id(), place(event));
        match self
            .with(|core| core.gesture.move_to(pointer, at))
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

    fn up(self, event: &PointerEvent) {
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
            Some(id) if press.is_carrying() && !self.takes_up(&id) => self.activate(id),
            _ if press.is_drag && press.hold == Hold::Nothing => {}
            _ => self.act(Act::Clear),
        }
    }

    /// A pointer went down and up on the same target.
    fn click(self, id: String, hold: Hold) {
        let is_double = self.with(|core| {
            let taken = core.taken.as_ref();
            taken.is_some_and(|(taken, time)| *taken == id && now() - time < DOUBLE_CLICK)
        });
        match hold {
            // It was taken up when the pointer went down.
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

    fn cancel(self) {
        let press = self.with(|core| core.gesture.cancel()).flatten();
        if press.is_some_and(|press| press.hold == Hold::Taken || press.is_carrying()) {
            self.act(Act::Clear);
        }
        self.request_frame();
    }

    fn wheel(self, event: &WheelEvent) {
        if self.is_vast.get_untracked() {
            event.prevent_default();
            let at = Point::new(f64::from(event.client_x()), f64::from(event.client_y()));
            self.zoom(at, (-event.delta_y() / WHEEL_WAY).exp());
        }
    }

    fn zoom(self, at: Point, factor: f64) {
        if let Some((point, _)) = self.scene_point(at) {
            self.with(|core| {
                core.easel
                    .turn_camera(|camera, whole| camera.zoom_at(whole, point, factor));
            });
            self.camera_moved();
        }
    }

    fn zoom_middle(self, factor: f64) {
        if let Some(canvas) = self.canvas.get_untracked() {
            let rect = canvas.get_bounding_client_rect();
            let middle = Point::new(
                rect.left() + rect.width() / 2.0,
                rect.top() + rect.height() / 2.0,
            );
            self.zoom(middle, factor);
        }
    }

    fn pan(self, by: Point) {
        if let Some((_, scale)) = self.scene_point(Point::default()) {
            self.with(|core| {
                core.easel
                    .turn_camera(|camera, whole| camera.pan(whole, by * (-1.0 / scale)));
            });
            self.camera_moved();
        }
    }

    /// A drag that began on the map goes on beside it.
    fn capture_map(self, event: &PointerEvent) {
        if let Some(map) = self.map.get_untracked() {
            map.set_pointer_capture(event.pointer_id()).ok();
        }
    }

    fn look_from_map(self, event: &PointerEvent) {
        let Some(map) = self.map.get_untracked() else {
            return;
        };
        let rect = map.get_bounding_client_rect();
        let at = place(event);
        let (right, down) = (
            (at.x - rect.left()) / rect.width(),
            (at.y - rect.top()) / rect.height(),
        );
        self.with(|core| {
            core.easel.turn_camera(|camera, whole| {
                camera.look_at(Point::new(
                    whole.x + right * whole.width,
                    whole.y + down * whole.height,
                ));
            });
        });
        self.camera_moved();
    }

    fn camera_moved(self) {
        let is_zoomed = self.with(|core| core.easel.is_zoomed()).unwrap_or(false);
        if self.is_zoomed.get_untracked() != is_zoomed {
            self.is_zoomed.set(is_zoomed);
        }
        self.request_frame();
    }

    /// An arrow key was pressed.
    fn go(self, direction: Direction) {
        let from = self.mirror.focus_now();
        let next = self.with(|core| {
            let scene = Rc::clone(core.easel.scene()?);
            let next = scene.beside(&from?, direction)?;
            core.easel
                .turn_camera(|camera, whole| camera.follow(whole, next.at));
            Some(next.id.clone())
        });
        if let Some(id) = next.flatten() {
            self.mirror.move_focus(id);
        }
    }
}

fn place(event: &PointerEvent) -> Point {
    Point::new(f64::from(event.client_x()), f64::from(event.client_y()))
}

fn is_finger(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}

/// A board.
#[component]
pub(crate) fn BoardView(
    settings: Settings,
    /// What to show; nothing as long as it is `None`.
    #[prop(into)]
    scene: Signal<Option<Rc<Scene>>, LocalStorage>,
    /// Where the scene belongs.
    #[prop(into)]
    step: Signal<Option<Step>>,
    /// How the last move of the scene is seen to happen.
    plan: Callback<(), Plan>,
    /// Whether moves are not to be seen to happen.
    #[prop(into)]
    is_still: Signal<bool>,
    /// Whether a move is seen to happen; the board sets it.
    is_moving: RwSignal<bool>,
    /// The colors of confetti, while there is something to celebrate.
    #[prop(optional, into)]
    confetti: Signal<&'static [Color]>,
    /// Without it the board is decoration.
    #[prop(optional)]
    input: Option<Input>,
    #[prop(default = "board")] class: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let board = Board {
        settings,
        core: StoredValue::new_local(Rc::new(RefCell::new(Core::default()))),
        input,
        is_moving,
        motion_end: Timer::new(),
        mirror: Mirror::new(),
        is_vast: RwSignal::new(false),
        is_zoomed: RwSignal::new(false),
        canvas: NodeRef::new(),
        map: NodeRef::new(),
    };
    Effect::new(move |_| {
        let is_unseen = || is_still.get_untracked() || document().hidden();
        let plan = || (!is_unseen()).then(|| plan.run(()));
        if let (Some(scene), Some(step)) = (scene.get(), step.get()) {
            board.show(scene, &step, plan);
        }
    });
    Effect::new(move |_| {
        let colors = confetti.get();
        board.with(|core| core.easel.celebrate(colors, now()));
        board.request_frame();
    });
    // The size and the colors of things and the focus may change at any time.
    let on_resize = window_event_listener(ev::resize, move |_| board.request_frame());
    let on_hide = window_event_listener_untyped("visibilitychange", move |_| {
        if document().hidden() {
            board.finish();
        } else {
            board.request_frame();
        }
    });
    on_cleanup(move || {
        on_resize.remove();
        on_hide.remove();
        board.come_to_rest();
    });
    Effect::new(move |_| {
        settings.theme();
        board.mirror.ring();
        if board.canvas.get().is_some() {
            board.request_frame();
        }
    });
    let Some(input) = input else {
        return view! {
            <div class=class>
                <canvas node_ref=board.canvas aria-hidden="true"></canvas>
            </div>
        }
        .into_any();
    };
    view! {
        <div class=class class:vast=move || board.is_vast.get()>
            <canvas
                node_ref=board.canvas
                aria-hidden="true"
                on:pointerdown=move |event| board.down(&event)
                on:pointermove=move |event| board.moved(&event)
                on:pointerup=move |event| board.up(&event)
                on:pointercancel=move |_| board.cancel()
                on:pointerleave=move |_| board.act(Act::Hover(None))
                on:contextmenu=move |event: ev::MouseEvent| event.prevent_default()
                on:wheel=move |event| board.wheel(&event)
            ></canvas>
            <MirrorView
                settings=settings
                mirror=board.mirror
                status=input.status
                on_activate=Callback::new(move |id| board.activate(id))
                on_clear=Callback::new(move |()| board.act(Act::Clear))
                on_arrow=Callback::new(move |direction| board.go(direction))
            />
            <Show when=move || board.is_vast.get()>
                <Overview board=board />
            </Show>
            {children.map(|children| children())}
        </div>
    }
    .into_any()
}

/// What helps to find one's way on a vast board: buttons that zoom, and a map.
#[component]
fn Overview(board: Board) -> impl IntoView {
    let settings = board.settings;
    view! {
        <div class="zoom">
            <IconButton
                name=Signal::derive(settings.text("do.zoom-in"))
                kind=Icon::Plus
                on_press=move || board.zoom_middle(ZOOM_STEP)
            />
            <IconButton
                name=Signal::derive(settings.text("do.zoom-out"))
                kind=Icon::Minus
                on_press=move || board.zoom_middle(1.0 / ZOOM_STEP)
            />
        </div>
        <canvas
            class="map"
            class:off=move || !board.is_zoomed.get()
            node_ref=board.map
            role="img"
            aria-label=settings.text("board.map")
            on:pointerdown=move |event| {
                board.capture_map(&event);
                board.look_from_map(&event);
            }
            on:pointermove=move |event| {
                if event.buttons() != 0 {
                    board.look_from_map(&event);
                }
            }
        ></canvas>
    }
}
