use axum::http::StatusCode;
use protocol::SignedIn;
use serde_json::{Map, Value};
use store::{NewAccount, Profile, ProfileKind, Registered, SessionKind};

use super::{ApiResult, done, passwords, text_field, with_cookie};
use crate::{
    error::ApiError,
    request::{Caller, json},
    secret,
    socket::public,
};

/// The number of recovery codes of an account.
const N_CODES: usize = 8;

async fn begin(
    caller: &Caller,
    status: StatusCode,
    profile: &Profile,
    recovery: Vec<String>,
) -> ApiResult {
    let token = caller.begin_session(&profile.id).await?;
    let cookie = caller.cookie(Some(&token));
    let session = SignedIn {
        player: public(profile),
        token,
        recovery,
    };
    Ok(with_cookie(json(status, &session), &cookie))
}

/// A generated name for a guest: two words, so that it can't be the name of an account.
fn guest_name(number: u64) -> String {
    const KINDS: [&str; 16] = [
        "Brave",
        "Bright",
        "Calm",
        "Clever",
        "Early",
        "Gentle",
        "Golden",
        "Happy",
        "Kind",
        "Little",
        "Lucky",
        "Patient",
        "Quick",
        "Quiet",
        "Silver",
        "Wandering",
    ];
    const ANIMALS: [&str; 24] = [
        "Badger", "Beaver", "Crane", "Deer", "Finch", "Fox", "Frog", "Hare", "Heron", "Kestrel",
        "Lark", "Lynx", "Marten", "Mole", "Newt", "Otter", "Owl", "Plover", "Robin", "Seal",
        "Stork", "Swan", "Toad", "Wren",
    ];
    let pick = |words: &[&'static str], number: u64| {
        let n = u64::try_from(words.len()).unwrap_or(1);
        usize::try_from(number % n).map_or("", |i| words[i])
    };
    format!("{} {}", pick(&KINDS, number), pick(&ANIMALS, number >> 32))
}

pub(super) async fn create_guest(caller: &Caller) -> ApiResult {
    caller.count_new()?;
    let (store, now) = (&caller.hub.store, caller.hub.now());
    let id = secret::id();
    let name = guest_name(secret::number());
    store.create_guest(&id, &name, now).await?;
    let profile = Profile {
        id,
        name,
        kind: ProfileKind::Guest,
        created: now,
    };
    begin(caller, StatusCode::CREATED, &profile, Vec::new()).await
}

fn check_name(name: &str) -> Result<(), ApiError> {
    let n_letters = name.chars().count();
    let is_letter = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let is_fine = (2..=20).contains(&n_letters)
        && name.chars().all(is_letter)
        && name.chars().next().is_some_and(char::is_alphanumeric);
    if !is_fine {
        let reason = "expected 2 to 20 letters, digits, hyphens and underscores";
        return Err(ApiError::field("name", reason));
    }
    if name.to_lowercase().starts_with("guest") {
        return Err(ApiError::field(
            "name",
            "names of accounts do not begin with guest",
        ));
    }
    Ok(())
}

fn check_password(password: &str) -> Result<(), ApiError> {
    if !(8..=200).contains(&password.chars().count()) {
        return Err(ApiError::field("password", "expected 8 to 200 characters"));
    }
    Ok(())
}

/// Creates an account; converts the caller if they are a guest.
pub(super) async fn create(caller: &Caller, body: &Map<String, Value>) -> ApiResult {
    let name = text_field(body, "name")?.trim();
    let password = text_field(body, "password")?;
    check_name(name)?;
    check_password(password)?;
    caller.count_new()?;
    let hub = &caller.hub;
    if hub.store.player_by_name(name).await?.is_some() {
        return Err(ApiError::Taken("somebody has this name"));
    }
    let guest = caller
        .profile
        .as_ref()
        .filter(|profile| profile.kind == ProfileKind::Guest);
    let id = guest.map_or_else(secret::id, |guest| guest.id.clone());
    let codes: Vec<_> = (0..N_CODES).map(|_| secret::recovery_code()).collect();
    let now = hub.now();
    let account = NewAccount {
        id: id.clone(),
        name: name.to_owned(),
        password_hash: Some(passwords::hash(hub, password).await?),
        recovery_hashes: codes.iter().map(|code| secret::hash(code)).collect(),
        is_bot: false,
        now,
    };
    match hub.store.make_account(account).await? {
        Registered::Done => {}
        Registered::NameTaken => return Err(ApiError::Taken("somebody has this name")),
        Registered::NotAGuest => return Err(ApiError::Taken("you have an account already")),
    }
    if guest.is_some() {
        // Running matches show the new name.
        player_changed(caller, &id).await;
    }
    let profile = Profile {
        id,
        name: name.to_owned(),
        kind: ProfileKind::Account,
        created: guest.map_or(now, |guest| guest.created),
    };
    begin(caller, StatusCode::CREATED, &profile, codes).await
}

pub(super) async fn login(caller: &Caller, body: &Map<String, Value>) -> ApiResult {
    let name = text_field(body, "name")?.trim();
    let password = text_field(body, "password")?;
    let hub = &caller.hub;
    let address = caller.address.as_deref().unwrap_or("");
    let key = format!("{} {address}", name.to_lowercase());
    if !hub.limits.passwords.allow(&key, hub.now()) {
        return Err(ApiError::SlowDown);
    }
    caller.count_hash()?;
    let login = hub.store.login(name).await?;
    let hash = login.as_ref().map(|login| login.password_hash.clone());
    if !passwords::is_right(hub, password, hash).await? {
        return Err(ApiError::Wrong);
    }
    let login = login.ok_or(ApiError::Wrong)?;
    begin(caller, StatusCode::OK, &login.profile, Vec::new()).await
}

/// Closes the sockets of ended sessions, and updates the player's name in matches.
async fn player_changed(caller: &Caller, player: &str) {
    let told = caller.hub.player_changed(player).await;
    caller.hub.note_result(&told);
}

pub(super) async fn logout(caller: &Caller) -> ApiResult {
    if let Some(hash) = &caller.token_hash {
        caller.hub.store.delete_session(hash).await?;
        player_changed(caller, &caller.player()?.id).await;
    }
    Ok(with_cookie(done(), &caller.cookie(None)))
}

/// Sets a new password with a recovery code.
pub(super) async fn recover(caller: &Caller, body: &Map<String, Value>) -> ApiResult {
    let name = text_field(body, "name")?.trim();
    let code = text_field(body, "code")?.trim().to_lowercase();
    let password = text_field(body, "password")?;
    check_password(password)?;
    let hub = &caller.hub;
    // Limited by address, not by name, so that nobody can lock the owner out: codes can't be
    // guessed anyway.
    let address = caller.address.as_deref().unwrap_or("");
    let key = format!("{} recovery {address}", name.to_lowercase());
    if !hub.limits.passwords.allow(&key, hub.now()) {
        return Err(ApiError::SlowDown);
    }
    caller.count_hash()?;
    let login = hub.store.login(name).await?.ok_or(ApiError::Wrong)?;
    let hash = passwords::hash(hub, password).await?;
    let id = &login.profile.id;
    if !hub.store.recover(id, &secret::hash(&code), &hash).await? {
        return Err(ApiError::Wrong);
    }
    // Sessions that used the old password end.
    hub.store.delete_sessions(id, None).await?;
    player_changed(caller, id).await;
    begin(caller, StatusCode::OK, &login.profile, Vec::new()).await
}

pub(super) async fn change_password(caller: &Caller, body: &Map<String, Value>) -> ApiResult {
    let player = caller.player()?;
    let old = text_field(body, "old")?;
    let new = text_field(body, "password")?;
    check_password(new)?;
    let hub = &caller.hub;
    let key = format!("{} change", player.id);
    if !hub.limits.passwords.allow(&key, hub.now()) {
        return Err(ApiError::SlowDown);
    }
    let login = hub.store.login(&player.name).await?;
    let login = login.filter(|login| login.profile.id == player.id);
    let hash = login.map(|login| login.password_hash);
    if !passwords::is_right(hub, old, hash).await? {
        return Err(ApiError::Wrong);
    }
    let hash = passwords::hash(hub, new).await?;
    hub.store.set_password(&player.id, &hash).await?;
    hub.store
        .delete_sessions(&player.id, caller.token_hash.as_deref())
        .await?;
    player_changed(caller, &player.id).await;
    Ok(done())
}

/// Creates an account for a program, on behalf of an account. Its token is returned only once.
pub(super) async fn create_bot(caller: &Caller, body: &Map<String, Value>) -> ApiResult {
    let owner = caller.player()?;
    if owner.kind != ProfileKind::Account {
        return Err(ApiError::NeedsAccount);
    }
    let name = text_field(body, "name")?.trim();
    check_name(name)?;
    caller.count_new()?;
    let (store, now) = (&caller.hub.store, caller.hub.now());
    let account = NewAccount {
        id: secret::id(),
        name: name.to_owned(),
        password_hash: None,
        recovery_hashes: Vec::new(),
        is_bot: true,
        now,
    };
    let profile = Profile {
        id: account.id.clone(),
        name: account.name.clone(),
        kind: ProfileKind::Bot,
        created: now,
    };
    match store.make_account(account).await? {
        Registered::Done => {}
        Registered::NameTaken | Registered::NotAGuest => {
            return Err(ApiError::Taken("somebody has this name"));
        }
    }
    let token = secret::token();
    let hash = secret::hash(&token);
    store
        .create_session(&hash, &profile.id, SessionKind::Program, now)
        .await?;
    let session = SignedIn {
        player: public(&profile),
        token,
        recovery: Vec::new(),
    };
    Ok(json(StatusCode::CREATED, &session))
}

pub(super) async fn delete(caller: &Caller) -> ApiResult {
    let player = caller.player()?;
    caller.hub.store.delete_player(&player.id).await?;
    player_changed(caller, &player.id).await;
    Ok(with_cookie(done(), &caller.cookie(None)))
}

pub(super) async fn block(caller: &Caller, body: &Map<String, Value>) -> ApiResult {
    let player = caller.player()?;
    let other = text_field(body, "player")?;
    let on = body.get("on").and_then(Value::as_bool);
    let on = on.ok_or_else(|| ApiError::field("on", "expected true or false"))?;
    let store = &caller.hub.store;
    if other == player.id || store.player(other).await?.is_none() {
        return Err(ApiError::Unknown("player"));
    }
    if on {
        store.block(&player.id, other).await?;
    } else {
        store.unblock(&player.id, other).await?;
    }
    let answer: Map<_, _> = [("blocked".to_owned(), on.into())].into_iter().collect();
    Ok(json(StatusCode::OK, &answer))
}
