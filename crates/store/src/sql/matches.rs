use std::collections::HashMap;

use protocol::MatchStatus;

use super::{
    ratings,
    tx::{MOST_IDS, Result, Row, Tx, all, one, places, values},
};
use crate::{
    Append, Appended, BegunMatch, Head, MatchFilter, MatchHead, MatchId, Millis, NewMatch,
    StoreError, StoredEvent, StoredMatch,
};

/// A query for rows that [`read_head`] reads.
macro_rules! select_heads {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT m.id, m.game, m.rules, m.options, m.clock, m.rated, m.first, m.second,
                m.rematch_of, (SELECT r.id FROM matches r WHERE r.rematch_of = m.id),
                m.created, m.ended, m.version, m.at, m.state, m.deadline, m.status, m.result",
            $columns,
            " FROM matches m ",
            $rest
        )
    };
    ($rest:literal) => {
        select_heads!("", $rest)
    };
}
pub(super) use select_heads;

pub(super) fn read_head(row: &mut Row) -> Result<MatchHead> {
    Ok(MatchHead {
        id: row.take()?,
        game: row.take()?,
        rules: row.take()?,
        options: row.take()?,
        clock: row.take()?,
        rated: row.take()?,
        first: row.take()?,
        second: row.take()?,
        rematch_of: row.take()?,
        rematch: row.take()?,
        created: row.take()?,
        ended: row.take()?,
        version: row.take()?,
        head: Head {
            at: row.take()?,
            state: row.take()?,
            deadline: row.take()?,
            status: row.take()?,
            result: row.take()?,
        },
    })
}

pub(super) fn read_event(row: &mut Row) -> Result<StoredEvent> {
    Ok(StoredEvent {
        version: row.take()?,
        cause: row.take()?,
        time: row.take()?,
        body: row.take()?,
    })
}

/// Returns whether neither this match nor another rematch of `rematch_of` was there.
pub(super) async fn create_match(
    tx: &mut dyn Tx,
    new: &NewMatch,
    rematch_of: Option<&MatchId>,
) -> Result<bool> {
    let insert = "INSERT INTO matches (id, game, rules, options, clock, rated, first, second,
            rematch_of, version, at, state, deadline, status, result, created)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12, $13, $14, $15)
        ON CONFLICT DO NOTHING";
    let NewMatch { head, .. } = new;
    let parameters = values![
        &new.id,
        &new.game,
        new.rules,
        &new.options,
        &new.clock,
        new.rated,
        &new.first,
        &new.second,
        rematch_of,
        head.at,
        &head.state,
        head.deadline,
        head.status,
        head.result,
        new.created,
    ];
    Ok(tx.execute(insert, parameters).await? == 1)
}

/// Creates a match that can't be there already.
pub(super) async fn create_new_match(
    tx: &mut dyn Tx,
    new: &NewMatch,
    rematch_of: Option<&MatchId>,
) -> Result<()> {
    if create_match(tx, new, rematch_of).await? {
        Ok(())
    } else {
        Err(StoreError::not_new(&new.id))
    }
}

pub(super) async fn match_head(tx: &mut dyn Tx, id: &str) -> Result<Option<MatchHead>> {
    let select = select_heads!("WHERE m.id = $1");
    one(tx.query(select, values![id]).await?, read_head)
}

pub(super) async fn load_match(tx: &mut dyn Tx, id: &str) -> Result<Option<StoredMatch>> {
    let select = select_heads!(", m.record", "WHERE m.id = $1");
    let read = |row: &mut Row| Ok((read_head(row)?, row.take()?));
    let Some((head, record)) = one(tx.query(select, values![id]).await?, read)? else {
        return Ok(None);
    };
    let rating_changes = if head.rated && head.ended.is_some() {
        ratings::changes_of_match(tx, &head).await?
    } else {
        Vec::new()
    };
    Ok(Some(StoredMatch {
        head,
        events: events_after(tx, id, 0).await?,
        record,
        rating_changes,
    }))
}

pub(super) async fn events_after(
    tx: &mut dyn Tx,
    id: &str,
    version: u64,
) -> Result<Vec<StoredEvent>> {
    let select = "SELECT version, cause, time, body FROM events
        WHERE match_id = $1 AND version > $2 ORDER BY version";
    all(tx.query(select, values![id, version]).await?, read_event)
}

/// The event goes first: the keys of its table let one writer win, and a writer that loses
/// has nothing to undo.
pub(super) async fn append(tx: &mut dyn Tx, append: &Append) -> Result<Appended> {
    let Append {
        id, version, head, ..
    } = append;
    let insert = "INSERT INTO events (match_id, version, cause, time, body)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    let parameters = values![
        id,
        *version,
        append.cause.as_ref(),
        append.time,
        &append.body
    ];
    if tx.execute(insert, parameters).await? == 0 {
        let select = "SELECT version FROM events WHERE match_id = $1 AND cause = $2";
        let rows = tx.query(select, values![id, append.cause.as_ref()]).await?;
        let repeated = one(rows, Row::take)?.map(|version| Appended::Repeated { version });
        return Ok(repeated.unwrap_or(Appended::Stale));
    }
    let update = "UPDATE matches SET version = $2, at = $4, state = $5, deadline = $6,
            status = $7, result = $8, record = COALESCE($9, record),
            ended = COALESCE(ended, $10)
        WHERE id = $1 AND version = $3";
    let is_ended = head.status != MatchStatus::Playing;
    let parameters = values![
        id,
        *version,
        version.saturating_sub(1),
        head.at,
        &head.state,
        head.deadline,
        head.status,
        head.result,
        append.record.as_ref(),
        is_ended.then_some(append.time),
    ];
    if *version == 0 || tx.execute(update, parameters).await? == 0 {
        let delete = "DELETE FROM events WHERE match_id = $1 AND version = $2";
        tx.execute(delete, values![id, *version]).await?;
        return Ok(Appended::Stale);
    }
    if let Some(rematch) = &append.rematch {
        create_new_match(tx, rematch, Some(id)).await?;
    }
    Ok(Appended::Done {
        rating_changes: ratings::rate(tx, append).await?,
    })
}

pub(super) async fn versions(tx: &mut dyn Tx, ids: &[MatchId]) -> Result<HashMap<MatchId, u64>> {
    let mut versions = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(MOST_IDS) {
        let (places, parameters) = places(chunk);
        let select = format!("SELECT id, version FROM matches WHERE id IN ({places})");
        for mut row in tx.query(&select, &parameters).await? {
            versions.insert(row.take()?, row.take()?);
        }
    }
    Ok(versions)
}

pub(super) async fn due(tx: &mut dyn Tx, now: u64, limit: usize) -> Result<Vec<MatchId>> {
    let select = "SELECT id FROM matches WHERE status = 'playing' AND deadline IS NOT NULL
        AND deadline <= $1 ORDER BY deadline, id LIMIT $2";
    all(tx.query(select, values![now, limit]).await?, Row::take)
}

pub(super) async fn matches_of(
    tx: &mut dyn Tx,
    player: &str,
    filter: MatchFilter,
    before: Option<&String>,
    limit: usize,
) -> Result<Vec<MatchHead>> {
    let created = match before {
        Some(id) => {
            let select = "SELECT created FROM matches WHERE id = $1";
            one(tx.query(select, values![id]).await?, Row::take)?.unwrap_or(0)
        }
        None => u64::MAX,
    };
    let before = before.map_or("", String::as_str);
    let parameters = values![player, created, before, limit];
    let select = match filter {
        MatchFilter::All => select_heads!(
            "WHERE (m.first = $1 OR m.second = $1)
                AND (m.created < $2 OR (m.created = $2 AND m.id < $3))
                ORDER BY m.created DESC, m.id DESC LIMIT $4"
        ),
        MatchFilter::Playing => select_heads!(
            "WHERE (m.first = $1 OR m.second = $1) AND m.status = 'playing'
                AND (m.created < $2 OR (m.created = $2 AND m.id < $3))
                ORDER BY m.created DESC, m.id DESC LIMIT $4"
        ),
        MatchFilter::Ended => select_heads!(
            "WHERE (m.first = $1 OR m.second = $1) AND m.status <> 'playing'
                AND (m.created < $2 OR (m.created = $2 AND m.id < $3))
                ORDER BY m.created DESC, m.id DESC LIMIT $4"
        ),
    };
    all(tx.query(select, parameters).await?, read_head)
}

pub(super) async fn begun_after(tx: &mut dyn Tx, created_after: Millis) -> Result<Vec<BegunMatch>> {
    let select = "SELECT m.id, m.first, m.second, c.taken_by
        FROM matches m LEFT JOIN challenges c ON c.match_id = m.id
        WHERE m.status = 'playing' AND m.created > $1";
    let read = |row: &mut Row| {
        Ok(BegunMatch {
            id: row.take()?,
            first: row.take()?,
            second: row.take()?,
            taken_by: row.take()?,
        })
    };
    all(tx.query(select, values![created_after]).await?, read)
}

pub(super) async fn live_matches(
    tx: &mut dyn Tx,
    active_after: Millis,
    limit: usize,
) -> Result<Vec<MatchHead>> {
    let select = select_heads!(
        "WHERE m.status = 'playing' AND (m.deadline IS NOT NULL OR m.created > $1 OR EXISTS (
            SELECT 1 FROM events e
            WHERE e.match_id = m.id AND e.version = m.version AND e.time > $1
        )) ORDER BY m.created DESC, m.id DESC LIMIT $2"
    );
    let rows = tx.query(select, values![active_after, limit]).await?;
    all(rows, read_head)
}
