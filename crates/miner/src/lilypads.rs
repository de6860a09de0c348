//! Lilypads: wins and draws from the tablebase.

use std::{cell::RefCell, collections::HashSet, ops::RangeInclusive, rc::Rc};

use lilypads::{Board, CircleSet, Lilypads, Move};
use lilypads_solver::{ExactValue, Solution, Solver, SolverStep, pips};
use puzzles::{Goal, Puzzle};
use rules::{ByPlayer, Game, Player, Position, Random, mix};
use search::Slice;

use crate::{AnyMining, MiningStep};

/// The minimum number of legal moves of a puzzle.
const LEAST_MOVES: usize = 8;

/// The number of moves up to which a greedy move may be the key.
const DEEPEST_GREEDY: u16 = 3;

/// The search gives up after this many matches.
const MOST_MATCHES: usize = 20_000;

/// The maximum length of the matches that puzzles are taken from.
const LONGEST_MATCH: usize = 80;

/// So many seeds in a row share a board, which takes longest to solve.
const SEEDS_PER_BOARD: u64 = 16;

/// What to do in a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// Find the only move that wins, in this many moves of the winner's.
    WinIn(RangeInclusive<u16>),
    /// Find the only move that does not lose.
    Draw,
}

/// Finds puzzles of a board, one position at a time.
///
/// They are positions of matches between players who play by the pips and take a win
/// in one, so every one can occur in real play. No two share an idea.
pub struct Lode {
    solution: Rc<Solution>,
    task: Task,
    random: Random,
    position: Lilypads,
    n_moves: usize,
    n_matches: usize,
    ideas: HashSet<Idea>,
    seen: HashSet<u64>,
}

impl Lode {
    /// The puzzles with this task on a solved board. The same seed finds the same ones.
    #[must_use]
    pub fn new(solution: Rc<Solution>, task: Task, seed: u64) -> Self {
        Self {
            position: Lilypads::new(solution.board()),
            solution,
            task,
            random: Random::new(seed),
            n_moves: 0,
            n_matches: 0,
            ideas: HashSet::new(),
            seen: HashSet::new(),
        }
    }

    /// Examines one position, and goes on to the next.
    pub fn step(&mut self) -> MiningStep {
        if self.n_matches == MOST_MATCHES {
            return MiningStep::Exhausted;
        }
        let mut step = MiningStep::Working;
        if self.seen.insert(self.position.key())
            && let Some(found) = Found::new(&self.solution, &self.task, &self.position)
        {
            let ideas = found.ideas(&self.solution);
            let is_new = ideas.iter().all(|idea| !self.ideas.contains(idea));
            self.ideas.extend(ideas);
            if let Some(puzzle) = found.puzzle().filter(|_| is_new) {
                step = MiningStep::Found(puzzle);
            }
        }
        self.play();
        step
    }

    /// Plays the next move of the match, or begins the next match.
    fn play(&mut self) {
        let board = self.solution.board();
        let moves = self.position.legal_moves();
        let win = moves
            .iter()
            .copied()
            .find(|&m| pips::is_win(&self.position, m));
        let soft = || {
            pips::choose(
                board,
                &self.position,
                &moves,
                pips::CLASSIC,
                &mut self.random,
            )
        };
        let m = win.or_else(soft).filter(|_| self.n_moves < LONGEST_MATCH);
        if let Some(m) = m {
            self.position.play_unchecked(m);
            self.n_moves += 1;
        } else {
            self.position = Lilypads::new(board);
            self.n_moves = 0;
            self.n_matches += 1;
        }
    }
}

/// Finds up to `count` puzzles on a solved board, the easiest first. The same seed finds
/// the same ones.
#[must_use]
pub fn find(solution: Rc<Solution>, task: &Task, count: usize, seed: u64) -> Vec<Puzzle> {
    let mut lode = Lode::new(solution, task.clone(), seed);
    let mut puzzles = Vec::new();
    while puzzles.len() < count {
        match lode.step() {
            MiningStep::Working => {}
            MiningStep::Found(puzzle) => puzzles.push(puzzle),
            MiningStep::Exhausted => break,
        }
    }
    puzzles.sort_by_key(|puzzle| (puzzle.grade(), puzzle.plies(), puzzle.line()));
    puzzles
}

thread_local! {
    /// The last board that was solved, for the next seed.
    static SOLVED: RefCell<Option<Rc<Solution>>> = const { RefCell::new(None) };
}

/// The search for the puzzle of a seed, which also chooses a fair board and, unless it is
/// given, the task.
pub(crate) struct SeedMining {
    seed: u64,
    task: Option<Task>,
    state: State,
}

enum State {
    Solving(Box<Solver>),
    Looking(Box<Lode>),
    /// In the unheard-of case that distances do not fit.
    Unsolved,
}

impl SeedMining {
    pub(crate) fn new(seed: u64, task: Option<Task>) -> Self {
        let boards = Lilypads::fair_boards();
        let index = seed / SEEDS_PER_BOARD % boards.len().max(1) as u64;
        let number = boards.get(index as usize).copied().unwrap_or(index);
        let is_it = |solution: &Rc<Solution>| solution.board().number() == number;
        let state = match SOLVED.take().filter(is_it) {
            Some(solution) => Self::looking(solution, seed, task.as_ref()),
            None => State::Solving(Box::new(Solver::new(&Board::new(number)))),
        };
        Self { seed, task, state }
    }

    fn looking(solution: Rc<Solution>, seed: u64, task: Option<&Task>) -> State {
        SOLVED.set(Some(Rc::clone(&solution)));
        let seed = mix(seed);
        let drawn = || match seed % 8 {
            0 | 1 => Task::Draw,
            2 => Task::WinIn(2..=2),
            3 => Task::WinIn(3..=3),
            4 => Task::WinIn(4..=4),
            5 => Task::WinIn(5..=5),
            6 => Task::WinIn(6..=7),
            _ => Task::WinIn(7..=9),
        };
        let task = task.cloned().unwrap_or_else(drawn);
        State::Looking(Box::new(Lode::new(solution, task, seed)))
    }

    fn step_once(&mut self) -> MiningStep {
        match &mut self.state {
            State::Solving(solver) => {
                match solver.step() {
                    Ok(SolverStep::Working(_)) => {}
                    Ok(SolverStep::Solved(solution)) => {
                        self.state =
                            Self::looking(Rc::from(solution), self.seed, self.task.as_ref());
                    }
                    Err(_) => self.state = State::Unsolved,
                }
                MiningStep::Working
            }
            State::Looking(lode) => lode.step(),
            State::Unsolved => MiningStep::Exhausted,
        }
    }
}

impl AnyMining for SeedMining {
    fn step(&mut self, slice: Slice<'_>) -> MiningStep {
        // A part of the solver's work takes about as long as so many nodes of a search.
        const NODES: u64 = 1_000;
        for _ in 0..slice.nodes.div_ceil(NODES).max(1) {
            let step = self.step_once();
            if step != MiningStep::Working || (slice.is_over)() {
                return step;
            }
        }
        MiningStep::Working
    }
}

/// A position with one good move.
struct Found {
    position: Lilypads,
    value: ExactValue,
    /// The only move that keeps the value.
    key: Move,
    /// How often the classic opponent would go wrong, in percent; 0 if the key is the
    /// greediest move.
    temptation: u32,
    /// The number of the solver's moves: to the win, or until the best of the wrong
    /// moves is refuted.
    depth: u16,
    /// The moves to the win, or the one that draws.
    line: Vec<Move>,
}

impl Found {
    /// Makes a puzzle of `position`, if it is one.
    fn new(solution: &Solution, task: &Task, position: &Lilypads) -> Option<Self> {
        let value = solution.value(position)?;
        let n_moves = match (task, value) {
            (Task::WinIn(range), ExactValue::Win(plies)) => {
                let n_moves = plies / 2 + 1;
                Some(range.contains(&n_moves).then_some(n_moves)?)
            }
            (Task::Draw, ExactValue::Draw) => None,
            _ => return None,
        };
        let moves = solution.moves(position);
        if moves.len() < LEAST_MOVES {
            return None;
        }
        let key = only_keeper(&moves, value)?;
        let others = moves.iter().filter(|&&(m, _)| m != key);
        let slowest_loss = others.map(|(_, value)| value.plies()).max()?;
        let depth = n_moves.unwrap_or(slowest_loss / 2);
        let temptation = temptation(solution.board(), position, &moves, key)?;
        // Greedy play may be right only where that is all there is to learn.
        if temptation == 0 && depth > DEEPEST_GREEDY {
            return None;
        }
        let line = match n_moves {
            Some(_) => only_line(solution, position, key)?,
            None => vec![key],
        };
        Some(Self {
            position: position.clone(),
            value,
            key,
            temptation,
            depth,
            line,
        })
    }

    /// From 1 for beginners to 5: the deeper and the more tempting, the harder.
    fn grade(&self) -> u8 {
        const VERY_TEMPTING: u32 = 90;
        let is_tempting = u16::from(self.temptation >= VERY_TEMPTING);
        (self.depth / 2 + is_tempting).clamp(1, puzzles::TOP_GRADE.into()) as u8
    }

    fn puzzle(&self) -> Option<Puzzle> {
        let goal = match self.value {
            ExactValue::Draw => Goal::Draw,
            _ => Goal::Win {
                turns: self.depth.try_into().ok()?,
            },
        };
        let position = self.position.to_string();
        let solution = self.line.iter().map(Move::to_string).collect();
        Puzzle::new(Lilypads::NAME, &position, goal, solution, self.grade()).ok()
    }

    fn ideas(&self, solution: &Solution) -> Vec<Idea> {
        let turn = self.position.turn();
        let pieces = self.pieces_that_matter(solution);
        let mut ideas = vec![Idea::Pieces(turn, pieces, self.key)];
        // The single move of a draw is no idea yet.
        if self.value != ExactValue::Draw {
            let own_moves = self.line.iter().copied().step_by(2).collect();
            ideas.push(Idea::Moves(turn, own_moves));
        }
        ideas
    }

    fn pieces_that_matter(&self, solution: &Solution) -> ByPlayer<CircleSet> {
        let turn = self.position.turn();
        let mut pieces = ByPlayer::from_fn(|player| self.position.pieces(player));
        for player in Player::BOTH {
            for circle in pieces[player] {
                let mut fewer = pieces;
                fewer[player] = fewer[player] - circle.into();
                let Ok(position) = Lilypads::with_pieces(solution.board(), fewer, turn) else {
                    continue;
                };
                let moves = solution.moves(&position);
                let is_same = solution.value(&position).is_some_and(|value| {
                    value.is_same_result(self.value) && only_keeper(&moves, value) == Some(self.key)
                });
                if is_same {
                    pieces = fewer;
                }
            }
        }
        pieces
    }
}

/// The only move that keeps the value of the position.
fn only_keeper(moves: &[(Move, ExactValue)], value: ExactValue) -> Option<Move> {
    let mut keepers = moves.iter().filter(|(_, v)| v.is_same_result(value));
    let &(key, _) = keepers.next()?;
    keepers.next().is_none().then_some(key)
}

/// How often the classic opponent would miss `key`, in percent; 0 if that is the move
/// which gains most pips.
fn temptation(
    board: &Board,
    position: &Lilypads,
    moves: &[(Move, ExactValue)],
    key: Move,
) -> Option<u32> {
    let gains: Vec<_> = moves
        .iter()
        .map(|&(m, _)| pips::gain(board, position, m))
        .collect();
    let of_key = moves.iter().position(|&(m, _)| m == key)?;
    if gains.iter().max() == gains.get(of_key) {
        return Some(0);
    }
    let weights = pips::weights(&gains, pips::CLASSIC);
    let total: u32 = weights.iter().sum();
    let right = u64::from(weights[of_key]) * 100 / u64::from(total.max(1));
    Some((100 - right as u32).max(1))
}

/// A line from a won position to the win that begins with `key`, against the longest
/// resistance, in which all moves of the solver but the last are the only ones in time.
/// There may be none.
fn only_line(solution: &Solution, position: &Lilypads, key: Move) -> Option<Vec<Move>> {
    let after = position.after(key);
    if after.outcome().is_some() {
        return Some(vec![key]);
    }
    let replies = solution.best_moves(&after).into_iter();
    let mut lines = replies.filter_map(|reply| {
        let next = after.after(reply);
        let best = solution.best_moves(&next);
        let is_last = solution.value(&next) == Some(ExactValue::Win(1));
        let next_key = *best.first().filter(|_| is_last || best.len() == 1)?;
        let rest = only_line(solution, &next, next_key)?;
        Some([vec![key, reply], rest].concat())
    });
    lines.next()
}

/// The idea of a puzzle, to avoid duplicates.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Idea {
    /// The key and the relevant pieces: without any one of them, it is no longer the
    /// only good move.
    Pieces(Player, ByPlayer<CircleSet>, Move),
    /// All moves of the solver.
    Moves(Player, Vec<Move>),
}
