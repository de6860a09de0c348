use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};

use crate::clock::TimeKind;

/// The time limit for answers that need no thinking, and the tolerance for those
/// that do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// A program whose own time is measured is waited for this many times as long as that, at
/// most: the machine may be busy, but the program may also be asleep.
const MOST_WAITING: u32 = 20;

/// Longer lines are truncated.
const LONGEST_LINE: u64 = 1 << 16;

/// The number of lines read ahead.
const MOST_LINES: usize = 1_000;

/// The protocol of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protocol {
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Ataxx Interface.
    Uai,
}

/// A program that speaks UGI, or UAI.
#[derive(Debug)]
pub(crate) struct Program {
    command: String,
    protocol: Protocol,
    child: Child,
    input: ChildStdin,
    /// Its output, line by line. It is read in a thread, so that timeouts work.
    lines: Receiver<String>,
    patience: Duration,
    /// What counts as its time.
    time_kind: TimeKind,
    /// Whether it can measure its own time like that.
    has_clock: bool,
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
            protocol: Protocol::Ugi,
            child,
            input,
            lines,
            patience,
            time_kind: TimeKind::Wall,
            has_clock: false,
        };
        program.greet()?;
        Ok(program)
    }

    /// Asks for UGI, and for UAI if that is not understood: then the answer to `isready` is
    /// the first one.
    fn greet(&mut self) -> anyhow::Result<()> {
        self.send("ugi");
        self.send("isready");
        let deadline = Instant::now() + self.patience;
        let answer = loop {
            match self.next_line(deadline, &["option", "ugiok", "readyok"]) {
                Ok(line) if line.starts_with("option") => {
                    self.has_clock |= line.starts_with("option name Clock type combo")
                        && line.split_whitespace().any(|word| word == "cpu");
                }
                answer => break answer,
            }
        };
        match answer {
            Ok(line) if line.starts_with("ugiok") => {
                self.wait_for("readyok", self.patience)?;
                return Ok(());
            }
            Err(RecvTimeoutError::Disconnected) => bail!("{} ended without ugiok", self.command),
            Ok(_) | Err(RecvTimeoutError::Timeout) => self.send("uai"),
        }
        let deadline = Instant::now() + self.patience;
        if self.next_line(deadline, &["uaiok"]).is_err() {
            bail!("{} does not say ugiok or uaiok", self.command);
        }
        self.protocol = Protocol::Uai;
        Ok(())
    }

    /// Measures its time like this from now on, and lets it do the same if it can.
    pub(crate) fn set_time_kind(&mut self, kind: TimeKind) {
        self.time_kind = kind;
        if self.has_clock {
            self.send(&format!("setoption name Clock value {}", kind.name()));
        }
    }

    /// Its time since some fixed moment; `None` if it has ended.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time_kind.of_process(self.child.id())
    }

    /// Starts a new match with the given options.
    pub(crate) fn new_game(&mut self, choices: &[(String, String)]) -> anyhow::Result<()> {
        match self.protocol {
            Protocol::Ugi => {
                for (name, value) in choices {
                    let (first, rest) = name.split_at(1);
                    let name = first.to_ascii_uppercase() + rest;
                    self.send(&format!("setoption name {name} value {value}"));
                }
                self.send("uginewgame");
            }
            Protocol::Uai => {
                let is_ataxx = |(name, value): &(String, String)| {
                    matches!((&**name, &**value), ("variant", "ataxx") | ("board", "0"))
                };
                let has_variant = choices.iter().any(|(name, _)| name == "variant");
                ensure!(
                    has_variant && choices.iter().all(is_ataxx),
                    "{} speaks UAI, which knows Ataxx only; expected --variant ataxx and no board",
                    self.command
                );
                self.send("uainewgame");
            }
        }
        self.send("isready");
        self.wait_for("readyok", self.patience)?;
        Ok(())
    }

    /// The program's move after `moves`, in answer to the command `go`. It has to be there
    /// within `longest`.
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
        match self.protocol {
            Protocol::Ugi => self.send(go),
            Protocol::Uai => self.send(&in_uai(go)),
        }
        let line = self.wait_for("bestmove", longest)?;
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
        let started = self.time();
        let mut deadline = start + longest;
        loop {
            match self.next_line(deadline, &[word, "info"]) {
                Ok(line) if line.starts_with("info error") => {
                    bail!("{} answers: {}", self.command, line.trim())
                }
                Ok(line) if line.starts_with("info") => {}
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {
                    let may_wait = start.elapsed() < longest.saturating_mul(MOST_WAITING);
                    match self.time_left(started, longest).filter(|_| may_wait) {
                        Some(left) => deadline = Instant::now() + left,
                        None => bail!("{} does not say {word}", self.command),
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("{} ended without {word}", self.command)
                }
            }
        }
    }

    /// What is left of `longest` since its time was `started`, when the wall clock says that
    /// nothing is.
    fn time_left(&self, started: Option<Duration>, longest: Duration) -> Option<Duration> {
        if self.time_kind == TimeKind::Wall {
            return None;
        }
        let used = self.time()?.saturating_sub(started?);
        longest.checked_sub(used).filter(|left| !left.is_zero())
    }

    /// The next line that starts with one of `words`.
    fn next_line(&self, deadline: Instant, words: &[&str]) -> Result<String, RecvTimeoutError> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(RecvTimeoutError::Timeout);
            }
            let line = self.lines.recv_timeout(left)?;
            let first = line.split_whitespace().next();
            if first.is_some_and(|first| words.contains(&first)) {
                return Ok(line);
            }
        }
    }
}

/// The command `go` with the clocks of both players, all in milliseconds.
pub(crate) fn go_by_clocks(first: u64, second: u64, increment: u64) -> String {
    format!("go p1time {first} p2time {second} p1inc {increment} p2inc {increment}")
}

/// The command `go` in the words of UAI, where the first player is Black.
fn in_uai(go: &str) -> String {
    let words = go.split(' ').map(|word| match word {
        "p1time" => "btime",
        "p2time" => "wtime",
        "p1inc" => "binc",
        "p2inc" => "winc",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
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

    use super::{Program, go_by_clocks, in_uai};

    fn start(command: &str) -> anyhow::Result<Program> {
        let words = command.split(' ').map(str::to_owned);
        Program::start(words, Duration::from_millis(50))
    }

    #[test]
    fn a_silent_program_is_not_waited_for() {
        let error = start("sleep 1000").unwrap_err();
        assert_eq!(error.to_string(), "sleep 1000 does not say ugiok or uaiok");
    }

    #[test]
    fn clocks_have_other_names_in_uai() {
        let go = go_by_clocks(1_000, 2_000, 10);
        assert_eq!(go, "go p1time 1000 p2time 2000 p1inc 10 p2inc 10");
        assert_eq!(in_uai(&go), "go btime 1000 wtime 2000 binc 10 winc 10");
        assert_eq!(in_uai("go movetime 50"), "go movetime 50");
    }

    #[test]
    fn a_program_that_never_stops_talking_is_not_waited_for() {
        let error = start("yes").unwrap_err();
        assert_eq!(error.to_string(), "yes does not say ugiok or uaiok");
    }
}
