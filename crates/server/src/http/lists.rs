use axum::{
    body::Body,
    http::{Response, StatusCode, header},
    response::IntoResponse,
};
use protocol::{
    Leaderboard, LeaderboardRow, Lobby, MatchCard, MatchList, Me, PlayerPage, Pool, RatingInfo,
    RatingPoint, Seat, Seats, Speed,
};
use serde_json::{Value, json as object};
use store::{
    Challenge, ChallengeState, Export, ExportedSession, MatchFilter, MatchHead, PlayerRating,
    Profile, RatingChange,
};

use super::ApiResult;
use crate::{
    error::ApiError,
    live::{seats, whole},
    request::{Caller, json, parameter},
    socket::public,
    terms::{options_json, stored_terms},
};

/// The number of matches on a page of a list.
const PAGE: usize = 24;

/// The number of a player's rating changes in lists and graphs.
const HISTORY: usize = 200;

async fn card(
    caller: &Caller,
    head: &MatchHead,
    player: Option<&str>,
) -> Result<Option<MatchCard>, ApiError> {
    let terms = stored_terms(&head.game, &head.options, &head.clock, head.rated);
    let shown: Option<Value> = serde_json::from_str(&head.head.state).ok();
    let Some((terms, shown)) = terms.zip(shown) else {
        return Ok(None);
    };
    let turn = shown["turn"].as_str().and_then(|turn| turn.parse().ok());
    Ok(Some(MatchCard {
        id: head.id.clone(),
        game: head.game.clone(),
        options: options_json(&terms.options),
        fen: shown["fen"].as_str().unwrap_or_default().to_owned(),
        turn: turn.unwrap_or(Seat::First),
        status: head.head.status,
        result: head.head.result,
        seats: seats(&caller.hub, head).await?,
        seat: player.and_then(|player| head.seat(player)),
        control: terms.control,
        deadline: head.head.deadline,
        rated: head.rated,
        created: head.created,
        ended: head.ended,
    }))
}

async fn cards(
    caller: &Caller,
    heads: &[MatchHead],
    player: Option<&str>,
) -> Result<Vec<MatchCard>, ApiError> {
    let mut cards = Vec::new();
    for head in heads {
        cards.extend(card(caller, head, player).await?);
    }
    Ok(cards)
}

/// The matches of a player, with the changes of their rating.
async fn cards_of(
    caller: &Caller,
    heads: &[MatchHead],
    player: &str,
    changes: &[RatingChange],
) -> Result<Vec<MatchCard>, ApiError> {
    let mut cards = cards(caller, heads, Some(player)).await?;
    for card in &mut cards {
        let mut changes = changes.iter();
        if let Some(change) = changes.find(|change| change.id == card.id)
            && let Some(seat) = card.seat
        {
            let info = card.seats.get_mut(seat);
            info.rating = Some(whole(change.after));
            info.change = Some(whole(change.after) - whole(change.before));
        }
    }
    Ok(cards)
}

fn speed(name: &str) -> Option<Speed> {
    Speed::ALL.into_iter().find(|speed| speed.name() == name)
}

fn rating_point(change: &RatingChange) -> Option<RatingPoint> {
    Some(RatingPoint {
        game: change.game.clone(),
        speed: speed(&change.speed)?,
        rating: whole(change.after),
        time: change.time,
    })
}

fn rating_info(rating: &PlayerRating) -> Option<RatingInfo> {
    Some(RatingInfo {
        game: rating.game.clone(),
        speed: speed(&rating.speed)?,
        rating: whole(rating.rating.rating),
        spread: whole(1.96 * rating.rating.deviation),
        provisional: rating.rating.is_provisional(),
        n: rating.rating.n_matches,
    })
}

async fn ratings(caller: &Caller, player: &str) -> Result<Vec<RatingInfo>, ApiError> {
    let ratings = caller.hub.store.ratings_of(player).await?;
    Ok(ratings.iter().filter_map(rating_info).collect())
}

pub(super) async fn me(caller: &Caller) -> ApiResult {
    const MOST: usize = 100;
    let player = caller.player()?;
    let (store, now) = (&caller.hub.store, caller.hub.now());
    let heads = store
        .matches_of(&player.id, MatchFilter::Playing, None, MOST)
        .await?;
    let mut matches = cards(caller, &heads, Some(&player.id)).await?;
    matches.sort_by_key(|card| {
        (
            card.seat != Some(card.turn),
            card.deadline.unwrap_or(u64::MAX),
        )
    });
    let me = Me {
        player: public(player),
        ratings: ratings(caller, &player.id).await?,
        matches,
        n_challenges: store.challenges_of(&player.id, now).await?.len(),
        blocked: store.blocks(&player.id).await?,
    };
    Ok(json(StatusCode::OK, &me))
}

async fn ended(
    caller: &Caller,
    player: &Profile,
    query: Option<&str>,
) -> Result<Vec<MatchCard>, ApiError> {
    let before = parameter(query, "before");
    let store = &caller.hub.store;
    let heads = store
        .matches_of(&player.id, MatchFilter::Ended, before, PAGE)
        .await?;
    let changes = store.rating_changes_of(&player.id, HISTORY).await?;
    cards_of(caller, &heads, &player.id, &changes).await
}

pub(super) async fn my_matches(caller: &Caller, query: Option<&str>) -> ApiResult {
    let matches = ended(caller, caller.player()?, query).await?;
    Ok(json(StatusCode::OK, &MatchList { matches }))
}

pub(super) async fn lobby(caller: &Caller) -> ApiResult {
    const MOST: usize = 12;
    const HOUR: u64 = 60 * 60 * 1000;
    // Nobody has to go on with a match without a clock.
    let active_after = caller.hub.now().saturating_sub(HOUR);
    let heads = caller.hub.store.live_matches(active_after, MOST).await?;
    let pools = catalog::GAMES.into_iter().flat_map(|game| {
        Speed::ALL.map(|speed| {
            let game = game.name().to_owned();
            Pool { game, speed }.to_string()
        })
    });
    let pools: Vec<_> = pools.collect();
    let lobby = Lobby {
        live: cards(caller, &heads, None).await?,
        waits: caller.hub.usual_waits(&pools).await?,
        pools,
    };
    Ok(json(StatusCode::OK, &lobby))
}

async fn find(caller: &Caller, name: &str) -> Result<Profile, ApiError> {
    let name = percent_decoded(name).ok_or(ApiError::Unknown("player"))?;
    let found = caller.hub.store.player_by_name(&name).await?;
    found.ok_or(ApiError::Unknown("player"))
}

/// Decodes `%XX`; `None` if the result is not UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

pub(super) async fn player(caller: &Caller, name: &str) -> ApiResult {
    const MOST: usize = 12;
    let player = find(caller, name).await?;
    let store = &caller.hub.store;
    let heads = store
        .matches_of(&player.id, MatchFilter::Ended, None, MOST)
        .await?;
    let blocked = match &caller.profile {
        Some(caller) => store.blocks(&caller.id).await?.contains(&player.id),
        None => false,
    };
    let changes = store.rating_changes_of(&player.id, HISTORY).await?;
    let page = PlayerPage {
        player: public(&player),
        since: player.created,
        ratings: ratings(caller, &player.id).await?,
        history: changes.iter().filter_map(rating_point).collect(),
        matches: cards_of(caller, &heads, &player.id, &changes).await?,
        blocked,
    };
    Ok(json(StatusCode::OK, &page))
}

pub(super) async fn matches_of(caller: &Caller, name: &str, query: Option<&str>) -> ApiResult {
    let player = find(caller, name).await?;
    let matches = ended(caller, &player, query).await?;
    Ok(json(StatusCode::OK, &MatchList { matches }))
}

pub(super) async fn leaderboard(caller: &Caller, query: Option<&str>) -> ApiResult {
    const MOST: usize = 10;
    let game = catalog::find(parameter(query, "game").unwrap_or(""));
    let game = game.map_err(|error| ApiError::field("game", error))?;
    // A plus sign comes as such, as `%2B`, or as a space.
    let speed = parameter(query, "speed")
        .unwrap_or("")
        .replace("%2B", "+")
        .replace("%2b", "+");
    let speed =
        self::speed(&speed).ok_or_else(|| ApiError::field("speed", "expected 3+2, 10+5 or 1d"))?;
    let store = &caller.hub.store;
    let best = store.leaderboard(game.name(), speed.name(), MOST).await?;
    let players: Vec<_> = best
        .iter()
        .zip(1..)
        .map(|(ranked, rank)| LeaderboardRow {
            rank: Some(rank),
            name: ranked.profile.name.clone(),
            rating: whole(ranked.rating.rating),
            provisional: false,
        })
        .collect();
    let you = match &caller.profile {
        Some(player) if !best.iter().any(|ranked| ranked.profile.id == player.id) => {
            let ratings = store.ratings_of(&player.id).await?;
            let mut ratings = ratings.into_iter();
            let rating =
                ratings.find(|rating| rating.game == game.name() && rating.speed == speed.name());
            match rating {
                Some(rating) => Some(own_row(caller, player, &rating).await?),
                None => None,
            }
        }
        _ => None,
    };
    Ok(json(StatusCode::OK, &Leaderboard { players, you }))
}

/// The row of a player who is not among the best. Provisional ratings have no rank.
async fn own_row(
    caller: &Caller,
    player: &Profile,
    PlayerRating {
        game,
        speed,
        rating,
    }: &PlayerRating,
) -> Result<LeaderboardRow, ApiError> {
    let provisional = rating.is_provisional();
    let n_better = caller.hub.store.n_better(game, speed, rating.rating);
    Ok(LeaderboardRow {
        rank: match provisional {
            true => None,
            false => u32::try_from(n_better.await? + 1).ok(),
        },
        name: player.name.clone(),
        rating: whole(rating.rating),
        provisional,
    })
}

/// Everything stored about the player.
pub(super) async fn export(caller: &Caller) -> ApiResult {
    let export = find_export(caller).await?;
    let ratings: Vec<_> = export
        .ratings
        .iter()
        .map(|rating| {
            object!({
                "game": rating.game, "speed": rating.speed, "rating": rating.rating.rating,
                "deviation": rating.rating.deviation, "volatility": rating.rating.volatility,
                "n": rating.rating.n_matches,
            })
        })
        .collect();
    let changes: Vec<_> = export
        .rating_changes
        .iter()
        .map(|change| {
            object!({
                "match": change.id, "game": change.game, "speed": change.speed,
                "before": change.before, "after": change.after, "time": change.time,
            })
        })
        .collect();
    let sessions: Vec<_> = export
        .sessions
        .iter()
        .map(|session| {
            let ExportedSession {
                kind,
                created,
                seen,
            } = session;
            object!({ "kind": kind.name(), "since": created, "seen": seen })
        })
        .collect();
    let challenges: Vec<_> = export.challenges.iter().map(exported_challenge).collect();
    let mut matches = exported_matches(caller, &export).await?;
    for (line, exported) in matches.iter_mut().zip(&export.matches) {
        let events = exported.events.iter().map(|event| {
            let happened: Value = parsed(&event.body);
            object!({ "v": event.version, "time": event.time, "cause": event.cause, "e": happened })
        });
        line["events"] = events.collect();
    }
    let all = object!({
        "player": public(&export.profile), "since": export.profile.created,
        "password": export.has_password, "recovery_codes": export.n_recovery_codes,
        "ratings": ratings, "rating_changes": changes, "sessions": sessions,
        "blocks": export.blocks, "challenges": challenges, "pools": export.pools,
        "matches": matches,
    });
    Ok(download(
        "application/json",
        "parlour.json",
        format!("{all}\n"),
    ))
}

/// Parses a JSON text of the store.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn exported_challenge(challenge: &Challenge) -> Value {
    let offer = &challenge.offer;
    let (status, id) = match &challenge.status {
        ChallengeState::Open => ("open", None),
        ChallengeState::Taken { id, .. } => ("taken", Some(id)),
        ChallengeState::Gone => ("gone", None),
    };
    object!({
        "game": offer.game, "options": parsed(&offer.options), "color": offer.color,
        "clock": parsed(&offer.clock), "rated": offer.rated, "created": offer.created,
        "expires": offer.expires, "status": status, "match": id,
    })
}

/// All matches of the player, a line of JSON each.
pub(super) async fn export_matches(caller: &Caller) -> ApiResult {
    let export = find_export(caller).await?;
    let matches = exported_matches(caller, &export).await?;
    let text = matches.iter().map(|line| format!("{line}\n")).collect();
    Ok(download(
        "application/x-ndjson",
        "parlour-matches.ndjson",
        text,
    ))
}

async fn find_export(caller: &Caller) -> Result<Export, ApiError> {
    let player = caller.player()?;
    let (store, now) = (&caller.hub.store, caller.hub.now());
    let export = store.export_player(&player.id, now).await?;
    export.ok_or(ApiError::NobodyYet)
}

async fn exported_matches(caller: &Caller, export: &Export) -> Result<Vec<Value>, ApiError> {
    let mut matches = Vec::new();
    for exported in &export.matches {
        let head = &exported.head;
        let seats = seats(&caller.hub, head).await?;
        let record = match &exported.record {
            Some(record) => with_names(record, &seats),
            None => match caller.hub.live(&head.id).await? {
                Some(live) => live.record(&caller.hub).await?,
                None => String::new(),
            },
        };
        matches.push(object!({
            "match": head.id, "game": head.game, "options": parsed(&head.options),
            "clock": parsed(&head.clock), "seat": head.seat(&export.profile.id),
            "seats": { "first": seats.first.player, "second": seats.second.player },
            "status": head.head.status, "result": head.head.result, "rated": head.rated,
            "created": head.created, "ended": head.ended, "record": record,
        }));
    }
    Ok(matches)
}

/// A stored record with the players' current names.
fn with_names(record: &str, seats: &Seats) -> String {
    match catalog::read_file(record) {
        Ok(mut named) => {
            for seat in Seat::BOTH {
                named.set_player_name(seat.into(), &seats.get(seat).player.name);
            }
            named.to_string()
        }
        Err(_) => record.to_owned(),
    }
}

fn download(kind: &str, name: &str, text: String) -> Response<Body> {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, &disposition),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}
