//! Servers that tests of online play need: [`Postgres`] and [`Nats`].
//!
//! Each is started on a free port of the loopback address, with its files in a temporary
//! folder, and ends when it is dropped, also if a test panics. The programs come from
//! Debian's packages `postgresql` and `nats-server`, which `cargo xtask test` installs. If
//! they are missing, starting them is an error: no test is skipped.

#![cfg(unix)]

mod nats;
mod postgres;
mod program;

pub use crate::{nats::Nats, postgres::Postgres};
