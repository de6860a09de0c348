//! Puzzles of a Lilypads board.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::HashSet, ops::ControlFlow, rc::Rc};

use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{ExactValue, Solution, pips, solve};
use miner::{
    WhyNot,
    lilypads::{Task, find},
    prove,
};
use puzzles::{Goal, Puzzle};
use rules::{Position, Random};

fn solved(number: u64) -> Rc<Solution> {
    Rc::new(solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap())
}

fn position(puzzle: &Puzzle) -> Lilypads {
    puzzle.position().parse().unwrap()
}

/// The moves of the solution.
fn line(puzzle: &Puzzle) -> Vec<Move> {
    puzzle
        .solution()
        .iter()
        .map(|m| m.parse().unwrap())
        .collect()
}

/// Properties of every puzzle.
#[track_caller]
fn check(solution: &Solution, puzzle: &Puzzle) {
    let start = position(puzzle);
    let moves = solution.moves(&start);
    assert!(moves.len() >= 8, "{puzzle}");
    assert_eq!(prove(puzzle), Ok(()), "{puzzle}");
    // Greedy play fails, except for beginners.
    let key = line(puzzle)[0];
    let gain = |m| pips::gain(solution.board(), &start, m);
    let best = moves.iter().map(|&(m, _)| gain(m)).max().unwrap();
    assert!(gain(key) < best || puzzle.grade() == 1, "{puzzle}");
}

/// Plays a win to the end, the other side with its best defences.
fn replay(solution: &Solution, puzzle: &Puzzle, random: &mut Random) {
    let mut position = position(puzzle);
    let mut left = puzzle.plies();
    while position.outcome().is_none() {
        assert_eq!(
            usize::from(solution.value(&position).unwrap().plies()),
            left
        );
        let best = solution.best_moves(&position);
        position.play(*random.pick(&best).unwrap()).unwrap();
        left -= 1;
    }
    assert_eq!(left, 0);
}

#[test]
fn wins_to_find() {
    let solution = solved(0);
    let mut random = Random::new(1);
    let task = Task::WinIn(2..=8);
    let puzzles = find(Rc::clone(&solution), &task, 100, 1);
    assert_eq!(puzzles.len(), 100);
    assert!(puzzles.is_sorted_by_key(Puzzle::grade));
    let mut grades = HashSet::new();
    for puzzle in &puzzles {
        check(&solution, puzzle);
        assert!((2..=8).contains(&puzzle.goal().turns()));
        assert_eq!(puzzle.plies(), 2 * usize::from(puzzle.goal().turns()) - 1);
        for _ in 0..5 {
            replay(&solution, puzzle, &mut random);
        }
        grades.insert(puzzle.grade());
    }
    assert_eq!(grades.len(), 5, "{grades:?}");
    // The same seed finds the same ones, another one others.
    assert_eq!(find(Rc::clone(&solution), &task, 100, 1), puzzles);
    assert_ne!(find(solution, &task, 100, 2), puzzles);
}

#[test]
fn draws_to_find() {
    let solution = solved(1);
    let puzzles = find(Rc::clone(&solution), &Task::Draw, 100, 1);
    assert_eq!(puzzles.len(), 100);
    for puzzle in &puzzles {
        check(&solution, puzzle);
        assert_eq!(puzzle.goal(), Goal::Draw);
        let after = position(puzzle).after(line(puzzle)[0]);
        assert_eq!(solution.value(&after), Some(ExactValue::Draw));
    }
}

/// Moving an irrelevant piece does not make another puzzle.
#[test]
fn no_idea_comes_twice() {
    let puzzles = find(solved(0), &Task::WinIn(2..=3), 200, 3);
    let mut ideas = HashSet::new();
    for puzzle in &puzzles {
        let own_moves: Vec<_> = line(puzzle).into_iter().step_by(2).collect();
        assert!(ideas.insert((puzzle.solver(), own_moves)), "{puzzle}");
    }
    // Two puzzles never differ only in an irrelevant piece.
    for (index, a) in puzzles.iter().enumerate() {
        for b in &puzzles[index + 1..] {
            let [x, y] = [a, b].map(position);
            let differs = |player| x.pieces(player) != y.pieces(player);
            let is_one_idle = a.solution() == b.solution()
                && x.turn() == y.turn()
                && !(differs(x.turn()) && differs(!x.turn()));
            assert!(!is_one_idle, "{a} {b}");
        }
    }
}

#[test]
fn a_task_that_a_board_does_not_have_is_given_up() {
    assert_eq!(find(solved(0), &Task::WinIn(60..=60), 1, 1), []);
}

#[test]
fn what_is_no_puzzle_is_not_proved() {
    let why_not = |text: &str| prove(&text.parse::<Puzzle>().unwrap()).unwrap_err();
    // Board 0, as the solver's documentation judges it: 8-24 wins in five plies, and
    // five other moves win later.
    let several = "lilypads 3 win:3 #0 8,12 22 first = 8-24 @27 12-23 @28 23-29";
    assert!(matches!(why_not(several), WhyNot::NotOnly(_)), "{several}");
    let late = "lilypads 3 win:4 #0 8,12 22 first = 12-24 @27 8-23 @28 23-24 28-27 24-29";
    assert!(late.parse::<Puzzle>().is_err() || prove(&late.parse().unwrap()).is_err());
    let won = "lilypads 3 draw #0 8,12 22 first = @1";
    assert!(
        matches!(why_not(won), WhyNot::NotOnly(_) | WhyNot::Wrong(_)),
        "{won}"
    );
}
