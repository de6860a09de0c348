use crate::{Color, Point, Rect};

/// One step of a [`Form::Path`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Segment {
    /// Start a subpath.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A quadratic curve: control point and end.
    Curve(Point, Point),
    /// Close the subpath.
    Close,
}

impl Segment {
    fn moved(self, by: Point) -> Self {
        match self {
            Self::Move(to) => Self::Move(to + by),
            Self::Line(to) => Self::Line(to + by),
            Self::Curve(handle, to) => Self::Curve(handle + by, to + by),
            Self::Close => Self::Close,
        }
    }
}

/// The outline of a shape, relative to the node it belongs to.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// A circle.
    Circle {
        /// Its center.
        center: Point,
        /// Its radius.
        radius: f64,
    },
    /// A rectangle with round corners.
    Rect {
        /// Where it is.
        rect: Rect,
        /// The radius of its corners.
        corner: f64,
    },
    /// Lines and curves.
    Path(Vec<Segment>),
    /// Text, centered on a point of its baseline.
    Text {
        /// The point.
        at: Point,
        /// The font size.
        size: f64,
        /// The words.
        text: String,
    },
}

/// The fill of a shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Paint {
    /// One color.
    Solid(Color),
    /// A vertical gradient, from top to bottom.
    Vertical(Color, Color),
    /// A radial gradient from the first color, a little above and left of the
    /// center, to the second at the rim. The number is the extent of the first.
    Radial(Color, Color, f64),
}

/// A stroke.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    /// Its color.
    pub color: Color,
    /// Its width.
    pub width: f64,
    /// The lengths of dashes and gaps, if it is dashed.
    pub dash: Option<(f64, f64)>,
}

/// Something to draw.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// Its outline.
    pub form: Form,
    /// Its fill.
    pub fill: Option<Paint>,
    /// Its stroke.
    pub stroke: Option<Stroke>,
    /// Opacity, from 0 to 1.
    pub opacity: f64,
    /// Whether it is mere decoration, hidden where everything is small.
    pub is_fine: bool,
}

impl Shape {
    /// A shape without fill and stroke.
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self {
            form,
            fill: None,
            stroke: None,
            opacity: 1.0,
            is_fine: false,
        }
    }

    /// A circle.
    #[must_use]
    pub fn circle(center: Point, radius: f64) -> Self {
        Self::new(Form::Circle { center, radius })
    }

    /// A rectangle with round corners.
    #[must_use]
    pub fn rect(rect: Rect, corner: f64) -> Self {
        Self::new(Form::Rect { rect, corner })
    }

    /// Lines from point to point.
    #[must_use]
    pub fn lines(points: &[Point]) -> Self {
        let mut segments: Vec<_> = points.iter().map(|&point| Segment::Line(point)).collect();
        if let (Some(first), Some(&point)) = (segments.first_mut(), points.first()) {
            *first = Segment::Move(point);
        }
        Self::path(segments)
    }

    /// Lines and curves.
    #[must_use]
    pub fn path(segments: Vec<Segment>) -> Self {
        Self::new(Form::Path(segments))
    }

    /// A hexagon with a flat top.
    #[must_use]
    pub fn hexagon(center: Point, radius: f64) -> Self {
        let mut shape = Self::lines(&hexagon(center, radius));
        if let Form::Path(segments) = &mut shape.form {
            segments.push(Segment::Close);
        }
        shape
    }

    /// Centered text.
    #[must_use]
    pub fn text(at: Point, size: f64, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(Form::Text { at, size, text })
    }

    /// Filled with one color.
    #[must_use]
    pub fn filled(self, color: Color) -> Self {
        self.painted(Paint::Solid(color))
    }

    /// Filled.
    #[must_use]
    pub fn painted(mut self, paint: Paint) -> Self {
        self.fill = Some(paint);
        self
    }

    /// With a stroke.
    #[must_use]
    pub fn lined(mut self, color: Color, width: f64) -> Self {
        self.stroke = Some(Stroke {
            color,
            width,
            dash: None,
        });
        self
    }

    /// With a dashed stroke.
    #[must_use]
    pub fn dashed(mut self, color: Color, width: f64, dash: f64, gap: f64) -> Self {
        self.stroke = Some(Stroke {
            color,
            width,
            dash: Some((dash, gap)),
        });
        self
    }

    /// Translucent.
    #[must_use]
    pub fn faded(mut self, opacity: f64) -> Self {
        self.opacity *= opacity;
        self
    }

    /// Moved.
    #[must_use]
    pub fn moved(mut self, by: Point) -> Self {
        match &mut self.form {
            Form::Circle { center: at, .. } | Form::Text { at, .. } => *at = *at + by,
            Form::Rect { rect, .. } => {
                rect.x += by.x;
                rect.y += by.y;
            }
            Form::Path(segments) => {
                for segment in segments {
                    *segment = segment.moved(by);
                }
            }
        }
        self
    }

    /// Mere decoration.
    #[must_use]
    pub fn fine(mut self) -> Self {
        self.is_fine = true;
        self
    }

    /// The bounding box, without the width of strokes. Control points of curves
    /// count as points.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        match &self.form {
            &Form::Circle { center, radius } => Rect::around(center, radius),
            &Form::Rect { rect, .. } => rect,
            &Form::Text { at, size, .. } => Rect::around(at, size),
            Form::Path(segments) => {
                let points = segments.iter().flat_map(|segment| match *segment {
                    Segment::Move(a) | Segment::Line(a) => vec![a],
                    Segment::Curve(a, b) => vec![a, b],
                    Segment::Close => vec![],
                });
                bounds_of(points)
            }
        }
    }
}

/// The bounding box of `points`.
pub(crate) fn bounds_of(points: impl IntoIterator<Item = Point>) -> Rect {
    let mut points = points.into_iter();
    let first = points.next().unwrap_or_default();
    let (mut low, mut high) = (first, first);
    for point in points {
        low = Point::new(low.x.min(point.x), low.y.min(point.y));
        high = Point::new(high.x.max(point.x), high.y.max(point.y));
    }
    Rect {
        x: low.x,
        y: low.y,
        width: high.x - low.x,
        height: high.y - low.y,
    }
}

/// The corners of a hexagon with a flat top.
pub(crate) fn hexagon(center: Point, radius: f64) -> [Point; 6] {
    let sixth = std::f64::consts::PI / 3.0;
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|corner| center + Point::polar(corner * sixth, radius))
}
