use std::{
    fmt,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    str::FromStr,
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use bots::{Opponent, Request};
use catalog::AnyMatch;
use engine::MoveTimer;
use search::{Limits, TranspositionTable};

use crate::clock;

/// The player of a side: one of our bots, or any program that speaks UGI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Bot(Opponent),
    /// Its command line.
    Program(String),
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(command) = text.strip_prefix("cmd:") {
            let command = command.trim().trim_matches('"');
            if command.is_empty() {
                return Err("expected a command after cmd:".to_owned());
            }
            return Ok(Self::Program(command.to_owned()));
        }
        let bot = text.parse().map(Self::Bot);
        bot.map_err(|e| format!("{e}, or cmd:\"any UGI program\""))
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(opponent) => opponent.fmt(f),
            Self::Program(command) => write!(f, "cmd:\"{command}\""),
        }
    }
}

/// The limits of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    pub(crate) time: Option<Duration>,
    /// Whether the time is the default; levels ignore it then.
    pub(crate) is_usual: bool,
    pub(crate) nodes: Option<u64>,
}

/// A player during a tournament.
pub(crate) enum Contestant {
    Bot {
        opponent: Opponent,
        table: TranspositionTable,
    },
    Program {
        command: String,
        /// `None` before it is started, and after it failed.
        program: Option<Program>,
    },
}

/// The result of a player's turn.
pub(crate) enum Reply {
    /// The move, and how long it took.
    Move(String, Duration),
    /// The program crashed, timed out or sent an invalid answer.
    Fault(String),
}

impl Contestant {
    pub(crate) fn new(side: &Side) -> Self {
        match side {
            Side::Bot(opponent) => Self::Bot {
                opponent: *opponent,
                table: TranspositionTable::new(32),
            },
            Side::Program(command) => Self::Program {
                command: command.clone(),
                program: None,
            },
        }
    }

    /// Starts a new game with the given options.
    pub(crate) fn new_game(&mut self, choices: &[(String, String)]) -> anyhow::Result<()> {
        match self {
            Self::Bot { table, .. } => {
                table.clear();
                Ok(())
            }
            Self::Program { command, program } => {
                let program = match program {
                    Some(program) => program,
                    None => program.insert(Program::start(command, PATIENCE)?),
                };
                program.new_game(choices)
            }
        }
    }

    /// The player's move.
    pub(crate) fn choose(
        &mut self,
        playing: &dyn AnyMatch,
        allowance: Allowance,
        seed: u64,
    ) -> anyhow::Result<Reply> {
        let start = Instant::now();
        let m = match self {
            Self::Bot { opponent, table } => {
                let is_level = matches!(opponent, Opponent::Level(_) | Opponent::Perfect);
                let timer = match allowance.time {
                    Some(time) if !(is_level && allowance.is_usual) => {
                        MoveTimer::for_move(clock::now, time)
                    }
                    _ => MoveTimer::endless(clock::now),
                };
                let request = Request {
                    opponent: *opponent,
                    limits: Limits {
                        depth: None,
                        nodes: allowance.nodes,
                    },
                    seed,
                    n_threads: 1,
                    n_lines: 1,
                    table,
                    stop: &timer,
                };
                let m = engine::think(playing, &request, &mut |_| {});
                m.with_context(|| format!("{opponent} has no move in {}", playing.position()))?
            }
            Self::Program { command, program } => {
                let running = program
                    .as_mut()
                    .with_context(|| format!("{command} was not started"))?;
                match running.choose(&playing.moves(), allowance) {
                    Ok(m) => m,
                    Err(e) => {
                        // The next game starts a new process.
                        *program = None;
                        return Ok(Reply::Fault(format!("{e:#}")));
                    }
                }
            }
        };
        Ok(Reply::Move(m, start.elapsed()))
    }
}

/// The time limit for answers that need no thinking, and the tolerance for those
/// that do.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time limit for a search limited by nodes.
const LONGEST_THOUGHT: Duration = Duration::from_secs(600);

/// Longer lines are truncated.
const LONGEST_LINE: u64 = 1 << 16;

/// The number of lines read ahead.
const MOST_LINES: usize = 1_000;

/// A program that speaks UGI.
#[derive(Debug)]
pub(crate) struct Program {
    command: String,
    child: Child,
    input: ChildStdin,
    /// Its output, line by line. It is read in a thread, so that timeouts work.
    lines: Receiver<String>,
    patience: Duration,
}

impl Program {
    fn start(command: &str, patience: Duration) -> anyhow::Result<Self> {
        let mut words = command.split_whitespace();
        let name = words.next().context("expected a command after cmd:")?;
        let mut child = Command::new(name)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {command}"))?;
        let input = child.stdin.take().context("a program has an input")?;
        let output = child.stdout.take().context("a program has an output")?;
        let (sender, lines) = mpsc::sync_channel(MOST_LINES);
        thread::spawn(move || read_lines(BufReader::new(output), &sender));
        let mut program = Self {
            command: command.to_owned(),
            child,
            input,
            lines,
            patience,
        };
        program.send("ugi");
        program.wait_for("ugiok", patience)?;
        Ok(program)
    }

    fn new_game(&mut self, choices: &[(String, String)]) -> anyhow::Result<()> {
        for (name, value) in choices {
            let (first, rest) = name.split_at(1);
            let name = first.to_ascii_uppercase() + rest;
            self.send(&format!("setoption name {name} value {value}"));
        }
        self.send("uginewgame");
        self.send("isready");
        self.wait_for("readyok", self.patience)?;
        Ok(())
    }

    fn choose(&mut self, moves: &[String], allowance: Allowance) -> anyhow::Result<String> {
        let moves = match moves {
            [] => String::new(),
            moves => format!(" moves {}", moves.join(" ")),
        };
        self.send(&format!("position startpos{moves}"));
        let mut go = "go".to_owned();
        if let Some(time) = allowance.time {
            go += &format!(" movetime {}", time.as_millis());
        }
        if let Some(nodes) = allowance.nodes {
            go += &format!(" nodes {nodes}");
        }
        self.send(&go);
        let longest = allowance.time.unwrap_or(LONGEST_THOUGHT);
        let line = self.wait_for("bestmove", longest.saturating_add(self.patience))?;
        let m = line.split_whitespace().nth(1);
        Ok(m.with_context(|| format!("{} says no move", self.command))?
            .to_owned())
    }

    /// Sends a line. A failure shows when no answer arrives.
    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .ok();
    }

    /// Reads until a line that starts with `word`.
    fn wait_for(&mut self, word: &str, longest: Duration) -> anyhow::Result<String> {
        let start = Instant::now();
        loop {
            let left = longest.saturating_sub(start.elapsed());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    bail!("{} does not say {word}", self.command)
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("{} ended without {word}", self.command)
                }
            };
            if line.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            if line.starts_with("info error") {
                bail!("{} answers: {}", self.command, line.trim());
            }
        }
    }
}

/// Forwards a program's output until it ends or the receiver is gone.
fn read_lines(mut output: impl BufRead, lines: &SyncSender<String>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(n_read) if n_read > 0 => {}
            _ => return,
        }
        if lines
            .send(String::from_utf8_lossy(&line).into_owned())
            .is_err()
        {
            return;
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A program that ignores `quit` is killed.
        self.send("quit");
        for _ in 0..20 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Program;

    #[test]
    fn a_silent_program_is_not_waited_for() {
        let error = Program::start("sleep 1000", Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.to_string(), "sleep 1000 does not say ugiok");
    }

    #[test]
    fn a_program_that_never_stops_talking_is_not_waited_for() {
        let error = Program::start("yes", Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.to_string(), "yes does not say ugiok");
    }
}
