use std::sync::Arc;

use protocol::{MatchResult, MatchStatus};

use super::{NOW, at_once, event, head, make_account, new_match};
use crate::{
    Challenge, ChallengeState, ExportedSession, NewAccount, PoolEntry, ProfileKind, Registered,
    Seek, SessionKind, Store, laws::challenges::new_challenge, laws::seeks::make,
};

fn account(id: &str, name: &str) -> NewAccount {
    NewAccount {
        id: id.to_owned(),
        name: name.to_owned(),
        password_hash: Some("old".to_owned()),
        recovery_hashes: vec!["one".to_owned(), "two".to_owned()],
        is_bot: false,
        now: NOW,
    }
}

/// Law 4: a name has one account, in upper or lower case.
pub(super) async fn check_names(store: &Arc<dyn Store>) {
    let names = ["Ada", "ADA", "ada", "aDA"];
    let registered = at_once(store, 8, |store, i| {
        Box::pin(async move {
            let id = format!("ada-{i}");
            let new = account(&id, names[i as usize % names.len()]);
            (id, store.make_account(new).await.unwrap())
        })
    })
    .await;
    let done = registered
        .iter()
        .filter(|(_, done)| *done == Registered::Done);
    let [(winner, _)] = done.collect::<Vec<_>>()[..] else {
        panic!("one gets the name: {registered:?}");
    };
    for (id, registered) in &registered {
        if id != winner {
            assert_eq!(*registered, Registered::NameTaken);
            assert_eq!(store.player(id).await.unwrap(), None, "nothing changed");
        }
    }
    for name in names {
        let profile = store.player_by_name(name).await.unwrap().unwrap();
        assert_eq!(&profile.id, winner);
    }
    // Not only of A to Z.
    let done = store.make_account(account("emile-1", "Émile")).await;
    assert_eq!(done.unwrap(), Registered::Done);
    let taken = store.make_account(account("emile-2", "ÉMILE")).await;
    assert_eq!(taken.unwrap(), Registered::NameTaken);
}

/// A guest becomes an account; passwords and recovery codes.
pub(super) async fn check_accounts(store: &Arc<dyn Store>) {
    store.create_guest("grace", "Guest 1", NOW).await.unwrap();
    store
        .create_guest("grace", "Guest 2", NOW + 1)
        .await
        .unwrap();
    let guest = store.player("grace").await.unwrap().unwrap();
    assert_eq!(
        (guest.name.as_str(), guest.kind),
        ("Guest 1", ProfileKind::Guest)
    );
    assert_eq!(store.player_by_name("Guest 1").await.unwrap(), None);
    assert_eq!(store.login("Guest 1").await.unwrap(), None);
    assert!(!store.set_password("grace", "new").await.unwrap());

    let mut new = account("grace", "Grace");
    new.now = NOW + 5;
    assert_eq!(
        store.make_account(new.clone()).await.unwrap(),
        Registered::Done
    );
    let again = store.make_account(new).await.unwrap();
    assert_eq!(again, Registered::NotAGuest);
    let other_name = store
        .make_account(account("grace", "Hopper"))
        .await
        .unwrap();
    assert_eq!(other_name, Registered::NotAGuest);
    assert_eq!(store.player_by_name("Hopper").await.unwrap(), None);
    let profile = store.player("grace").await.unwrap().unwrap();
    assert_eq!(
        (profile.name.as_str(), profile.kind),
        ("Grace", ProfileKind::Account)
    );
    assert_eq!(profile.created, NOW, "the guest's own time");
    let login = store.login("gRACE").await.unwrap().unwrap();
    assert_eq!(
        (login.profile, login.password_hash.as_str()),
        (profile, "old")
    );

    assert!(store.set_password("grace", "new").await.unwrap());
    let login = store.login("grace").await.unwrap().unwrap();
    assert_eq!(login.password_hash, "new");
    assert!(!store.recover("grace", "three", "stolen").await.unwrap());
    assert!(!store.recover("nobody", "one", "stolen").await.unwrap());
    let recovered = at_once(store, 6, |store, i| {
        let password = format!("recovered-{i}");
        Box::pin(async move {
            let is_done = store.recover("grace", "one", &password).await.unwrap();
            is_done.then_some(password)
        })
    })
    .await;
    let recovered: Vec<String> = recovered.into_iter().flatten().collect();
    assert_eq!(recovered.len(), 1, "a code works once");
    let login = store.login("grace").await.unwrap().unwrap();
    assert_eq!(login.password_hash, recovered[0]);
    assert!(store.recover("grace", "two", "last").await.unwrap());

    let bot = NewAccount {
        password_hash: None,
        is_bot: true,
        ..account("bot", "Bot")
    };
    assert_eq!(store.make_account(bot).await.unwrap(), Registered::Done);
    assert_eq!(store.login("bot").await.unwrap(), None);
    let bot = store.player("bot").await.unwrap().unwrap();
    assert_eq!(bot.kind, ProfileKind::Bot);
}

pub(super) async fn check_sessions(store: &Arc<dyn Store>) {
    store.create_guest("visitor", "Visitor", NOW).await.unwrap();
    store
        .create_guest("neighbor", "Neighbor", NOW)
        .await
        .unwrap();
    for (token, player) in [("t1", "visitor"), ("t2", "visitor"), ("t3", "neighbor")] {
        store
            .create_session(token, player, SessionKind::Browser, NOW)
            .await
            .unwrap();
    }
    store
        .create_session("t4", "visitor", SessionKind::Program, NOW + 1)
        .await
        .unwrap();
    let session = store.session("t4").await.unwrap().unwrap();
    assert_eq!(
        (session.kind, session.created),
        (SessionKind::Program, NOW + 1)
    );
    assert_eq!(session.profile.name, "Visitor");
    // A token keeps its player.
    store
        .create_session("t3", "visitor", SessionKind::Browser, NOW)
        .await
        .unwrap();
    let session = store.session("t3").await.unwrap().unwrap();
    assert_eq!(session.profile.id, "neighbor");

    store.delete_session("t1").await.unwrap();
    store.delete_sessions("visitor", Some("t4")).await.unwrap();
    for (token, is_there) in [("t1", false), ("t2", false), ("t3", true), ("t4", true)] {
        assert_eq!(
            store.session(token).await.unwrap().is_some(),
            is_there,
            "{token}"
        );
    }
    store.delete_sessions("visitor", None).await.unwrap();
    assert_eq!(store.session("t4").await.unwrap(), None);
    assert_eq!(store.session("nothing").await.unwrap(), None);
}

/// Law 7: a session that is used stays, and so does its player.
pub(super) async fn check_idle(store: &Arc<dyn Store>) {
    const OLD: u64 = 1_000;
    let guests = [
        "idle", "back", "match-1", "match-2", "inviter", "idle-bot", "young", "lost",
    ];
    for guest in guests {
        let created = if guest == "young" { 2 * OLD } else { OLD };
        store.create_guest(guest, "Guest", created).await.unwrap();
        let kind = match guest {
            "idle-bot" => SessionKind::Program,
            _ => SessionKind::Browser,
        };
        let token = format!("{guest}-token");
        if guest != "lost" {
            let begun = store.create_session(&token, guest, kind, created).await;
            begun.unwrap();
        }
    }
    assert!(store.touch_session("back-token", 5 * OLD).await.unwrap());
    assert!(!store.touch_session("nothing", 5 * OLD).await.unwrap());
    let session = store.session("back-token").await.unwrap().unwrap();
    assert_eq!((session.created, session.seen), (OLD, 5 * OLD));
    let new = new_match("idle-match", "match-1", "match-2");
    store.create_match(new).await.unwrap();
    let challenge = new_challenge("inviter-challenge", "inviter");
    store.create_challenge(challenge).await.unwrap();
    store.block("match-2", "idle").await.unwrap();

    let idle = store.idle_guests(OLD + 1, 100).await.unwrap();
    assert_eq!(
        idle,
        ["idle", "idle-bot", "lost"],
        "others came back or played"
    );
    assert_eq!(store.idle_guests(OLD + 1, 1).await.unwrap(), ["idle"]);
    assert_eq!(store.idle_guests(OLD, 100).await.unwrap(), [""; 0]);
    for guest in guests {
        let is_idle = idle.iter().any(|idle| idle == guest);
        let deleted = store.delete_idle_guest(guest, OLD + 1).await.unwrap();
        assert_eq!(deleted, is_idle, "{guest}");
        let profile = store.player(guest).await.unwrap();
        assert_eq!(profile.is_none(), is_idle, "not even the id of {guest}");
    }
    assert_eq!(store.session("idle-token").await.unwrap(), None);
    assert_eq!(store.blocks("match-2").await.unwrap(), [""; 0]);
    assert!(!store.delete_idle_guest("idle", OLD + 1).await.unwrap());

    // A guest who comes back is either there with the session, or gone with it.
    for round in 0..8 {
        let (id, token) = (format!("racer-{round}"), format!("racer-token-{round}"));
        store.create_guest(&id, "Guest", OLD).await.unwrap();
        let kind = SessionKind::Browser;
        store.create_session(&token, &id, kind, OLD).await.unwrap();
        let done = at_once(store, 4, |store, i| {
            let (id, token) = (id.clone(), token.clone());
            Box::pin(async move {
                match i % 2 {
                    0 => store.touch_session(&token, 9 * OLD).await.unwrap(),
                    _ => store.delete_idle_guest(&id, OLD + 1).await.unwrap(),
                }
            })
        })
        .await;
        let is_there = store.player(&id).await.unwrap().is_some();
        assert_eq!(store.session(&token).await.unwrap().is_some(), is_there);
        assert_eq!(done[1] || done[3], !is_there, "{done:?}");
    }

    let tokens = ["back-token", "idle-bot-token", "young-token", "nothing"].map(str::to_owned);
    let live = store.live_sessions(&tokens).await.unwrap();
    let mut live: Vec<_> = live.into_iter().collect();
    live.sort();
    assert_eq!(live, ["back-token", "young-token"]);
    assert!(store.live_sessions(&[]).await.unwrap().is_empty());
    let program = SessionKind::Program;
    let begun = store
        .create_session("old-program", "back", program, 1)
        .await;
    begun.unwrap();
    assert!(store.delete_old_sessions(3 * OLD).await.unwrap() >= 4);
    for (token, is_there) in [
        ("back-token", true),
        ("old-program", true),
        ("young-token", false),
        ("match-1-token", false),
    ] {
        let session = store.session(token).await.unwrap();
        assert_eq!(session.is_some(), is_there, "{token}");
    }
    assert_eq!(store.delete_old_sessions(3 * OLD).await.unwrap(), 0);
}

pub(super) async fn check_blocks(store: &Arc<dyn Store>) {
    store.block("b1", "b2").await.unwrap();
    store.block("b1", "b2").await.unwrap();
    store.block("b1", "b3").await.unwrap();
    assert_eq!(store.blocks("b1").await.unwrap(), ["b2", "b3"]);
    assert_eq!(store.blocks("b2").await.unwrap(), [""; 0]);
    for (one, other, is_blocked) in [("b1", "b2", true), ("b2", "b1", true), ("b2", "b3", false)] {
        assert_eq!(store.is_blocked(one, other).await.unwrap(), is_blocked);
    }
    store.unblock("b2", "b1").await.unwrap();
    assert!(store.is_blocked("b1", "b2").await.unwrap());
    store.unblock("b1", "b2").await.unwrap();
    assert!(!store.is_blocked("b1", "b2").await.unwrap());
    assert_eq!(store.blocks("b1").await.unwrap(), ["b3"]);
}

/// Law 6: of a deleted player only the id is left; before, everything can be exported.
pub(super) async fn check_deletion(store: &Arc<dyn Store>) {
    let leaver = account("leaver", "Name of leaver");
    assert_eq!(store.make_account(leaver).await, Ok(Registered::Done));
    make_account(store, "stayer").await;
    store
        .create_session("leaver-token", "leaver", SessionKind::Browser, NOW)
        .await
        .unwrap();
    store.block("leaver", "b2").await.unwrap();
    store.block("stayer", "leaver").await.unwrap();
    let mut new = new_match("left", "leaver", "stayer");
    new.rated = true;
    store.create_match(new).await.unwrap();
    let mut over = event("left", 1, None, "over");
    over.head = head(MatchStatus::Over, MatchResult::First);
    over.record = Some("a record".to_owned());
    over.rated_speed = Some("rapid".to_owned());
    store.append(over).await.unwrap();
    let challenge = new_challenge("leaver-challenge", "leaver");
    store.create_challenge(challenge.clone()).await.unwrap();
    let seek = |player: &str| Seek {
        player: player.to_owned(),
        node: "leaver-node".to_owned(),
        pools: vec![PoolEntry {
            pool: "leaver-pool".to_owned(),
            rating: 1500.0,
        }],
        now: NOW,
    };
    store.seek(seek("leaver"), make()).await.unwrap();

    let export = store.export_player("leaver", NOW).await.unwrap().unwrap();
    assert_eq!(export.profile.name, "Name of leaver");
    let session = ExportedSession {
        kind: SessionKind::Browser,
        created: NOW,
        seen: NOW,
    };
    assert_eq!(export.sessions, [session]);
    assert!(export.has_password);
    assert_eq!(export.n_recovery_codes, 2);
    assert_eq!(export.pools, ["leaver-pool"]);
    assert_eq!(export.matches.len(), 1);
    assert_eq!(export.matches[0].events.len(), 1);
    assert_eq!(export.matches[0].events[0].body, "over");
    assert_eq!(export.matches[0].head.id, "left");
    assert_eq!(export.matches[0].record.as_deref(), Some("a record"));
    assert_eq!(export.ratings, store.ratings_of("leaver").await.unwrap());
    assert_eq!(export.ratings.len(), 1);
    assert_eq!(export.rating_changes.len(), 1);
    assert_eq!(export.blocks, ["b2"]);
    let open = Challenge {
        offer: challenge,
        status: ChallengeState::Open,
    };
    assert_eq!(export.challenges, [open]);

    assert!(store.delete_player("leaver").await.unwrap());
    assert!(!store.delete_player("leaver").await.unwrap());
    assert!(!store.delete_player("nobody").await.unwrap());
    let profile = store.player("leaver").await.unwrap().unwrap();
    assert_eq!(
        (profile.name.as_str(), profile.kind),
        ("", ProfileKind::Deleted)
    );
    let ids = ["leaver", "stayer", "nobody"].map(str::to_owned);
    let mut players = store.players(&ids).await.unwrap();
    players.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(players.len(), 2, "{players:?}");
    assert_eq!(players[0], profile);
    assert_eq!(players[1].name, "Name of stayer");
    assert_eq!(store.player_by_name("Name of leaver").await.unwrap(), None);
    assert_eq!(store.login("Name of leaver").await.unwrap(), None);
    assert_eq!(store.session("leaver-token").await.unwrap(), None);
    assert_eq!(store.blocks("leaver").await.unwrap(), [""; 0]);
    assert_eq!(store.blocks("stayer").await.unwrap(), [""; 0]);
    assert_eq!(store.ratings_of("leaver").await.unwrap(), []);
    assert_eq!(
        store.challenge("leaver-challenge", NOW).await.unwrap(),
        None
    );
    assert_eq!(store.export_player("leaver", NOW).await.unwrap(), None);
    assert_eq!(store.export_player("nobody", NOW).await.unwrap(), None);
    let waiting = store.seek(seek("stayer"), make()).await.unwrap();
    assert_eq!(waiting, crate::Sought::Waiting, "nobody else waits there");
    store.unseek("stayer").await.unwrap();

    let stored = store.load_match("left").await.unwrap().unwrap();
    assert_eq!(stored.head.first, "leaver");
    assert_eq!(stored.record.as_deref(), Some("a record"));
    assert_eq!(stored.rating_changes.len(), 1, "that of the other");
    let registered = store
        .make_account(account("leaver", "Leaver"))
        .await
        .unwrap();
    assert_eq!(registered, Registered::NotAGuest);
    let registered = store.make_account(account("heir", "Name of leaver")).await;
    assert_eq!(registered.unwrap(), Registered::Done);
}
