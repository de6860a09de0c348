//! The engine while it thinks: its output, and that it still reads its input.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

const GAMES: [&str; 4] = ["lilypads", "nonaga", "takeover", "simply-go"];

/// A conversation with `parlour engine GAME`.
struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    fn new(game: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
            .args(["engine", game])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut conversation = Self {
            child,
            input,
            output,
        };
        if game == "simply-go" {
            conversation.send("setoption name Size value 9");
        }
        conversation
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn next(&mut self) -> Option<String> {
        let mut line = String::new();
        let n_read = self.output.read_line(&mut line).unwrap();
        (n_read > 0).then(|| line.trim_end().to_owned())
    }

    /// The lines up to one that begins with `word`, which is the last.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines
            .last()
            .is_none_or(|line: &String| !line.starts_with(word))
        {
            lines.push(self.next().unwrap());
        }
        lines
    }

    /// Sends a line that is answered with one line.
    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.next().unwrap()
    }

    fn legal_moves(&mut self) -> BTreeSet<String> {
        let answer = self.ask("query moves");
        answer.split(' ').skip(1).map(str::to_owned).collect()
    }

    /// Sends `go` and returns the `info` lines and the move, which is legal.
    fn go(&mut self, bounds: &str) -> (Vec<Info>, String) {
        let legal = self.legal_moves();
        self.send(&format!("go {bounds}"));
        let mut lines = self.until("bestmove ");
        let best = lines.pop().unwrap();
        let best = best.strip_prefix("bestmove ").unwrap().to_owned();
        assert!(legal.contains(&best), "{best}");
        (lines.iter().map(|line| Info::read(line)).collect(), best)
    }

    /// Closes the engine's input, and returns the rest of its output.
    fn close(mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.next() {
            lines.push(line);
        }
        assert!(self.child.wait().unwrap().success());
        lines
    }

    /// Checks that the engine is alive and has nothing to say.
    #[track_caller]
    fn is_quiet(&mut self) {
        assert_eq!(self.ask("isready"), "readyok");
    }
}

/// A line that begins with `info depth`.
#[derive(Debug)]
struct Info {
    depth: u32,
    line_number: Option<usize>,
    score: Score,
    nodes: u64,
    moves: Vec<String>,
}

#[derive(PartialEq, Debug)]
enum Score {
    Points(i32),
    Win(u32),
    Loss(u32),
    Draw,
}

impl Score {
    fn number(&self) -> i64 {
        match *self {
            Self::Points(points) => points.into(),
            Self::Win(n) => 1_000_000 - i64::from(n),
            Self::Loss(n) => i64::from(n) - 1_000_000,
            Self::Draw => 0,
        }
    }
}

impl Info {
    /// Reads a line; a line of another form fails the test.
    #[track_caller]
    fn read(line: &str) -> Self {
        let (numbers, moves) = line.split_once(" pv ").unwrap();
        let mut words = numbers.split(' ');
        let mut next = || words.next().unwrap();
        assert_eq!([next(), next()], ["info", "depth"], "{line}");
        let depth = next().parse().unwrap();
        let mut word = next();
        let line_number = (word == "multipv").then(|| {
            let number = next().parse().unwrap();
            word = next();
            number
        });
        assert_eq!(word, "score", "{line}");
        let score = match next() {
            "cp" => Score::Points(next().parse().unwrap()),
            "win" => Score::Win(next().parse().unwrap()),
            "loss" => Score::Loss(next().parse().unwrap()),
            "draw" => Score::Draw,
            other => panic!("{other} in {line}"),
        };
        assert_eq!(next(), "nodes", "{line}");
        let nodes = next().parse().unwrap();
        assert_eq!(next(), "nps", "{line}");
        next().parse::<u64>().unwrap();
        assert_eq!(next(), "time", "{line}");
        next().parse::<u64>().unwrap();
        assert_eq!(words.next(), None, "{line}");
        Self {
            depth,
            line_number,
            score,
            nodes,
            moves: moves.split(' ').map(str::to_owned).collect(),
        }
    }
}

/// Games whose engine reports its search.
const TELLING: [&str; 4] = ["lilypads", "nonaga", "takeover", "simply-go"];

#[test]
fn it_thinks_aloud() {
    for game in TELLING {
        let mut engine = Conversation::new(game);
        let (infos, best) = engine.go("nodes 5000");
        assert!(infos.len() >= 2, "{game}: {infos:?}");
        for (last, next) in infos.iter().zip(&infos[1..]) {
            assert!(last.depth < next.depth && last.nodes <= next.nodes);
        }
        // A move was found in what was said, and the lines can be played.
        assert!(infos.iter().any(|info| info.moves[0] == best));
        for info in &infos {
            assert!(info.line_number.is_none() && info.nodes <= 5_000);
            engine.send(&format!("position startpos moves {}", info.moves.join(" ")));
            engine.is_quiet();
        }
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_move() {
    for game in GAMES {
        for level in 0..=10 {
            let mut first = None;
            for _ in 0..2 {
                let mut engine = Conversation::new(game);
                engine.send(&format!("setoption name Level value {level}"));
                engine.send("setoption name Seed value 3");
                let once = engine.go("nodes 500").1;
                engine.send("uginewgame");
                let again = engine.go("nodes 500").1;
                assert_eq!(again, once, "{game} {level}");
                assert_eq!(first.get_or_insert(once.clone()), &once, "{game} {level}");
            }
        }
    }
}

#[test]
fn whatever_the_bounds_there_is_an_answer() {
    for game in GAMES {
        let mut engine = Conversation::new(game);
        for bounds in [
            "nodes 0",
            "nodes 1",
            "depth 0",
            "depth 1",
            "movetime 0",
            "movetime -5",
            "movetime 1",
            "p1time 0 p2time 0",
            "p1time 1 p2time 1 p1inc 0 p2inc 0",
            "p1time 50 p2time 50 p1inc 18446744073709551615 p2inc 1",
            "btime 50 wtime 50 binc 1 winc 1",
            "nodes 100 movetime 18446744073709551615",
            "nodes 100 depth 18446744073709551615 p1time 18446744073709551615",
        ] {
            engine.go(bounds);
        }
        engine.is_quiet();
    }
}

#[test]
fn a_win_in_one_is_reported_and_played() {
    // A move beside the last enemy takes it.
    let mut engine = Conversation::new("takeover");
    engine.send("position fen 6/6/6/6/6/x1o3 x 0 9");
    let (infos, best) = engine.go("depth 3");
    assert_eq!(infos.last().unwrap().score, Score::Win(1), "{infos:?}");
    engine.send(&format!("position fen 6/6/6/6/6/x1o3 x 0 9 moves {best}"));
    assert_eq!(engine.ask("query result"), "response p1win");
}

#[test]
fn a_lost_game_is_reported() {
    // Wherever First duplicates in the corner, a knight's move takes both pieces.
    let mut engine = Conversation::new("takeover");
    engine.send("position fen x1-o2/2-o2/---o2/6/6/6 x 0 9");
    assert_eq!(engine.ask("query moves").split(' ').count(), 4);
    let (infos, _) = engine.go("depth 4");
    assert_eq!(infos.last().unwrap().score, Score::Loss(2), "{infos:?}");
}

#[test]
fn several_lines_are_the_best_ones() {
    for game in TELLING {
        let mut engine = Conversation::new(game);
        let (infos, _) = engine.go("depth 3");
        let best = infos.last().unwrap().moves[0].clone();
        engine.send("uginewgame");
        engine.send("setoption name MultiPV value 3");
        let (infos, _) = engine.go("depth 3");
        let last: Vec<_> = infos.iter().filter(|info| info.depth == 3).collect();
        let numbers: Vec<_> = last.iter().map(|info| info.line_number).collect();
        let n_lines = engine.legal_moves().len().min(3);
        assert_eq!(numbers, (1..=n_lines).map(Some).collect::<Vec<_>>());
        let firsts: BTreeSet<_> = last.iter().map(|info| &info.moves[0]).collect();
        assert_eq!(firsts.len(), n_lines, "{game}: {last:?}");
        assert!(
            last.is_sorted_by_key(|info| -info.score.number()),
            "{last:?}"
        );
        // More lines than moves are no problem, and one line is one line.
        engine.send("setoption name MultiPV value 256");
        let n_moves = engine.legal_moves().len();
        let (infos, _) = engine.go("depth 1");
        assert_eq!(infos.len(), n_moves, "{game}");
        engine.send("setoption name MultiPV value 1");
        engine.send("uginewgame");
        let (infos, _) = engine.go("depth 3");
        assert_eq!(infos.last().unwrap().moves[0], best);
    }
}

#[test]
fn threads_share_the_work_and_find_a_legal_move() {
    for game in GAMES {
        let mut engine = Conversation::new(game);
        engine.send("setoption name Threads value 2");
        engine.go("nodes 3000");
        engine.go("depth 3");
        engine.is_quiet();
    }
}

#[test]
fn it_listens_while_it_thinks() {
    for game in GAMES {
        let mut engine = Conversation::new(game);
        let legal = engine.legal_moves();
        engine.send("go infinite");
        engine.send("isready");
        engine.until("readyok");
        for line in [
            "go",
            "position startpos",
            "uginewgame",
            "setoption name Seed value 1",
        ] {
            engine.send(line);
            let answer = engine.until("info error").pop().unwrap();
            let expected = "info error expected stop first: the engine is thinking";
            assert_eq!(answer, expected, "{game}: {line}");
        }
        engine.send("query p1turn");
        assert_eq!(engine.until("response").pop().unwrap(), "response true");
        engine.send("stop");
        let best = engine.until("bestmove ").pop().unwrap();
        assert!(legal.contains(best.strip_prefix("bestmove ").unwrap()));
        // Now there is nothing to stop.
        engine.send("stop");
        engine.is_quiet();
        engine.go("nodes 10");
    }
}

/// With every core busy, `stop` still works.
#[test]
fn stop_is_heard_under_load() {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let n_cores = thread::available_parallelism().unwrap().get();
        for _ in 0..2 * n_cores {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        for game in GAMES {
            for threads in [1, 2] {
                let mut engine = Conversation::new(game);
                engine.send(&format!("setoption name Threads value {threads}"));
                engine.send("go infinite");
                if TELLING.contains(&game) {
                    engine.until("info depth 2");
                }
                engine.send("stop");
                engine.until("bestmove ");
                engine.is_quiet();
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn the_end_of_the_input_waits_for_the_answer() {
    for game in GAMES {
        for bounds in ["nodes 1000", "depth 2", "movetime 20", "infinite"] {
            let mut engine = Conversation::new(game);
            engine.send(&format!("go {bounds}"));
            let last = engine.close().pop().unwrap();
            assert!(last.starts_with("bestmove "), "{game} {bounds}: {last}");
        }
    }
}

#[test]
fn quit_ends_it_whatever_it_does() {
    for game in GAMES {
        let mut engine = Conversation::new(game);
        engine.send("go infinite");
        engine.send("quit");
        // It answers before it exits, so that no referee waits in vain.
        let last = engine.until("bestmove ").pop().unwrap();
        assert!(last.starts_with("bestmove "));
        assert!(engine.child.wait().unwrap().success());
        let mut engine = Conversation::new(game);
        engine.send("quit");
        assert!(engine.child.wait().unwrap().success());
    }
}

#[test]
fn a_whole_match_is_played_by_the_clock() {
    for game in TELLING {
        let mut engine = Conversation::new(game);
        let mut moves = Vec::new();
        for _ in 0..30 {
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            if engine.ask("query gameover") == "response true" {
                break;
            }
            let (_, best) = engine.go("p1time 300 p2time 300 p1inc 0 p2inc 0");
            moves.push(best);
        }
        assert!(moves.len() > 5, "{game}");
    }
}
