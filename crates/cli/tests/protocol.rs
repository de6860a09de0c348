//! The engine's output, byte for byte.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    io::Write,
    process::{Command, Stdio},
};

use expect_test::{Expect, expect};

/// Sends `input` to `parlour engine GAME` and compares the output.
#[track_caller]
fn check(game: &str, input: &str, expected: &Expect) {
    check_bytes(game, input.as_bytes(), expected);
}

#[track_caller]
fn check_bytes(game: &str, input: &[u8], expected: &Expect) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(["engine", game])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    expected.assert_eq(&String::from_utf8(output.stdout).unwrap());
}

#[test]
fn it_answers_line_by_line() {
    check(
        "nonaga",
        "isready\nquery p1turn\nhello\nposition startpos moves 2,-2>-1,1\nquery p1turn\nquit\nisready\n",
        &expect![[r#"
            readyok
            response true
            info error expected ugi, isready, game, uginewgame, setoption, position, prepare, go, puzzle, stop, query or quit
            response true
        "#]],
    );
}

#[test]
fn a_line_may_be_too_long_or_no_text() {
    let long = "x".repeat(3 << 20);
    check(
        "nonaga",
        &format!("{long}\nisready\n"),
        &expect![[r#"
        info error expected at most 1048576 letters in a line
        readyok
    "#]],
    );
    check_bytes(
        "nonaga",
        b"\x00\xff\xfe \x80ugi\n\n   \nisready",
        &expect![[r#"
            info error expected ugi, isready, game, uginewgame, setoption, position, prepare, go, puzzle, stop, query or quit
            readyok
        "#]],
    );
}
