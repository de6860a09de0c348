//! Tablebases, progress, stopping, and invalid ponds.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use lilypads::{Board, Lilypads};
use lilypads_solver::{Certificate, ExactValue, MOST_CIRCLES, Pond, Solution, Unsolved, solve};
use rules::{ByPlayer, Player, Position, Random};

fn solved(number: u64) -> Solution {
    solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap()
}

/// The same file is compared with the tablebases made by WebAssembly.
#[test]
fn tables_never_change() {
    let tables = include_str!("tables.txt");
    let mut lines = tables.lines();
    for number in 0..2 {
        let hash = solved(number).tablebase().hash();
        assert_eq!(lines.next(), Some(&*format!("{number} {hash:016x}")));
    }
}

/// `cargo xtask boards` writes the report.
#[test]
fn the_report_on_boards_is_true() {
    let report = include_str!("../../../docs/lilypads-boards.md");
    let certificate = Certificate::new(&solved(5));
    let mut lines = report.lines();
    let line = lines.find(|line| line.starts_with("| 5 |") && line.ends_with("` |"));
    let cells: Vec<_> = line.unwrap().split('|').map(str::trim).collect();
    let share = format!("{} %", certificate.balance.first_share());
    let hash = format!("`{:016x}`", certificate.hash);
    let deepest = certificate.deepest.to_string();
    let expected = [
        "", "5", "5", "draw", "draw", &deepest, &share, "yes", &hash, "",
    ];
    assert_eq!(cells, expected);
    assert!(certificate.is_fair());
}

#[test]
fn progress_is_reported_until_the_end() {
    let mut told = Vec::new();
    let solution = solve(&Board::new(1), |progress| {
        told.push(progress);
        ControlFlow::Continue(())
    });
    let table = solution.unwrap().tablebase().clone();
    let counts = table.count();
    let plies: Vec<_> = told.iter().map(|progress| progress.plies).collect();
    let expected: Vec<_> = (1..=table.deepest()).collect();
    assert_eq!(plies, expected);
    assert!(told.is_sorted_by_key(|progress| progress.n_decided));
    let last = told.last().unwrap();
    assert_eq!(last.n_decided as u64, counts.wins + counts.losses);
    assert_eq!(last.n_states, table.n_states());
}

#[test]
fn it_stops_when_asked() {
    let mut n_calls = 0;
    let unsolved = solve(&Board::new(1), |_| {
        n_calls += 1;
        if n_calls < 3 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert_eq!(unsolved.unwrap_err(), Unsolved::Stopped);
    assert_eq!(n_calls, 3);
}

#[test]
fn a_solution_may_go_to_another_thread() {
    fn is_send<T: Send + Sync>(_: &T) {}
    is_send(&solved(0));
}

#[test]
fn another_boards_positions_are_not_judged() {
    let solution = solved(0);
    let position = Lilypads::new(&Board::new(1));
    assert_eq!(solution.value(&position), None);
    assert_eq!(solution.moves(&position), []);
    assert_eq!(solution.best_moves(&position), []);
    assert_eq!(solution.line(&position), []);
}

#[test]
fn a_match_that_is_over_is_lost() {
    let solution = solved(0);
    let start = solution.board().graph().start(Player::Second);
    let over: Lilypads = format!("#0 {start} - second").parse().unwrap();
    assert_eq!(solution.value(&over), Some(ExactValue::Loss(0)));
    assert_eq!(solution.moves(&over), []);
}

#[test]
fn invalid_ponds_are_rejected() {
    let near = |first, second| ByPlayer { first, second };
    assert!(Pond::new(vec![0b10, 0b01], near(0b01, 0b10)).is_some());
    // An edge that is not symmetric, one to itself, one to no circle.
    assert_eq!(Pond::new(vec![0b10, 0], near(0b01, 0b10)), None);
    assert_eq!(Pond::new(vec![0b01, 0], near(0b01, 0b10)), None);
    assert_eq!(Pond::new(vec![0b100, 0], near(0b01, 0b10)), None);
    assert_eq!(Pond::new(vec![0, 0], near(0b01, 0b100)), None);
    assert_eq!(Pond::new(vec![0; MOST_CIRCLES + 1], near(1, 1)), None);
}

/// A plain search without a table: whether `position` is won within `plies`.
fn proves_win(position: &Lilypads, plies: u16) -> bool {
    plies > 0
        && position.legal_moves().into_iter().any(|m| {
            let after = position.after(m);
            after.outcome().is_some() || proves_loss(&after, plies - 1)
        })
}

fn proves_loss(position: &Lilypads, plies: u16) -> bool {
    plies > 0
        && position.legal_moves().into_iter().all(|m| {
            let after = position.after(m);
            after.outcome().is_none() && proves_win(&after, plies - 1)
        })
}

#[test]
fn what_a_search_proves_is_what_the_table_says() {
    const DEPTH: u16 = 5;
    let solution = solved(2);
    let mut random = Random::new(1);
    let mut n_proven = 0;
    for _ in 0..60 {
        let mut position = Lilypads::new(solution.board());
        for _ in 0..40 {
            let m = *random.pick(&position.legal_moves()).unwrap();
            if position.after(m).outcome().is_none() {
                position.play(m).unwrap();
            }
        }
        let value = solution.value(&position).unwrap();
        for plies in 1..=DEPTH {
            let is_won = matches!(value, ExactValue::Win(distance) if distance <= plies);
            assert_eq!(proves_win(&position, plies), is_won, "{position} {value}");
        }
        let is_lost = matches!(value, ExactValue::Loss(distance) if distance <= 4);
        assert_eq!(proves_loss(&position, 4), is_lost, "{position} {value}");
        n_proven += usize::from(is_lost || value.plies() % 2 == 1 && value.plies() <= DEPTH);
    }
    assert!(n_proven > 20, "{n_proven}");
}
