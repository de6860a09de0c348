//! The state of somebody who plays online: the connection to a server, and a match there.
//!
//! There is no browser, no socket and no clock here: [`Link::update`] and
//! [`OnlineMatch::update`] take what happened, with the time, and return what has to be done.
//! The page drives them, and tests do.
//!
//! A match has two states. The [`OnlineMatch`] replays the events of the server, in order;
//! a [`play::Sitting`] is what somebody sees and moves in, a turn ahead of the server at times.
//! [`play::Event::Follow`] brings the second back to the first.

mod link;
mod online_match;
mod pending;
mod seek_request;

pub use crate::{
    link::{Connection, Link, LinkEffect, LinkEvent},
    online_match::{Effect, Event, MatchNotice, OnlineMatch},
    pending::PendingTurn,
    seek_request::SeekRequest,
};
