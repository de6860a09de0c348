//! Solves boards 0 to 199 and reports on them in Markdown: `cargo xtask boards`
//! writes the report to `docs/lilypads-boards.md`.

#![allow(clippy::print_stdout, reason = "it prints a report")]

use std::{collections::BTreeMap, ops::ControlFlow};

use lilypads::Board;
use lilypads_solver::{Certificate, Counts, ExactValue, solve};
use rules::{ByPlayer, Player};

const N_BOARDS: u64 = 200;

struct Row {
    steps: u8,
    certificate: Certificate,
    counts: Counts,
}

impl Row {
    fn new(number: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let board = Board::new(number);
        let solution = solve(&board, |_| ControlFlow::Continue(()))?;
        Ok(Self {
            steps: board.pips(Player::First, board.graph().start(Player::First)),
            certificate: Certificate::new(&solution),
            counts: solution.tablebase().count(),
        })
    }

    /// Who wins if `beginner` begins, and in how many plies.
    fn winner(&self, beginner: Player) -> Option<(Player, u16)> {
        let value = match beginner {
            Player::First => self.certificate.first_begins,
            Player::Second => self.certificate.second_begins,
        };
        match value {
            ExactValue::Win(plies) => Some((beginner, plies)),
            ExactValue::Draw => None,
            ExactValue::Loss(plies) => Some((!beginner, plies)),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows: Vec<Row> = (0..N_BOARDS).map(Row::new).collect::<Result<_, _>>()?;
    println!("# Lilypads: boards 0 to {}, solved", N_BOARDS - 1);
    println!();
    println!("Written by `cargo xtask boards`, which solves them all.");
    println!("[lilypads-solver.md](lilypads-solver.md) explains the method and the terms.");
    println!();
    print_winners(&rows);
    print_by_steps(&rows);
    print_figures(&rows);
    print_rows(&rows);
    Ok(())
}

/// How many of the rows are drawn, won by First and won by Second.
fn tally<'a>(rows: impl IntoIterator<Item = &'a Row>, beginner: Player) -> (u32, ByPlayer<u32>) {
    let mut draws = 0;
    let mut wins = ByPlayer::default();
    for row in rows {
        match row.winner(beginner) {
            None => draws += 1,
            Some((winner, _)) => wins[winner] += 1,
        }
    }
    (draws, wins)
}

fn print_winners(rows: &[Row]) {
    println!("## Who wins");
    println!();
    println!("| who begins | draws | First wins | Second wins |");
    println!("|---|---|---|---|");
    for (name, beginner) in [
        ("First, as in a match", Player::First),
        ("Second", Player::Second),
    ] {
        let (draws, wins) = tally(rows, beginner);
        println!("| {name} | {draws} | {} | {} |", wins.first, wins.second);
    }
    println!();
    let is_drawn = |row: &&Row| Player::BOTH.iter().all(|&p| row.winner(p).is_none());
    println!(
        "- Draw whoever begins: {}.",
        rows.iter().filter(is_drawn).count()
    );
    let fair = rows.iter().filter(|row| row.certificate.is_fair()).count();
    println!("- Fair, that is, nearly even between average players as well: {fair}.");
    println!();
}

fn print_by_steps(rows: &[Row]) {
    println!("## By the steps between the starts, First begins");
    println!();
    println!("| steps | boards | draws | First wins | Second wins |");
    println!("|---|---|---|---|---|");
    let mut by_steps: BTreeMap<u8, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_steps.entry(row.steps).or_default().push(row);
    }
    for (steps, rows) in by_steps {
        let n = rows.len();
        let (draws, wins) = tally(rows, Player::First);
        println!(
            "| {steps} | {n} | {draws} | {} | {} |",
            wins.first, wins.second
        );
    }
    println!();
}

fn print_figures(rows: &[Row]) {
    println!("## Lengths and counts");
    println!();
    let mut deepest: Vec<_> = rows.iter().map(|row| row.certificate.deepest).collect();
    deepest.sort_unstable();
    let quarter = |n: usize| deepest[(deepest.len() - 1) * n / 4];
    println!(
        "- The longest win on a board takes {} to {} plies; quartiles {}, {}, {}.",
        quarter(0),
        quarter(4),
        quarter(1),
        quarter(2),
        quarter(3)
    );
    let mut plies: Vec<_> = rows
        .iter()
        .filter_map(|row| row.winner(Player::First))
        .map(|(_, plies)| plies)
        .collect();
    plies.sort_unstable();
    println!(
        "- Plies to the end where the first position is decided: {}.",
        list(&plies)
    );
    let share = |count: fn(&Counts) -> u64| {
        let total: u64 = rows.iter().map(|row| count(&row.counts)).sum();
        let all = |counts: &Counts| counts.wins + counts.draws + counts.losses;
        let states: u64 = rows.iter().map(|row| all(&row.counts)).sum();
        (total * 1000 / states) as f64 / 10.0
    };
    println!(
        "- Of all positions, the player to move wins {:.1} %, draws {:.1} % and loses {:.1} %.",
        share(|counts| counts.wins),
        share(|counts| counts.draws),
        share(|counts| counts.losses)
    );
    println!();
}

fn list(plies: &[u16]) -> String {
    let texts: Vec<_> = plies.iter().map(u16::to_string).collect();
    if texts.is_empty() {
        "none".to_owned()
    } else {
        texts.join(", ")
    }
}

fn print_rows(rows: &[Row]) {
    println!("## Every board");
    println!();
    println!(
        "| board | steps | First begins | Second begins | longest win | average players: First's share | fair | table |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in rows {
        let certificate = &row.certificate;
        let result = |beginner| match row.winner(beginner) {
            None => "draw".to_owned(),
            Some((Player::First, plies)) => format!("First in {plies}"),
            Some((Player::Second, plies)) => format!("Second in {plies}"),
        };
        println!(
            "| {} | {} | {} | {} | {} | {} % | {} | `{:016x}` |",
            certificate.number,
            row.steps,
            result(Player::First),
            result(Player::Second),
            certificate.deepest,
            certificate.balance.first_share(),
            if certificate.is_fair() { "yes" } else { "" },
            certificate.hash,
        );
    }
}
