//! Lessons: each game teaches itself in a few small positions, one idea each.
//!
//! A lesson is a list of [`Step`]s: a position, what is to be done in it, and a
//! function that judges every legal move. [`Lesson`] is somebody taking one: input goes
//! in as [`Event`]s, and the board answers right and wrong tries with a [`LessonFeedback`]. There
//! is no browser and no clock here.
//!
//! ```
//! use lessons::{LessonFeedback, Event, Lesson};
//!
//! let mut lesson = Lesson::new(lessons::find("nonaga").unwrap(), "", None);
//! assert_eq!(lesson.task().as_deref(), Some("nonaga.lesson.slide.task"));
//! lesson.update(Event::Activate("2,-2".to_owned()));
//! lesson.update(Event::Activate("-1,1".to_owned()));
//! assert!(matches!(lesson.answer(), Some(LessonFeedback::Right(_))));
//! lesson.update(Event::Next);
//! assert_eq!((lesson.at(), lesson.progress()), (1, "slide".to_owned()));
//! ```

mod games;
mod lesson;
mod listed;
mod step;

pub use crate::{
    lesson::{Event, Lesson, LessonFeedback},
    listed::AnyLesson,
    step::{Figure, LessonVerdict, Step, Taught},
};

use crate::listed::Listed;

/// The lesson of every game, in the order of [`catalog::GAMES`].
pub static LESSONS: [&dyn AnyLesson; 4] = [
    &Listed::<lilypads::Lilypads>::NEW,
    &Listed::<nonaga::Nonaga>::NEW,
    &Listed::<takeover::Takeover>::NEW,
    &Listed::<simply_go::SimplyGo>::NEW,
];

/// The game of every lesson, and how many steps it has. A program that needs no more of them does
/// not contain the steps.
pub const OVERVIEW: [(&str, usize); 4] = [
    overview::<lilypads::Lilypads>(),
    overview::<nonaga::Nonaga>(),
    overview::<takeover::Takeover>(),
    overview::<simply_go::SimplyGo>(),
];

const fn overview<G: Taught>() -> (&'static str, usize) {
    (G::NAME, G::STEPS.len())
}

/// The lesson of the game called `game`.
#[must_use]
pub fn find(game: &str) -> Option<&'static dyn AnyLesson> {
    LESSONS.into_iter().find(|lesson| lesson.game() == game)
}

/// The phrases of all lessons, in the given language.
#[must_use]
pub fn phrases(language: view::Language) -> &'static str {
    match language {
        view::Language::English => include_str!("../text/en.txt"),
        view::Language::Japanese => include_str!("../text/ja.txt"),
    }
}
