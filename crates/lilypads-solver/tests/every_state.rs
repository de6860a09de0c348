//! Every state of whole boards, derived anew from the states that the rules lead
//! to.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use lilypads::{Board, Circle, CircleSet, Lilypads, N_PIECES};
use lilypads_solver::{Solution, Value, solve};
use rules::{ByPlayer, Player, Position};

/// Checks that the value of every position follows from those of its moves.
fn check(number: u64) {
    let board = Board::new(number);
    let solution = solve(&board, |_| ControlFlow::Continue(())).unwrap();
    let starts = Player::BOTH.map(|player| board.graph().start(player));
    let circles: Vec<_> = Circle::all()
        .filter(|circle| !starts.contains(circle))
        .collect();
    let arrangements = subsets(&circles, N_PIECES);
    let mut n_states = 0;
    let mut moves = Vec::new();
    for &first in &arrangements {
        for &second in &arrangements {
            if !(first & second).is_empty() {
                continue;
            }
            for turn in Player::BOTH {
                let pieces = ByPlayer { first, second };
                let position = Lilypads::with_pieces(&board, pieces, turn).unwrap();
                moves.clear();
                position.legal_moves_into(&mut moves);
                let values = moves
                    .iter()
                    .map(|&m| seen_before(&solution, &position.after(m)));
                let best = values.max().unwrap();
                assert_eq!(solution.value(&position), Some(best), "{position}");
                n_states += 1;
            }
        }
    }
    assert_eq!(n_states, 19_629_654);
    assert_eq!(solution.table().n_states(), n_states);
}

/// The value of a move that led to `position`.
fn seen_before(solution: &Solution, position: &Lilypads) -> Value {
    match solution.value(position).unwrap() {
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Draw => Value::Draw,
        Value::Loss(plies) => Value::Win(plies + 1),
    }
}

fn subsets(circles: &[Circle], most: usize) -> Vec<CircleSet> {
    let [circle, rest @ ..] = circles else {
        return vec![CircleSet::EMPTY];
    };
    let mut sets = subsets(rest, most);
    if most > 0 {
        let with = subsets(rest, most - 1).into_iter();
        sets.extend(with.map(|set| set | (*circle).into()));
    }
    sets
}

#[test]
fn board_0_holds_together() {
    check(0);
}

/// A board with a win in 203 plies.
#[test]
fn board_4_holds_together() {
    check(4);
}
