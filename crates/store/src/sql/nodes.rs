use protocol::Seat;

use super::{
    seeks,
    tx::{MOST_IDS, Result, Row, Tx, all, places, values},
};
use crate::{MatchId, Millis, Presence, SILENT_AFTER, ServerNode};

pub(super) async fn beat(tx: &mut dyn Tx, node: &str, now: Millis) -> Result<()> {
    let upsert = "INSERT INTO nodes (id, seen) VALUES ($1, $2)
        ON CONFLICT (id) DO UPDATE SET seen = excluded.seen";
    tx.execute(upsert, values![node, now]).await?;
    Ok(())
}

pub(super) async fn nodes(tx: &mut dyn Tx) -> Result<Vec<ServerNode>> {
    let read = |row: &mut Row| {
        Ok(ServerNode {
            id: row.take()?,
            seen: row.take()?,
        })
    };
    let select = "SELECT id, seen FROM nodes ORDER BY id";
    all(tx.query(select, &[]).await?, read)
}

pub(super) async fn remove_node(tx: &mut dyn Tx, node: &str) -> Result<()> {
    for delete in [
        "DELETE FROM nodes WHERE id = $1",
        "DELETE FROM presence WHERE node = $1",
        "DELETE FROM seeks WHERE node = $1",
    ] {
        tx.execute(delete, values![node]).await?;
    }
    seeks::delete_orphans(tx).await
}

pub(super) async fn set_presence(tx: &mut dyn Tx, id: &str, seat: Seat, node: &str) -> Result<()> {
    let insert = "INSERT INTO presence (match_id, seat, node) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING";
    tx.execute(insert, values![id, seat, node]).await?;
    Ok(())
}

pub(super) async fn remove_presence(
    tx: &mut dyn Tx,
    id: &str,
    seat: Seat,
    node: &str,
) -> Result<()> {
    let delete = "DELETE FROM presence WHERE match_id = $1 AND seat = $2 AND node = $3";
    tx.execute(delete, values![id, seat, node]).await?;
    Ok(())
}

fn read_presence(row: &mut Row) -> Result<Presence> {
    Ok(Presence {
        id: row.take()?,
        seat: row.take()?,
        node: row.take()?,
    })
}

pub(super) async fn presence(tx: &mut dyn Tx, ids: &[MatchId]) -> Result<Vec<Presence>> {
    let mut found = Vec::new();
    for chunk in ids.chunks(MOST_IDS) {
        let (places, parameters) = places(chunk);
        let select = format!(
            "SELECT match_id, seat, node FROM presence WHERE match_id IN ({places})
            ORDER BY match_id, seat, node"
        );
        found.extend(all(tx.query(&select, &parameters).await?, read_presence)?);
    }
    Ok(found)
}

pub(super) async fn silent_presence(tx: &mut dyn Tx, now: Millis) -> Result<Vec<Presence>> {
    let select = "SELECT match_id, seat, node FROM presence
        WHERE node NOT IN (SELECT id FROM nodes WHERE seen > $1)
        ORDER BY match_id, seat, node";
    let silent = now.saturating_sub(SILENT_AFTER);
    all(tx.query(select, values![silent]).await?, read_presence)
}
