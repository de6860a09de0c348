//! Matches between players: `parlour match`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use expect_test::{Expect, expect};
use serde_json::Value;

const PARLOUR: &str = env!("CARGO_BIN_EXE_parlour");

fn parlour(args: &[&str]) -> Output {
    Command::new(PARLOUR)
        .arg("match")
        .args(args)
        .output()
        .unwrap()
}

/// Plays and returns what was printed.
#[track_caller]
fn play(args: &[&str]) -> String {
    let output = parlour(args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Plays and returns the line of JSON, which is the last.
#[track_caller]
fn json(args: &[&str]) -> Value {
    let text = play(&[args, &["--json"]].concat());
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn json_is_what_was_promised() {
    for game in ["lilypads", "nonaga", "takeover"] {
        let args = [
            game, "level:1", "random", "--games", "6", "--nodes", "30", "--json",
        ];
        let text = play(&args);
        let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let names: Vec<_> = result.as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            names.join(" "),
            "games wins draws losses score elo error ms_per_move clock shutout_bound faults first_fault"
        );
        let number = |name: &str| result[name].as_u64().unwrap();
        assert_eq!(number("games"), 6);
        assert_eq!(number("wins") + number("draws") + number("losses"), 6);
        let points = number("wins") as f64 + number("draws") as f64 / 2.0;
        assert!((result["score"].as_f64().unwrap() - points / 6.0).abs() < 1e-3);
        assert!(result["elo"].is_f64() && result["error"].as_f64().unwrap() > 0.0);
        let times = result["ms_per_move"].as_array().unwrap();
        assert!(times.len() == 2 && times.iter().all(Value::is_f64));
    }
}

#[test]
fn as_many_games_are_played_as_were_asked_for() {
    for games in ["1", "3", "4"] {
        let args = [
            "lilypads", "random", "random", "--games", games, "--nodes", "1",
        ];
        assert_eq!(json(&args)["games"].to_string(), games);
    }
}

#[test]
fn the_stronger_side_wins() {
    let args = [
        "takeover", "classic", "random", "--games", "20", "--nodes", "1",
    ];
    assert!(json(&args)["score"].as_f64().unwrap() > 0.8);
    let args = [
        "takeover", "random", "classic", "--games", "20", "--nodes", "1",
    ];
    assert!(json(&args)["score"].as_f64().unwrap() < 0.2);
}

/// The results do not depend on how many games are played at the same time.
#[test]
fn games_at_the_same_time_are_the_same_games() {
    let result = |concurrency| {
        let mut result = json(&[
            "takeover",
            "level:2",
            "classic",
            "--games",
            "12",
            "--nodes",
            "100",
            "--concurrency",
            concurrency,
        ]);
        result["ms_per_move"].take();
        result
    };
    let one = result("1");
    assert_eq!(one, result("1"));
    assert_eq!(one, result("2"));
}

#[test]
fn a_saved_game_can_be_read_and_pairs_share_an_opening() {
    for game in ["lilypads", "takeover", "nonaga"] {
        let folder = folder(&format!("saved-{game}"));
        let path = folder.to_str().unwrap();
        let args = [
            "random",
            "classic",
            "--games",
            "6",
            "--nodes",
            "1",
            "--opening",
            "5",
        ];
        play(&[&[game], &args[..], &["--save", path]].concat());
        let mut openings = Vec::new();
        for pair in 1..=3 {
            let records = [1, 2].map(|number| {
                let path = folder.join(format!("{pair:05}-{number}.txt"));
                let text = fs::read_to_string(path).unwrap();
                let record = catalog::read_file(&text).unwrap();
                assert_eq!(record.game(), game);
                assert!(record.ending().is_some(), "{text}");
                record
            });
            let [first, second] = &records;
            assert_eq!(first.option("board"), second.option("board"));
            assert_eq!(first.moves()[..5], second.moves()[..5]);
            openings.push((first.option("board"), first.moves()[..5].to_vec()));
        }
        assert!(openings[0] != openings[1] && openings[1] != openings[2]);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 6);
    }
}

/// Openings that are judged are the same again, others than those that are not, and reported.
#[test]
fn balanced_openings_are_even_and_reported() {
    for game in ["nonaga", "takeover"] {
        let openings = |name: &str, options: &[&str]| {
            let folder = folder(&format!("balanced-{game}-{name}"));
            let path = folder.to_str().unwrap();
            let args = [game, "random", "random", "--games", "8", "--save", path];
            let result = json(&[&args[..], options].concat());
            let opening = |pair| {
                let text = fs::read_to_string(folder.join(format!("{pair:05}-1.txt"))).unwrap();
                let record = catalog::read_file(&text).unwrap();
                (record.option("board"), record.moves()[..4].to_vec())
            };
            (
                (1..=4).map(opening).collect::<Vec<_>>(),
                result["openings"].clone(),
            )
        };
        let even = ["--balanced", "40", "--judge-nodes", "2000"];
        let (judged, report) = openings("even", &even);
        let (again, same_report) = openings("again", &even);
        assert_eq!((&judged, &report), (&again, &same_report));
        let (others, no_report) = openings("any", &[]);
        assert_ne!(judged, others);
        assert!(no_report.is_null());
        let number = |name: &str| report[name].as_u64().unwrap();
        let numbers = ["moves", "margin", "nodes", "kept"].map(number);
        assert_eq!(numbers, [4, 40, 2_000, 4]);
        assert!(number("tried") > 4, "{report}");
    }
    let args = ["takeover", "random", "random", "--games", "2"];
    let text = play(&[&args[..], &["--balanced", "100"]].concat());
    let line = "\nopenings: 4 random moves, then a score within 100 by 50000 nodes (1 of ";
    assert!(text.contains(line), "{text}");
}

#[test]
fn another_seed_gives_other_games() {
    let moves = |seed| {
        let folder = folder(&format!("seed-{seed}"));
        let path = folder.to_str().unwrap();
        let args = ["nonaga", "random", "random", "--games", "1", "--nodes", "1"];
        play(&[&args[..], &["--seed", seed, "--save", path]].concat());
        let text = fs::read_to_string(folder.join("00001-1.txt")).unwrap();
        catalog::read_file(&text).unwrap().moves()
    };
    assert_eq!(moves("1"), moves("1"));
    assert_ne!(moves("1"), moves("2"));
}

#[test]
fn any_program_can_play() {
    for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
        let engine = format!("cmd:\"{PARLOUR} engine {game}\"");
        let size: &[&str] = if game == "simply-go" {
            &["--size", "9", "--mode", "moves:40"]
        } else {
            &[]
        };
        let args = [game, &engine, "random", "--games", "2", "--nodes", "50"];
        let text = play(&[&args[..], size].concat());
        assert!(!text.contains("fault"), "{text}");
    }
    let engine = format!("cmd:{PARLOUR} engine takeover");
    let args = [
        "takeover",
        &engine,
        "random",
        "--games",
        "2",
        "--variant",
        "ataxx",
    ];
    assert_eq!(json(&[&args[..], &["--movetime", "5"]].concat())["wins"], 2);
}

/// A program in the language of the shell.
fn script(name: &str, answer_to_go: &str) -> String {
    let path = folder(name).join("engine.sh");
    let text = format!(
        "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
         go) {answer_to_go};; quit) exit 0;; esac; done\n"
    );
    fs::write(&path, text).unwrap();
    format!("cmd:sh {}", path.display())
}

/// An engine for Ataxx that speaks UAI alone plays whole games. It asks ours for its moves.
#[test]
fn a_program_that_speaks_uai_can_play() {
    let folder = folder("uai");
    let (engine, log) = (folder.join("engine.sh"), folder.join("log"));
    let text = format!(
        "position=startpos\n\
         while read -r word rest; do echo \"$word $rest\" >> {log}; case $word in \
         uai) echo id name script; echo uaiok;; isready) echo readyok;; uainewgame) ;; \
         position) position=$rest;; quit) exit 0;; \
         go) printf 'uai\\nuainewgame\\nposition %s\\ngo nodes 1\\n' \"$position\" \
         | {PARLOUR} engine takeover | grep bestmove;; esac; done\n",
        log = log.display()
    );
    fs::write(&engine, text).unwrap();
    let program = format!("cmd:sh {}", engine.display());
    let args = [
        "takeover",
        &program,
        "random",
        "--games",
        "2",
        "--movetime",
        "5",
    ];
    let result = json(&[&args[..], &["--variant", "ataxx"]].concat());
    assert_eq!(result["games"], 2);
    assert_eq!(result["faults"], serde_json::json!([0, 0]), "{result}");
    let heard = fs::read_to_string(log).unwrap();
    let n_lines = |start: &str| heard.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((n_lines("uai "), n_lines("uainewgame")), (1, 2), "{heard}");
    assert!(n_lines("go movetime 5") > 2, "{heard}");
    assert!(n_lines("position startpos moves ") > 2, "{heard}");
    assert_eq!(n_lines("setoption"), 0, "{heard}");
    // It knows no other game.
    let output = parlour(&args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let complaint = String::from_utf8(output.stderr).unwrap();
    let expected = "speaks UAI, which knows Ataxx only; expected --variant ataxx and no board";
    assert!(complaint.contains(expected), "{complaint}");
}

/// A program that can measure its own time is told how, and one that can't is not.
#[cfg(target_os = "linux")]
#[test]
fn programs_are_told_about_the_clock() {
    for (options, n_told) in [
        (
            "option name Clock type combo default wall var wall var cpu",
            1,
        ),
        ("option name Clock type combo default wall var wall", 0),
        ("option name Contempt type spin default 0 min 0 max 9", 0),
    ] {
        let folder = folder("clock");
        let (engine, log) = (folder.join("engine.sh"), folder.join("log"));
        let text = format!(
            "while read -r word rest; do echo \"$word $rest\" >> {log}; case $word in \
             ugi) echo {options}; echo ugiok;; isready) echo readyok;; \
             go) echo bestmove a1a1;; quit) exit 0;; esac; done\n",
            log = log.display()
        );
        fs::write(&engine, text).unwrap();
        let program = format!("cmd:sh {}", engine.display());
        let args = ["takeover", &program, "random", "--games", "2"];
        json(&[&args[..], &["--clock", "cpu"]].concat());
        let heard = fs::read_to_string(log).unwrap();
        let told = heard.lines().filter(|line| line.contains("Clock"));
        let told: Vec<_> = told.collect();
        assert_eq!(told, vec!["setoption name Clock value cpu"; n_told]);
    }
}

/// By the clock of the processor, waiting takes no time.
#[cfg(target_os = "linux")]
#[test]
fn the_clock_of_the_processor_counts_work_alone() {
    let asleep = script("asleep", "sleep 0.1; echo bestmove a1a1");
    let args = ["takeover", &asleep, "random", "--games", "1"];
    let ms = |clock| {
        let result = json(&[&args[..], &["--opening", "0", "--clock", clock]].concat());
        assert_eq!(result["clock"], clock);
        result["ms_per_move"][0].as_f64().unwrap()
    };
    assert!(ms("wall") >= 100.0);
    assert!(ms("cpu") < 100.0);
}

/// Our engine measures itself by the clock of the processor, as a player and as a program.
#[cfg(target_os = "linux")]
#[test]
fn whole_games_are_played_by_the_clock_of_the_processor() {
    let engine = format!("cmd:{PARLOUR} engine takeover");
    let args = ["takeover", "engine", &engine, "--games", "2", "--json"];
    let text = play(&[&args[..], &["--movetime", "30", "--clock", "cpu"]].concat());
    assert!(text.contains("\nms of a processor a move: "), "{text}");
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(result["faults"], serde_json::json!([0, 0]), "{text}");
    let times = result["ms_per_move"].as_array().unwrap();
    assert!(times.iter().all(|ms| ms.as_f64().unwrap() > 1.0), "{text}");
}

/// A program hears both clocks, with the increments, and under the names of its protocol.
#[test]
fn programs_are_told_both_clocks() {
    for (protocol, names) in [
        ("ugi", ["p1time", "p2time", "p1inc", "p2inc"]),
        ("uai", ["btime", "wtime", "binc", "winc"]),
    ] {
        let folder = folder(&format!("clocks-{protocol}"));
        let (engine, log) = (folder.join("engine.sh"), folder.join("log"));
        let text = format!(
            "while read -r word rest; do case $word in {protocol}) echo {protocol}ok;; \
             isready) echo readyok;; position) position=$rest;; quit) exit 0;; \
             go) echo \"$rest\" >> {log}; \
             printf 'uai\\nuainewgame\\nposition %s\\ngo nodes 1\\n' \"$position\" \
             | {PARLOUR} engine takeover | grep bestmove;; esac; done\n",
            log = log.display()
        );
        fs::write(&engine, text).unwrap();
        let program = format!("cmd:sh {}", engine.display());
        let args = ["takeover", &program, "random", "--games", "1"];
        let options = ["--variant", "ataxx", "--time-control", "600+90.5"];
        let result = json(&[&args[..], &options].concat());
        assert_eq!(result["time_control"], "600+90.5");
        assert_eq!(result["faults"], serde_json::json!([0, 0]), "{result}");
        assert_eq!(result["time_losses"], serde_json::json!([0, 0]), "{result}");
        let heard = fs::read_to_string(log).unwrap();
        let [own, other, own_increment, increment] = names;
        let first = format!("{own} 600000 {other} 600000 {own_increment} 90500 {increment} 90500");
        assert_eq!(heard.lines().next(), Some(&*first));
        // No turn takes as long as the increment, so both clocks grow, by less than it.
        for (line, n_turns) in heard.lines().zip(0..) {
            let words: Vec<_> = line.split(' ').collect();
            let clock = |number: usize| words[number].parse::<u64>().unwrap();
            assert_eq!((words[0], words[2], words.len()), (own, other, 8), "{line}");
            for left in [clock(1), clock(3)] {
                let gained = left - 600_000;
                assert!(
                    gained <= 90_500 * n_turns && (gained > 0) == (n_turns > 0),
                    "{line}"
                );
            }
        }
    }
}

/// A program that doesn't answer loses when its clock has run out.
#[test]
fn a_program_without_time_loses() {
    let folder = folder("late");
    let path = folder.to_str().unwrap();
    let silent = script("silent", ":");
    let args = ["takeover", &silent, "random", "--games", "2", "--json"];
    let options = ["--opening", "0", "--time-control", "0.5", "--save", path];
    let text = play(&[&args[..], &options].concat());
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(result["losses"], 2, "{text}");
    assert_eq!(result["faults"], serde_json::json!([2, 0]), "{text}");
    assert_eq!(result["time_losses"], serde_json::json!([2, 0]), "{text}");
    assert_eq!(result["least_left_ms"][0], 0, "{text}");
    assert!(
        result["least_left_ms"][1].as_u64().unwrap() <= 500,
        "{text}"
    );
    let fault = "no move within 500 ms and a margin of 50 ms";
    assert_eq!(result["first_fault"][0], fault);
    assert!(text.contains("\ntime control 0.5+0: 2 and 0 games lost on time, at least 0 and "));
    for (file, control) in [("00001-1.txt", "first"), ("00001-2.txt", "second")] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let control = format!("timeout:{control}");
        assert!(text.contains("500+0") && text.contains(&control), "{text}");
        catalog::read_file(&text).unwrap();
    }
}

/// Saved games have the clocks. The increment comes with the turn, which is two moves of Nonaga.
#[test]
fn a_turn_gains_the_increment_once() {
    let folder = folder("turns");
    let path = folder.to_str().unwrap();
    let args = ["nonaga", "random", "random", "--games", "1", "--save", path];
    let result = json(&[&args[..], &["--time-control", "600+600", "--opening", "0"]].concat());
    let least = &result["least_left_ms"];
    assert!(
        least
            .as_array()
            .unwrap()
            .iter()
            .all(|ms| ms.as_u64().unwrap() <= 600_000)
    );
    let text = fs::read_to_string(folder.join("00001-1.txt")).unwrap();
    let record = catalog::read_file(&text).unwrap();
    let line = record.line(record.cursor());
    let left = |number: usize| record.time_left_at(line[number]).unwrap();
    // The start, slide, shift, slide, shift.
    assert!(left(1) <= 600_000 && left(3) <= 600_000, "{text}");
    for number in [2, 4] {
        assert!((600_001..=1_200_000).contains(&left(number)), "{text}");
    }
}

/// By the clock of the processor, a program that waits does not run out of time.
#[cfg(target_os = "linux")]
#[test]
fn a_clock_of_the_processor_counts_work_alone() {
    let asleep = script("asleep-on-the-clock", "sleep 1; echo bestmove a1a1");
    let args = [
        "takeover",
        &asleep,
        "random",
        "--games",
        "1",
        "--opening",
        "0",
    ];
    let result = |clock| json(&[&args[..], &["--time-control", "0.5", "--clock", clock]].concat());
    let (wall, cpu) = (result("wall"), result("cpu"));
    assert_eq!(wall["time_losses"], serde_json::json!([1, 0]), "{wall}");
    assert_eq!(cpu["time_losses"], serde_json::json!([0, 0]), "{cpu}");
    // The move itself is illegal.
    assert_eq!(cpu["faults"], serde_json::json!([1, 0]), "{cpu}");
}

/// Our engine gets by with its clock, as a player and as a program.
#[test]
fn whole_games_are_played_with_clocks() {
    let engine = format!("cmd:{PARLOUR} engine takeover");
    let args = ["takeover", "engine", &engine, "--games", "1"];
    let result = json(&[&args[..], &["--opening", "40", "--time-control", "10"]].concat());
    assert_eq!(result["faults"], serde_json::json!([0, 0]), "{result}");
}

/// Checks that a program loses all its games, and what is reported.
#[track_caller]
fn loses(program: &str, expected: &Expect) {
    let folder = folder("losing");
    let path = folder.to_str().unwrap();
    let args = [
        "takeover", program, "random", "--games", "4", "--nodes", "1", "--json",
    ];
    let text = play(&[&args[..], &["--opening", "0", "--save", path]].concat());
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(result["losses"], 4, "{text}");
    assert_eq!(result["faults"], serde_json::json!([4, 0]), "{text}");
    let reasons = &result["first_fault"];
    assert!(reasons[0].is_string() && reasons[1].is_null(), "{text}");
    let lines = text.lines().filter(|line| line.contains("by a fault"));
    let command = program.strip_prefix("cmd:").unwrap();
    let lines: String = lines.map(|line| line.replace(command, "PROGRAM")).collect();
    expected.assert_eq(&lines);
    // Sides alternate: the loser is First in the first game, and Second in the
    // next.
    for (file, winner) in [("00001-1.txt", "p2win"), ("00001-2.txt", "p1win")] {
        let record = catalog::read_file(&fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        assert_eq!(record.ending().unwrap().outcome.to_string(), winner);
    }
}

#[test]
fn a_program_that_fails_loses() {
    loses(
        &script("dying", "exit 3"),
        &expect![[
            r#"cmd:"PROGRAM" lost 4 games by a fault, such as: PROGRAM ended without bestmove"#
        ]],
    );
    loses(
        &script("lying", "echo bestmove a1a1"),
        &expect![[
            r#"cmd:"PROGRAM" lost 4 games by a fault, such as: illegal move a1a1 in xx3-/xx4/-5/1-4/2-1oo/3-oo x 0 1"#
        ]],
    );
    loses(
        &script("babbling", "echo bestmove"),
        &expect![[r#"cmd:"PROGRAM" lost 4 games by a fault, such as: PROGRAM says no move"#]],
    );
    loses(
        &script("refusing", "echo info error expected more"),
        &expect![[
            r#"cmd:"PROGRAM" lost 4 games by a fault, such as: PROGRAM answers: info error expected more"#
        ]],
    );
}

/// A program that ends between two games is started again: no game suffers.
#[test]
fn a_program_that_ends_between_games_is_started_again() {
    let folder = folder("restarted");
    let (engine, log) = (folder.join("engine.sh"), folder.join("log"));
    let text = format!(
        "echo started >> {log}\n\
         while read -r word rest; do case $word in \
         ugi) echo ugiok;; isready) echo readyok;; position) position=$rest;; quit) exit 0;; \
         uginewgame) [ -z \"$is_used\" ] || exit 1; is_used=yes;; \
         go) printf 'uai\\nuainewgame\\nposition %s\\ngo nodes 1\\n' \"$position\" \
         | {PARLOUR} engine takeover | grep bestmove;; esac; done\n",
        log = log.display()
    );
    fs::write(&engine, text).unwrap();
    let program = format!("cmd:sh {}", engine.display());
    let args = ["takeover", &program, "random", "--games", "3"];
    let result = json(&[&args[..], &["--nodes", "1", "--variant", "ataxx"]].concat());
    assert_eq!(result["games"], 3);
    assert_eq!(result["faults"], serde_json::json!([0, 0]), "{result}");
    let n_starts = fs::read_to_string(log).unwrap().lines().count();
    assert_eq!(n_starts, 3);
}

#[test]
fn a_test_ends_when_it_is_decided() {
    let args = [
        "takeover", "classic", "random", "--games", "1000", "--nodes", "1",
    ];
    let text = play(&[&args[..], &["--sprt", "0,50", "--json"]].concat());
    assert!(text.contains("SPRT 0,50: accepted"), "{text}");
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(result["games"].as_u64().unwrap() < 200, "{result}");
    let args = [
        "takeover", "random", "classic", "--games", "1000", "--nodes", "1",
    ];
    let text = play(&[&args[..], &["--sprt=-50,0"]].concat());
    assert!(text.contains("SPRT -50,0: rejected"), "{text}");
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
fn bad_input_gets_one_clear_line() {
    refuses(
        &["takeover", "classic"],
        &expect![
            "parlour: the following required arguments were not provided: <B> (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "best"],
        &expect![[
            r#"parlour: invalid value 'best' for '<B>': expected random, classic, level:1 to level:10, newcomer, greedy, careful, engine or perfect, or cmd:"any UGI or UAI program" (see parlour --help)"#
        ]],
    );
    refuses(
        &["takeover", "classic", "level:11"],
        &expect![[
            r#"parlour: invalid value 'level:11' for '<B>': expected random, classic, level:1 to level:10, newcomer, greedy, careful, engine or perfect, or cmd:"any UGI or UAI program" (see parlour --help)"#
        ]],
    );
    refuses(
        &["takeover", "classic", "cmd:"],
        &expect![
            "parlour: invalid value 'cmd:' for '<B>': expected a command after cmd: (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--games", "0"],
        &expect![
            "parlour: invalid value '0' for '--games <N>': 0 is not in 1..18446744073709551615 (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--judge-nodes", "9"],
        &expect![
            "parlour: the following required arguments were not provided: --balanced <SCORE> (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--games", "many"],
        &expect![
            "parlour: invalid value 'many' for '--games <N>': invalid digit found in string (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--concurrency", "0"],
        &expect![
            "parlour: invalid value '0' for '--concurrency <N>': 0 is not in 1..=256 (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--concurrency", "1000000"],
        &expect![
            "parlour: invalid value '1000000' for '--concurrency <N>': 1000000 is not in 1..=256 (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--variant", "chess"],
        &expect!["parlour: variant can't be chess; expected standard or ataxx"],
    );
    refuses(
        &["takeover", "classic", "random", "--size", "9"],
        &expect!["parlour: there is no option size; expected variant or board"],
    );
    refuses(
        &["takeover", "classic", "random", "--sprt", "5,0"],
        &expect![
            "parlour: invalid value '5,0' for '--sprt <ELO0,ELO1>': expected two numbers, the smaller first, such as 0,5 (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--sprt", "x"],
        &expect![
            "parlour: invalid value 'x' for '--sprt <ELO0,ELO1>': expected two numbers, the smaller first, such as 0,5 (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--clock", "sand"],
        &expect![
            "parlour: invalid value 'sand' for '--clock <CLOCK>' [possible values: wall, cpu] (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--time-control", "40/60"],
        &expect![
            "parlour: invalid value '40/60' for '--time-control <SECONDS[+INCREMENT]>': expected seconds, and an increment if any, such as 60 or 2+0.02; at least 0.001 and at most 86400 (see parlour --help)"
        ],
    );
    refuses(
        &["takeover", "classic", "random", "--time-control", "0+1"],
        &expect![
            "parlour: invalid value '0+1' for '--time-control <SECONDS[+INCREMENT]>': expected seconds, and an increment if any, such as 60 or 2+0.02; at least 0.001 and at most 86400 (see parlour --help)"
        ],
    );
    for (option, value) in [("--movetime", "5"), ("--nodes", "5")] {
        let args = ["takeover", "classic", "random", option, value];
        let output = parlour(&[&args[..], &["--time-control", "2"]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(complaint.contains("cannot be used with"), "{complaint}");
    }
    refuses(
        &["takeover", "classic", "random", "--movetime", "-1"],
        &expect!["parlour: unexpected argument '-1' found (see parlour --help)"],
    );
    refuses(
        &["takeover", "classic", "cmd:no-such-program-here"],
        &expect![
            "parlour: can't start no-such-program-here: No such file or directory (os error 2)"
        ],
    );
    refuses(
        &["takeover", "classic", "cmd:true"],
        &expect!["parlour: true ended without ugiok"],
    );
    refuses(
        &["takeover", "classic", "random", "--opening", "1000"],
        &expect!["parlour: 1000 random moves decide every game; try a smaller --opening"],
    );
    refuses(
        &["takeover", "random", "random", "--save", "/dev/null/x"],
        &expect!["parlour: can't make the folder /dev/null/x: Not a directory (os error 20)"],
    );
}
