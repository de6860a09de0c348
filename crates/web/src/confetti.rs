//! Confetti, for a win.

use std::f64::consts::TAU;

use view::{Color, Point, Rect, Shape, limited, sin_cos};

/// How long it falls, in milliseconds.
const DURATION: f64 = 3900.0;

const N_PAPERS: u32 = 60;

/// Papers that fall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Confetti {
    /// Their colors.
    pub(crate) colors: &'static [Color],
    /// When they began to fall, in milliseconds.
    pub(crate) since: f64,
}

impl Confetti {
    /// Whether there is anything to see at `time`.
    pub(crate) fn is_falling(&self, time: f64) -> bool {
        time - self.since < DURATION
    }

    /// The papers over `view` at `time`, and how much of each is to be seen.
    pub(crate) fn papers(&self, view: Rect, time: f64) -> impl Iterator<Item = (Shape, f64)> {
        let papers = (0..N_PAPERS).zip(self.colors.iter().cycle());
        let elapsed = time - self.since;
        papers.filter_map(move |(index, &color)| paper(index, color, view, elapsed))
    }
}

/// A hexagon, a disc or a strip on its way down.
fn paper(index: u32, color: Color, view: Rect, elapsed: f64) -> Option<(Shape, f64)> {
    // From 0 to 1, and the same in every frame: the far digits of a sine are as good as
    // chance to the eye.
    let noise = |which: u32| {
        let far = sin_cos(f64::from(index * 7 + which)).0 * 10_000.0;
        far - far.floor()
    };
    let delay = noise(1) * 900.0;
    let age = (elapsed - delay) / 1000.0;
    if age < 0.0 {
        return None;
    }
    let at = Point::new(
        view.x + view.width * (noise(2) + 0.05 * sin_cos(age * 3.0 + noise(3) * TAU).0),
        view.y - 10.0 + view.height * age * (0.35 + 0.25 * noise(4)),
    );
    let size = view.width / 110.0;
    let shape = match index % 3 {
        0 => Shape::hexagon(at, size).filled(color),
        1 => Shape::circle(at, size * 0.75).filled(color),
        _ => {
            let half = Point::polar(age * 4.0 + noise(5) * TAU, size);
            Shape::lines(&[at - half, at + half]).lined(color, size * 0.8)
        }
    };
    let fade = limited(1.0 - (age - 2.2) / 0.8, 0.0, 1.0);
    Some((shape, 0.9 * fade))
}
