use std::{io::Write, time::Instant};

use rules::{Game, Position, Random, perft};

/// How many random matches of each game are played.
const N_PLAYOUTS: u64 = 50;

/// Does the same work on every machine: node counts of each game and variant,
/// and random matches. The last line sums up what was done.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    use lilypads::Lilypads;
    use nonaga::Nonaga;
    use simply_go::SimplyGo;
    use takeover::Takeover;

    let mut total = 0;
    total += bench::<Lilypads>("lilypads", &lilypads::Setup::default(), 5, out)?;
    let published = nonaga::Setup {
        variant: nonaga::Variant::Published,
    };
    total += bench::<Nonaga>("nonaga", &nonaga::Setup::default(), 4, out)?;
    total += bench::<Nonaga>("nonaga published", &published, 4, out)?;
    let ataxx = takeover::Setup {
        variant: takeover::Variant::Ataxx,
        ..takeover::Setup::default()
    };
    total += bench::<Takeover>("takeover", &takeover::Setup::default(), 5, out)?;
    total += bench::<Takeover>("takeover ataxx", &ataxx, 6, out)?;
    total += bench::<SimplyGo>("simply-go", &simply_go::Setup::default(), 3, out)?;
    writeln!(out, "bench {total}")?;
    Ok(())
}

/// Returns the number of nodes and of moves in the random matches.
fn bench<G: Game>(
    name: &str,
    setup: &G::Setup,
    depth: u32,
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
    let moves: u64 = (0..N_PLAYOUTS).map(|seed| playout(&start, seed)).sum();
    let per_second = moves as f64 / clock.elapsed().as_secs_f64() / 1e6;
    writeln!(
        out,
        "{name:<17} {N_PLAYOUTS} matches {moves:>10} moves  {per_second:>9.2} M/s"
    )?;
    Ok(nodes + moves)
}

/// Plays one random match and returns the number of its moves. Some games never
/// end by themselves, so there is a limit.
fn playout<P: Position>(start: &P, seed: u64) -> u64 {
    const MOST_MOVES: u64 = 1000;
    let mut random = Random::new(seed);
    let mut position = start.clone();
    let mut moves = Vec::new();
    for n_moves in 0..MOST_MOVES {
        moves.clear();
        position.legal_moves_into(&mut moves);
        let Some(&m) = random.pick(&moves) else {
            return n_moves;
        };
        position.play_unchecked(m);
    }
    MOST_MOVES
}
