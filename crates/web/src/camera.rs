//! Looking at a part of a board that is too large for the screen.

use view::{Point, Rect, limited};

/// The visible part of a scene.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Camera {
    /// How many times larger than the whole things are.
    pub(crate) zoom: f64,
    center: Point,
}

impl Camera {
    const CLOSEST: f64 = 8.0;

    /// The whole scene.
    pub(crate) const WHOLE: Self = Self {
        zoom: 1.0,
        center: Point::new(0.0, 0.0),
    };

    /// The part of `whole` that is seen.
    pub(crate) fn view(&self, whole: Rect) -> Rect {
        let half = whole.width / self.zoom / 2.0;
        let clamp =
            |n: f64, low: f64| limited(n, low + half, (low + whole.width - half).max(low + half));
        let center = Point::new(clamp(self.center.x, whole.x), clamp(self.center.y, whole.y));
        Rect::around(center, half)
    }

    /// Zooms by `factor`, with `at` staying where it is on the screen.
    pub(crate) fn zoom_at(&mut self, whole: Rect, at: Point, factor: f64) {
        let view = self.view(whole);
        let zoom = limited(self.zoom * factor, 1.0, Self::CLOSEST);
        let factor = zoom / self.zoom;
        self.zoom = zoom;
        self.center = at + (view.center() - at) * (1.0 / factor);
        self.center = self.view(whole).center();
    }

    /// Moves by a distance of the scene.
    pub(crate) fn pan(&mut self, whole: Rect, by: Point) {
        self.center = self.view(whole).center() + by;
        self.center = self.view(whole).center();
    }

    /// Looks at `at`, if it is out of sight.
    pub(crate) fn follow(&mut self, whole: Rect, at: Point) {
        let view = self.view(whole);
        let inner = Rect::around(view.center(), view.width * 0.45);
        if !inner.contains(at) {
            self.center = at;
        }
    }

    /// Looks at `at`.
    pub(crate) fn look_at(&mut self, at: Point) {
        self.center = at;
    }
}
