//! Metrics for the operator, in Prometheus' text format.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering},
};

/// The counters, and one gauge.
#[derive(Default)]
pub(crate) struct Metrics {
    pub(crate) sockets: AtomicU64,
    pub(crate) turns: AtomicU64,
    pub(crate) events: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) stale: AtomicU64,
    pub(crate) repaired: AtomicU64,
    pub(crate) store_errors: AtomicU64,
    pub(crate) resyncs: AtomicU64,
    pub(crate) slow_closed: AtomicU64,
    /// The total time from reading turns to storing them, in microseconds.
    pub(crate) turn_micros: AtomicU64,
}

/// Increments a counter.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Metrics {
    pub(crate) fn to_text(&self, n_live: usize) -> String {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let figures = [
            ("sockets", "gauge", "Open sockets.", get(&self.sockets)),
            ("live_matches", "gauge", "Matches in memory.", n_live as u64),
            ("turns_total", "counter", "Turns stored.", get(&self.turns)),
            (
                "events_total",
                "counter",
                "Events stored.",
                get(&self.events),
            ),
            (
                "refused_total",
                "counter",
                "Requests refused on sockets.",
                get(&self.refused),
            ),
            (
                "stale_total",
                "counter",
                "Events decided again because another node was first.",
                get(&self.stale),
            ),
            (
                "repaired_total",
                "counter",
                "Matches that were behind the store.",
                get(&self.repaired),
            ),
            (
                "store_errors_total",
                "counter",
                "Operations that the store did not carry out.",
                get(&self.store_errors),
            ),
            (
                "resyncs_total",
                "counter",
                "Sockets that were too slow for single events.",
                get(&self.resyncs),
            ),
            (
                "slow_closed_total",
                "counter",
                "Sockets closed because they were stuck.",
                get(&self.slow_closed),
            ),
            (
                "turn_microseconds_total",
                "counter",
                "Time from reading turns to storing them.",
                get(&self.turn_micros),
            ),
        ];
        let mut text = String::new();
        for (name, kind, help, value) in figures {
            // Writing to a string can't fail.
            let _ = write!(
                text,
                "# HELP parlour_{name} {help}\n# TYPE parlour_{name} {kind}\nparlour_{name} {value}\n"
            );
        }
        text
    }
}
