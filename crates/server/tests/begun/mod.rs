//! Matches that began some time ago, and what was given back in them.

#![allow(dead_code, reason = "each test program uses a part")]

use std::time::Duration;

use client::Socket;
use protocol::{ClientMessage, Event, MatchResult, MatchStatus, Seat};
use rules::Random;
use serde_json::json;
use store::{Append, Appended, Head, MatchHead, NewMatch, Store, StoredMatch};

use crate::{
    law::{Match, state},
    table::{Server, random_turn, turn},
};

/// Begins a match with a clock, in which both made their first turn `ago` milliseconds ago, and the
/// first player has `left` milliseconds left.
pub(crate) async fn begin(server: &Server, store: &dyn Store, ago: u64, left: u64) -> Match {
    begin_with(server, store, (ago, left), None).await
}

/// As [`begin`], with the deadline that sweeps find the match by.
pub(crate) async fn begin_with(
    server: &Server,
    store: &dyn Store,
    (ago, left): (u64, u64),
    deadline: Option<u64>,
) -> Match {
    let clock = json!({ "base_ms": 60_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let begun = Match::new(&server.api, terms).await;
    let path = format!("/api/matches/{}/record", begun.g);
    let record = server.api.get(&path).await.unwrap().body;
    let mut record = catalog::find("takeover")
        .unwrap()
        .read_file(&record)
        .unwrap();
    let time = store.now().await.unwrap() - ago;
    for (by, version) in Seat::BOTH.into_iter().zip(1..) {
        let event = Event::Turn {
            by,
            m: random_turn(&mut *record, &mut Random::new(5)),
            left: Some(left),
            lag: 0,
        };
        let mut append = append(&begun.g, version, time, &event);
        append.head.deadline = deadline.filter(|_| by == Seat::Second);
        let appended = store.append(append).await.unwrap();
        assert!(matches!(appended, Appended::Done { .. }), "{appended:?}");
    }
    begun
}

/// As [`begin`], a second ago, with a deadline in the store, so that sweeps find the match.
pub(crate) async fn begin_with_deadline(server: &Server, store: &dyn Store) -> Match {
    let deadline = store.now().await.unwrap() + 60_000;
    begin_with(server, store, (1_000, 60_000), Some(deadline)).await
}

pub(crate) fn append(g: &str, version: u64, time: u64, event: &Event) -> Append {
    Append {
        id: g.to_owned(),
        version,
        cause: None,
        time,
        body: event.to_json(),
        head: Head {
            at: version,
            state: "{}".to_owned(),
            deadline: None,
            status: MatchStatus::Playing,
            result: MatchResult::None,
        },
        record: None,
        rated_speed: None,
        rematch: None,
    }
}

/// The time that was given back, with its cause.
pub(crate) fn given(stored: &StoredMatch) -> Vec<(Seat, u64, String)> {
    let given = stored.events.iter().filter_map(|event| {
        let cause = event.cause.clone().unwrap_or_default();
        match Event::parse(&event.body).unwrap() {
            Event::Time { to, ms } => Some((to, ms, cause)),
            _ => None,
        }
    });
    given.collect()
}

/// Waits until something holds.
pub(crate) async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    for _ in 0..600 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it does not happen");
}

/// Makes a turn of the first player with the number 1.
pub(crate) async fn send_turn(socket: &mut Socket, g: &str) {
    let known = state(socket, g).await.unwrap();
    assert_eq!(
        (known.turn, known.status),
        (Seat::First, MatchStatus::Playing)
    );
    let game = catalog::find(&known.game).unwrap();
    let mut record = game.read_file(&known.record).unwrap();
    while record.redo().is_some() {}
    let m = random_turn(&mut *record, &mut Random::new(1));
    let message = ClientMessage::Turn(turn(g, 1, known.at, &m));
    socket.send(&message).await.unwrap();
}

/// Copies a match to another store.
pub(crate) async fn copy(StoredMatch { head, events, .. }: &StoredMatch, store: &dyn Store) {
    let MatchHead { id, created, .. } = head;
    let new = NewMatch {
        id: id.clone(),
        game: head.game.clone(),
        rules: head.rules,
        options: head.options.clone(),
        clock: head.clock.clone(),
        rated: head.rated,
        first: head.first.clone(),
        second: head.second.clone(),
        head: head.head.clone(),
        created: *created,
    };
    store.create_match(new).await.unwrap();
    for event in events {
        let body = Event::parse(&event.body).unwrap();
        let mut append = append(id, event.version, event.time, &body);
        append.head.deadline = head.head.deadline;
        store.append(append).await.unwrap();
    }
}
