//! The board: the canvas with its pointers, below the mirror.

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, html, prelude::*};
use rules::{Outcome, Player};
use view::{Direction, Look, Point};
use web_sys::{PointerEvent, WheelEvent};

use crate::{
    device::now,
    easel::{Easel, Shown, Touch},
    gesture::{Gesture, Motion, Press},
    icons::{Icon, IconButton},
    mirror::{Mirror, MirrorView},
    room::Room,
    session::{Session, Stage},
};

/// The least radius of a finger, in pixels.
const FINGER: f64 = 22.0;

/// How many times closer a press of the button looks.
const ZOOM_STEP: f64 = 1.5;

/// How far a wheel has to be turned to look e times closer.
const WHEEL_WAY: f64 = 400.0;

/// What the board remembers.
#[derive(Default)]
struct Core {
    easel: Easel,
    gesture: Gesture,
    is_frame_due: bool,
}

/// The board of the current match.
#[derive(Clone, Copy)]
struct Board {
    room: Room,
    core: StoredValue<Rc<RefCell<Core>>, LocalStorage>,
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
        let ring = self.mirror.ring_now();
        let painted = self.with(|core| {
            core.is_frame_due = false;
            let touch = Touch {
                ring: ring.as_deref(),
                press: core.gesture.press(),
                theme: self.room.settings.theme_untracked(),
                time: now(),
            };
            let map = self.map.get_untracked();
            core.easel.paint(self.canvas.get_untracked()?, map, &touch)
        });
        let Some((is_done, goes_on)) = painted.flatten() else {
            return;
        };
        if is_done {
            self.room.settle();
        }
        if goes_on {
            self.request_frame();
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
            self.room.clear();
            return;
        }
        if let Some(canvas) = self.canvas.get_untracked() {
            // Without capture a drag merely ends at the canvas's edge.
            canvas.set_pointer_capture(pointer).ok();
        }
        let mut press = Press::new(pointer, at, self.hit(event));
        if let Some(id) = &press.target {
            press.has_picked = self.room.take_up(id);
        }
        self.with(|core| core.gesture.begin(press));
        self.mirror.hide_ring();
        self.request_frame();
    }

    fn moved(self, event: &PointerEvent) {
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
        self.room.set_hover(hover);
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
            self.room.set_hover(None);
        }
        match target {
            // Dropped on a destination it is a move, elsewhere it goes back.
            Some(id) if press.is_drag && press.has_picked && self.room.leads_on(&id) => {
                self.room.activate(&id);
            }
            _ if press.is_drag && press.has_picked => self.room.clear(),
            _ if press.is_drag || press.has_picked => {}
            Some(id) if press.target.as_ref() == Some(&id) => self.room.activate(&id),
            _ => self.room.clear(),
        }
    }

    fn cancel(self) {
        let press = self.with(|core| core.gesture.cancel());
        if press.flatten().is_some_and(|press| press.has_picked) {
            self.room.clear();
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

    /// Shows the session, whenever it changes.
    fn follow_session(self) {
        let room = self.room;
        let words = room.settings.words.get();
        let hover = room.hover.get();
        let is_small = room.settings.is_small.get();
        let shown = room.session.with(|session| {
            let session = session.as_ref()?;
            let look = Look {
                is_large: is_small,
                is_flipped: session.is_flipped,
                hover: hover.as_deref(),
                ..Look::new(&words)
            };
            Some(self.shown(session, &look))
        });
        let Some(shown) = shown else {
            return;
        };
        self.mirror.show(&shown.scene);
        if self.is_vast.get_untracked() != shown.scene.is_vast {
            self.is_vast.set(shown.scene.is_vast);
        }
        let canvas = self.canvas.get_untracked();
        let width = canvas.map(|canvas| canvas.get_bounding_client_rect().width());
        self.with(|core| core.easel.show(shown, width, now()));
        self.camera_moved();
    }

    /// What is to be seen of `session`.
    fn shown(self, session: &Session, look: &Look<'_>) -> Shown {
        let scene = session.table.scene(look);
        let n_motions = session.n_motions;
        let is_new = self.with(|core| core.easel.n_motions() != n_motions) == Some(true);
        let is_won = matches!(session.outcome(), Some(Outcome::Win(_)));
        let is_celebrated = is_won && !self.room.is_still(session);
        let confetti = session.game.presentation().confetti;
        // On a vast board the answer may be out of sight.
        let last = session.playing.moves().pop();
        let last = last.filter(|_| scene.is_vast && is_new);
        let last = last.and_then(|m| scene.target(&m).map(|target| target.at));
        Shown {
            plan: (is_new && session.stage == Stage::Moving).then(|| session.table.plan(look)),
            scene,
            n_motions,
            stage: session.stage,
            confetti: if is_celebrated { confetti } else { &[] },
            last,
        }
    }
}

fn place(event: &PointerEvent) -> Point {
    Point::new(f64::from(event.client_x()), f64::from(event.client_y()))
}

fn is_finger(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}

/// The board of the current match.
#[component]
pub(crate) fn BoardView(room: Room) -> impl IntoView {
    let board = Board {
        room,
        core: StoredValue::new_local(Rc::new(RefCell::new(Core::default()))),
        mirror: Mirror::new(),
        is_vast: RwSignal::new(false),
        is_zoomed: RwSignal::new(false),
        canvas: NodeRef::new(),
        map: NodeRef::new(),
    };
    Effect::new(move |_| board.follow_session());
    // The size and the colors of things and the focus may change at any time.
    let on_resize = window_event_listener(ev::resize, move |_| board.request_frame());
    on_cleanup(move || on_resize.remove());
    Effect::new(move |_| {
        room.settings.theme();
        board.mirror.ring();
        board.request_frame();
    });
    view! {
        <div class="board">
            <canvas
                node_ref=board.canvas
                aria-hidden="true"
                on:pointerdown=move |event| board.down(&event)
                on:pointermove=move |event| board.moved(&event)
                on:pointerup=move |event| board.up(&event)
                on:pointercancel=move |_| board.cancel()
                on:pointerleave=move |_| room.set_hover(None)
                on:contextmenu=move |event: ev::MouseEvent| event.prevent_default()
                on:wheel=move |event| board.wheel(&event)
            ></canvas>
            <MirrorView
                room=room
                mirror=board.mirror
                on_arrow=Callback::new(move |direction| board.go(direction))
            />
            <Show when=move || board.is_vast.get()>
                <Overview board=board />
            </Show>
            <Show when=move || room.stage() == Some(Stage::Lots)>
                <div class="lots" aria-hidden="true">
                    <span class="lot" inner_html=move || room.token(Player::First)></span>
                    <span class="lot" inner_html=move || room.token(Player::Second)></span>
                </div>
            </Show>
        </div>
    }
}

/// What helps to find one's way on a vast board: buttons that zoom, and a map.
#[component]
fn Overview(board: Board) -> impl IntoView {
    let room = board.room;
    view! {
        <div class="zoom">
            <IconButton
                name=Signal::derive(room.text("do.zoom-in"))
                kind=Icon::Plus
                on_press=move || board.zoom_middle(ZOOM_STEP)
            />
            <IconButton
                name=Signal::derive(room.text("do.zoom-out"))
                kind=Icon::Minus
                on_press=move || board.zoom_middle(1.0 / ZOOM_STEP)
            />
        </div>
        <canvas
            class="map"
            class:off=move || !board.is_zoomed.get()
            node_ref=board.map
            role="img"
            aria-label=room.text("board.map")
            on:pointerdown=move |event| board.look_from_map(&event)
        ></canvas>
    }
}
