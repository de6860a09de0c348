use std::{collections::HashSet, io::Write, rc::Rc};

use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use lilypads::{Board, Lilypads};
use miner::{
    Mining,
    lilypads::{Task, find},
};
use puzzles::{Goal, Puzzle};
use rules::Game;

use crate::{args::PuzzlesArgs, solve::solve_with_bar};

/// Finds puzzles and prints a line for each.
pub(crate) fn run(args: &PuzzlesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let is_lilypads = args.game == Lilypads::NAME;
    let flags = [
        ("--board", args.board.is_some()),
        ("--win-in", args.win_in.is_some()),
        ("--draw", args.draw),
    ];
    for (flag, _) in flags.into_iter().filter(|&(_, is_set)| is_set) {
        ensure!(
            is_lilypads,
            "{} has no {flag}; expected lilypads",
            args.game
        );
    }
    match args.board {
        Some(board) => find_on_board(args, board, out),
        None => find_by_seeds(args, out),
    }
}

/// The task that was asked for.
fn task(args: &PuzzlesArgs) -> Option<Task> {
    let win = || args.win_in.clone().map(Task::WinIn);
    args.draw.then_some(Task::Draw).or_else(win)
}

/// Prints the puzzles of a board, the easiest first.
fn find_on_board(args: &PuzzlesArgs, board: u64, out: &mut impl Write) -> anyhow::Result<()> {
    let solution = Rc::new(solve_with_bar(&Board::new(board))?);
    let task = task(args).unwrap_or(Task::WinIn(2..=8));
    for puzzle in find(solution, &task, args.count as usize, args.seed) {
        print(&puzzle, args.json, out)?;
    }
    Ok(())
}

/// Prints the puzzles of the seeds from the given one on, as they are found.
fn find_by_seeds(args: &PuzzlesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let progress = progress_bar(args.count)?;
    let task = task(args);
    let mut seen = HashSet::new();
    let mut seed = args.seed;
    while seen.len() < args.count as usize {
        let mining = match &task {
            Some(task) => Mining::lilypads(seed, task.clone()),
            None => Mining::new(&args.game, seed).context("every game has puzzles")?,
        };
        // A task that is not found is too rare to try the next seed.
        let Some(puzzle) = mining.run() else {
            break;
        };
        if seen.insert(puzzle.id()) {
            progress.suspend(|| print(&puzzle, args.json, out))?;
            progress.inc(1);
        }
        seed = seed.wrapping_add(1);
    }
    progress.finish_and_clear();
    Ok(())
}

/// Shown only if standard error is a terminal.
fn progress_bar(count: u32) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} puzzles, {elapsed}")
        .context("the style of the progress bar")?;
    Ok(ProgressBar::new(count.into()).with_style(style))
}

fn print(puzzle: &Puzzle, is_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    if is_json {
        writeln!(out, "{}", puzzle.to_json())?;
    } else {
        writeln!(
            out,
            "{}: {} with {}, grade {}",
            puzzle.position(),
            describe(puzzle.goal()),
            puzzle.solution().join(" "),
            puzzle.grade()
        )?;
    }
    Ok(())
}

fn describe(goal: Goal) -> String {
    match goal {
        Goal::Win { turns } => format!("win in {turns}"),
        Goal::Draw => "draw".to_owned(),
        Goal::Lead { pieces } => format!("lead by {pieces}"),
        Goal::Capture { stones, turns } => format!("capture {stones} in {turns}"),
        Goal::Save => "save all stones".to_owned(),
        Goal::Fort { points, turns } => format!("make a fort of {points} in {turns}"),
    }
}
