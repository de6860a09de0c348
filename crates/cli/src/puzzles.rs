use std::io::Write;

use anyhow::ensure;
use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{
    ExactValue, Puzzle,
    puzzles::{Task, find},
};
use rules::Game;
use serde_json::json;

use crate::{args::PuzzlesArgs, solve::solve_with_bar};

/// Finds puzzles on a board, the easiest first.
pub(crate) fn run(args: &PuzzlesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    ensure!(
        args.game == Lilypads::NAME,
        "{} has no puzzles; expected lilypads",
        args.game
    );
    let solution = solve_with_bar(&Board::new(args.board))?;
    let task = if args.draw {
        Task::Draw
    } else {
        Task::WinIn(args.win_in.clone())
    };
    let puzzles = find(&solution, &task, args.count as usize, args.seed);
    if args.json {
        let puzzles: Vec<_> = puzzles.iter().map(puzzle_json).collect();
        writeln!(
            out,
            "{}",
            json!({ "board": args.board, "puzzles": puzzles })
        )?;
        return Ok(());
    }
    for puzzle in &puzzles {
        let task = match puzzle.value {
            ExactValue::Draw => "draw".to_owned(),
            _ => format!("win in {}", puzzle.depth),
        };
        writeln!(
            out,
            "{}: {task} with {}, grade {}",
            puzzle.position,
            puzzle.key,
            puzzle.grade()
        )?;
    }
    Ok(())
}

fn puzzle_json(puzzle: &Puzzle) -> serde_json::Value {
    let texts = |moves: &[Move]| -> Vec<_> { moves.iter().map(Move::to_string).collect() };
    json!({
        "position": puzzle.position.to_string(),
        "task": puzzle.value.name(),
        "depth": puzzle.depth,
        "key": puzzle.key.to_string(),
        "grade": puzzle.grade(),
        "temptation": puzzle.temptation,
        "line": texts(&puzzle.line),
        "history": texts(&puzzle.history),
    })
}
