use rules::Position;
use view::Picture;

/// A game that teaches itself: one implementation for each, in `games`.
pub trait Taught: Picture {
    /// The steps of its lesson, in the order in which people meet them.
    const STEPS: &'static [Step<Self>];

    /// The pictures of its rule sheet.
    const FIGURES: &'static [Figure];
}

/// A picture of the rule sheet: a position in which targets are clicked. Clicks that make
/// a move show it made; others show what is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The number of the rule that it belongs to, as in `GAME.rule.1`.
    pub rule: usize,
    /// The text of the position.
    pub start: &'static str,
    /// The targets.
    pub clicks: &'static [&'static str],
}

/// One idea, and a position to try it in. It is done with a single move.
#[derive(Debug)]
pub struct Step<G: Position> {
    /// Its name. The keys of its phrases begin with `GAME.lesson.NAME`: that is its
    /// title, `….task` says what to do, and verdicts have `….right` and `….wrong`.
    pub name: &'static str,
    /// The text of the position.
    pub start: &'static str,
    /// The text of the move that *Show me* plays.
    pub solution: &'static str,
    /// Judges a legal move in the position.
    pub judge: fn(&G, G::Move) -> LessonVerdict,
}

/// The judgment of a move.
///
/// A reason is the last part of the phrase's key: `Wrong("jump")` of the step
/// `duplicate` has the phrase `takeover.lesson.duplicate.wrong.jump`. Without one it
/// ends in `wrong`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LessonVerdict {
    /// It does what was asked for.
    Right(&'static str),
    /// It is legal, but does something else.
    Wrong(&'static str),
}

impl LessonVerdict {
    /// Right, with nothing more to say than for any other right move.
    pub const RIGHT: Self = Self::Right("");

    /// Wrong, with nothing more to say than for most wrong moves.
    pub const WRONG: Self = Self::Wrong("");

    /// Right if `is_right`, and else wrong, for no reason in particular.
    #[must_use]
    pub const fn of(is_right: bool) -> Self {
        if is_right { Self::RIGHT } else { Self::WRONG }
    }

    /// The end of the phrase's key.
    pub(crate) fn key(self) -> String {
        match self {
            Self::Right("") => "right".to_owned(),
            Self::Wrong("") => "wrong".to_owned(),
            Self::Right(reason) => format!("right.{reason}"),
            Self::Wrong(reason) => format!("wrong.{reason}"),
        }
    }
}
