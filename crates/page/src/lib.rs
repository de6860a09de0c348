//! The built page as files, and the answers of a server that has nothing else.

mod answer;
mod file;
mod opener;

pub use crate::{
    answer::{answer, answer_for},
    file::{File, files},
    opener::open_browser,
};
