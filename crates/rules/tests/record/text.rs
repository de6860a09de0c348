//! Records as text, for files and for links, and invalid ones.

use expect_test::{Expect, expect};
use rules::{Player, Random, Record, record::TimeControl};
use testkit::mutations;

use super::{
    new, play,
    walk::{Setup, Step, Walk},
};

/// A record with everything in it.
fn full() -> Record<Walk> {
    let mut record = Record::<Walk>::new(Setup { length: 8 }).unwrap();
    record.set_player_name(Player::First, " Ada\tLovelace ");
    record.set_player_name(Player::Second, "碁");
    record.set_time_control(Some(TimeControl::Match {
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

/// Checks why the file is rejected after `from` was replaced by `to`.
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
        &expect!["line 7: expected milliseconds such as 300000+5000 or 30000/turn"],
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
            "line 11: expected takeback:first, resign:second, draw, timeout:first, hint or the \
             like"
        ],
    );
    let quote = &expect!["line 10: expected a comment in quotes, with single spaces"];
    refuses("{299000}", "{299000} \"two  spaces\"", quote);
    refuses("{299000}", "{299000} \"no end", quote);
    refuses("{299000}", "{299000} \"a \\wrong sign\"", quote);
    refuses("{299000}", "{299000} \"\"", quote);
    refuses(
        "{299000}",
        "{299000} \"one\" \"two\"",
        &expect![[r#"line 10: ""two"" does not belong here"#]],
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
fn time_controls_have_two_forms() {
    let mut random = Random::new(5);
    let mut any = || random.any() >> random.below(64);
    for _ in 0..1000 {
        let whole = TimeControl::Match {
            base: any(),
            increment: any(),
        };
        for time_control in [whole, TimeControl::Turn(any())] {
            assert_eq!(time_control.to_string().parse(), Ok(time_control));
            let mut record = new();
            record.set_time_control(Some(time_control));
            assert_eq!(record.to_string().parse().as_ref(), Ok(&record));
            assert_eq!(Record::from_link(&record.to_link()), Ok(record));
        }
    }
    assert_eq!(
        "300000+5000".parse(),
        Ok(TimeControl::Match {
            base: 300_000,
            increment: 5_000,
        })
    );
    assert_eq!("30000/turn".parse(), Ok(TimeControl::Turn(30_000)));
    for text in [
        "", "5", "5+", "+5", "5+5+5", "/turn", "5/move", "5+5/turn", "-5/turn", "05/turn",
    ] {
        assert!(text.parse::<TimeControl>().is_err(), "{text}");
    }
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
            r#"link field "clock": expected milliseconds such as 300000+5000 or 30000/turn"#
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
