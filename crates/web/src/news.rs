//! Notifying the subscribers of a signal.

use leptos::{
    prelude::Notify,
    reactive::graph::{Source, ToAnySource},
};

/// Notifies the subscribers of `signal` and drops all subscriptions; live subscribers
/// re-subscribe when they re-run.
///
/// Leptos by itself keeps the subscriptions of what is gone, such as parts of the page
/// that were drawn for one move, so that the page would grow with every move.
pub(crate) fn tell(signal: &(impl Notify + ToAnySource)) {
    signal.notify();
    signal.to_any_source().clear_subscribers();
}
