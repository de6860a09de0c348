//! Players whom somebody does not want to hear, or to play with.

use leptos::{prelude::*, task::spawn_local};

use super::{
    Online,
    http::call,
    json::{Json, object},
};
use crate::device::{store, stored};

/// Whether phrases of the player with this id are hidden on this device. Names change, and guests
/// share them.
pub(super) fn is_muted(id: &str) -> bool {
    let muted = stored("muted").unwrap_or_default();
    muted.lines().any(|muted| muted == id)
}

/// Whether the player here blocks the one with this id, as far as the server has said; subscribes to
/// that.
pub(super) fn is_blocked(online: Online, id: &str) -> bool {
    let mine = Json(online.hub.mine.get());
    mine.texts("blocked").iter().any(|blocked| blocked == id)
}

/// Hides the phrases of a player on this device, or shows them again.
pub(super) fn mute(id: &str, is_on: bool) {
    let kept = stored("muted").unwrap_or_default();
    let mut kept: Vec<&str> = kept.lines().filter(|it| *it != id).collect();
    if is_on {
        kept.push(id);
    }
    store("muted", &kept.join("\n"));
}

/// Refuses matches with a player from now on, or no longer.
pub(super) fn block(online: Online, id: &str, is_on: bool) {
    let body = object(&[("player", id.into()), ("on", is_on.into())]);
    spawn_local(async move {
        if let Err(failure) = online.ensure_player().await {
            return online.fail(&failure);
        }
        if let Err(failure) = call("POST", "/api/blocks", Some(&body)).await {
            online.fail(&failure);
        }
        // Whom one blocks is in one's lists.
        online.refresh();
    });
}
