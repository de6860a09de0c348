//! Telling those who follow a signal.

use leptos::{
    prelude::Notify,
    reactive::graph::{Source, ToAnySource},
};

/// Tells all who follow `signal` that it has changed, and forgets them: whoever
/// is still there comes back by looking at it anew.
///
/// Leptos by itself goes on to keep those who are gone, such as parts of the
/// page that were drawn for one move, so that the page would grow with every move.
pub(crate) fn tell(signal: &(impl Notify + ToAnySource)) {
    signal.notify();
    signal.to_any_source().clear_subscribers();
}
