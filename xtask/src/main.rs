//! `cargo xtask`: everything a newcomer or the continuous integration runs.

mod args;
mod browser;
mod busy;
mod check;
mod circumstances;
mod fair;
mod fuzz;
mod install;
mod ladder;
mod play;
mod puzzles;
mod run;
mod searches;
mod soak;
mod solver;
mod wasm;
mod watch;
mod web;

use std::process::ExitCode;

use crate::{
    args::{Command, UsageError},
    wasm::Profile,
};

const HELP: &str = "\
cargo xtask COMMAND

  play [--watch] [--port N] [--no-open]
                builds the page for development, serves it and opens the browser;
                with --watch it is built and loaded again after every change
  web [--single-file]
                builds the page with all optimizations, as it is shipped, tested and
                measured, and target/release/parlour, which serves it; or the page
                as one file that needs no server, target/parlour.html
  test [--skip PART]...
                all checks: format, lints, docs, dependencies, the shipped page in a
                browser, solver and searches in WebAssembly, tests. It installs the
                tools it needs and fails without them. PART is format, lints, page-lints,
                docs, dependencies, browser, audit, solver or services
  browser       plays all games in Chromium, which it installs where it may
  figures       measures the page in Chromium and writes docs/page-figures.md
  card          draws the picture that links to the page are shown with
  icons         draws the icons of the installed page
  bench         speeds, beside those of other libraries for Ataxx
  speed         repeats searches natively and in WebAssembly, compares them and writes
                docs/wasm-figures.md
  busy          lets engines play on a machine with four busy processes, and writes
                docs/busy-figures.md
  ladder [GAME]... [--lower] [--with PROGRAM] [--balanced SCORE]
                plays the ladder of opponents and writes docs/strength.md; with
                --lower the rows of the engine and of level 10 are kept, --with
                takes a parlour that was built before, and --balanced keeps openings
                that are even by so much, as in parlour match
  fuzz SECONDS  runs every fuzz target for so long; needs rustup's nightly
                toolchain, and installs cargo-fuzz
  boards        writes docs/lilypads-boards.md, the report on 200 solved boards
  fair GAME [OPTION]...
                plays the engine against itself and writes docs/fairness.md; for
                takeover, also the list of fair boards; --again MATCHES adds a round on
                those that were selected. For the others --openings N selects fair
                openings instead. OPTION as in tune fair
  puzzles [GAME]... | --check
                writes crates/puzzles/files, the puzzles that are shipped; or proves
                all of them and 1,000 new ones a game, finds some in WebAssembly and
                writes the result into docs/puzzles.md
  soak [PART]...
                online play at full size, all of it or PART: load, hostile, log, network,
                sqlite, postgres or nodes; writes docs/online-figures.md
  solver        what takes longer than a test: every state of ten boards derived
                anew, and eight boards solved in WebAssembly, with figures
  wasm          builds the page's programs only; PARLOUR_WASM=rustup or
                PARLOUR_WASM=debian forces one of the two ways to a compiler
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args::parse(&args) {
        Ok(command) => run(command),
        Err(UsageError(text)) => {
            run::say(&format!(
                "xtask: {text}; cargo xtask help shows all commands"
            ));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            run::say(&format!("xtask: {e:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Play(args) => play::play(args),
        Command::Web => web::build(),
        Command::SingleFile => web::build_single_file(),
        Command::Test(skipped) => check::test(&skipped),
        Command::Browser => browser::test(true),
        Command::Figures => browser::measure(),
        Command::Card => browser::draw_card(),
        Command::Icons => browser::draw_icons(),
        Command::Bench => run::cargo(&["bench", "--package", "parlour-benches"]).check(),
        Command::Speed => searches::measure(),
        Command::Busy => busy::run(),
        Command::Spin => busy::spin(),
        Command::Ladder(games) => {
            let games: Vec<&str> = games.iter().map(String::as_str).collect();
            ladder::run(&games)
        }
        Command::Fuzz { seconds } => fuzz::run(seconds),
        Command::Boards => solver::report_boards(),
        Command::Fair(args) => {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            fair::measure(&args)
        }
        Command::Puzzles(games) => puzzles::write(&games),
        Command::CheckPuzzles => puzzles::check(1_000),
        Command::Soak(parts) => soak::run(&parts),
        Command::Solver => solver::check_states(10).and_then(|()| solver::compare_wasm(8)),
        Command::Wasm => wasm::build(Profile::Release).map(drop),
        Command::Help => {
            run::say(HELP);
            Ok(())
        }
    }
}
