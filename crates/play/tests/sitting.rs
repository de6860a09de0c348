//! What happens to a match, event by event.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::GAMES;
use play::{Bot, Effect, Event, Phase, PlayerKind, Question, RefusedInput, Sitting};
use rules::{ByPlayer, Outcome, Player, record::NodeId};

const CLASSIC: PlayerKind = PlayerKind::Bot(Bot::Classic);

fn sit(game: &str, first: PlayerKind, second: PlayerKind) -> (Sitting, Vec<Effect>) {
    let record = catalog::find(game).unwrap().start(&[]).unwrap();
    Sitting::new(record, ByPlayer { first, second }, 1)
}

/// Plays the first legal move for a person.
fn play(sitting: &mut Sitting) -> Vec<Effect> {
    let m = sitting.record().legal_moves()[0].clone();
    sitting.update(Event::Typed(m))
}

fn asked(effects: &[Effect]) -> Question {
    let question = effects.iter().find_map(|effect| match effect {
        Effect::AskBot(question) => Some(question.clone()),
        _ => None,
    });
    question.unwrap_or_else(|| panic!("a bot is asked in {effects:?}"))
}

/// Lets the bot that was asked play the first legal move.
fn answer(sitting: &mut Sitting, question: &Question) -> Vec<Effect> {
    let m = sitting.record().legal_moves()[0].clone();
    sitting.update(Event::BotMoved { at: question.at, m })
}

/// Plays until a bot is asked.
fn play_until_asked(sitting: &mut Sitting) -> Question {
    loop {
        let effects = play(sitting);
        if matches!(sitting.phase(), Phase::Bot(_)) {
            return asked(&effects);
        }
    }
}

#[test]
fn undo_and_the_same_move_again_ask_about_the_same_position() {
    for game in GAMES {
        let (mut sitting, _) = sit(game.name(), PlayerKind::Person, CLASSIC);
        let question = play_until_asked(&mut sitting);
        answer(&mut sitting, &question);
        while matches!(sitting.phase(), Phase::Bot(_)) {
            let live = sitting.live();
            let m = sitting.record().legal_moves()[0].clone();
            sitting.update(Event::BotMoved { at: live, m });
        }
        let after = sitting.record().position();
        while sitting.can_take_back() {
            sitting.update(Event::TakeBack);
        }
        assert_eq!(sitting.live(), NodeId::ROOT);
        let again = play_until_asked(&mut sitting);
        assert_eq!(again, question, "{}", game.name());
        answer(&mut sitting, &again);
        while matches!(sitting.phase(), Phase::Bot(_)) {
            let live = sitting.live();
            let m = sitting.record().legal_moves()[0].clone();
            sitting.update(Event::BotMoved { at: live, m });
        }
        assert_eq!(sitting.record().position(), after, "{}", game.name());
    }
}

#[test]
fn undo_while_the_bot_thinks_stops_it_and_its_answer_is_ignored() {
    // On Simply Go the late answer would be a legal move of the person.
    for game in ["takeover", "simply-go"] {
        let (mut sitting, _) = sit(game, PlayerKind::Person, CLASSIC);
        let question = play_until_asked(&mut sitting);
        let m = sitting.record().legal_moves()[0].clone();
        assert_eq!(
            sitting.update(Event::TakeBack),
            [Effect::Save, Effect::StopBot]
        );
        let before = sitting.record().position();
        let late = Event::BotMoved { at: question.at, m };
        assert_eq!(sitting.update(late), [], "{game}");
        assert_eq!(sitting.record().position(), before, "{game}");
        assert_eq!(sitting.phase(), Phase::Person(Player::First));
        // The same move again asks the same question again.
        assert_eq!(play_until_asked(&mut sitting), question, "{game}");
    }
}

#[test]
fn the_first_move_of_a_bot_is_not_the_persons_to_take_back() {
    let (mut sitting, effects) = sit("takeover", CLASSIC, PlayerKind::Person);
    let question = asked(&effects);
    answer(&mut sitting, &question);
    assert!(!sitting.can_take_back());
    assert_eq!(sitting.update(Event::TakeBack), []);
    assert_eq!(sitting.phase(), Phase::Person(Player::Second));
    assert_eq!(sitting.record().moves().len(), 1);
}

#[test]
fn redo_leads_back_to_where_undo_began() {
    let (mut sitting, _) = sit("takeover", PlayerKind::Person, CLASSIC);
    for _ in 0..3 {
        let question = play_until_asked(&mut sitting);
        answer(&mut sitting, &question);
    }
    let end = sitting.record().position();
    assert!(!sitting.can_redo());
    for _ in 0..3 {
        sitting.update(Event::TakeBack);
    }
    assert!(!sitting.can_take_back());
    for _ in 0..3 {
        assert!(sitting.can_redo());
        sitting.update(Event::Redo);
    }
    assert_eq!(sitting.record().position(), end);
    assert_eq!(sitting.phase(), Phase::Person(Player::First));
}

#[test]
fn looking_back_does_not_disturb_the_match() {
    let (mut sitting, _) = sit("takeover", PlayerKind::Person, CLASSIC);
    let question = play_until_asked(&mut sitting);
    let reply = sitting.record().legal_moves()[0].clone();
    assert_eq!(sitting.update(Event::GoTo(NodeId::ROOT)), []);
    assert_eq!(sitting.phase(), Phase::Bot(Player::Second));
    let start = sitting.record().position();
    let at = question.at;
    sitting.update(Event::BotMoved { at, m: reply });
    assert_eq!(sitting.record().position(), start, "still looking back");
    assert_eq!(sitting.phase(), Phase::Person(Player::First));
    sitting.update(Event::GoTo(sitting.live()));
    assert_eq!(sitting.record().moves().len(), 2);
}

#[test]
fn a_move_in_an_earlier_position_keeps_the_old_line_as_a_variation() {
    let (mut sitting, _) = sit("takeover", PlayerKind::Person, CLASSIC);
    let question = play_until_asked(&mut sitting);
    answer(&mut sitting, &question);
    let old = sitting.live();
    sitting.update(Event::GoTo(NodeId::ROOT));
    assert!(sitting.may_act());
    let other = sitting.record().legal_moves()[1].clone();
    let effects = sitting.update(Event::Typed(other.clone()));
    assert_eq!(asked(&effects).moves, [other]);
    let record = sitting.record();
    assert_eq!(record.children(NodeId::ROOT).len(), 2);
    assert_eq!(record.line(old).len(), 3, "the old line is still there");
}

#[test]
fn a_reply_that_arrives_while_somebody_looks_back_is_news() {
    let (mut sitting, _) = sit("takeover", PlayerKind::Person, CLASSIC);
    let question = play_until_asked(&mut sitting);
    let m = sitting.record().legal_moves()[0].clone();
    sitting.update(Event::GoTo(NodeId::ROOT));
    assert!(!sitting.has_news());
    sitting.update(Event::BotMoved { at: question.at, m });
    assert!(sitting.has_news() && sitting.is_looking_back());
    sitting.update(Event::GoTo(sitting.live()));
    assert!(!sitting.has_news());
}

#[test]
fn a_bot_that_fails_is_asked_again_until_it_is_hopeless() {
    let (mut sitting, effects) = sit("nonaga", CLASSIC, PlayerKind::Person);
    let mut question = asked(&effects);
    for _ in 0..2 {
        let effects = sitting.update(Event::BotFailed { at: question.at });
        question = asked(&effects);
        assert_eq!(sitting.phase(), Phase::Bot(Player::First));
    }
    // Nonsense is as good as nothing.
    let (at, m) = (question.at, "nonsense".to_owned());
    assert_eq!(sitting.update(Event::BotMoved { at, m }), []);
    assert_eq!(sitting.phase(), Phase::Stalled(Player::First));
    let again = asked(&sitting.update(Event::Retry));
    answer(&mut sitting, &again);
    assert_eq!(sitting.record().moves().len(), 1);
}

#[test]
fn a_resignation_is_final() {
    let (mut sitting, _) = sit("takeover", PlayerKind::Person, CLASSIC);
    play_until_asked(&mut sitting);
    assert_eq!(
        sitting.update(Event::Resign),
        [Effect::Save, Effect::StopBot]
    );
    let Phase::Over(ending) = sitting.phase() else {
        panic!("the match is over");
    };
    assert_eq!(ending.outcome, Outcome::Win(Player::Second));
    assert!(!sitting.can_take_back() && !sitting.can_resign() && !sitting.may_act());
    sitting.update(Event::GoTo(NodeId::ROOT));
    assert!(!sitting.may_act(), "what was given up stays given up");
    assert_eq!(play(&mut sitting), []);
}

#[test]
fn a_match_knows_which_piece_a_person_chose() {
    let start = "xx4/xx4/6/6/4oo/4oo x 0 1";
    let people = ByPlayer::from_fn(|_| PlayerKind::Person);
    for origin in ["b6", "b5"] {
        let record = catalog::find("takeover").unwrap().start_from(start);
        let (mut sitting, _) = Sitting::new(record.unwrap(), people, 1);
        for target in [origin, "c5"] {
            sitting.update(Event::Activate(target.to_owned()));
        }
        assert_eq!(sitting.record().moves(), ["c5"]);
        assert_eq!(sitting.origin(), Some(origin));
        // Nobody chose a piece for a move that was typed.
        sitting.update(Event::Typed("d2".to_owned()));
        assert_eq!(sitting.record().moves().len(), 2);
        assert_eq!(sitting.origin(), None);
    }
}

#[test]
fn input_that_makes_no_sense_is_refused() {
    let (mut sitting, _) = sit("takeover", PlayerKind::Person, CLASSIC);
    let refused = |refusal| vec![Effect::Refuse(refusal)];
    let typed = sitting.update(Event::Typed("xyz".to_owned()));
    assert_eq!(typed, refused(RefusedInput::Typed("xyz".to_owned())));
    let clicked = sitting.update(Event::Activate("d4".to_owned()));
    assert_eq!(clicked, refused(RefusedInput::Target("d4".to_owned())));
    let passed = sitting.update(Event::Activate("pass".to_owned()));
    assert_eq!(passed, refused(RefusedInput::Target("pass".to_owned())));
    // Out of turn nothing is said at all.
    play_until_asked(&mut sitting);
    assert_eq!(sitting.update(Event::Typed("xyz".to_owned())), []);
}

#[test]
fn a_drop_is_a_move_or_refused_and_clears_the_selection() {
    let start = "xx4/xx4/6/6/4oo/4oo x 0 1";
    let people = ByPlayer::from_fn(|_| PlayerKind::Person);
    let record = catalog::find("takeover").unwrap().start_from(start);
    let (mut sitting, _) = Sitting::new(record.unwrap(), people, 1);
    for target in ["f6", "a6"] {
        sitting.update(Event::Activate("b5".to_owned()));
        let effects = sitting.update(Event::Drop(target.to_owned()));
        let refused = RefusedInput::Target(target.to_owned());
        assert_eq!(effects, [Effect::Refuse(refused)]);
        assert!(sitting.table().picked().is_empty());
    }
    sitting.update(Event::Activate("b5".to_owned()));
    sitting.update(Event::Drop("c4".to_owned()));
    assert_eq!(sitting.record().moves(), ["c4"]);
    assert_eq!(sitting.origin(), Some("b5"));
}

#[test]
fn moves_may_be_typed_as_the_list_shows_them_or_nearly_so() {
    for game in GAMES {
        let (sitting, _) = sit(game.name(), PlayerKind::Person, PlayerKind::Person);
        let m = sitting.record().legal_moves()[0].clone();
        let mut after = sitting.record().boxed_clone();
        after.play(&m).unwrap();
        let notation = after.notation(after.cursor()).unwrap();
        let spaced = m.chars().map(|c| format!("{c} ")).collect();
        for text in [m.to_lowercase(), m.to_uppercase(), notation, spaced] {
            let (mut sitting, _) = sit(game.name(), PlayerKind::Person, PlayerKind::Person);
            sitting.update(Event::Typed(text.clone()));
            assert_eq!(sitting.record().moves(), std::slice::from_ref(&m), "{text}");
        }
    }
    let (mut sitting, _) = sit("simply-go", PlayerKind::Person, PlayerKind::Person);
    sitting.update(Event::Typed("PASS".to_owned()));
    assert_eq!(sitting.record().moves().len(), 1);
}

#[test]
fn the_list_shows_captures_and_conversions() {
    for (game, start, m, listed) in [
        ("nonaga", "", "2,-2>-1,1", "2,−2 › −1,1"),
        ("takeover", "6/6/2x3/3oo1/6/5o x 0 1", "d4", "d4 +2"),
        (
            "simply-go",
            "9/9/9/9/9/9/9/b8/w8 b 0:0 2 0 moves:100",
            "B1",
            "B1 ×1",
        ),
    ] {
        let game = catalog::find(game).unwrap();
        let record = match start {
            "" => game.start(&[]),
            start => game.start_from(start),
        };
        let people = ByPlayer::from_fn(|_| PlayerKind::Person);
        let (mut sitting, _) = Sitting::new(record.unwrap(), people, 1);
        sitting.update(Event::Typed(m.to_owned()));
        let rows = sitting.move_list();
        let texts: Vec<_> = rows[0].moves().iter().map(|m| &*m.text).collect();
        assert_eq!(texts, [listed]);
    }
}

#[test]
fn a_match_begins_with_the_first_move_of_a_person() {
    for game in GAMES {
        let (mut sitting, effects) = sit(game.name(), CLASSIC, PlayerKind::Person);
        let mut question = Some(asked(&effects));
        while let Some(asked_now) = question {
            assert!(!sitting.has_begun(), "{}", game.name());
            let effects = answer(&mut sitting, &asked_now);
            question = matches!(sitting.phase(), Phase::Bot(_)).then(|| asked(&effects));
        }
        assert!(!sitting.has_begun(), "{}", game.name());
        play(&mut sitting);
        assert!(sitting.has_begun(), "{}", game.name());
        sitting.update(Event::TakeBack);
        assert!(sitting.has_begun(), "{}: a move taken back", game.name());
        // Nobody else begins where only bots play.
        let (mut sitting, effects) = sit(game.name(), CLASSIC, CLASSIC);
        assert!(!sitting.has_begun(), "{}", game.name());
        answer(&mut sitting, &asked(&effects));
        assert!(sitting.has_begun(), "{}", game.name());
    }
}
