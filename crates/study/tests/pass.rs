//! A pass is a move like others, made with a button.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::record::NodeId;
use study::{Effect, EngineLine, Event, Opinion, Shown, Study};
use view::ValueKind;

/// An engine is told to judge all moves, and has judged these.
fn judged(position: (&str, &str), values: &[(&str, &str)]) -> Study {
    let game = catalog::find(position.0).unwrap();
    let record = game.start_from(position.1).unwrap();
    let n_moves = record.legal_moves().len();
    let mut study = Study::new(record, NodeId::ROOT);
    study.update(Event::Lines(n_moves.min(values.len())));
    let effects = study.update(Event::Engine(true));
    let [Effect::Ask { number, .. }] = effects[..] else {
        panic!("{effects:?}");
    };
    for (index, (m, value)) in values.iter().enumerate() {
        let line = EngineLine {
            number: index + 1,
            depth: 9,
            nodes: 1,
            evaluation: value.parse().unwrap(),
            moves: vec![(*m).to_owned()],
        };
        let opinion = Opinion::Line(line);
        study.update(Event::Opinion { number, opinion });
    }
    let opinion = Opinion::Done;
    study.update(Event::Opinion { number, opinion });
    study
}

#[test]
fn a_pass_has_a_button_with_its_value() {
    let start = catalog::find("simply-go").unwrap();
    let start = start.start(&[("size", "9")]).unwrap().position();
    let at = ("simply-go", &*start);
    let mut study = judged(at, &[("pass", "s80@9"), ("E5", "s-20@9")]);
    assert_eq!(study.pass().as_deref(), Some("pass"));
    let value = study.pass_value(Shown::All);
    assert_eq!(value, Some(("+0.8".to_owned(), ValueKind::Best)));
    let is_best = |mark: &view::Mark| {
        matches!(
            mark,
            view::Mark::Value {
                kind: ValueKind::Best,
                ..
            }
        )
    };
    assert!(
        !study.marks(Shown::All).iter().any(is_best),
        "the pass is best"
    );
    for shown in [Shown::Best, Shown::Nothing] {
        assert_eq!(study.pass_value(shown), None);
    }
    // Clicks draw arrows now.
    study.update(Event::Draw(true));
    assert_eq!(study.pass(), None);
    study.update(Event::Draw(false));
    study.update(Event::Activate("pass".to_owned()));
    assert_eq!(study.record().moves(), ["pass"]);
    let study = judged(at, &[("E5", "s80@9"), ("pass", "s-20@9")]);
    let value = study.pass_value(Shown::All);
    assert_eq!(value, Some(("−0.2".to_owned(), ValueKind::Open)));
    assert!(study.marks(Shown::All).iter().any(is_best));
}

/// Where nothing else is legal.
#[test]
fn a_forced_pass_has_a_button() {
    for (game, position, pass) in [
        ("lilypads", "#42 - 1,2,3 first", "pass"),
        // Ataxx.
        ("takeover", "xoo4/ooo4/ooo4/7/7/7/7 x 0 1", "0000"),
    ] {
        let mut study = judged((game, position), &[(pass, "d")]);
        assert!(study.table().must_pass());
        let value = study.pass_value(Shown::All);
        assert_eq!(value, Some(("=".to_owned(), ValueKind::Best)), "{game}");
        study.update(Event::Activate("pass".to_owned()));
        assert_eq!(study.record().moves(), [pass], "{game}");
    }
}
