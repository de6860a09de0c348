//! Making signals, and notifying their subscribers.

use leptos::{
    prelude::{Notify, RwSignal},
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

/// A signal. Making one takes a hundred instructions, which are there once for each type of values.
#[inline(never)]
pub(crate) fn new_signal<T: Send + Sync + 'static>(value: T) -> RwSignal<T> {
    RwSignal::new(value)
}
