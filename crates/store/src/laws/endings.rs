use std::sync::Arc;

use protocol::{MatchResult, MatchStatus};

use super::{NOW, at_once, event, head, make_account, new_match, random};
use crate::{Append, Appended, MatchFilter, RatingChange, Store};

const MATCHES: u32 = 12;

fn ending(id: &str, version: u64, result: MatchResult) -> Append {
    Append {
        head: head(MatchStatus::Over, result),
        record: Some(format!("record of {id}")),
        rated_speed: Some("blitz".to_owned()),
        ..event(id, version, None, "over")
    }
}

/// Law 3: two players end many matches at once, each of which several servers try to end.
pub(super) async fn check(store: &Arc<dyn Store>, seed: u64) {
    make_account(store, "rated-1").await;
    make_account(store, "rated-2").await;
    for i in 0..MATCHES {
        let (first, second) = if i % 2 == 0 {
            ("rated-1", "rated-2")
        } else {
            ("rated-2", "rated-1")
        };
        let mut new = new_match(&format!("end-{i}"), first, second);
        new.rated = true;
        store.create_match(new).await.unwrap();
    }
    let changes = at_once(store, 3 * MATCHES, |store, task| {
        Box::pin(async move {
            let id = format!("end-{}", task % MATCHES);
            let mut random = random(seed, task % MATCHES);
            let results = [MatchResult::First, MatchResult::Second, MatchResult::Draw];
            let result = *random.pick(&results).unwrap();
            // Whoever looks meanwhile sees all of it or nothing.
            let seen = store.load_match(&id).await.unwrap().unwrap();
            let is_over = seen.head.head.status == MatchStatus::Over;
            assert_eq!(seen.rating_changes.len(), if is_over { 2 } else { 0 });
            assert_eq!(seen.record.is_some(), is_over);
            assert_eq!(seen.head.ended.is_some(), is_over);
            match store.append(ending(&id, 1, result)).await.unwrap() {
                Appended::Done { rating_changes } => rating_changes,
                _ => Vec::new(),
            }
        })
    })
    .await;
    let changes: Vec<RatingChange> = changes.into_iter().flatten().collect();
    assert_eq!(
        changes.len(),
        2 * MATCHES as usize,
        "each match is rated once"
    );
    for player in ["rated-1", "rated-2"] {
        let ratings = store.ratings_of(player).await.unwrap();
        assert_eq!(ratings.len(), 1);
        let rating = &ratings[0];
        assert_eq!(
            (rating.game.as_str(), rating.speed.as_str()),
            ("a game", "blitz")
        );
        assert_eq!(rating.rating.n_matches, u64::from(MATCHES));
        let changes = changes.iter().filter(|change| change.player == player);
        check_chain(changes.collect(), rating.rating.rating);
        let all = store.rating_changes_of(player, 100).await.unwrap();
        assert_eq!(all.len(), MATCHES as usize);
        assert!(all.is_sorted_by_key(|change| (change.time, change.id.clone())));
        let last = store.rating_changes_of(player, 3).await.unwrap();
        assert_eq!(last, all[all.len() - 3..]);
    }
    // A further event of a match that is over changes no rating.
    let more = store.append(ending("end-0", 2, MatchResult::First)).await;
    let none = Appended::Done {
        rating_changes: Vec::new(),
    };
    assert_eq!(more.unwrap(), none);
    let stored = store.load_match("end-0").await.unwrap().unwrap();
    let players: Vec<_> = stored
        .rating_changes
        .iter()
        .map(|change| &change.player)
        .collect();
    assert_eq!(players, ["rated-1", "rated-2"]);
    assert_eq!(stored.head.ended, Some(NOW + 1));
    assert_eq!(stored.record.as_deref(), Some("record of end-0"));
    let playing = store
        .matches_of("rated-1", MatchFilter::Playing, None, 100)
        .await;
    assert_eq!(playing.unwrap(), []);
    check_leaderboard(store).await;
}

/// No update was lost: each change begins where another ended.
fn check_chain(mut changes: Vec<&RatingChange>, last: f64) {
    // A draw between equals changes nothing, wherever it is in the chain.
    changes.retain(|change| change.before.to_bits() != change.after.to_bits());
    let mut rating = 1500.0_f64;
    while !changes.is_empty() {
        let next = changes
            .iter()
            .position(|change| change.before.to_bits() == rating.to_bits());
        let next = next.expect("a change begins where another ended");
        rating = changes.remove(next).after;
    }
    assert_eq!(rating.to_bits(), last.to_bits());
}

/// Only ratings that are not provisional are ranked.
async fn check_leaderboard(store: &Arc<dyn Store>) {
    make_account(store, "newcomer").await;
    let mut new = new_match("end-new", "rated-1", "newcomer");
    new.rated = true;
    store.create_match(new).await.unwrap();
    store
        .append(ending("end-new", 1, MatchResult::Second))
        .await
        .unwrap();
    let ranked = store.leaderboard("a game", "blitz", 10).await.unwrap();
    assert!(ranked.iter().all(|ranked| !ranked.rating.is_provisional()));
    assert!(ranked.iter().all(|ranked| ranked.profile.id != "newcomer"));
    let ratings: Vec<f64> = ranked.iter().map(|ranked| ranked.rating.rating).collect();
    assert!(ratings.is_sorted_by(|a, b| a >= b), "{ratings:?}");
    let mut expected = Vec::new();
    for id in ["rated-1", "rated-2"] {
        let ratings = store.ratings_of(id).await.unwrap();
        expected.extend((!ratings[0].rating.is_provisional()).then_some(id));
    }
    assert_eq!(ranked.len(), expected.len());
    for (i, rating) in (0..).zip(&ratings) {
        let n_better = store.n_better("a game", "blitz", *rating).await.unwrap();
        assert_eq!(n_better, i, "{ratings:?}");
    }
    let all = store.n_better("a game", "blitz", 0.0).await.unwrap();
    assert_eq!(all, ranked.len() as u64);
    assert_eq!(store.leaderboard("a game", "rapid", 10).await.unwrap(), []);
}

/// Casual matches, matches of guests and aborted matches change no ratings.
pub(super) async fn check_unrated(store: &Arc<dyn Store>) {
    make_account(store, "unrated-1").await;
    make_account(store, "unrated-2").await;
    store
        .create_guest("unrated-guest", "Guest", NOW)
        .await
        .unwrap();
    let casual = new_match("casual", "unrated-1", "unrated-2");
    let mut of_guest = new_match("of-guest", "unrated-1", "unrated-guest");
    of_guest.rated = true;
    let mut aborted = new_match("aborted", "unrated-1", "unrated-2");
    aborted.rated = true;
    for new in [casual, of_guest, aborted] {
        let mut append = ending(&new.id, 1, MatchResult::First);
        if new.id == "aborted" {
            append.head = head(MatchStatus::Aborted, MatchResult::None);
        }
        store.create_match(new).await.unwrap();
        let none = Appended::Done {
            rating_changes: Vec::new(),
        };
        assert_eq!(store.append(append).await.unwrap(), none);
    }
    for player in ["unrated-1", "unrated-2", "unrated-guest"] {
        assert_eq!(store.ratings_of(player).await.unwrap(), []);
    }
}
