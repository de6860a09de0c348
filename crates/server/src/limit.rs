//! Rate limits.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use store::Millis;

/// The largest number of keys; beyond it, new keys are refused.
const MOST_KEYS: usize = 100_000;
const CLEAN_EVERY: Millis = 1_000;

/// A rate limit with a token bucket for each key.
pub(crate) struct Limit {
    times: f64,
    per_ms: f64,
    most_keys: usize,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    levels: HashMap<String, (f64, Millis)>,
    /// When full buckets were last removed.
    cleaned: Millis,
}

impl Limit {
    /// Buckets of `times` tokens, which refill in `span` milliseconds.
    pub(crate) fn new(times: u32, span: u32) -> Self {
        Self {
            times: f64::from(times),
            per_ms: f64::from(times) / f64::from(span),
            most_keys: MOST_KEYS,
            buckets: Mutex::default(),
        }
    }

    /// Takes a token of `key` at `now`. Returns whether there was one.
    pub(crate) fn allow(&self, key: &str, now: Millis) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let Buckets { levels, cleaned } = &mut *buckets;
        if levels.len() >= self.most_keys && !levels.contains_key(key) {
            // A pass over all buckets is slow.
            if now < *cleaned + CLEAN_EVERY {
                return false;
            }
            levels.retain(|_, bucket| self.level(*bucket, now) < self.times);
            *cleaned = now;
            if levels.len() >= self.most_keys {
                return false;
            }
        }
        let bucket = levels.entry(key.to_owned()).or_insert((self.times, now));
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

/// The key of an address for limits: for IPv6 the network, since customers get whole networks.
pub(crate) fn address_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}")
        }
    }
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
    fn a_flood_of_keys_takes_no_memory() {
        let limit = Limit {
            most_keys: 10,
            ..Limit::new(2, 1_000)
        };
        for i in 0..10 {
            assert!(limit.allow(&i.to_string(), 5_000), "{i}");
        }
        assert!(!limit.allow("new", 5_000));
        assert!(limit.allow("3", 5_000));
        assert_eq!(limit.buckets.lock().unwrap().levels.len(), 10);
        // All buckets but one are full again.
        assert!(limit.allow("new", 6_100));
        assert!(limit.buckets.lock().unwrap().levels.len() <= 2);
    }

    #[test]
    fn addresses_count_by_network() {
        let key = |text: &str| address_key(text.parse().unwrap());
        assert_eq!(key("127.0.0.1"), key("::ffff:127.0.0.1"));
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
    }
}
