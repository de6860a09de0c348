use std::io::Write;

use anyhow::{Context, ensure};
use catalog::AnyMatch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::PerftArgs;

/// Counts move sequences. The last line is `nodes N`.
pub(crate) fn run(args: &PerftArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let table = set_table(args)?;
    let Some(depth_after) = args.depth.checked_sub(1) else {
        writeln!(out, "nodes {}", table.perft(0))?;
        return Ok(());
    };
    let moves = table.legal_moves();
    // Shown only if standard error is a terminal.
    let progress = ProgressBar::new(moves.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} moves, {elapsed}")
            .context("the style of the progress bar")?,
    );
    let mut total: u64 = 0;
    for m in moves {
        let mut after = table.clone();
        after.explore(&m)?;
        let nodes = after.perft(depth_after);
        if args.divide {
            progress.suspend(|| writeln!(out, "{m}: {nodes}"))?;
        }
        total += nodes;
        progress.inc(1);
    }
    progress.finish_and_clear();
    writeln!(out, "nodes {total}")?;
    Ok(())
}

/// The position to count from.
fn set_table(args: &PerftArgs) -> anyhow::Result<Box<dyn AnyMatch>> {
    let game = catalog::find(&args.game)?;
    let Some(position) = &args.position else {
        return Ok(game.start(&args.setup.choices())?);
    };
    let table = game.start_from(position)?;
    for (name, value) in args.setup.choices() {
        game.check_option(name, value)?;
        let shown = table.option(name);
        let shown = shown.with_context(|| format!("the position does not show its {name}"))?;
        ensure!(
            shown == value,
            "the position is of {name} {shown}, not {value}"
        );
    }
    Ok(table)
}
