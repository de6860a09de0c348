//! The requests of the contract, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod table;

use client::{Answer, Api, Socket};
use protocol::{ChallengeInfo, ChallengeStatus, Me, PlayerPage, Session};
use serde_json::{Value, json};
use table::{Server, Table, server};

fn body(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).unwrap()
}

/// Checks that a request is refused with this status and code.
#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(body(answer)["error"], code, "{}", answer.body);
    assert!(body(answer)["message"].is_string());
}

async fn account(server: &Server, name: &str) -> (Api, Session) {
    let credentials = json!({ "name": name, "password": "correct horse" });
    let answer = server
        .api
        .post("/api/accounts", &credentials)
        .await
        .unwrap();
    assert_eq!(answer.status, 201, "{}", answer.body);
    let session: Session = answer.parse().unwrap();
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

    let session: Session = login.parse().unwrap();
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
    let account: Session = answer.parse().unwrap();
    assert_eq!(account.player.id, session.player.id);
    let me: Me = guest.get("/api/me").await.unwrap().parse().unwrap();
    assert_eq!((me.player.name.as_str(), me.matches.len()), ("Aki", 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_taken_once() {
    let server = server().await;
    let (host, _) = server.api.new_guest().await.unwrap();
    let (friend, _) = server.api.new_guest().await.unwrap();
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
    refused(
        &host
            .post(&format!("{path}/accept"), &json!({}))
            .await
            .unwrap(),
        409,
        "own",
    );
    let accepted = friend.accept(&created.challenge).await.unwrap();
    assert_eq!(accepted.seat, protocol::Seat::First);
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
    let (friend, _) = server.api.new_guest().await.unwrap();
    let created = api
        .challenge(&json!({ "game": "takeover", "color": "first" }))
        .await
        .unwrap();
    let accepted = friend.accept(&created.challenge).await.unwrap();
    let export = api.get("/api/me/export").await.unwrap();
    assert_eq!(export.status, 200);
    let all = body(&export);
    assert_eq!(all["player"]["name"], "Mika");
    assert_eq!(all["matches"][0]["match"], accepted.id.as_str());
    assert_eq!(all["matches"].as_array().unwrap().len(), 1);
    let lines = api.get("/api/me/matches.ndjson").await.unwrap();
    assert_eq!(lines.body, format!("{}\n", all["matches"][0]));
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
    assert!(!info.body.contains("Mika") && !session.token.is_empty());
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
    let path = format!("/api/challenges/{}/accept", created.challenge);
    refused(
        &friend.post(&path, &json!({})).await.unwrap(),
        403,
        "blocked",
    );
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
