//! The engine's answers, line by line.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use engine::Engine;
use expect_test::{Expect, expect};
use search::Slice;

/// Sends the lines of `input` to an engine of `game` and compares all answers.
#[track_caller]
fn check(game: &str, input: &str, expected: &Expect) {
    let mut engine = Engine::new(catalog::find(game).unwrap(), || Duration::ZERO).unwrap();
    let answers = input.lines().flat_map(|line| engine.answer(line));
    let answers: String = answers.map(|answer| answer + "\n").collect();
    expected.assert_eq(&answers);
}

#[test]
fn it_introduces_itself() {
    check(
        "lilypads",
        "ugi\nisready\nquit\n",
        &expect![[r#"
            id name Parlour lilypads 0.1.0
            id author the Parlour authors
            option name Board type spin default 0 min 0 max 18446744073709551615
            option name Opponent type combo default engine var engine var classic var random var perfect
            option name Level type spin default 0 min 0 max 10
            option name Seed type spin default 0 min 0 max 18446744073709551615
            option name Threads type spin default 1 min 1 max 256
            option name Hash type spin default 16 min 1 max 65536
            option name MultiPV type spin default 1 min 1 max 4096
            ugiok
            readyok
        "#]],
    );
    check(
        "nonaga",
        "ugi\n",
        &expect![[r#"
            id name Parlour nonaga 0.1.0
            id author the Parlour authors
            option name Variant type combo default standard var standard var published
            option name Opponent type combo default engine var engine var classic var random
            option name Level type spin default 0 min 0 max 10
            option name Seed type spin default 0 min 0 max 18446744073709551615
            option name Threads type spin default 1 min 1 max 256
            option name Hash type spin default 16 min 1 max 65536
            option name MultiPV type spin default 1 min 1 max 4096
            ugiok
        "#]],
    );
    check(
        "takeover",
        "ugi\n",
        &expect![[r#"
            id name Parlour takeover 0.1.0
            id author the Parlour authors
            option name Variant type combo default standard var standard var ataxx
            option name Board type spin default 0 min 0 max 18446744073709551615
            option name Opponent type combo default engine var engine var classic var random
            option name Level type spin default 0 min 0 max 10
            option name Seed type spin default 0 min 0 max 18446744073709551615
            option name Threads type spin default 1 min 1 max 256
            option name Hash type spin default 16 min 1 max 65536
            option name MultiPV type spin default 1 min 1 max 4096
            ugiok
        "#]],
    );
    check(
        "simply-go",
        "ugi\n",
        &expect![[r#"
            id name Parlour simply-go 0.1.0
            id author the Parlour authors
            option name Size type combo default 19 var 9 var 13 var 19 var 25 var 48
            option name Mode type combo default moves:200 var moves:40 var moves:100 var moves:200 var moves:500 var target:5 var target:10 var target:25 var target:50
            option name Opponent type combo default engine var engine var classic var random
            option name Level type spin default 0 min 0 max 10
            option name Seed type spin default 0 min 0 max 18446744073709551615
            option name Threads type spin default 1 min 1 max 256
            option name Hash type spin default 16 min 1 max 65536
            option name MultiPV type spin default 1 min 1 max 4096
            ugiok
        "#]],
    );
}

#[test]
fn the_first_move_need_not_wait_for_the_table() {
    let game = catalog::find("takeover").unwrap();
    let mut engine = Engine::new(game, || Duration::ZERO).unwrap();
    assert!(format!("{engine:?}").contains("hash: None"));
    assert_eq!(engine.answer("isready"), ["readyok"]);
    assert!(format!("{engine:?}").contains("hash: Some(16)"));
}

#[test]
fn it_answers_questions() {
    let questions = "query p1turn\nquery gameover\nquery result\nquery fen\nquery moves\n";
    check(
        "nonaga",
        questions,
        &expect![[r#"
        response true
        response false
        response none
        response -2,0;-2,1;-2,2;-1,-1;-1,0;-1,1;-1,2;0,-2;0,-1;0,0;0,1;0,2;1,-2;1,-1;1,0;1,1;2,-2;2,-1;2,0 -2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide
        response -2,0>1,0 -2,0>-1,-1 -2,0>-2,1 0,2>1,1 0,2>0,-1 0,2>-1,2 2,-2>1,-2 2,-2>-1,1 2,-2>2,-1
    "#]],
    );
    check(
        "lilypads",
        &format!("setoption name Board value 42\nposition startpos moves @1\n{questions}"),
        &expect![[r#"
            response false
            response false
            response none
            response #42 1 - second
            response @27 @28
        "#]],
    );
    // A match that is over.
    check(
        "takeover",
        &format!("position fen 6/6/6/6/6/x1o3 x 99 60 moves a1c2\n{questions}"),
        &expect![[r#"
            response false
            response true
            response p1win
            response 6/6/6/6/2x3/2x3 o 100 60
            response -
        "#]],
    );
    check(
        "simply-go",
        &format!(
            "setoption name Size value 9\nposition startpos moves A2 A1 B1 pass pass\n{questions}"
        ),
        &expect![[r#"
            response false
            response true
            response p1win
            response 9/9/9/9/9/9/9/b8/Bb7 w 1:0 5 2 moves:200
            response -
        "#]],
    );
}

#[test]
fn repetition_within_the_moves_counts() {
    let shuffle = "a5a3 f2f4 a3a5 f4f2";
    let start = "position fen xx4/xx4/6/6/4oo/4oo x 0 1 moves";
    check(
        "takeover",
        &format!(
            "{start} {shuffle}\nquery result\n\
             {start} {shuffle} {shuffle}\nquery result\nquery gameover\n\
             {start} {shuffle} {shuffle} a5a3\nquery result\nquery p1turn\n"
        ),
        &expect![[r#"
            response none
            response draw
            response true
            response draw
            response false
        "#]],
    );
}

#[test]
fn a_new_match_begins_with_its_first_position() {
    check(
        "lilypads",
        "position startpos moves @1\nuginewgame\nquery fen\n",
        &expect![[r#"
            response #0 - - first
        "#]],
    );
}

#[test]
fn there_is_nothing_to_think_about_when_the_game_is_over() {
    check(
        "takeover",
        "position fen 6/6/6/6/6/5o x 0 9\ngo\n",
        &expect![[r#"
            info error expected a position with a legal move: the game is over
        "#]],
    );
}

#[test]
fn options_have_limits() {
    check(
        "nonaga",
        "setoption name Level value 11\nsetoption name Threads value 0\n\
         setoption name Threads value 257\nsetoption name Hash value 0\n\
         setoption name Hash value 65537\nsetoption name MultiPV value 0\n\
         setoption name MultiPV value many\nsetoption name Seed value 18446744073709551616\n\
         setoption name hash value 1\nsetoption name LEVEL value 10\n",
        &expect![[r#"
            info error expected 0 to 10 for Level
            info error expected 1 to 256 for Threads
            info error expected 1 to 256 for Threads
            info error expected 1 to 65536 MiB for Hash
            info error expected 1 to 65536 MiB for Hash
            info error expected 1 to 4096 for MultiPV
            info error expected 1 to 4096 for MultiPV
            info error expected a number from 0 up for Seed
        "#]],
    );
}

#[test]
fn an_opponent_is_one_that_the_game_has() {
    for (game, value) in [("lilypads", "engine"), ("nonaga", "random")] {
        check(
            game,
            &format!("setoption name opponent value {value}\n"),
            &expect![[""]],
        );
    }
    check(
        "lilypads",
        "setoption name Opponent value perfect\nsetoption name Opponent value level:3\n",
        &expect![[r#"
            info error expected engine, classic, random or perfect for Opponent
        "#]],
    );
    check(
        "nonaga",
        "setoption name Opponent value classic\nsetoption name Opponent value perfect\n",
        &expect![[r#"
            info error expected engine, classic or random for Opponent
        "#]],
    );
}

#[test]
fn a_game_that_does_not_exist_is_refused_with_those_that_do() {
    let game = catalog::find("nonaga").unwrap();
    let mut engine = Engine::new(game, || Duration::ZERO).unwrap();
    let names = catalog::GAMES.map(|game| game.name()).join(", ");
    assert_eq!(
        engine.answer("game chess"),
        [format!(
            "info error there is no game \"chess\"; expected {names}"
        )]
    );
}

#[test]
fn another_game_begins_as_if_the_engine_were_started_for_it() {
    check(
        "simply-go",
        "setoption name Size value 9\nsetoption name Opponent value classic\ngame\n\
         game nonaga now\nquery fen\ngame takeover\nquery fen\nugi\nsetoption name Size value 9\n\
         game simply-go\nsetoption name Mode value moves:40\nposition startpos\n",
        &expect![[r#"
            info error expected game NAME
            info error expected game NAME
            response 9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:200
            response xx1-2/xx4/--3-/6/4oo/2-1oo x 0 1
            id name Parlour takeover 0.1.0
            id author the Parlour authors
            option name Variant type combo default standard var standard var ataxx
            option name Board type spin default 0 min 0 max 18446744073709551615
            option name Opponent type combo default engine var engine var classic var random
            option name Level type spin default 0 min 0 max 10
            option name Seed type spin default 0 min 0 max 18446744073709551615
            option name Threads type spin default 1 min 1 max 256
            option name Hash type spin default 16 min 1 max 65536
            option name MultiPV type spin default 1 min 1 max 4096
            ugiok
            info error expected an option: Variant, Board, Opponent, Level, Seed, Threads, Hash, MultiPV
            info error mode moves:40 is not offered on size 19
        "#]],
    );
}

#[test]
fn preparing_says_nothing() {
    for game in catalog::GAMES {
        check(
            game.name(),
            "prepare\nsetoption name Level value 3\nprepare\nprepare\nquery p1turn\nprepare now\n",
            &expect![[r#"
                response true
                info error expected nothing after prepare, found now
            "#]],
        );
    }
}

#[test]
fn referees_of_ataxx_are_understood() {
    check(
        "takeover",
        "uai\nuainewgame\nposition startpos moves b7 f7\nquery fen\nposition fen x5o/7/7/7/7/7/o5x x 0 1\nquery p1turn\n",
        &expect![[r#"
            id name Parlour takeover 0.1.0
            id author the Parlour authors
            option name Variant type combo default standard var standard var ataxx
            option name Board type spin default 0 min 0 max 18446744073709551615
            option name Opponent type combo default engine var engine var classic var random
            option name Level type spin default 0 min 0 max 10
            option name Seed type spin default 0 min 0 max 18446744073709551615
            option name Threads type spin default 1 min 1 max 256
            option name Hash type spin default 16 min 1 max 65536
            option name MultiPV type spin default 1 min 1 max 4096
            uaiok
            response xx3oo/7/7/7/7/7/o5x x 0 2
            response true
        "#]],
    );
    check(
        "takeover",
        "uainewgame\nuai\n",
        &expect![[r#"
            info error expected uai before uainewgame
            id name Parlour takeover 0.1.0
            id author the Parlour authors
            option name Variant type combo default standard var standard var ataxx
            option name Board type spin default 0 min 0 max 18446744073709551615
            option name Opponent type combo default engine var engine var classic var random
            option name Level type spin default 0 min 0 max 10
            option name Seed type spin default 0 min 0 max 18446744073709551615
            option name Threads type spin default 1 min 1 max 256
            option name Hash type spin default 16 min 1 max 65536
            option name MultiPV type spin default 1 min 1 max 4096
            uaiok
        "#]],
    );
    check(
        "nonaga",
        "uai\n",
        &expect![[r#"
        info error expected ugi: nonaga is no Ataxx
    "#]],
    );
}

#[test]
fn options_go_together_in_any_order() {
    check(
        "simply-go",
        "setoption name mode value moves:40\nposition startpos\nsetoption name size value 9\n\
         position startpos\nquery fen\n",
        &expect![[r#"
            info error mode moves:40 is not offered on size 19
            response 9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:40
        "#]],
    );
}

#[test]
fn mistakes_are_answered_and_change_nothing() {
    check(
        "nonaga",
        "hello\nugi now\nsetoption name Variant\nsetoption name Variant value ataxx\n\
         setoption name Board value 1\nsetoption name Seed value -1\nposition\nposition here\n\
         position fen\nposition fen 0,0\nposition startpos moves 2,-2>0,0\n\
         position startpos moves -2,0>-2,1 up\ngo fast\ngo depth\ngo depth x\nquery\n\
         query weather\nquit now\nquery fen\n",
        &expect![[r#"
            info error expected ugi, isready, game, uginewgame, setoption, position, prepare, go, puzzle, stop, query or quit
            info error expected nothing after ugi, found now
            info error expected setoption name NAME value VALUE
            info error variant can't be ataxx; expected standard or published
            info error expected an option: Variant, Opponent, Level, Seed, Threads, Hash, MultiPV
            info error expected a number from 0 up for Seed
            info error expected position startpos or position fen TEXT
            info error expected position startpos or position fen TEXT
            info error expected position startpos or position fen TEXT
            info error expected the fields tiles, first's pieces, second's pieces, turn, phase, and under published the barred tile or -
            info error illegal move 2,-2>0,0
            info error up: expected a move such as 2,-2>0,0, #1,0>3,-2 or pass
            info error expected movetime, depth, nodes, p1time, p2time, p1inc or p2inc with a number, or infinite
            info error expected a number after depth
            info error expected a number after depth
            info error expected query p1turn, gameover, result, fen or moves
            info error expected query p1turn, gameover, result, fen or moves
            info error expected nothing after quit, found now
            response -2,0;-2,1;-2,2;-1,-1;-1,0;-1,1;-1,2;0,-2;0,-1;0,0;0,1;0,2;1,-2;1,-1;1,0;1,1;2,-2;2,-1;2,0 -2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide
        "#]],
    );
}

/// A host with a clock of the processor has an option for it.
#[test]
fn thinking_is_measured_by_the_clock_that_was_chosen() {
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Every look at it takes a millisecond.
    fn cpu() -> Duration {
        static TIME: AtomicU64 = AtomicU64::new(0);
        Duration::from_millis(TIME.fetch_add(1, Ordering::Relaxed))
    }

    let game = catalog::find("nonaga").unwrap();
    let plain = || Engine::new(game, || Duration::ZERO).unwrap();
    let mut engine = plain().with_cpu_clock(cpu);
    let clock = "option name Clock type combo default wall var wall var cpu";
    let introduction = engine.answer("ugi");
    assert_eq!(introduction[introduction.len() - 2..], [clock, "ugiok"]);
    assert!(!plain().answer("ugi").contains(&clock.to_owned()));
    let error = &plain().answer("setoption name Clock value cpu")[0];
    assert!(
        error.starts_with("info error expected an option: "),
        "{error}"
    );
    assert_eq!(
        engine.answer("setoption name Clock value sand"),
        ["info error expected wall or cpu for Clock"]
    );
    // The clock on the wall stands still.
    let answers_in_time = |engine: &mut Engine| {
        engine.answer("go movetime 20");
        for _ in 0..20 {
            engine.step(Slice::nodes(500));
        }
        let is_thinking = engine.is_thinking();
        engine.answer("stop");
        !is_thinking
    };
    assert!(!answers_in_time(&mut engine));
    for (value, expected) in [("cpu", true), ("wall", false), ("cpu", true)] {
        engine.answer(&format!("setoption name Clock value {value}"));
        assert_eq!(answers_in_time(&mut engine), expected, "{value}");
    }
    // Another game begins with the default.
    engine.answer("game nonaga");
    assert!(!answers_in_time(&mut engine));
    assert!(engine.answer("ugi").contains(&clock.to_owned()));
}
