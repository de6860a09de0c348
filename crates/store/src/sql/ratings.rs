use protocol::MatchStatus;

use super::tx::{Result, Row, Tx, Value, all, one, values};
use crate::{
    Append, MatchHead, PlayerRating, Profile, ProfileKind, Ranked, Rating, RatingChange,
    rating::PROVISIONAL_ABOVE,
};

fn read_rating(row: &mut Row) -> Result<Rating> {
    Ok(Rating {
        rating: row.take()?,
        deviation: row.take()?,
        volatility: row.take()?,
        n_matches: row.take()?,
        updated: row.take()?,
    })
}

fn read_change(row: &mut Row) -> Result<RatingChange> {
    Ok(RatingChange {
        id: row.take()?,
        player: row.take()?,
        game: row.take()?,
        speed: row.take()?,
        before: row.take()?,
        after: row.take()?,
        deviation: row.take()?,
        time: row.take()?,
    })
}

macro_rules! select_changes {
    ($rest:literal) => {
        concat!(
            "SELECT match_id, player, game, speed, rating_before, rating_after, deviation, time
            FROM rating_changes ",
            $rest
        )
    };
}

/// The changes of both players' ratings by a match, the first player's first.
pub(super) async fn changes_of_match(
    tx: &mut dyn Tx,
    head: &MatchHead,
) -> Result<Vec<RatingChange>> {
    let select = select_changes!("WHERE match_id = $1");
    let mut changes = all(tx.query(select, values![&head.id]).await?, read_change)?;
    changes.sort_by_key(|change| change.player != head.first);
    Ok(changes)
}

pub(super) async fn changes_of_player(tx: &mut dyn Tx, player: &str) -> Result<Vec<RatingChange>> {
    let select = select_changes!("WHERE player = $1 ORDER BY time, match_id");
    all(tx.query(select, values![player]).await?, read_change)
}

/// The last changes of a player's ratings, the oldest of them first.
pub(super) async fn last_changes_of(
    tx: &mut dyn Tx,
    player: &str,
    limit: usize,
) -> Result<Vec<RatingChange>> {
    let select = select_changes!("WHERE player = $1 ORDER BY time DESC, match_id DESC LIMIT $2");
    let rows = tx.query(select, values![player, limit]).await?;
    let mut changes = all(rows, read_change)?;
    changes.reverse();
    Ok(changes)
}

/// Changes the ratings of both players, if the event ends a rated match of accounts.
pub(super) async fn rate(tx: &mut dyn Tx, append: &Append) -> Result<Vec<RatingChange>> {
    let Some(speed) = &append.rated_speed else {
        return Ok(Vec::new());
    };
    if append.head.status != MatchStatus::Over {
        return Ok(Vec::new());
    }
    let select = "SELECT game, first, second FROM matches m WHERE id = $1 AND rated = 1
        AND NOT EXISTS (SELECT 1 FROM rating_changes c WHERE c.match_id = m.id)";
    let read = |row: &mut Row| Ok((row.take()?, [row.take()?, row.take()?]));
    let row = one(tx.query(select, values![&append.id]).await?, read)?;
    let Some((game, players)): Option<(String, [String; 2])> = row else {
        return Ok(Vec::new());
    };
    // The rows of the players lock their ratings, always in the same order to avoid deadlocks.
    let select = "SELECT kind FROM players WHERE id IN ($1, $2) ORDER BY id FOR UPDATE";
    let parameters = values![&players[0], &players[1]];
    let kinds: Vec<ProfileKind> = all(tx.query(select, parameters).await?, Row::take)?;
    if kinds.len() < 2 || !kinds.into_iter().all(ProfileKind::is_rated) {
        return Ok(Vec::new());
    }
    let before = [
        rating(tx, &players[0], &game, speed).await?,
        rating(tx, &players[1], &game, speed).await?,
    ];
    let after = Rating::after_match(before, append.head.result, append.time);
    let mut changes = Vec::new();
    for ((player, before), after) in players.into_iter().zip(before).zip(after) {
        let change = RatingChange {
            id: append.id.clone(),
            player,
            game: game.clone(),
            speed: speed.clone(),
            before: before.rating,
            after: after.rating,
            deviation: after.deviation,
            time: append.time,
        };
        write(tx, &change, after).await?;
        changes.push(change);
    }
    Ok(changes)
}

async fn rating(tx: &mut dyn Tx, player: &str, game: &str, speed: &str) -> Result<Rating> {
    let select = "SELECT rating, deviation, volatility, n_matches, updated FROM ratings
        WHERE player = $1 AND game = $2 AND speed = $3";
    let rows = tx.query(select, values![player, game, speed]).await?;
    Ok(one(rows, read_rating)?.unwrap_or_default())
}

async fn write(tx: &mut dyn Tx, change: &RatingChange, after: Rating) -> Result<()> {
    let upsert = "INSERT INTO ratings
            (player, game, speed, rating, deviation, volatility, n_matches, updated)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (player, game, speed) DO UPDATE SET rating = excluded.rating,
            deviation = excluded.deviation, volatility = excluded.volatility,
            n_matches = excluded.n_matches, updated = excluded.updated";
    let parameters = values![
        &change.player,
        &change.game,
        &change.speed,
        after.rating,
        after.deviation,
        after.volatility,
        after.n_matches,
        after.updated,
    ];
    tx.execute(upsert, parameters).await?;
    let insert = "INSERT INTO rating_changes
            (match_id, player, game, speed, rating_before, rating_after, deviation, time)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let parameters = values![
        &change.id,
        &change.player,
        &change.game,
        &change.speed,
        change.before,
        change.after,
        change.deviation,
        change.time,
    ];
    tx.execute(insert, parameters).await?;
    Ok(())
}

pub(super) async fn leaderboard(
    tx: &mut dyn Tx,
    game: &str,
    speed: &str,
    limit: usize,
) -> Result<Vec<Ranked>> {
    let select = "SELECT p.id, p.name, p.kind, p.created,
            r.rating, r.deviation, r.volatility, r.n_matches, r.updated
        FROM ratings r JOIN players p ON p.id = r.player
        WHERE r.game = $1 AND r.speed = $2 AND r.deviation <= $3
        ORDER BY r.rating DESC, p.id LIMIT $4";
    let parameters = values![game, speed, Value::Real(PROVISIONAL_ABOVE), limit];
    let read = |row: &mut Row| {
        Ok(Ranked {
            profile: Profile {
                id: row.take()?,
                name: row.take()?,
                kind: row.take()?,
                created: row.take()?,
            },
            rating: read_rating(row)?,
        })
    };
    all(tx.query(select, parameters).await?, read)
}

pub(super) async fn n_better(tx: &mut dyn Tx, game: &str, speed: &str, rating: f64) -> Result<u64> {
    let select = "SELECT COUNT(*) FROM ratings
        WHERE game = $1 AND speed = $2 AND deviation <= $3 AND rating > $4";
    let parameters = values![game, speed, Value::Real(PROVISIONAL_ABOVE), rating];
    let n_better = one(tx.query(select, parameters).await?, Row::take)?;
    Ok(n_better.unwrap_or(0))
}

pub(super) async fn ratings_of(tx: &mut dyn Tx, player: &str) -> Result<Vec<PlayerRating>> {
    let select = "SELECT game, speed, rating, deviation, volatility, n_matches, updated
        FROM ratings WHERE player = $1 ORDER BY game, speed";
    let read = |row: &mut Row| {
        Ok(PlayerRating {
            game: row.take()?,
            speed: row.take()?,
            rating: read_rating(row)?,
        })
    };
    all(tx.query(select, values![player]).await?, read)
}
