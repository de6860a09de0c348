//! Something that is to happen later.

use std::time::Duration;

use leptos::prelude::*;

/// At most one thing that is to happen later, unless it is called off.
#[derive(Clone, Copy)]
pub(crate) struct Later(StoredValue<Option<TimeoutHandle>>);

impl Later {
    /// Nothing is to happen yet.
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(None))
    }

    /// Does `f` after some milliseconds, instead of what was to happen before.
    pub(crate) fn start(self, milliseconds: u64, f: impl FnOnce() + 'static) {
        self.stop();
        let handle = set_timeout_with_handle(f, Duration::from_millis(milliseconds));
        self.0.set_value(handle.ok());
    }

    /// Calls off what was to happen.
    pub(crate) fn stop(self) {
        // Whoever is gone has nothing to call off.
        self.0.try_update_value(|handle| {
            if let Some(handle) = handle.take() {
                handle.clear();
            }
        });
    }
}
