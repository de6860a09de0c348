use std::time::{SystemTime, UNIX_EPOCH};

use crate::Millis;

/// The time of the system clock.
pub(crate) fn system_now() -> Millis {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    elapsed.map_or(0, |elapsed| {
        Millis::try_from(elapsed.as_millis()).unwrap_or(Millis::MAX)
    })
}
