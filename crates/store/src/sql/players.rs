use std::collections::{HashMap, HashSet};

use super::{
    challenges,
    matches::{read_event, read_head, select_heads},
    ratings,
    tx::{MOST_IDS, Result, Row, Tx, all, one, places, values},
};
use crate::{
    Export, ExportedMatch, ExportedSession, Login, MatchId, Millis, NewAccount, PlayerId, Profile,
    ProfileKind, Registered, Session, SessionKind, StoredEvent, player::name_key,
};

fn read_profile(row: &mut Row) -> Result<Profile> {
    Ok(Profile {
        id: row.take()?,
        name: row.take()?,
        kind: row.take()?,
        created: row.take()?,
    })
}

pub(super) async fn create_guest(tx: &mut dyn Tx, id: &str, name: &str, now: Millis) -> Result<()> {
    let insert = "INSERT INTO players (id, name, kind, created) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING";
    let parameters = values![id, name, ProfileKind::Guest, now];
    tx.execute(insert, parameters).await?;
    Ok(())
}

pub(super) async fn make_account(tx: &mut dyn Tx, new: &NewAccount) -> Result<Registered> {
    let kind = if new.is_bot {
        ProfileKind::Bot
    } else {
        ProfileKind::Account
    };
    let select = "SELECT kind FROM players WHERE id = $1 FOR UPDATE";
    let old: Option<ProfileKind> = one(tx.query(select, values![&new.id]).await?, Row::take)?;
    if old.is_some_and(|old| old != ProfileKind::Guest) {
        return Ok(Registered::NotAGuest);
    }
    let take_name = "INSERT INTO names (name_key, player) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    let parameters = values![&name_key(&new.name), &new.id];
    if tx.execute(take_name, parameters).await? == 0 {
        return Ok(Registered::NameTaken);
    }
    let upsert = "INSERT INTO players (id, name, kind, created) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind
        WHERE players.kind = 'guest'";
    let parameters = values![&new.id, &new.name, kind, new.now];
    if tx.execute(upsert, parameters).await? == 0 {
        // Another request made an account of the same new player meanwhile.
        let delete = "DELETE FROM names WHERE name_key = $1";
        tx.execute(delete, values![&name_key(&new.name)]).await?;
        return Ok(Registered::NotAGuest);
    }
    if let Some(hash) = &new.password_hash {
        let insert = "INSERT INTO logins (player, password_hash) VALUES ($1, $2)";
        tx.execute(insert, values![&new.id, hash]).await?;
    }
    for hash in &new.recovery_hashes {
        let insert = "INSERT INTO recovery_codes (player, recovery_hash) VALUES ($1, $2)
            ON CONFLICT DO NOTHING";
        tx.execute(insert, values![&new.id, hash]).await?;
    }
    Ok(Registered::Done)
}

pub(super) async fn player(tx: &mut dyn Tx, id: &str) -> Result<Option<Profile>> {
    let select = "SELECT id, name, kind, created FROM players WHERE id = $1";
    one(tx.query(select, values![id]).await?, read_profile)
}

pub(super) async fn players(tx: &mut dyn Tx, ids: &[PlayerId]) -> Result<Vec<Profile>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(MOST_IDS) {
        let (places, parameters) = places(chunk);
        let select = format!("SELECT id, name, kind, created FROM players WHERE id IN ({places})");
        found.extend(all(tx.query(&select, &parameters).await?, read_profile)?);
    }
    Ok(found)
}

pub(super) async fn player_by_name(tx: &mut dyn Tx, name: &str) -> Result<Option<Profile>> {
    let select = "SELECT p.id, p.name, p.kind, p.created
        FROM names n JOIN players p ON p.id = n.player WHERE n.name_key = $1";
    one(
        tx.query(select, values![&name_key(name)]).await?,
        read_profile,
    )
}

pub(super) async fn login(tx: &mut dyn Tx, name: &str) -> Result<Option<Login>> {
    let select = "SELECT p.id, p.name, p.kind, p.created, l.password_hash
        FROM names n JOIN players p ON p.id = n.player JOIN logins l ON l.player = p.id
        WHERE n.name_key = $1";
    let read = |row: &mut Row| {
        Ok(Login {
            profile: read_profile(row)?,
            password_hash: row.take()?,
        })
    };
    one(tx.query(select, values![&name_key(name)]).await?, read)
}

pub(super) async fn set_password(tx: &mut dyn Tx, id: &str, hash: &str) -> Result<bool> {
    let update = "UPDATE logins SET password_hash = $2 WHERE player = $1";
    Ok(tx.execute(update, values![id, hash]).await? == 1)
}

pub(super) async fn recover(
    tx: &mut dyn Tx,
    id: &str,
    recovery_hash: &str,
    password_hash: &str,
) -> Result<bool> {
    let delete = "DELETE FROM recovery_codes WHERE player = $1 AND recovery_hash = $2";
    let had_code = tx.execute(delete, values![id, recovery_hash]).await? == 1;
    if had_code {
        set_password(tx, id, password_hash).await?;
    }
    Ok(had_code)
}

/// Deletes everything that belongs to a player.
const DELETIONS: &[&str] = &[
    "DELETE FROM names WHERE player = $1",
    "DELETE FROM logins WHERE player = $1",
    "DELETE FROM recovery_codes WHERE player = $1",
    "DELETE FROM sessions WHERE player = $1",
    "DELETE FROM blocks WHERE player = $1 OR other = $1",
    "DELETE FROM challenges WHERE challenger = $1",
    "DELETE FROM seek_pools WHERE player = $1",
    "DELETE FROM seeks WHERE player = $1",
    "DELETE FROM ratings WHERE player = $1",
    "DELETE FROM rating_changes WHERE player = $1",
];

pub(super) async fn delete_player(tx: &mut dyn Tx, id: &str) -> Result<bool> {
    let update =
        "UPDATE players SET name = '', kind = 'deleted' WHERE id = $1 AND kind <> 'deleted'";
    if tx.execute(update, values![id]).await? == 0 {
        return Ok(false);
    }
    for deletion in DELETIONS {
        tx.execute(deletion, values![id]).await?;
    }
    Ok(true)
}

pub(super) async fn export_player(
    tx: &mut dyn Tx,
    id: &str,
    now: Millis,
) -> Result<Option<Export>> {
    let profile = player(tx, id).await?;
    let Some(profile) = profile.filter(|profile| profile.kind != ProfileKind::Deleted) else {
        return Ok(None);
    };
    let select = "SELECT kind, created, COALESCE(seen, created) FROM sessions
        WHERE player = $1 ORDER BY created, COALESCE(seen, created), kind";
    let read = |row: &mut Row| {
        Ok(ExportedSession {
            kind: row.take()?,
            created: row.take()?,
            seen: row.take()?,
        })
    };
    let sessions = all(tx.query(select, values![id]).await?, read)?;
    let select = select_heads!(
        ", m.record",
        "WHERE m.first = $1 OR m.second = $1 ORDER BY m.created DESC, m.id DESC"
    );
    let read = |row: &mut Row| {
        Ok(ExportedMatch {
            head: read_head(row)?,
            record: row.take()?,
            events: Vec::new(),
        })
    };
    let mut matches = all(tx.query(select, values![id]).await?, read)?;
    let mut events = events_of(tx, id).await?;
    for exported in &mut matches {
        exported.events = events.remove(&exported.head.id).unwrap_or_default();
    }
    let select = "SELECT COUNT(*) FROM logins WHERE player = $1";
    let n_logins: Option<u64> = one(tx.query(select, values![id]).await?, Row::take)?;
    let select = "SELECT COUNT(*) FROM recovery_codes WHERE player = $1";
    let n_codes: Option<u64> = one(tx.query(select, values![id]).await?, Row::take)?;
    let select = "SELECT pool FROM seek_pools WHERE player = $1 ORDER BY place";
    Ok(Some(Export {
        profile,
        has_password: n_logins.is_some_and(|n| n > 0),
        n_recovery_codes: n_codes.unwrap_or(0),
        pools: all(tx.query(select, values![id]).await?, Row::take)?,
        sessions,
        matches,
        ratings: ratings::ratings_of(tx, id).await?,
        rating_changes: ratings::changes_of_player(tx, id).await?,
        blocks: blocks(tx, id).await?,
        challenges: challenges::all_of(tx, id, now).await?,
    }))
}

/// The events of all matches of a player.
async fn events_of(tx: &mut dyn Tx, player: &str) -> Result<HashMap<MatchId, Vec<StoredEvent>>> {
    let select = "SELECT e.match_id, e.version, e.cause, e.time, e.body
        FROM events e JOIN matches m ON m.id = e.match_id
        WHERE m.first = $1 OR m.second = $1 ORDER BY e.match_id, e.version";
    let read = |row: &mut Row| Ok((row.take()?, read_event(row)?));
    let mut events: HashMap<MatchId, Vec<StoredEvent>> = HashMap::new();
    for (id, event) in all(tx.query(select, values![player]).await?, read)? {
        events.entry(id).or_default().push(event);
    }
    Ok(events)
}

pub(super) async fn create_session(
    tx: &mut dyn Tx,
    token_hash: &str,
    player: &str,
    kind: SessionKind,
    now: Millis,
) -> Result<()> {
    let insert = "INSERT INTO sessions (token_hash, player, kind, created)
        VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    let parameters = values![token_hash, player, kind, now];
    tx.execute(insert, parameters).await?;
    Ok(())
}

pub(super) async fn session(tx: &mut dyn Tx, token_hash: &str) -> Result<Option<Session>> {
    let select = "SELECT p.id, p.name, p.kind, p.created, s.kind, s.created,
            COALESCE(s.seen, s.created)
        FROM sessions s JOIN players p ON p.id = s.player
        WHERE s.token_hash = $1 AND p.kind <> 'deleted'";
    let read = |row: &mut Row| {
        Ok(Session {
            profile: read_profile(row)?,
            kind: row.take()?,
            created: row.take()?,
            seen: row.take()?,
        })
    };
    one(tx.query(select, values![token_hash]).await?, read)
}

pub(super) async fn delete_session(tx: &mut dyn Tx, token_hash: &str) -> Result<()> {
    let delete = "DELETE FROM sessions WHERE token_hash = $1";
    tx.execute(delete, values![token_hash]).await?;
    Ok(())
}

pub(super) async fn delete_sessions(
    tx: &mut dyn Tx,
    player: &str,
    keep: Option<&String>,
) -> Result<()> {
    let delete = "DELETE FROM sessions WHERE player = $1 AND token_hash <> $2";
    let keep = keep.map_or("", String::as_str);
    tx.execute(delete, values![player, keep]).await?;
    Ok(())
}

pub(super) async fn touch_session(tx: &mut dyn Tx, token_hash: &str, now: Millis) -> Result<bool> {
    let update = "UPDATE sessions SET seen = $2 WHERE token_hash = $1";
    Ok(tx.execute(update, values![token_hash, now]).await? == 1)
}

pub(super) async fn live_sessions(
    tx: &mut dyn Tx,
    token_hashes: &[String],
) -> Result<HashSet<String>> {
    let mut live = HashSet::with_capacity(token_hashes.len());
    for chunk in token_hashes.chunks(MOST_IDS) {
        let (places, parameters) = places(chunk);
        let select = format!("SELECT token_hash FROM sessions WHERE token_hash IN ({places})");
        for mut row in tx.query(&select, &parameters).await? {
            live.insert(row.take()?);
        }
    }
    Ok(live)
}

pub(super) async fn delete_old_sessions(tx: &mut dyn Tx, used_before: Millis) -> Result<u64> {
    let delete = "DELETE FROM sessions
        WHERE COALESCE(seen, created) < $1 AND kind = 'browser'";
    tx.execute(delete, values![used_before]).await
}

/// The condition for an idle guest, besides not having been seen since `$1`.
macro_rules! has_never_played {
    () => {
        "p.kind = 'guest' AND p.created < $1
        AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.first = p.id)
        AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.second = p.id)
        AND NOT EXISTS (SELECT 1 FROM challenges c WHERE c.challenger = p.id)"
    };
}

pub(super) async fn idle_guests(
    tx: &mut dyn Tx,
    seen_before: Millis,
    limit: usize,
) -> Result<Vec<PlayerId>> {
    let select = concat!(
        "SELECT p.id FROM players p WHERE ",
        has_never_played!(),
        " AND NOT EXISTS (SELECT 1 FROM sessions s
            WHERE s.player = p.id AND COALESCE(s.seen, s.created) >= $1)
        ORDER BY p.created, p.id LIMIT $2"
    );
    let rows = tx.query(select, values![seen_before, limit]).await?;
    all(rows, Row::take)
}

pub(super) async fn delete_idle_guest(
    tx: &mut dyn Tx,
    id: &str,
    seen_before: Millis,
) -> Result<bool> {
    // A concurrent use of a session is recorded before the lock, or finds the session gone after
    // it.
    let select = "SELECT COALESCE(seen, created) FROM sessions WHERE player = $1 FOR UPDATE";
    let seen: Vec<Millis> = all(tx.query(select, values![id]).await?, Row::take)?;
    if seen.iter().any(|seen| *seen >= seen_before) {
        return Ok(false);
    }
    let delete = concat!(
        "DELETE FROM players AS p WHERE ",
        has_never_played!(),
        " AND p.id = $2"
    );
    if tx.execute(delete, values![seen_before, id]).await? == 0 {
        return Ok(false);
    }
    for deletion in DELETIONS {
        tx.execute(deletion, values![id]).await?;
    }
    Ok(true)
}

pub(super) async fn block(tx: &mut dyn Tx, player: &str, other: &str) -> Result<()> {
    let insert = "INSERT INTO blocks (player, other) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    tx.execute(insert, values![player, other]).await?;
    Ok(())
}

pub(super) async fn unblock(tx: &mut dyn Tx, player: &str, other: &str) -> Result<()> {
    let delete = "DELETE FROM blocks WHERE player = $1 AND other = $2";
    tx.execute(delete, values![player, other]).await?;
    Ok(())
}

pub(super) async fn blocks(tx: &mut dyn Tx, player: &str) -> Result<Vec<PlayerId>> {
    let select = "SELECT other FROM blocks WHERE player = $1 ORDER BY other";
    all(tx.query(select, values![player]).await?, Row::take)
}

pub(super) async fn is_blocked(tx: &mut dyn Tx, one: &str, other: &str) -> Result<bool> {
    let select = "SELECT player FROM blocks
        WHERE (player = $1 AND other = $2) OR (player = $2 AND other = $1)";
    Ok(!tx.query(select, values![one, other]).await?.is_empty())
}
