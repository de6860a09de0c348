//! Solving, fair boards and puzzles from the command line.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Command, Output};

use expect_test::{Expect, expect};
use miner::prove;
use puzzles::{FairOpening, Goal, Puzzle};
use serde_json::{Value, json as value};

fn parlour(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
    command.args(args).output().unwrap()
}

/// The one line of JSON for these arguments, with nothing on standard error, which
/// is no terminal.
#[track_caller]
fn json(args: &[&str]) -> Value {
    let output = parlour(args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stderr, b"");
    assert_eq!(output.stdout.iter().filter(|&&b| b == b'\n').count(), 1);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Checks that the arguments are rejected with status 2 and this one line.
#[track_caller]
fn refuses(args: &[&str], expected: &Expect) {
    let output = parlour(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(output.stdout, b"");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    expected.assert_eq(complaint.trim_end());
}

#[test]
fn a_position_is_judged() {
    let mut answer = json(&["solve", "0", "--position", "#0 8,12 22 first", "--json"]);
    let answer = answer.as_object_mut().unwrap();
    let seconds = answer.remove("seconds").unwrap();
    assert!(seconds.as_f64().unwrap() > 0.0);
    let answer = Value::from(answer.clone()).to_string();
    expect![[
        r#"{"value":"win","plies":5,"moves":{"@1":["draw",0],"@3":["win",15],"8-4":["draw",0],"8-5":["draw",0],"8-6":["draw",0],"8-7":["draw",0],"8-9":["draw",0],"8-11":["draw",0],"8-13":["win",13],"8-24":["win",5],"8-25":["win",9],"12-4":["draw",0],"12-5":["draw",0],"12-6":["draw",0],"12-7":["draw",0],"12-9":["draw",0],"12-11":["draw",0],"12-13":["win",13],"12-24":["win",7],"12-25":["draw",0]},"states":19629654}"#
    ]]
    .assert_eq(&answer);
}

#[test]
fn the_first_position_is_judged_if_none_is_given() {
    let answer = json(&["solve", "0", "--json"]);
    assert_eq!(answer["value"], "draw");
    assert_eq!(answer["plies"], 0);
    assert_eq!(answer["moves"]["@1"][0], "draw");
}

#[test]
fn a_match_that_is_over_is_lost() {
    let answer = json(&["solve", "0", "--position", "#0 29 - second", "--json"]);
    assert_eq!(answer["value"], "loss");
    assert_eq!(answer["plies"], 0);
    assert_eq!(answer["moves"].as_object().unwrap().len(), 0);
}

#[test]
fn people_read_it_too() {
    let output = parlour(&["solve", "0", "--position", "#0 8,12 22 first"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let (text, seconds) = text.trim_end().rsplit_once("; ").unwrap();
    assert!(seconds.ends_with(" s"), "{seconds}");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    expect![[r#"
        #0 8,12 22 first: win in 5 for first
        best 8-24
        line 8-24 @27 12-23 @28 23-29
        board 0: 19629654 states, 11544005 won, 3642861 drawn, 4442788 lost by who is to move; longest win 51 plies"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_fair_board_comes_with_its_certificate() {
    let certificate = json(&["board", "lilypads", "--fair", "--from", "42"]);
    expect![[r#"{"number":45,"rules_version":1,"first_begins":"draw","second_begins":"draw","deepest":75,"hash":"470f61ac32c487e6","middling":{"first":212,"draws":1,"second":187}}"#]]
        .assert_eq(&certificate.to_string());
}

#[test]
fn a_fair_board_of_takeover_comes_with_its_figures() {
    let board = json(&["board", "takeover", "--fair", "--from", "43"]);
    expect![[r#"{"number":45,"fen":"xx3-/xx4/4--/6/3-oo/-3oo x 0 1","rules_version":1,"engine":{"first":384,"draws":5,"second":411}}"#]].assert_eq(&board.to_string());
    refuses(
        &["board", "takeover", "--fair", "--from", "1000000"],
        &expect!["parlour: no fair board is known from 1000000 on; expected a number up to 418"],
    );
}

/// Where all matches begin alike, openings are fair instead of boards.
#[test]
fn a_fair_opening_comes_with_its_figures() {
    for game in ["nonaga", "simply-go"] {
        let openings = FairOpening::all(game);
        let from = (openings[0].number + 1).to_string();
        let FairOpening {
            number,
            first,
            draws,
            second,
            position,
        } = openings[1];
        let expected = value!({
            "number": number,
            "fen": position,
            "rules_version": 1,
            "engine": { "first": first, "draws": draws, "second": second },
        });
        assert_eq!(json(&["board", game, "--fair", "--from", &from]), expected);
        let last = openings[openings.len() - 1].number;
        let output = parlour(&["board", game, "--fair", "--from", "1000000"]);
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            format!(
                "parlour: no fair opening is known from 1000000 on; expected a number up to {last}\n"
            )
        );
    }
}

/// The lines of JSON for these arguments, each a puzzle that is proved again, with its keys in
/// the documented order.
#[track_caller]
fn puzzles(args: &[&str]) -> Vec<Puzzle> {
    let output = parlour(&[&["puzzles"], args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stderr, b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| {
        let value: Value = serde_json::from_str(line).unwrap();
        let keys: Vec<_> = value.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            ["game", "position", "goal", "solution", "plies", "grade"]
        );
        assert_eq!(value["solution"].as_array().unwrap().len(), value["plies"]);
        let puzzle = Puzzle::from_json(line).unwrap();
        assert_eq!(prove(&puzzle), Ok(()), "{puzzle}");
        puzzle
    });
    lines.collect()
}

#[test]
fn every_game_has_puzzles() {
    for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
        let found = puzzles(&[game, "--count", "3", "--seed", "5"]);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|puzzle| puzzle.game() == game));
        // Seeds count up.
        let later = puzzles(&[game, "--count", "2", "--seed", "6"]);
        assert_eq!(found[1..], later);
    }
}

#[test]
fn a_puzzle_is_one_line_of_json() {
    let output = parlour(&["puzzles", "takeover", "--count", "1", "--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    expect![[r#"
        {"game":"takeover","position":"xxx-oo/xxxooo/o-oo-x/-o1oxx/x-ooox/xooooo x 2 23","goal":"win:2","solution":["a2c3","c1a2","c1"],"plies":3,"grade":3}
    "#]]
    .assert_eq(&text);
}

#[test]
fn puzzles_of_a_board_are_found() {
    let wins = puzzles(&[
        "lilypads", "--board", "0", "--win-in", "2..8", "--count", "20",
    ]);
    assert_eq!(wins.len(), 20);
    assert!(wins.is_sorted_by_key(Puzzle::grade));
    for puzzle in &wins {
        assert!((2..=8).contains(&puzzle.goal().turns()));
        assert!(puzzle.position().starts_with("#0 "));
    }
    let draws = puzzles(&["lilypads", "--board", "0", "--draw", "--count", "3"]);
    assert!(draws.iter().all(|puzzle| puzzle.goal() == Goal::Draw));
    assert_eq!(draws.len(), 3);
    // Without a board, boards follow from the seed.
    let draws = puzzles(&["lilypads", "--draw", "--count", "3"]);
    assert!(draws.iter().all(|puzzle| puzzle.goal() == Goal::Draw));
    let output = parlour(&[
        "puzzles", "lilypads", "--board", "0", "--win-in", "3", "--count", "4",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(
        text.lines().all(|line| line.contains(": win in 3 with ")),
        "{text}"
    );
}

#[test]
fn bad_input_gets_one_clear_line() {
    refuses(
        &["solve", "0", "--position", "#1 - - first"],
        &expect!["parlour: the position is of board 1, expected 0"],
    );
    refuses(
        &["solve", "0", "--position", "rubbish"],
        &expect!["parlour: expected four fields: #board, first's circles, second's circles, turn"],
    );
    refuses(
        &["solve"],
        &expect![
            "parlour: the following required arguments were not provided: <NUMBER> (see parlour --help)"
        ],
    );
    refuses(
        &["solve", "x"],
        &expect![
            "parlour: invalid value 'x' for '<NUMBER>': expected a number from 0 to 18446744073709551615 (see parlour --help)"
        ],
    );
    refuses(
        &["board", "lilypads", "7", "--fair"],
        &expect![
            "parlour: the argument '[NUMBER]' cannot be used with '--fair' (see parlour --help)"
        ],
    );
    refuses(
        &["board", "lilypads", "7", "--from", "7"],
        &expect![
            "parlour: the argument '[NUMBER]' cannot be used with '--from <N>' (see parlour --help)"
        ],
    );
    refuses(
        &["board", "nonaga", "7"],
        &expect!["parlour: nonaga has no numbered boards; expected lilypads or takeover"],
    );
    refuses(
        &["puzzles", "nonaga", "--board", "1"],
        &expect!["parlour: nonaga has no --board; expected lilypads"],
    );
    refuses(
        &["puzzles", "takeover", "--draw"],
        &expect!["parlour: takeover has no --draw; expected lilypads"],
    );
    refuses(
        &["puzzles", "simply-go", "--win-in", "3"],
        &expect!["parlour: simply-go has no --win-in; expected lilypads"],
    );
    for range in ["0..3", "5..2", "2..101", "2-8", "..", "x"] {
        let args = ["puzzles", "lilypads", "--board", "1", "--win-in", range];
        let output = parlour(&args);
        assert_eq!(output.status.code(), Some(2), "{range}");
    }
    refuses(
        &["puzzles", "lilypads", "--board", "1", "--win-in", "0"],
        &expect![
            "parlour: invalid value '0' for '--win-in <MOVES>': expected a number from 1 to 100 or a range such as 2..8 (see parlour --help)"
        ],
    );
    refuses(
        &["puzzles", "lilypads", "--board", "1", "--count", "0"],
        &expect![
            "parlour: invalid value '0' for '--count <K>': 0 is not in 1..=100000 (see parlour --help)"
        ],
    );
    refuses(
        &[
            "puzzles", "lilypads", "--board", "1", "--win-in", "3", "--draw",
        ],
        &expect![
            "parlour: the argument '--win-in <MOVES>' cannot be used with '--draw' (see parlour --help)"
        ],
    );
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in ["solve", "puzzles", "board"] {
        let output = parlour(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.contains("Example: "), "{help}");
    }
}
