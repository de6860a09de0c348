//! Online play: matches over HTTP and WebSocket.
//!
//! A match is a log, and the store decides: a node appends event *version + 1*, and whoever is
//! second rereads and decides again. So any node can serve any match, and none is special.
//! What a node keeps in memory ([`Hub`], with a `Live` match for each that somebody looks at) is
//! a cache. Nothing is shown to anybody that is not stored; the [`Bus`] between nodes is a
//! hint.
//!
//! [`Hub::app`] is the whole service, so that tests need no socket; [`serve()`] puts it on a
//! port.

mod bus;
mod connection;
mod error;
mod http;
mod hub;
mod limit;
mod live;
mod metrics;
#[cfg(feature = "nats")]
mod nats;
mod origin;
mod request;
mod secret;
mod serve;
mod socket;
mod sweep;
mod terms;
mod time;

pub use crate::{
    bus::{Bus, Hint, NoBus},
    error::ApiError,
    hub::{Config, Hub},
    origin::{ParseUrlError, PublicUrl},
    serve::{Listening, ServeError, listen, serve, serve_app},
};

#[cfg(feature = "nats")]
pub use crate::nats::Nats;
