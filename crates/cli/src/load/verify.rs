//! Whether the server has what it acknowledged, and showed what it has.

use client::Api;
use protocol::MatchInfo;

use super::pair::{Pair, Played};

/// Faults found in the matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Audit {
    pub(super) n_matches: u64,
    /// Turns that were acknowledged and are in the record of their match.
    pub(super) n_stored: u64,
    /// Turns that were acknowledged and are not, or not where the server said.
    pub(super) n_lost: u64,
    /// Turns that are in a record and were not played, or were once.
    pub(super) n_doubled: u64,
    /// Sockets that were last shown another version or position than the server has.
    pub(super) n_wrong_views: u64,
}

impl Audit {
    pub(super) fn add(&mut self, other: Self) {
        self.n_matches += other.n_matches;
        self.n_stored += other.n_stored;
        self.n_lost += other.n_lost;
        self.n_doubled += other.n_doubled;
        self.n_wrong_views += other.n_wrong_views;
    }
}

/// Compares the matches of a pair with the server's.
pub(super) async fn verify(api: &Api, pair: Pair) -> anyhow::Result<Audit> {
    let mut audit = Audit::default();
    for played in pair.into_played() {
        audit.add(verify_match(api, &played).await?);
    }
    Ok(audit)
}

async fn verify_match(api: &Api, played: &Played) -> anyhow::Result<Audit> {
    let path = format!("/api/matches/{}", played.g);
    let info: MatchInfo = api.get(&path).await?.parse()?;
    let answer = api.get(&format!("{path}/record")).await?;
    let mut record = played.game.read_file(&answer.body)?;
    while record.redo().is_some() {}
    let stored = record.moves();

    let mut rest = stored.as_slice();
    let mut audit = Audit {
        n_matches: 1,
        ..Audit::default()
    };
    for m in played.acknowledged.values() {
        match rest.strip_prefix(m.as_slice()) {
            Some(after) => {
                audit.n_stored += 1;
                rest = after;
            }
            None => audit.n_lost += 1,
        }
    }
    let in_doubt = played.in_doubt.as_deref();
    if let Some(after) = in_doubt.and_then(|m| rest.strip_prefix(m)) {
        rest = after;
    }
    audit.n_doubled = rest.len() as u64;
    let is_wrong = |shown: &&super::pair::Shown| {
        record.position() != shown.fen || info.fen != shown.fen || info.version != shown.v
    };
    audit.n_wrong_views = played.shown.iter().filter(is_wrong).count() as u64;
    Ok(audit)
}
