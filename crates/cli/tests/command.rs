//! The command line: its output, and its errors for bad input.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};

fn parlour(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
    command.args(args).output().unwrap()
}

#[track_caller]
fn check(args: &[&str], expected: &Expect) {
    let output = parlour(args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    expected.assert_eq(&String::from_utf8(output.stdout).unwrap());
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

/// Checks that `chess` is rejected with the names of all games.
#[track_caller]
fn refuses_unknown_game(args: &[&str]) {
    let output = parlour(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let names = catalog::GAMES.map(|game| game.name()).join(", ");
    let expected = format!(
        "parlour: invalid value 'chess' for '<GAME>' [possible values: {names}] (see \
         parlour --help)\n"
    );
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
}

#[test]
fn perft_counts() {
    check(
        &["perft", "nonaga", "2"],
        &expect![[r#"
        nodes 1290
    "#]],
    );
    check(
        &["perft", "nonaga", "2", "--variant", "published"],
        &expect![[r#"
        nodes 570
    "#]],
    );
    check(
        &["perft", "takeover", "5", "--variant", "ataxx"],
        &expect![[r#"
        nodes 4752668
    "#]],
    );
    check(
        &[
            "perft",
            "takeover",
            "3",
            "--position",
            "xx4/xx4/6/6/4oo/4oo x 0 1",
        ],
        &expect![[r#"
            nodes 27146
        "#]],
    );
    check(
        &["perft", "lilypads", "2", "--board", "42", "--divide"],
        &expect![[r#"
            @1: 2
            @2: 2
            @3: 2
            nodes 6
        "#]],
    );
    check(
        &[
            "perft",
            "simply-go",
            "1",
            "--size",
            "9",
            "--mode",
            "target:5",
        ],
        &expect![[r#"
        nodes 82
    "#]],
    );
    check(
        &["perft", "simply-go", "0"],
        &expect![[r#"
        nodes 1
    "#]],
    );
    // A text may begin with a minus sign.
    let tiles = "-2,0;-2,1;-2,2;-1,-1;-1,0;-1,1;-1,2;0,-2;0,-1;0,0;0,1;0,2;1,-2;1,-1;1,0;1,1;\
                 2,-2;2,-1;2,0";
    let start = format!("{tiles} -2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide");
    check(
        &["perft", "nonaga", "1", "--position", &start],
        &expect![[r#"
        nodes 9
    "#]],
    );
    // A match that is over has no moves.
    check(
        &["perft", "takeover", "3", "--position", "6/6/6/6/6/5o x 0 9"],
        &expect![[r#"
        nodes 0
    "#]],
    );
}

#[test]
fn boards_are_json() {
    check(
        &["board", "takeover", "42"],
        &expect![[r#"
            {"number":42,"fen":"xx-1--/xx4/6/3-1-/4oo/4oo x 0 1"}
        "#]],
    );
    let output = parlour(&["board", "lilypads", "18446744073709551615"]);
    let board: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(board["number"], u64::MAX);
    assert_eq!(board["circles"].as_array().unwrap().len(), 30);
    assert_eq!(board["starts"][0], 0);
    assert!(board["edges"][0][1].is_u64());
}

#[test]
fn bad_input_gets_one_clear_line() {
    refuses(
        &["web", "--port", "70000"],
        &expect![[
            r#"parlour: invalid value '70000' for '--port <N>': 70000 is not in 0..=65535 (see parlour --help)"#
        ]],
    );
    refuses(
        &["perft", "nonaga", "101"],
        &expect![
            "parlour: invalid value '101' for '<DEPTH>': 101 is not in 0..=100 (see parlour --help)"
        ],
    );
    refuses(
        &["--flag"],
        &expect!["parlour: unexpected argument '--flag' found (see parlour --help)"],
    );
    refuses(
        &["dance"],
        &expect!["parlour: unrecognized subcommand 'dance' (see parlour --help)"],
    );
    refuses(
        &["engine"],
        &expect![
            "parlour: the following required arguments were not provided: <GAME> (see parlour --help)"
        ],
    );
    refuses_unknown_game(&["engine", "chess"]);
    refuses(
        &["engine", "nonaga", "fast"],
        &expect!["parlour: unexpected argument 'fast' found (see parlour --help)"],
    );
    refuses(
        &["perft", "nonaga"],
        &expect![
            "parlour: the following required arguments were not provided: <DEPTH> (see parlour --help)"
        ],
    );
    refuses(
        &["perft", "nonaga", "-1"],
        &expect!["parlour: unexpected argument '-1' found (see parlour --help)"],
    );
    refuses(
        &["perft", "nonaga", "deep"],
        &expect![
            "parlour: invalid value 'deep' for '<DEPTH>': invalid digit found in string (see parlour --help)"
        ],
    );
    refuses(
        &["perft", "nonaga", "99999999999"],
        &expect![
            "parlour: invalid value '99999999999' for '<DEPTH>': 99999999999 is not in 0..=100 (see parlour --help)"
        ],
    );
    refuses(
        &["perft", "nonaga", "1", "--variant"],
        &expect![
            "parlour: a value is required for '--variant <V>' but none was supplied (see parlour --help)"
        ],
    );
    refuses(
        &["perft", "nonaga", "1", "--variant", "ataxx"],
        &expect!["parlour: variant can't be ataxx; expected standard or published"],
    );
    refuses(
        &["perft", "nonaga", "1", "--board", "3"],
        &expect!["parlour: there is no option board; expected variant"],
    );
    refuses(
        &["perft", "takeover", "1", "--board", "x"],
        &expect!["parlour: board can't be x; expected a number from 0 to 18446744073709551615"],
    );
    refuses(
        &["perft", "simply-go", "1", "--mode", "moves:40"],
        &expect!["parlour: mode moves:40 is not offered on size 19"],
    );
    refuses(
        &["perft", "takeover", "1", "--position", "6/6"],
        &expect!["parlour: expected four fields: board, x or o to move, half-moves, full moves"],
    );
    refuses(
        &[
            "perft",
            "takeover",
            "1",
            "--position",
            "6/6/6/6/6/6 x 0 1",
            "--variant",
            "ataxx",
        ],
        &expect!["parlour: the position is of variant standard, not ataxx"],
    );
    refuses(
        &[
            "perft",
            "takeover",
            "1",
            "--position",
            "6/6/6/6/6/6 x 0 1",
            "--board",
            "1",
        ],
        &expect!["parlour: the position does not show its board"],
    );
    refuses(
        &["board", "nonaga", "1"],
        &expect!["parlour: nonaga has no numbered boards; expected lilypads or takeover"],
    );
    refuses_unknown_game(&["board", "chess", "1"]);
    refuses_unknown_game(&["match", "chess", "classic", "random"]);
    refuses(
        &["board", "lilypads", "18446744073709551616"],
        &expect![
            "parlour: invalid value '18446744073709551616' for '[NUMBER]': expected a number from 0 to 18446744073709551615 (see parlour --help)"
        ],
    );
    refuses(
        &["board", "lilypads", "+7"],
        &expect![
            "parlour: invalid value '+7' for '[NUMBER]': expected a number from 0 to 18446744073709551615 (see parlour --help)"
        ],
    );
    refuses(
        &["board", "lilypads"],
        &expect![
            "parlour: the following required arguments were not provided: <NUMBER> (see parlour --help)"
        ],
    );
    refuses(
        &["bench", "--twice"],
        &expect!["parlour: unexpected argument '--twice' found (see parlour --help)"],
    );
}

#[test]
fn a_reader_who_has_enough_is_no_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
    let mut child = command
        .args(["board", "lilypads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stderr, b"");
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in ["engine", "perft", "board", "match", "bench"] {
        let output = parlour(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.contains("Example: "), "{help}");
    }
}

/// The work of `parlour bench` is the same on every machine; a change of the rules
/// or of the search shows here. If it is intended, `UPDATE_EXPECT=1 cargo test -p
/// parlour-cli bench` updates the number, which the commit message ends with. Reviews
/// name the version of the engine, which changes with it.
#[test]
fn bench_does_the_same_work_everywhere() {
    let output = parlour(&["bench"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap();
    expect!["bench 196639876"].assert_eq(last);
    assert_eq!(
        last,
        format!("bench {}", study::JUDGE_BENCH),
        "in crates/study/src/review.rs increment JUDGE_VERSION and write this number into JUDGE_BENCH: \
         the engine judges anew"
    );
}

#[test]
fn a_used_port_is_an_error() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = parlour(&["web", "--no-open", "--port", &port]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(
        complaint.starts_with(&format!("parlour: port {port} is in use;")),
        "{complaint}"
    );
}
