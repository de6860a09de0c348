//! A client of online play for programs: bots, load generators and tests.
//!
//! [`Api`] sends requests over HTTP, [`Socket`] exchanges messages over a WebSocket. Both know
//! the player by a token.

mod api;
mod socket;

pub use crate::{
    api::{Api, HttpResponse, RequestError},
    socket::{Socket, SocketError},
};
