//! `cargo xtask`: everything a newcomer or the continuous integration runs.

mod browser;
mod check;
mod circumstances;
mod fuzz;
mod ladder;
mod run;
mod solver;
mod wasm;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  play          builds the page, serves it and opens the browser
  web           builds the page and target/release/parlour, which serves it
  test          all checks: format, lints, docs, the page in a browser, fuzz, tests
  browser       plays all games in Chromium, which it installs where it may
  figures       measures the page in Chromium and writes docs/page-figures.md
  card          draws the picture that links to the page are shown with
  bench         speeds, beside those of other libraries for Ataxx
  ladder [GAME] plays the ladder of opponents and writes docs/strength.md
  fuzz SECONDS  runs every fuzz target for so long
  boards        writes docs/lilypads-boards.md, the report on 200 solved boards
  solver        what takes longer than a test: every state of ten boards derived
                anew, and eight boards solved in WebAssembly, with figures
  wasm          builds the games for the browser; PARLOUR_WASM=rustup or
                PARLOUR_WASM=debian forces one of the two ways to a compiler
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["test"] => check::test(),
        ["bench"] => run::cargo(&["bench", "--package", "parlour-benches"]).check(),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::run(seconds),
            Err(_) => Err(anyhow::anyhow!(
                "expected a number of seconds, found {seconds}"
            )),
        },
        ["play"] => web::play(),
        ["web"] => web::build(),
        ["browser"] => browser::test(),
        ["figures"] => browser::measure(),
        ["card"] => browser::draw_card(),
        ["ladder", ref games @ ..] => ladder::run(games),
        ["boards"] => solver::report_boards(),
        ["solver"] => solver::check_states(10).and_then(|()| solver::compare_wasm(8)),
        ["wasm"] => wasm::build().map(drop),
        ["--help" | "-h" | "help"] => {
            run::say(HELP);
            Ok(())
        }
        _ => Err(anyhow::anyhow!(
            "expected play, web, test, browser, figures, card, bench, ladder, boards, solver, fuzz SECONDS or wasm; \
             cargo xtask --help tells more"
        )),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            run::say(&format!("xtask: {e:#}"));
            ExitCode::FAILURE
        }
    }
}
