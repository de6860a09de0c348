//! Plays every level against the one below and prints the scores:
//! `cargo run --release -p parlour-lilypads-solver --example ladder`.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use std::ops::ControlFlow;

use lilypads::{Board, Lilypads};
use lilypads_solver::{
    choose_at_level,
    levels::{HIGHEST_LEVEL, Handicap, LOWEST_LEVEL},
    matches, solve,
};
use rules::{Outcome, Player, Position, Random};

/// The first boards, fair or not.
const N_BOARDS: u64 = 20;

/// On each board, half of them with either side.
const N_MATCHES: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut points = [[0; 3]; HIGHEST_LEVEL as usize];
    for number in 0..N_BOARDS {
        let board = Board::new(number);
        let solution = solve(&board, |_| ControlFlow::Continue(()))?;
        for level in LOWEST_LEVEL + 1..=HIGHEST_LEVEL {
            for seed in 0..N_MATCHES {
                let upper = Player::BOTH[(seed % 2) as usize];
                let mut random = Random::new(seed);
                let outcome = matches::play(&Lilypads::new(&board), |position| {
                    let level = if position.turn() == upper {
                        level
                    } else {
                        level - 1
                    };
                    choose_at_level(&solution, position, level, &mut random)
                });
                let index = match outcome {
                    Outcome::Win(winner) if winner == upper => 0,
                    Outcome::Draw => 1,
                    Outcome::Win(_) => 2,
                };
                points[usize::from(level) - 1][index] += 1;
            }
        }
    }
    for level in LOWEST_LEVEL + 1..=HIGHEST_LEVEL {
        let [wins, draws, losses] = points[usize::from(level) - 1];
        let score = f64::from(2 * wins + draws) / f64::from(2 * (wins + draws + losses));
        let handicap = Handicap::of_level(level);
        println!(
            "level {level} against {}: {wins} won, {draws} drawn, {losses} lost, {:.1} %  {handicap:?}",
            level - 1,
            100.0 * score,
        );
    }
    Ok(())
}
