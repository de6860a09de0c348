//! Self-play matches, as training examples.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, BufWriter, Write},
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use rules::{Game, Outcome, Random, Record};
use search::{AlphaBeta, Guide, Limits, NoStop, TranspositionTable};

use crate::watched::Watched;

/// A position from a match or from a search, and what is known about it.
pub(crate) struct Example<P> {
    pub(crate) position: P,
    /// The score of the search, for its mover, if there was one.
    pub(crate) score: Option<i32>,
    /// The result for its mover: 0, 1 for a draw, or 2; `None` if it did not occur in a
    /// match.
    pub(crate) result: Option<u8>,
}

/// The conditions of the matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    /// Nodes per move.
    pub(crate) nodes: u64,
    /// The minimum number of random moves at the start; up to as many more are
    /// added.
    pub(crate) n_random_moves: u32,
    /// Longer matches are drawn.
    pub(crate) most_moves: usize,
    /// A player with a lower score for [`PATIENCE`] moves of both in a row resigns,
    /// except in one match of eight.
    pub(crate) resign: Option<i32>,
    /// The number of positions that are taken from every search. After every second
    /// search, one of them is searched as well.
    pub(crate) n_samples: usize,
}

/// The number of moves in a row for which both players have to agree before one
/// resigns.
const PATIENCE: u32 = 4;

/// How many matches are played, and by how many threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) n_matches: u64,
    /// No match starts after this time.
    pub(crate) seconds: u64,
    pub(crate) seed: u64,
    pub(crate) n_threads: usize,
}

/// Plays matches from the positions of `start`, and appends every position, encoded
/// by `bytes`, to a file.
pub(crate) fn play_many<G: Game, Gd: Guide<G>>(
    guide: impl Fn(&G) -> Gd + Sync,
    start: impl Fn(&mut Random) -> G + Sync,
    conditions: Conditions,
    extent: Extent,
    bytes: impl Fn(&Example<G>) -> Vec<u8> + Sync,
    out: &Path,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<()> {
    let file = fs::OpenOptions::new().create(true).append(true).open(out)?;
    let output = Mutex::new(InOrder::new(BufWriter::new(file)));
    let next = AtomicU64::new(0);
    let n_positions = AtomicU64::new(0);
    let begin = Instant::now();
    let work = || -> anyhow::Result<()> {
        let table = TranspositionTable::for_nodes(4 * conditions.nodes);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let seconds = begin.elapsed().as_secs();
            if number >= extent.n_matches || seconds >= extent.seconds {
                return Ok(());
            }
            let seed = extent.seed.wrapping_mul(1 << 40).wrapping_add(number);
            let mut random = Random::new(seed);
            let start = start(&mut random);
            let examples = play(&guide, &table, start, conditions, &mut random);
            let all: Vec<u8> = examples.iter().flat_map(&bytes).collect();
            output
                .lock()
                .expect("writing does not panic")
                .add(number, all)?;
            let n_before = n_positions.fetch_add(examples.len() as u64, Ordering::Relaxed);
            if number % 1000 == 999 {
                let n_positions = n_before + examples.len() as u64;
                tell(format!(
                    "{} matches, {n_positions} positions, {seconds} s",
                    number + 1
                ));
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..extent.n_threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("playing does not panic"))
    })?;
    let output = output.into_inner().expect("writing does not panic");
    output.out.into_inner()?;
    tell(format!("{} positions", n_positions.into_inner()));
    Ok(())
}

/// Writes what matches leave in the order of their numbers, whichever ends first, so that
/// the same seed gives the same file with any number of threads.
struct InOrder<W> {
    out: W,
    /// The number of the match that is written next.
    next: u64,
    /// What later matches left.
    waiting: BTreeMap<u64, Vec<u8>>,
}

impl<W: Write> InOrder<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            next: 0,
            waiting: BTreeMap::new(),
        }
    }

    fn add(&mut self, number: u64, bytes: Vec<u8>) -> io::Result<()> {
        self.waiting.insert(number, bytes);
        while let Some(bytes) = self.waiting.remove(&self.next) {
            self.out.write_all(&bytes)?;
            self.next += 1;
        }
        Ok(())
    }
}

/// Plays one match from `start`.
fn play<G: Game, Gd: Guide<G>>(
    guide: &impl Fn(&G) -> Gd,
    table: &TranspositionTable,
    start: G,
    conditions: Conditions,
    random: &mut Random,
) -> Vec<Example<G>> {
    let mut record = Record::from_position(start);
    let n_random = conditions.n_random_moves + random.below(conditions.n_random_moves.max(1));
    for _ in 0..n_random {
        let moves = record.position().legal_moves();
        let Some(&m) = random.pick(&moves) else {
            return Vec::new();
        };
        if record.play(m).is_err() {
            return Vec::new();
        }
    }
    table.clear();
    let mut examples = Vec::new();
    let mut asides = Vec::new();
    let mut played = Vec::new();
    let resign = conditions.resign.filter(|_| random.below(8) > 0);
    let (mut leader, mut n_agreed) = (None, 0);
    let mut winner = None;
    while record.ending().is_none() && record.n_moves() < conditions.most_moves {
        let position = record.position().clone();
        let turn = position.turn();
        let limits = Limits::nodes(conditions.nodes);
        let one_in = conditions.nodes.checked_div(conditions.n_samples as u64);
        let watched = Watched::new(guide(&position), one_in.unwrap_or(0));
        let search = AlphaBeta::new(&watched, table);
        let Some(report) = search.search(&position, &played, limits, &NoStop, &mut |_| {}) else {
            break;
        };
        let mut seen = watched.into_seen();
        if !seen.is_empty()
            && random.below(2) == 0
            && let Some(position) = random.pick(&seen).cloned()
        {
            let guide = guide(&position);
            let search = AlphaBeta::new(&guide, table);
            let report = search.search(&position, &[], limits, &NoStop, &mut |_| {});
            if let Some(value) = report.and_then(|report| report.value()) {
                asides.push(Example {
                    position,
                    score: Some(value.number()),
                    result: None,
                });
            }
        }
        while seen.len() > conditions.n_samples {
            let left_out = random.below(seen.len() as u32);
            seen.swap_remove(left_out as usize);
        }
        asides.extend(seen.into_iter().map(|position| Example {
            position,
            score: None,
            result: None,
        }));
        let (Some(m), Some(value)) = (report.best(), report.value()) else {
            break;
        };
        played.extend(position.repetition_key());
        examples.push(Example {
            position,
            score: Some(value.number()),
            result: Some(1),
        });
        let better = if value.number() > 0 { turn } else { !turn };
        let is_clear = resign.is_some_and(|score| value.number().abs() >= score);
        n_agreed = match leader {
            Some(leader) if is_clear && leader == better => n_agreed + 1,
            _ => u32::from(is_clear),
        };
        leader = Some(better);
        if value.is_decided() || n_agreed >= PATIENCE {
            winner = leader;
            break;
        }
        if record.play(m).is_err() {
            break;
        }
    }
    if let Some(Outcome::Win(player)) = record.ending().map(|ending| ending.outcome) {
        winner = Some(player);
    }
    if let Some(winner) = winner {
        for example in &mut examples {
            let is_winner = example.position.turn() == winner;
            example.result = Some(if is_winner { 2 } else { 0 });
        }
    }
    examples.extend(asides);
    examples
}

#[cfg(test)]
mod tests {
    use super::InOrder;

    #[test]
    fn what_ends_first_is_not_written_first() {
        let mut output = InOrder::new(Vec::new());
        for (number, text) in [(2, "c"), (0, "a"), (3, "d"), (1, "b")] {
            output.add(number, text.into()).expect("memory has room");
        }
        assert_eq!(output.out, b"abcd");
    }
}
