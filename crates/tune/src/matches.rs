//! Matches between two sets of weights, in one process.

use std::{
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use rules::{Outcome, Player, Random, Record, mix};
use search::{AlphaBeta, Limits, NoStop, TranspositionTable};

use crate::{
    GameName,
    fair::interval,
    tunable::{Tunable, start, weights},
};

/// Who plays, and how often.
#[derive(Args, Clone, Debug)]
pub(crate) struct MatchArgs {
    pub(crate) game: GameName,
    /// The weights of the one; without it, the built-in ones
    #[arg(long)]
    a: Option<PathBuf>,
    /// The weights of the other
    #[arg(long)]
    b: Option<PathBuf>,
    /// Nodes per move
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Nodes per move of the other, if it is slower or faster
    #[arg(long)]
    nodes_b: Option<u64>,
    #[arg(long, default_value_t = 200)]
    pairs: u64,
    /// Random moves at the start, the same in both matches of a pair
    #[arg(long, default_value_t = 4)]
    random_moves: u32,
    /// An option of the game, such as size=9
    #[arg(long = "set")]
    pub(crate) options: Vec<String>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Longer matches are drawn.
const MOST_MOVES: usize = 400;

/// How long the searches of a player took.
#[derive(Clone, Copy, Default)]
struct Effort {
    time: Duration,
    nodes: u64,
    depths: u64,
    moves: u64,
}

#[derive(Default)]
struct Totals {
    /// The number of wins, draws and losses.
    results: [u64; 3],
    /// The points of every pair, from 0 to 1.
    pairs: Vec<f64>,
    efforts: [Effort; 2],
}

/// Plays the matches and prints the score of the first-named player.
pub(crate) fn run<G: Tunable>(
    args: &MatchArgs,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<()> {
    let sides = [
        weights::<G>(args.a.as_deref())?,
        weights::<G>(args.b.as_deref())?,
    ];
    let nodes = [args.nodes, args.nodes_b.unwrap_or(args.nodes)];
    let start = start::<G>(&args.options)?;
    let next = AtomicU64::new(0);
    let totals = Mutex::new(Totals::default());
    let work = || {
        let tables = nodes.map(|nodes| TranspositionTable::for_nodes(4 * nodes));
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= args.pairs {
                return;
            }
            let mut random = Random::new(mix(mix(args.seed) ^ number));
            let opening = opening(
                &start,
                args.random_moves,
                &tables[0],
                &sides[0],
                &mut random,
            );
            let mut points = 0.0;
            for a in Player::BOTH {
                let mut efforts = [Effort::default(); 2];
                let outcome = play(&opening, a, &sides, nodes, &tables, &mut efforts);
                let mut totals = totals.lock().expect("adding does not panic");
                let result = match outcome {
                    Outcome::Win(winner) if winner == a => 0,
                    Outcome::Draw => 1,
                    Outcome::Win(_) => 2,
                };
                totals.results[result] += 1;
                points += [1.0, 0.5, 0.0][result];
                for (all, more) in totals.efforts.iter_mut().zip(efforts) {
                    all.time += more.time;
                    all.nodes += more.nodes;
                    all.depths += more.depths;
                    all.moves += more.moves;
                }
            }
            let mut totals = totals.lock().expect("adding does not panic");
            totals.pairs.push(points / 2.0);
            if totals.pairs.len() % 25 == 0 {
                tell(totals.line());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(work);
        }
    });
    let totals = totals.into_inner().expect("adding does not panic");
    tell(totals.line());
    for (name, effort) in ["a", "b"].into_iter().zip(&totals.efforts) {
        tell(format!(
            "{name}: {:.0} nodes a move, depth {:.2}, {:.1} µs a node",
            effort.nodes as f64 / effort.moves.max(1) as f64,
            effort.depths as f64 / effort.moves.max(1) as f64,
            effort.time.as_secs_f64() * 1e6 / effort.nodes.max(1) as f64
        ));
    }
    Ok(())
}

impl Totals {
    fn line(&self) -> String {
        let [wins, draws, losses] = self.results;
        let n = self.pairs.len().max(1) as f64;
        let mean = self.pairs.iter().sum::<f64>() / n;
        let variance = self
            .pairs
            .iter()
            .map(|points| (points - mean).powi(2))
            .sum::<f64>()
            / n;
        let limit = |share: f64| share.clamp(0.25 / n, 1.0 - 0.25 / n);
        let elo = |share: f64| 400.0 * (limit(share) / (1.0 - limit(share))).log10();
        let error = 1.96 * (variance / n).sqrt();
        let n_matches = wins + draws + losses;
        // Equal pairs have no variance, but that does not make the difference certain.
        let difference = if mean - error <= 0.0 || mean + error >= 1.0 {
            let [low, high] = interval(mean, n_matches.max(1) as f64);
            if mean > 0.5 {
                format!("at least {:+.0}", elo(low))
            } else {
                format!("at most {:+.0}", elo(high))
            }
        } else {
            let error = (elo(mean + error) - elo(mean - error)) / 2.0;
            format!("{:+.0} ± {error:.0}", elo(mean))
        };
        format!("{n_matches} matches: {wins} won, {draws} drawn, {losses} lost, Elo {difference}")
    }
}

/// A position after random moves in which a short search finds no forced win.
fn opening<G: Tunable>(
    start: &impl Fn(&mut Random) -> G,
    n_moves: u32,
    table: &TranspositionTable,
    weights: &G::Weights,
    random: &mut Random,
) -> G {
    const GLANCE: u64 = 2_000;
    loop {
        let mut position = start(random);
        for _ in 0..n_moves {
            if let Some(&m) = random.pick(&position.legal_moves()) {
                position.play_unchecked(m);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        table.clear();
        let guide = position.guide(weights);
        let search = AlphaBeta::new(&guide, table);
        let limits = Limits::nodes(GLANCE);
        let report = search.search(&position, &[], limits, &NoStop, &mut |_| {});
        let value = report.and_then(|report| report.value());
        if value.is_some_and(|value| !value.is_decided()) {
            return position;
        }
    }
}

/// Plays one match in which `a` is the player of the first side.
fn play<G: Tunable>(
    opening: &G,
    a: Player,
    sides: &[G::Weights; 2],
    nodes: [u64; 2],
    tables: &[TranspositionTable; 2],
    efforts: &mut [Effort; 2],
) -> Outcome {
    let mut record = Record::from_position(opening.clone());
    tables.iter().for_each(TranspositionTable::clear);
    while record.ending().is_none() && record.n_moves() < MOST_MOVES {
        let position = record.position().clone();
        let side = usize::from(position.turn() != a);
        let played = record.repetition_keys();
        let begin = Instant::now();
        let guide = position.guide(&sides[side]);
        let search = AlphaBeta::new(&guide, &tables[side]);
        let limits = Limits::nodes(nodes[side]);
        let report = search.search(&position, &played, limits, &NoStop, &mut |_| {});
        let Some(report) = report else {
            break;
        };
        let effort = &mut efforts[side];
        effort.time += begin.elapsed();
        effort.nodes += report.nodes;
        effort.depths += u64::from(report.depth);
        effort.moves += 1;
        let Some(m) = report.best() else {
            break;
        };
        if record.play(m).is_err() {
            break;
        }
    }
    let ending = record.ending().map(|ending| ending.outcome);
    ending.unwrap_or(Outcome::Draw)
}
