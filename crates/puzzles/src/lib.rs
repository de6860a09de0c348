//! Puzzles: positions with one good move, and somebody solving them.
//!
//! A [`Puzzle`] is a position, a [`Goal`] and the moves that achieve it. [`all`] lists
//! those that are shipped with a game. [`Attempt`] is somebody solving one: input goes
//! in as [`Event`]s, and the board answers with a [`PuzzleFeedback`]. [`PuzzleRating`], [`Streak`],
//! [`Progress`] and [`Day`] are plain values with text forms, to be stored. There is no
//! browser, no clock and no search here: puzzles are found and proved elsewhere.
//!
//! ```
//! use puzzles::{PuzzleFeedback, Attempt, Event, Phase, PuzzleRating};
//!
//! // Today's puzzle, and somebody solving it.
//! let collection = puzzles::all("takeover");
//! let today = puzzles::Day::at(1_794_785_400, 0);
//! let index = puzzles::daily("takeover", today).unwrap();
//! let puzzle = collection.get(index).unwrap();
//! let mut attempt = Attempt::new(puzzle.clone()).unwrap();
//! while !attempt.is_over() {
//!     match attempt.phase() {
//!         // A click or a typed move. Here the solution is played.
//!         Phase::Solver => {
//!             let n_moves = attempt.sitting().record().moves().len();
//!             attempt.update(Event::Typed(puzzle.solution()[n_moves].clone()));
//!         }
//!         // The move has been animated, and the opponent replies.
//!         Phase::Reply | Phase::Showing => attempt.update(Event::Proceed),
//!         Phase::Wrong => attempt.update(Event::TakeBack),
//!         Phase::Done => {}
//!     }
//! }
//! assert_eq!(attempt.answer(), Some(&PuzzleFeedback::Solved));
//!
//! // What is stored, and what is shared.
//! let rating = PuzzleRating::default().after(puzzle.grade(), attempt.tally());
//! assert!(rating.points() > PuzzleRating::default().points());
//! let language = view::Language::English;
//! let words = view::Words::with(language, puzzles::phrases(language));
//! let text = puzzles::share_text(&puzzle, attempt.tally(), Some(today), Some(48), &words);
//! assert!(text.starts_with("Parlour puzzle 319, Takeover\n"));
//! assert!(text.ends_with("\n○ ○ ○ no hints, 0:48"));
//! ```

mod attempt;
mod collection;
mod daily;
mod games;
mod goal;
mod openings;
mod phrases;
mod progress;
mod puzzle;
mod rating;
mod scores;
mod seeds;
mod streak;

pub use crate::{
    attempt::{Attempt, AttemptTally, Event, Phase, PuzzleFeedback, PuzzleHint},
    collection::{Collection, all},
    daily::{Day, FairStart, daily, daily_start},
    games::Puzzling,
    goal::{Goal, ParseGoalError},
    openings::FairOpening,
    phrases::{phrases, share_text, task, title},
    progress::{ParseProgressError, Progress},
    puzzle::{Puzzle, PuzzleError, PuzzleId, TOP_GRADE},
    rating::{ParseRatingError, PuzzleRating},
    scores::{Rated, Scores},
    seeds::SeedSearch,
    streak::{ParseStreakError, Streak},
};
