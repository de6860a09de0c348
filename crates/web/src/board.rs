//! The board: a canvas below its mirror, pointers, and what part is looked at.

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, html, prelude::*};
use view::{Direction, Key, Kind, Look, Plan, Point, Rect, Scene};
use web_sys::{PointerEvent, WheelEvent};

use crate::{
    camera::Camera,
    confetti::Confetti,
    device::now,
    gesture::{FINGER, Press},
    icons::{Icon, IconButton},
    mirror::{Mirror, MirrorView},
    painter::{Frame, Painter},
    room::Room,
    session::Stage,
};

/// On vast boards points are at least this far apart at first, in pixels.
const COMFORTABLE_PITCH: f64 = 22.0;

/// How many times closer a press of the button looks.
const ZOOM_STEP: f64 = 1.5;

/// What the board remembers between frames.
#[derive(Default)]
struct Core {
    painter: Option<Painter>,
    map_painter: Option<Painter>,
    scene: Option<Rc<Scene>>,
    plan: Option<Plan>,
    /// When the motion began.
    started: Option<f64>,
    n_motions: u32,
    press: Option<Press>,
    /// The other finger of a pinch, and where it is.
    second: Option<(i32, Point)>,
    camera: Option<Camera>,
    confetti: Option<Confetti>,
    /// The move that confetti fell for.
    n_celebrated: Option<u32>,
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
        let room = self.room;
        let time = now();
        let theme = room.theme_now_untracked();
        let ring = self.mirror.ring_now();
        let is_done = self.with(|core| {
            core.is_frame_due = false;
            let canvas = self.canvas.get_untracked()?;
            if core
                .painter
                .as_ref()
                .is_none_or(|painter| painter.canvas() != &canvas)
            {
                core.painter = Painter::new(canvas);
            }
            let scene = core.scene.clone()?;
            let elapsed = time - *core.started.get_or_insert(time);
            let is_done = core
                .plan
                .as_ref()
                .is_some_and(|plan| elapsed >= plan.duration());
            if is_done {
                core.plan = None;
            }
            core.confetti = core.confetti.filter(|confetti| confetti.is_falling(time));
            let confetti = core.confetti.map(|confetti| (confetti, time));
            let view = core.view(&scene);
            let drag = core.drag(&scene, view);
            let frame = Frame {
                scene: &scene,
                motion: core.plan.as_ref().map(|plan| (plan, elapsed)),
                view,
                theme,
                focus: ring.as_deref().and_then(|id| scene.target(id)),
                drag,
                confetti,
            };
            if let Some(painter) = &mut core.painter {
                painter.paint(&frame);
            }
            if scene.is_vast && view.width < scene.view.width {
                let canvas = self.map.get_untracked();
                if let Some(canvas) = canvas {
                    if core
                        .map_painter
                        .as_ref()
                        .is_none_or(|painter| painter.canvas() != &canvas)
                    {
                        core.map_painter = Painter::new(canvas);
                    }
                    if let Some(painter) = &mut core.map_painter {
                        painter.paint_map(&scene, view, theme);
                    }
                }
            }
            let goes_on = core.plan.is_some() || confetti.is_some();
            Some((is_done, goes_on))
        });
        let Some((is_done, goes_on)) = is_done.flatten() else {
            return;
        };
        if is_done {
            room.settle();
        }
        if goes_on {
            self.request_frame();
        }
    }

    /// Where a pointer is in the scene.
    fn scene_point(self, at: Point) -> Option<(Point, f64)> {
        let rect = self.canvas.get_untracked()?.get_bounding_client_rect();
        self.with(|core| {
            let view = core.view(core.scene.as_deref()?);
            let scale = rect.width() / view.width;
            let point = Point::new(
                view.x + (at.x - rect.left()) / scale,
                view.y + (at.y - rect.top()) / scale,
            );
            Some((point, scale))
        })?
    }

    fn hit(self, event: &PointerEvent) -> Option<String> {
        let (point, scale) = self.scene_point(place(event))?;
        let reach = if event.pointer_type() == "touch" {
            FINGER / scale
        } else {
            0.0
        };
        self.with(|core| {
            let scene = core.scene.as_deref()?;
            scene.hit(point, reach).map(|target| target.id.clone())
        })?
    }

    fn down(self, event: &PointerEvent) {
        event.prevent_default();
        let at = place(event);
        // A second pointer cancels a drag, or pinches.
        let is_second = self.with(|core| match &mut core.press {
            Some(press) if press.pointer != event.pointer_id() => {
                press.is_drag = true;
                press.target = None;
                core.second = Some((event.pointer_id(), at));
                true
            }
            _ => false,
        });
        if is_second == Some(true) {
            self.room.clear();
            return;
        }
        if event.button() != 0 {
            self.room.clear();
            return;
        }
        if let Some(canvas) = self.canvas.get_untracked() {
            // Without capture a drag merely ends at the canvas's edge.
            canvas.set_pointer_capture(event.pointer_id()).ok();
        }
        let target = self.hit(event);
        let mut press = Press::new(event.pointer_id(), at, target);
        if let Some(id) = &press.target {
            press.has_picked = self.room.take_up(id);
        }
        self.with(|core| {
            core.press = Some(press);
        });
        self.mirror.hide_ring();
        self.request_frame();
    }

    fn moved(self, event: &PointerEvent) {
        let at = place(event);
        let pan = self.with(|core| {
            if let (Some(press), Some((pointer, second))) = (&core.press, &mut core.second) {
                // Two fingers: the distance between them zooms.
                let (still, before) = if *pointer == event.pointer_id() {
                    (press.now, std::mem::replace(second, at))
                } else {
                    (*second, press.now)
                };
                let (old, new) = (still.distance(before), still.distance(at));
                if let Some(press) = core
                    .press
                    .as_mut()
                    .filter(|p| p.pointer == event.pointer_id())
                {
                    press.now = at;
                }
                return Some((
                    still.toward(at, 0.5),
                    Some(new / old.max(1.0)),
                    Point::default(),
                ));
            }
            let press = core
                .press
                .as_mut()
                .filter(|press| press.pointer == event.pointer_id())?;
            let by = press.move_to(at);
            let is_vast = core.scene.as_ref().is_some_and(|scene| scene.is_vast);
            (press.is_drag && is_vast).then_some((at, None, by))
        });
        match pan.flatten() {
            Some((middle, Some(factor), _)) => self.zoom(middle, factor),
            Some((_, None, by)) => self.pan(by),
            None => {}
        }
        let hover = if event.pointer_type() == "touch"
            && self.with(|core| core.press.is_none()) == Some(true)
        {
            None
        } else {
            self.hit(event)
        };
        self.room.set_hover(hover);
        if self.with(|core| core.press.is_some()) == Some(true) {
            self.request_frame();
        }
    }

    fn up(self, event: &PointerEvent) {
        let press = self.with(|core| {
            if core
                .second
                .is_some_and(|(pointer, _)| pointer == event.pointer_id())
            {
                core.second = None;
                return None;
            }
            let is_this = core.press.as_ref()?.pointer == event.pointer_id();
            let press = core.press.take().filter(|_| is_this);
            core.second = None;
            press
        });
        let Some(press) = press.flatten() else {
            return;
        };
        self.request_frame();
        let target = self.hit(event);
        if event.pointer_type() == "touch" {
            self.room.set_hover(None);
        }
        if press.is_drag {
            // Dropped on a destination it is a move, elsewhere it goes back.
            match target {
                Some(id) if press.has_picked && self.room.leads_on(&id) => self.room.activate(&id),
                _ if press.has_picked => self.room.clear(),
                _ => {}
            }
            return;
        }
        match target {
            _ if press.has_picked => {}
            Some(id) if press.target.as_ref() == Some(&id) => self.room.activate(&id),
            _ => self.room.clear(),
        }
    }

    fn cancel(self) {
        let press = self.with(|core| {
            core.second = None;
            core.press.take()
        });
        if press.flatten().is_some_and(|press| press.has_picked) {
            self.room.clear();
        }
        self.request_frame();
    }

    fn zoom(self, at: Point, factor: f64) {
        let Some((point, _)) = self.scene_point(at) else {
            return;
        };
        self.with(|core| {
            if let (Some(scene), Some(camera)) = (&core.scene, &mut core.camera) {
                camera.zoom_at(scene.view, point, factor);
            }
        });
        self.camera_moved();
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
        let Some((_, scale)) = self.scene_point(Point::default()) else {
            return;
        };
        self.with(|core| {
            if let (Some(scene), Some(camera)) = (&core.scene, &mut core.camera) {
                camera.pan(scene.view, by * (-1.0 / scale));
            }
        });
        self.camera_moved();
    }

    fn camera_moved(self) {
        let is_zoomed = self.with(|core| core.camera.is_some_and(|camera| camera.zoom > 1.0));
        let is_zoomed = is_zoomed.unwrap_or(false);
        if self.is_zoomed.get_untracked() != is_zoomed {
            self.is_zoomed.set(is_zoomed);
        }
        self.request_frame();
    }

    fn look_from_map(self, event: &PointerEvent) {
        let Some(map) = self.map.get_untracked() else {
            return;
        };
        let rect = map.get_bounding_client_rect();
        let (x, y) = (
            (f64::from(event.client_x()) - rect.left()) / rect.width(),
            (f64::from(event.client_y()) - rect.top()) / rect.height(),
        );
        self.with(|core| {
            if let (Some(scene), Some(camera)) = (&core.scene, &mut core.camera) {
                let view = scene.view;
                camera.look_at(Point::new(
                    view.x + x * view.width,
                    view.y + y * view.height,
                ));
            }
        });
        self.camera_moved();
    }

    /// An arrow key was pressed.
    fn go(self, direction: Direction) {
        let from = self.mirror.focus_now();
        let next = self.with(|core| {
            let scene = core.scene.clone()?;
            let next = scene.beside(&from?, direction)?;
            if let Some(camera) = &mut core.camera {
                camera.follow(scene.view, next.at);
            }
            Some(next.id.clone())
        });
        if let Some(id) = next.flatten() {
            self.mirror.move_focus(id);
        }
    }
}

impl Core {
    fn view(&self, scene: &Scene) -> Rect {
        match self.camera {
            Some(camera) if scene.is_vast => camera.view(scene.view),
            _ => scene.view,
        }
    }

    /// The node that hangs on the pointer.
    fn drag(&self, scene: &Scene, view: Rect) -> Option<(Key, Point)> {
        let press = self.press.as_ref()?;
        if !(press.is_drag && press.has_picked) {
            return None;
        }
        let origin = scene.target(press.target.as_deref()?)?;
        let nodes = scene.nodes.iter().rev();
        let mut held = nodes.filter(|node| node.at == origin.at);
        let key = held.find_map(|node| {
            node.key
                .filter(|key| matches!(key.kind, Kind::Piece | Kind::Tile))
        })?;
        let rect = self.painter.as_ref()?.canvas().get_bounding_client_rect();
        let scale = rect.width() / view.width;
        let at = Point::new(
            view.x + (press.now.x - rect.left()) / scale,
            view.y + (press.now.y - rect.top()) / scale,
        );
        Some((key, at))
    }
}

fn place(event: &PointerEvent) -> Point {
    Point::new(f64::from(event.client_x()), f64::from(event.client_y()))
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
    Effect::new(move |_| draw_session(board));
    // The size and the colors of things and the focus may change at any time.
    let on_resize = window_event_listener(ev::resize, move |_| board.request_frame());
    on_cleanup(move || on_resize.remove());
    Effect::new(move |_| {
        room.theme_now();
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
                on:wheel=move |event: WheelEvent| {
                    if board.is_vast.get_untracked() {
                        event.prevent_default();
                        let at = Point::new(f64::from(event.client_x()), f64::from(event.client_y()));
                        board.zoom(at, (-event.delta_y() / 400.0).exp());
                    }
                }
            ></canvas>
            <MirrorView room=room mirror=board.mirror on_arrow=Callback::new(move |direction| board.go(direction)) />
            <Show when=move || board.is_vast.get()>
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
            </Show>
            <Show when=move || room.stage() == Some(Stage::Lots)>
                <div class="lots" aria-hidden="true">
                    <span class="lot" inner_html=move || room.token(rules::Player::First)></span>
                    <span class="lot" inner_html=move || room.token(rules::Player::Second)></span>
                </div>
            </Show>
        </div>
    }
}

/// Makes a scene of the session whenever it changes.
fn draw_session(board: Board) {
    let room = board.room;
    let words = room.words.get();
    let hover = room.hover.get();
    let is_small = room.is_small.get();
    let drawn = room.session.with(|session| {
        let session = session.as_ref()?;
        let look = Look {
            is_large: is_small,
            is_flipped: session.is_flipped,
            hover: hover.as_deref(),
            ..Look::new(&words)
        };
        let scene = session.table.scene(&look);
        let is_new = board.with(|core| core.n_motions != session.n_motions) == Some(true);
        let plan = (is_new && session.stage == Stage::Moving).then(|| session.table.plan(&look));
        let is_won = matches!(session.outcome(), Some(rules::Outcome::Win(_)));
        let is_celebrated = is_won && !room.is_still(session);
        let confetti = session.game.presentation().confetti;
        let confetti = if is_celebrated { confetti } else { &[] };
        // On a vast board the answer may be out of sight.
        let last = session
            .playing
            .moves()
            .pop()
            .filter(|_| scene.is_vast && is_new);
        let last = last.and_then(|m| scene.target(&m).map(|target| target.at));
        Some((
            scene,
            plan,
            session.n_motions,
            session.stage,
            confetti,
            last,
        ))
    });
    let Some((scene, plan, n_motions, stage, confetti, last)) = drawn else {
        return;
    };
    board.mirror.show(&scene);
    if board.is_vast.get_untracked() != scene.is_vast {
        board.is_vast.set(scene.is_vast);
    }
    let width = board
        .canvas
        .get_untracked()
        .map(|canvas| canvas.get_bounding_client_rect().width());
    board.with(|core| {
        if core.camera.is_none()
            || core
                .scene
                .as_ref()
                .is_some_and(|old| old.targets.len() != scene.targets.len() && scene.is_vast)
        {
            let mut camera = Camera::WHOLE;
            if let (true, Some(width), Some(target)) = (scene.is_vast, width, scene.targets.first())
            {
                let pitch = 2.0 * target.outline.half_width() * width / scene.view.width;
                camera.zoom_at(
                    scene.view,
                    scene.view.center(),
                    COMFORTABLE_PITCH / pitch.max(1.0),
                );
            }
            core.camera = Some(camera);
        }
        if let (Some(camera), Some(last)) = (&mut core.camera, last) {
            camera.follow(scene.view, last);
        }
        core.scene = Some(Rc::new(scene));
        if core.n_motions != n_motions {
            core.n_motions = n_motions;
            core.plan = plan;
            core.started = None;
        } else if stage != Stage::Moving {
            core.plan = None;
        }
        if stage != Stage::Over {
            core.confetti = None;
            core.n_celebrated = None;
        } else if !confetti.is_empty() && core.n_celebrated != Some(n_motions) {
            core.confetti = Some(Confetti {
                colors: confetti,
                since: now(),
            });
            core.n_celebrated = Some(n_motions);
        }
    });
    board.camera_moved();
}
