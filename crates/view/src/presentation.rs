use crate::Color;

/// How a game is presented around its board: all in which the page treats one
/// game otherwise than another, and that no position decides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Presentation {
    /// The mark of the game: what is inside of an SVG drawing of 32 × 32. Lines
    /// are drawn, and what has the class `f` is filled.
    pub mark: &'static str,
    /// The choices before a match that look best as a small board, each a name
    /// and a value.
    pub miniature: &'static [(&'static str, &'static str)],
    /// The option whose value small screens show beside the title; without one
    /// they show the first fact of the position.
    pub headline: Option<&'static str>,
    /// How long the machine takes at least for a move, in milliseconds, so that
    /// one can follow it.
    pub answer_time: f64,
    /// Whether the color of somebody who plays against the machine is drawn by
    /// lot if they don't choose.
    pub draws_lots: bool,
    /// Whether the button that passes is always there, and not only when there
    /// is nothing else to do.
    pub always_shows_pass: bool,
    /// The colors of the confetti that falls on a win; none where none falls.
    pub confetti: &'static [Color],
}

impl Presentation {
    /// Nothing out of the ordinary, behind a mark.
    #[must_use]
    pub const fn new(mark: &'static str) -> Self {
        Self {
            mark,
            miniature: &[],
            headline: None,
            answer_time: 300.0,
            draws_lots: false,
            always_shows_pass: false,
            confetti: &[],
        }
    }
}

/// Where a turn of several moves stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// The moves of a turn, by the names of their phrases.
    pub names: &'static [&'static str],
    /// Which of them comes next.
    pub current: usize,
}
