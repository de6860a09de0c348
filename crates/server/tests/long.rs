//! Matches that last so long that their records would not fit into a message.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod begun;
mod law;
mod table;

use std::sync::Arc;

use begun::append;
use client::Socket;
use protocol::{ClientMessage, Event, LARGEST_ANSWER, Seat, ServerMessage, StateMessage};
use rules::Random;
use serde_json::{Value, json};
use store::{Appended, MemoryStore, Store};
use table::server_with;

/// Begins a match, appends these turns to its log, and returns it as a player sees it.
async fn state_after(terms: Value, turns: &[Vec<String>]) -> StateMessage {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = server_with(store.clone()).await;
    let (host, session) = server.api.new_guest().await.unwrap();
    let (friend, _) = server.api.new_guest().await.unwrap();
    let challenge = host.challenge(&terms).await.unwrap();
    let g = friend.accept(&challenge.challenge).await.unwrap().id;
    let now = store.now().await.unwrap();
    for ((m, by), version) in turns.iter().zip(Seat::BOTH.into_iter().cycle()).zip(1..) {
        let event = Event::Turn {
            by,
            m: m.clone(),
            left: Some(86_400_000),
            lag: 0,
        };
        let append = append(&g, version, now, &event);
        let appended = store.append(append).await.unwrap();
        assert!(matches!(appended, Appended::Done { .. }), "{appended:?}");
    }
    let connect = Socket::connect(&server.socket, Some(&session.token));
    let mut socket = connect.await.unwrap();
    let join = ClientMessage::Join { g, v: None };
    socket.send(&join).await.unwrap();
    let state = |message| match message {
        ServerMessage::State(state) => Some(*state),
        ServerMessage::No(refused) => panic!("{refused:?}"),
        _ => None,
    };
    let state = socket.expect(state).await.unwrap();
    let text = ServerMessage::State(Box::new(state.clone())).to_json();
    assert!(text.len() <= LARGEST_ANSWER, "{} bytes", text.len());
    assert_eq!(state.v, turns.len() as u64);
    state
}

/// First puts stones all over the largest board, and Second passes.
#[tokio::test(flavor = "multi_thread")]
async fn simply_go_on_the_largest_board_fits_without_times() {
    let mut turns = Vec::new();
    for row in 1..=47 {
        for column in 0..48_u8 {
            let letter = |i: u8| char::from(b'A' + i);
            let point = match column {
                0..26 => format!("{}{row}", letter(column)),
                _ => format!("A{}{row}", letter(column - 26)),
            };
            turns.extend([vec![point], vec!["pass".to_owned()]]);
        }
    }
    let options = json!({ "size": "48", "mode": "target:50" });
    let clock = json!({ "days": 1 });
    let terms =
        json!({ "game": "simply-go", "options": options, "color": "first", "clock": clock });
    let state = state_after(terms, &turns).await;
    let record = catalog::read_file(&state.record).unwrap();
    assert_eq!(record.position(), state.fen);
    assert_eq!(record.moves().len(), turns.len(), "all moves are there");
}

/// Two players who never connect their pieces.
#[tokio::test(flavor = "multi_thread")]
async fn of_an_endless_match_of_nonaga_the_last_turns_fit() {
    let game = catalog::find("nonaga").unwrap();
    let mut random = Random::new(4);
    let mut position = game.start(&[]).unwrap();
    let mut turns = Vec::new();
    while turns.len() < 3_600 {
        let mut next = position.boxed_clone();
        let m = table::random_turn(&mut *next, &mut random);
        if next.ending().is_none() {
            // Without what came before, so that copies stay small.
            position = game.start_from(&next.position()).unwrap();
            turns.push(m);
        }
    }
    let terms = json!({ "game": "nonaga", "color": "first", "clock": { "days": 1 } });
    let state = state_after(terms, &turns).await;
    assert_eq!(state.fen, position.position());
    let record = catalog::read_file(&state.record).unwrap();
    assert_eq!(record.position(), state.fen);
    let moves: Vec<_> = turns.into_iter().flatten().collect();
    let kept = record.moves();
    assert!(kept.len() > 1_000, "{} moves", kept.len());
    assert!(moves.ends_with(&kept));
}
