//! The Universal Game Interface, on any pair of streams.

mod command;
mod state;

use std::io::{BufRead, Read, Write};

pub use self::state::{Engine, Flow};
use crate::args::EngineArgs;

/// A longer line is refused unread: a match of tens of thousands of moves is
/// shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// Answers line by line until `quit` or the end of the input.
pub(crate) fn run(
    args: &EngineArgs,
    mut input: impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut engine = Engine::new(catalog::find(&args.game)?)?;
    let mut line = Vec::new();
    loop {
        line.clear();
        // With room for the line break.
        let mut start = input.by_ref().take(LONGEST_LINE + 1);
        let n_read = start.read_until(b'\n', &mut line)?;
        if n_read == 0 {
            return Ok(());
        }
        if n_read as u64 > LONGEST_LINE && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            writeln!(
                out,
                "info error expected at most {LONGEST_LINE} letters in a line"
            )?;
            out.flush()?;
            continue;
        }
        // Letters that are none can't be part of a command, and get an answer
        // like any other mistake.
        let flow = engine.answer(&String::from_utf8_lossy(&line), out)?;
        out.flush()?;
        if flow == Flow::Quit {
            return Ok(());
        }
    }
}
