use crate::Color;

/// How a game is presented around its board: everything that differs between games
/// and does not depend on the position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Presentation {
    /// The icon of the game: the content of an SVG of 32 × 32. Paths are stroked;
    /// those with the class `f` are filled.
    pub mark: &'static str,
    /// The options for the small board on the home screen, each a name and a value.
    pub miniature: &'static [(&'static str, &'static str)],
    /// The option whose value small screens show beside the title; without one they
    /// show the position's first fact.
    pub headline: Option<&'static str>,
    /// The minimum time of a machine's move, in milliseconds, so that it can be
    /// followed.
    pub answer_time: f64,
    /// Whether the color of a person who plays against the machine is random by
    /// default.
    pub draws_lots: bool,
    /// Whether the pass button is always shown, or only when a pass is the only
    /// move.
    pub always_shows_pass: bool,
    /// The colors of the confetti after a win; empty for none.
    pub confetti: &'static [Color],
}

impl Presentation {
    /// The defaults, with an icon.
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

/// The steps of a turn of several moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// The keys of their phrases.
    pub names: &'static [&'static str],
    /// The index of the next one.
    pub current: usize,
}
