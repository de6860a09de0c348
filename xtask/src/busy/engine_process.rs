//! An engine in a process of its own.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

/// A `parlour engine`.
pub(super) struct EngineProcess {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// A move, and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) m: String,
    /// The time from `go` to `bestmove`.
    pub(super) time: Duration,
    /// Whether the search had finished a depth.
    pub(super) has_depth: bool,
}

impl EngineProcess {
    /// Starts the program `parlour` as an engine of `game`.
    pub(super) fn start(
        parlour: &Path,
        game: &str,
        options: &[(&str, &str)],
    ) -> anyhow::Result<Self> {
        let mut process = Command::new(parlour)
            .args(["engine", game])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", parlour.display()))?;
        let input = process.stdin.take().context("an engine has an input")?;
        let output = process.stdout.take().context("an engine has an output")?;
        let mut player = Self {
            process,
            input,
            output: BufReader::new(output),
        };
        for (name, value) in options {
            player.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(player)
    }

    /// Starts another match.
    pub(super) fn new_match(&mut self) -> anyhow::Result<()> {
        self.send("uginewgame")?;
        self.send("isready")?;
        self.wait_for("readyok").map(drop)
    }

    /// The legal moves after `moves`; none if the match is over.
    pub(super) fn legal_moves(&mut self, moves: &[String]) -> anyhow::Result<Vec<String>> {
        self.set_up(moves)?;
        if self.query("gameover")? == "true" {
            return Ok(Vec::new());
        }
        let moves = self.query("moves")?;
        let moves = moves.split_whitespace().filter(|&m| m != "-");
        Ok(moves.map(str::to_owned).collect())
    }

    /// Who is to move in the position set up last: 0 or 1.
    pub(super) fn turn(&mut self) -> anyhow::Result<usize> {
        Ok(usize::from(self.query("p1turn")? != "true"))
    }

    /// The move after `moves`, in answer to `go`.
    pub(super) fn choose(&mut self, moves: &[String], go: &str) -> anyhow::Result<Answer> {
        self.set_up(moves)?;
        let start = Instant::now();
        self.send(go)?;
        let (m, before) = self.wait_for("bestmove")?;
        Ok(Answer {
            m,
            time: start.elapsed(),
            has_depth: before.iter().any(|line| line.starts_with("info depth ")),
        })
    }

    fn set_up(&mut self, moves: &[String]) -> anyhow::Result<()> {
        let moves = match moves {
            [] => String::new(),
            moves => format!(" moves {}", moves.join(" ")),
        };
        self.send(&format!("position startpos{moves}"))
    }

    fn query(&mut self, name: &str) -> anyhow::Result<String> {
        self.send(&format!("query {name}"))?;
        let (answer, _) = self.wait_for("response")?;
        Ok(answer)
    }

    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// The rest of the next line that starts with `word`, and the lines before it.
    fn wait_for(&mut self, word: &str) -> anyhow::Result<(String, Vec<String>)> {
        let mut before = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the engine ended without {word}");
            }
            let line = line.trim_end();
            if line.starts_with("info error") {
                bail!("the engine answers: {line}");
            }
            if let Some(rest) = line.strip_prefix(word) {
                return Ok((rest.trim_start().to_owned(), before));
            }
            before.push(line.to_owned());
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // It may have ended already.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
