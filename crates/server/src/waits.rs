//! How long players usually wait in pools.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use store::{Millis, StoreError};

use crate::hub::Hub;

/// The time that pairings count for.
const RECENT: Millis = 7 * 24 * 60 * 60 * 1000;

/// The time between two looks into the store: everybody in the lobby asks every few seconds.
const READ_EVERY: Millis = 10_000;

/// The usual waits, and when they were read.
#[derive(Debug, Default)]
pub(crate) struct UsualWaits(Mutex<Option<(Millis, BTreeMap<String, Millis>)>>);

impl Hub {
    /// The usual wait in each of these pools, which are always the same; those where nobody was
    /// paired lately are absent.
    pub(crate) async fn usual_waits(
        &self,
        pools: &[String],
    ) -> Result<BTreeMap<String, Millis>, StoreError> {
        let now = self.now();
        let known = self.waits.known();
        if let Some((read, waits)) = known
            && now < read + READ_EVERY
        {
            return Ok(waits);
        }
        let waits = self.store.usual_waits(pools, now.saturating_sub(RECENT));
        let waits: BTreeMap<_, _> = waits.await?.into_iter().collect();
        self.waits.set((now, waits.clone()));
        Ok(waits)
    }

    /// Deletes the waits that don't count any more.
    pub(crate) async fn sweep_waits(&self) -> Result<(), StoreError> {
        let before = self.now().saturating_sub(RECENT);
        self.store.delete_waits(before).await?;
        Ok(())
    }
}

impl UsualWaits {
    fn known(&self) -> Option<(Millis, BTreeMap<String, Millis>)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    fn set(&self, waits: (Millis, BTreeMap<String, Millis>)) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(waits);
    }
}
