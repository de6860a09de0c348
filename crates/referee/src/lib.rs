//! The referee of online matches.
//!
//! A match is the list of its [events](protocol::Event). [`decide()`] turns what somebody wants
//! to do into the next event, or refuses; [`State::apply`] is what an event does. Both are pure:
//! there is no clock here, callers pass the time in milliseconds. No game is named.
//!
//! ```
//! use protocol::Seat;
//! use referee::{Intent, State, Terms, decide};
//!
//! let mut state = State::new(Terms::new("takeover", &[("board", "7")]), 0)?;
//! let turn = Intent::Turn { by: Seat::First, at: 0, m: vec!["c4".into()], ms: 800, round_trip: 40 };
//! let event = decide(&state, &turn, 900).unwrap();
//! state.apply(&event, 900)?;
//! assert_eq!((state.version(), state.turn()), (1, Seat::Second));
//! # Ok::<(), referee::StateError>(())
//! ```

mod clock;
mod decide;
mod intent;
mod record;
mod state;
mod terms;

pub use crate::{
    clock::claim_delay,
    decide::{Denial, decide},
    intent::Intent,
    record::{Extent, record},
    state::{State, StateError},
    terms::Terms,
};
