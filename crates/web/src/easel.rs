//! The content of a canvas: a scene, its animation and the camera.

use std::rc::Rc;

use view::{Color, Cue, Key, Kind, Palette, Plan, Point, Rect, Scene, Target};
use web_sys::HtmlCanvasElement;

use crate::{
    camera::Camera,
    confetti::Confetti,
    gesture::Press,
    painter::{Frame, Painter},
};

/// On vast boards points are at least this far apart at first, in pixels.
const COMFORTABLE_PITCH: f64 = 22.0;

/// Per-frame input: focus ring, pointer, colors, time.
pub(crate) struct FrameInput<'a> {
    /// The target with a visible focus ring.
    pub(crate) ring: Option<&'a str>,
    /// The pointer that is down.
    pub(crate) press: Option<&'a Press>,
    pub(crate) palette: Palette,
    /// The time, in milliseconds.
    pub(crate) time: f64,
}

/// State kept between frames.
#[derive(Default)]
pub(crate) struct Easel {
    painter: Option<Painter>,
    map_painter: Option<Painter>,
    scene: Option<Rc<Scene>>,
    plan: Option<Plan>,
    /// When the motion began.
    started: Option<f64>,
    camera: Option<Camera>,
    confetti: Option<Confetti>,
}

impl Easel {
    /// The scene.
    pub(crate) fn scene(&self) -> Option<&Rc<Scene>> {
        self.scene.as_ref()
    }

    /// Whether there is more to see than is looked at.
    pub(crate) fn is_zoomed(&self) -> bool {
        self.camera.is_some_and(|camera| camera.zoom > 1.0)
    }

    /// Looks elsewhere: `f` gets the camera and all there is to see.
    pub(crate) fn turn_camera(&mut self, f: impl FnOnce(&mut Camera, Rect)) {
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera) {
            f(camera, scene.view);
        }
    }

    /// The part of `scene` that is looked at.
    fn view(&self, scene: &Scene) -> Rect {
        match self.camera {
            Some(camera) if scene.is_vast => camera.view(scene.view),
            _ => scene.view,
        }
    }

    /// Where a point of the screen is in the scene, and how many pixels a unit of
    /// the scene has.
    pub(crate) fn scene_point(
        &self,
        canvas: &HtmlCanvasElement,
        at: Point,
    ) -> Option<(Point, f64)> {
        // The canvas may have moved since the last frame.
        let rect = canvas.get_bounding_client_rect();
        let view = self.view(self.scene.as_deref()?);
        let scale = rect.width() / view.width;
        let point = Point::new(
            view.x + (at.x - rect.left()) / scale,
            view.y + (at.y - rect.top()) / scale,
        );
        Some((point, scale))
    }

    /// The topmost piece or tile at a target.
    fn piece_at(&self, target: &str) -> Option<Key> {
        let mut keys = self.scene.as_deref()?.keys_at(target).rev();
        keys.find(|key| matches!(key.kind, Kind::Piece | Kind::Tile))
    }

    /// The node that is dragged.
    fn drag(&self, press: &Press) -> Option<(Key, Point)> {
        if !press.is_carrying() {
            return None;
        }
        let key = self.piece_at(press.target.as_deref()?)?;
        let (at, _) = self.scene_point(self.painter.as_ref()?.canvas(), press.now)?;
        Some((key, at))
    }

    /// Shows another scene on `canvas`, if that is on the page already.
    pub(crate) fn show(&mut self, scene: Rc<Scene>, canvas: Option<&HtmlCanvasElement>) {
        let n_before = self.scene.as_ref().map(|old| old.targets.len());
        let is_other = scene.is_vast && n_before.is_some_and(|n| n != scene.targets.len());
        if self.camera.is_none() || is_other {
            // Asking for it lets the browser lay out the page.
            let width = canvas.map(|canvas| canvas.get_bounding_client_rect().width());
            self.camera = Some(first_look(&scene, width));
        }
        self.scene = Some(scene);
    }

    /// Shows how the scene came to be; `None` if it is simply there. What was dropped
    /// on the target `dropped` is there already.
    pub(crate) fn animate(&mut self, plan: Option<Plan>, dropped: Option<&str>) {
        let scene = self.scene.as_deref();
        let dropped = scene.zip(dropped);
        let keys: Vec<Key> =
            dropped.map_or_else(Vec::new, |(scene, id)| scene.keys_at(id).collect());
        self.plan = plan.map(|plan| plan.landed(&keys));
        self.started = None;
    }

    /// The sounds of the animation that is shown.
    pub(crate) fn cues(&self) -> impl Iterator<Item = Cue> {
        let cues = self.plan.iter().flat_map(|plan| &plan.cues);
        cues.copied()
    }

    /// How long the motion takes that is shown, in milliseconds.
    pub(crate) fn duration(&self) -> Option<f64> {
        self.plan.as_ref().map(Plan::duration)
    }

    /// Lets confetti fall, or takes it away if there are no colors.
    pub(crate) fn celebrate(&mut self, colors: &'static [Color], time: f64) {
        let confetti = Confetti {
            colors,
            since: time,
        };
        self.confetti = (!colors.is_empty()).then_some(confetti);
    }

    /// Paints a frame. Returns whether a motion has come to its end, and whether
    /// there is more to come.
    pub(crate) fn paint(
        &mut self,
        canvas: HtmlCanvasElement,
        map: Option<HtmlCanvasElement>,
        input: &FrameInput<'_>,
    ) -> Option<(bool, bool)> {
        let time = input.time;
        let scene = Rc::clone(self.scene.as_ref()?);
        let elapsed = time - *self.started.get_or_insert(time);
        let plan = self.plan.as_ref();
        let is_done = plan.is_some_and(|plan| elapsed >= plan.duration());
        if is_done {
            self.plan = None;
        }
        self.confetti = self.confetti.filter(|confetti| confetti.is_falling(time));
        Painter::renew(&mut self.painter, canvas);
        let view = self.view(&scene);
        let frame = Frame {
            scene: &scene,
            motion: self.plan.as_ref().map(|plan| (plan, elapsed)),
            view,
            palette: input.palette,
            focus: input.ring.and_then(|id| scene.target(id)),
            drag: input.press.and_then(|press| self.drag(press)),
            confetti: self.confetti.map(|confetti| (confetti, time)),
        };
        if let Some(painter) = &mut self.painter {
            painter.paint(&frame);
        }
        if let Some(map) = map.filter(|_| scene.is_vast && view.width < scene.view.width)
            && let Some(painter) = Painter::renew(&mut self.map_painter, map)
        {
            painter.paint_map(&scene, view, input.palette);
        }
        Some((is_done, self.plan.is_some() || self.confetti.is_some()))
    }
}

/// All of the scene, or so much of it that fingers find the places.
fn first_look(scene: &Scene, width: Option<f64>) -> Camera {
    let mut camera = Camera::WHOLE;
    let target: Option<&Target> = scene.targets.first().filter(|_| scene.is_vast);
    if let (Some(width), Some(target)) = (width, target) {
        let pitch = 2.0 * target.outline.half_width() * width / scene.view.width;
        let factor = COMFORTABLE_PITCH / pitch.max(1.0);
        camera.zoom_at(scene.view, scene.view.center(), factor);
    }
    camera
}
