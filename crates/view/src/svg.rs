use std::fmt::Write;

use crate::{Color, Form, Node, Paint, Palette, Rect, Scene, Segment, Shape, decimal};

/// Draws a scene as SVG.
///
/// ```
/// use rules::Game;
/// use view::{Language, Look, Table, Theme, Words};
///
/// let position = takeover::Takeover::start(&takeover::Setup::default())?;
/// let words = Words::of(Language::English);
/// let scene = Table::new(position).scene(&Look::new(&words));
/// let svg = view::svg(&scene, Theme::Light);
/// assert!(svg.starts_with("<svg xmlns"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn svg(scene: &Scene, palette: impl Into<Palette>) -> String {
    let mut drawing = Drawing::new(palette.into());
    for shape in scene.ground.iter() {
        drawing.shape(shape);
    }
    for node in &scene.nodes {
        drawing.node(node);
    }
    drawing.finish(scene.view)
}

/// Draws a few shapes as SVG, such as the mark of a legend.
#[must_use]
pub fn svg_of(shapes: &[Shape], view: Rect, palette: impl Into<Palette>) -> String {
    let mut drawing = Drawing::new(palette.into());
    for shape in shapes {
        drawing.shape(shape);
    }
    drawing.finish(view)
}

struct Drawing {
    palette: Palette,
    body: String,
    gradients: Vec<Paint>,
}

impl Drawing {
    fn new(palette: Palette) -> Self {
        Self {
            palette,
            body: String::new(),
            gradients: Vec::new(),
        }
    }

    fn finish(self, view: Rect) -> String {
        let view = [view.x, view.y, view.width, view.height]
            .map(number)
            .join(" ");
        let gradients = self.gradients.iter();
        let gradients: String = gradients
            .map(|&paint| gradient(paint, self.palette))
            .collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{view}\">\n<defs>{gradients}</defs>\n{}</svg>\n",
            self.body
        )
    }

    fn node(&mut self, node: &Node) {
        let at = [node.at.x, node.at.y].map(number).join(" ");
        // Writing to a string can't fail.
        write!(self.body, "<g transform=\"translate({at})\"").ok();
        if node.opacity < 1.0 {
            write!(self.body, " opacity=\"{}\"", number(node.opacity)).ok();
        }
        self.body.push_str(">\n");
        for shape in node.shapes.iter() {
            self.shape(shape);
        }
        self.body.push_str("</g>\n");
    }

    fn shape(&mut self, shape: &Shape) {
        let style = self.style(shape);
        let form = match &shape.form {
            Form::Circle { center, radius } => format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{style}/>",
                number(center.x),
                number(center.y),
                number(*radius)
            ),
            Form::Rect { rect, corner } => format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{style}/>",
                number(rect.x),
                number(rect.y),
                number(rect.width),
                number(rect.height),
                number(*corner)
            ),
            Form::Path(segments) => format!("<path d=\"{}\"{style}/>", path_data(segments)),
            Form::Text { at, size, text } => format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-family=\"sans-serif\" \
                 text-anchor=\"middle\"{style}>{}</text>",
                number(at.x),
                number(at.y),
                number(*size),
                escaped(text)
            ),
        };
        self.body.push_str(&form);
        self.body.push('\n');
    }

    fn style(&mut self, shape: &Shape) -> String {
        let mut style = String::new();
        match shape.fill {
            None => style.push_str(" fill=\"none\""),
            Some(Paint::Solid(color)) => self.color(&mut style, "fill", color),
            Some(paint) => {
                if !self.gradients.contains(&paint) {
                    self.gradients.push(paint);
                }
                write!(
                    style,
                    " fill=\"url(#{})\"",
                    gradient_id(paint, self.palette)
                )
                .ok();
            }
        }
        if let Some(stroke) = shape.stroke {
            self.color(&mut style, "stroke", stroke.color);
            write!(style, " stroke-width=\"{}\"", number(stroke.width)).ok();
            style.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
            if let Some((dash, gap)) = stroke.dash {
                write!(
                    style,
                    " stroke-dasharray=\"{} {}\"",
                    number(dash),
                    number(gap)
                )
                .ok();
            }
        }
        if shape.opacity < 1.0 {
            write!(style, " opacity=\"{}\"", number(shape.opacity)).ok();
        }
        style
    }

    fn color(&self, style: &mut String, name: &str, color: Color) {
        write!(style, " {name}=\"{}\"", color.css(self.palette)).ok();
    }
}

/// Several drawings may be in one document, so the id of a gradient describes it
/// completely.
fn gradient_id(paint: Paint, palette: Palette) -> String {
    let palette = palette.name();
    match paint {
        Paint::Solid(color) => format!("{color:?}-{palette}"),
        Paint::Vertical(a, b) => format!("{a:?}-{b:?}-{palette}"),
        Paint::Radial(a, b, reach) => format!("{a:?}-{b:?}-{palette}-{}", number(reach)),
    }
}

fn gradient(paint: Paint, palette: Palette) -> String {
    let id = gradient_id(paint, palette);
    match paint {
        Paint::Solid(_) => String::new(),
        Paint::Vertical(top, foot) => format!(
            "<linearGradient id=\"{id}\" x2=\"0\" y2=\"1\"><stop stop-color=\"{}\"/>\
             <stop offset=\"1\" stop-color=\"{}\"/></linearGradient>",
            top.css(palette),
            foot.css(palette)
        ),
        Paint::Radial(inner, outer, reach) => format!(
            "<radialGradient id=\"{id}\" cx=\".4\" cy=\".34\" r=\".8\">\
             <stop offset=\"{}\" stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/>\
             </radialGradient>",
            number(reach),
            inner.css(palette),
            outer.css(palette)
        ),
    }
}

/// The path in SVG notation.
fn path_data(segments: &[Segment]) -> String {
    let mut data = String::new();
    for segment in segments {
        let (letter, points) = match *segment {
            Segment::Move(to) => ('M', vec![to]),
            Segment::Line(to) => ('L', vec![to]),
            Segment::Curve(handle, to) => ('Q', vec![handle, to]),
            Segment::Close => ('Z', vec![]),
        };
        data.push(letter);
        let numbers: Vec<_> = points
            .iter()
            .flat_map(|p| [number(p.x), number(p.y)])
            .collect();
        data.push_str(&numbers.join(" "));
    }
    data
}

/// Two decimals are finer than any screen.
fn number(value: f64) -> String {
    let text = decimal(value, 2);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
