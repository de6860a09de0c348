use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

/// The time limit for answers that need no thinking, and the tolerance for those
/// that do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

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
    /// Starts the program of a command line, which is given word by word.
    pub(crate) fn start(
        words: impl IntoIterator<Item = String>,
        patience: Duration,
    ) -> anyhow::Result<Self> {
        let words: Vec<_> = words.into_iter().collect();
        let command = words.join(" ");
        let (name, args) = words.split_first().context("expected a command")?;
        let mut child = Command::new(name)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {command}"))?;
        let input = child.stdin.take().context("a program has an input")?;
        let output = child.stdout.take().context("a program has an output")?;
        let (sender, lines) = mpsc::sync_channel(MOST_LINES);
        thread::spawn(move || read_lines(BufReader::new(output), &sender));
        let mut program = Self {
            command,
            child,
            input,
            lines,
            patience,
        };
        program.send("ugi");
        program.wait_for("ugiok", patience)?;
        Ok(program)
    }

    /// Starts a new match with the given options.
    pub(crate) fn new_game(&mut self, choices: &[(String, String)]) -> anyhow::Result<()> {
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

    /// The program's move after `moves`, in answer to the command `go`. It has to be there
    /// soon after `longest`.
    pub(crate) fn choose(
        &mut self,
        moves: &[String],
        go: &str,
        longest: Duration,
    ) -> anyhow::Result<String> {
        let moves = match moves {
            [] => String::new(),
            moves => format!(" moves {}", moves.join(" ")),
        };
        self.send(&format!("position startpos{moves}"));
        self.send(go);
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

    fn start(command: &str) -> anyhow::Result<Program> {
        let words = command.split(' ').map(str::to_owned);
        Program::start(words, Duration::from_millis(50))
    }

    #[test]
    fn a_silent_program_is_not_waited_for() {
        let error = start("sleep 1000").unwrap_err();
        assert_eq!(error.to_string(), "sleep 1000 does not say ugiok");
    }

    #[test]
    fn a_program_that_never_stops_talking_is_not_waited_for() {
        let error = start("yes").unwrap_err();
        assert_eq!(error.to_string(), "yes does not say ugiok");
    }
}
