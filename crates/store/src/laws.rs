//! Tests of the laws of [`Store`] for any implementation, as `testkit::check_laws` is for games.

#![allow(clippy::unwrap_used, reason = "a law that does not hold panics")]

mod agreement;
mod challenges;
mod endings;
mod lists;
mod log;
mod nodes;
mod players;
mod seeks;

use std::{pin::Pin, sync::Arc};

use protocol::{MatchResult, MatchStatus};
use rules::Random;

pub use crate::laws::agreement::check_agreement;
use crate::{Append, Head, NewAccount, NewMatch, Registered, Store};

/// Checks the laws of [`Store`] on an empty store, also with many tasks at once. Random choices
/// follow from `seed`.
///
/// It needs a tokio runtime, best of several threads.
///
/// # Panics
///
/// Panics if a law does not hold.
pub async fn check_store(store: Arc<dyn Store>, seed: u64) {
    lists::check(&store).await;
    lists::check_texts(&store).await;
    log::check(&store, seed).await;
    log::check_rematch(&store).await;
    endings::check(&store, seed).await;
    endings::check_unrated(&store).await;
    players::check_names(&store).await;
    players::check_accounts(&store).await;
    players::check_sessions(&store).await;
    players::check_idle(&store).await;
    players::check_blocks(&store).await;
    players::check_deletion(&store).await;
    challenges::check(&store).await;
    challenges::check_ends(&store).await;
    challenges::check_failure(&store).await;
    seeks::check_window(&store).await;
    seeks::check_rated(&store).await;
    seeks::check_ends(&store).await;
    seeks::check_moves(&store).await;
    seeks::check_failure(&store).await;
    seeks::check_waits(&store).await;
    seeks::check_crowd(&store, seed, 1).await;
    seeks::check_crowd(&store, seed, 2).await;
    nodes::check(&store).await;
}

const NOW: u64 = 1_000_000;

fn head(status: MatchStatus, result: MatchResult) -> Head {
    Head {
        at: 0,
        state: String::new(),
        deadline: None,
        status,
        result,
    }
}

fn playing() -> Head {
    head(MatchStatus::Playing, MatchResult::None)
}

fn new_match(id: &str, first: &str, second: &str) -> NewMatch {
    NewMatch {
        id: id.to_owned(),
        game: "a game".to_owned(),
        rules: 1,
        options: "{}".to_owned(),
        clock: "null".to_owned(),
        rated: false,
        first: first.to_owned(),
        second: second.to_owned(),
        head: playing(),
        created: NOW,
    }
}

fn event(id: &str, version: u64, cause: Option<&str>, body: &str) -> Append {
    Append {
        id: id.to_owned(),
        version,
        cause: cause.map(str::to_owned),
        time: NOW + version,
        body: body.to_owned(),
        head: playing(),
        record: None,
        rated_speed: None,
        rematch: None,
    }
}

async fn make_account(store: &Arc<dyn Store>, id: &str) {
    let account = NewAccount {
        id: id.to_owned(),
        name: format!("Name of {id}"),
        password_hash: Some(format!("password of {id}")),
        recovery_hashes: Vec::new(),
        is_bot: false,
        now: NOW,
    };
    let registered = store.make_account(account).await.unwrap();
    assert_eq!(registered, Registered::Done);
}

type Task<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Runs a task for every number below `n` at once, and returns their results.
async fn at_once<T: Send + 'static>(
    store: &Arc<dyn Store>,
    n: u32,
    task: impl Fn(Arc<dyn Store>, u32) -> Task<T>,
) -> Vec<T> {
    let tasks: Vec<_> = (0..n)
        .map(|i| tokio::spawn(task(Arc::clone(store), i)))
        .collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.expect("a task that panics has reported why"));
    }
    results
}

/// The random number generator of a task.
fn random(seed: u64, task: u32) -> Random {
    Random::new(seed ^ (u64::from(task) << 32))
}
