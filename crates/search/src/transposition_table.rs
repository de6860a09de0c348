use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU8, AtomicU64, Ordering},
};

use prefetch_index::prefetch_index;

use crate::{Value, history::MoveStatistics};

/// Transposition table, shared by all threads without locks.
///
/// Its size is fixed: old and shallow entries are replaced. It also keeps the move
/// ordering statistics from one search to the next.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    /// Incremented with every search, to tell old entries from new ones.
    generation: AtomicU8,
    /// Those of the last search.
    statistics: Mutex<Option<MoveStatistics>>,
}

/// A bucket of entries, of which the least useful is replaced. It fills one cache
/// line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

/// An entry and its key, written without a lock. The key is stored XORed with the
/// entry, so that a torn write does not match.
#[derive(Debug, Default)]
struct Slot {
    mixed_key: AtomicU64,
    entry: AtomicU64,
}

/// The result of the search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    /// The depth of the search.
    pub(crate) depth: u8,
    /// The index of the best move in the guide's list.
    pub(crate) best: Option<u16>,
    /// The static evaluation.
    pub(crate) evaluation: Value,
}

/// How a value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The value is exact.
    Exact,
    /// The true value is this or more.
    Lower,
    /// The true value is this or less.
    Upper,
}

const NO_MOVE: u16 = u16::MAX;
const GENERATIONS: u8 = 64;
const BUCKET: usize = 4;

impl TranspositionTable {
    /// A table of at most `mebibytes`, and at least 1 MiB.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        Self::try_new(mebibytes).expect("there is enough memory")
    }

    /// A table of at most `mebibytes`, and at least 1 MiB; `None` if there is not
    /// enough memory.
    #[must_use]
    pub fn try_new(mebibytes: usize) -> Option<Self> {
        let n_bytes = mebibytes.max(1).checked_mul(1 << 20)?;
        // A power of two, rounded down.
        Self::with_buckets(1 << (n_bytes / size_of::<Bucket>()).ilog2())
    }

    /// A table for searches of `n_nodes`.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory.
    #[must_use]
    pub fn for_nodes(n_nodes: u64) -> Self {
        let n_slots = n_nodes.clamp(1 << 10, 1 << 20).next_power_of_two();
        Self::with_buckets(n_slots as usize / BUCKET).expect("there is enough memory")
    }

    fn with_buckets(n_buckets: usize) -> Option<Self> {
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(n_buckets).ok()?;
        buckets.resize_with(n_buckets, Bucket::default);
        Some(Self {
            buckets: buckets.into_boxed_slice(),
            generation: AtomicU8::new(0),
            statistics: Mutex::new(None),
        })
    }

    /// Its size in MiB, rounded down.
    #[must_use]
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    /// Removes all entries.
    pub fn clear(&self) {
        if self.generation.load(Ordering::Relaxed) == 0 {
            // Still empty: there was no search.
            return;
        }
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.mixed_key.store(0, Ordering::Relaxed);
            slot.entry.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
        self.put_statistics(None);
    }

    /// Takes the statistics of the last search out.
    pub(crate) fn take_statistics(&self) -> Option<MoveStatistics> {
        let statistics = self.statistics.lock();
        statistics.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps the statistics of a search for the next one.
    pub(crate) fn put_statistics(&self, statistics: Option<MoveStatistics>) {
        *self
            .statistics
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = statistics;
    }

    /// Starts a new search: present entries stay usable, but are replaced first.
    pub(crate) fn age(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        // Never 0, which means that there was no search.
        let next = generation % (GENERATIONS - 1) + 1;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    fn bucket(&self, key: u64) -> &[Slot; BUCKET] {
        &self.buckets[self.index(key)].0
    }

    /// Prefetches the bucket of a key into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch_index(&self.buckets, self.index(key));
    }

    /// Looks up a position by its key.
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let entry = slot.entry.load(Ordering::Relaxed);
            let is_it = slot.mixed_key.load(Ordering::Relaxed) ^ entry == key;
            (is_it && entry != 0).then(|| unpack(entry).0)
        })
    }

    /// Stores the entry of the position with this key.
    pub(crate) fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut least_useful = None;
        for slot in self.bucket(key) {
            let old = slot.entry.load(Ordering::Relaxed);
            let is_same = slot.mixed_key.load(Ordering::Relaxed) ^ old == key;
            if old == 0 || is_same {
                self.replace(slot, key, old, is_same, entry, generation);
                return;
            }
            let (old, old_generation) = unpack(old);
            let age = (generation + GENERATIONS - old_generation) % GENERATIONS;
            let usefulness = i32::from(old.depth) - 4 * i32::from(age);
            if least_useful.is_none_or(|(least, _)| usefulness < least) {
                least_useful = Some((usefulness, slot));
            }
        }
        if let Some((_, slot)) = least_useful {
            write(slot, key, pack(entry, generation));
        }
    }

    /// Replaces an entry of the same position, unless it is much deeper than the new
    /// one.
    fn replace(
        &self,
        slot: &Slot,
        key: u64,
        old: u64,
        is_same: bool,
        mut entry: Entry,
        generation: u8,
    ) {
        if is_same && old != 0 {
            let (old, old_generation) = unpack(old);
            if entry.best.is_none() {
                entry.best = old.best;
            }
            let says_more = old.depth > entry.depth + 3
                && entry.bound != Bound::Exact
                && old_generation == generation;
            if says_more {
                return;
            }
        }
        write(slot, key, pack(entry, generation));
    }
}

fn write(slot: &Slot, key: u64, entry: u64) {
    slot.mixed_key.store(key ^ entry, Ordering::Relaxed);
    slot.entry.store(entry, Ordering::Relaxed);
}

/// Packs an entry and its generation into 64 bits, never 0.
fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.value.to_bits())
        | u64::from(entry.evaluation.to_bits()) << 16
        | u64::from(entry.best.unwrap_or(NO_MOVE)) << 32
        | u64::from(entry.depth) << 48
        | u64::from(generation << 2 | bound) << 56
}

fn unpack(bits: u64) -> (Entry, u8) {
    let last = (bits >> 56) as u8;
    let entry = Entry {
        value: Value::from_bits(bits as u16),
        evaluation: Value::from_bits((bits >> 16) as u16),
        best: Some((bits >> 32) as u16).filter(|&best| best != NO_MOVE),
        depth: (bits >> 48) as u8,
        bound: match last & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
    };
    (entry, last >> 2)
}

#[cfg(test)]
mod tests {
    use super::{Bound, Entry, TranspositionTable};
    use crate::Value;

    fn entry(depth: u8, best: Option<u16>) -> Entry {
        Entry {
            value: Value::loss_in(7),
            bound: Bound::Lower,
            depth,
            best,
            evaluation: Value::from_score(-123),
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1);
        table.store(12345, entry(3, Some(9)));
        assert_eq!(table.probe(12345), Some(entry(3, Some(9))));
        assert_eq!(table.probe(12346), None);
        // Without a best move the old one is kept.
        table.store(12345, entry(5, None));
        assert_eq!(table.probe(12345), Some(entry(5, Some(9))));
        table.age();
        table.clear();
        assert_eq!(table.probe(12345), None);
    }

    #[test]
    fn the_shallowest_entry_gives_way() {
        let table = TranspositionTable::with_buckets(1).unwrap();
        for depth in [4, 2, 7, 5] {
            table.store(u64::from(depth) << 10, entry(depth, None));
        }
        table.store(99 << 10, entry(1, None));
        assert_eq!(table.probe(2 << 10), None);
        assert!(table.probe(7 << 10).is_some());
        assert!(table.probe(99 << 10).is_some());
    }
}
