//! Periods without service.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use store::Millis;

/// The number of outages that are remembered. A match in which nothing happens through more of them
/// gets the time of the last ones back.
const MOST_OUTAGES: usize = 1_000;

/// A period without service, because the store did not answer or this process did not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outage {
    /// The last time of service before it.
    pub(crate) began: Millis,
    /// The first time of service after it.
    pub(crate) ended: Option<Millis>,
}

/// The outages of a node since it started, in the order in which they began. Matches compensate
/// them when something happens in them, or in a sweep after the outage; several may have come by
/// then.
#[derive(Debug, Default)]
pub(crate) struct Outages(Mutex<VecDeque<Outage>>);

impl Outages {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Outage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an outage, unless one that has not ended includes it.
    pub(crate) fn add(&self, outage: Outage) {
        let mut outages = self.lock();
        if outages.back().is_some_and(|last| last.ended.is_none()) {
            return;
        }
        // The new one includes those that began later.
        let is_part = |last: &Outage| last.began >= outage.began;
        while outages.back().is_some_and(is_part) {
            outages.pop_back();
        }
        if outages.len() == MOST_OUTAGES {
            outages.pop_front();
        }
        outages.push_back(outage);
    }

    /// Ends the outage that has not ended. Returns whether there was one.
    pub(crate) fn end(&self, now: Millis) -> bool {
        let mut outages = self.lock();
        let open = outages.back_mut().filter(|last| last.ended.is_none());
        open.map(|last| last.ended = Some(now)).is_some()
    }

    /// The last outage.
    pub(crate) fn last(&self) -> Option<Outage> {
        self.lock().back().copied()
    }

    /// How long all outages together lasted after `since`, in milliseconds.
    pub(crate) fn time_since(&self, since: Millis, now: Millis) -> Millis {
        let mut counted = since;
        let mut ms = 0;
        for Outage { began, ended } in &*self.lock() {
            let ended = ended.unwrap_or(now);
            ms += ended.saturating_sub(counted.max(*began));
            counted = counted.max(ended);
        }
        ms
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_OUTAGES, Outage, Outages};

    fn outages(all: &[(u64, Option<u64>)]) -> Outages {
        let outages = Outages::default();
        for &(began, ended) in all {
            outages.add(Outage { began, ended });
        }
        outages
    }

    #[test]
    fn the_times_of_all_outages_are_added_up() {
        let outages = outages(&[(10, Some(20)), (30, Some(35)), (40, None)]);
        assert_eq!(outages.time_since(0, 50), 25);
        assert_eq!(outages.time_since(15, 50), 20);
        assert_eq!(outages.time_since(33, 50), 12);
        assert_eq!(outages.time_since(45, 50), 5);
        assert_eq!(outages.time_since(60, 50), 0);
        assert!(outages.end(44));
        assert!(!outages.end(48));
        assert_eq!(outages.time_since(0, 50), 19);
    }

    /// A slow heartbeat and the gap of a process that stood still are noticed one after the other.
    #[test]
    fn what_overlaps_counts_once() {
        let partly = outages(&[(10, Some(20)), (15, Some(30))]);
        assert_eq!(partly.time_since(0, 50), 20);
        let included = outages(&[(10, Some(20)), (25, Some(30)), (22, Some(31))]);
        assert_eq!(included.time_since(0, 50), 19);
        let open = outages(&[(10, None), (15, Some(30))]);
        assert_eq!(open.last().and_then(|last| last.ended), None);
        assert!(open.end(40));
        assert_eq!(open.time_since(0, 50), 30);
    }

    #[test]
    fn the_oldest_are_dropped() {
        let all: Vec<_> = (0..)
            .map(|n| (10 * n, Some(10 * n + 1)))
            .take(MOST_OUTAGES + 5)
            .collect();
        let n_outages = outages(&all).time_since(0, u64::MAX);
        assert_eq!(n_outages, MOST_OUTAGES as u64);
    }
}
