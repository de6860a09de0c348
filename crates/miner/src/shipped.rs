//! The puzzles that are shipped in `crates/puzzles/files`.

use std::{
    collections::{BTreeMap, HashSet},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use puzzles::{Puzzle, TOP_GRADE};

use crate::Mining;

/// The number of puzzles of a game.
pub const N_PUZZLES: usize = 400;

/// So many are of each grade.
pub const N_OF_A_GRADE: usize = N_PUZZLES / TOP_GRADE as usize;

/// So many seeds in a row are given to a thread: those of a Lilypads board.
const BLOCK: u64 = 16;

/// Later seeds are not tried.
const MOST_SEEDS: u64 = 100_000;

/// Chooses the puzzles of a game: those of the seeds from 0 on, without duplicates, until
/// there are enough. The easiest come first. The choice does not depend on the number of
/// threads.
///
/// `watch` is called with the number of puzzles now and then.
#[must_use]
pub fn select(game: &str, n_threads: usize, mut watch: impl FnMut(usize)) -> Vec<Puzzle> {
    let mut chosen = Choice::default();
    let round = BLOCK * n_threads.max(1) as u64;
    for first in (0..MOST_SEEDS).step_by(round as usize) {
        for puzzle in mine(game, first, round, n_threads) {
            chosen.offer(puzzle);
        }
        watch(chosen.puzzles.len());
        if chosen.is_full() {
            break;
        }
    }
    let mut puzzles = chosen.puzzles;
    puzzles.sort_by_cached_key(|puzzle| (puzzle.grade(), puzzle.goal(), puzzle.line()));
    puzzles
}

/// The puzzles of `count` seeds from `first` on, in their order.
#[must_use]
pub fn mine(game: &str, first: u64, count: u64, n_threads: usize) -> Vec<Puzzle> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let start = next.fetch_add(BLOCK, Ordering::Relaxed);
            if start >= count {
                return found;
            }
            let seeds = first + start..first + count.min(start + BLOCK);
            for seed in seeds {
                let puzzle = Mining::new(game, seed).and_then(Mining::run);
                found.extend(puzzle.map(|puzzle| (seed, puzzle)));
            }
        }
    };
    let mut found: BTreeMap<u64, Puzzle> = BTreeMap::new();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads.max(1)).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            found.extend(thread.join().expect("mining does not panic"));
        }
    });
    found.into_values().collect()
}

/// Puzzles chosen so far.
#[derive(Default)]
struct Choice {
    puzzles: Vec<Puzzle>,
    n_of_grade: [usize; TOP_GRADE as usize + 1],
    /// The key and the moves of the solver, which no two puzzles of a board share.
    ideas: HashSet<(String, String)>,
}

impl Choice {
    fn is_full(&self) -> bool {
        self.puzzles.len() == N_PUZZLES
    }

    fn offer(&mut self, puzzle: Puzzle) {
        let n_of_grade = &mut self.n_of_grade[usize::from(puzzle.grade())];
        // A Lilypads position begins with its board, and others with most of it.
        let (board, _) = puzzle.position().split_once(' ').unwrap_or_default();
        let idea = (board.to_owned(), puzzle.solution().join(" "));
        if self.puzzles.len() < N_PUZZLES && *n_of_grade < N_OF_A_GRADE && self.ideas.insert(idea) {
            *n_of_grade += 1;
            self.puzzles.push(puzzle);
        }
    }
}
