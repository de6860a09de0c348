use std::{io, io::Read, io::Write, path::Path};

use anyhow::Context;
use bots::lilypads::keep_solution;
use catalog::AnyMatch;
use engine::{Judge, main_end};
use indicatif::{ProgressBar, ProgressStyle};
use lilypads::{Board, Lilypads};
use rules::{ByPlayer, Game, Player};
use serde_json::{Value as Json, json};
use study::{Accuracy, Evaluation, JudgedMove, Review, accuracy, is_exact, turning_points};

use crate::{args::AnalyzeArgs, solve::solve_with_bar};

/// The largest file that can be a record.
const MOST_BYTES: u64 = 10_000_000;

/// How many turning points are named.
const N_TURNING_POINTS: usize = 3;

/// `parlour analyze`. `docs/analysis.md` documents its output.
pub(crate) fn run(args: &AnalyzeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let record = read(&args.file)?;
    if record.game() == Lilypads::NAME {
        let position: Lilypads = record.position().parse()?;
        keep_solution(solve_with_bar(&Board::new(position.number()))?);
    }
    let review = judge(&*record, args.nodes)?;
    let moves = review.moves(&*record);
    let accuracy = accuracy(&moves, is_exact(record.game()));
    if args.json {
        let answer = json!({
            "game": record.game(),
            "moves": moves.iter().map(move_json).collect::<Vec<_>>(),
            "accuracy": {
                "first": accuracy.first.map(|accuracy| accuracy.percent),
                "second": accuracy.second.map(|accuracy| accuracy.percent),
            },
        });
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    print_text(&*record, &moves, &accuracy, out)
}

/// Reads a record's file, a link, or a URL with one.
fn read(path: &Path) -> anyhow::Result<Box<dyn AnyMatch>> {
    let mut text = String::new();
    let name = path.display();
    if path == Path::new("-") {
        let input = io::stdin().take(MOST_BYTES);
        let mut input = input;
        input.read_to_string(&mut text)
    } else {
        let file = std::fs::File::open(path).with_context(|| format!("{name}"))?;
        file.take(MOST_BYTES).read_to_string(&mut text)
    }
    .with_context(|| format!("{name}"))?;
    catalog::read_shared(&text).with_context(|| format!("{name} is no record of a match"))
}

/// Judges all positions, with a progress bar if standard error is a terminal.
fn judge(record: &dyn AnyMatch, n_nodes: u64) -> anyhow::Result<Review> {
    let mut review = Review::new(record, main_end(record), n_nodes);
    let mut judge = Judge::new(record.game())?;
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} positions, {elapsed}")
        .context("the style of the progress bar")?;
    let bar = ProgressBar::new(review.nodes().len() as u64).with_style(style);
    bar.set_position(review.n_judged() as u64);
    while judge.review_next(&mut review, record) {
        bar.set_position(review.n_judged() as u64);
    }
    bar.finish_and_clear();
    anyhow::ensure!(review.is_done(), "the engine has no answer for a position");
    Ok(review)
}

fn move_json(m: &JudgedMove) -> Json {
    json!({
        "m": m.text,
        "player": m.player.to_string(),
        "before": evaluation_json(m.before),
        "after": evaluation_json(m.after),
        "best": m.best,
        "class": m.class.name(),
    })
}

fn evaluation_json(evaluation: Evaluation) -> Json {
    match evaluation {
        Evaluation::Win(plies) => json!({ "result": "win", "plies": plies }),
        Evaluation::Draw => json!({ "result": "draw", "plies": 0 }),
        Evaluation::Loss(plies) => json!({ "result": "loss", "plies": plies }),
        Evaluation::Score { score, depth } => json!({ "score": score, "depth": depth }),
    }
}

fn print_text(
    record: &dyn AnyMatch,
    moves: &[JudgedMove],
    accuracy: &ByPlayer<Option<Accuracy>>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for m in moves {
        write!(
            out,
            "{:>4} {:<6} {:<12} {:<10} {} to {}",
            m.ply + 1,
            m.player.to_string(),
            m.text,
            m.class.name(),
            words(m.before),
            words(m.after),
        )?;
        let lost = m.plies_lost();
        if lost > 0 {
            write!(out, ", {lost} plies lost")?;
        }
        if m.class.is_slip() {
            write!(out, "; better {}", m.best.join(" "))?;
        }
        writeln!(out)?;
    }
    for player in Player::BOTH {
        if let Some(accuracy) = accuracy[player] {
            writeln!(
                out,
                "{player}: {:.1} %, {} of {} moves kept the value",
                accuracy.percent, accuracy.n_kept, accuracy.n_moves
            )?;
        }
    }
    let points = turning_points(moves, N_TURNING_POINTS);
    let points: Vec<_> = points
        .iter()
        .map(|m| format!("{} {}", m.ply + 1, m.text))
        .collect();
    if !points.is_empty() {
        writeln!(
            out,
            "{}: turning points {}",
            record.game(),
            points.join(", ")
        )?;
    }
    Ok(())
}

fn words(evaluation: Evaluation) -> String {
    match evaluation {
        Evaluation::Win(plies) => format!("win in {plies}"),
        Evaluation::Draw => "draw".to_owned(),
        Evaluation::Loss(plies) => format!("loss in {plies}"),
        Evaluation::Score { score, depth } => {
            format!("{:+.2} (depth {depth})", f64::from(score) / 100.0)
        }
    }
}
