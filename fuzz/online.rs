//! Properties of any text that online play reads, for a fuzz target and for a property test of the
//! referee.

use protocol::{
    ClientMessage, Event, LARGEST_ID, LARGEST_MESSAGE, OnlineControl, Seat, ServerMessage,
};
use referee::{Intent, State, Terms, decide};

/// Messages and events are rejected or round-trip; what they ask for is refused with nothing
/// changed, or happens.
pub(crate) fn messages(text: &str) {
    if let Ok(message) = ClientMessage::parse(text) {
        assert!(text.len() <= LARGEST_MESSAGE);
        // Writing may escape more than the sender did.
        let again = message.to_json();
        if again.len() <= LARGEST_MESSAGE {
            assert_eq!(
                ClientMessage::parse(&again).as_ref(),
                Ok(&message),
                "{text:?}"
            );
        }
        if let ClientMessage::Turn(turn) = message {
            assert!(turn.id < LARGEST_ID && !turn.m.is_empty());
            check_turn(turn.at, turn.m, turn.ms);
        }
    }
    if let Ok(message) = ServerMessage::parse(text) {
        let again = ServerMessage::parse(&message.to_json());
        assert!(again.is_ok_and(|again| again == message), "{text:?}");
    }
    if let Ok(event) = Event::parse(text) {
        let again = Event::parse(&event.to_json());
        assert!(again.is_ok_and(|again| again == event), "{text:?}");
        let mut state = begun();
        let before = format!("{state:?}");
        match state.apply(&event, 3_000) {
            Ok(()) => assert_eq!(state.version(), 3),
            Err(_) => assert_eq!(format!("{state:?}"), before, "{text:?}"),
        }
        // It can go on, or be over.
        let after = (state.deadline(), state.clock(4_000));
        assert_eq!(after.0.is_some(), state.is_playing(), "{text:?}");
        drop(decide(&state, &Intent::TimeIsUp, u64::MAX >> 1));
    }
}

/// A match in which both players have made a turn.
fn begun() -> State {
    let terms = Terms {
        control: Some(OnlineControl::Match {
            base_ms: 60_000,
            inc_ms: 1_000,
        }),
        ..Terms::new("takeover", &[("board", "7")])
    };
    let mut state = State::new(terms, 1_000).expect("the terms are valid");
    for by in Seat::BOTH {
        let (m, left) = (vec![FIRST_MOVES[by as usize].to_owned()], Some(60_000));
        let event = Event::Turn {
            by,
            m,
            left,
            lag: 0,
        };
        state.apply(&event, 2_000).expect("the turn is legal");
    }
    state
}

const FIRST_MOVES: [&str; 2] = ["c4", "d1"];

fn check_turn(at: u64, m: Vec<String>, ms: u64) {
    let mut state = begun();
    let intent = Intent::Turn {
        by: state.turn(),
        at,
        m,
        ms,
        round_trip: 50,
    };
    let before = format!("{state:?}");
    let decided = decide(&state, &intent, 3_000);
    assert_eq!(format!("{state:?}"), before);
    if let Ok(event) = decided {
        state
            .apply(&event, 3_000)
            .expect("what was decided can happen");
    }
}
