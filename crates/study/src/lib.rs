//! What positions and moves are worth.
//!
//! An [`Inquiry`] asks an engine about a position; its answer comes as [`EngineLine`]s.
//! From these a [`Review`] judges every move of a match, a [`Hint`] names one to make, and a
//! [`Remark`] says something about one that was made. A [`Study`] is the state of
//! somebody who reviews or analyses a match, a [`SetUp`] that of somebody who sets up a
//! position by hand.
//!
//! Nothing here searches: whoever has an engine carries the questions and the answers.

mod class;
mod engine_line;
mod evaluation;
mod hint;
mod inquiry;
mod lines;
mod remark;
mod review;
mod set_up;
mod standing;
mod study;

pub use crate::{
    class::MoveClass,
    engine_line::{EngineLine, Opinion},
    evaluation::{Evaluation, ParseEvaluationError},
    hint::{Clue, Hint, Reason},
    inquiry::{Effort, Inquiry, is_exact, setup_lines},
    lines::Lines,
    remark::{Comment, Commentary, Remark},
    review::{Accuracy, Assessment, JudgedMove, REVIEW_NODES, Review, accuracy, turning_points},
    set_up::{SetUp, SetUpEvent},
    standing::Standing,
    study::{Answer, Effect, Event, MOST_LINES, Practice, Shown, Study, short_text},
};
