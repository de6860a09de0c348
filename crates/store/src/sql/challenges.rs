use super::{
    matches,
    tx::{Result, Row, Tx, all, one, values},
};
use crate::{Challenge, ChallengeState, Millis, NewChallenge, NewMatch, StoreError, Take};

macro_rules! select_challenges {
    ($rest:literal) => {
        concat!(
            "SELECT token_hash, challenger, game, options, color, clock, rated, created, expires,
                cancelled, taken_by, match_id
            FROM challenges ",
            $rest
        )
    };
}

fn read_challenge(row: &mut Row, now: Millis) -> Result<Challenge> {
    let offer = NewChallenge {
        token_hash: row.take()?,
        challenger: row.take()?,
        game: row.take()?,
        options: row.take()?,
        color: row.take()?,
        clock: row.take()?,
        rated: row.take()?,
        created: row.take()?,
        expires: row.take()?,
    };
    let is_cancelled: bool = row.take()?;
    let status = match (row.take()?, row.take()?) {
        (Some(by), Some(id)) => ChallengeState::Taken { by, id },
        _ if is_cancelled || offer.expires <= now => ChallengeState::Gone,
        _ => ChallengeState::Open,
    };
    Ok(Challenge { offer, status })
}

pub(super) async fn create_challenge(tx: &mut dyn Tx, new: &NewChallenge) -> Result<()> {
    let insert = "INSERT INTO challenges (token_hash, challenger, game, options, color, clock,
            rated, created, expires, cancelled)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0) ON CONFLICT DO NOTHING";
    let parameters = values![
        &new.token_hash,
        &new.challenger,
        &new.game,
        &new.options,
        &new.color,
        &new.clock,
        new.rated,
        new.created,
        new.expires,
    ];
    tx.execute(insert, parameters).await?;
    Ok(())
}

pub(super) async fn challenge(
    tx: &mut dyn Tx,
    token_hash: &str,
    now: Millis,
) -> Result<Option<Challenge>> {
    let select = select_challenges!("WHERE token_hash = $1");
    let rows = tx.query(select, values![token_hash]).await?;
    one(rows, |row| read_challenge(row, now))
}

pub(super) async fn take_challenge(
    tx: &mut dyn Tx,
    token_hash: &str,
    player: &str,
    now: Millis,
    new: &NewMatch,
) -> Result<Take> {
    let update = "UPDATE challenges SET taken_by = $2, match_id = $3
        WHERE token_hash = $1 AND taken_by IS NULL AND cancelled = 0 AND expires > $4
            AND challenger <> $2";
    let parameters = values![token_hash, player, &new.id, now];
    let is_new = tx.execute(update, parameters).await? == 1;
    if is_new {
        matches::create_new_match(tx, new, None).await?;
    }
    let Some(challenge) = challenge(tx, token_hash, now).await? else {
        return Ok(Take::Unknown);
    };
    let id = match challenge.status {
        ChallengeState::Gone => return Ok(Take::Gone),
        ChallengeState::Open => return Ok(Take::Own),
        ChallengeState::Taken { by, .. } if by != player => return Ok(Take::Taken),
        ChallengeState::Taken { id, .. } => id,
    };
    let head = matches::match_head(tx, &id).await?;
    let seat = head.and_then(|head| head.seat(player));
    let seat = seat.ok_or_else(|| StoreError::Broken(format!("no seat in match {id}")))?;
    Ok(Take::Seated { id, seat, is_new })
}

pub(super) async fn cancel_challenge(
    tx: &mut dyn Tx,
    token_hash: &str,
    player: &str,
) -> Result<bool> {
    let update = "UPDATE challenges SET cancelled = 1
        WHERE token_hash = $1 AND challenger = $2 AND taken_by IS NULL AND cancelled = 0";
    Ok(tx.execute(update, values![token_hash, player]).await? == 1)
}

/// All challenges of a player, the newest first.
pub(super) async fn all_of(tx: &mut dyn Tx, player: &str, now: Millis) -> Result<Vec<Challenge>> {
    let select = select_challenges!("WHERE challenger = $1 ORDER BY created DESC, token_hash");
    let rows = tx.query(select, values![player]).await?;
    all(rows, |row| read_challenge(row, now))
}

pub(super) async fn challenges_of(
    tx: &mut dyn Tx,
    player: &str,
    now: Millis,
) -> Result<Vec<Challenge>> {
    let mut challenges = all_of(tx, player, now).await?;
    challenges.retain(|challenge| challenge.status == ChallengeState::Open);
    Ok(challenges)
}

pub(super) async fn delete_challenges(tx: &mut dyn Tx, expired_before: Millis) -> Result<u64> {
    let delete = "DELETE FROM challenges WHERE expires < $1";
    tx.execute(delete, values![expired_before]).await
}
