use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use super::{NOW, at_once, make_account, new_match, random};
use crate::{MakeMatch, MatchFilter, PoolEntry, SILENT_AFTER, Seek, Sought, Store, StoreError};

/// Creates matches with unique ids.
pub(super) fn make() -> MakeMatch {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    Arc::new(|pool, waiting, arriving| {
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        new_match(&format!("pairing-{pool}-{n}"), waiting, arriving)
    })
}

fn seek(player: &str, pools: &[(&str, f64)], now: u64) -> Seek {
    let entries = pools.iter().map(|(pool, rating)| PoolEntry {
        pool: (*pool).to_owned(),
        rating: *rating,
    });
    Seek {
        player: player.to_owned(),
        node: "seek-node".to_owned(),
        pools: entries.collect(),
        now,
    }
}

/// Ratings that are far apart are paired after a while; the nearest first.
pub(super) async fn check_window(store: &Arc<dyn Store>) {
    store.beat("seek-node", NOW).await.unwrap();
    let try_seek = async |player: &str, rating: f64, now| {
        let seek = seek(player, &[("other", rating), ("window", rating)], now);
        store.seek(seek, make()).await.unwrap()
    };
    assert_eq!(try_seek("w1", 1500.0, NOW).await, Sought::Waiting);
    assert_eq!(try_seek("w2", 1700.0, NOW).await, Sought::Waiting);
    assert_eq!(store.sweep_seeks(NOW + 1000, make()).await.unwrap(), []);
    let Sought::Paired(pairing) = try_seek("w3", 1650.0, NOW + 1000).await else {
        panic!("w3 is near");
    };
    assert_eq!(pairing.waiting, ("w2".to_owned(), "seek-node".to_owned()));
    assert_eq!(pairing.arriving, ("w3".to_owned(), "seek-node".to_owned()));
    assert_eq!(pairing.pool, "other", "the first pool of both");
    let head = store.match_head(&pairing.id).await.unwrap().unwrap();
    assert_eq!((head.first.as_str(), head.second.as_str()), ("w2", "w3"));
    let collected = store.take_pairings("seek-node").await.unwrap();
    assert_eq!(collected, [("w2".to_owned(), pairing.id)]);
    assert_eq!(store.take_pairings("seek-node").await.unwrap(), []);

    // A second request keeps the waiting time.
    assert_eq!(try_seek("w1", 1500.0, NOW + 9000).await, Sought::Waiting);
    assert_eq!(try_seek("w4", 1300.0, NOW + 2000).await, Sought::Waiting);
    let pairings = store.sweep_seeks(NOW + 5000, make()).await.unwrap();
    assert_eq!(pairings.len(), 1);
    assert_eq!(pairings[0].waiting.0, "w1");
    assert_eq!(pairings[0].arriving.0, "w4");
    // Both learn of it, in whichever way they ask.
    let id = pairings[0].id.clone();
    let again = try_seek("w1", 1500.0, NOW + 9000).await;
    assert_eq!(again, Sought::AlreadyPaired(id.clone()));
    assert_eq!(store.unseek("w4").await.unwrap(), Some(id));
    assert_eq!(store.unseek("w4").await.unwrap(), None);
    assert_eq!(store.take_pairings("seek-node").await.unwrap(), []);
}

/// A match counts if both players have accounts.
pub(super) async fn check_rated(store: &Arc<dyn Store>) {
    for id in ["counts-1", "counts-2"] {
        make_account(store, id).await;
    }
    store
        .create_guest("counts-not", "Guest", NOW)
        .await
        .unwrap();
    let pool = [("counts", 1500.0)];
    let make = || -> MakeMatch {
        let make = make();
        Arc::new(move |pool, waiting, arriving| {
            let mut new = make(pool, waiting, arriving);
            new.rated = true;
            new
        })
    };
    for (other, is_rated) in [("counts-not", false), ("counts-2", true)] {
        let waiting = store.seek(seek("counts-1", &pool, NOW), make()).await;
        assert_eq!(waiting.unwrap(), Sought::Waiting);
        let paired = store.seek(seek(other, &pool, NOW), make()).await.unwrap();
        let Sought::Paired(pairing) = paired else {
            panic!("{other} is not paired: {paired:?}");
        };
        let head = store.match_head(&pairing.id).await.unwrap().unwrap();
        assert_eq!(head.rated, is_rated, "{other}");
        store.take_pairings("seek-node").await.unwrap();
    }
}

/// Waiting ends by request, with the server, and with a block.
pub(super) async fn check_ends(store: &Arc<dyn Store>) {
    let pools = [("ends", 1500.0)];
    let try_seek = async |player: &str, node: &str| {
        let mut seek = seek(player, &pools, NOW);
        seek.node = node.to_owned();
        store.seek(seek, make()).await.unwrap()
    };
    assert_eq!(try_seek("e1", "seek-node").await, Sought::Waiting);
    assert_eq!(store.unseek("e1").await.unwrap(), None);
    assert_eq!(try_seek("e2", "seek-node").await, Sought::Waiting);
    store.block("e3", "e2").await.unwrap();
    assert_eq!(try_seek("e3", "dead-node").await, Sought::Waiting);
    let later = NOW + 600_000;
    store.beat("seek-node", later - 1).await.unwrap();
    store.beat("dead-node", later - SILENT_AFTER).await.unwrap();
    assert_eq!(store.sweep_seeks(later, make()).await.unwrap(), []);
    store.unblock("e3", "e2").await.unwrap();
    assert_eq!(
        store.sweep_seeks(later, make()).await.unwrap(),
        [],
        "e3 is gone"
    );
    assert_eq!(store.unseek("e2").await.unwrap(), None);
    assert_eq!(try_seek("e4", "leaving-node").await, Sought::Waiting);
    store.remove_node("leaving-node").await.unwrap();
    assert_eq!(try_seek("e5", "seek-node").await, Sought::Waiting);
    assert_eq!(store.unseek("e5").await.unwrap(), None);
}

/// The server that a player left does not end their waiting on another one.
pub(super) async fn check_moves(store: &Arc<dyn Store>) {
    let pools = [("moves", 1500.0)];
    let try_seek = async |player: &str, node: &str| {
        let mut seek = seek(player, &pools, NOW);
        seek.node = node.to_owned();
        store.seek(seek, make()).await.unwrap()
    };
    assert_eq!(try_seek("m1", "left-node").await, Sought::Waiting);
    assert_eq!(try_seek("m1", "seek-node").await, Sought::Waiting);
    assert_eq!(store.unseek_on("m1", "left-node").await.unwrap(), None);
    let Sought::Paired(pairing) = try_seek("m2", "seek-node").await else {
        panic!("m1 waits");
    };
    assert_eq!(pairing.waiting, ("m1".to_owned(), "seek-node".to_owned()));
    assert_eq!(store.unseek_on("m1", "left-node").await.unwrap(), None);
    let paired = store.unseek_on("m1", "seek-node").await.unwrap();
    assert_eq!(paired, Some(pairing.id));
    assert_eq!(try_seek("m3", "seek-node").await, Sought::Waiting);
    assert_eq!(store.unseek_on("m3", "seek-node").await.unwrap(), None);
    assert_eq!(try_seek("m4", "seek-node").await, Sought::Waiting);
    assert_eq!(store.unseek("m4").await.unwrap(), None);
}

/// A request that fails in the middle changes nothing.
pub(super) async fn check_failure(store: &Arc<dyn Store>) {
    let there = new_match("seek-there", "f1", "f2");
    store.create_match(there.clone()).await.unwrap();
    let pools = [("failure", 1500.0)];
    let waiting = store.seek(seek("f1", &pools, NOW), make()).await.unwrap();
    assert_eq!(waiting, Sought::Waiting);
    let not_new: MakeMatch = Arc::new(move |_, _, _| there.clone());
    let failed = store.seek(seek("f2", &pools, NOW), not_new).await;
    assert!(matches!(failed, Err(StoreError::Broken(_))), "{failed:?}");
    // One still waits, and the other does not.
    let Sought::Paired(pairing) = store.seek(seek("f3", &pools, NOW), make()).await.unwrap() else {
        panic!("f1 waits");
    };
    assert_eq!(pairing.waiting.0, "f1");
    assert_eq!(store.unseek("f2").await.unwrap(), None);
    assert_eq!(store.unseek("f1").await.unwrap(), Some(pairing.id));
}

/// The usual wait is the median of the last pairings, and only theirs.
pub(super) async fn check_waits(store: &Arc<dyn Store>) {
    let pools = ["waits", "waits-never"].map(str::to_owned);
    let usual = async |after| store.usual_waits(&pools, after).await.unwrap();
    assert_eq!(usual(0).await, HashMap::new());
    let mut now = NOW;
    // One waits for so many seconds until somebody else comes.
    for (n, seconds) in [50, 10, 20, 3000, 30].into_iter().enumerate() {
        let waits = |who: &str, now| seek(&format!("waits-{who}-{n}"), &[("waits", 1500.0)], now);
        let sought = store.seek(waits("a", now), make()).await.unwrap();
        assert_eq!(sought, Sought::Waiting);
        now += 1000 * seconds;
        let sought = store.seek(waits("b", now), make()).await.unwrap();
        assert!(matches!(sought, Sought::Paired(_)), "{sought:?}");
    }
    // Whoever gives up was not paired.
    let gave_up = seek("waits-c", &[("waits", 1500.0)], now);
    store.seek(gave_up, make()).await.unwrap();
    store.unseek("waits-c").await.unwrap();
    let is = |seconds: u64| HashMap::from([("waits".to_owned(), 1000 * seconds)]);
    assert_eq!(usual(0).await, is(30));
    // Without the first; of four the lower one of those in the middle.
    assert_eq!(usual(NOW + 50_000).await, is(20));
    assert_eq!(usual(now).await, HashMap::new());
    assert!(store.delete_waits(now).await.unwrap() >= 4);
    assert_eq!(usual(0).await, is(30), "the last one is kept");
    store.take_pairings("seek-node").await.unwrap();
}

const PLAYERS: u32 = 30;

/// Law 5: many players at once, some of whom block others.
/// Everybody asks `n_times`, as with so many tabs.
pub(super) async fn check_crowd(store: &Arc<dyn Store>, seed: u64, n_times: u32) {
    store.beat("seek-node", NOW + 600_000).await.unwrap();
    for i in (0..PLAYERS).step_by(3) {
        let (one, other) = (
            format!("crowd-{n_times}-{i}"),
            format!("crowd-{n_times}-{}", i + 1),
        );
        store.block(&one, &other).await.unwrap();
    }
    let told = at_once(store, n_times * PLAYERS, |store, task| {
        Box::pin(async move {
            let player = format!("crowd-{n_times}-{}", task % PLAYERS);
            let mut random = random(seed, task);
            let rating = f64::from(1200 + random.below(600));
            let mut pools = vec![("crowd-1", rating), ("crowd-2", rating)];
            if random.below(3) == 0 {
                pools.truncate(1);
            }
            if task % 7 == 0 {
                store.sweep_seeks(NOW, make()).await.unwrap();
            }
            store
                .seek(seek(&player, &pools, NOW), make())
                .await
                .unwrap()
        })
    })
    .await;
    let mut collected = store.take_pairings("seek-node").await.unwrap();
    // Windows are wide open by now.
    let pairings = store.sweep_seeks(NOW + 600_000, make()).await.unwrap();
    collected.extend(store.take_pairings("seek-node").await.unwrap());
    assert_eq!(store.sweep_seeks(NOW + 600_000, make()).await.unwrap(), []);

    let mut by_seek: HashMap<String, HashSet<String>> = HashMap::new();
    let mut note = |player: &str, id: &str| {
        let is_new = by_seek
            .entry(player.to_owned())
            .or_default()
            .insert(id.to_owned());
        assert!(is_new, "{player} hears of {id} once");
    };
    let mut n_at_once = 0;
    for sought in &told {
        if let Sought::Paired(pairing) = sought {
            n_at_once += 1;
            // The one who asked; the other one's server collects it.
            let (waiting, arriving) = (&pairing.waiting.0, &pairing.arriving.0);
            assert_ne!(waiting, arriving);
        }
    }
    for (player, id) in &collected {
        note(player, id);
    }
    let mut n_matches = 0;
    let mut n_waiting = 0;
    for i in 0..PLAYERS {
        let player = format!("crowd-{n_times}-{i}");
        let matches = store
            .matches_of(&player, MatchFilter::All, None, 10)
            .await
            .unwrap();
        // Asking again after being paired is a new request.
        assert!(matches.len() <= n_times as usize, "{player}: {matches:?}");
        for head in &matches {
            assert_ne!(head.first, head.second);
            let is_blocked = store.is_blocked(&head.first, &head.second).await.unwrap();
            assert!(!is_blocked, "{head:?}");
            n_matches += usize::from(head.first == player);
        }
        let is_waiting = store.seek(seek(&player, &[], NOW), make()).await.unwrap();
        assert_eq!(is_waiting, Sought::Waiting, "all pairings are collected");
        store.unseek(&player).await.unwrap();
        n_waiting += usize::from(matches.is_empty());
    }
    assert!(n_matches >= n_at_once + pairings.len());
    assert!(
        n_waiting <= 2,
        "two who block each other at most, not {n_waiting}"
    );
    let heard: HashSet<&String> = by_seek.values().flatten().collect();
    assert!(heard.len() <= n_matches);
}
