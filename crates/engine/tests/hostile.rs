//! No input crashes the engine, the parsers or the command.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../../fuzz/harness.rs"]
mod harness;

use catalog::GAMES;
use harness::Session;
use rules::Random;
use testkit::mutations;

/// Lines that are valid in one game or another.
const LINES: [&str; 44] = [
    "ugi",
    "uai",
    "isready",
    "uginewgame",
    "uainewgame",
    "stop",
    "setoption name Variant value published",
    "setoption name Variant value ataxx",
    "setoption name Variant value standard",
    "setoption name Board value 42",
    "setoption name Size value 9",
    "setoption name Mode value moves:40",
    "setoption name Mode value target:25",
    "setoption name Seed value 7",
    "setoption name Level value 3",
    "setoption name Level value 0",
    "setoption name MultiPV value 4",
    "setoption name Opponent value engine",
    "setoption name Opponent value classic",
    "setoption name Opponent value random",
    "setoption name Opponent value perfect",
    "game nonaga",
    "game takeover",
    "prepare",
    "puzzle 7",
    "quit",
    "position startpos",
    "position startpos moves @1",
    "position startpos moves -2,0>-2,1 #-1,2>-3,1 2,0>2,-1",
    "position startpos moves c4 d3",
    "position startpos moves A2 A1 B1",
    "position fen #42 4,9 21 second",
    "position fen xx4/xx4/6/6/4oo/4oo x 0 1 moves c4",
    "position fen x5o/7/7/7/7/7/o5x x 99 60",
    "position fen 9/9/9/9/9/9/9/b8/Bb7 w 1:0 3 0 moves:100 moves E5",
    "go",
    "go movetime 1 depth 3 nodes 100",
    "go p1time 1000 p2time 1000 p1inc 0 p2inc 0",
    "go infinite",
    "query p1turn",
    "query gameover",
    "query result",
    "query fen",
    "query moves",
];

#[test]
fn a_hundred_thousand_lines_leave_the_engine_sane() {
    let mut random = Random::new(2);
    for game in GAMES {
        let mut session = Session::new(game);
        for seed in 0..25_000 {
            let line = match random.below(4) {
                0 => random_line(&mut random),
                1 => (*random.pick(&LINES).unwrap()).to_owned(),
                _ => {
                    let line = random.pick(&LINES).unwrap();
                    mutations(line, seed, 1).next().unwrap()
                }
            };
            session.check(&line.replace('\n', " "));
            match random.below(4) {
                0 | 1 => drop(session.check("stop")),
                n => drop(session.step(n as usize, random.below(30).into())),
            }
        }
        session.check("stop");
        assert!(session.check("position startpos").is_empty());
        assert!(session.check("go depth 1").is_empty());
        let mut said = Vec::new();
        for _ in 0..10_000 {
            said.extend(session.step(1, 10));
        }
        assert!(
            said.iter().any(|said| said.starts_with("bestmove ")),
            "{said:?}"
        );
    }
}

fn random_line(random: &mut Random) -> String {
    let n_bytes = random.below(60);
    let bytes: Vec<u8> = (0..n_bytes).map(|_| random.below(256) as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs the fuzz harness on random and mutated texts.
#[test]
fn mutated_texts_go_through_the_fuzz_harness() {
    let mut table = catalog::find("nonaga").unwrap().start(&[]).unwrap();
    for m in ["-2,0>-2,1", "#-1,2>-3,1", "2,0>2,-1"] {
        table.play(m).unwrap();
    }
    table.undo();
    let mut texts: Vec<String> = LINES.map(str::to_owned).to_vec();
    texts.push(table.to_string());
    texts.push(table.to_link());
    texts.push(table.position());
    for (seed, text) in (0..).zip(&texts) {
        for mutation in mutations(text, seed, 60) {
            harness::texts(&mutation);
            harness::records(&mutation);
            harness::protocol(&mutation);
        }
    }
}
