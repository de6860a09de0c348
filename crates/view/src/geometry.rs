use std::ops::{Add, Mul, Sub};

/// A place in the units of a scene; `y` grows downward.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point at the given coordinates.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The point at a distance in a direction; angles grow clockwise from the
    /// right.
    #[must_use]
    pub fn polar(angle: f64, distance: f64) -> Self {
        Self::new(angle.cos() * distance, angle.sin() * distance)
    }

    /// How far it is to `other`.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point `share` of the way to `other`.
    #[must_use]
    pub fn toward(self, other: Self, share: f64) -> Self {
        self + (other - self) * share
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// A rectangle in the units of a scene.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rect {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

impl Rect {
    /// A square with its upper left corner at the origin.
    #[must_use]
    pub const fn square(side: f64) -> Self {
        Self {
            x: 0.0,
            y: 0.0,
            width: side,
            height: side,
        }
    }

    /// A square around `center`.
    #[must_use]
    pub fn around(center: Point, half: f64) -> Self {
        Self {
            x: center.x - half,
            y: center.y - half,
            width: 2.0 * half,
            height: 2.0 * half,
        }
    }

    /// Its middle.
    #[must_use]
    pub fn center(&self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Whether `point` is in it.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        (self.x..=self.x + self.width).contains(&point.x)
            && (self.y..=self.y + self.height).contains(&point.y)
    }

    /// The rectangle `share` of the way to `other`.
    #[must_use]
    pub fn toward(&self, other: &Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Self {
            x: mix(self.x, other.x),
            y: mix(self.y, other.y),
            width: mix(self.width, other.width),
            height: mix(self.height, other.height),
        }
    }
}
