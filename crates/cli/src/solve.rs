use std::{io::Write, ops::ControlFlow, time::Instant};

use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{Solution, SolverProgress, check, solve};
use rules::Position;
use serde_json::{Map, json};

use crate::args::SolveArgs;

/// Solves a board of Lilypads and prints the value of a position.
pub(crate) fn run(args: &SolveArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let board = Board::new(args.number);
    let position = match &args.position {
        Some(text) => text.parse()?,
        None => Lilypads::new(&board),
    };
    ensure!(
        position.number() == args.number,
        "the position is of board {}, expected {}",
        position.number(),
        args.number
    );
    let clock = Instant::now();
    let solution = solve_with_bar(&board)?;
    let seconds = clock.elapsed().as_secs_f64();
    let n_checked = args.check.then(|| check::every_state(&solution));
    let n_checked = n_checked.transpose()?;
    if args.json {
        print_json(&solution, &position, seconds, n_checked, out)
    } else {
        print_text(&solution, &position, seconds, n_checked, out)
    }
}

fn print_json(
    solution: &Solution,
    position: &Lilypads,
    seconds: f64,
    n_checked: Option<usize>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let value = solution
        .value(position)
        .context("a position of the board")?;
    let moves = solution.moves(position).into_iter();
    let moves: Map<_, _> = moves
        .map(|(m, value)| (m.to_string(), json!([value.name(), value.plies()])))
        .collect();
    let mut answer = json!({
        "value": value.name(),
        "plies": value.plies(),
        "moves": moves,
        "states": solution.tablebase().n_states(),
        "seconds": (seconds * 1000.0).round() / 1000.0,
    });
    if let (Some(n), Some(answer)) = (n_checked, answer.as_object_mut()) {
        answer.insert("checked".to_owned(), n.into());
    }
    writeln!(out, "{answer}")?;
    Ok(())
}

fn print_text(
    solution: &Solution,
    position: &Lilypads,
    seconds: f64,
    n_checked: Option<usize>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let value = solution
        .value(position)
        .context("a position of the board")?;
    writeln!(out, "{position}: {value} for {}", position.turn())?;
    for (m, value) in solution.moves(position) {
        writeln!(out, "  {m:<6} {value}")?;
    }
    writeln!(out, "best {}", words(&solution.best_moves(position)))?;
    writeln!(out, "line {}", words(&solution.line(position)))?;
    let counts = solution.tablebase().count();
    writeln!(
        out,
        "board {}: {} states, {} won, {} drawn, {} lost by who is to move; longest win {} plies; \
         {seconds:.2} s",
        solution.board().number(),
        solution.tablebase().n_states(),
        counts.wins,
        counts.draws,
        counts.losses,
        solution.tablebase().deepest(),
    )?;
    if let Some(n) = n_checked {
        writeln!(out, "checked: {n} states follow from their moves")?;
    }
    Ok(())
}

/// Moves separated by spaces, `-` if there are none.
fn words(moves: &[Move]) -> String {
    if moves.is_empty() {
        return "-".to_owned();
    }
    let words: Vec<_> = moves.iter().map(Move::to_string).collect();
    words.join(" ")
}

/// Solves a board with a progress bar.
pub(crate) fn solve_with_bar(board: &Board) -> anyhow::Result<Solution> {
    let progress = solving_bar()?;
    progress.set_message(format!("board {}", board.number()));
    let solution = solve(board, |solved| show(&progress, solved))?;
    progress.finish_and_clear();
    Ok(solution)
}

/// Shown only if standard error is a terminal.
pub(crate) fn solving_bar() -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:30} {percent} % decided, {msg}, {elapsed}")
        .context("the style of the progress bar")?;
    Ok(ProgressBar::new(1).with_style(style))
}

/// Updates the bar.
pub(crate) fn show(progress: &ProgressBar, solved: SolverProgress) -> ControlFlow<()> {
    progress.set_length(solved.n_states as u64);
    progress.set_position(solved.n_decided as u64);
    ControlFlow::Continue(())
}
