//! Matches of the engine against itself.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use bots::{Bots, Opponent, Request};
use rules::{Outcome, Random, Record, mix};
use search::{Limits, NoStop, TranspositionTable};

use crate::fair::tally::Tally;

/// Longer matches are drawn.
pub(crate) const MOST_MOVES: usize = 600;

/// The number of moves in the opening, where the engine varies its play, and the number of
/// best moves that it chooses from there.
pub(crate) const N_OPENING_MOVES: usize = 8;
pub(crate) const N_OPENING_LINES: usize = 8;

/// The conditions of the matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    /// Nodes per move.
    pub(crate) nodes: u64,
    /// Maximum noise of the score of a move in the opening, in hundredths.
    pub(crate) noise: i32,
    pub(crate) n_threads: usize,
}

/// Matches from one start.
#[derive(Clone, Debug)]
pub(crate) struct Job<G> {
    start: G,
    seed: u64,
    n_matches: u32,
}

impl<G> Job<G> {
    /// `number` tells the jobs of one `seed` apart.
    pub(crate) fn new(start: G, seed: u64, number: u64, n_matches: u32) -> Self {
        Self {
            start,
            seed: mix(mix(seed) ^ number),
            n_matches,
        }
    }
}

/// Plays the matches of all jobs and returns the results of each.
pub(crate) fn play_all<G: Bots>(jobs: &[Job<G>], conditions: Conditions) -> Vec<Tally> {
    // The last jobs, which have the largest boards, are played first: nothing long is left
    // over for the end.
    let matches: Vec<(usize, u64)> = jobs
        .iter()
        .enumerate()
        .rev()
        .flat_map(|(index, job)| (0..u64::from(job.n_matches)).map(move |n| (index, n)))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let table = TranspositionTable::for_nodes(4 * conditions.nodes);
        let mut results = Vec::new();
        while let Some(&(index, n)) = matches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let job = &jobs[index];
            let seed = mix(job.seed.wrapping_add(n));
            table.clear();
            results.push((index, play(&job.start, seed, conditions, &table)));
        }
        results
    };
    let results: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..conditions.n_threads.max(1))
            .map(|_| scope.spawn(work))
            .collect();
        let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
        joined
            .flat_map(|results| results.expect("playing does not panic"))
            .collect()
    });
    let mut tallies = vec![Tally::default(); jobs.len()];
    let mut seen = BTreeSet::new();
    for (index, (outcome, moves)) in results {
        tallies[index].add(outcome);
        tallies[index].n_different += u32::from(seen.insert((index, moves)));
    }
    tallies
}

/// Plays one match and returns its result and a hash of its moves.
fn play<G: Bots>(
    start: &G,
    seed: u64,
    conditions: Conditions,
    table: &TranspositionTable,
) -> (Outcome, u64) {
    let mut record = Record::from_position(start.clone());
    let mut random = Random::new(seed);
    while record.ending().is_none() && record.n_moves() < MOST_MOVES {
        let is_opening = record.n_moves() < N_OPENING_MOVES;
        let request = Request {
            opponent: Opponent::Engine,
            limits: Limits::nodes(conditions.nodes),
            seed,
            n_threads: 1,
            n_lines: if is_opening { N_OPENING_LINES } else { 1 },
            table,
            stop: &NoStop,
        };
        let played = record.repetition_keys();
        let found = G::search(record.position(), &played, &request, &mut |_| {});
        let found = found.expect("a match goes on while it can");
        let noise = if is_opening { conditions.noise } else { 0 };
        let scored = found.lines.iter().filter_map(|line| {
            let score = line.value.number() + random.between(-noise, noise);
            Some((score, *line.moves.first()?))
        });
        // The first of equals, which the search prefers.
        let best = scored.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let (_, m) = best.expect("a search has a line");
        record.play(m).expect("the search plays legal moves");
    }
    let ending = record.ending().map(|ending| ending.outcome);
    let mut hasher = DefaultHasher::new();
    record.moves().hash(&mut hasher);
    (ending.unwrap_or(Outcome::Draw), hasher.finish())
}
