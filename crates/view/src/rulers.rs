use crate::{Color, Point, Rect, Shape};

/// The names of columns and rows at the edges of a partial view of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Rulers {
    /// The columns: x coordinate and name.
    pub columns: Vec<(f64, String)>,
    /// The rows: y coordinate and name.
    pub rows: Vec<(f64, String)>,
    /// The color of the names.
    pub letters: Color,
    /// The color behind them.
    pub band: Color,
}

/// The size of the letters and the width of the bands, in pixels.
const LETTER: f64 = 12.0;
const BAND: f64 = 22.0;
/// The opacity of the bands.
const COVER: f64 = 0.85;

impl Rulers {
    /// The shapes to draw over `view`, the visible part of the scene, with pixels of
    /// this size in scene units.
    #[must_use]
    pub fn shapes(&self, view: Rect, pixel: f64) -> Vec<Shape> {
        let (letter, band) = (LETTER * pixel, BAND * pixel);
        let (right, foot) = (view.x + view.width, view.y + view.height);
        let below = Rect {
            y: foot - band,
            height: band,
            ..view
        };
        let left = Rect {
            width: band,
            height: view.height - band,
            ..view
        };
        let mut shapes: Vec<Shape> = [below, left]
            .map(|rect| Shape::rect(rect, 0.0).filled(self.band).faded(COVER))
            .into();
        let name = |at, text: &str| Shape::text(at, letter, text).filled(self.letters);
        // The corner where the bands meet stays empty, so that no name is cut off.
        for (x, text) in legible(&self.columns, letter) {
            if *x > view.x + band && *x < right - letter / 2.0 {
                let at = Point::new(*x, foot - (band - 0.7 * letter) / 2.0);
                shapes.push(name(at, text));
            }
        }
        for (y, text) in legible(&self.rows, letter) {
            if *y > view.y + letter / 2.0 && *y < foot - band - letter / 2.0 {
                let at = Point::new(view.x + band / 2.0, *y + 0.35 * letter);
                shapes.push(name(at, text));
            }
        }
        shapes
    }
}

/// As many of the names as fit, always the same ones.
fn legible(names: &[(f64, String)], letter: f64) -> impl Iterator<Item = &(f64, String)> {
    let pitch = match names {
        [first, second, ..] => (first.0 - second.0).abs(),
        _ => f64::MAX,
    };
    let step = (2.0 * letter / pitch).ceil().max(1.0) as usize;
    names.iter().step_by(step)
}

#[cfg(test)]
mod tests {
    use super::Rulers;
    use crate::{Color, Form, Rect, Shape};

    fn texts(shapes: &[Shape]) -> Vec<&str> {
        let text = |shape| match shape {
            &Shape {
                form: Form::Text { ref text, .. },
                ..
            } => Some(text.as_str()),
            _ => None,
        };
        shapes.iter().filter_map(text).collect()
    }

    #[test]
    fn the_edges_of_a_partial_view_show_names() {
        let line = |n: u32| f64::from(n) * 100.0;
        let rulers = Rulers {
            columns: (0..10).map(|n| (line(n), format!("c{n}"))).collect(),
            rows: (0..10).map(|n| (line(n), format!("r{n}"))).collect(),
            letters: Color::WoodLabel,
            band: Color::Wood,
        };
        let view = Rect {
            x: 250.0,
            y: 350.0,
            width: 300.0,
            height: 300.0,
        };
        let close = rulers.shapes(view, 1.0);
        assert_eq!(texts(&close), ["c3", "c4", "c5", "r4", "r5", "r6"]);
        for shape in &close {
            if let Form::Text { at, .. } = shape.form {
                assert!(view.contains(at), "{shape:?}");
            }
        }
        // Letters keep their size on the screen, so fewer fit when zoomed out.
        let far = rulers.shapes(Rect::square(1000.0), 8.0);
        assert_eq!(texts(&far), ["c2", "c4", "c6", "c8", "r2", "r4", "r6"]);
    }
}
