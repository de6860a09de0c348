//! Boards that were solved lately.

use std::{
    collections::VecDeque,
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
};

use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{Solution, solve};
use search::{Line, Report, Stop, Value};

/// A solution takes 27 MB, so few are kept: those of the matches being played.
const MOST_KEPT: usize = 2;

static KEPT: Mutex<VecDeque<(u64, Arc<Solution>)>> = Mutex::new(VecDeque::new());

/// The solution of the board with the given number, which takes half a second the
/// first time. `None` if somebody said stop.
pub(super) fn solution(number: u64, stop: &dyn Stop) -> Option<Arc<Solution>> {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept().iter().find(|(known, _)| *known == number).cloned();
    if let Some((_, solution)) = known {
        return Some(solution);
    }
    let watch = |_| {
        if stop.is_told() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    // Nothing is locked meanwhile, so that others can go on.
    let solution = Arc::new(solve(&Board::new(number), watch).ok()?);
    let mut kept = kept();
    kept.truncate(MOST_KEPT - 1);
    kept.push_front((number, Arc::clone(&solution)));
    Some(solution)
}

/// What the solution tells of a position, as if it had been searched.
pub(super) fn report(solution: &Solution, position: &Lilypads) -> Report<Move> {
    let value = match solution.value(position) {
        Some(lilypads_solver::Value::Win(plies)) => Value::win_in(u32::from(plies)),
        Some(lilypads_solver::Value::Loss(plies)) => Value::loss_in(u32::from(plies)),
        Some(lilypads_solver::Value::Draw) | None => Value::DRAW,
    };
    let moves = solution.line(position);
    Report {
        depth: moves.len() as u32,
        nodes: 1,
        lines: vec![Line { value, moves }],
        effort: Vec::new(),
    }
}
