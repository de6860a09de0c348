//! Exact tests on whole numbers (R3).

/// A place on the board, in units from the upper left corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// Units to the right.
    pub x: i32,
    /// Units down.
    pub y: i32,
}

impl Point {
    /// The square of the distance to `other`.
    #[must_use]
    pub fn squared_distance(self, other: Self) -> i64 {
        let x = i64::from(self.x - other.x);
        let y = i64::from(self.y - other.y);
        x * x + y * y
    }
}

/// A circle with whole center and radius.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Disc {
    /// Its center.
    pub center: Point,
    /// Its radius.
    pub radius: i32,
}

/// A straight line between two different points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment(pub(crate) Point, pub(crate) Point);

/// Twice the area of the triangle, positive if its corners run clockwise as
/// the board is drawn.
fn area(a: Point, b: Point, c: Point) -> i64 {
    i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(b.y - a.y) * i64::from(c.x - a.x)
}

/// The scalar product of the ways from `a` to `b` and from `a` to `c`.
fn along(a: Point, b: Point, c: Point) -> i64 {
    i64::from(b.x - a.x) * i64::from(c.x - a.x) + i64::from(b.y - a.y) * i64::from(c.y - a.y)
}

impl Segment {
    /// R4: whether the center of `disc` is nearer to the segment than its
    /// radius.
    pub(crate) fn passes_over(self, disc: &Disc) -> bool {
        let Self(a, b) = self;
        let center = disc.center;
        let squared_radius = i64::from(disc.radius) * i64::from(disc.radius);
        let squared_length = a.squared_distance(b);
        let foot = along(a, b, center);
        if foot <= 0 {
            center.squared_distance(a) < squared_radius
        } else if foot >= squared_length {
            center.squared_distance(b) < squared_radius
        } else {
            // The height of the triangle is its area over its base.
            let area = area(a, b, center);
            area * area < squared_radius * squared_length
        }
    }

    /// R4: whether the segments meet anywhere but in an end that they share.
    pub(crate) fn crosses(self, other: Self) -> bool {
        let Self(a, b) = self;
        let Self(c, d) = other;
        if a == c || a == d || b == c || b == d {
            return self.overlaps_beyond_shared_end(other);
        }
        let sides = [
            area(a, b, c).signum(),
            area(a, b, d).signum(),
            area(c, d, a).signum(),
            area(c, d, b).signum(),
        ];
        let is_proper = sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0;
        is_proper
            || sides[0] == 0 && self.spans(c)
            || sides[1] == 0 && self.spans(d)
            || sides[2] == 0 && other.spans(a)
            || sides[3] == 0 && other.spans(b)
    }

    /// Whether a point in line with the segment lies on it.
    fn spans(self, point: Point) -> bool {
        along(point, self.0, self.1) <= 0
    }

    /// Whether two segments with a common end run the same way from it.
    fn overlaps_beyond_shared_end(self, other: Self) -> bool {
        let Self(a, b) = self;
        let (shared, end) = if a == other.0 || a == other.1 {
            (a, b)
        } else {
            (b, a)
        };
        let other_end = if shared == other.0 { other.1 } else { other.0 };
        area(shared, end, other_end) == 0 && along(shared, end, other_end) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Disc, Point, Segment};

    fn point(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    fn segment(a: (i32, i32), b: (i32, i32)) -> Segment {
        Segment(point(a.0, a.1), point(b.0, b.1))
    }

    /// Checks both orders of the segments and of their ends.
    #[track_caller]
    fn check(a: Segment, b: Segment, crosses: bool) {
        for a in [a, Segment(a.1, a.0)] {
            for b in [b, Segment(b.1, b.0)] {
                assert_eq!(a.crosses(b), crosses, "{a:?} {b:?}");
                assert_eq!(b.crosses(a), crosses, "{b:?} {a:?}");
            }
        }
    }

    #[test]
    fn r4_crossing() {
        check(segment((0, 0), (10, 10)), segment((0, 10), (10, 0)), true);
        check(segment((0, 0), (10, 10)), segment((0, 10), (4, 6)), false);
        check(segment((0, 0), (10, 0)), segment((0, 1), (10, 1)), false);
        check(segment((0, 0), (10, 0)), segment((11, 0), (20, 0)), false);
    }

    #[test]
    fn r4_touching_and_overlapping_is_crossing() {
        check(segment((0, 0), (10, 10)), segment((0, 10), (5, 5)), true);
        check(segment((0, 0), (10, 0)), segment((5, 0), (15, 0)), true);
        check(segment((0, 0), (10, 0)), segment((2, 0), (8, 0)), true);
    }

    #[test]
    fn r4_a_shared_end_is_no_crossing_unless_they_overlap() {
        check(segment((0, 0), (10, 0)), segment((0, 0), (0, 10)), false);
        check(segment((0, 0), (10, 0)), segment((0, 0), (-5, 0)), false);
        check(segment((0, 0), (10, 0)), segment((0, 0), (5, 0)), true);
        check(segment((0, 0), (10, 0)), segment((10, 0), (5, 0)), true);
    }

    #[test]
    fn r4_an_edge_passes_over_a_circle_nearer_than_its_radius() {
        let edge = segment((0, 0), (100, 0));
        let disc = |x, y, radius| Disc {
            center: point(x, y),
            radius,
        };
        assert!(edge.passes_over(&disc(50, 19, 20)));
        assert!(!edge.passes_over(&disc(50, 20, 20)));
        assert!(edge.passes_over(&disc(103, 4, 6)));
        assert!(!edge.passes_over(&disc(103, 4, 5)));
        assert!(!edge.passes_over(&disc(-4, -3, 5)));
        assert!(edge.passes_over(&disc(-4, -3, 6)));
    }
}
