//! The board: a canvas, and its mirror of real buttons.
//!
//! The mirror is the input path. A click on the canvas finds a target and
//! activates it, as Enter on the target's button does.

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, html, prelude::*};
use view::{Direction, Key, Look, Outline, Plan, Point, Rect, Scene, Target};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent, WheelEvent};

use crate::{
    camera::Camera,
    device::now,
    gesture::{FINGER, Press},
    icons::{Icon, icon},
    news::tell,
    painter::{CONFETTI_TIME, Frame, Painter},
    room::Room,
    session::Stage,
};

/// Beyond this many targets the mirror holds only those around the focus.
const MOST_BUTTONS: usize = 400;

/// How many places away from the focus the mirror reaches then.
const REACH: f64 = 7.5;

/// On vast boards points are at least this far apart at first, in pixels.
const COMFORTABLE_PITCH: f64 = 22.0;

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
    focus: Option<String>,
    confetti_since: Option<f64>,
    /// The move that confetti fell for.
    n_celebrated: Option<u32>,
    is_frame_due: bool,
}

/// The board of the current match.
#[derive(Clone, Copy)]
struct Board {
    room: Room,
    core: StoredValue<Rc<RefCell<Core>>, LocalStorage>,
    targets: RwSignal<Rc<Vec<Target>>, LocalStorage>,
    whole: RwSignal<Rect>,
    focus: RwSignal<Option<String>>,
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
            let confetti = core.confetti_since.map(|since| time - since);
            let confetti = confetti.filter(|&age| age < CONFETTI_TIME);
            if confetti.is_none() {
                core.confetti_since = None;
            }
            let view = core.view(&scene);
            let drag = core.drag(&scene, view);
            let frame = Frame {
                scene: &scene,
                motion: core.plan.as_ref().map(|plan| (plan, elapsed)),
                view,
                theme,
                focus: core.focus.as_deref().and_then(|id| scene.target(id)),
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
            press.has_picked = self.room.pick_up(id);
        }
        self.with(|core| {
            core.press = Some(press);
            core.focus = None;
        });
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

    fn key(self, event: &KeyboardEvent) {
        let direction = match event.key().as_str() {
            "ArrowLeft" => Direction::Left,
            "ArrowRight" => Direction::Right,
            "ArrowUp" => Direction::Up,
            "ArrowDown" => Direction::Down,
            "Escape" => {
                self.room.clear();
                return;
            }
            _ => return,
        };
        event.prevent_default();
        let from = self.focus.get_untracked();
        let next = self.with(|core| {
            let scene = core.scene.as_deref()?;
            let from = from.or_else(|| scene.targets.first().map(|target| target.id.clone()))?;
            let next = scene.beside(&from, direction)?;
            Some((next.id.clone(), next.at, scene.view))
        });
        let Some((id, at, whole)) = next.flatten() else {
            return;
        };
        self.with(|core| {
            if let Some(camera) = &mut core.camera {
                camera.follow(whole, at);
            }
        });
        self.focus.set(Some(id.clone()));
        // The mirror of a vast board may have to come along first.
        request_animation_frame(move || focus_target(&id));
    }

    /// A button of the mirror got the focus.
    fn focused(self, id: &str, element: &HtmlElement) {
        let is_visible = element.matches(":focus-visible").unwrap_or(true);
        self.focus.set(Some(id.to_owned()));
        self.with(|core| core.focus = is_visible.then(|| id.to_owned()));
        self.request_frame();
    }

    fn blurred(self) {
        self.with(|core| core.focus = None);
        self.request_frame();
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
                .filter(|key| matches!(key.kind, Key::PIECE | Key::TILE))
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

fn focus_target(id: &str) {
    let document = document();
    // Names of places have no quotes in them.
    let button = document.query_selector(&format!(".mirror [data-target=\"{id}\"]"));
    if let Some(button) = button
        .ok()
        .flatten()
        .and_then(|e| e.dyn_into::<HtmlElement>().ok())
    {
        button.focus().ok();
    }
}

/// The board of the current match.
#[component]
pub(crate) fn BoardView(room: Room) -> impl IntoView {
    let board = Board {
        room,
        core: StoredValue::new_local(Rc::new(RefCell::new(Core::default()))),
        targets: RwSignal::new_local(Rc::new(Vec::new())),
        whole: RwSignal::new(Rect::around(Point::default(), 1.0)),
        focus: RwSignal::new(None),
        is_vast: RwSignal::new(false),
        is_zoomed: RwSignal::new(false),
        canvas: NodeRef::new(),
        map: NodeRef::new(),
    };
    Effect::new(move |_| draw_session(board));
    // The size and the colors of things may change at any time.
    let on_resize = window_event_listener(ev::resize, move |_| board.request_frame());
    on_cleanup(move || on_resize.remove());
    Effect::new(move |_| {
        room.theme_now();
        board.request_frame();
    });

    let mirrored = move || mirrored(board);
    let attribute = move |f: fn(&crate::session::Session) -> String| {
        move || {
            room.session
                .with(|session| session.as_ref().map(f).unwrap_or_default())
        }
    };
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
            <div
                class="mirror"
                id="board"
                role="group"
                tabindex="-1"
                aria-label=move || {
                    let name = room.session.with(|session| {
                        session.as_ref().map(|session| format!("{}.name", session.wish.game))
                    });
                    let name = room.say(&name.unwrap_or_default());
                    room.say_with("board.label", &[("game", &name)])
                }
                aria-describedby="board-help"
                data-game=attribute(|session| session.wish.game.clone())
                data-turn=attribute(|session| session.playing.turn().to_string())
                data-result=attribute(|session| {
                    session.outcome().map_or("none".to_owned(), |outcome| outcome.to_string())
                })
                data-fen=attribute(|session| session.playing.position())
                data-busy=attribute(|session| session.is_busy().to_string())
                on:keydown=move |event| board.key(&event)
            >
                <For each=mirrored key=|(_, target)| target.id.clone() let:item>
                    {mirror_button(board, item.1.id, item.0)}
                </For>
            </div>
            <p id="board-help" class="sr">{room.text("board.help")}</p>
            <Show when=move || board.is_vast.get()>
                <div class="zoom">
                    <button
                        class="ib"
                        title=room.text("do.zoom-in")
                        aria-label=room.text("do.zoom-in")
                        on:click=move |_| board.zoom_middle(1.5)
                    >
                        {icon(Icon::Plus)}
                    </button>
                    <button
                        class="ib"
                        title=room.text("do.zoom-out")
                        aria-label=room.text("do.zoom-out")
                        on:click=move |_| board.zoom_middle(1.0 / 1.5)
                    >
                        {icon(Icon::Minus)}
                    </button>
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

fn mirror_button(board: Board, id: String, index: usize) -> impl IntoView {
    let find = {
        let id = id.clone();
        move |f: fn(&Target, Rect) -> f64| {
            let targets = board.targets.get();
            let whole = board.whole.get();
            let target = targets.get(index).filter(|target| target.id == id);
            let target = target.or_else(|| targets.iter().find(|target| target.id == id));
            target.map_or(0.0, |target| f(target, whole))
        }
    };
    let percent = move |f: fn(&Target, Rect) -> f64| {
        let find = find.clone();
        move || format!("{:.3}%", 100.0 * find(f))
    };
    let label = {
        let id = id.clone();
        move || {
            let targets = board.targets.get();
            let target = targets.get(index).filter(|target| target.id == id);
            let target = target.or_else(|| targets.iter().find(|target| target.id == id));
            target.map(|target| target.label.clone())
        }
    };
    let is_stop = {
        let id = id.clone();
        move || match board.focus.get() {
            Some(focus) => focus == id,
            None => index == 0,
        }
    };
    let (click_id, focus_id) = (id.clone(), id.clone());
    view! {
        <button
            type="button"
            data-target=id
            tabindex=move || if is_stop() { "0" } else { "-1" }
            aria-label=label
            style:left=percent(|target, whole| (target.at.x - radius(target) - whole.x) / whole.width)
            style:top=percent(|target, whole| (target.at.y - radius(target) - whole.y) / whole.height)
            style:width=percent(|target, whole| 2.0 * radius(target) / whole.width)
            style:height=percent(|target, whole| 2.0 * radius(target) / whole.height)
            on:click=move |_| board.room.activate(&click_id)
            on:focus=move |event: ev::FocusEvent| {
                board.focused(&focus_id, event_target::<HtmlElement>(&event).as_ref())
            }
            on:blur=move |_| board.blurred()
        ></button>
    }
}

fn radius(target: &Target) -> f64 {
    match target.outline {
        Outline::Circle(radius) | Outline::Hexagon(radius) => radius,
        Outline::Square(half) => half,
    }
}

/// The targets that the mirror holds, with their places in the list.
fn mirrored(board: Board) -> Vec<(usize, Target)> {
    let targets = board.targets.get();
    let all = targets.iter().cloned().enumerate();
    if targets.len() <= MOST_BUTTONS {
        return all.collect();
    }
    let focus = board.focus.get();
    let middle = focus.and_then(|id| targets.iter().find(|target| target.id == id));
    let middle = middle.or_else(|| targets.get(targets.len() / 2 + 24));
    let Some(middle) = middle else {
        return Vec::new();
    };
    let reach = 2.0 * radius(middle) * REACH;
    let around = Rect::around(middle.at, reach);
    all.filter(|(_, target)| around.contains(target.at))
        .collect()
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
        let has_confetti = session.stage == Stage::Over
            && session.wish.game == "nonaga"
            && session.table.verdict(&words).is_some()
            && matches!(session.outcome(), Some(rules::Outcome::Win(_)))
            && !room.is_still(session);
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
            has_confetti,
            last,
        ))
    });
    let Some((scene, plan, n_motions, stage, has_confetti, last)) = drawn else {
        return;
    };
    if board
        .targets
        .with_untracked(|targets| **targets != scene.targets)
    {
        let targets = Rc::new(scene.targets.clone());
        board.targets.update_untracked(|known| *known = targets);
        board.whole.update_untracked(|known| *known = scene.view);
        // Buttons of the mirror come and go, and follow all three.
        tell(&board.targets);
        tell(&board.whole);
        tell(&board.focus);
    }
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
                let pitch = 2.0 * radius(target) * width / scene.view.width;
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
            core.confetti_since = None;
            core.n_celebrated = None;
        } else if has_confetti && core.n_celebrated != Some(n_motions) {
            core.confetti_since = Some(now());
            core.n_celebrated = Some(n_motions);
        }
    });
    board.camera_moved();
}
