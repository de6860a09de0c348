//! `parlour analyze`: the form of its output, and its errors for bad input.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

const CLASSES: [&str; 6] = ["forced", "best", "good", "inaccuracy", "mistake", "blunder"];

/// Analyzes what is passed on standard input.
fn analyze(text: &str, args: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(["analyze", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

/// A match of the first legal moves.
fn played(game: &str, choices: &[(&str, &str)], n_moves: usize) -> Box<dyn catalog::AnyMatch> {
    let mut record = catalog::find(game).unwrap().start(choices).unwrap();
    for _ in 0..n_moves {
        let m = record.legal_moves()[0].clone();
        record.play(&m).unwrap();
    }
    record
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

/// What the share dialog of the page copies.
#[test]
fn a_whole_url_is_analyzed_like_its_link() {
    let record = played("takeover", &[("board", "7")], 2);
    let link = record.to_link();
    let args = ["--json", "--nodes", "200"];
    let by_link = json(&analyze(&link, &args));
    let url = format!("https://parlour.example/#/shared/{link}?speed=0\n");
    assert_eq!(json(&analyze(&url, &args)), by_link);
}

fn check_value(value: &Value, is_exact: bool) {
    let keys: Vec<_> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    if is_exact || value.get("result").is_some() {
        assert_eq!(keys, ["result", "plies"]);
        assert!(["win", "draw", "loss"].contains(&value["result"].as_str().unwrap()));
        assert!(value["plies"].is_u64());
    } else {
        assert_eq!(keys, ["score", "depth"]);
        assert!(value["score"].is_i64() && value["depth"].as_u64().unwrap() > 0);
    }
}

#[test]
fn every_move_of_every_game_is_judged() {
    for game in catalog::GAMES {
        let choices: &[_] = match game.name() {
            "simply-go" => &[("size", "9")],
            _ => &[],
        };
        let record = played(game.name(), choices, 6);
        let output = analyze(&record.to_string(), &["--json", "--nodes", "300"]);
        let answer = json(&output);
        let keys: Vec<_> = answer
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(keys, ["game", "moves", "accuracy"]);
        assert_eq!(answer["game"], game.name());
        let moves = answer["moves"].as_array().unwrap();
        let texts: Vec<_> = moves.iter().map(|m| m["m"].as_str().unwrap()).collect();
        assert_eq!(texts, record.moves());
        for m in moves {
            let keys: Vec<_> = m.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, ["m", "player", "before", "after", "best", "class"]);
            check_value(&m["before"], game.is_solved());
            check_value(&m["after"], game.is_solved());
            assert!(!m["best"].as_array().unwrap().is_empty());
            assert!(CLASSES.contains(&m["class"].as_str().unwrap()));
        }
        for player in ["first", "second"] {
            let accuracy = answer["accuracy"][player].as_f64().unwrap();
            assert!((0.0..=100.0).contains(&accuracy));
        }
        assert_eq!(
            analyze(&record.to_string(), &["--json", "--nodes", "300"]).stdout,
            output.stdout
        );
    }
}

#[test]
fn links_and_empty_matches_are_judged() {
    let record = played("lilypads", &[("board", "42")], 3);
    let answer = json(&analyze(&record.to_link(), &["--json"]));
    assert_eq!(answer["moves"].as_array().unwrap().len(), 3);
    let none = json(&analyze(
        &played("takeover", &[], 0).to_string(),
        &["--json", "--nodes", "9"],
    ));
    assert_eq!(none["moves"], Value::Array(Vec::new()));
    assert_eq!(none["accuracy"]["first"], Value::Null);
    let text = analyze(&record.to_link(), &[]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("moves kept the value"), "{text}");
}

/// The block of `docs/analysis.md` in this language.
fn documented(language: &str) -> &'static str {
    let text = include_str!("../../../docs/analysis.md");
    let (_, rest) = text.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_example_of_the_documentation_is_right() {
    let output = analyze(documented("text"), &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // The bar of the solver is for terminals.
    assert_eq!(output.stderr, b"");
    let answer = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answer, documented("json"));
}

#[test]
fn what_is_no_match_is_refused() {
    for text in ["", "rubbish", "parlour record 1\ngame: chess\n"] {
        let output = analyze(text, &["--json"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(output.stdout, b"");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains("no record of a match"), "{complaint}");
    }
    let mut missing = Command::new(env!("CARGO_BIN_EXE_parlour"));
    let output = missing.args(["analyze", "no-such-file"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
