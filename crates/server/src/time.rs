//! The store's time line, as this node estimates it.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use store::{Millis, Store, StoreError};

/// The time of the store: a monotonic clock with an offset that is measured periodically.
pub(crate) struct StoreClock {
    origin: Instant,
    /// The offset to add to the time since `origin`.
    offset: AtomicI64,
}

fn millis(ms: u128) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

impl StoreClock {
    pub(crate) fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            origin: Instant::now(),
            offset: AtomicI64::new(millis(now.unwrap_or_default().as_millis())),
        }
    }

    pub(crate) fn now(&self) -> Millis {
        let since = millis(self.origin.elapsed().as_millis());
        u64::try_from(since + self.offset.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Measures the offset to the store's time. Slow answers are ignored, as they are inaccurate.
    pub(crate) async fn measure(&self, store: &dyn Store) -> Result<(), StoreError> {
        const SLOW: i64 = 500;
        let before = millis(self.origin.elapsed().as_millis());
        let now = store.now().await?;
        let after = millis(self.origin.elapsed().as_millis());
        if after - before < SLOW {
            let now = i64::try_from(now).unwrap_or(i64::MAX);
            self.offset
                .store(now - (before + after) / 2, Ordering::Relaxed);
        }
        Ok(())
    }
}
