//! The built page, and a server for it that only this machine can reach.
//!
//! [`app`] is the whole service, so that tests need no socket; [`Server`] puts it
//! on a port of the loopback address.

mod answer;
mod file;
mod opener;
mod server;

pub use crate::{
    answer::{answer, answer_for, app},
    file::{File, files},
    opener::open_browser,
    server::{Server, ServerError},
};
