//! Puzzles and fair boards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::HashSet, ops::ControlFlow};

use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{
    Certificate, ExactValue, Puzzle, Solution,
    fair::{self, Balance},
    puzzles::{Task, find},
    solve,
};
use rules::{Outcome, Position, Random};

fn solved(number: u64) -> Solution {
    solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap()
}

/// Properties of every puzzle.
#[track_caller]
fn check(solution: &Solution, puzzle: &Puzzle) {
    let Puzzle { position, key, .. } = puzzle;
    let moves = solution.moves(position);
    assert!(moves.len() >= 8, "{position}");

    // It occurs in a match.
    let mut reached = Lilypads::new(solution.board());
    for &m in &puzzle.history {
        reached.play(m).unwrap();
    }
    assert_eq!(&reached, position);

    // One move keeps the value.
    let keeps = |(_, value): &&(Move, ExactValue)| value.is_same_result(puzzle.value);
    let keepers: Vec<_> = moves.iter().filter(keeps).map(|&(m, _)| m).collect();
    assert_eq!(keepers, [*key], "{position}");

    // Greedy play fails.
    let board = solution.board();
    let mover = position.turn();
    let gain = |m| {
        let after = position.after(m);
        after.score(board, !mover) - after.score(board, mover)
    };
    let best = moves.iter().map(|&(m, _)| gain(m)).max().unwrap();
    assert!(gain(*key) < best, "{position}");
    assert!((1..=100).contains(&puzzle.temptation), "{position}");
    assert!((1..=5).contains(&puzzle.grade()), "{position}");
    assert_eq!(puzzle.line.first(), Some(key), "{position}");
}

/// Plays a puzzle to the end, the other side with its best defences.
fn replay(solution: &Solution, puzzle: &Puzzle, random: &mut Random) {
    let ExactValue::Win(plies) = puzzle.value else {
        panic!("{} is a draw", puzzle.position);
    };
    let mut position = puzzle.position.clone();
    for left in (1..=plies).rev() {
        assert_eq!(solution.value(&position).unwrap().plies(), left);
        let best = solution.best_moves(&position);
        position.play(*random.pick(&best).unwrap()).unwrap();
    }
    assert_eq!(
        position.outcome(),
        Some(Outcome::Win(puzzle.position.turn()))
    );
}

#[test]
fn a_hundred_wins_to_find() {
    let solution = solved(0);
    let mut random = Random::new(1);
    let puzzles = find(&solution, &Task::WinIn(2..=8), 100, 1);
    assert_eq!(puzzles.len(), 100);
    assert!(puzzles.is_sorted_by_key(Puzzle::grade));
    let mut grades = HashSet::new();
    for puzzle in &puzzles {
        check(&solution, puzzle);
        assert_eq!(puzzle.value, ExactValue::Win(2 * puzzle.depth - 1));
        assert!((2..=8).contains(&puzzle.depth));
        assert_eq!(puzzle.line.len(), usize::from(puzzle.value.plies()));
        for _ in 0..5 {
            replay(&solution, puzzle, &mut random);
        }
        grades.insert(puzzle.grade());
    }
    assert!(grades.len() >= 3, "{grades:?}");
    // The same seed finds the same ones, another one others.
    assert_eq!(find(&solution, &Task::WinIn(2..=8), 100, 1), puzzles);
    assert_ne!(find(&solution, &Task::WinIn(2..=8), 100, 2), puzzles);
}

#[test]
fn a_hundred_draws_to_find() {
    let solution = solved(1);
    let puzzles = find(&solution, &Task::Draw, 100, 1);
    assert_eq!(puzzles.len(), 100);
    for puzzle in &puzzles {
        check(&solution, puzzle);
        assert_eq!(puzzle.value, ExactValue::Draw);
        // The line goes on until a repetition, and every position on it is a draw.
        let mut position = puzzle.position.clone();
        let mut seen = vec![position.clone()];
        for &m in &puzzle.line {
            position.play(m).unwrap();
            assert_eq!(solution.value(&position), Some(ExactValue::Draw));
            seen.push(position.clone());
        }
        let last = seen.pop().unwrap();
        assert!(seen.contains(&last), "{}", puzzle.position);
    }
}

/// Moving an irrelevant piece does not make another puzzle.
#[test]
fn no_idea_comes_twice() {
    let solution = solved(0);
    let puzzles = find(&solution, &Task::WinIn(2..=3), 200, 3);
    let mut ideas = HashSet::new();
    for puzzle in &puzzles {
        let own_moves: Vec<_> = puzzle.line.iter().step_by(2).copied().collect();
        assert!(
            ideas.insert((puzzle.position.turn(), own_moves)),
            "{}",
            puzzle.position
        );
    }
    // Two puzzles never differ only in an irrelevant piece.
    for (index, a) in puzzles.iter().enumerate() {
        for b in &puzzles[index + 1..] {
            let differs = |player| a.position.pieces(player) != b.position.pieces(player);
            let is_one_idle = a.key == b.key
                && a.position.turn() == b.position.turn()
                && a.line == b.line
                && !(differs(a.position.turn()) && differs(!a.position.turn()));
            assert!(!is_one_idle, "{} {}", a.position, b.position);
        }
    }
}

#[test]
fn a_fair_board_is_certified_again() {
    let (solution, certificate) = fair::find(42, |_, _| ControlFlow::Continue(())).unwrap();
    assert!(certificate.is_fair());
    assert_eq!(certificate.number, 45);
    assert_eq!(certificate, Certificate::new(&solved(45)));
    assert_eq!(solution.board().number(), 45);
    assert_eq!(certificate.first_begins, ExactValue::Draw);
    assert_eq!(certificate.second_begins, ExactValue::Draw);
    // The boards before it are not fair.
    for number in 42..45 {
        let is_even = Balance::of(&Board::new(number)).is_even();
        assert!(
            !is_even || !Certificate::new(&solved(number)).is_fair(),
            "{number}"
        );
    }
}

#[test]
fn balance_counts_draws_as_half() {
    let even = |first, draws, second| {
        Balance {
            first,
            draws,
            second,
        }
        .is_even()
    };
    assert!(even(200, 0, 200));
    assert!(even(0, 400, 0));
    assert!(even(220, 0, 180));
    assert!(!even(221, 0, 179));
    assert!(even(200, 40, 160));
    assert!(!even(201, 39, 160));
}
