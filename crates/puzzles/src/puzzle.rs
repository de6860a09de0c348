use std::{fmt, str::FromStr};

use catalog::{AnyMatch, CatalogError};
use rules::{Player, mix, parse_decimal};

use crate::{
    Goal, ParseGoalError,
    games::{self, AnyPuzzling},
};

/// The highest grade; the lowest is 1.
pub const TOP_GRADE: u8 = 5;

/// A position, what the player to move has to achieve in it, and how.
///
/// Its moves are legal and its solution achieves the goal against the replies listed in
/// it. That no other move does is a matter of proof, which is not done here.
///
/// The text form is one line: game, grade, goal, position, `=`, and the solution with
/// the replies.
///
/// ```
/// use puzzles::Puzzle;
///
/// let text = "takeover 1 win:1 1xxooo/xxxxo-/xxxx-o/oox-oo/oo--oo/oxxxxx x 0 27 = a6";
/// let puzzle: Puzzle = text.parse()?;
/// assert_eq!(puzzle.to_string(), text);
/// assert_eq!((puzzle.goal().turns(), puzzle.plies(), puzzle.grade()), (1, 1, 1));
/// assert!(text.replace("a6", "a5").parse::<Puzzle>().is_err());
/// # Ok::<(), puzzles::PuzzleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    game: &'static str,
    position: String,
    goal: Goal,
    solution: Vec<String>,
    grade: u8,
    solver: Player,
}

/// Identifies a puzzle, whatever file it is in: a hash of its game, position and goal.
/// Written as eight hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PuzzleId(pub(crate) u32);

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// Error for a puzzle that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleError {
    /// The text has another form.
    #[error("expected a puzzle: game, grade, goal, position, = and the solution")]
    Form,
    /// There is no such grade.
    #[error("expected a grade from 1 to {TOP_GRADE}")]
    Grade,
    /// The goal can't be parsed.
    #[error(transparent)]
    Goal(#[from] ParseGoalError),
    /// The game has no such goal.
    #[error("{game} has no goal {goal}; expected {expected}")]
    OtherGoal {
        /// The game.
        game: &'static str,
        /// The goal.
        goal: Goal,
        /// The names of its goals.
        expected: String,
    },
    /// The game, the position or a move is not valid.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The position has another text.
    #[error("expected the position as {0}")]
    Position(String),
    /// The solution has too many or too few turns, or does not end with the solver.
    #[error("expected a solution of {expected} turns by {solver}, found {found}")]
    Turns {
        /// The turns of the goal.
        expected: u8,
        /// Who solves it.
        solver: Player,
        /// The turns of the solution.
        found: usize,
    },
    /// The solution does not lead to the goal.
    #[error("the solution does not lead to {0}")]
    Unfulfilled(Goal),
}

impl Puzzle {
    /// A puzzle with these parts.
    ///
    /// # Errors
    ///
    /// Returns [`PuzzleError`] if one of them is not valid, or the solution does not lead
    /// to the goal.
    pub fn new(
        game: &str,
        position: &str,
        goal: Goal,
        solution: Vec<String>,
        grade: u8,
    ) -> Result<Self, PuzzleError> {
        let entry = catalog::find(game)?;
        let (game, puzzling) = known(entry.name())?;
        if !(1..=TOP_GRADE).contains(&grade) {
            return Err(PuzzleError::Grade);
        }
        if !puzzling.goals().contains(&goal.name()) {
            return Err(PuzzleError::OtherGoal {
                game,
                goal,
                expected: puzzling.goals().join(" or "),
            });
        }
        let mut playing = entry.start_from(position)?;
        if playing.position() != position {
            return Err(PuzzleError::Position(playing.position()));
        }
        let solver = playing.turn();
        check_solution(&mut *playing, puzzling, goal, &solution)?;
        Ok(Self {
            game,
            position: position.to_owned(),
            goal,
            solution,
            grade,
            solver,
        })
    }

    /// Parses the text form without the game.
    ///
    /// # Errors
    ///
    /// Returns [`PuzzleError`] as [`new`](Self::new) does, and if the text has another form.
    pub fn read(game: &str, line: &str) -> Result<Self, PuzzleError> {
        let parts = || {
            let (grade, rest) = line.split_once(' ')?;
            let (goal, rest) = rest.split_once(' ')?;
            let (position, solution) = rest.split_once(" = ")?;
            Some((grade, goal, position, solution))
        };
        check_letters(line)?;
        let (grade, goal, position, solution) = parts().ok_or(PuzzleError::Form)?;
        let grade = parse_decimal(grade).ok_or(PuzzleError::Grade)?;
        let solution = solution.split(' ').map(str::to_owned).collect();
        Self::new(game, position, goal.parse()?, solution, grade)
    }

    /// The text form without the game, as in the files.
    #[must_use]
    pub fn line(&self) -> String {
        let Self {
            grade,
            goal,
            position,
            ..
        } = self;
        format!("{grade} {goal} {position} = {}", self.solution.join(" "))
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The text of the position.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.position
    }

    /// What the solver has to achieve.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The moves that achieve it, with the opponent's replies.
    #[must_use]
    pub fn solution(&self) -> &[String] {
        &self.solution
    }

    /// The length of the solution.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.solution.len()
    }

    /// How hard it is: 1 for beginners, 5 for experts.
    #[must_use]
    pub fn grade(&self) -> u8 {
        self.grade
    }

    /// The player to move, who has to solve it.
    #[must_use]
    pub fn solver(&self) -> Player {
        self.solver
    }

    /// Identifies it.
    #[must_use]
    pub fn id(&self) -> PuzzleId {
        id(self.game, &self.goal.to_string(), &self.position)
    }

    /// One line of JSON, for programs:
    /// `{"game":…,"position":…,"goal":…,"solution":[…],"plies":…,"grade":…}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        // No text form has a character that JSON escapes.
        let solution: Vec<_> = self.solution.iter().map(|m| format!("\"{m}\"")).collect();
        format!(
            r#"{{"game":"{}","position":"{}","goal":"{}","solution":[{}],"plies":{},"grade":{}}}"#,
            self.game,
            self.position,
            self.goal,
            solution.join(","),
            self.plies(),
            self.grade
        )
    }

    /// Parses [that line](Self::to_json), in exactly this form: keys in this order, no
    /// spaces.
    ///
    /// # Errors
    ///
    /// Returns [`PuzzleError`] if it has another form or the puzzle is not valid.
    pub fn from_json(text: &str) -> Result<Self, PuzzleError> {
        let parts = || {
            let rest = text.strip_prefix(r#"{"game":""#)?;
            let (game, rest) = rest.split_once(r#"","position":""#)?;
            let (position, rest) = rest.split_once(r#"","goal":""#)?;
            let (goal, rest) = rest.split_once(r#"","solution":[""#)?;
            let (solution, rest) = rest.split_once(r#""],"plies":"#)?;
            let (plies, rest) = rest.split_once(r#","grade":"#)?;
            let grade = parse_decimal(rest.strip_suffix('}')?)?;
            let solution: Vec<_> = solution.split("\",\"").map(str::to_owned).collect();
            (parse_decimal::<usize>(plies)? == solution.len())
                .then_some((game, position, goal, solution, grade))
        };
        check_letters(text)?;
        let (game, position, goal, solution, grade) = parts().ok_or(PuzzleError::Form)?;
        Self::new(game, position, goal.parse()?, solution, grade)
    }

    /// The puzzle's position, as a match that begins with it.
    pub(crate) fn start(&self) -> Option<Box<dyn AnyMatch>> {
        let game = catalog::find(self.game).ok()?;
        game.start_from(&self.position).ok()
    }
}

fn known(game: &'static str) -> Result<(&'static str, &'static dyn AnyPuzzling), PuzzleError> {
    let puzzling = games::find(game);
    let puzzling = puzzling.ok_or_else(|| CatalogError::NoSuchGame(game.to_owned()))?;
    Ok((game, puzzling))
}

/// Text forms are printable ASCII, so that errors can quote them.
fn check_letters(text: &str) -> Result<(), PuzzleError> {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    is_plain.then_some(()).ok_or(PuzzleError::Form)
}

/// Plays the solution, and counts the turns of the solver.
fn check_solution(
    playing: &mut dyn AnyMatch,
    puzzling: &dyn AnyPuzzling,
    goal: Goal,
    solution: &[String],
) -> Result<(), PuzzleError> {
    let solver = playing.turn();
    let mut last = !solver;
    let mut n_turns = 0;
    for m in solution {
        let mover = playing.turn();
        playing.play(m)?;
        n_turns += usize::from(mover == solver && last != solver);
        last = mover;
    }
    let has_all = n_turns == usize::from(goal.turns()) && last == solver;
    // A turn that has to hold is a whole one.
    let is_whole = !goal.has_to_hold() || playing.turn() != solver || playing.ending().is_some();
    if !(has_all && is_whole) {
        return Err(PuzzleError::Turns {
            expected: goal.turns(),
            solver,
            found: n_turns,
        });
    }
    if goal.has_to_hold() || puzzling.fulfills(playing, goal) {
        Ok(())
    } else {
        Err(PuzzleError::Unfulfilled(goal))
    }
}

pub(crate) fn id(game: &str, goal: &str, position: &str) -> PuzzleId {
    let parts = [game, " ", goal, " ", position];
    let bytes = parts.into_iter().flat_map(str::bytes);
    PuzzleId(bytes.fold(0, |hash, byte| mix(hash ^ (u64::from(byte) + 1))) as u32)
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.line())
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, PuzzleError> {
        let (game, line) = text.split_once(' ').ok_or(PuzzleError::Form)?;
        Self::read(game, line)
    }
}
