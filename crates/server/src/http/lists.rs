use axum::{
    body::Body,
    http::{Response, StatusCode, header},
    response::IntoResponse,
};
use protocol::{
    Leaderboard, Lobby, MatchCard, MatchList, Me, PlayerPage, Pool, Ranked, RatingInfo, Seat, Speed,
};
use serde_json::{Value, json as object};
use store::{Export, MatchFilter, MatchHead, PlayerRating, Profile};

use super::Answer;
use crate::{
    error::ApiError,
    live::{seats, whole},
    request::{Caller, json, parameter},
    socket::public,
    terms::{options_json, stored_terms},
};

/// How many matches a page of a list has.
const PAGE: usize = 24;

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

fn rating_info(rating: &PlayerRating) -> Option<RatingInfo> {
    let speed = Speed::ALL
        .into_iter()
        .find(|speed| speed.name() == rating.speed)?;
    Some(RatingInfo {
        game: rating.game.clone(),
        speed,
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

pub(super) async fn me(caller: &Caller) -> Answer {
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
    cards(caller, &heads, Some(&player.id)).await
}

pub(super) async fn my_matches(caller: &Caller, query: Option<&str>) -> Answer {
    let matches = ended(caller, caller.player()?, query).await?;
    Ok(json(StatusCode::OK, &MatchList { matches }))
}

pub(super) async fn lobby(caller: &Caller) -> Answer {
    const MOST: usize = 12;
    let heads = caller.hub.store.live_matches(MOST).await?;
    let pools = catalog::GAMES.into_iter().flat_map(|game| {
        Speed::ALL.map(|speed| {
            let game = game.name().to_owned();
            Pool { game, speed }.to_string()
        })
    });
    let lobby = Lobby {
        live: cards(caller, &heads, None).await?,
        pools: pools.collect(),
    };
    Ok(json(StatusCode::OK, &lobby))
}

async fn find(caller: &Caller, name: &str) -> Result<Profile, ApiError> {
    let name = percent_decoded(name).ok_or(ApiError::Unknown("player"))?;
    let found = caller.hub.store.player_by_name(&name).await?;
    found.ok_or(ApiError::Unknown("player"))
}

/// Text with `%XX` decoded; `None` if that is no text.
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

pub(super) async fn player(caller: &Caller, name: &str) -> Answer {
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
    let page = PlayerPage {
        player: public(&player),
        since: player.created,
        ratings: ratings(caller, &player.id).await?,
        matches: cards(caller, &heads, Some(&player.id)).await?,
        blocked,
    };
    Ok(json(StatusCode::OK, &page))
}

pub(super) async fn matches_of(caller: &Caller, name: &str, query: Option<&str>) -> Answer {
    let player = find(caller, name).await?;
    let matches = ended(caller, &player, query).await?;
    Ok(json(StatusCode::OK, &MatchList { matches }))
}

pub(super) async fn leaderboard(caller: &Caller, query: Option<&str>) -> Answer {
    const MOST: usize = 10;
    let game = catalog::find(parameter(query, "game").unwrap_or(""));
    let game = game.map_err(|error| ApiError::field("game", error))?;
    // A plus sign may be written as such, as %2B, or read as a space.
    let speed = parameter(query, "speed")
        .unwrap_or("")
        .replace("%2B", "+")
        .replace("%2b", "+");
    let speed = Speed::ALL.into_iter().find(|known| known.name() == speed);
    let speed = speed.ok_or_else(|| ApiError::field("speed", "expected 3+2, 10+5 or 1d"))?;
    let store = &caller.hub.store;
    let best = store.leaderboard(game.name(), speed.name(), MOST).await?;
    let players: Vec<_> = best
        .iter()
        .zip(1..)
        .map(|(ranked, rank)| Ranked {
            rank: Some(rank),
            name: ranked.profile.name.clone(),
            rating: whole(ranked.rating.rating),
            provisional: false,
        })
        .collect();
    let you = match &caller.profile {
        Some(player) if !best.iter().any(|ranked| ranked.profile.id == player.id) => {
            let ratings = ratings(caller, &player.id).await?;
            let rating = ratings
                .into_iter()
                .find(|rating| rating.game == game.name() && rating.speed == speed);
            rating.map(|rating| Ranked {
                rank: None,
                name: player.name.clone(),
                rating: rating.rating,
                provisional: rating.provisional,
            })
        }
        _ => None,
    };
    Ok(json(StatusCode::OK, &Leaderboard { players, you }))
}

/// Everything stored about the player.
pub(super) async fn export(caller: &Caller) -> Answer {
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
        .map(|(kind, since)| object!({ "kind": kind.name(), "since": since }))
        .collect();
    let challenges: Vec<_> = export
        .challenges
        .iter()
        .map(|challenge| {
            let offer = &challenge.offer;
            object!({ "game": offer.game, "created": offer.created, "expires": offer.expires })
        })
        .collect();
    let all = object!({
        "player": public(&export.profile), "since": export.profile.created,
        "ratings": ratings, "rating_changes": changes, "sessions": sessions,
        "blocks": export.blocks, "challenges": challenges,
        "matches": exported_matches(caller, &export).await?,
    });
    Ok(download(
        "application/json",
        "parlour.json",
        format!("{all}\n"),
    ))
}

/// All matches of the player, a line of JSON each.
pub(super) async fn export_matches(caller: &Caller) -> Answer {
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
        let record = match &exported.record {
            Some(record) => record.clone(),
            None => match caller.hub.live(&head.id).await? {
                Some(live) => live.record(&caller.hub).await?,
                None => String::new(),
            },
        };
        matches.push(object!({
            "match": head.id, "game": head.game, "seat": head.seat(&export.profile.id),
            "status": head.head.status, "result": head.head.result, "rated": head.rated,
            "created": head.created, "ended": head.ended, "record": record,
        }));
    }
    Ok(matches)
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
