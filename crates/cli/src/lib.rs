//! The `parlour` command: plays, measures and serves the games.
//!
//! Every command writes to standard output; on bad input it writes one line to
//! standard error and exits with status 2.

mod analyze;
mod args;
mod bench;
mod board;
mod bot;
mod clock;
mod engine;
mod load;
mod open_files;
mod perft;
mod program;
mod puzzles;
mod serve;
mod setup_args;
mod solve;
mod tournament;
mod web;

use std::{ffi::OsString, io, io::Write, process::ExitCode};

use args::{Args, Command};
use clap::Parser;

/// The exit status for bad input.
const BAD_INPUT: u8 = 2;

/// Runs the command with the given arguments, the program's name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(e) => return report_usage(&e),
    };
    let command = args
        .command
        .unwrap_or_else(|| Command::Web(args::WebArgs::default()));
    match execute(command) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(e) if is_broken_pipe(&e) => ExitCode::SUCCESS,
        Err(e) => {
            complain(&format!("{e:#}"));
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn execute(command: Command) -> anyhow::Result<()> {
    let out = &mut io::stdout();
    match command {
        Command::Web(args) => web::run(&args, &mut io::stdout().lock()),
        Command::Serve(args) => serve::run(&args, &mut io::stdout().lock()),
        Command::Load(args) => load::run(&args, out),
        Command::Bot(args) => bot::run(&args, out),
        Command::Engine(args) => engine::run(&args, io::BufReader::new(io::stdin()), out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Board(args) => board::run(&args, out),
        Command::Match(args) => tournament::run(&args, out),
        Command::Solve(args) => solve::run(&args, out),
        Command::Puzzles(args) => puzzles::run(&args, out),
        Command::Analyze(args) => analyze::run(&args, out),
        Command::Bench => bench::run(out),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Help is printed in full; an error as one line.
fn report_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Standard output may be closed.
        error.print().ok();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    // The first paragraph says what is wrong, in one line or as a list.
    let problem: Vec<_> = lines
        .iter()
        .take_while(|line| !line.is_empty())
        .copied()
        .collect();
    let problem = problem.join(" ");
    let problem = problem.strip_prefix("error: ").unwrap_or(&problem);
    complain(&format!("{problem} (see parlour --help)"));
    ExitCode::from(BAD_INPUT)
}

fn complain(problem: &str) {
    let line = problem.replace('\n', " ");
    // Standard error may be closed.
    writeln!(io::stderr(), "parlour: {line}").ok();
}
