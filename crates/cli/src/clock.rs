use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

/// The time since this was asked first.
pub(crate) fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
