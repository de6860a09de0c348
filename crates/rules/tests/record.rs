//! What a match record keeps, and what it refuses.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod walk;

use expect_test::{Expect, expect};
use rules::{
    IllegalMove, Outcome, Player, Record,
    record::{Control, Ending, MatchOver, PlayError, Reason, TakeBackError, TimeControl},
};
use testkit::{check_laws, check_record, mutations};
use walk::{Setup, Step, Walk};

fn new() -> Record<Walk> {
    Record::new(Setup::default()).unwrap()
}

#[track_caller]
fn play(record: &mut Record<Walk>, moves: &str) {
    for m in moves.split_whitespace() {
        record.play(m.parse().unwrap()).unwrap();
    }
}

fn moves(record: &Record<Walk>) -> String {
    let moves = record.moves();
    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

#[test]
fn the_game_of_these_tests_keeps_the_laws() {
    let start: Walk = "3/6 first 1".parse().unwrap();
    check_laws(&start, 1, 300);
}

#[test]
fn random_matches_survive_undo_files_and_links() {
    for seed in 0..300 {
        let length = 4 + (seed % 5) as u8;
        check_record::<Walk>(Setup { length }, seed, 60);
    }
}

#[test]
fn the_rules_end_a_match() {
    let ending = Ending {
        outcome: Outcome::Win(Player::First),
        reason: Reason::Rules,
    };
    let mut record = new();
    play(&mut record, "right right left stay right");
    assert_eq!(record.ending(), None);
    play(&mut record, "right");
    assert_eq!(record.ending(), Some(ending));
    assert_eq!(
        record.play(Step::Left),
        Err(PlayError::Over(MatchOver(ending)))
    );
    assert_eq!(record.explore(Step::Left), Err(IllegalMove(Step::Left)));
    assert_eq!(record.resign(Player::First), Err(MatchOver(ending)));
    assert_eq!(
        record.take_back(Player::First),
        Err(TakeBackError::Over(MatchOver(ending)))
    );
}

#[test]
fn the_third_occurrence_draws() {
    let mut record = new();
    // Back at the start, with the first player to move, after four moves.
    play(&mut record, "right left right left");
    assert_eq!(record.n_occurrences(), 2);
    play(&mut record, "right left right");
    assert_eq!(record.ending(), None);
    play(&mut record, "left");
    assert_eq!(record.n_occurrences(), 3);
    let ending = Ending {
        outcome: Outcome::Draw,
        reason: Reason::Repetition,
    };
    assert_eq!(record.ending(), Some(ending));
    assert_eq!(
        record.play(Step::Left),
        Err(PlayError::Over(MatchOver(ending)))
    );
    // Exploring goes on, but the match stays drawn.
    record.explore(Step::Left).unwrap();
    record.explore(Step::Left).unwrap();
    record.explore(Step::Left).unwrap();
    assert_eq!(record.ending(), Some(ending));
    // A variation in which it does not happen is not.
    record.undo();
    record.undo();
    record.undo();
    record.undo();
    play(&mut record, "right");
    assert_eq!(record.ending(), None);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut record = new();
    let before = record.clone();
    assert_eq!(
        record.play(Step::Stay),
        Err(PlayError::Illegal(IllegalMove(Step::Stay)))
    );
    assert_eq!(record, before);
    assert_eq!(record.n_moves(), 0);
}

#[test]
fn undo_and_redo() {
    let mut record = new();
    play(&mut record, "right stay left");
    assert_eq!(record.undo(), Some(Step::Left));
    assert_eq!(record.undo(), Some(Step::Stay));
    assert_eq!(moves(&record), "right");
    assert_eq!(record.redo(), Some(Step::Stay));
    assert_eq!(record.redo(), Some(Step::Left));
    assert_eq!(record.redo(), None);
    // Something else becomes the match, and the rest a variation.
    record.undo();
    play(&mut record, "right");
    assert_eq!(moves(&record), "right stay right");
    record.undo();
    assert_eq!(record.continuations(), [Step::Right, Step::Left]);
    // Redo goes back to where undo came from, even in a variation.
    record.explore(Step::Left).unwrap();
    record.undo();
    assert_eq!(record.redo(), Some(Step::Left));
    record.go_to_end();
    assert_eq!(moves(&record), "right stay right");
    record.go_to_start();
    assert_eq!(record.undo(), None);
}

#[test]
fn a_turn_is_taken_back_whole() {
    let mut record = new();
    assert_eq!(
        record.take_back(Player::First),
        Err(TakeBackError::NothingPlayed(Player::First))
    );
    play(&mut record, "right stay left left right");
    // In the middle of the turn, this much of it.
    assert_eq!(record.take_back(Player::First), Ok(1));
    assert_eq!(moves(&record), "right stay left left");
    // The opponent's turn comes off with one's own.
    assert_eq!(record.take_back(Player::First), Ok(4));
    assert_eq!(moves(&record), "");
    assert_eq!(record.controls(), [Control::TakeBack(Player::First)]);
    // The moves stay on record, but not as the match.
    assert_eq!(record.continuations(), [Step::Right]);
    assert_eq!(record.redo(), None);
}

#[test]
fn controls_end_a_match() {
    for (control, outcome, reason) in [
        (
            Control::Resign(Player::First),
            Outcome::Win(Player::Second),
            Reason::Resignation,
        ),
        (Control::AgreeDraw, Outcome::Draw, Reason::Agreement),
        (
            Control::TimeOut(Player::Second),
            Outcome::Win(Player::First),
            Reason::TimeOut,
        ),
    ] {
        let mut record = new();
        play(&mut record, "right stay left");
        record.undo();
        let ended = match control {
            Control::Resign(player) => record.resign(player),
            Control::AgreeDraw => record.agree_draw(),
            Control::TimeOut(player) => record.time_out(player),
            Control::TakeBack(_) => unreachable!("it does not end a match"),
        };
        assert_eq!(ended, Ok(()));
        let ending = Ending { outcome, reason };
        assert_eq!(record.ending(), Some(ending));
        // The match ended here: what had been played on is a variation.
        record.go_to_end();
        assert_eq!(moves(&record), "right stay");
        assert_eq!(
            record.play(Step::Left),
            Err(PlayError::Over(MatchOver(ending)))
        );
        assert_eq!(record.explore(Step::Left), Ok(()));
        assert_eq!(record.ending(), Some(ending));
    }
}

#[test]
fn a_move_forgets_what_was_undone() {
    let mut record = new();
    play(&mut record, "right stay left");
    record.undo();
    record.undo();
    record.explore(Step::Right).unwrap();
    assert_eq!(record.redo(), None);
    assert_eq!(moves(&record), "right right");
}

#[test]
fn what_is_done_in_a_variation_makes_it_the_match() {
    // Each of these begins in a variation of "right stay left".
    type Act = fn(&mut Record<Walk>);
    let acts: [(Act, &str); 3] = [
        (
            |record| record.play(Step::Right).unwrap(),
            "right left right",
        ),
        (
            |record| record.resign(Player::Second).unwrap(),
            "right left",
        ),
        (
            |record| assert_eq!(record.take_back(Player::First), Ok(2)),
            "",
        ),
    ];
    for (act, expected) in acts {
        let mut record = new();
        play(&mut record, "right stay left");
        record.undo();
        record.undo();
        record.explore(Step::Left).unwrap();
        act(&mut record);
        assert_eq!(moves(&record), expected);
        record.go_to_end();
        assert_eq!(moves(&record), expected);
    }
}

#[test]
fn the_start_has_no_clock() {
    let mut record = new();
    record.set_time_left(5_000);
    assert_eq!(record.time_left(), None);
    assert_eq!(record, new());
}

#[test]
fn records_differ_by_anything_they_hold() {
    let changes: [fn(&mut Record<Walk>); 7] = [
        |record| record.set_player_name(Player::Second, "Bo"),
        |record| record.set_time_control(None),
        |record| record.set_time_left(1),
        |record| record.explore(Step::Left).unwrap(),
        |record| record.agree_draw().unwrap(),
        |record| record.play(Step::Left).unwrap(),
        |record| {
            record.undo();
            record.explore(Step::Right).unwrap();
        },
    ];
    let base = || {
        let mut record = new();
        record.set_time_control(Some(TimeControl {
            base: 1_000,
            increment: 0,
        }));
        play(&mut record, "right stay left");
        record
    };
    for change in changes {
        let mut changed = base();
        change(&mut changed);
        assert_ne!(changed, base());
    }
    // The order of variations is part of it, the cursor is not.
    let tried = |first, second| {
        let mut record = base();
        for m in [first, second] {
            record.explore(m).unwrap();
            record.undo();
        }
        record
    };
    assert_ne!(
        tried(Step::Left, Step::Right),
        tried(Step::Right, Step::Left)
    );
    let mut moved = base();
    moved.undo();
    assert_eq!(moved, base());
}

/// A record with everything in it.
fn full() -> Record<Walk> {
    let mut record = Record::<Walk>::new(Setup { length: 8 }).unwrap();
    record.set_player_name(Player::First, " Ada\tLovelace ");
    record.set_player_name(Player::Second, "碁");
    record.set_time_control(Some(TimeControl {
        base: 300_000,
        increment: 0,
    }));
    play(&mut record, "right");
    record.set_time_left(299_000);
    play(&mut record, "stay left left");
    record.take_back(Player::Second).unwrap();
    play(&mut record, "left stay right");
    record.undo();
    record.explore(Step::Left).unwrap();
    record.explore(Step::Stay).unwrap();
    record.undo();
    record.explore(Step::Right).unwrap();
    record.go_to_end();
    record.resign(Player::First).unwrap();
    record
}

#[test]
fn the_text_for_files() {
    expect![[r#"
        parlour record 1
        game: walk
        rules: 3
        length: 8
        first: Ada Lovelace
        second: 碁
        clock: 300000+0
        result: p2win resignation

        right {299000} stay !takeback:second left (left) stay (left (right) stay)
        right !resign:first
    "#]]
    .assert_eq(&full().to_string());
}

#[test]
fn the_text_for_links() {
    expect!["1.walk.3.length-8.QWRhIExvdmVsYWNlCueigQ.300000-0.3k5H_GkRGI0SEZKkSA.SyW7"]
        .assert_eq(&full().to_link());
    let mut short = new();
    play(&mut short, "right stay left left right right right");
    expect!["1.walk.3....ep3Q.wkgT"].assert_eq(&short.to_link());
    let from_position = Record::from_position("1/4 second 2".parse::<Walk>().unwrap());
    expect!["1.walk.3.at-MS80IHNlY29uZCAy...IA.enpB"].assert_eq(&from_position.to_link());
    assert_eq!(
        Record::from_link(&from_position.to_link()),
        Ok(from_position)
    );
}

/// Checks the reason for which the file is refused after `from` was replaced by
/// `to`.
#[track_caller]
fn refuses(from: &str, to: &str, reason: &Expect) {
    let text = full().to_string();
    assert!(text.contains(from), "{text}");
    let damaged = text.replacen(from, to, 1);
    let error = damaged.parse::<Record<Walk>>().unwrap_err();
    reason.assert_eq(&error.to_string());
}

#[test]
fn a_damaged_file_is_refused_with_its_line() {
    refuses(
        "parlour record 1",
        "parlour record 2",
        &expect!["line 1: expected parlour record 1"],
    );
    refuses("game: walk\n", "", &expect![[r#"line 2: no line "game""#]]);
    refuses(
        "game: walk",
        "game: go",
        &expect!["line 2: the game is go, expected walk"],
    );
    refuses(
        "game: walk",
        "game walk",
        &expect![[r#"line 2: expected a line such as "game: nonaga""#]],
    );
    refuses(
        "rules: 3",
        "rules: 2",
        &expect!["line 3: rules version 2 is not known, expected 3"],
    );
    refuses(
        "length: 8",
        "length: x",
        &expect!["line 4: length can't be x; expected a number from 0 to 18446744073709551615"],
    );
    refuses(
        "length: 8",
        "length: 1",
        &expect!["line 4: the path is too short"],
    );
    refuses(
        "length: 8",
        "width: 8",
        &expect![[r#"line 4: "width" does not belong here"#]],
    );
    refuses(
        "length: 8",
        "start: 9/8 first 1",
        &expect!["line 4: no walk"],
    );
    refuses(
        "first: Ada",
        "first:  Ada",
        &expect!["line 5: expected a name with single spaces"],
    );
    refuses(
        "clock: 300000+0",
        "clock: 5m",
        &expect!["line 7: expected two numbers of milliseconds such as 300000+5000"],
    );
    refuses(
        "p2win resignation",
        "p1win rules",
        &expect!["line 8: the result is p1win rules, but the moves give p2win resignation"],
    );
    refuses(
        "result:",
        "outcome:",
        &expect![[r#"line 8: no line "result""#]],
    );
    refuses(
        "\n\n",
        "\nextra: line\n\n",
        &expect![[r#"line 9: "extra" does not belong here"#]],
    );
    refuses("stay", "hop", &expect!["line 10: hop: no walk"]);
    refuses("stay", "left stay", &expect!["line 10: illegal move stay"]);
    refuses(
        "{299000}",
        "{2s}",
        &expect!["line 10: expected milliseconds such as {5000}"],
    );
    refuses(
        "{299000}",
        "{299000} {5}",
        &expect![[r#"line 10: "{5}" does not belong here"#]],
    );
    refuses(
        "!resign:first",
        "!resign:nobody",
        &expect![
            "line 11: expected takeback:first, resign:second, draw, timeout:first or the like"
        ],
    );
    refuses(
        "!resign:first",
        "!resign:first left",
        &expect!["line 11: the match is over here: p2win resignation"],
    );
    refuses(
        "!resign:first",
        "!resign:first !draw",
        &expect!["line 11: the match is over here: p2win resignation"],
    );
    refuses("(", "((", &expect!["line 10: expected a move"]);
    refuses("(", "()", &expect!["line 10: expected a move"]);
    refuses(")", "", &expect!["line 10: illegal move stay"]);
    refuses(
        ")",
        "))",
        &expect!["line 10: parenthesis without its partner"],
    );
    refuses(
        "(left",
        "(left) (left",
        &expect!["line 10: left is recorded twice here"],
    );
    refuses(
        "!takeback:second",
        "!takeback:first",
        &expect!["line 10: nothing was taken back here"],
    );
    refuses(
        "!resign:first",
        "!takeback:first",
        &expect!["line 11: nothing was taken back here"],
    );
}

#[test]
fn variations_nest_as_deeply_as_they_like() {
    // Each variation is one of the last one's.
    let mut text = new().to_string();
    let depth = 20_000;
    text.push('\n');
    for n in 0..depth {
        text.push_str(if n % 2 == 0 { "(right " } else { "(left " });
    }
    text.push_str(&")".repeat(depth));
    let record: Record<Walk> = text.parse().unwrap();
    assert_eq!(record.to_string().parse(), Ok(record));
}

#[track_caller]
fn refuses_link(from: &str, to: &str, reason: &Expect) {
    let link = full().to_link();
    assert!(link.contains(from), "{link}");
    let damaged = link.replacen(from, to, 1);
    let error = Record::<Walk>::from_link(&damaged).unwrap_err();
    reason.assert_eq(&error.to_string());
}

#[test]
fn a_damaged_link_is_refused_with_its_field() {
    refuses_link(
        "1.walk",
        "",
        &expect![[r#"link field "form": expected eight fields joined by dots"#]],
    );
    refuses_link(
        "1.walk",
        "2.walk",
        &expect![[r#"link field "form": expected 1"#]],
    );
    refuses_link(
        "walk",
        "go",
        &expect![[r#"link field "game": the game is go, expected walk"#]],
    );
    refuses_link(
        "walk.3",
        "walk.4",
        &expect![[r#"link field "rules": rules version 4 is not known, expected 3"#]],
    );
    refuses_link(
        "length-8",
        "length-x",
        &expect![[
            r#"link field "setup": length can't be x; expected a number from 0 to 18446744073709551615"#
        ]],
    );
    refuses_link(
        "length-8",
        "length8",
        &expect![[r#"link field "setup": expected choices such as board-42"#]],
    );
    refuses_link(
        "length-8",
        "at-x",
        &expect![[r#"link field "setup": the link is damaged"#]],
    );
    refuses_link(
        "300000-0",
        "300000",
        &expect![[
            r#"link field "clock": expected two numbers of milliseconds such as 300000+5000"#
        ]],
    );
    let link = full().to_link();
    let fields: Vec<_> = link.split('.').collect();
    refuses_link(
        fields[4],
        "_",
        &expect![[r#"link field "players": the link is damaged"#]],
    );
    refuses_link(
        fields[6],
        &fields[6][1..],
        &expect![[r#"link field "moves": the link is damaged"#]],
    );
    refuses_link(
        fields[6],
        "",
        &expect![[r#"link field "moves": cut short"#]],
    );
    refuses_link(
        fields[7],
        "AAAA",
        &expect![[r#"link field "check": the link is damaged"#]],
    );
    refuses_link(
        "length-8",
        "length-9",
        &expect![[r#"link field "check": the link is damaged"#]],
    );
}

#[test]
fn no_damage_gets_through_unnoticed() {
    let record = full();
    let link = record.to_link();
    for mutation in mutations(&link, 1, 20_000) {
        if let Ok(read) = Record::<Walk>::from_link(&mutation) {
            assert_eq!(read, record, "{mutation}");
        }
    }
    let text = record.to_string();
    for mutation in mutations(&text, 2, 20_000) {
        if let Ok(read) = mutation.parse::<Record<Walk>>() {
            assert_eq!(read.to_string().parse(), Ok(read), "{mutation}");
        }
    }
}
