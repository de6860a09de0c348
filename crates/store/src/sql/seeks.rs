use std::collections::{HashMap, HashSet};

use super::{
    matches,
    tx::{Result, Row, Tx, all, one, values},
};
use crate::{
    MakeMatch, MatchId, Millis, Pairing, PlayerId, ProfileKind, SILENT_AFTER, Seek, ServerId,
    Sought, USUAL_OF,
    seek::{WIDENING, WINDOW, median},
};

/// A waiting player.
#[derive(Clone, Debug)]
struct Waiting {
    player: PlayerId,
    node: ServerId,
    since: Millis,
}

fn read_waiting(row: &mut Row) -> Result<Waiting> {
    Ok(Waiting {
        player: row.take()?,
        node: row.take()?,
        since: row.take()?,
    })
}

pub(super) async fn seek(tx: &mut dyn Tx, seek: &Seek, make: &MakeMatch) -> Result<Sought> {
    let player = &seek.player;
    // Also locks the row, so that nobody else pairs this player meanwhile.
    let upsert = "INSERT INTO seeks (player, node, since) VALUES ($1, $2, $3)
        ON CONFLICT (player) DO UPDATE SET node = excluded.node";
    tx.execute(upsert, values![player, &seek.node, seek.now])
        .await?;
    let select = "SELECT match_id, since FROM seeks WHERE player = $1";
    let read = |row: &mut Row| Ok((row.take()?, row.take()?));
    let row = one(tx.query(select, values![player]).await?, read)?;
    let (paired, since) = row.unwrap_or((None, seek.now));
    if let Some(id) = paired {
        forget(tx, player).await?;
        return Ok(Sought::AlreadyPaired(id));
    }
    let delete = "DELETE FROM seek_pools WHERE player = $1";
    tx.execute(delete, values![player]).await?;
    for (place, entry) in seek.pools.iter().enumerate() {
        let insert = "INSERT INTO seek_pools (player, pool, place, rating)
            VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
        let parameters = values![player, &entry.pool, place, entry.rating];
        tx.execute(insert, parameters).await?;
    }
    let me = Waiting {
        player: player.clone(),
        node: seek.node.clone(),
        since,
    };
    let Some((other, pool)) = best(tx, player, seek.now).await? else {
        return Ok(Sought::Waiting);
    };
    let pairing = pair(tx, other, me, pool, seek.now, make).await?;
    forget(tx, player).await?;
    Ok(Sought::Paired(pairing))
}

/// The best opponent for a waiting player, and the pool. Rows that other transactions have locked
/// are skipped: those players are being paired.
async fn best(tx: &mut dyn Tx, player: &str, now: Millis) -> Result<Option<(Waiting, String)>> {
    let select = "SELECT s.player, s.node, s.since, theirs.pool
        FROM seek_pools mine
        JOIN seeks me ON me.player = mine.player
        JOIN seek_pools theirs ON theirs.pool = mine.pool AND theirs.player <> mine.player
        JOIN seeks s ON s.player = theirs.player
        WHERE mine.player = $1 AND s.match_id IS NULL
            AND ABS(mine.rating - theirs.rating)
                <= CAST($3 AS DOUBLE PRECISION) + CAST($4 AS DOUBLE PRECISION)
                    * ($2 - CASE WHEN s.since < me.since THEN s.since ELSE me.since END)
            AND NOT EXISTS (SELECT 1 FROM blocks b
                WHERE (b.player = mine.player AND b.other = theirs.player)
                    OR (b.player = theirs.player AND b.other = mine.player))
        ORDER BY ABS(mine.rating - theirs.rating), s.since, mine.place, s.player
        LIMIT 1 FOR UPDATE OF s SKIP LOCKED";
    let parameters = values![player, now, WINDOW, WIDENING / 1000.0];
    let read = |row: &mut Row| Ok((read_waiting(row)?, row.take()?));
    one(tx.query(select, parameters).await?, read)
}

/// Creates the match of two players. The rows of both stay until their servers collect
/// them, without pools, so that nobody else finds them.
async fn pair(
    tx: &mut dyn Tx,
    one: Waiting,
    other: Waiting,
    pool: String,
    now: Millis,
    make: &MakeMatch,
) -> Result<Pairing> {
    let (waiting, arriving) = if one.since <= other.since {
        (one, other)
    } else {
        (other, one)
    };
    let mut new = make(&pool, &waiting.player, &arriving.player);
    new.rated &= are_rated(tx, [&waiting.player, &arriving.player]).await?;
    matches::create_new_match(tx, &new, None).await?;
    for player in [&waiting.player, &arriving.player] {
        let update = "UPDATE seeks SET match_id = $2 WHERE player = $1";
        tx.execute(update, values![player, &new.id]).await?;
        let delete = "DELETE FROM seek_pools WHERE player = $1";
        tx.execute(delete, values![player]).await?;
    }
    let insert = "INSERT INTO waits (pool, time, waited) VALUES ($1, $2, $3)";
    let waited = now.saturating_sub(waiting.since);
    tx.execute(insert, values![&pool, now, waited]).await?;
    Ok(Pairing {
        id: new.id,
        pool,
        waiting: (waiting.player, waiting.node),
        arriving: (arriving.player, arriving.node),
    })
}

/// Whether both players have accounts, so that their match can be rated.
async fn are_rated(tx: &mut dyn Tx, [one, other]: [&PlayerId; 2]) -> Result<bool> {
    let select = "SELECT kind FROM players WHERE id IN ($1, $2)";
    let kinds: Vec<ProfileKind> = all(tx.query(select, values![one, other]).await?, Row::take)?;
    Ok(kinds.len() == 2 && kinds.into_iter().all(ProfileKind::is_rated))
}

async fn forget(tx: &mut dyn Tx, player: &str) -> Result<()> {
    let delete = "DELETE FROM seek_pools WHERE player = $1";
    tx.execute(delete, values![player]).await?;
    let delete = "DELETE FROM seeks WHERE player = $1";
    tx.execute(delete, values![player]).await?;
    Ok(())
}

pub(super) async fn unseek(tx: &mut dyn Tx, player: &str) -> Result<Option<MatchId>> {
    let delete = "DELETE FROM seeks WHERE player = $1 RETURNING match_id";
    let paired = one(tx.query(delete, values![player]).await?, Row::take)?.flatten();
    let delete = "DELETE FROM seek_pools WHERE player = $1";
    tx.execute(delete, values![player]).await?;
    Ok(paired)
}

pub(super) async fn unseek_on(
    tx: &mut dyn Tx,
    player: &str,
    node: &str,
) -> Result<Option<MatchId>> {
    let delete = "DELETE FROM seeks WHERE player = $1 AND node = $2 RETURNING match_id";
    let paired = one(tx.query(delete, values![player, node]).await?, Row::take)?.flatten();
    let delete = "DELETE FROM seek_pools WHERE player = $1
        AND NOT EXISTS (SELECT 1 FROM seeks s WHERE s.player = $1)";
    tx.execute(delete, values![player]).await?;
    Ok(paired)
}

/// Players that one sweep tries to pair, those who have waited longest.
const MOST_SWEPT: usize = 500;

pub(super) async fn sweep_seeks(
    tx: &mut dyn Tx,
    now: Millis,
    make: &MakeMatch,
) -> Result<Vec<Pairing>> {
    let delete = "DELETE FROM seeks
        WHERE node NOT IN (SELECT id FROM nodes WHERE seen > $1)";
    let silent = now.saturating_sub(SILENT_AFTER);
    if tx.execute(delete, values![silent]).await? > 0 {
        delete_orphans(tx).await?;
    }
    let select = "SELECT player, node, since FROM seeks WHERE match_id IS NULL
        ORDER BY since, player LIMIT $1 FOR UPDATE SKIP LOCKED";
    let waiting = all(tx.query(select, values![MOST_SWEPT]).await?, read_waiting)?;
    let mut pairings = Vec::new();
    let mut paired = HashSet::new();
    for me in waiting {
        if paired.contains(&me.player) {
            continue;
        }
        if let Some((other, pool)) = best(tx, &me.player, now).await? {
            paired.insert(other.player.clone());
            pairings.push(pair(tx, other, me, pool, now, make).await?);
        }
    }
    Ok(pairings)
}

/// Deletes the pools of players who don't wait.
pub(super) async fn delete_orphans(tx: &mut dyn Tx) -> Result<()> {
    let delete = "DELETE FROM seek_pools WHERE player NOT IN (SELECT player FROM seeks)";
    tx.execute(delete, &[]).await?;
    Ok(())
}

pub(super) async fn usual_waits(
    tx: &mut dyn Tx,
    pools: &[String],
    after: Millis,
) -> Result<HashMap<String, Millis>> {
    let mut usual = HashMap::new();
    for pool in pools {
        let select = "SELECT waited FROM waits WHERE pool = $1 AND time > $2
            ORDER BY time DESC, waited LIMIT $3";
        let rows = tx.query(select, values![pool, after, USUAL_OF]).await?;
        if let Some(median) = median(all(rows, Row::take)?) {
            usual.insert(pool.clone(), median);
        }
    }
    Ok(usual)
}

pub(super) async fn delete_waits(tx: &mut dyn Tx, before: Millis) -> Result<u64> {
    let delete = "DELETE FROM waits WHERE time < $1";
    tx.execute(delete, values![before]).await
}

pub(super) async fn take_pairings(tx: &mut dyn Tx, node: &str) -> Result<Vec<(PlayerId, MatchId)>> {
    let delete = "DELETE FROM seeks WHERE node = $1 AND match_id IS NOT NULL
        RETURNING player, match_id";
    let read = |row: &mut Row| Ok((row.take()?, row.take()?));
    all(tx.query(delete, values![node]).await?, read)
}
