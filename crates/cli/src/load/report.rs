use std::{io::Write, time::Duration};

use hdrhistogram::Histogram;
use serde_json::{Value, json};

use super::{pair::LoadTally, verify::Audit};

/// Everything that was measured.
pub(super) struct LoadReport {
    pub(super) n_matches: u32,
    pub(super) n_sockets: usize,
    pub(super) length: Duration,
    pub(super) tally: LoadTally,
    pub(super) audit: Audit,
}

fn milliseconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1_000.0
}

/// The quantiles of a table, and their names in JSON.
const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

fn quantiles(histogram: &Histogram<u64>) -> impl Iterator<Item = (&'static str, f64)> {
    QUANTILES.into_iter().map(|(name, quantile)| {
        let value = histogram.value_at_quantile(quantile);
        (name, milliseconds(value.min(histogram.max())))
    })
}

fn quantiles_json(histogram: &Histogram<u64>) -> Value {
    quantiles(histogram)
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

impl LoadReport {
    /// What the server did wrong; `None` if nothing.
    pub(super) fn problem(&self) -> Option<String> {
        let Audit {
            n_lost,
            n_doubled,
            n_wrong_views,
            ..
        } = self.audit;
        let n_wrong_events = self.tally.n_wrong_events;
        let n_unanswered = self.tally.n_unanswered;
        let is_right = n_lost + n_doubled + n_wrong_views + n_wrong_events + n_unanswered == 0;
        (!is_right).then(|| {
            format!(
                "{n_lost} turns lost, {n_doubled} moves nobody played, {n_wrong_views} sockets \
                 with a wrong position, {n_wrong_events} wrong events, {n_unanswered} turns \
                 without an answer"
            )
        })
    }

    pub(super) fn print(&self, is_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        if is_json {
            return Ok(writeln!(out, "{}", self.to_json())?);
        }
        let LoadTally {
            to_opponent,
            to_ok,
            n_ok,
            refused,
            n_broken,
            n_skipped,
            ..
        } = &self.tally;
        let seconds = self.length.as_secs_f64();
        writeln!(
            out,
            "{} matches at a time, {} sockets, {seconds} s: {n_ok} turns, {:.1} a second",
            self.n_matches,
            self.n_sockets,
            *n_ok as f64 / seconds
        )?;
        writeln!(
            out,
            "\nms                      p50      p99    p99.9      max"
        )?;
        for (name, histogram) in [("turn to opponent", to_opponent), ("turn to ok", to_ok)] {
            write!(out, "{name:18}")?;
            for (_, value) in quantiles(histogram) {
                write!(out, "{value:9.2}")?;
            }
            writeln!(out)?;
        }
        let n_refused: u64 = refused.values().sum();
        writeln!(
            out,
            "\nok {n_ok}, refused {n_refused}, connections broken {n_broken}"
        )?;
        for (why, n) in refused {
            writeln!(out, "refused: {why} {n}")?;
        }
        if *n_skipped > 0 {
            writeln!(out, "{n_skipped} turns skipped between two matches")?;
        }
        let audit = &self.audit;
        writeln!(
            out,
            "{} matches verified: {} turns stored, {} lost, {} moves nobody played, {} sockets \
             with a wrong position, {} wrong events",
            audit.n_matches,
            audit.n_stored,
            audit.n_lost,
            audit.n_doubled,
            audit.n_wrong_views,
            self.tally.n_wrong_events
        )?;
        Ok(())
    }

    fn to_json(&self) -> Value {
        let (tally, audit) = (&self.tally, &self.audit);
        json!({
            "matches": self.n_matches,
            "sockets": self.n_sockets,
            "seconds": self.length.as_secs(),
            "ok": tally.n_ok,
            "refused": tally.refused,
            "broken": tally.n_broken,
            "skipped": tally.n_skipped,
            "unanswered": tally.n_unanswered,
            "to_opponent_ms": quantiles_json(&tally.to_opponent),
            "to_ok_ms": quantiles_json(&tally.to_ok),
            "verified": audit.n_matches,
            "stored": audit.n_stored,
            "lost": audit.n_lost,
            "doubled": audit.n_doubled,
            "wrong_views": audit.n_wrong_views,
            "wrong_events": tally.n_wrong_events,
        })
    }
}
