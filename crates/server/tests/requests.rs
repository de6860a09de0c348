//! The requests of the contract, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod table;

use std::sync::Arc;

use client::{Api, HttpResponse, Socket};
use protocol::{
    ActionName, ChallengeInfo, ChallengeStatus, ClientMessage, MatchResult, MatchStatus, Me,
    PlayerPage, Seat, ServerMessage, SignedIn,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{Head, MakeMatch, MemoryStore, NewMatch, PoolEntry, Seek, SessionKind, Store};
use table::{Server, Table, action, server};

fn body(answer: &HttpResponse) -> Value {
    serde_json::from_str(&answer.body).unwrap()
}

/// Checks that a request is refused with this status and code.
#[track_caller]
fn refused(answer: &HttpResponse, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(body(answer)["error"], code, "{}", answer.body);
    assert!(body(answer)["message"].is_string());
}

async fn account(server: &Server, name: &str) -> (Api, SignedIn) {
    let credentials = json!({ "name": name, "password": "correct horse" });
    let answer = server
        .api
        .post("/api/accounts", &credentials)
        .await
        .unwrap();
    assert_eq!(answer.status, 201, "{}", answer.body);
    let session: SignedIn = answer.parse().unwrap();
    (server.api.with_token(&session.token), session)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_has_a_token_and_a_cookie() {
    let server = server().await;
    let answer = server.api.post("/api/guests", &json!({})).await.unwrap();
    assert_eq!(answer.status, 201);
    assert!(body(&answer)["player"]["id"].is_string());
    assert!(body(&answer)["player"]["name"].is_string());
    let cookie = answer
        .head
        .lines()
        .find(|line| line.starts_with("set-cookie: "))
        .unwrap();
    assert!(
        cookie.contains("httponly") && cookie.contains("samesite=lax"),
        "{cookie}"
    );
}

/// What a server stores of a token.
fn hash(token: &str) -> String {
    let digest = Sha256::digest(token.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

const DAY: u64 = 24 * 60 * 60 * 1000;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_lasts_as_long_as_it_is_used() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let now = store.now().await.unwrap();
    for (guest, days) in [("today", 0), ("lately", 300), ("long-ago", 366)] {
        let since = now - days * DAY;
        store.create_guest(guest, "Guest", since).await.unwrap();
        let (token, kind) = (hash(guest), SessionKind::Browser);
        let begun = store.create_session(&token, guest, kind, since).await;
        begun.unwrap();
        // Only those who never played are forgotten.
        let challenge = store::NewChallenge {
            token_hash: guest.to_owned(),
            challenger: guest.to_owned(),
            game: "takeover".to_owned(),
            options: "{}".to_owned(),
            color: "first".to_owned(),
            clock: "null".to_owned(),
            rated: false,
            created: now,
            expires: now + DAY,
        };
        store.create_challenge(challenge).await.unwrap();
    }
    let server = table::server_with(store.clone()).await;
    let ask = |guest: &str| {
        let cookie = format!("cookie: parlour={guest}\r\n");
        let api = server.api.clone();
        async move { api.send("GET", "/api/me", &cookie, "").await.unwrap() }
    };
    let is_renewed = |answer: &HttpResponse, guest: &str| {
        let field = format!("set-cookie: parlour={guest}; path=/;");
        answer.head.contains(&field)
    };
    let answer = ask("today").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(!is_renewed(&answer, "today"), "{}", answer.head);
    // Once a day, the cookie gets another year.
    let answer = ask("lately").await;
    assert!(is_renewed(&answer, "lately"), "{}", answer.head);
    let session = store.session(&hash("lately")).await.unwrap().unwrap();
    assert!(session.seen >= now);
    assert!(!is_renewed(&ask("lately").await, "lately"));
    while store.session(&hash("long-ago")).await.unwrap().is_some() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    refused(&ask("long-ago").await, 401, "nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_who_never_played_are_forgotten() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let now = store.now().await.unwrap();
    for (guest, days) in [("new", 29), ("old", 31), ("player", 31)] {
        let created = now - days * DAY;
        store.create_guest(guest, "Guest", created).await.unwrap();
    }
    let new = store::NewMatch {
        id: "match".to_owned(),
        game: "takeover".to_owned(),
        rules: 1,
        options: "{}".to_owned(),
        clock: "null".to_owned(),
        rated: false,
        first: "player".to_owned(),
        second: "another".to_owned(),
        head: store::Head {
            at: 0,
            state: String::new(),
            deadline: None,
            status: protocol::MatchStatus::Aborted,
            result: protocol::MatchResult::None,
        },
        created: now,
    };
    store.create_match(new).await.unwrap();
    let _server = table::server_with(store.clone()).await;
    while store.player("old").await.unwrap().is_some() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    for guest in ["new", "player"] {
        assert!(store.player(guest).await.unwrap().is_some(), "{guest}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_a_name_a_password_and_recovery_codes() {
    let server = server().await;
    let (_, session) = account(&server, "Mika").await;
    assert!(session.recovery.len() >= 4);
    let api = &server.api;
    let login = |name: &str, password: &str| json!({ "name": name, "password": password });
    let taken = api
        .post("/api/accounts", &login("mika", "another horse"))
        .await
        .unwrap();
    refused(&taken, 409, "taken");
    let wrong = api
        .post("/api/login", &login("Mika", "wrong horse"))
        .await
        .unwrap();
    refused(&wrong, 401, "wrong");
    let nobody = api
        .post("/api/login", &login("Nobody", "correct horse"))
        .await
        .unwrap();
    refused(&nobody, 401, "wrong");
    let right = api
        .post("/api/login", &login("Mika", "correct horse"))
        .await
        .unwrap();
    assert_eq!(right.status, 200);
    for (name, password) in [
        ("", "correct horse"),
        ("a b", "correct horse"),
        ("Aki", "short"),
    ] {
        let answer = api
            .post("/api/accounts", &login(name, password))
            .await
            .unwrap();
        refused(&answer, 400, "bad-field");
    }

    // A recovery code works once, and ends all sessions.
    let code = &session.recovery[0];
    let recover = json!({ "name": "Mika", "code": code, "password": "battery staple" });
    assert_eq!(
        api.post("/api/recover", &recover).await.unwrap().status,
        200
    );
    refused(
        &api.post("/api/recover", &recover).await.unwrap(),
        401,
        "wrong",
    );
    let old = api.with_token(&session.token);
    refused(&old.get("/api/me").await.unwrap(), 401, "nobody");
    let login = api
        .post("/api/login", &login("Mika", "battery staple"))
        .await
        .unwrap();
    assert_eq!(login.status, 200);

    let session: SignedIn = login.parse().unwrap();
    let player = api.with_token(&session.token);
    assert_eq!(
        player.post("/api/logout", &json!({})).await.unwrap().status,
        200
    );
    refused(&player.get("/api/me").await.unwrap(), 401, "nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_can_t_be_guessed_for_long() {
    let server = server().await;
    account(&server, "Mika").await;
    let guess = json!({ "name": "Mika", "password": "a wild guess" });
    let mut last = None;
    for _ in 0..11 {
        last = Some(server.api.post("/api/login", &guess).await.unwrap());
    }
    refused(&last.unwrap(), 429, "slow-down");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_matches_of_a_guest_move_into_the_account() {
    let server = server().await;
    let (guest, session) = server.api.new_guest().await.unwrap();
    let (other, _) = server.api.new_guest().await.unwrap();
    let challenge = guest.challenge(&json!({ "game": "nonaga" })).await.unwrap();
    other.accept(&challenge.challenge).await.unwrap();
    let credentials = json!({ "name": "Aki", "password": "correct horse" });
    let answer = guest.post("/api/accounts", &credentials).await.unwrap();
    let account: SignedIn = answer.parse().unwrap();
    assert_eq!(account.player.id, session.player.id);
    let me: Me = guest.get("/api/me").await.unwrap().parse().unwrap();
    assert_eq!((me.player.name.as_str(), me.matches.len()), ("Aki", 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_taken_once() {
    let server = server().await;
    let (host, _) = server.api.new_guest().await.unwrap();
    let (friend, me) = server.api.new_guest().await.unwrap();
    let (third, _) = server.api.new_guest().await.unwrap();
    let terms = json!({
        "game": "takeover", "options": { "board": "7" }, "color": "second",
        "clock": { "base_ms": 300_000, "inc_ms": 2_000 }, "rated": false,
    });
    let created = host.challenge(&terms).await.unwrap();
    assert!(
        created
            .url
            .ends_with(&format!("/#/join/{}", created.challenge))
    );
    let path = format!("/api/challenges/{}", created.challenge);
    let show = server.api.get(&path).await.unwrap();
    for (field, value) in terms.as_object().unwrap() {
        if field != "options" {
            assert_eq!(&body(&show)[field], value);
        }
    }
    assert_eq!(body(&show)["options"]["board"], "7");
    assert_eq!(body(&show)["status"], "open");
    let own = host.post(&format!("{path}/accept"), &json!({})).await;
    let own = own.unwrap();
    refused(&own, 409, "taken");
    let message = body(&own)["message"].to_string();
    assert!(message.contains("your own challenge"), "{message}");
    let accepted = friend.accept(&created.challenge).await.unwrap();
    assert_eq!(accepted.seat, Seat::First);
    assert_eq!(friend.accept(&created.challenge).await.unwrap(), accepted);
    let late = third
        .post(&format!("{path}/accept"), &json!({}))
        .await
        .unwrap();
    refused(&late, 409, "taken");
    let info: ChallengeInfo = third.get(&path).await.unwrap().parse().unwrap();
    assert_eq!(
        (info.status, info.id),
        (ChallengeStatus::Taken, Some(accepted.id.clone()))
    );
    assert_eq!((info.mine, info.seat), (false, None));
    let info: ChallengeInfo = friend.get(&path).await.unwrap().parse().unwrap();
    assert_eq!((info.mine, info.seat), (false, Some(Seat::First)));
    let info: ChallengeInfo = host.get(&path).await.unwrap().parse().unwrap();
    assert_eq!((info.mine, info.seat), (true, Some(Seat::Second)));
    // A seat is kept, whatever happens between the two.
    let block = json!({ "player": me.player.id, "on": true });
    assert_eq!(host.post("/api/blocks", &block).await.unwrap().status, 200);
    assert_eq!(friend.accept(&created.challenge).await.unwrap(), accepted);
    assert_ne!(body(&late)["message"], body(&own)["message"]);
    let unknown = third
        .post("/api/challenges/AAAA/accept", &json!({}))
        .await
        .unwrap();
    refused(&unknown, 404, "unknown");
    let info = third
        .get(&format!("/api/matches/{}", accepted.id))
        .await
        .unwrap();
    assert_eq!(body(&info)["status"], "playing");
    assert_eq!(body(&info)["clock"]["first"], 300_000);
    assert_eq!(body(&info)["clock"]["running"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_can_be_withdrawn() {
    let server = server().await;
    let (host, _) = server.api.new_guest().await.unwrap();
    let (friend, _) = server.api.new_guest().await.unwrap();
    let created = host
        .challenge(&json!({ "game": "lilypads" }))
        .await
        .unwrap();
    let path = format!("/api/challenges/{}", created.challenge);
    refused(
        &friend.send("DELETE", &path, "", "").await.unwrap(),
        404,
        "unknown",
    );
    assert_eq!(
        host.send("DELETE", &path, "", "").await.unwrap().status,
        200
    );
    refused(
        &friend
            .post(&format!("{path}/accept"), &json!({}))
            .await
            .unwrap(),
        410,
        "gone",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_challenge_names_the_field() {
    let server = server().await;
    let (host, _) = server.api.new_guest().await.unwrap();
    for (terms, field) in [
        (json!({}), "game"),
        (json!({ "game": "chess" }), "game"),
        (json!({ "game": 3 }), "game"),
        (
            json!({ "game": "nonaga", "options": { "size": "9" } }),
            "options",
        ),
        (
            json!({ "game": "nonaga", "options": { "variant": "x" } }),
            "options",
        ),
        (json!({ "game": "nonaga", "options": [] }), "options"),
        (json!({ "game": "nonaga", "color": "blue" }), "color"),
        (json!({ "game": "nonaga", "clock": { "days": 0 } }), "clock"),
        (
            json!({ "game": "nonaga", "clock": { "days": 99 } }),
            "clock",
        ),
        (
            json!({ "game": "nonaga", "clock": { "base_ms": 0, "inc_ms": 0 } }),
            "clock",
        ),
        (
            json!({ "game": "nonaga", "clock": { "base_ms": -5, "inc_ms": 0 } }),
            "clock",
        ),
        (json!({ "game": "nonaga", "clock": 5 }), "clock"),
        (json!({ "game": "nonaga", "rated": "yes" }), "rated"),
        (json!({ "game": "nonaga", "rated": true }), "rated"),
    ] {
        let answer = host.post("/api/challenges", &terms).await.unwrap();
        refused(&answer, 400, "bad-field");
        let message = body(&answer)["message"].as_str().unwrap().to_owned();
        assert!(
            message.starts_with(&format!("{field}: ")),
            "{terms} {message}"
        );
    }
    for text in ["", "[]", "{", "nonsense"] {
        let answer = host
            .send("POST", "/api/challenges", "", text)
            .await
            .unwrap();
        assert_eq!(answer.status, 400, "{text}");
    }
    let long = "x".repeat(20_000);
    let answer = host
        .send("POST", "/api/challenges", "", &long)
        .await
        .unwrap();
    assert_eq!(answer.status, 413);
    refused(
        &server
            .api
            .post("/api/challenges", &json!({ "game": "nonaga" }))
            .await
            .unwrap(),
        401,
        "nobody",
    );
}

/// With a cookie, only our own page may act.
#[tokio::test(flavor = "multi_thread")]
async fn other_websites_can_t_act_with_a_cookie() {
    let server = server().await;
    let (_, session) = server.api.new_guest().await.unwrap();
    let cookie = format!("cookie: parlour={}\r\n", session.token);
    let terms = json!({ "game": "nonaga" }).to_string();
    let own = format!("origin: http://{}\r\n", server.address);
    for (origin, status) in [
        (own.as_str(), 201),
        ("", 403),
        ("origin: https://evil.example\r\n", 403),
        ("origin: null\r\n", 403),
        ("origin: http://127.0.0.1:1\r\n", 403),
    ] {
        let headers = format!("{cookie}{origin}");
        let answer = server
            .api
            .send("POST", "/api/challenges", &headers, &terms)
            .await
            .unwrap();
        assert_eq!(answer.status, status, "{origin}");
    }
    let cookie = format!("parlour={}", session.token);
    for (origin, is_fine) in [
        (format!("http://{}", server.address), true),
        ("https://evil.example".to_owned(), false),
    ] {
        let headers = [("cookie", cookie.clone()), ("origin", origin)];
        let socket = Socket::connect_with(&server.socket, headers).await;
        assert_eq!(socket.is_ok(), is_fine);
    }
    let no_origin = Socket::connect_with(&server.socket, [("cookie", cookie)]).await;
    assert!(no_origin.is_err());
}

/// A token that a program sends by itself is not a visitor's cookie: whatever page it runs in, the
/// origin does not matter, for requests and handshakes alike.
#[tokio::test(flavor = "multi_thread")]
async fn programs_may_act_from_any_origin() {
    let server = server().await;
    let (api, session) = server.api.new_guest().await.unwrap();
    let terms = json!({ "game": "nonaga" }).to_string();
    for origin in ["", "https://evil.example", "null"] {
        let header = match origin {
            "" => String::new(),
            origin => format!("origin: {origin}\r\n"),
        };
        let answer = api.send("POST", "/api/challenges", &header, &terms).await;
        assert_eq!(answer.unwrap().status, 201, "{origin}");
        // A cookie beside it is ignored.
        let header = format!("{header}cookie: parlour=x\r\n");
        let answer = api.send("POST", "/api/challenges", &header, &terms).await;
        assert_eq!(answer.unwrap().status, 201, "{origin}");
        let mut headers = vec![("authorization", format!("Bearer {}", session.token))];
        headers.extend((!origin.is_empty()).then(|| ("origin", origin.to_owned())));
        let socket = Socket::connect_with(&server.socket, headers).await;
        let you = |message| match message {
            ServerMessage::Hi { you, .. } => Some(you),
            _ => None,
        };
        let you = socket.unwrap().expect(you).await.unwrap();
        assert_eq!(you.unwrap().id, session.player.id, "{origin}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_host_names_are_not_served() {
    let server = server().await;
    let stream = tokio::net::TcpStream::connect(&server.address)
        .await
        .unwrap();
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (mut read, mut write) = stream.into_split();
    let request = "GET /api/lobby HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    write.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    read.read_to_string(&mut text).await.unwrap();
    assert!(text.starts_with("HTTP/1.1 421"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_can_be_exported_and_deleted() {
    let server = server().await;
    let mut table = Table::new(&server, json!({ "game": "takeover" })).await;
    table.play(3).await;
    let (api, session) = account(&server, "Mika").await;
    let (friend, friend_session) = server.api.new_guest().await.unwrap();
    let created = api
        .challenge(&json!({ "game": "takeover", "color": "first" }))
        .await
        .unwrap();
    let accepted = friend.accept(&created.challenge).await.unwrap();
    let mut socket = Socket::connect(&server.socket, Some(&session.token))
        .await
        .unwrap();
    let resign = action(&accepted.id, 7, ActionName::Resign);
    socket.send(&ClientMessage::Do(resign)).await.unwrap();
    let stored = |message| matches!(message, ServerMessage::Ok { .. }).then_some(());
    socket.expect(stored).await.unwrap();
    let other = friend_session.player.id.as_str();
    let block = json!({ "player": other, "on": true });
    assert_eq!(api.post("/api/blocks", &block).await.unwrap().status, 200);
    let days = json!({ "game": "nonaga", "clock": { "days": 3 }, "rated": true });
    api.challenge(&days).await.unwrap();
    let seek = ClientMessage::Seek {
        id: 8,
        pools: vec!["nonaga/3+2".to_owned()],
    };
    socket.send(&seek).await.unwrap();
    socket.expect(stored).await.unwrap();

    let export = api.get("/api/me/export").await.unwrap();
    assert_eq!(export.status, 200);
    let all = body(&export);
    assert_eq!(all["player"]["name"], "Mika");
    assert_eq!(
        (&all["password"], &all["recovery_codes"]),
        (&true.into(), &8.into())
    );
    assert_eq!(all["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(all["sessions"][0]["kind"], "browser");
    assert_eq!(all["blocks"], json!([other]));
    assert_eq!(all["pools"], json!(["nonaga/3+2"]));
    let challenges = all["challenges"].as_array().unwrap();
    let found = |status: &str| {
        let mut challenges = challenges.iter();
        challenges.find(|challenge| challenge["status"] == status)
    };
    let open = found("open").unwrap();
    assert_eq!(open["clock"], json!({ "days": 3 }));
    assert_eq!(
        (&open["game"], &open["rated"]),
        (&"nonaga".into(), &true.into())
    );
    assert_eq!(found("taken").unwrap()["match"], accepted.id.as_str());
    assert_eq!(all["matches"].as_array().unwrap().len(), 1);
    let mut played = all["matches"][0].clone();
    assert_eq!(played["match"], accepted.id.as_str());
    assert_eq!(played["seats"]["second"]["id"], other);
    let events = played.as_object_mut().unwrap().remove("events").unwrap();
    assert_eq!(events.as_array().unwrap().len(), 1);
    assert_eq!(events[0]["e"], json!({ "k": "resign", "by": "first" }));
    assert_eq!(events[0]["cause"], "first:7");
    let record = played["record"].as_str().unwrap();
    assert!(record.contains("\nfirst: Mika\n"), "{record}");
    let lines = api.get("/api/me/matches.ndjson").await.unwrap();
    assert_eq!(lines.body, format!("{played}\n"));
    let page: PlayerPage = friend
        .get("/api/players/mika")
        .await
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(page.player.name, "Mika");

    assert_eq!(
        api.send("DELETE", "/api/me", "", "").await.unwrap().status,
        200
    );
    refused(&api.get("/api/me").await.unwrap(), 401, "nobody");
    refused(
        &friend.get("/api/players/mika").await.unwrap(),
        404,
        "unknown",
    );
    let info = friend
        .get(&format!("/api/matches/{}", accepted.id))
        .await
        .unwrap();
    assert_eq!(body(&info)["seats"]["first"]["deleted"], true);
    assert_eq!(body(&info)["seats"]["first"]["name"], "deleted player");
    // Nobody's copy of the match has the name.
    let record = format!("/api/matches/{}/record", accepted.id);
    for path in [
        &*record,
        "/api/me/export",
        "/api/me/matches.ndjson",
        "/api/me/matches",
    ] {
        let answer = friend.get(path).await.unwrap();
        assert!(
            answer.body.contains("deleted player"),
            "{path}: {}",
            answer.body
        );
        assert!(!answer.body.contains("Mika"), "{path}: {}", answer.body);
    }
    assert!(!info.body.contains("Mika"));
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_matches_change_ratings() {
    let server = server().await;
    let (host, _) = account(&server, "Mika").await;
    let (friend, _) = account(&server, "Aki").await;
    let terms = json!({
        "game": "takeover", "color": "first", "rated": true,
        "clock": { "base_ms": 180_000, "inc_ms": 2_000 },
    });
    let created = host.challenge(&terms).await.unwrap();
    let (guest, _) = server.api.new_guest().await.unwrap();
    let path = format!("/api/challenges/{}/accept", created.challenge);
    refused(
        &guest.post(&path, &json!({})).await.unwrap(),
        403,
        "needs-account",
    );
    let accepted = friend.accept(&created.challenge).await.unwrap();
    // Whoever is late learns that, and not what they would have needed.
    let late = guest.post(&path, &json!({})).await.unwrap();
    refused(&late, 409, "taken");
    let mut socket = Socket::connect(&server.socket, friend.token())
        .await
        .unwrap();
    let resign = table::action(&accepted.id, 1, protocol::ActionName::Resign);
    socket
        .send(&protocol::ClientMessage::Do(resign))
        .await
        .unwrap();
    let ok = |message| matches!(message, protocol::ServerMessage::Ok { .. }).then_some(());
    socket.expect(ok).await.unwrap();
    let me: Me = host.get("/api/me").await.unwrap().parse().unwrap();
    assert!(me.ratings[0].rating > 1500 && me.ratings[0].provisional);
    let info = host
        .get(&format!("/api/matches/{}", accepted.id))
        .await
        .unwrap();
    assert!(body(&info)["seats"]["first"]["change"].as_i64().unwrap() > 0);
    let page = host.get("/api/players/Aki").await.unwrap();
    let page: PlayerPage = page.parse().unwrap();
    let [point] = &page.history[..] else {
        panic!("one match: {:?}", page.history);
    };
    assert_eq!(
        (point.game.as_str(), point.speed.name()),
        ("takeover", "3+2")
    );
    assert_eq!(point.rating, page.ratings[0].rating);
    let change = page.matches[0].seats.second.change.unwrap();
    assert_eq!(page.matches[0].seats.second.rating, Some(1500 + change));
    let solved = json!({ "game": "lilypads", "rated": true });
    refused(
        &host.post("/api/challenges", &solved).await.unwrap(),
        400,
        "bad-field",
    );
    let board = host
        .get("/api/leaderboard?game=takeover&speed=3%2B2")
        .await
        .unwrap();
    assert_eq!(
        body(&board)["you"]["name"],
        "Mika",
        "a provisional rating has no rank"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_blocked_can_t_take_a_seat() {
    let server = server().await;
    let (host, _) = account(&server, "Mika").await;
    let (friend, session) = server.api.new_guest().await.unwrap();
    let block = json!({ "player": session.player.id, "on": true });
    assert_eq!(host.post("/api/blocks", &block).await.unwrap().status, 200);
    let created = host.challenge(&json!({ "game": "nonaga" })).await.unwrap();
    let link = format!("/api/challenges/{}", created.challenge);
    let path = format!("{link}/accept");
    refused(
        &friend.post(&path, &json!({})).await.unwrap(),
        403,
        "blocked",
    );
    host.send("DELETE", &link, "", "").await.unwrap();
    let late = friend.post(&path, &json!({})).await.unwrap();
    refused(&late, 410, "gone");
}

/// A page knows blocked players by their ids, which matches name as well. An id is no token.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_blocked_is_known_by_id() {
    let server = server().await;
    let (host, session) = server.api.new_guest().await.unwrap();
    let (friend, other) = server.api.new_guest().await.unwrap();
    let terms = json!({ "game": "nonaga", "color": "first" });
    let created = host.challenge(&terms).await.unwrap();
    let g = friend.accept(&created.challenge).await.unwrap().id;
    let mut socket = Socket::connect(&server.socket, Some(&session.token))
        .await
        .unwrap();
    let join = ClientMessage::Join { g, v: None };
    socket.send(&join).await.unwrap();
    let seats = |message| match message {
        ServerMessage::State(state) => Some(state.seats),
        _ => None,
    };
    let seats = socket.expect(seats).await.unwrap();
    assert_eq!(seats.first.player.id, session.player.id);
    assert_eq!(seats.second.player.id, other.player.id);
    let me = async || -> protocol::Me { host.get("/api/me").await.unwrap().parse().unwrap() };
    assert_eq!(me().await.blocked, [""; 0]);
    for on in [true, false] {
        let block = json!({ "player": seats.second.player.id, "on": on });
        assert_eq!(host.post("/api/blocks", &block).await.unwrap().status, 200);
        let expected = on.then(|| other.player.id.clone());
        assert_eq!(me().await.blocked, Vec::from_iter(expected));
    }
    let forged = server.api.with_token(&other.player.id);
    refused(&forged.get("/api/me").await.unwrap(), 401, "nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_says_how_it_is() {
    let server = server().await;
    assert_eq!(server.api.get("/healthz").await.unwrap().status, 200);
    assert_eq!(server.api.get("/readyz").await.unwrap().status, 200);
    refused(
        &server.api.get("/api/nothing").await.unwrap(),
        404,
        "unknown",
    );
    refused(&server.api.get("/api/guests").await.unwrap(), 405, "method");
    assert_eq!(
        server.api.get("/metrics").await.unwrap().status,
        404,
        "on a port of its own"
    );
}

/// The lobby says how long players usually wait, where there were any.
#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_has_the_usual_waits() {
    const HOUR: u64 = 60 * 60 * 1000;
    let store = Arc::new(MemoryStore::new());
    let server = table::node(store.clone(), Arc::new(server::NoBus)).await;
    let now = store.now().await.unwrap();
    store.beat("elsewhere", now).await.unwrap();
    let pair = async |pool: &str, from: u64, waited: u64| {
        for (player, now) in [("waiting", from), ("coming", from + waited)] {
            let entry = PoolEntry {
                pool: pool.to_owned(),
                rating: 1500.0,
            };
            let seek = Seek {
                player: player.to_owned(),
                node: "elsewhere".to_owned(),
                pools: vec![entry],
                now,
            };
            let make: MakeMatch = Arc::new(move |pool, first, second| NewMatch {
                id: format!("{pool}, {from}"),
                game: "takeover".to_owned(),
                rules: 1,
                options: String::new(),
                clock: String::new(),
                rated: false,
                first: first.clone(),
                second: second.clone(),
                head: Head {
                    at: 0,
                    state: String::new(),
                    deadline: None,
                    status: MatchStatus::Aborted,
                    result: MatchResult::None,
                },
                created: from,
            });
            store.seek(seek, make).await.unwrap();
        }
        store.take_pairings("elsewhere").await.unwrap();
    };
    pair("takeover/3+2", now - 3 * HOUR, 40_000).await;
    pair("takeover/3+2", now - 2 * HOUR, 20_000).await;
    pair("takeover/3+2", now - HOUR, 90_000).await;
    // Too long ago.
    pair("nonaga/1d", now - 8 * 24 * HOUR, 1_000).await;
    let lobby = body(&server.api.get("/api/lobby").await.unwrap());
    assert_eq!(lobby["waits"], json!({ "takeover/3+2": 40_000 }));
    assert_eq!(lobby["pools"].as_array().unwrap().len(), 12);
    // Everybody in the lobby asks again and again, the store is asked now and then.
    pair("takeover/3+2", now - HOUR / 2, 80_000).await;
    pair("takeover/3+2", now - HOUR / 3, 80_000).await;
    let again = body(&server.api.get("/api/lobby").await.unwrap());
    assert_eq!(again["waits"], lobby["waits"]);
}
