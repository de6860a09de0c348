use std::rc::Rc;

use crate::{Form, Point, Rect, Rulers, Shape};

/// What a node is that may move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A piece or a stone.
    Piece,
    /// A piece that would come to be where the pointer is.
    Idea,
    /// Something that has gone.
    Ghost,
    /// A tile.
    Tile,
    /// What a tile leaves dark.
    Shadow,
    /// A part of the inside of a fort.
    Fort,
    /// A part of a fort's wall.
    Wall,
}

/// Names a node that may move, so that an animation can find it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// What it is.
    pub kind: Kind,
    /// Which of them.
    pub number: u32,
}

impl Key {
    /// The node of this kind and number.
    #[must_use]
    pub const fn new(kind: Kind, number: u32) -> Self {
        Self { kind, number }
    }
}

/// Shapes that belong together, drawn around a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its name, if it may move.
    pub key: Option<Key>,
    /// Where it is.
    pub at: Point,
    /// What is drawn there. Shapes are shared, so that a thousand stones are
    /// one drawing.
    pub shapes: Rc<[Shape]>,
    /// From 0, which is not to be seen, to 1.
    pub opacity: f64,
}

impl Node {
    /// Something that never moves.
    #[must_use]
    pub fn still(shapes: Vec<Shape>) -> Self {
        Self {
            key: None,
            at: Point::default(),
            shapes: shapes.into(),
            opacity: 1.0,
        }
    }

    /// Something that may move.
    #[must_use]
    pub fn moving(key: Key, at: Point, shapes: Rc<[Shape]>) -> Self {
        Self {
            key: Some(key),
            at,
            shapes,
            opacity: 1.0,
        }
    }
}

/// Adds a node of everything in `shapes`, if there is anything.
pub(crate) fn push_still(nodes: &mut Vec<Node>, shapes: Vec<Shape>) {
    if !shapes.is_empty() {
        nodes.push(Node::still(shapes));
    }
}

/// The outline of a target, for pointers and for the ring of the focus.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Outline {
    /// Within a distance of the center.
    Circle(f64),
    /// A hexagon with a flat top.
    Hexagon(f64),
    /// A square, by half of its side.
    Square(f64),
}

impl Outline {
    /// How far it reaches to the left and to the right of its center.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        match *self {
            Self::Circle(half) | Self::Hexagon(half) | Self::Square(half) => half,
        }
    }
}

/// A place that can be chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The name that moves have for it.
    pub id: String,
    /// Its center.
    pub at: Point,
    /// Its outline around the center.
    pub outline: Outline,
    /// What is there, in words.
    pub label: String,
}

impl Target {
    fn contains(&self, point: Point) -> bool {
        let away = point - self.at;
        match self.outline {
            Outline::Circle(radius) => away.x.hypot(away.y) <= radius,
            Outline::Square(half) => away.x.abs() <= half && away.y.abs() <= half,
            Outline::Hexagon(radius) => {
                let (x, y) = (away.x.abs(), away.y.abs());
                let half_height = radius * 3_f64.sqrt() / 2.0;
                y <= half_height && x * 3_f64.sqrt() + y <= radius * 3_f64.sqrt()
            }
        }
    }
}

/// A way to go with the arrow keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

/// A position as a picture: what to draw, and what can be chosen in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// What is to be seen.
    pub view: Rect,
    /// What stays the same all through a match, from the bottom up.
    pub ground: Rc<[Shape]>,
    /// What lies on it, from the bottom up.
    pub nodes: Vec<Node>,
    /// What can be chosen.
    pub targets: Vec<Target>,
    /// Whether there is more to see than fits a small screen.
    pub is_vast: bool,
    /// What tells the names of lines where only a part is seen; the ground tells
    /// them else.
    pub rulers: Option<Rulers>,
}

impl Scene {
    /// The same without letters, for a picture too small to read them.
    #[must_use]
    pub fn without_text(mut self) -> Self {
        let is_drawing = |shape: &&Shape| !matches!(shape.form, Form::Text { .. });
        self.ground = self.ground.iter().filter(is_drawing).cloned().collect();
        for node in &mut self.nodes {
            if !node.shapes.iter().all(|shape| is_drawing(&shape)) {
                node.shapes = node.shapes.iter().filter(is_drawing).cloned().collect();
            }
        }
        self
    }

    /// The target with the given name.
    #[must_use]
    pub fn target(&self, id: &str) -> Option<&Target> {
        self.targets.iter().find(|target| target.id == id)
    }

    /// The target that the keyboard comes to first: one in the middle, where not
    /// all fit a small screen.
    #[must_use]
    pub fn entrance(&self) -> Option<&Target> {
        let middle = self.view.center();
        let distance = |target: &&Target| target.at.distance(middle);
        let mut targets = self.targets.iter();
        if self.is_vast {
            targets.min_by(|a, b| distance(a).total_cmp(&distance(b)))
        } else {
            targets.next()
        }
    }

    /// The target at `point`, or else the one whose center is nearest, if that
    /// is no farther than `reach`.
    #[must_use]
    pub fn hit(&self, point: Point, reach: f64) -> Option<&Target> {
        let distance = |target: &&Target| target.at.distance(point);
        let nearest = |a: &&Target, b: &&Target| distance(a).total_cmp(&distance(b));
        let inside = self.targets.iter().filter(|target| target.contains(point));
        inside.min_by(nearest).or_else(|| {
            let near = self.targets.iter().min_by(nearest);
            near.filter(|target| distance(target) <= reach)
        })
    }

    /// The target that an arrow key leads to from the one called `id`.
    ///
    /// It is the nearest one in that direction, where a step aside counts for
    /// two ahead and anything more than half sideways does not count at all.
    #[must_use]
    pub fn beside(&self, id: &str, direction: Direction) -> Option<&Target> {
        let from = self.target(id)?.at;
        let cost = |target: &&Target| {
            let away = target.at - from;
            let (ahead, aside) = match direction {
                Direction::Left => (-away.x, away.y),
                Direction::Right => (away.x, away.y),
                Direction::Up => (-away.y, away.x),
                Direction::Down => (away.y, away.x),
            };
            (ahead > 1e-6 && aside.abs() <= ahead * 2.0).then(|| ahead + 2.0 * aside.abs())
        };
        let reachable = self
            .targets
            .iter()
            .filter_map(|target| Some((cost(&target)?, target)));
        let best = reachable.min_by(|(a, _), (b, _)| a.total_cmp(b));
        best.map(|(_, target)| target)
    }
}
