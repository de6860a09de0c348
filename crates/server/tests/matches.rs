//! Two players and a server in one process, over real sockets.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod table;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use client::{Api, Socket};
use protocol::{
    Action, ActionName, ClaimAs, ClientMessage, Event, MatchInfo, MatchResult, MatchStatus,
    Refusal, Seat, ServerMessage,
};
use serde_json::json;
use store::MemoryStore;
use table::{Table, action, legal_turn, offer_by, server, server_with, turn};

/// Plays every game to its end with random turns, and again as a rematch.
#[tokio::test(flavor = "multi_thread")]
async fn every_game_from_link_to_rematch() {
    let server = server().await;
    for game in catalog::GAMES {
        let mut table = Table::new(&server, json!({ "game": game.name(), "color": "first" })).await;
        let n_turns = table.play_to_end(300).await;
        assert!(n_turns > 4, "{}", game.name());
        if table.info().await.status == MatchStatus::Playing {
            table
                .act(Seat::First, ActionName::Resign, None)
                .await
                .unwrap();
        }
        let info = table.info().await;
        assert_eq!(info.status, MatchStatus::Over);
        assert_ne!(info.result, MatchResult::None);
        let record = table
            .api
            .get(&format!("/api/matches/{}/record", table.g))
            .await
            .unwrap();
        let record = game.read_file(&record.body).unwrap();
        assert_eq!(record.position(), info.fen);
        assert!(record.ending().is_some());

        // Both press the button: one match comes of it, with the colors swapped.
        table
            .act(Seat::First, ActionName::Rematch, None)
            .await
            .unwrap();
        table
            .act(Seat::Second, ActionName::Rematch, None)
            .await
            .unwrap();
        let first = table.paired(Seat::First).await;
        let second = table.paired(Seat::Second).await;
        assert_eq!(first.0, second.0);
        assert_eq!((first.1, second.1), (Seat::Second, Seat::First));
        let next: MatchInfo = table
            .api
            .get(&format!("/api/matches/{}", first.0))
            .await
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(next.options, info.options);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_is_carried_out_once() {
    let server = server().await;
    let mut table = Table::new(&server, json!({ "game": "takeover" })).await;
    let m = legal_turn(&*table.record().await);
    let message = ClientMessage::Turn(turn(&table.g, 7, 0, &m));
    for _ in 0..3 {
        table.sockets[0].send(&message).await.unwrap();
        let v = table.sockets[0].expect(ok).await.unwrap();
        assert_eq!(v, (7, Some(1)));
    }
    assert_eq!(table.info().await.version, 1);
}

fn ok(message: ServerMessage) -> Option<(u64, Option<u64>)> {
    match message {
        ServerMessage::Ok { id, v, .. } => Some((id, v)),
        _ => None,
    }
}

fn no(message: ServerMessage) -> Option<(Option<u64>, Refusal)> {
    match message {
        ServerMessage::No(refused) => Some((refused.id, refused.why)),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_t_be_done_is_refused_and_changes_nothing() {
    let server = server().await;
    let mut table = Table::new(&server, json!({ "game": "nonaga" })).await;
    let g = table.g.clone();
    let m = legal_turn(&*table.record().await);
    let (_, watcher) = server.api.new_guest().await.unwrap();
    let mut watcher = Socket::connect(&server.socket, Some(&watcher.token))
        .await
        .unwrap();
    let refused = [
        (1, turn(&g, 1, 0, &m), Refusal::NotYourTurn),
        (0, turn(&g, 2, 9, &m), Refusal::Stale),
        (0, turn(&g, 3, 0, &m[..1]), Refusal::Illegal),
        (0, turn("none", 4, 0, &m), Refusal::Unknown),
    ];
    for (player, turn, why) in refused {
        let id = turn.id;
        table.sockets[player]
            .send(&ClientMessage::Turn(turn))
            .await
            .unwrap();
        assert_eq!(
            table.sockets[player].expect(no).await.unwrap(),
            (Some(id), why)
        );
    }
    watcher
        .send(&ClientMessage::Turn(turn(&g, 5, 0, &m)))
        .await
        .unwrap();
    assert_eq!(
        watcher.expect(no).await.unwrap(),
        (Some(5), Refusal::NotYourSeat)
    );
    for text in ["", "{}", r#"{"t":"fly","id":6}"#, "[1,2]"] {
        table.sockets[0].send_text(text.to_owned()).await.unwrap();
        assert_eq!(
            table.sockets[0].expect(no).await.unwrap().1,
            Refusal::Broken
        );
    }
    let long = format!(r#"{{"t":"ping","n":1,"x":"{}"}}"#, "x".repeat(5000));
    table.sockets[0].send_text(long).await.unwrap();
    assert_eq!(
        table.sockets[0].expect(no).await.unwrap().1,
        Refusal::Broken
    );
    assert_eq!(table.info().await.version, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_messages_are_refused() {
    let server = server().await;
    let mut socket = Socket::connect(&server.socket, None).await.unwrap();
    for n in 0..101 {
        socket.send(&ClientMessage::Ping { n }).await.unwrap();
    }
    assert_eq!(socket.expect(no).await.unwrap(), (None, Refusal::SlowDown));
    // Whatever it was, it is answered.
    for (text, id) in [
        (r#"{"t":"fly","id":6}"#, 6),
        (r#"{"t":"do","g":"k3","id":7,"what":"resign"}"#, 7),
    ] {
        socket.send_text(text.to_owned()).await.unwrap();
        let slow_down = (Some(id), Refusal::SlowDown);
        assert_eq!(socket.expect(no).await.unwrap(), slow_down);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_are_accepted_by_their_version() {
    let server = server().await;
    // A board on which the match is not over after four turns.
    let terms = json!({ "game": "takeover", "options": { "board": "7" } });
    let mut table = Table::new(&server, terms).await;
    table.play(2).await;
    let before = table.info().await.fen;
    table.play(2).await;
    table
        .act(Seat::First, ActionName::Takeback, None)
        .await
        .unwrap();
    let of = table.sockets[1]
        .expect(offer_by(Seat::First))
        .await
        .unwrap();
    assert_eq!(
        table
            .act(Seat::Second, ActionName::Accept, Some(of + 1))
            .await,
        Err(Refusal::Unknown)
    );
    table
        .act(Seat::Second, ActionName::Accept, Some(of))
        .await
        .unwrap();
    assert_eq!(table.info().await.fen, before);
    table
        .act(Seat::Second, ActionName::Draw, None)
        .await
        .unwrap();
    let of = table.sockets[0]
        .expect(offer_by(Seat::Second))
        .await
        .unwrap();
    table
        .act(Seat::First, ActionName::Accept, Some(of))
        .await
        .unwrap();
    assert_eq!(table.info().await.result, MatchResult::Draw);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_comes_back_hears_what_was_missed() {
    let server = server().await;
    let mut table = Table::new(
        &server,
        json!({ "game": "simply-go", "options": { "size": "9" } }),
    )
    .await;
    table.play(3).await;
    let mut socket = Socket::connect(&server.socket, None).await.unwrap();
    socket
        .send(&ClientMessage::Join {
            g: table.g.clone(),
            v: Some(1),
        })
        .await
        .unwrap();
    for expected in 2..=3 {
        let event = |message| match message {
            ServerMessage::Ev {
                v,
                e: Event::Turn { .. },
                fen,
                ..
            } => Some((v, fen)),
            _ => None,
        };
        let (v, fen) = socket.expect(event).await.unwrap();
        assert_eq!(v, expected);
        if v == 3 {
            assert_eq!(fen, table.info().await.fen);
        }
    }
    socket
        .send(&ClientMessage::Join {
            g: table.g.clone(),
            v: None,
        })
        .await
        .unwrap();
    let state = |message| match message {
        ServerMessage::State(state) => Some(state),
        _ => None,
    };
    let state = socket.expect(state).await.unwrap();
    assert_eq!((state.v, state.at, state.you), (3, 3, None));
    assert_eq!(state.record, table.record_text().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_is_seen_to_leave() {
    let server = server().await;
    let clock = json!({ "base_ms": 60_000, "inc_ms": 0 });
    let mut table = Table::new(&server, json!({ "game": "takeover", "clock": clock })).await;
    table.play(2).await;
    let other = table.sockets.pop().unwrap();
    other.close().await;
    let gone = |message| match message {
        ServerMessage::Here {
            seat: Seat::Second,
            is: false,
            claim,
            since,
            ..
        } => Some((claim, since)),
        _ => None,
    };
    let (claim, since) = table.sockets[0].expect(gone).await.unwrap();
    assert_eq!(claim, since.map(|since| since + 15_000));
    let join = ClientMessage::Join {
        g: table.g.clone(),
        v: None,
    };
    table.sockets[0].send(&join).await.unwrap();
    let state = |message| match message {
        ServerMessage::State(state) => Some((state.claim, state.since)),
        _ => None,
    };
    let known = table.sockets[0].expect(state).await.unwrap();
    assert_eq!(known, (claim, since));
    let claim = table.act(Seat::First, ActionName::Claim, None).await;
    assert_eq!(claim, Err(Refusal::NotNow), "15 seconds have not passed");
}

#[tokio::test(flavor = "multi_thread")]
async fn time_that_runs_out_ends_the_match() {
    let server = server().await;
    let clock = json!({ "base_ms": 300, "inc_ms": 0 });
    let mut table = Table::new(&server, json!({ "game": "takeover", "clock": clock })).await;
    table.play(2).await;
    let timeout = |message| match message {
        ServerMessage::Ev {
            e: Event::Timeout { by },
            result,
            ..
        } => Some((by, result)),
        _ => None,
    };
    let ended = table.sockets[1].expect(timeout).await.unwrap();
    assert_eq!(ended, (Seat::First, MatchResult::Second));
}

#[tokio::test(flavor = "multi_thread")]
async fn players_of_a_pool_are_paired() {
    let server = server().await;
    let mut sockets = Vec::new();
    for _ in 0..2 {
        let (_, guest) = server.api.new_guest().await.unwrap();
        let mut socket = Socket::connect(&server.socket, Some(&guest.token))
            .await
            .unwrap();
        let pools = vec!["nonaga/3+2".to_owned(), "takeover/3+2".to_owned()];
        socket
            .send(&ClientMessage::Seek { id: 1, pools })
            .await
            .unwrap();
        socket.expect(ok).await.unwrap();
        sockets.push(socket);
    }
    let paired = |message| match message {
        ServerMessage::Paired { g, seat } => Some((g, seat)),
        _ => None,
    };
    let first = sockets[0].expect(paired).await.unwrap();
    let second = sockets[1].expect(paired).await.unwrap();
    assert_eq!(first.0, second.0);
    assert_ne!(first.1, second.1);
}

/// A player leaves and does not come back. The other asks until they may claim, which takes
/// 15 s. Returns the result.
async fn claim_against_who_left(result: Option<ClaimAs>) -> MatchResult {
    let server = server().await;
    let clock = json!({ "base_ms": 60_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let mut table = Table::new(&server, terms).await;
    table.play(2).await;
    let left = Instant::now();
    table.sockets.pop().unwrap().close().await;
    let answer = |message| match message {
        ServerMessage::Ok { .. } => Some(Ok(())),
        ServerMessage::No(refused) => Some(Err(refused.why)),
        _ => None,
    };
    for id in 1.. {
        let claim = Action {
            result,
            ..action(&table.g, id, ActionName::Claim)
        };
        let socket = &mut table.sockets[0];
        socket.send(&ClientMessage::Do(claim)).await.unwrap();
        match socket.expect(answer).await.unwrap() {
            Ok(()) => break,
            Err(why) => assert_eq!(why, Refusal::NotNow),
        }
        assert!(id < 100, "it is never granted");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert!(left.elapsed() >= Duration::from_millis(14_900));
    let info = table.info().await;
    assert_eq!(info.status, MatchStatus::Over);
    info.result
}

#[tokio::test(flavor = "multi_thread")]
async fn a_win_is_claimed_against_who_is_long_gone() {
    assert_eq!(claim_against_who_left(None).await, MatchResult::First);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_is_claimed_against_who_is_long_gone() {
    let draw = Some(ClaimAs::Draw);
    assert_eq!(claim_against_who_left(draw).await, MatchResult::Draw);
}

/// The twelve phrases reach the other player.
#[tokio::test(flavor = "multi_thread")]
async fn a_phrase_is_heard() {
    let server = server().await;
    let mut table = Table::new(&server, json!({ "game": "lilypads" })).await;
    let say = Action {
        phrase: Some(11),
        ..action(&table.g, 50, ActionName::Say)
    };
    table.sockets[0]
        .send(&ClientMessage::Do(say))
        .await
        .unwrap();
    let said = |message| match message {
        ServerMessage::Ev {
            e: Event::Say { by, phrase },
            ..
        } => Some((by, phrase)),
        _ => None,
    };
    assert_eq!(
        table.sockets[1].expect(said).await.unwrap(),
        (Seat::First, 11)
    );
}

/// Too many phrases are refused, but not those that were said already.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_phrase_is_acknowledged_again() {
    let server = server().await;
    let mut table = Table::new(&server, json!({ "game": "lilypads" })).await;
    let say = |id| {
        let action = action(&table.g, id, ActionName::Say);
        let phrase = Some(3);
        ClientMessage::Do(Action { phrase, ..action })
    };
    let (all, again) = ((1..=5).map(say), say(2));
    for message in all.collect::<Vec<_>>().into_iter().chain([again]) {
        table.sockets[0].send(&message).await.unwrap();
    }
    let answer = |message| match message {
        ServerMessage::Ok { id, v, .. } => Some((id, Ok(v.unwrap()))),
        ServerMessage::No(refused) => Some((refused.id.unwrap(), Err(refused.why))),
        _ => None,
    };
    let expected = [
        (1, Ok(1)),
        (2, Ok(2)),
        (3, Ok(3)),
        (4, Ok(4)),
        (5, Err(Refusal::SlowDown)),
        (2, Ok(2)),
    ];
    for expected in expected {
        assert_eq!(table.sockets[0].expect(answer).await.unwrap(), expected);
    }
    assert_eq!(table.info().await.version, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_nobody() {
    let server = server().await;
    let anonymous = Api::new(&server.address);
    assert_eq!(anonymous.get("/api/me").await.unwrap().status, 401);
    let forged = anonymous.with_token("AAAAAAAAAAAAAAAAAAAAAA");
    assert_eq!(forged.get("/api/me").await.unwrap().status, 401);
    assert!(
        Socket::connect(&server.socket, Some("AAAAAAAAAAAAAAAAAAAAAA"))
            .await
            .is_err()
    );
}

/// Two nodes without a bus: one of them learns only from the store that the match is over.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_has_not_heard_of_the_end_asks_the_store() {
    let store = Arc::new(MemoryStore::shared());
    let nodes = [
        server_with(store.clone()).await,
        server_with(store.clone()).await,
    ];
    let (first, first_session) = nodes[0].api.new_guest().await.unwrap();
    let (second, second_session) = nodes[1].api.new_guest().await.unwrap();
    let terms = json!({ "game": "takeover", "color": "first" });
    let challenge = first.challenge(&terms).await.unwrap();
    let g = second.accept(&challenge.challenge).await.unwrap().id;
    let mut sockets = Vec::new();
    for (node, session) in nodes.iter().zip([first_session, second_session]) {
        let socket = Socket::connect(&node.socket, Some(&session.token)).await;
        let mut socket = socket.unwrap();
        let join = ClientMessage::Join {
            g: g.clone(),
            v: None,
        };
        socket.send(&join).await.unwrap();
        let state = |message| matches!(message, ServerMessage::State(_)).then_some(());
        socket.expect(state).await.unwrap();
        sockets.push(socket);
    }
    for (socket, what, v) in [(0, ActionName::Resign, 1), (1, ActionName::Rematch, 2)] {
        let action = ClientMessage::Do(action(&g, 1, what));
        sockets[socket].send(&action).await.unwrap();
        let answer = |message| match message {
            ServerMessage::Ok { v, .. } => Some(v),
            ServerMessage::No(refused) => panic!("{refused:?}"),
            _ => None,
        };
        assert_eq!(sockets[socket].expect(answer).await.unwrap(), Some(v));
    }
}
