//! Matches as they are stored.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::GAMES;
use play::{Bot, Event, OpenSavedError, Phase, PlayerKind, ReadSavedError, Saved, Sitting};
use rules::{ByPlayer, Outcome, Player, Random, record::NodeId};

fn saved(n_moves: usize) -> Saved {
    let record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let seats = ByPlayer {
        first: PlayerKind::Person,
        second: PlayerKind::Person,
    };
    let (mut sitting, _) = Sitting::new(record, seats, 7);
    for _ in 0..n_moves {
        let m = sitting.record().legal_moves()[0].clone();
        sitting.update(Event::Typed(m));
    }
    Saved::new(&sitting, 1000, None)
}

#[test]
fn a_match_comes_back_with_who_plays_and_what_was_taken_back() {
    let record = catalog::find("nonaga").unwrap().start(&[]).unwrap();
    let seats = ByPlayer {
        first: PlayerKind::Person,
        second: PlayerKind::Bot(Bot::Level(3)),
    };
    let (mut sitting, _) = Sitting::new(record, seats, 42);
    for _ in 0..2 {
        let m = sitting.record().legal_moves()[0].clone();
        sitting.update(Event::Typed(m));
    }
    sitting.update(Event::TakeBack);
    let text = Saved::new(&sitting, 5, None).to_string();
    let (again, _) = text.parse::<Saved>().unwrap().open().unwrap();
    assert_eq!(again.seats(), &seats);
    assert_eq!(again.seed(), 42);
    assert_eq!(again.phase(), Phase::Person(Player::First));
    assert_eq!(again.record().moves().len(), 1);
    assert!(again.can_redo());
}

#[test]
fn revisions_count_and_the_first_result_stays() {
    let record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let seats = ByPlayer::from_fn(|_| PlayerKind::Person);
    let (mut sitting, _) = Sitting::new(record, seats, 7);
    let first = Saved::new(&sitting, 1000, None);
    assert_eq!((first.head.revision, first.head.begun), (1, 1000));
    let mut random = Random::new(1);
    while !matches!(sitting.phase(), Phase::Over(_)) {
        let moves = sitting.record().legal_moves();
        let m = random.pick(&moves).unwrap().clone();
        sitting.update(Event::Typed(m));
    }
    let over = Saved::new(&sitting, 2000, Some(&first.head));
    assert_eq!((over.head.revision, over.head.begun), (2, 1000));
    assert_eq!(over.head.changed, 2000);
    assert!(over.head.result.is_some());
    sitting.update(Event::TakeBack);
    let going_on = Saved::new(&sitting, 3000, Some(&over.head));
    assert_eq!(going_on.head.result, None);
    assert_eq!(going_on.head.first_result, over.head.result);
    assert_eq!(going_on.head.person(), None, "two people play");
}

#[test]
fn a_record_from_elsewhere_is_a_match_between_people() {
    for game in GAMES {
        let mut record = game.start(&[]).unwrap();
        record.resign(Player::First).unwrap();
        let saved = Saved::from_record(record, 9);
        assert_eq!(saved.game(), game.name());
        assert_eq!(saved.head.result, Some(Outcome::Win(Player::Second)));
        assert!(saved.open().is_ok());
    }
}

/// Somebody may look at an earlier position of it, or at a variation that is longer than the match.
#[test]
fn a_record_from_elsewhere_stands_at_its_end() {
    for game in GAMES {
        let mut record = game.start(game.presentation().miniature).unwrap();
        let tried = record.legal_moves().pop().unwrap();
        for _ in 0..2 {
            let m = record.legal_moves()[0].clone();
            record.play(&m).unwrap();
        }
        record.resign(Player::First).unwrap();
        let at_end = Saved::from_record(record.boxed_clone(), 9);
        assert_eq!((at_end.head.ply, at_end.head.tip), (2, 2));
        let mut earlier = record.boxed_clone();
        earlier.undo();
        assert_eq!(Saved::from_record(earlier, 9), at_end, "{}", game.name());
        record.go_to(NodeId::ROOT).unwrap();
        record.explore(&tried).unwrap();
        for _ in 0..2 {
            let m = record.legal_moves()[0].clone();
            record.explore(&m).unwrap();
        }
        let in_variation = Saved::from_record(record, 9);
        assert_eq!(in_variation.head, at_end.head, "{}", game.name());
        let (sitting, _) = in_variation.open().unwrap();
        assert!(matches!(sitting.phase(), Phase::Over(_)), "{}", game.name());
    }
}

#[test]
fn damage_is_named() {
    let text = saved(3).to_string();
    let read = |text: &str| text.parse::<Saved>().unwrap_err();
    assert_eq!(read(""), ReadSavedError::Title);
    assert_eq!(read("parlour match 2\n"), ReadSavedError::Title);
    let without = text.replace("seed: 7\n", "");
    assert_eq!(
        read(&without).to_string(),
        "line 6: expected seed and a value"
    );
    let strange = text.replace("seats: human human", "seats: human level-11");
    assert_eq!(
        read(&strange).to_string(),
        "line 5: seats can't be human level-11"
    );
    let beyond = text.replace("ply: 3", "ply: 30").parse::<Saved>().unwrap();
    let error = beyond.open().err().unwrap();
    assert!(matches!(error, OpenSavedError::NoSuchPly(30)));
}

#[test]
fn mutated_matches_are_read_or_refused() {
    let text = saved(12).to_string();
    let mut random = Random::new(3);
    let mut n_opened = 0;
    for _ in 0..2000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = (32 + random.below(95)) as u8,
                _ => bytes.insert(at, b'\n'),
            }
        }
        let text = String::from_utf8(bytes).unwrap();
        if let Ok(saved) = text.parse::<Saved>()
            && let Ok((sitting, _)) = saved.open()
        {
            n_opened += 1;
            assert_eq!(sitting.record().moves().len(), saved.head.ply);
        }
    }
    assert!(n_opened > 0, "some mutations do no harm");
}

#[test]
fn what_was_tried_elsewhere_is_added_to_a_match_that_goes_on() {
    let (mut sitting, _) = saved(3).open().unwrap();
    let mut studied = sitting.record().boxed_clone();
    let line = studied.line(studied.cursor());
    studied.go_to(line[2]).unwrap();
    let tried = studied.legal_moves().pop().unwrap();
    studied.explore(&tried).unwrap();
    studied.set_comment("Quiet.");
    let m = sitting.record().legal_moves()[0].clone();
    sitting.update(Event::Typed(m));
    let (live, moves) = (sitting.live(), sitting.record().moves());
    for _ in 0..2 {
        sitting.update(Event::Studied(studied.to_string()));
        assert_eq!((sitting.live(), sitting.tip()), (live, live));
        assert_eq!(sitting.record().moves(), moves);
        assert_eq!(sitting.record().children(line[2]).len(), 2);
    }
    let (again, _) = Saved::new(&sitting, 2, None).open().unwrap();
    assert_eq!(again.record().moves(), moves);
    let mut record = again.record().boxed_clone();
    record.go_to(line[2]).unwrap();
    record.explore(&tried).unwrap();
    assert_eq!(record.comment_at(record.cursor()), "Quiet.");
}
