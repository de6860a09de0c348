//! The tables, as numbered additive migrations: a running server of an older version keeps
//! working while a newer one starts.

use super::tx::{Result, Row, Tx, one, values};

/// The migrations, numbered from 1. A released one never changes.
const MIGRATIONS: &[&[&str]] = &[FIRST, SECOND, THIRD, FOURTH];

/// Finds the challenge of a match.
const FOURTH: &[&str] =
    &["CREATE INDEX challenges_match ON challenges (match_id) WHERE match_id IS NOT NULL"];

/// Adds how long players waited in pools, without saying who.
const THIRD: &[&str] = &[
    "CREATE TABLE waits (pool TEXT NOT NULL, time BIGINT NOT NULL, waited BIGINT NOT NULL)",
    "CREATE INDEX waits_pool ON waits (pool, time)",
    "CREATE INDEX waits_time ON waits (time)",
];

/// Adds the last use of sessions; null for sessions that an older server creates.
const SECOND: &[&str] = &[
    "ALTER TABLE sessions ADD COLUMN seen BIGINT",
    "CREATE INDEX sessions_seen ON sessions ((COALESCE(seen, created)))",
    "CREATE INDEX players_guests ON players (created) WHERE kind = 'guest'",
];

const FIRST: &[&str] = &[
    "CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        rules BIGINT NOT NULL,
        options TEXT NOT NULL,
        clock TEXT NOT NULL,
        rated BIGINT NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        rematch_of TEXT UNIQUE,
        version BIGINT NOT NULL,
        at BIGINT NOT NULL,
        state TEXT NOT NULL,
        deadline BIGINT,
        status TEXT NOT NULL,
        result TEXT NOT NULL,
        record TEXT,
        created BIGINT NOT NULL,
        ended BIGINT
    )",
    "CREATE INDEX matches_first ON matches (first, created)",
    "CREATE INDEX matches_second ON matches (second, created)",
    "CREATE INDEX matches_due ON matches (deadline)
        WHERE status = 'playing' AND deadline IS NOT NULL",
    "CREATE INDEX matches_live ON matches (created) WHERE status = 'playing'",
    "CREATE TABLE events (
        match_id TEXT NOT NULL,
        version BIGINT NOT NULL,
        cause TEXT,
        time BIGINT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (match_id, version),
        UNIQUE (match_id, cause)
    )",
    "CREATE TABLE players (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        created BIGINT NOT NULL
    )",
    // A separate table, so that a taken name is seen in the count of inserted rows, not as an
    // error.
    "CREATE TABLE names (name_key TEXT PRIMARY KEY, player TEXT NOT NULL)",
    "CREATE TABLE logins (player TEXT PRIMARY KEY, password_hash TEXT NOT NULL)",
    "CREATE TABLE recovery_codes (
        player TEXT NOT NULL,
        recovery_hash TEXT NOT NULL,
        PRIMARY KEY (player, recovery_hash)
    )",
    "CREATE TABLE sessions (
        token_hash TEXT PRIMARY KEY,
        player TEXT NOT NULL,
        kind TEXT NOT NULL,
        created BIGINT NOT NULL
    )",
    "CREATE INDEX sessions_player ON sessions (player)",
    "CREATE TABLE blocks (
        player TEXT NOT NULL,
        other TEXT NOT NULL,
        PRIMARY KEY (player, other)
    )",
    "CREATE INDEX blocks_other ON blocks (other)",
    "CREATE TABLE challenges (
        token_hash TEXT PRIMARY KEY,
        challenger TEXT NOT NULL,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        color TEXT NOT NULL,
        clock TEXT NOT NULL,
        rated BIGINT NOT NULL,
        created BIGINT NOT NULL,
        expires BIGINT NOT NULL,
        cancelled BIGINT NOT NULL,
        taken_by TEXT,
        match_id TEXT
    )",
    "CREATE INDEX challenges_challenger ON challenges (challenger)",
    "CREATE INDEX challenges_expires ON challenges (expires)",
    // Pairing locks one row per player, which has the match once they are paired.
    "CREATE TABLE seeks (
        player TEXT PRIMARY KEY,
        node TEXT NOT NULL,
        since BIGINT NOT NULL,
        match_id TEXT
    )",
    "CREATE INDEX seeks_node ON seeks (node)",
    "CREATE TABLE seek_pools (
        player TEXT NOT NULL,
        pool TEXT NOT NULL,
        place BIGINT NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (player, pool)
    )",
    "CREATE INDEX seek_pools_pool ON seek_pools (pool)",
    "CREATE TABLE nodes (id TEXT PRIMARY KEY, seen BIGINT NOT NULL)",
    "CREATE TABLE presence (
        match_id TEXT NOT NULL,
        seat TEXT NOT NULL,
        node TEXT NOT NULL,
        PRIMARY KEY (match_id, seat, node)
    )",
    "CREATE INDEX presence_node ON presence (node)",
    "CREATE TABLE ratings (
        player TEXT NOT NULL,
        game TEXT NOT NULL,
        speed TEXT NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL,
        volatility DOUBLE PRECISION NOT NULL,
        n_matches BIGINT NOT NULL,
        updated BIGINT NOT NULL,
        PRIMARY KEY (player, game, speed)
    )",
    "CREATE INDEX ratings_best ON ratings (game, speed, rating)",
    "CREATE TABLE rating_changes (
        match_id TEXT NOT NULL,
        player TEXT NOT NULL,
        game TEXT NOT NULL,
        speed TEXT NOT NULL,
        rating_before DOUBLE PRECISION NOT NULL,
        rating_after DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL,
        time BIGINT NOT NULL,
        PRIMARY KEY (match_id, player)
    )",
    "CREATE INDEX rating_changes_player ON rating_changes (player, time)",
];

/// Runs the migrations that are missing in the database. The caller holds a lock.
pub(crate) async fn migrate(tx: &mut dyn Tx) -> Result<()> {
    tx.execute(
        "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)",
        &[],
    )
    .await?;
    let rows = tx.query("SELECT MAX(number) FROM migrations", &[]).await?;
    let last: Option<u64> = one(rows, Row::take)?.flatten();
    let pending = (1..).zip(MIGRATIONS).filter(|(n, _)| Some(*n) > last);
    for (number, statements) in pending {
        for statement in *statements {
            tx.execute(statement, &[]).await?;
        }
        let insert = "INSERT INTO migrations (number) VALUES ($1)";
        tx.execute(insert, values![number]).await?;
    }
    Ok(())
}
