//! The Universal Game Interface on any pair of streams.

use std::{
    io::{BufRead, Read, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, SyncSender, TryRecvError},
    },
    thread,
};

use engine::Engine;
use search::Slice;

use crate::{args::EngineArgs, clock};

/// Longer lines are rejected unread; a match of tens of thousands of moves is
/// shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// The number of lines read ahead.
const MOST_LINES: usize = 100;

/// Answers line by line until `quit` or the end of the input.
///
/// Lines are read in a thread of their own. One that arrives ends the current slice
/// of thinking, so that it is answered at once.
pub(crate) fn run(
    args: &EngineArgs,
    input: impl BufRead + Send + 'static,
    mut out: impl Write,
) -> anyhow::Result<()> {
    let mut engine = Engine::new(catalog::find(&args.game)?, clock::now)?;
    if let Some(clock) = clock::PROCESS {
        engine = engine.with_cpu_clock(clock);
    }
    let mut lines = Lines::read(input);
    while !engine.has_quit() {
        let said = match lines.next(&engine) {
            Next::Line(line) => engine.answer(&line),
            Next::TooLong => vec![format!(
                "info error expected at most {LONGEST_LINE} letters in a line"
            )],
            Next::Nothing => engine.step(Slice {
                nodes: u64::MAX,
                is_over: &|| lines.has_arrived(),
            }),
            Next::End if engine.owes_answer() => {
                // The input has ended, but there is still an answer to come.
                let mut said = engine.close();
                while said.is_empty() && engine.owes_answer() {
                    said = engine.step(Slice::WHOLE);
                }
                said
            }
            Next::End => return Ok(()),
        };
        for line in &said {
            writeln!(out, "{line}")?;
        }
        if !said.is_empty() {
            out.flush()?;
        }
    }
    Ok(())
}

/// Lines as they arrive.
struct Lines {
    lines: Receiver<Next>,
    /// Set whenever a line arrives.
    has_arrived: Arc<AtomicBool>,
}

/// What to do next.
enum Next {
    /// Answer a line.
    Line(String),
    /// Reject a line.
    TooLong,
    /// Continue the current work.
    Nothing,
    /// Exit.
    End,
}

impl Lines {
    fn read(mut input: impl BufRead + Send + 'static) -> Self {
        let (sender, lines) = mpsc::sync_channel(MOST_LINES);
        let has_arrived = Arc::new(AtomicBool::new(false));
        let arrived = Arc::clone(&has_arrived);
        thread::spawn(move || {
            // A read error ends the input.
            while let Ok(next) = read_line(&mut input) {
                let is_last = matches!(next, Next::End);
                send(&sender, next, &arrived);
                if is_last {
                    return;
                }
            }
            send(&sender, Next::End, &arrived);
        });
        Self { lines, has_arrived }
    }

    fn has_arrived(&self) -> bool {
        self.has_arrived.load(Ordering::Acquire)
    }

    /// The next line; waits for it if there is no work.
    fn next(&mut self, engine: &Engine) -> Next {
        // Reset before looking, so that a line that arrives after it is noticed.
        self.has_arrived.store(false, Ordering::Release);
        if engine.has_work() {
            match self.lines.try_recv() {
                Ok(next) => next,
                Err(TryRecvError::Empty) => Next::Nothing,
                Err(TryRecvError::Disconnected) => Next::End,
            }
        } else {
            self.lines.recv().unwrap_or(Next::End)
        }
    }
}

fn send(lines: &SyncSender<Next>, next: Next, has_arrived: &AtomicBool) {
    // The receiver may be gone.
    lines.send(next).ok();
    has_arrived.store(true, Ordering::Release);
}

/// Reads a line, at most its first mebibyte into memory.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Next> {
    let mut line = Vec::new();
    // With room for the line break.
    let mut start = input.by_ref().take(LONGEST_LINE + 1);
    let n_read = start.read_until(b'\n', &mut line)?;
    if n_read == 0 {
        return Ok(Next::End);
    }
    if n_read as u64 > LONGEST_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Next::TooLong);
    }
    // Invalid UTF-8 can't be part of a command, and gets an error like any other
    // mistake.
    Ok(Next::Line(String::from_utf8_lossy(&line).into_owned()))
}
