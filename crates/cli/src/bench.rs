use std::{io::Write, time::Instant};

use bots::{Bots, Opponent, Request};
use rules::{Position, Random, perft};
use search::{Limits, NoStop, TranspositionTable};

/// The number of random matches of each game.
const N_PLAYOUTS: u64 = 50;

/// The number of positions searched.
const N_SEARCHES: u64 = 4;

/// The limit of nodes of each search.
const MOST_NODES: u64 = 60_000;

/// Does the same work on every machine: node counts of each game and variant, random
/// matches, and searches to a fixed depth. The last line is the total.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    use lilypads::Lilypads;
    use nonaga::Nonaga;
    use simply_go::SimplyGo;
    use takeover::Takeover;

    let mut total = 0;
    total += bench::<Lilypads>("lilypads", &lilypads::Setup::default(), [5, 8], out)?;
    let published = nonaga::Setup {
        variant: nonaga::Variant::Published,
    };
    total += bench::<Nonaga>("nonaga", &nonaga::Setup::default(), [4, 4], out)?;
    total += bench::<Nonaga>("nonaga published", &published, [4, 4], out)?;
    let ataxx = takeover::Setup {
        variant: takeover::Variant::Ataxx,
        ..takeover::Setup::default()
    };
    total += bench::<Takeover>("takeover", &takeover::Setup::default(), [5, 6], out)?;
    total += bench::<Takeover>("takeover ataxx", &ataxx, [6, 6], out)?;
    total += bench::<SimplyGo>("simply-go", &simply_go::Setup::default(), [3, 2], out)?;
    writeln!(out, "bench {total}")?;
    Ok(())
}

/// Returns the number of nodes and of moves in the random matches. `depths` are
/// those of the node count and of the searches.
fn bench<G: Bots>(
    name: &str,
    setup: &G::Setup,
    [depth, search_depth]: [u32; 2],
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    let start = G::start(setup)?;

    let clock = Instant::now();
    let nodes = perft(&start, depth);
    let per_second = nodes as f64 / clock.elapsed().as_secs_f64() / 1e6;
    writeln!(
        out,
        "{name:<17} perft {depth}   {nodes:>10} nodes  {per_second:>9.2} M/s"
    )?;

    let clock = Instant::now();
    let playouts = (0..N_PLAYOUTS).map(|seed| playout(&start, seed, MOST_MOVES).1);
    let moves: u64 = playouts.sum();
    let per_second = moves as f64 / clock.elapsed().as_secs_f64() / 1e6;
    writeln!(
        out,
        "{name:<17} {N_PLAYOUTS} matches {moves:>10} moves  {per_second:>9.2} M/s"
    )?;

    let clock = Instant::now();
    let searches = (0..N_SEARCHES).map(|seed| {
        let (position, _) = playout(&start, seed, 10 * seed);
        search(&position, search_depth)
    });
    let (mut searched, mut effort) = (0, 0);
    for (nodes, best) in searches {
        searched += nodes;
        effort += best;
    }
    let per_second = searched as f64 / clock.elapsed().as_secs_f64() / 1e6;
    writeln!(
        out,
        "{name:<17} search {search_depth}  {searched:>10} nodes  {per_second:>9.2} M/s"
    )?;
    Ok(nodes + moves + searched + effort)
}

/// Some games may never end, so there is a limit.
const MOST_MOVES: u64 = 1000;

/// Plays one random match; returns the last position and the number of moves.
fn playout<P: Position>(start: &P, seed: u64, most_moves: u64) -> (P, u64) {
    let mut random = Random::new(seed);
    let mut position = start.clone();
    let mut moves = Vec::new();
    for n_moves in 0..most_moves {
        moves.clear();
        position.legal_moves_into(&mut moves);
        let Some(&m) = random.pick(&moves) else {
            return (position, n_moves);
        };
        position.play_unchecked(m);
    }
    (position, most_moves)
}

/// Searches `position`; returns the number of nodes, and the best move's share of
/// them in thousandths, which differs if the tree differs with the same number of
/// nodes.
fn search<G: Bots>(position: &G, depth: u32) -> (u64, u64) {
    let table = TranspositionTable::for_nodes(MOST_NODES);
    let request = Request {
        opponent: Opponent::Engine,
        limits: Limits {
            depth: Some(depth),
            nodes: Some(MOST_NODES),
        },
        seed: 0,
        n_threads: 1,
        n_lines: 1,
        table: &table,
        stop: &NoStop,
    };
    let found = G::search(position, &[], &request, &mut |_| {});
    found.map_or((0, 0), |found| {
        let best = found.effort.iter().find(|(m, _)| Some(*m) == found.best());
        (
            found.nodes,
            best.map_or(0, |&(_, effort)| u64::from(effort)),
        )
    })
}
