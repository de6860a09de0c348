use axum::http::StatusCode;
use protocol::{
    AcceptedChallenge, ChallengeInfo, ChallengeStatus, ColorChoice, CreatedChallenge, OnlineControl,
};
use referee::State;
use serde_json::{Map, Value};
use store::{Challenge, ChallengeState, NewChallenge, Take};

use super::{ApiResult, done, text_field};
use crate::{
    error::ApiError,
    request::{Caller, json},
    secret,
    socket::public,
    terms::{
        challenger_seat, clock_json, complete_options, in_order, new_match, options_json,
        stored_terms,
    },
};

/// The lifetime of a link.
const LIFETIME: u64 = 7 * 24 * 60 * 60 * 1000;

fn parse_clock(body: &Map<String, Value>) -> Result<Option<OnlineControl>, ApiError> {
    let clock = match body.get("clock") {
        None | Some(Value::Null) => return Ok(None),
        Some(clock) => clock,
    };
    let expected = r#"expected null, {"base_ms":300000,"inc_ms":2000} or {"days":3}"#;
    let control = serde_json::from_value::<OnlineControl>(clock.clone());
    let control = control.map_err(|_| ApiError::field("clock", expected))?;
    control
        .check()
        .map_err(|error| ApiError::field("clock", error))?;
    Ok(Some(control))
}

pub(super) async fn create(caller: &Caller, body: &Map<String, Value>) -> ApiResult {
    let player = caller.player()?;
    let game = catalog::find(text_field(body, "game")?);
    let game = game.map_err(|error| ApiError::field("game", error))?;
    let no_options = Map::new();
    let options = match body.get("options") {
        None | Some(Value::Null) => &no_options,
        Some(Value::Object(options)) => options,
        Some(_) => return Err(ApiError::field("options", "expected an object")),
    };
    let options = complete_options(game, options)?;
    let color = match body.get("color") {
        None | Some(Value::Null) => Ok(ColorChoice::Random),
        Some(color) => serde_json::from_value(color.clone()),
    };
    let color = color.map_err(|_| ApiError::field("color", "expected first, second or random"))?;
    let control = parse_clock(body)?;
    let is_rated = match body.get("rated") {
        None | Some(Value::Null) => Some(false),
        Some(rated) => rated.as_bool(),
    };
    let is_rated = is_rated.ok_or_else(|| ApiError::field("rated", "expected true or false"))?;
    if is_rated && game.is_solved() {
        let reason = "this game is solved, and stays casual";
        return Err(ApiError::field("rated", reason));
    }
    if is_rated && !player.kind.is_rated() {
        return Err(ApiError::field("rated", "rated matches need an account"));
    }
    let terms = referee::Terms {
        game: game.name().to_owned(),
        options: options.clone(),
        control,
        is_rated,
    };
    let valid = State::new(terms, 0);
    valid.map_err(|error| ApiError::field("options", error))?;
    caller.count_new()?;
    let token = secret::token();
    let (store, now) = (&caller.hub.store, caller.hub.now());
    let color = serde_json::to_value(color).unwrap_or_default();
    let challenge = NewChallenge {
        token_hash: secret::hash(&token),
        challenger: player.id.clone(),
        game: game.name().to_owned(),
        options: Value::Object(options_json(&options)).to_string(),
        color: color.as_str().unwrap_or("random").to_owned(),
        clock: clock_json(control),
        rated: is_rated,
        created: now,
        expires: now + LIFETIME,
    };
    store.create_challenge(challenge).await?;
    let url = format!("{}/#/join/{token}", caller.hub.config.url.origin());
    let created = CreatedChallenge {
        challenge: token,
        url,
    };
    Ok(json(StatusCode::CREATED, &created))
}

async fn find(caller: &Caller, token: &str) -> Result<Challenge, ApiError> {
    let (store, now) = (&caller.hub.store, caller.hub.now());
    let found = store.challenge(&secret::hash(token), now).await?;
    found.ok_or(ApiError::Unknown("challenge"))
}

fn color_of(challenge: &Challenge) -> ColorChoice {
    let color = Value::from(challenge.offer.color.clone());
    serde_json::from_value(color).unwrap_or_default()
}

pub(super) async fn show(caller: &Caller, token: &str) -> ApiResult {
    let challenge = find(caller, token).await?;
    let offer = &challenge.offer;
    let terms = stored_terms(&offer.game, &offer.options, &offer.clock, offer.rated);
    let terms = terms.ok_or(ApiError::Internal)?;
    let by = caller.hub.store.player(&offer.challenger).await?;
    let (status, id) = match &challenge.status {
        ChallengeState::Open => (ChallengeStatus::Open, None),
        ChallengeState::Taken { id, .. } => (ChallengeStatus::Taken, Some(id.clone())),
        ChallengeState::Gone => (ChallengeStatus::Gone, None),
    };
    let head = match (&id, &caller.profile) {
        (Some(id), Some(_)) => caller.hub.store.match_head(id).await?,
        _ => None,
    };
    let seat = head
        .zip(caller.profile.as_ref())
        .and_then(|(head, player)| head.seat(&player.id));
    let mine = caller
        .profile
        .as_ref()
        .is_some_and(|player| player.id == offer.challenger);
    let info = ChallengeInfo {
        status,
        game: terms.game,
        options: options_json(&terms.options),
        color: color_of(&challenge),
        clock: terms.control,
        rated: terms.is_rated,
        by: by.as_ref().map(public),
        mine,
        seat,
        id,
    };
    Ok(json(StatusCode::OK, &info))
}

fn taken_by_another() -> ApiError {
    ApiError::Taken("somebody else took this seat")
}

pub(super) async fn accept(caller: &Caller, token: &str) -> ApiResult {
    let player = caller.player()?;
    let challenge = find(caller, token).await?;
    let offer = &challenge.offer;
    let (store, now) = (&caller.hub.store, caller.hub.now());
    let is_open = match &challenge.status {
        ChallengeState::Open => true,
        // A player who is seated already gets the same answer again.
        ChallengeState::Taken { by, .. } if *by == player.id => false,
        ChallengeState::Taken { .. } => return Err(taken_by_another()),
        ChallengeState::Gone => return Err(ApiError::Gone),
    };
    if is_open {
        if caller.hub.is_store_slow() {
            return Err(ApiError::Unavailable);
        }
        if offer.rated && !player.kind.is_rated() {
            return Err(ApiError::NeedsAccount);
        }
        if store.is_blocked(&player.id, &offer.challenger).await? {
            return Err(ApiError::Blocked);
        }
    }
    let terms = stored_terms(&offer.game, &offer.options, &offer.clock, offer.rated);
    let terms = terms.ok_or(ApiError::Internal)?;
    let seat = challenger_seat(color_of(&challenge), &offer.token_hash);
    let players = in_order(seat, offer.challenger.clone(), player.id.clone());
    let new = new_match(terms, players, now)?;
    let taken = store
        .take_challenge(&offer.token_hash, &player.id, now, new)
        .await?;
    match taken {
        Take::Seated { id, seat, is_new } => {
            if is_new {
                caller.hub.tell_paired(&offer.challenger, &id, !seat).await;
            }
            Ok(json(StatusCode::OK, &AcceptedChallenge { id, seat }))
        }
        Take::Taken => Err(taken_by_another()),
        Take::Own => Err(ApiError::Taken(
            "this is your own challenge: send the link to somebody else",
        )),
        Take::Gone => Err(ApiError::Gone),
        Take::Unknown => Err(ApiError::Unknown("challenge")),
    }
}

pub(super) async fn cancel(caller: &Caller, token: &str) -> ApiResult {
    let player = caller.player()?;
    let store = &caller.hub.store;
    if !store
        .cancel_challenge(&secret::hash(token), &player.id)
        .await?
    {
        return Err(ApiError::Unknown("challenge"));
    }
    Ok(done())
}
