//! Marks on a board that no game draws: hints, arrows, what moves are worth.

use std::rc::Rc;

use crate::{Color, Node, Outline, Point, Rect, Scene, Segment, Shape, limited};

/// Something marked on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A ring around a target.
    Ring(String),
    /// The part of the board around a target: one of nine.
    Region(String),
    /// An arrow from one target to another.
    Arrow {
        /// Where it begins.
        from: String,
        /// Where it points.
        to: String,
        /// Whether it stands back behind others.
        is_quiet: bool,
    },
    /// An arrow for what somebody threatens, or a ring if it begins where it ends.
    Threat {
        /// Where it begins.
        from: String,
        /// Where it points.
        to: String,
    },
    /// The value of a move to a target.
    Value {
        /// The target.
        at: String,
        /// The value in a few letters.
        text: String,
        /// The kind of value.
        kind: ValueKind,
    },
}

/// How a value is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueKind {
    /// The best: solid, in the accent color.
    Best,
    /// Won: solid.
    Win,
    /// Neither won nor lost: an outline.
    Open,
    /// Lost: a dashed outline.
    Loss,
}

/// The width of a view that the sizes here are meant for.
const WIDTH: f64 = 600.0;

impl Scene {
    /// The same with `marks` on top. Marks of targets that it does not have are ignored.
    #[must_use]
    pub fn marked(mut self, marks: &[Mark]) -> Self {
        let unit = self.view.width / WIDTH;
        let shapes: Vec<_> = marks
            .iter()
            .filter_map(|mark| self.mark(mark, unit))
            .flatten()
            .collect();
        if !shapes.is_empty() {
            self.nodes.push(Node {
                key: None,
                at: Point::default(),
                shapes: Rc::from(shapes),
                opacity: 1.0,
            });
        }
        self
    }

    fn mark(&self, mark: &Mark, unit: f64) -> Option<Vec<Shape>> {
        Some(match mark {
            Mark::Ring(id) => {
                let target = self.target(id)?;
                let ring = |grow: f64| match target.outline {
                    Outline::Circle(radius) => Shape::circle(target.at, radius + grow),
                    Outline::Hexagon(radius) => Shape::hexagon(target.at, radius + grow),
                    Outline::Square(half) => {
                        Shape::rect(Rect::around(target.at, half + grow), 10.0 * unit)
                    }
                };
                vec![
                    ring(-unit).lined(Color::OnLamp, 7.0 * unit),
                    ring(-unit).lined(Color::Lamp, 4.0 * unit),
                ]
            }
            Mark::Region(id) => {
                let region = self.region(id)?;
                let rect = self.region_rect(region);
                let ring = Shape::rect(rect, 14.0 * unit);
                vec![
                    ring.clone().lined(Color::OnLamp, 7.0 * unit),
                    ring.lined(Color::Lamp, 4.0 * unit),
                ]
            }
            Mark::Arrow { from, to, is_quiet } => {
                let (from, to) = (self.target(from)?, self.target(to)?);
                let short = (to.outline.half_width() * 0.45).min(14.0 * unit);
                let mut shapes = arrow(from.at, to.at, short, unit);
                if *is_quiet {
                    shapes = shapes.into_iter().map(|shape| shape.faded(0.45)).collect();
                }
                shapes
            }
            Mark::Threat { from, to } if from == to => {
                let target = self.target(to)?;
                let ring = Shape::circle(target.at, target.outline.half_width() * 1.05);
                let dash = 7.0 * unit;
                vec![
                    ring.clone().lined(Color::Surface, 6.0 * unit),
                    ring.dashed(Color::Ink, 3.5 * unit, dash, dash),
                ]
            }
            Mark::Threat { from, to } => {
                let (from, to) = (self.target(from)?, self.target(to)?);
                let short = (to.outline.half_width() * 0.45).min(14.0 * unit);
                threat(from.at, to.at, short, unit)
            }
            Mark::Value { at, text, kind } => {
                let target = self.target(at)?;
                let half = target.outline.half_width();
                // On a small place there is often room around it.
                let others = self.targets.iter().filter(|other| other.id != *at);
                let distances = others.map(|other| other.at.distance(target.at));
                let half = half.max(0.5 * distances.fold(f64::INFINITY, f64::min));
                value(target.at, half, text, *kind, unit)
            }
        })
    }
}

/// A part of a board as it is seen: one of three columns and one of three rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Region {
    /// 0 at the left, 2 at the right.
    pub column: usize,
    /// 0 at the top, 2 at the bottom.
    pub row: usize,
}

impl Scene {
    /// The part of the board that the target called `id` is in.
    #[must_use]
    pub fn region(&self, id: &str) -> Option<Region> {
        let at = self.target(id)?.at;
        let board = self.extent();
        let third = |offset: f64, size: f64| match offset * 3.0 / size {
            part if part < 1.0 => 0,
            part if part < 2.0 => 1,
            _ => 2,
        };
        Some(Region {
            column: third(at.x - board.x, board.width),
            row: third(at.y - board.y, board.height),
        })
    }

    fn region_rect(&self, region: Region) -> Rect {
        let board = self.extent();
        let (width, height) = (board.width / 3.0, board.height / 3.0);
        Rect {
            x: board.x + region.column as f64 * width,
            y: board.y + region.row as f64 * height,
            width,
            height,
        }
    }

    /// Where its targets are.
    fn extent(&self) -> Rect {
        let mut targets = self.targets.iter();
        let Some(first) = targets.next() else {
            return self.view;
        };
        let half = first.outline.half_width();
        let (mut least, mut most) = (first.at, first.at);
        for target in targets {
            least = Point::new(least.x.min(target.at.x), least.y.min(target.at.y));
            most = Point::new(most.x.max(target.at.x), most.y.max(target.at.y));
        }
        Rect {
            x: least.x - half,
            y: least.y - half,
            width: most.x - least.x + 2.0 * half,
            height: most.y - least.y + 2.0 * half,
        }
    }
}

/// The shaft and the head of an arrow that ends a little before `to`; `None` if it has no
/// length.
fn arrow_shapes(from: Point, to: Point, short: f64, unit: f64) -> Option<(Shape, Shape)> {
    let length = from.distance(to);
    if length < 1e-6 {
        return None;
    }
    let along = Point::new((to.x - from.x) / length, (to.y - from.y) / length);
    let across = Point::new(-along.y, along.x);
    let at = |ahead: f64, aside: f64| {
        Point::new(
            from.x + along.x * ahead + across.x * aside,
            from.y + along.y * ahead + across.y * aside,
        )
    };
    let tip = length - short.min(length / 3.0);
    let neck = tip - 17.0 * unit;
    let head = [
        Segment::Move(at(tip, 0.0)),
        Segment::Line(at(neck, 10.0 * unit)),
        Segment::Line(at(neck, -10.0 * unit)),
        Segment::Close,
    ];
    let shaft = Shape::lines(&[from, at(neck.max(0.0), 0.0)]);
    Some((shaft, Shape::path(head.to_vec())))
}

fn arrow(from: Point, to: Point, short: f64, unit: f64) -> Vec<Shape> {
    let Some((shaft, head)) = arrow_shapes(from, to, short, unit) else {
        return Vec::new();
    };
    vec![
        shaft.clone().lined(Color::OnAccent, 8.5 * unit),
        head.clone()
            .filled(Color::Accent)
            .lined(Color::OnAccent, 2.5 * unit),
        shaft.lined(Color::Accent, 5.5 * unit),
        head.filled(Color::Accent),
    ]
}

/// A dashed arrow, in the color of text rather than of the engine's own arrows.
fn threat(from: Point, to: Point, short: f64, unit: f64) -> Vec<Shape> {
    let Some((shaft, head)) = arrow_shapes(from, to, short, unit) else {
        return Vec::new();
    };
    vec![
        shaft.clone().lined(Color::Surface, 7.5 * unit),
        head.clone()
            .filled(Color::Ink)
            .lined(Color::Surface, 2.5 * unit),
        shaft.dashed(Color::Ink, 4.0 * unit, 8.0 * unit, 6.0 * unit),
        head.filled(Color::Ink),
    ]
}

/// A value in a pill around `at`, inside a target of this half width.
fn value(at: Point, half: f64, text: &str, kind: ValueKind, unit: f64) -> Vec<Shape> {
    let height = limited(half * 0.6, 12.0 * unit, 19.0 * unit);
    let letters = text.chars().count() as f64;
    let width = (letters * height * 0.38 + height * 0.3).max(height);
    // Pills side by side do not cover each other, down to what can still be read.
    let scale = limited(half * 0.98 / width, 0.8, 1.0);
    let (width, height) = (width * scale, height * scale);
    let size = height * 1.15;
    let rect = Rect {
        x: at.x - width,
        y: at.y - height,
        width: 2.0 * width,
        height: 2.0 * height,
    };
    let pill = Shape::rect(rect, height);
    let line = 1.8 * unit;
    let (pill, ink) = match kind {
        ValueKind::Best => (
            pill.filled(Color::Accent).lined(Color::OnAccent, line),
            Color::OnAccent,
        ),
        ValueKind::Win => (
            pill.filled(Color::Ink).lined(Color::Surface, line),
            Color::Surface,
        ),
        ValueKind::Open => (
            pill.filled(Color::Surface).lined(Color::Ink2, line),
            Color::Ink,
        ),
        ValueKind::Loss => (
            pill.filled(Color::Surface)
                .dashed(Color::Ink2, line, 4.0 * unit, 3.0 * unit),
            Color::Ink2,
        ),
    };
    let baseline = Point::new(at.x, at.y + size * 0.35);
    vec![pill, Shape::text(baseline, size, text).filled(ink)]
}
