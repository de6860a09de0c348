//! Proves puzzles, independently of how they were found.
//!
//! This is plain minimax over all moves of both players, as far as the goal says, or for
//! Lilypads a lookup in the tablebase.

use std::{cell::RefCell, ops::ControlFlow, rc::Rc};

use lilypads::{Board, Lilypads};
use lilypads_solver::{ExactValue, Solution, solve};
use nonaga::Nonaga;
use puzzles::{Goal, Puzzle, Puzzling};
use rules::{Game, Player, Position};
use simply_go::SimplyGo;
use takeover::Takeover;

/// Why a puzzle is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WhyNot {
    /// The puzzle is of a game that has no proofs.
    #[error("{0} has no proofs")]
    Game(&'static str),
    /// The position or a move can't be read; no [`Puzzle`] has any such.
    #[error("{0} can't be read")]
    Text(String),
    /// There is nothing to choose.
    #[error("the position has only one legal move")]
    NoChoice,
    /// A move of the solution does not achieve the goal.
    #[error("{0} does not achieve the goal")]
    Wrong(String),
    /// Another move achieves the goal as well.
    #[error("{0} achieves the goal as well")]
    NotOnly(String),
    /// The goal can be achieved in fewer turns.
    #[error("the goal can be achieved in fewer turns")]
    Sooner,
}

/// Proves that the solution of `puzzle` achieves its goal, that no other first move does,
/// and that up to the last turn no other move of the solver does.
///
/// # Errors
///
/// Returns [`WhyNot`] if that is not so.
pub fn prove(puzzle: &Puzzle) -> Result<(), WhyNot> {
    match puzzle.game() {
        Lilypads::NAME => prove_by_table(puzzle),
        Nonaga::NAME => prove_by_search::<Nonaga>(puzzle),
        Takeover::NAME => prove_by_search::<Takeover>(puzzle),
        SimplyGo::NAME => prove_by_search::<SimplyGo>(puzzle),
        other => Err(WhyNot::Game(other)),
    }
}

fn read<T: std::str::FromStr>(text: &str) -> Result<T, WhyNot> {
    text.parse().map_err(|_| WhyNot::Text(text.to_owned()))
}

/// Checks that the listed move of the solution is the only good one.
fn check_only<P: Position>(
    position: &P,
    listed: P::Move,
    is_good: impl Fn(P::Move) -> bool,
) -> Result<(), WhyNot> {
    if !is_good(listed) {
        return Err(WhyNot::Wrong(listed.to_string()));
    }
    let mut others = position.legal_moves().into_iter().filter(|&m| m != listed);
    match others.find(|&m| is_good(m)) {
        Some(other) => Err(WhyNot::NotOnly(other.to_string())),
        None => Ok(()),
    }
}

/// The goal of a puzzle, and where it was set.
struct Question<'a, G> {
    start: &'a G,
    goal: Goal,
    solver: Player,
}

fn prove_by_search<G: Puzzling>(puzzle: &Puzzle) -> Result<(), WhyNot> {
    let start: G = read(puzzle.position())?;
    let goal = puzzle.goal();
    let question = Question {
        start: &start,
        goal,
        solver: start.turn(),
    };
    if start.n_legal_moves() < 2 {
        return Err(WhyNot::NoChoice);
    }
    let mut n_turns = goal.turns();
    if n_turns > 1 && question.solver_has_a_way(&start, n_turns - 1) {
        return Err(WhyNot::Sooner);
    }
    let mut position = start.clone();
    for text in puzzle.solution() {
        let m = read(text)?;
        let mover = position.turn();
        // In the last turn, if it is not the first, any way will do.
        let is_decision = mover == question.solver && (n_turns > 1 || goal.turns() == 1);
        if is_decision {
            check_only(&position, m, |m| {
                question.solver_achieves(&position.after(m), n_turns)
            })?;
        }
        position.play(m).map_err(|e| WhyNot::Wrong(e.to_string()))?;
        let is_turn_over = mover == question.solver && position.turn() != mover;
        n_turns -= u8::from(is_turn_over && n_turns > 1);
    }
    // Goals that hold were checked against every reply.
    if goal.has_to_hold() || position.fulfills(&start, goal) {
        Ok(())
    } else {
        Err(WhyNot::Wrong(puzzle.solution().join(" ")))
    }
}

impl<G: Puzzling> Question<'_, G> {
    /// Whether the solver, to move and with so many turns including this one, achieves
    /// the goal.
    fn solver_has_a_way(&self, position: &G, n_turns: u8) -> bool {
        if n_turns == 1 && !position.may_still_win() {
            return false;
        }
        let moves = position.legal_moves();
        moves
            .iter()
            .any(|&m| self.solver_achieves(&position.after(m), n_turns))
    }

    /// Whether the goal is achieved by a move of the solver that led to `next`.
    fn solver_achieves(&self, next: &G, n_turns: u8) -> bool {
        let is_over = next.outcome().is_some();
        if self.goal.has_to_hold() {
            let replies = next.legal_moves();
            let holds = |&m: &G::Move| next.after(m).fulfills(self.start, self.goal);
            return if is_over {
                next.fulfills(self.start, self.goal)
            } else {
                replies.iter().all(holds)
            };
        }
        if next.fulfills(self.start, self.goal) || is_over {
            return next.fulfills(self.start, self.goal);
        }
        if next.turn() == self.solver {
            self.solver_has_a_way(next, n_turns)
        } else {
            n_turns > 1 && self.all_replies_fail(next, n_turns - 1)
        }
    }

    /// Whether the solver, with so many turns left, achieves the goal against every
    /// continuation of the opponent's turn.
    fn all_replies_fail(&self, position: &G, n_turns: u8) -> bool {
        let moves = position.legal_moves();
        moves.iter().all(|&m| {
            let next = position.after(m);
            if next.fulfills(self.start, self.goal) || next.outcome().is_some() {
                next.fulfills(self.start, self.goal)
            } else if next.turn() == self.solver {
                self.solver_has_a_way(&next, n_turns)
            } else {
                self.all_replies_fail(&next, n_turns)
            }
        })
    }
}

thread_local! {
    /// The last board that was solved: puzzles of one board come together.
    static SOLVED: RefCell<Option<Rc<Solution>>> = const { RefCell::new(None) };
}

/// The solution of a board; `None` in the unheard-of case that distances do not fit.
fn solution(number: u64) -> Option<Rc<Solution>> {
    let is_it = |solution: &Rc<Solution>| solution.board().number() == number;
    let known = SOLVED.with_borrow(|last| last.clone().filter(is_it));
    if known.is_some() {
        return known;
    }
    // The old one is dropped first, for its memory.
    SOLVED.set(None);
    let solution = solve(&Board::new(number), |_| ControlFlow::Continue(()));
    let solution = solution.ok().map(Rc::new);
    SOLVED.set(solution.clone());
    solution
}

fn prove_by_table(puzzle: &Puzzle) -> Result<(), WhyNot> {
    let start: Lilypads = read(puzzle.position())?;
    let solution = solution(start.number()).ok_or(WhyNot::Game(Lilypads::NAME))?;
    let value = |position: &Lilypads| solution.value(position).unwrap_or(ExactValue::Draw);
    let moves = solution.moves(&start);
    if moves.len() < 2 {
        return Err(WhyNot::NoChoice);
    }
    let after = |position: &Lilypads, m| value(&position.after(m)).one_ply_earlier();
    let Goal::Win { turns } = puzzle.goal() else {
        let key = read(&puzzle.solution()[0])?;
        return check_only(&start, key, |m| {
            !matches!(after(&start, m), ExactValue::Loss(_))
        })
        .and_then(|()| match value(&start) {
            ExactValue::Draw => Ok(()),
            _ => Err(WhyNot::Wrong(puzzle.solution()[0].clone())),
        });
    };
    let mut left = 2 * u16::from(turns) - 1;
    if value(&start).plies() < left {
        return Err(WhyNot::Sooner);
    }
    let mut position = start.clone();
    for (index, text) in puzzle.solution().iter().enumerate() {
        let m = read(text)?;
        let is_win =
            |m, within| matches!(after(&position, m), ExactValue::Win(plies) if plies <= within);
        // No other first move wins at all; later ones have to be in time.
        match index {
            0 if !is_win(m, left) => return Err(WhyNot::Wrong(text.clone())),
            0 => check_only(&position, m, |m| is_win(m, u16::MAX))?,
            _ if index % 2 == 0 && left > 1 => check_only(&position, m, |m| is_win(m, left))?,
            _ => {}
        }
        position.play(m).map_err(|e| WhyNot::Wrong(e.to_string()))?;
        left = left.saturating_sub(1);
    }
    if position.fulfills(&start, puzzle.goal()) {
        Ok(())
    } else {
        Err(WhyNot::Wrong(puzzle.solution().join(" ")))
    }
}
