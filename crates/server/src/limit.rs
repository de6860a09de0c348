//! How often something may be done.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use store::Millis;

/// A number of times in a span of time, for each key: a token bucket.
pub(crate) struct Limit {
    times: f64,
    per_ms: f64,
    buckets: Mutex<HashMap<String, (f64, Millis)>>,
}

impl Limit {
    /// `times` at once, and as many again in `span` milliseconds.
    pub(crate) fn new(times: u32, span: u32) -> Self {
        Self {
            times: f64::from(times),
            per_ms: f64::from(times) / f64::from(span),
            buckets: Mutex::default(),
        }
    }

    /// Whether `key` may do it once more at `now`. If so, it counts.
    pub(crate) fn allow(&self, key: &str, now: Millis) -> bool {
        const MOST_KEYS: usize = 100_000;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_KEYS {
            buckets.retain(|_, bucket| self.level(*bucket, now) < self.times);
        }
        let bucket = buckets.entry(key.to_owned()).or_insert((self.times, now));
        let level = self.level(*bucket, now);
        let is_allowed = level >= 1.0;
        *bucket = (level - f64::from(u8::from(is_allowed)), now);
        is_allowed
    }

    #[expect(clippy::cast_precision_loss, reason = "spans are short")]
    fn level(&self, (level, since): (f64, Millis), now: Millis) -> f64 {
        let gained = now.saturating_sub(since) as f64 * self.per_ms;
        (level + gained).min(self.times)
    }
}

/// What an address counts as: IPv6 networks are given to one customer as a whole.
/// `None` for this machine itself.
pub(crate) fn address_key(address: IpAddr) -> Option<String> {
    let address = address.to_canonical();
    if address.is_loopback() {
        return None;
    }
    Some(match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Limit, address_key};

    #[test]
    fn a_limit_refills() {
        let limit = Limit::new(2, 1_000);
        assert!(limit.allow("a", 0) && limit.allow("a", 0));
        assert!(!limit.allow("a", 0));
        assert!(limit.allow("b", 0));
        assert!(!limit.allow("a", 499));
        assert!(limit.allow("a", 999));
        assert!(!limit.allow("a", 999));
    }

    #[test]
    fn addresses_count_by_network() {
        let key = |text: &str| address_key(text.parse().unwrap());
        assert_eq!(key("127.0.0.1"), None);
        assert_eq!(key("::ffff:127.0.0.1"), None);
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
    }
}
