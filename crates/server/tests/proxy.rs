//! The law of the log on bad networks: connections that are cut, swallow everything, end on one
//! side or pass a byte a second.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod law;
mod table;
mod wire;

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use law::{Match, is_full_size, note};
use protocol::Seat;
use rules::Random;
use serde_json::json;
use store::{MemoryStore, Store};
use table::server_with;
use wire::{Fate, Proxy};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_network_loses_nothing_and_slows_nobody_else() {
    let n_seeds = if is_full_size() { 50 } else { 2 };
    let (mut n_lost, mut n_done) = (0, 0);
    for seed in 0..n_seeds {
        let (lost, done) = check(seed).await;
        n_lost += lost;
        n_done += done;
    }
    note(&format!(
        "{n_seeds} times matches of all games over connections that are cut, swallow everything, end \
         on one side or pass a byte a second: {n_lost} connections lost, {n_done} requests \
         acknowledged, each in the log once"
    ));
}

/// Returns the numbers of lost connections and of acknowledged requests.
async fn check(seed: u64) -> (u64, usize) {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = server_with(memory.clone()).await;
    let proxy = Arc::new(Proxy::new(std::slice::from_ref(&server.address)).await);
    let far = Arc::new(vec![proxy.socket()]);
    let near = Arc::new(vec![server.socket.clone()]);
    let (mut far_tasks, mut near_tasks) = (Vec::new(), Vec::new());
    let (mut far_matches, mut near_matches) = (Vec::new(), Vec::new());
    for (i, game) in (0..).zip(catalog::GAMES) {
        let terms = json!({ "game": game.name() });
        let begun = Match::new(&server.api, terms.clone()).await;
        for seat in Seat::BOTH {
            let mut player = begun.player(seat, &far, 100 * seed + i);
            player.patience = Duration::from_millis(400);
            far_tasks.push(tokio::spawn(player.play(30)));
        }
        far_matches.push(begun);
        let begun = Match::new(&server.api, terms).await;
        for seat in Seat::BOTH {
            let mut player = begun.player(seat, &near, 100 * seed + 50 + i);
            player.one_in = 0;
            // Slow enough for the limit of messages per socket.
            player.slowest_reply = 300;
            near_tasks.push(tokio::spawn(player.play(10)));
        }
        near_matches.push(begun);
    }
    let network = proxy.clone();
    let spoiling = tokio::spawn(async move {
        let mut random = Random::new(seed);
        loop {
            tokio::time::sleep(Duration::from_millis(40)).await;
            let n_links = network.n_links();
            // Mostly one that is in use.
            let newest = random.below(16).min(u32::try_from(n_links).unwrap_or(0));
            let fate = Fate::BAD[random.below(4) as usize];
            if newest > 0 {
                network.set_fate(n_links - newest as usize, fate);
            }
        }
    });
    for task in far_tasks.into_iter().chain(near_tasks) {
        task.await.unwrap();
    }
    spoiling.abort();
    let n_lost: u64 = far_matches
        .iter()
        .map(|played| played.n_lost.load(Ordering::Relaxed))
        .sum();
    assert!(n_lost >= 3, "only {n_lost} connections were lost");
    for played in &near_matches {
        assert_eq!(played.n_lost.load(Ordering::Relaxed), 0);
    }
    let mut n_all = 0;
    for played in far_matches.iter().chain(&near_matches) {
        let stored = played.check_views(&*memory, &near).await;
        let n_done = played.n_done();
        assert!(n_done >= 4, "{n_done} turns of {}", stored.head.game);
        played.check(&stored);
        n_all += n_done;
    }
    (n_lost, n_all)
}
