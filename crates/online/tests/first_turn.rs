//! A match in which nobody makes a first turn is called off, and the player is told when.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::AnyMatch;
use online::{Event, OnlineMatch};
use protocol::ServerMessage;
use serde_json::json;

/// How far the clock of the player is behind that of the server.
const BEHIND: u64 = 5_000_000;

fn hear(current: &mut OnlineMatch, message: &serde_json::Value, now: u64) {
    let message = ServerMessage::parse(&message.to_string()).unwrap();
    current.update(Event::Heard(message), now);
}

fn state(record: &dyn AnyMatch, v: u64, abort_at: Option<u64>, now: u64) -> serde_json::Value {
    let person = |name: &str| json!({"id": name, "name": name, "guest": true});
    json!({
        "t": "state", "g": "k3", "v": v, "at": v, "game": record.game(), "options": {},
        "record": record.to_string(), "fen": record.position(), "turn": record.turn().to_string(),
        "result": "none", "status": "playing", "control": null, "clock": null, "rated": false,
        "seats": {"first": person("Ada"), "second": person("Ben")}, "you": "first",
        "offers": [], "abort_at": abort_at, "now": now + BEHIND,
    })
}

#[test]
fn the_first_turn_is_due_by_the_clock_of_the_player() {
    let mut record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let mut current = OnlineMatch::new("k3".to_owned(), 0, None);
    assert_eq!(current.abort_at(), None);
    let due = BEHIND + 31_000;
    hear(&mut current, &state(&*record, 0, Some(due), 1_000), 1_000);
    assert_eq!(current.abort_at(), Some(31_000));
    // The estimate of the server's clock gets better.
    let pong = json!({"t": "pong", "n": 1, "now": BEHIND + 2_100});
    hear(&mut current, &pong, 2_000);
    assert_eq!(current.abort_at(), Some(30_900));
    // One's own turn is on its way, and then it is the other player's turn.
    let m = record.legal_moves()[0].clone();
    current.update(Event::Made(vec![m.clone()]), 3_000);
    assert_eq!(current.abort_at(), None);
    record.play(&m).unwrap();
    let turn = json!({
        "t": "ev", "g": "k3", "v": 1, "at": 1, "e": {"k": "turn", "by": "first", "m": [m]},
        "fen": record.position(), "turn": "second", "result": "none", "status": "playing",
        "clock": null, "abort_at": BEHIND + 33_000,
    });
    hear(&mut current, &turn, 3_100);
    assert_eq!(current.abort_at(), Some(32_900));
    // Both have made a turn.
    let m = record.legal_moves()[0].clone();
    record.play(&m).unwrap();
    let turn = json!({
        "t": "ev", "g": "k3", "v": 2, "at": 2, "e": {"k": "turn", "by": "second", "m": [m]},
        "fen": record.position(), "turn": "first", "result": "none", "status": "playing",
        "clock": null,
    });
    hear(&mut current, &turn, 4_000);
    assert_eq!(current.abort_at(), None);
}

#[test]
fn a_match_that_was_called_off_is_not_due() {
    let record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let mut current = OnlineMatch::new("k3".to_owned(), 0, None);
    hear(
        &mut current,
        &state(&*record, 0, Some(BEHIND + 31_000), 0),
        0,
    );
    let abort = json!({
        "t": "ev", "g": "k3", "v": 1, "at": 0, "e": {"k": "abort"}, "fen": record.position(),
        "turn": "first", "result": "none", "status": "aborted", "clock": null,
        "abort_at": BEHIND + 31_000,
    });
    hear(&mut current, &abort, 31_000);
    assert!(current.is_over());
    assert_eq!(current.abort_at(), None);
}
