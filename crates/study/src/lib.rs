//! Evaluations of positions and moves: reviews, hints, remarks, analysis.
//!
//! An [`Inquiry`] asks an engine about a position, which answers with [`EngineLine`]s.
//! From these a [`Review`] judges every move of a match, a [`Hint`] recommends a move, and a
//! [`Remark`] comments on one that was made. A [`Study`] is the state of
//! somebody who reviews or analyses a match, a [`SetUp`] that of somebody who sets up a
//! position by hand.
//!
//! Nothing here searches: the caller passes inquiries to an engine, and its answers back.

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
    hint::{Clue, Feat, Hint, HintReason},
    inquiry::{Effort, Inquiry, is_exact, setup_lines},
    lines::Lines,
    remark::{Comment, Commentary, Remark},
    review::{
        Accuracy, Assessment, JUDGE_BENCH, JudgedMove, REVIEW_NODES, Review, accuracy,
        turning_points,
    },
    set_up::{SetUp, SetUpEvent},
    standing::Standing,
    study::{Effect, Event, MOST_LINES, Practice, PracticeFeedback, Shown, Study, short_text},
};
