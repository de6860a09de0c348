//! Judgments of different engines are never mixed.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::{AnyGame, AnyMatch, GAMES};
use rules::record::NodeId;
use study::{Effect, EngineLine, Event, Opinion, REVIEW_NODES, Review, Study, is_exact};

/// A match of three moves, and where it ends.
fn played(game: &dyn AnyGame) -> (Box<dyn AnyMatch>, NodeId) {
    let mut record = game.start(game.presentation().miniature).unwrap();
    for _ in 0..3 {
        let m = record.legal_moves()[0].clone();
        record.play(&m).unwrap();
    }
    let end = record.cursor();
    (record, end)
}

/// The text of a review in which the first `n` of four positions are judged.
fn text(record: &dyn AnyMatch, end: NodeId, head: &str, n: usize) -> String {
    let line = record.line(end);
    let judged = line.iter().enumerate().map(|(index, &node)| {
        let m = record.legal_moves_at(node)[0].clone();
        let text = format!("s10@4//{m}/{m}");
        if index < n { text } else { String::new() }
    });
    format!("{head};{}", judged.collect::<Vec<_>>().join(";"))
}

fn recalled(record: &dyn AnyMatch, end: NodeId, text: &str) -> Review {
    let mut review = Review::new(record, end, REVIEW_NODES);
    review.recall(record, text);
    review
}

/// The number of nodes and the fingerprint, as a review of today begins.
fn head(record: &dyn AnyMatch, end: NodeId) -> String {
    let review = Review::new(record, end, REVIEW_NODES);
    review.to_text().split(';').next().unwrap().to_owned()
}

#[test]
fn a_part_of_another_engines_review_is_judged_again() {
    for game in GAMES {
        let (record, end) = played(game);
        let today = head(&*record, end);
        for n in [1, 3, 4] {
            let review = recalled(&*record, end, &text(&*record, end, &today, n));
            assert_eq!(review.n_judged(), n, "{}", game.name());
        }
        // Of before there were fingerprints, of another version, and without weights.
        for other in [
            format!("{REVIEW_NODES}"),
            format!("{REVIEW_NODES}/1w"),
            format!("{}s", today.strip_suffix('w').unwrap()),
        ] {
            let part = recalled(&*record, end, &text(&*record, end, &other, 3));
            assert_eq!(part.n_judged(), 0, "{}: {other}", game.name());
            // A whole one is shown as it is, and keeps its fingerprint; what is solved is not.
            let old = text(&*record, end, &other, 4);
            let whole = recalled(&*record, end, &old);
            let n = if is_exact(game.name()) { 0 } else { 4 };
            assert_eq!(whole.n_judged(), n, "{}: {other}", game.name());
            if n > 0 && other.contains('/') {
                assert_eq!(whole.to_text(), old);
            }
            // It does not replace judgments of today.
            let mut review = recalled(&*record, end, &text(&*record, end, &today, 2));
            review.recall(&*record, &old);
            assert_eq!(review.n_judged(), 2, "{}: {other}", game.name());
        }
    }
}

#[test]
fn an_old_review_does_not_grow() {
    let (mut record, end) = played(GAMES[2]);
    let old = recalled(&*record, end, &text(&*record, end, "30000/1w", 4));
    assert_eq!(old.n_judged(), 4);
    assert!(!old.is_of_today());
    let m = record.legal_moves()[0].clone();
    record.play(&m).unwrap();
    let longer = old.along(&*record, record.cursor());
    assert_eq!(longer.n_judged(), 0);
    assert!(longer.is_of_today());
}

/// The number of the inquiry that is asked.
#[track_caller]
fn asked(effects: &[Effect]) -> u64 {
    let [Effect::Ask { number, .. }] = effects else {
        panic!("{effects:?}");
    };
    *number
}

fn say(study: &mut Study, number: u64, opinion: Opinion) -> Vec<Effect> {
    study.update(Event::Opinion { number, opinion })
}

/// Answers an inquiry, and returns the number of the next.
#[track_caller]
fn answer(study: &mut Study, number: u64) -> u64 {
    let m = study.record().legal_moves_at(NodeId::ROOT)[0].clone();
    let line = EngineLine {
        number: 1,
        depth: 4,
        nodes: 1,
        evaluation: "s10@4".parse().unwrap(),
        moves: vec![m],
    };
    say(study, number, Opinion::Line(line));
    asked(&say(study, number, Opinion::Done))
}

#[test]
fn an_engine_that_loses_its_weights_or_finds_them_begins_anew() {
    let (record, end) = played(GAMES[2]);
    let today = head(&*record, end);
    let small = format!("{}s;", today.strip_suffix('w').unwrap());
    let is_small = |study: &Study| study.review().to_text().starts_with(&small);
    let mut study = Study::new(record, end);
    let number = asked(&study.update(Event::Review(true)));
    let number = answer(&mut study, number);
    assert_eq!(study.review().n_judged(), 1);
    assert!(study.take_unsaved() && !study.take_unsaved());
    let number = asked(&say(&mut study, number, Opinion::Weightless));
    assert_eq!(study.review().n_judged(), 0);
    let said = say(&mut study, number, Opinion::Weightless);
    assert_eq!(said, [], "the first position is asked about already");
    let number = answer(&mut study, number);
    assert!(is_small(&study));
    assert_eq!(study.review().n_judged(), 1);
    // Another engine takes the place of one that died, and has its weights.
    let number = answer(&mut study, number);
    assert!(!is_small(&study));
    assert_eq!(study.review().n_judged(), 1, "what was just judged");
    answer(&mut study, number);
    assert!(!is_small(&study));
    assert_eq!(study.review().n_judged(), 2);
}

#[test]
fn a_stored_part_without_weights_is_resumed() {
    let (record, end) = played(GAMES[2]);
    let today = head(&*record, end);
    let small = format!("{}s", today.strip_suffix('w').unwrap());
    let part = text(&*record, end, &small, 3);
    let mut study = Study::new(record, end);
    study.recall(&part);
    assert_eq!(
        study.review().n_judged(),
        0,
        "the engine may have its weights"
    );
    let number = asked(&study.update(Event::Review(true)));
    asked(&say(&mut study, number, Opinion::Weightless));
    assert_eq!(study.review().n_judged(), 3);
}
