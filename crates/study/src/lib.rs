//! What positions and moves are worth.
//!
//! An [`Inquiry`] asks an engine about a position; its answer comes as [`EngineLine`]s.
//! From these a [`Review`] judges every move of a match. A [`Study`] is the state of
//! somebody who reviews or analyses a match.
//!
//! Nothing here searches: whoever has an engine carries the questions and the answers.

mod class;
mod engine_line;
mod evaluation;
mod inquiry;
mod lines;
mod review;
mod study;

pub use crate::{
    class::MoveClass,
    engine_line::{EngineLine, Opinion},
    evaluation::{Evaluation, ParseEvaluationError},
    inquiry::{Effort, Inquiry, is_exact, setup_lines},
    lines::Lines,
    review::{Accuracy, Assessment, JudgedMove, REVIEW_NODES, Review, accuracy, turning_points},
    study::{Answer, Effect, Event, MOST_LINES, Practice, Shown, Study, short_text},
};
