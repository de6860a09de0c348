//! The board: a canvas that shows a scene, with its pointers, below the mirror.
//!
//! It knows no match. It is given a scene, and where in some match that scene belongs;
//! when the place is the next one, it shows how the move happens, and otherwise it
//! simply shows the scene.

mod overview;
pub(crate) mod pointers;

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, html, prelude::*};
use rules::record::NodeId;
use view::{Color, Cue, Direction, Plan, Point, Scene, Sound};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::ResizeObserver;

use self::overview::Overview;
pub(crate) use self::pointers::own_touch;
use crate::{
    device::now,
    easel::{Easel, FrameInput},
    gesture::Gesture,
    mirror::{Mirror, MirrorView, Status},
    settings::Settings,
    timer::Timer,
};

/// A motion that is not over this long after its time is ended: where nothing is
/// painted, as in a window that is covered, frames never come. In milliseconds.
const FRAME_SLACK: f64 = 250.0;

/// A position that a board shows: the number of what it belongs to, such as a match, and its node
/// there.
pub(crate) type Place = (u32, NodeId);

/// Where the scene of a board belongs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Transition {
    /// The position.
    pub(crate) at: Place,
    /// The position before it.
    pub(crate) before: Option<Place>,
    /// The target that the last move led to, if it may be out of sight.
    pub(crate) last: Option<String>,
}

/// An action on a board.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Act {
    /// Activates a target.
    Activate(String),
    /// Drops the selected piece on a target that it can't go to.
    Drop(String),
    /// Clears the selection.
    Clear,
    /// Points at a target, or at none.
    Hover(Option<String>),
    /// Turns the wheel by so many pixels, where there is nothing to zoom.
    Wheel(f64),
}

/// The input of an interactive board.
#[derive(Clone, Copy)]
pub(crate) struct Input {
    /// Whether it is accepted, as far as the match is concerned.
    pub(crate) is_open: Signal<bool>,
    /// Whether a click on a target would take it up and do nothing else.
    pub(crate) takes_up: Callback<String, bool>,
    /// Whether a target is selected.
    pub(crate) is_taken_up: Callback<String, bool>,
    /// Whether a target continues the selection.
    pub(crate) leads_on: Callback<String, bool>,
    /// Whether a click on a target would do anything.
    pub(crate) is_useful: Callback<String, bool>,
    /// Receives what is done.
    pub(crate) on_act: Callback<Act>,
    /// The board's name and state, for screen readers and programs.
    pub(crate) status: Signal<Status>,
}

/// The state of a board.
#[derive(Default)]
struct Core {
    easel: Easel,
    gesture: Gesture,
    is_frame_due: bool,
    /// The place that was shown last.
    at: Option<Place>,
    /// The target that something was just dropped on.
    dropped: Option<String>,
    /// The target that was selected last, and when.
    taken: Option<(String, f64)>,
}

/// A board. It is cheap to copy.
#[derive(Clone, Copy)]
struct Board {
    settings: Settings,
    core: StoredValue<Rc<RefCell<Core>>, LocalStorage>,
    input: Option<Input>,
    on_cues: Option<Callback<Vec<Cue>>>,
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
                palette: self.settings.palette_untracked(),
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
    /// it; whether that is to be seen, `is_seen` says.
    fn show(self, scene: Rc<Scene>, step: &Transition, plan: impl FnOnce() -> Plan, is_seen: bool) {
        self.mirror.show(&scene);
        self.let_go();
        if self.is_vast.get_untracked() != scene.is_vast {
            self.is_vast.set(scene.is_vast);
        }
        let last = step.last.as_ref().filter(|_| scene.is_vast);
        let last = last.and_then(|id| scene.target(id).map(|target| target.at));
        let canvas = self.canvas.get_untracked();
        let shown = self.with(|core| {
            core.easel.show(scene, canvas.as_ref());
            core.at.replace(step.at)
        });
        if shown != Some(Some(step.at)) {
            let is_next = step.before.is_some() && shown == Some(step.before);
            let mut plan = is_next.then(plan);
            let mut cues = Vec::new();
            if !is_seen && let Some(plan) = plan.take() {
                // What does not move is heard at once.
                cues = plan.cues;
                cues.iter_mut().for_each(|cue| cue.at = 0.0);
                cues.retain(|cue| cue.sound != Sound::Slide);
            }
            let duration = self.with(|core| {
                let dropped = core.dropped.take();
                core.easel.animate(plan, dropped.as_deref());
                cues.extend(core.easel.cues());
                // What was just played may be out of sight.
                if let Some(last) = last {
                    core.easel
                        .turn_camera(|camera, whole| camera.follow(whole, last));
                }
                core.easel.duration()
            });
            if let Some(on_cues) = self.on_cues {
                on_cues.run(cues);
            }
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

/// A board.
#[component]
pub(crate) fn BoardView(
    settings: Settings,
    /// The scene to show; nothing while it is `None`.
    #[prop(into)]
    scene: Signal<Option<Rc<Scene>>, LocalStorage>,
    /// Where the scene belongs.
    #[prop(into)]
    step: Signal<Option<Transition>>,
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
    /// Receives what is heard of a move that begins now.
    #[prop(optional)]
    on_cues: Option<Callback<Vec<Cue>>>,
    #[prop(default = "board")] class: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let board = Board {
        settings,
        core: StoredValue::new_local(Rc::new(RefCell::new(Core::default()))),
        input,
        on_cues,
        is_moving,
        motion_end: Timer::new(),
        mirror: Mirror::new(),
        is_vast: RwSignal::new(false),
        is_zoomed: RwSignal::new(false),
        canvas: NodeRef::new(),
        map: NodeRef::new(),
    };
    Effect::new(move |_| {
        if let (Some(scene), Some(step)) = (scene.get(), step.get()) {
            let is_seen = !is_still.get_untracked() && !document().hidden();
            board.show(scene, &step, || plan.run(()), is_seen);
        }
    });
    Effect::new(move |_| {
        let colors = confetti.get();
        board.with(|core| core.easel.celebrate(colors, now()));
        board.request_frame();
    });
    // The size and the colors of things and the focus may change at any time.
    let on_resize = window_event_listener(ev::resize, move |_| board.request_frame());
    // In a dialog a canvas has no size at first.
    let on_size = Closure::<dyn Fn()>::new(move || board.request_frame());
    let sizes = ResizeObserver::new(on_size.as_ref().unchecked_ref()).ok();
    let sizes = StoredValue::new_local(Some((sizes, on_size)));
    Effect::new(move |_| {
        if let Some(canvas) = board.canvas.get() {
            sizes.with_value(|sizes| {
                if let Some((Some(sizes), _)) = sizes {
                    sizes.observe(&canvas);
                }
            });
        }
    });
    let on_hide = window_event_listener_untyped("visibilitychange", move |_| {
        if document().hidden() {
            // Pointers that are down may go up unseen.
            board.cancel();
            board.finish();
        } else {
            board.request_frame();
        }
    });
    on_cleanup(move || {
        on_resize.remove();
        sizes.try_update_value(|sizes| {
            if let Some((Some(sizes), _)) = sizes.take() {
                sizes.disconnect();
            }
        });
        on_hide.remove();
        board.come_to_rest();
    });
    Effect::new(move |_| {
        settings.palette();
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
                on:touchmove=own_touch
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
