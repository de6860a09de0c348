//! Hints: asked for step by step, and dropped as soon as they are of no use.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use play::{Bot, Effect, Event, HintState, PlayerKind, Saved, Sitting};
use rules::{ByPlayer, record::NodeId};
use study::{Clue, EngineLine, HintReason, Opinion};

/// A match of Takeover against a bot, with the person to move.
fn sit() -> Sitting {
    let game = catalog::find("takeover").unwrap();
    let record = game.start(&[("board", "7")]).unwrap();
    let seats = ByPlayer {
        first: PlayerKind::Person,
        second: PlayerKind::Bot(Bot::Classic),
    };
    Sitting::new(record, seats, 1).0
}

fn line(number: usize, m: &str, evaluation: &str) -> Opinion {
    Opinion::Line(EngineLine {
        number,
        depth: 4,
        nodes: 99,
        evaluation: evaluation.parse().unwrap(),
        moves: vec![m.to_owned()],
    })
}

/// Asks for a hint; what is asked is about where the match stands.
#[track_caller]
fn ask(sitting: &mut Sitting) -> NodeId {
    let effects = sitting.update(Event::Hint);
    let [Effect::Inquire { at, inquiry }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(*at, sitting.live());
    assert_eq!(inquiry.moves, sitting.record().moves());
    *at
}

/// Lets the engine advise `m`.
fn answer(sitting: &mut Sitting, at: NodeId, m: &str) -> Vec<Effect> {
    let opinions = [line(1, m, "s30@4"), Opinion::Done];
    let effects = opinions.map(|opinion| sitting.update(Event::Opinion { at, opinion }));
    effects.concat()
}

#[test]
fn a_hint_is_shown_step_by_step_and_noted_once() {
    let mut sitting = sit();
    let at = ask(&mut sitting);
    assert!(sitting.update(Event::Hint).is_empty(), "it is being asked");
    assert_eq!(sitting.shown_hint(), None);
    assert_eq!(answer(&mut sitting, at, "b5d3"), [Effect::Save]);
    for n in [1, 2, 3] {
        let (hint, n_shown) = sitting.shown_hint().unwrap();
        assert_eq!((&*hint.m, n_shown), ("b5d3", n));
        let clues = [
            Clue::From("b5".to_owned()),
            Clue::To("d3".to_owned()),
            Clue::Why(hint.reason),
        ];
        assert_eq!(hint.clues(), clues);
        assert!(matches!(hint.reason, HintReason::Best { depth: 4, .. }));
        assert!(sitting.update(Event::Hint).is_empty());
    }
    assert_eq!(sitting.shown_hint(), None, "after the last step");
    sitting.update(Event::Hint);
    assert!(sitting.shown_hint().is_some());
    sitting.update(Event::Clear);
    assert_eq!(sitting.shown_hint(), None);
    assert!(sitting.hint().is_some(), "it is still known");
    let text = Saved::new(&sitting, 0, None).to_string();
    assert_eq!(text.matches("!hint").count(), 1, "{text}");
    sitting.update(Event::Typed("c4".to_owned()));
    let rows = sitting.move_list();
    assert!(rows[0].moves()[0].has_hint);
    let again = Saved::new(&sitting, 0, None).to_string();
    let (again, _) = again.parse::<Saved>().unwrap().open().unwrap();
    assert!(again.move_list()[0].moves()[0].has_hint, "it is stored");
}

#[test]
fn an_engine_that_looks_for_a_hint_is_stopped_before_the_bot_is_asked() {
    let mut sitting = sit();
    let at = ask(&mut sitting);
    let effects = sitting.update(Event::Typed("c4".to_owned()));
    assert!(
        matches!(
            &effects[..],
            [Effect::StopInquiry, Effect::Save, Effect::AskBot(_)]
        ),
        "{effects:?}"
    );
    assert_eq!(sitting.hint(), None);
    // What it says too late is ignored, and so is a wish for a hint.
    assert!(answer(&mut sitting, at, "b5d3").is_empty());
    assert!(sitting.update(Event::Hint).is_empty());
    assert!(!sitting.record().has_hint_at(at), "nobody saw it");
    assert!(!sitting.can_hint());
}

#[test]
fn looking_elsewhere_drops_a_hint() {
    let mut sitting = sit();
    sitting.update(Event::Typed("c4".to_owned()));
    let at = sitting.live();
    let reply = sitting.record().legal_moves()[0].clone();
    sitting.update(Event::BotMoved { at, m: reply });
    let at = ask(&mut sitting);
    let effects = sitting.update(Event::GoTo(NodeId::ROOT));
    assert_eq!(effects, [Effect::StopInquiry]);
    assert!(sitting.update(Event::Hint).is_empty(), "hints rest");
    sitting.update(Event::GoTo(at));
    assert_eq!(sitting.hint(), None);
    let at = ask(&mut sitting);
    let m = sitting.record().legal_moves()[0].clone();
    answer(&mut sitting, at, &m);
    assert!(sitting.shown_hint().is_some());
    let effects = sitting.update(Event::TakeBack);
    assert_eq!(effects, [Effect::Save], "nothing is to be stopped");
    assert_eq!(sitting.hint(), None);
    ask(&mut sitting);
    let effects = sitting.update(Event::Resign);
    assert_eq!(effects, [Effect::StopInquiry, Effect::Save]);
    assert!(!sitting.can_hint());
}

#[test]
fn a_hint_that_fails_can_be_asked_for_again() {
    let mut sitting = sit();
    for m in ["0000", ""] {
        let at = ask(&mut sitting);
        assert!(answer(&mut sitting, at, m).is_empty(), "no such move");
        assert_eq!(sitting.hint(), Some(&HintState::Failed));
    }
    let at = ask(&mut sitting);
    let opinion = Opinion::Failed;
    sitting.update(Event::Opinion { at, opinion });
    assert_eq!(sitting.hint(), Some(&HintState::Failed));
    assert!(!sitting.record().has_hint_at(at));
    let at = ask(&mut sitting);
    assert_eq!(answer(&mut sitting, at, "c4"), [Effect::Save]);
}
