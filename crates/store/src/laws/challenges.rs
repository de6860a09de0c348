use std::sync::Arc;

use protocol::Seat;

use super::{NOW, at_once, new_match};
use crate::{ChallengeState, NewChallenge, Store, StoreError, Take};

pub(super) fn new_challenge(token_hash: &str, challenger: &str) -> NewChallenge {
    NewChallenge {
        token_hash: token_hash.to_owned(),
        challenger: challenger.to_owned(),
        game: "a game".to_owned(),
        options: "{}".to_owned(),
        color: "random".to_owned(),
        clock: "null".to_owned(),
        rated: false,
        created: NOW,
        expires: NOW + 100,
    }
}

/// Law 4: of many players one takes a challenge, and gets the same match again.
pub(super) async fn check(store: &Arc<dyn Store>) {
    let new = new_challenge("c", "host");
    store.create_challenge(new.clone()).await.unwrap();
    let challenge = store.challenge("c", NOW).await.unwrap().unwrap();
    assert_eq!(
        (challenge.offer, challenge.status),
        (new, ChallengeState::Open)
    );
    let open = store.challenges_of("host", NOW).await.unwrap();
    assert_eq!(open.len(), 1);
    let own = new_match("c-own", "host", "host");
    let own = store.take_challenge("c", "host", NOW, own).await.unwrap();
    assert_eq!(own, Take::Own);

    let takes = at_once(store, 12, |store, i| {
        Box::pin(async move {
            let player = format!("taker-{}", i % 4);
            let new = new_match(&format!("c-{i}"), "host", &player);
            let id = new.id.clone();
            let take = store.take_challenge("c", &player, NOW, new).await.unwrap();
            (id, player, take)
        })
    })
    .await;
    let new = takes
        .iter()
        .filter(|(.., take)| matches!(take, Take::Seated { is_new: true, .. }));
    let [(id, winner, _)] = new.collect::<Vec<_>>()[..] else {
        panic!("one creates the match: {takes:?}");
    };
    for (own_id, player, take) in &takes {
        if player == winner {
            let is_new = own_id == id;
            let seated = Take::Seated {
                id: id.clone(),
                seat: Seat::Second,
                is_new,
            };
            assert_eq!(*take, seated);
        } else {
            assert_eq!(*take, Take::Taken);
        }
        let is_there = store.match_head(own_id).await.unwrap().is_some();
        assert_eq!(is_there, own_id == id);
    }
    // Also long after it expired.
    let again = new_match("c-again", "host", winner);
    let again = store
        .take_challenge("c", winner, NOW + 999, again)
        .await
        .unwrap();
    assert!(matches!(again, Take::Seated { is_new: false, .. }));
    let begun = store.begun_after(NOW - 1).await.unwrap();
    let begun = begun.into_iter().find(|begun| begun.id == *id).unwrap();
    assert_eq!(begun.taken_by.as_ref(), Some(winner));
    assert_eq!((&*begun.first, &begun.second), ("host", winner));
    let by_host = new_match("c-host", "host", "host");
    let by_host = store
        .take_challenge("c", "host", NOW, by_host)
        .await
        .unwrap();
    assert_eq!(by_host, Take::Taken);
    let challenge = store.challenge("c", NOW + 999).await.unwrap().unwrap();
    let taken = ChallengeState::Taken {
        by: winner.clone(),
        id: id.clone(),
    };
    assert_eq!(challenge.status, taken);
    assert!(!store.cancel_challenge("c", "host").await.unwrap());
    assert_eq!(store.challenges_of("host", NOW).await.unwrap(), []);
}

/// Challenges that are cancelled, expire or never were.
pub(super) async fn check_ends(store: &Arc<dyn Store>) {
    for token in ["cancelled", "expired"] {
        let new = new_challenge(token, "giver-up");
        store.create_challenge(new).await.unwrap();
    }
    assert!(
        !store
            .cancel_challenge("cancelled", "somebody else")
            .await
            .unwrap()
    );
    assert!(
        store
            .cancel_challenge("cancelled", "giver-up")
            .await
            .unwrap()
    );
    assert!(
        !store
            .cancel_challenge("cancelled", "giver-up")
            .await
            .unwrap()
    );
    let cases = [
        ("cancelled", NOW, Take::Gone),
        ("expired", NOW + 100, Take::Gone),
        ("nothing", NOW, Take::Unknown),
    ];
    for (token, now, expected) in cases {
        let new = new_match(&format!("m-{token}"), "giver-up", "late");
        let take = store.take_challenge(token, "late", now, new).await.unwrap();
        assert_eq!(take, expected);
        let head = store.match_head(&format!("m-{token}")).await.unwrap();
        assert_eq!(head, None);
    }
    let status = store
        .challenge("expired", NOW + 100)
        .await
        .unwrap()
        .unwrap()
        .status;
    assert_eq!(status, ChallengeState::Gone);
    assert_eq!(
        store.challenges_of("giver-up", NOW + 100).await.unwrap(),
        []
    );
    let mut lasting = new_challenge("lasting", "giver-up");
    lasting.expires = NOW + 500;
    store.create_challenge(lasting).await.unwrap();
    assert_eq!(store.delete_challenges(NOW).await.unwrap(), 0);
    assert!(store.delete_challenges(NOW + 300).await.unwrap() >= 2);
    assert_eq!(store.challenge("expired", NOW).await.unwrap(), None);
    assert!(store.challenge("lasting", NOW).await.unwrap().is_some());
}

/// A request that fails in the middle changes nothing.
pub(super) async fn check_failure(store: &Arc<dyn Store>) {
    let challenge = new_challenge("failure", "host");
    store.create_challenge(challenge).await.unwrap();
    let there = new_match("failure-there", "host", "guest");
    store.create_match(there.clone()).await.unwrap();
    let take = store.take_challenge("failure", "guest", NOW, there).await;
    assert!(matches!(take, Err(StoreError::Broken(_))), "{take:?}");
    let challenge = store.challenge("failure", NOW).await.unwrap().unwrap();
    assert_eq!(challenge.status, ChallengeState::Open);
    let new = new_match("failure-new", "host", "guest");
    let take = store
        .take_challenge("failure", "guest", NOW, new)
        .await
        .unwrap();
    assert!(
        matches!(take, Take::Seated { is_new: true, .. }),
        "{take:?}"
    );
}
