use lilypads::Board;

use crate::{
    Pond, Solution, SolverProgress, Unsolved,
    passages::Passages,
    retrograde::{Part, Retrograde},
    tablebase::FAR_FROM,
};

/// Solves a board step by step.
///
/// ```
/// use lilypads::Board;
/// use lilypads_solver::{Solver, SolverStep};
///
/// let mut solver = Solver::new(&Board::new(0));
/// let solution = loop {
///     // Something else may be done here.
///     if let SolverStep::Solved(solution) = solver.step()? {
///         break solution;
///     }
/// };
/// assert_eq!(solution.board().number(), 0);
/// # Ok::<(), lilypads_solver::Unsolved>(())
/// ```
pub struct Solver {
    board: Board,
    work: Work,
}

/// The result of a [step](Solver::step).
#[derive(Clone, Debug)]
pub enum SolverStep {
    /// There is more to do. Reports the progress after every ply.
    Working(Option<SolverProgress>),
    /// The board is solved.
    Solved(Box<Solution>),
}

enum Work {
    Begun,
    LaidOut(Box<Passages>),
    Solving(Box<Retrograde>),
    Done,
}

impl Solver {
    /// A solver that has not started yet.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self {
            board: board.clone(),
            work: Work::Begun,
        }
    }

    /// Runs a part of the work, a few milliseconds of about a thousand parts.
    ///
    /// # Errors
    ///
    /// Returns [`Unsolved`] if distances do not fit, and after the solution was
    /// returned.
    pub fn step(&mut self) -> Result<SolverStep, Unsolved> {
        self.work = match std::mem::replace(&mut self.work, Work::Done) {
            Work::Begun => {
                let pond = Pond::of_graph(self.board.graph());
                Work::LaidOut(Box::new(Passages::new(&pond)))
            }
            Work::LaidOut(passages) => {
                Work::Solving(Box::new(Retrograde::new(*passages, FAR_FROM)))
            }
            Work::Solving(mut retrograde) => match retrograde.step()? {
                Part::Last => {
                    let table = retrograde.into_tablebase();
                    let solution = Solution::new(self.board.clone(), table);
                    return Ok(SolverStep::Solved(Box::new(solution)));
                }
                part => {
                    self.work = Work::Solving(retrograde);
                    let progress = match part {
                        Part::Ply(progress) => Some(progress),
                        Part::Some | Part::Last => None,
                    };
                    return Ok(SolverStep::Working(progress));
                }
            },
            Work::Done => return Err(Unsolved::Stopped),
        };
        Ok(SolverStep::Working(None))
    }
}
