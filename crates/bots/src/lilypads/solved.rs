//! A cache of solved boards and of a board being solved.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{
    ExactValue, Solution, Solver, SolverStep, choose_at_level, is_third_occurrence,
    levels::HIGHEST_LEVEL, perfect,
};
use rules::{Position, Random};
use search::{Line, Report, Value};

use crate::{Level, Solving};

/// So many of the best lines are followed to their ends; of the others the first move is
/// all that anybody asks for.
const MOST_FOLLOWED: usize = 5;

/// A solution takes 27 MB, so only those of the matches in progress are kept.
const MOST_KEPT: usize = 2;

/// Solutions by board number.
static KEPT: Mutex<VecDeque<(u64, Arc<Solution>)>> = Mutex::new(VecDeque::new());

/// The solver used last, resumed if its board is wanted again. It takes 100 MB, so
/// there is only one.
static LEFT: Mutex<Option<(u64, Box<Solver>)>> = Mutex::new(None);

/// Locks a mutex, ignoring poisoning: nothing is locked while a board is being
/// solved, so a panic leaves no half-done state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(number: u64, solution: Arc<Solution>) {
    let mut kept = lock(&KEPT);
    kept.retain(|(known, _)| *known != number);
    kept.truncate(MOST_KEPT - 1);
    kept.push_front((number, solution));
}

/// Keeps the solution of a board for the opponents, which would have to solve it otherwise.
pub fn keep_solution(solution: Solution) {
    keep(solution.board().number(), Arc::new(solution));
}

/// A board being solved, or solved.
pub(super) struct BoardSolving {
    number: u64,
    state: State,
}

enum State {
    Solving(Box<Solver>),
    /// `None` in the unheard-of case that distances do not fit.
    Solved(Option<Arc<Solution>>),
}

impl BoardSolving {
    pub(super) fn new(number: u64) -> Self {
        let known = lock(&KEPT)
            .iter()
            .find(|(known, _)| *known == number)
            .map(|(_, solution)| Arc::clone(solution));
        let state = match known {
            Some(solution) => State::Solved(Some(solution)),
            None => {
                // The solver of another board is dropped at once, for its memory.
                let left = lock(&LEFT).take().filter(|(left, _)| *left == number);
                let new = || Box::new(Solver::new(&Board::new(number)));
                State::Solving(left.map_or_else(new, |(_, solver)| solver))
            }
        };
        Self { number, state }
    }

    fn solution(&self) -> Option<&Solution> {
        match &self.state {
            State::Solved(solution) => solution.as_deref(),
            State::Solving(_) => None,
        }
    }
}

impl Drop for BoardSolving {
    fn drop(&mut self) {
        let state = std::mem::replace(&mut self.state, State::Solved(None));
        if let State::Solving(solver) = state {
            *lock(&LEFT) = Some((self.number, solver));
        }
    }
}

impl Solving<Lilypads> for BoardSolving {
    fn is_done(&self) -> bool {
        matches!(self.state, State::Solved(_))
    }

    fn step(&mut self) {
        let State::Solving(solver) = &mut self.state else {
            return;
        };
        match solver.step() {
            Ok(SolverStep::Working(_)) => {}
            Ok(SolverStep::Solved(solution)) => {
                let solution: Arc<Solution> = Arc::from(solution);
                keep(self.number, Arc::clone(&solution));
                self.state = State::Solved(Some(solution));
            }
            Err(_) => self.state = State::Solved(None),
        }
    }

    fn report(&self, position: &Lilypads, played: &[u64], n_lines: usize) -> Option<Report<Move>> {
        Some(report(self.solution()?, position, played, n_lines))
    }

    fn choose(
        &self,
        position: &Lilypads,
        played: &[u64],
        level: Option<Level>,
        random: &mut Random,
    ) -> Option<Move> {
        let solution = self.solution()?;
        let repeats = |m| is_third_occurrence(&position.after(m), played);
        let is_perfect = level.is_none_or(|level| level.number() == HIGHEST_LEVEL);
        match level {
            Some(level) if !(is_perfect && position.legal_moves().into_iter().any(repeats)) => {
                choose_at_level(solution, position, level.number(), random)
            }
            _ => perfect::choose_in_match(solution, position, played, random),
        }
    }
}

/// The solution of a position as a search report. Only the first move of a line can end the match
/// by repetition: what follows is play by the table, which has no history.
fn report(
    solution: &Solution,
    position: &Lilypads,
    played: &[u64],
    n_lines: usize,
) -> Report<Move> {
    let repeats = |m| is_third_occurrence(&position.after(m), played);
    let lines = if n_lines > 1 || position.legal_moves().into_iter().any(repeats) {
        let mut moves = solution.moves_in_match(position, played);
        // Moves of the same value stay in their order.
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        let line = |(index, (m, value))| {
            let mut moves = vec![m];
            if index < MOST_FOLLOWED && !repeats(m) {
                moves.extend(solution.line(&position.after(m)));
            }
            Line {
                value: search_value(value),
                moves,
            }
        };
        let moves = moves.into_iter().take(n_lines);
        moves.enumerate().map(line).collect()
    } else {
        let value = solution.value(position);
        vec![Line {
            value: value.map_or(Value::DRAW, search_value),
            moves: solution.line(position),
        }]
    };
    Report {
        depth: lines
            .first()
            .map_or(0, |line: &Line<Move>| line.moves.len()) as u32,
        nodes: 1,
        lines,
        effort: Vec::new(),
    }
}

fn search_value(value: ExactValue) -> Value {
    match value {
        ExactValue::Win(plies) => Value::win_in(u32::from(plies)),
        ExactValue::Loss(plies) => Value::loss_in(u32::from(plies)),
        ExactValue::Draw => Value::DRAW,
    }
}
