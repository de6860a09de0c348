use std::{
    f64::consts::{FRAC_2_PI, FRAC_PI_2},
    ops::{Add, Mul, Sub},
};

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
        let (sine, cosine) = sin_cos(angle);
        Self::new(cosine * distance, sine * distance)
    }

    /// How far it is to `other`.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let Self { x, y } = self - other;
        (x * x + y * y).sqrt()
    }

    /// The point `share` of the way to `other`.
    #[must_use]
    pub fn toward(self, other: Self, share: f64) -> Self {
        self + (other - self) * share
    }
}

/// The sine and the cosine of an angle in radians, at most 1,000 either way, to 12 digits.
///
/// Those of the standard library are exact for any angle, and take 14 KB of WebAssembly.
#[must_use]
pub fn sin_cos(angle: f64) -> (f64, f64) {
    debug_assert!(angle.abs() <= 1000.0, "{angle} is too far around");
    let quarter = (angle * FRAC_2_PI + 0.5).floor();
    let rest = angle - quarter * FRAC_PI_2;
    // The first terms of the series; each term comes from the one before.
    let square = rest * rest;
    let (mut sine, mut cosine) = (0.0, 0.0);
    let mut term = 1.0;
    for n in 0..8 {
        let n = f64::from(2 * n);
        cosine += term;
        sine += term * rest / (n + 1.0);
        term *= -square / ((n + 1.0) * (n + 2.0));
    }
    match (quarter as i64).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// `value`, which is a number, between `low` and `high`, which is not below it. Unlike
/// [`f64::clamp`] it can't panic in a program that is shipped, and one without messages of numbers
/// that are not whole is 16 KB smaller.
#[must_use]
pub fn limited(value: f64, low: f64, high: f64) -> f64 {
    debug_assert!(!value.is_nan() && low <= high, "{value} in {low}..={high}");
    value.min(high).max(low)
}

/// A finite number with this many decimal places, at most 9.
///
/// A half is rounded away from zero, where the standard library takes the even neighbor, and so
/// is what can't be told from a half with the digits there are. There is no minus sign before a
/// zero.
///
/// ```
/// assert_eq!(view::decimal(-0.456, 2), "-0.46");
/// assert_eq!(view::decimal(12.5, 0), "13");
/// assert_eq!(view::decimal(-0.001, 2), "0.00");
/// ```
#[must_use]
pub fn decimal(value: f64, places: u32) -> String {
    debug_assert!(value.is_finite(), "{value} has no digits");
    let unit = 10_u64.pow(places.min(9));
    // What is too large for the page is cut off.
    let digits = (value.abs() * unit as f64 + 0.5) as u64;
    let sign = if value < 0.0 && digits > 0 { "-" } else { "" };
    let whole = digits / unit;
    if places == 0 {
        return format!("{sign}{whole}");
    }
    let width = places.min(9) as usize;
    format!("{sign}{whole}.{:0width$}", digits % unit)
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

#[cfg(test)]
mod tests {
    use super::{decimal, limited, sin_cos};

    #[test]
    fn sines_and_cosines_have_twelve_digits() {
        for index in -40_000..=40_000 {
            let angle = f64::from(index) * 0.025;
            let (sine, cosine) = sin_cos(angle);
            let error = (sine - angle.sin()).abs().max((cosine - angle.cos()).abs());
            assert!(error < 5e-13, "{error} at {angle}");
        }
    }

    #[test]
    fn what_is_no_half_is_rounded_as_by_the_standard_library() {
        for index in -3000..3000 {
            let value = f64::from(index) * 2_f64.sqrt() / 17.0;
            for places in 0..4 {
                let expected = format!("{value:.*}", places as usize);
                let is_zero = expected.trim_start_matches('-').parse() == Ok(0.0);
                let expected = expected.trim_start_matches(if is_zero { "-" } else { "" });
                assert_eq!(decimal(value, places), expected, "{value}");
            }
        }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        for (value, places, expected) in [
            (0.5, 0, "1"),
            (12.5, 0, "13"),
            (-2.5, 0, "-3"),
            (0.125, 2, "0.13"),
            (-0.0625, 3, "-0.063"),
        ] {
            assert_eq!(decimal(value, places), expected);
        }
    }

    #[test]
    fn limits_hold() {
        assert_eq!(
            [-1.0, 0.5, 2.0].map(|n| limited(n, 0.0, 1.0)),
            [0.0, 0.5, 1.0]
        );
    }
}
