//! Checks for every game.
//!
//! - [`check_laws`]: the five laws of a `Position`.
//! - [`check_against`]: a second implementation, written from the rule sheet alone,
//!   has the same moves, texts and results.
//! - [`check_perft`] and [`check_perft_against`]: node counts in a file, agreed by
//!   both.
//! - [`check_record`]: a match survives undo, redo, files and links.
//! - [`playthrough()`]: one whole match as text.
//! - [`check_moves`], [`check_after`] and [`check_refused`]: single examples.
//! - [`check_parser`]: a parser rejects invalid texts, and the rest round-trips.

mod examples;
mod laws;
mod parser;
mod perft;
mod playthrough;
mod record;
mod reference;

pub use crate::{
    examples::{check_after, check_moves, check_refused},
    laws::check_laws,
    parser::{check_parser, mutations},
    perft::{check_perft, check_perft_against},
    playthrough::playthrough,
    record::check_record,
    reference::{Reference, check_against},
};
