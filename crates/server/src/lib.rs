//! Online play: matches over HTTP and WebSocket.
//!
//! A match is a log in the store with optimistic concurrency control: a node appends event
//! *version + 1*, and one that comes second rereads and decides again. So any node can serve any
//! match, and none is special. A node's memory ([`Hub`], with a `Live` for each match in use) is a
//! cache. Only stored events are shown; notices on the [`Bus`] between nodes are hints.
//!
//! [`Hub::app`] is the whole service, so that tests need no socket; [`serve()`] puts it on a
//! port.

mod begun;
mod bus;
mod connection;
mod error;
mod errors;
mod http;
mod hub;
mod limit;
mod live;
mod metrics;
#[cfg(feature = "nats")]
mod nats;
mod origin;
mod outages;
mod request;
mod secret;
mod serve;
mod sessions;
mod socket;
mod sweep;
mod terms;
mod time;
mod waits;

pub use crate::{
    bus::{Bus, NoBus, Notice},
    error::ApiError,
    hub::{Config, Hub},
    origin::{ParseUrlError, PublicUrl},
    serve::{Listening, ServeError, listen, serve, serve_app},
};

#[cfg(feature = "nats")]
pub use crate::nats::NatsBus;
