//! Measures CPU time, which other programs on the machine disturb less than
//! wall-clock time.

use std::time::Duration;

use cpu_time::ProcessTime;

/// Runs `work` at least `n` times and for at least `least` of CPU time, and returns
/// the best rate per second.
///
/// `work` returns the amount of work it did.
pub fn best_rate(n: u32, least: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let start = ProcessTime::now();
    let mut best: f64 = 0.0;
    let mut n_runs = 0;
    while n_runs < n || start.elapsed() < least {
        let run = ProcessTime::now();
        let amount = work();
        best = best.max(amount as f64 / run.elapsed().as_secs_f64());
        n_runs += 1;
    }
    best
}

/// A rate for people: `12.3 M`.
#[must_use]
pub fn readable(rate: f64) -> String {
    let (scaled, unit) = match rate {
        1e9.. => (rate / 1e9, "G"),
        1e6.. => (rate / 1e6, "M"),
        1e3.. => (rate / 1e3, "k"),
        _ => (rate, ""),
    };
    format!("{scaled:.2} {unit}")
}
