//! Marks on a board that no game draws: hints, arrows, what moves are worth.

use std::rc::Rc;

use crate::{Color, Node, Outline, Point, Rect, Scene, Segment, Shape};

/// Something marked on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A ring around a target.
    Ring(String),
    /// An arrow from one target to another.
    Arrow {
        /// Where it begins.
        from: String,
        /// Where it points.
        to: String,
        /// Whether it stands back behind others.
        is_quiet: bool,
    },
    /// What a move to a target is worth.
    Value {
        /// The target.
        at: String,
        /// The value in a few letters.
        text: String,
        /// What kind of value it is.
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
    /// The same with `marks` on top. Marks of targets that it does not have are left out.
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
            Mark::Arrow { from, to, is_quiet } => {
                let (from, to) = (self.target(from)?, self.target(to)?);
                let short = (to.outline.half_width() * 0.45).min(14.0 * unit);
                let mut shapes = arrow(from.at, to.at, short, unit);
                if *is_quiet {
                    shapes = shapes.into_iter().map(|shape| shape.faded(0.45)).collect();
                }
                shapes
            }
            Mark::Value { at, text, kind } => {
                let target = self.target(at)?;
                let half = target.outline.half_width();
                value(target.at, half, text, *kind, unit)
            }
        })
    }
}

/// An arrow that ends a little before `to`.
fn arrow(from: Point, to: Point, short: f64, unit: f64) -> Vec<Shape> {
    let length = from.distance(to);
    if length < 1e-6 {
        return Vec::new();
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
    vec![
        shaft.clone().lined(Color::OnAccent, 8.5 * unit),
        Shape::path(head.to_vec())
            .filled(Color::Accent)
            .lined(Color::OnAccent, 2.5 * unit),
        shaft.lined(Color::Accent, 5.5 * unit),
        Shape::path(head.to_vec()).filled(Color::Accent),
    ]
}

/// A value in a pill around `at`, inside a target of this half width.
fn value(at: Point, half: f64, text: &str, kind: ValueKind, unit: f64) -> Vec<Shape> {
    let height = (half * 0.42).clamp(12.0 * unit, 19.0 * unit);
    let size = height * 1.15;
    let letters = text.chars().count() as f64;
    let width = (letters * size * 0.33 + height * 0.3).max(height);
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
