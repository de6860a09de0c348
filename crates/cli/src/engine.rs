//! The Universal Game Interface, on any pair of streams.

use std::{
    io::{self, BufRead, Read, Write},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use engine::{Engine, Flow, Job, Timer};

use crate::{args::EngineArgs, clock};

/// A longer line is refused unread: a match of tens of thousands of moves is
/// shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// Answers line by line until `quit` or the end of the input. Thinking goes on
/// beside it, so that `stop` is heard.
pub(crate) fn run(
    args: &EngineArgs,
    mut input: impl BufRead,
    out: impl Write + Send + 'static,
) -> anyhow::Result<()> {
    let mut engine = Engine::new(catalog::find(&args.game)?, clock::now)?;
    let out = Arc::new(Mutex::new(out));
    let mut thinking: Option<Thinking> = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        // With room for the line break.
        let mut start = input.by_ref().take(LONGEST_LINE + 1);
        let n_read = start.read_until(b'\n', &mut line)?;
        if thinking.as_ref().is_some_and(Thinking::is_done) {
            thinking.take().map_or(Ok(()), Thinking::join)?;
            engine.stopped();
        }
        if n_read == 0 {
            // The input is at its end, but the answer is not.
            return thinking
                .map_or(Ok(()), Thinking::finish)
                .map_err(Into::into);
        }
        let mut reply = Vec::new();
        let flow = if n_read as u64 > LONGEST_LINE && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            writeln!(
                reply,
                "info error expected at most {LONGEST_LINE} letters in a line"
            )?;
            Flow::GoOn
        } else {
            // Letters that are none can't be part of a command, and get an
            // answer like any other mistake.
            engine.answer(&String::from_utf8_lossy(&line), &mut reply)?
        };
        {
            let mut out = out.lock().expect("writing does not panic");
            out.write_all(&reply)?;
            out.flush()?;
        }
        match flow {
            Flow::GoOn => {}
            Flow::Think(job) => thinking = Some(Thinking::start(job, Arc::clone(&out))),
            Flow::Stop => {
                thinking.take().map_or(Ok(()), Thinking::stop)?;
                engine.stopped();
            }
            Flow::Quit => return thinking.map_or(Ok(()), Thinking::stop).map_err(Into::into),
        }
    }
}

/// A search that goes on while lines are read.
struct Thinking {
    timer: Arc<Timer>,
    is_endless: bool,
    /// Set before the answer goes out, so that whoever has read it is not told
    /// that the engine is still thinking.
    has_answered: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<()>>,
}

impl Thinking {
    fn start(job: Job, out: Arc<Mutex<impl Write + Send + 'static>>) -> Self {
        let timer = Arc::clone(job.timer());
        let is_endless = job.is_endless();
        let has_answered = Arc::new(AtomicBool::new(false));
        let answered = Arc::clone(&has_answered);
        let thread = thread::spawn(move || {
            job.run(&mut |line| {
                if line.starts_with("bestmove") {
                    answered.store(true, Ordering::Release);
                }
                let mut out = out.lock().expect("writing does not panic");
                writeln!(out, "{line}")?;
                out.flush()
            })
        });
        Self {
            timer,
            is_endless,
            has_answered,
            thread,
        }
    }

    fn is_done(&self) -> bool {
        self.has_answered.load(Ordering::Acquire) || self.thread.is_finished()
    }

    /// Waits for an answer that comes by itself, and asks for one that does not.
    fn finish(self) -> io::Result<()> {
        if self.is_endless {
            self.timer.stop();
        }
        self.join()
    }

    fn stop(self) -> io::Result<()> {
        self.timer.stop();
        self.join()
    }

    fn join(self) -> io::Result<()> {
        self.thread.join().expect("thinking does not panic")
    }
}
