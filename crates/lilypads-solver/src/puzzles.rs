//! Puzzles: positions with exactly one good move.

use std::{collections::HashSet, ops::RangeInclusive};

use lilypads::{CircleSet, Lilypads, Move};
use rules::{ByPlayer, Player, Position, Random};

use crate::{ExactValue, Solution, pips};

/// The minimum number of legal moves of a puzzle.
const LEAST_MOVES: usize = 8;

/// The search gives up after this many matches.
const MOST_MATCHES: usize = 20_000;

/// The maximum length of the matches that puzzles are taken from.
const LONGEST_MATCH: usize = 80;

/// What to do in a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// Find the only move that wins, in this many moves of the winner's.
    WinIn(RangeInclusive<u16>),
    /// Find the only move that does not lose.
    Draw,
}

/// A position with exactly one move that keeps its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub position: Lilypads,
    /// The moves of the match that led to it.
    pub history: Vec<Move>,
    /// Its value for the player to move: a win or a draw.
    pub value: ExactValue,
    /// The only move that keeps it.
    pub key: Move,
    /// How often the classic opponent would go wrong, in percent.
    pub temptation: u32,
    /// The number of the solver's moves: to the win, or until the best of the wrong
    /// moves is refuted.
    pub depth: u16,
    /// Best play by both players to the end, or in a draw until a repetition.
    pub line: Vec<Move>,
}

impl Puzzle {
    /// From 1 for beginners to 5: the deeper and the more tempting, the harder.
    #[must_use]
    pub fn grade(&self) -> u8 {
        const VERY_TEMPTING: u32 = 90;
        let is_tempting = u16::from(self.temptation >= VERY_TEMPTING);
        (self.depth / 2 + is_tempting).clamp(1, 5) as u8
    }
}

/// Finds up to `count` puzzles, the easiest first. The same seed finds the same
/// ones.
///
/// They are positions of matches between players who play by the pips and take a win
/// in one, so every one can occur in real play.
#[must_use]
pub fn find(solution: &Solution, task: &Task, count: usize, seed: u64) -> Vec<Puzzle> {
    let board = solution.board();
    let mut random = Random::new(seed);
    let mut puzzles = Vec::new();
    let mut ideas = HashSet::new();
    let mut seen = HashSet::new();
    for _ in 0..MOST_MATCHES {
        let mut position = Lilypads::new(board);
        let mut history = Vec::new();
        while position.outcome().is_none() && history.len() < LONGEST_MATCH {
            if puzzles.len() >= count {
                break;
            }
            if seen.insert(position.key())
                && let Some(puzzle) = puzzle(solution, task, &position, &history)
            {
                let first_time = Idea::all(solution, &puzzle).map(|idea| ideas.insert(idea));
                if first_time == [true, true] {
                    puzzles.push(puzzle);
                }
            }
            let moves = position.legal_moves();
            let win = moves.iter().copied().find(|&m| pips::is_win(&position, m));
            let soft = || pips::choose(board, &position, &moves, pips::CLASSIC, &mut random);
            let Some(m) = win.or_else(soft) else {
                break;
            };
            history.push(m);
            position.play_unchecked(m);
        }
    }
    puzzles.sort_by_key(|puzzle| (puzzle.grade(), puzzle.depth, puzzle.temptation));
    puzzles
}

/// Makes a puzzle of `position`, if it is one.
fn puzzle(
    solution: &Solution,
    task: &Task,
    position: &Lilypads,
    history: &[Move],
) -> Option<Puzzle> {
    let value = solution.value(position)?;
    let depth = match (task, value) {
        (Task::WinIn(range), ExactValue::Win(plies)) => {
            let n_moves = plies / 2 + 1;
            range.contains(&n_moves).then_some(n_moves)?
        }
        (Task::Draw, ExactValue::Draw) => 0,
        _ => return None,
    };
    let moves = solution.moves(position);
    if moves.len() < LEAST_MOVES {
        return None;
    }
    let key = only_keeper(&moves, value)?;
    let slowest_loss = || {
        moves
            .iter()
            .filter(|&&(m, _)| m != key)
            .map(|(_, v)| v.plies())
            .max()
    };
    let depth = if value == ExactValue::Draw {
        slowest_loss()? / 2
    } else {
        depth
    };
    let board = solution.board();
    let gains: Vec<_> = moves
        .iter()
        .map(|&(m, _)| pips::gain(board, position, m))
        .collect();
    let of_key = moves.iter().position(|&(m, _)| m == key)?;
    if gains.iter().max() == gains.get(of_key) {
        return None;
    }
    let weights = pips::weights(&gains, pips::CLASSIC);
    let total: u32 = weights.iter().sum();
    let right = u64::from(weights[of_key]) * 100 / u64::from(total.max(1));
    Some(Puzzle {
        position: position.clone(),
        history: history.to_vec(),
        value,
        key,
        temptation: 100 - right as u32,
        depth,
        line: solution.line(position),
    })
}

/// The only move that keeps the value of the position.
fn only_keeper(moves: &[(Move, ExactValue)], value: ExactValue) -> Option<Move> {
    let mut keepers = moves.iter().filter(|(_, v)| v.is_same_result(value));
    let &(key, _) = keepers.next()?;
    keepers.next().is_none().then_some(key)
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

impl Idea {
    fn all(solution: &Solution, puzzle: &Puzzle) -> [Self; 2] {
        let turn = puzzle.position.turn();
        [
            Self::Pieces(turn, pieces_that_matter(solution, puzzle), puzzle.key),
            Self::Moves(turn, puzzle.line.iter().copied().step_by(2).collect()),
        ]
    }
}

fn pieces_that_matter(solution: &Solution, puzzle: &Puzzle) -> ByPlayer<CircleSet> {
    let turn = puzzle.position.turn();
    let mut pieces = ByPlayer::from_fn(|player| puzzle.position.pieces(player));
    for player in Player::BOTH {
        for circle in pieces[player] {
            let mut fewer = pieces;
            fewer[player] = fewer[player] - circle.into();
            let Ok(position) = Lilypads::with_pieces(solution.board(), fewer, turn) else {
                continue;
            };
            let moves = solution.moves(&position);
            let is_same = solution.value(&position).is_some_and(|value| {
                value.is_same_result(puzzle.value) && only_keeper(&moves, value) == Some(puzzle.key)
            });
            if is_same {
                pieces = fewer;
            }
        }
    }
    pieces
}
