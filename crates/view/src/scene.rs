use std::rc::Rc;

use crate::{Form, Point, Rect, Rulers, Shape};

/// The kind of a movable node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A piece or a stone.
    Piece,
    /// A preview of a piece under the pointer.
    Idea,
    /// A piece that was removed.
    Ghost,
    /// A tile.
    Tile,
    /// The shadow of a tile.
    Shadow,
    /// A part of the inside of a fort.
    Fort,
    /// A part of a fort's wall.
    Wall,
}

/// The id of a movable node, by which animations refer to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// What it is.
    pub kind: Kind,
    /// Its number within the kind.
    pub number: u32,
}

impl Key {
    /// The node of this kind and number.
    #[must_use]
    pub const fn new(kind: Kind, number: u32) -> Self {
        Self { kind, number }
    }
}

/// A group of shapes around a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its id, if it can move.
    pub key: Option<Key>,
    /// Its place.
    pub at: Point,
    /// Its shapes. They are shared, so that a thousand stones are one drawing.
    pub shapes: Rc<[Shape]>,
    /// Opacity, from 0 to 1.
    pub opacity: f64,
}

impl Node {
    /// A node that never moves.
    #[must_use]
    pub fn still(shapes: Vec<Shape>) -> Self {
        Self {
            key: None,
            at: Point::default(),
            shapes: shapes.into(),
            opacity: 1.0,
        }
    }

    /// A node that can move.
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

/// Adds a node with `shapes`, if there are any.
pub(crate) fn push_still(nodes: &mut Vec<Node>, shapes: Vec<Shape>) {
    if !shapes.is_empty() {
        nodes.push(Node::still(shapes));
    }
}

/// The outline of a target, for hit tests and the focus ring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Outline {
    /// A circle, by its radius.
    Circle(f64),
    /// A hexagon with a flat top.
    Hexagon(f64),
    /// A square, by half of its side.
    Square(f64),
}

impl Outline {
    /// Half of its width.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        match *self {
            Self::Circle(half) | Self::Hexagon(half) | Self::Square(half) => half,
        }
    }
}

/// A place that can be clicked.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The name of the place in the text of moves.
    pub id: String,
    /// Its center.
    pub at: Point,
    /// Its outline around the center.
    pub outline: Outline,
    /// Its spoken label.
    pub label: String,
}

impl Target {
    fn contains(&self, point: Point) -> bool {
        let away = point - self.at;
        match self.outline {
            Outline::Circle(radius) => point.distance(self.at) <= radius,
            Outline::Square(half) => away.x.abs() <= half && away.y.abs() <= half,
            Outline::Hexagon(radius) => {
                let (x, y) = (away.x.abs(), away.y.abs());
                let half_height = radius * 3_f64.sqrt() / 2.0;
                y <= half_height && x * 3_f64.sqrt() + y <= radius * 3_f64.sqrt()
            }
        }
    }
}

/// The direction of an arrow key.
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

/// A position as a picture: what to draw, and what can be clicked.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// The visible part.
    pub view: Rect,
    /// Shapes that never change in a match, from the bottom up.
    pub ground: Rc<[Shape]>,
    /// Nodes on top of it, from the bottom up.
    pub nodes: Vec<Node>,
    /// The targets.
    pub targets: Vec<Target>,
    /// Whether a small screen shows only a part of it.
    pub is_vast: bool,
    /// The names of lines for a partial view; otherwise they are part of the ground.
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

    /// What lies at the target called `id` and can move, from the bottom up: a piece, and the
    /// tile and the shadow beneath it.
    pub fn keys_at(&self, id: &str) -> impl DoubleEndedIterator<Item = Key> {
        let at = self.target(id).map(|target| target.at);
        let nodes = self.nodes.iter().filter(move |node| Some(node.at) == at);
        nodes.filter_map(|node| node.key)
    }

    /// The target that gets the focus first: one in the middle of large boards.
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

    /// The target at `point`, or else the one with the nearest center, if that is at
    /// most `reach` away.
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
    /// It is the nearest one in that direction, where a distance sideways counts
    /// double, and targets more than twice as far sideways as ahead are ignored.
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
