use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

/// The time since the first call.
pub(crate) fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
