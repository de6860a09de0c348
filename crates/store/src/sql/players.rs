use super::{
    challenges,
    matches::{read_head, select_heads},
    ratings,
    tx::{Result, Row, Tx, all, one, values},
};
use crate::{
    Export, ExportedMatch, Login, Millis, NewAccount, PlayerId, Profile, ProfileKind, Registered,
    Session, SessionKind, player::name_key,
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

/// What goes with a player.
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
    let select = "SELECT kind, created FROM sessions WHERE player = $1 ORDER BY created";
    let read = |row: &mut Row| Ok((row.take()?, row.take()?));
    let sessions = all(tx.query(select, values![id]).await?, read)?;
    let select = select_heads!(
        ", m.record",
        "WHERE m.first = $1 OR m.second = $1 ORDER BY m.created DESC, m.id DESC"
    );
    let read = |row: &mut Row| {
        Ok(ExportedMatch {
            head: read_head(row)?,
            record: row.take()?,
        })
    };
    let matches = all(tx.query(select, values![id]).await?, read)?;
    Ok(Some(Export {
        profile,
        sessions,
        matches,
        ratings: ratings::ratings_of(tx, id).await?,
        rating_changes: ratings::changes_of_player(tx, id).await?,
        blocks: blocks(tx, id).await?,
        challenges: challenges::all_of(tx, id, now).await?,
    }))
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
    let select = "SELECT p.id, p.name, p.kind, p.created, s.kind, s.created
        FROM sessions s JOIN players p ON p.id = s.player
        WHERE s.token_hash = $1 AND p.kind <> 'deleted'";
    let read = |row: &mut Row| {
        Ok(Session {
            profile: read_profile(row)?,
            kind: row.take()?,
            created: row.take()?,
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
