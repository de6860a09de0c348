//! Draws scenes on a canvas.

use std::{cell::RefCell, collections::HashMap, f64::consts::TAU, rc::Rc};

use view::{
    Color, Form, Key, Node, Outline, Paint, Palette, Plan, Point, Pose, Rect, Rulers, Scene,
    Segment, Shape, Target, decimal,
};
use wasm_bindgen::JsCast;
use web_sys::{CanvasGradient, CanvasRenderingContext2d, HtmlCanvasElement};

use crate::confetti::Confetti;

/// Letters are at least this large, in pixels of style sheets.
const LEAST_LETTER: f64 = 10.0;

/// Letters that would be smaller than this are not drawn: they don't fit a board that is a mere
/// picture.
const LEAST_FIT: f64 = 7.0;

/// Where targets are narrower than this, decoration is not drawn.
const LEAST_FINE: f64 = 7.0;

/// How much is seen of what is dragged away.
const LEFT_BEHIND: f64 = 0.35;

/// How large what is dragged is, compared to what lies.
const IN_HAND: f64 = 1.07;

const FONT: &str = "500 {}px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/// All there is to one frame.
pub(crate) struct Frame<'a> {
    pub(crate) scene: &'a Scene,
    /// The motion that goes on, and how far it is in milliseconds.
    pub(crate) motion: Option<(&'a Plan, f64)>,
    /// The part of the scene to be seen.
    pub(crate) view: Rect,
    pub(crate) palette: Palette,
    /// The target with keyboard focus.
    pub(crate) focus: Option<&'a Target>,
    /// A node that is dragged, and where to.
    pub(crate) drag: Option<(Key, Point)>,
    /// Confetti that falls, and what time it is in milliseconds.
    pub(crate) confetti: Option<(Confetti, f64)>,
}

impl Frame<'_> {
    /// The names of lines, if `view` is only a part of the scene.
    fn rulers(&self, view: Rect) -> Option<&Rulers> {
        let is_part = view.width < self.scene.view.width;
        self.scene.rulers.as_ref().filter(|_| is_part)
    }
}

/// A canvas and what is kept between frames.
pub(crate) struct Painter {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    ground: Option<Ground>,
    gradients: RefCell<HashMap<GradientKey, CanvasGradient>>,
}

type GradientKey = (Color, Color, [u64; 5], Palette);

/// The part of a scene that stays the same, drawn once.
struct Ground {
    canvas: HtmlCanvasElement,
    shapes: Rc<[Shape]>,
    view: Rect,
    size: u32,
    palette: Palette,
}

/// Half of the width of the narrowest target, if that measures how small everything is.
fn least_half_width(scene: &Scene) -> f64 {
    match scene.targets.first().map(|target| target.outline) {
        // Pads differ; the smallest may be tiny without anything being so.
        None | Some(Outline::Circle(_)) => f64::MAX,
        Some(outline) => outline.half_width(),
    }
}

fn context_of(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

impl Painter {
    fn new(canvas: HtmlCanvasElement) -> Option<Self> {
        let context = context_of(&canvas)?;
        Some(Self {
            canvas,
            context,
            ground: None,
            gradients: RefCell::default(),
        })
    }

    /// The painter that is kept, or a new one if it is for another canvas.
    pub(crate) fn renew(kept: &mut Option<Self>, canvas: HtmlCanvasElement) -> Option<&mut Self> {
        if kept.as_ref().is_none_or(|kept| kept.canvas != canvas) {
            *kept = Self::new(canvas);
        }
        kept.as_mut()
    }

    /// The canvas.
    pub(crate) fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// Draws a frame, sharp at any pixel ratio. Canvases are square.
    pub(crate) fn paint(&mut self, frame: &Frame<'_>) {
        let css_size = self.canvas.get_bounding_client_rect().width();
        let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
        let size = (css_size * ratio).round() as u32;
        if size == 0 {
            return;
        }
        if self.canvas.width() != size || self.canvas.height() != size {
            self.canvas.set_width(size);
            self.canvas.set_height(size);
        }
        let view = match frame.motion {
            Some((plan, time)) => plan.view(frame.view, time),
            None => frame.view,
        };
        let scale = f64::from(size) / view.width;
        let css_scale = css_size / view.width;
        let brush = Brush {
            context: &self.context,
            gradients: &self.gradients,
            palette: frame.palette,
            css_scale,
            is_fine: least_half_width(frame.scene) * css_scale >= LEAST_FINE,
        };
        let base = Transform {
            scale,
            offset: Point::new(-view.x * scale, -view.y * scale),
        };
        let context = &self.context;
        // None of these can fail with numbers that are finite.
        context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0).ok();
        // What was drawn last may have been translucent.
        context.set_global_alpha(1.0);
        context.clear_rect(0.0, 0.0, f64::from(size), f64::from(size));
        if !frame.scene.ground.is_empty() {
            self.ground = self
                .ground
                .take()
                .filter(|ground| ground.fits(frame, view, size));
            if self.ground.is_none() {
                // Those of the ground before are not needed again.
                self.gradients.borrow_mut().clear();
                self.ground = Ground::draw(frame, view, size, &brush, &base);
            }
            if let Some(ground) = &self.ground {
                context
                    .draw_image_with_html_canvas_element(&ground.canvas, 0.0, 0.0)
                    .ok();
            }
        }
        brush.nodes(frame, &base);
        if let Some(rulers) = frame.rulers(view) {
            base.set(context, Point::default(), Pose::REST.scale);
            for shape in rulers.shapes(view, 1.0 / css_scale) {
                brush.shape(&shape, 1.0);
            }
        }
        if let Some(target) = frame.focus {
            brush.focus(target, &base);
        }
        if let Some((confetti, time)) = frame.confetti {
            base.set(context, Point::default(), Pose::REST.scale);
            for (shape, opacity) in confetti.papers(view, time) {
                brush.shape(&shape, opacity);
            }
        }
    }

    /// Draws the whole scene, and what part of it is looked at.
    pub(crate) fn paint_map(&mut self, scene: &Scene, window: Rect, palette: Palette) {
        self.paint(&Frame {
            scene,
            motion: None,
            view: scene.view,
            palette,
            focus: None,
            drag: None,
            confetti: None,
        });
        let scale = f64::from(self.canvas.width()) / scene.view.width;
        let context = &self.context;
        // Finite numbers can't fail.
        context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0).ok();
        context.set_global_alpha(1.0);
        for (color, width) in [(Color::FocusGap, 5.0), (Color::Accent, 2.5)] {
            context.set_stroke_style_str(color.css(palette));
            context.set_line_width(width / scale);
            context.stroke_rect(window.x, window.y, window.width, window.height);
        }
    }
}

impl Ground {
    fn fits(&self, frame: &Frame<'_>, view: Rect, size: u32) -> bool {
        let shapes = &frame.scene.ground;
        self.size == size
            && self.view == view
            && self.palette == frame.palette
            && (Rc::ptr_eq(&self.shapes, shapes) || self.shapes == *shapes)
    }

    fn draw(
        frame: &Frame<'_>,
        view: Rect,
        size: u32,
        brush: &Brush<'_>,
        base: &Transform,
    ) -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
        canvas.set_width(size);
        canvas.set_height(size);
        let context = context_of(&canvas)?;
        // A gradient belongs to no canvas in particular.
        let brush = Brush {
            context: &context,
            ..*brush
        };
        base.set(&context, Point::default(), Pose::REST.scale);
        // Names are not told twice.
        let has_rulers = frame.rulers(view).is_some();
        let is_name = |shape: &Shape| matches!(shape.form, Form::Text { .. });
        let shapes = frame.scene.ground.iter();
        for shape in shapes.filter(|shape| !(has_rulers && is_name(shape))) {
            brush.shape(shape, 1.0);
        }
        Some(Self {
            canvas,
            shapes: Rc::clone(&frame.scene.ground),
            view,
            size,
            palette: frame.palette,
        })
    }
}

/// From units of the scene to pixels.
struct Transform {
    scale: f64,
    offset: Point,
}

impl Transform {
    fn set(&self, context: &CanvasRenderingContext2d, at: Point, stretch: Point) {
        let Self { scale, offset } = *self;
        let at = at * scale + offset;
        // Finite numbers can't fail.
        context
            .set_transform(scale * stretch.x, 0.0, 0.0, scale * stretch.y, at.x, at.y)
            .ok();
    }
}

#[derive(Clone, Copy)]
struct Brush<'a> {
    context: &'a CanvasRenderingContext2d,
    gradients: &'a RefCell<HashMap<GradientKey, CanvasGradient>>,
    palette: Palette,
    css_scale: f64,
    is_fine: bool,
}

impl Brush<'_> {
    /// Draws all nodes of a frame from the bottom up: what is raised passes above
    /// the others, and what is dragged above everything.
    fn nodes(&self, frame: &Frame<'_>, base: &Transform) {
        let nodes = &frame.scene.nodes;
        let pose = |node: &Node| match (frame.motion, node.key) {
            (Some((plan, time)), Some(key)) => plan.pose(key, time),
            _ => Pose::REST,
        };
        let is_raised = |node: &Node| match (frame.motion, node.key) {
            (Some((plan, _)), Some(key)) => plan.is_raised(key),
            _ => false,
        };
        let is_dragged = |node: &Node| frame.drag.is_some_and(|(key, _)| node.key == Some(key));
        for node in nodes.iter().filter(|node| !is_raised(node)) {
            let mut pose = pose(node);
            if is_dragged(node) {
                pose.opacity *= LEFT_BEHIND;
            }
            self.node(node, pose, base);
        }
        for node in frame.motion.iter().flat_map(|(plan, _)| &plan.extras) {
            self.node(node, pose(node), base);
        }
        for node in nodes.iter().filter(|node| is_raised(node)) {
            self.node(node, pose(node), base);
        }
        if let Some((_, to)) = frame.drag
            && let Some(node) = nodes.iter().rfind(|node| is_dragged(node))
        {
            let pose = Pose {
                offset: to - node.at,
                ..Pose::scaled(IN_HAND, IN_HAND)
            };
            self.node(node, pose, base);
        }
    }

    fn node(&self, node: &Node, pose: Pose, base: &Transform) {
        let opacity = pose.opacity * node.opacity;
        if opacity <= 0.0 || pose.scale.x <= 0.0 || pose.scale.y <= 0.0 {
            return;
        }
        base.set(self.context, node.at + pose.offset, pose.scale);
        for shape in node.shapes.iter() {
            self.shape(shape, opacity);
        }
    }

    fn shape(&self, shape: &Shape, opacity: f64) {
        if shape.is_fine && !self.is_fine {
            return;
        }
        let context = self.context;
        context.set_global_alpha(shape.opacity * opacity);
        if let Form::Text { at, size, text } = &shape.form {
            if size * self.css_scale >= LEAST_FIT {
                let size = size.max(LEAST_LETTER / self.css_scale);
                context.set_font(&FONT.replace("{}", &decimal(size, 2)));
                context.set_text_align("center");
                if let Some(Paint::Solid(color)) = shape.fill {
                    context.set_fill_style_str(color.css(self.palette));
                }
                context.fill_text(text, at.x, at.y).ok();
            }
            return;
        }
        context.begin_path();
        self.trace(&shape.form);
        match shape.fill {
            None => {}
            Some(Paint::Solid(color)) => {
                context.set_fill_style_str(color.css(self.palette));
                context.fill();
            }
            Some(paint) => {
                if let Some(gradient) = self.gradient(paint, shape.bounds()) {
                    context.set_fill_style_canvas_gradient(&gradient);
                    context.fill();
                }
            }
        }
        if let Some(stroke) = shape.stroke {
            context.set_stroke_style_str(stroke.color.css(self.palette));
            context.set_line_width(stroke.width);
            context.set_line_cap("round");
            context.set_line_join("round");
            if let Some((dash, gap)) = stroke.dash {
                let dashes = js_sys::Array::of2(&dash.into(), &gap.into());
                context.set_line_dash(&dashes).ok();
                context.stroke();
                context.set_line_dash(&js_sys::Array::new()).ok();
            } else {
                context.stroke();
            }
        }
    }

    fn trace(&self, form: &Form) {
        let context = self.context;
        match form {
            Form::Circle { center, radius } => {
                context
                    .arc(center.x, center.y, radius.max(0.0), 0.0, TAU)
                    .ok();
            }
            Form::Rect { rect, corner } => {
                let Rect {
                    x,
                    y,
                    width,
                    height,
                } = *rect;
                if *corner > 0.0 {
                    let corner = corner.min(width / 2.0).min(height / 2.0).max(0.0);
                    // Browsers without round corners get square ones.
                    if context
                        .round_rect_with_f64(x, y, width, height, corner)
                        .is_err()
                    {
                        context.rect(x, y, width, height);
                    }
                } else {
                    context.rect(x, y, width, height);
                }
            }
            Form::Path(segments) => {
                for segment in segments {
                    match *segment {
                        Segment::Move(to) => context.move_to(to.x, to.y),
                        Segment::Line(to) => context.line_to(to.x, to.y),
                        Segment::Curve(handle, to) => {
                            context.quadratic_curve_to(handle.x, handle.y, to.x, to.y);
                        }
                        Segment::Close => context.close_path(),
                    }
                }
            }
            Form::Text { .. } => {}
        }
    }

    fn gradient(&self, paint: Paint, bounds: Rect) -> Option<CanvasGradient> {
        let (a, b, reach) = match paint {
            Paint::Solid(_) => return None,
            Paint::Vertical(a, b) => (a, b, -1.0),
            Paint::Radial(a, b, reach) => (a, b, reach),
        };
        let Rect {
            x,
            y,
            width,
            height,
        } = bounds;
        let numbers = [x, y, width, height, reach].map(f64::to_bits);
        let key = (a, b, numbers, self.palette);
        if let Some(gradient) = self.gradients.borrow().get(&key) {
            return Some(gradient.clone());
        }
        let gradient = if reach < 0.0 {
            self.context.create_linear_gradient(0.0, y, 0.0, y + height)
        } else {
            let (cx, cy) = (x + 0.4 * width, y + 0.34 * height);
            let gradient = self
                .context
                .create_radial_gradient(cx, cy, 0.0, cx, cy, 0.8 * width);
            gradient.ok()?
        };
        gradient
            .add_color_stop(reach.max(0.0) as f32, a.css(self.palette))
            .ok()?;
        gradient.add_color_stop(1.0, b.css(self.palette)).ok()?;
        self.gradients.borrow_mut().insert(key, gradient.clone());
        Some(gradient)
    }

    /// A ring and a gap along the target's outline.
    fn focus(&self, target: &Target, base: &Transform) {
        let pixel = 1.0 / self.css_scale;
        base.set(self.context, target.at, Pose::REST.scale);
        let ring = |out: f64| match target.outline {
            Outline::Circle(radius) => Shape::circle(Point::default(), radius + out),
            Outline::Hexagon(radius) => Shape::hexagon(Point::default(), radius - 2.0 + out),
            Outline::Square(half) => {
                let rect = Rect::around(Point::default(), half - 3.0 * pixel + out);
                Shape::rect(rect, half * 0.3)
            }
        };
        self.shape(&ring(0.0).lined(Color::FocusGap, 7.0 * pixel), 1.0);
        self.shape(&ring(pixel).lined(Color::Focus, 3.0 * pixel), 1.0);
    }
}
