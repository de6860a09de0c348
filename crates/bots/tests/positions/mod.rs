//! Positions of random matches, and requests for moves in them.

#![allow(dead_code, reason = "each test uses a part of it")]

use bots::{Opponent, Request};
use rules::{Game, MatchSetup, Outcome, Player, Position, Random, Record};
use search::{Limits, NoStop, TranspositionTable};

/// A request for the engine's best line, on one thread.
pub(crate) fn engine_request(table: &TranspositionTable, n_nodes: u64) -> Request<'_> {
    Request {
        opponent: Opponent::Engine,
        limits: Limits::nodes(n_nodes),
        seed: 0,
        n_threads: 1,
        n_lines: 1,
        table,
        stop: &NoStop,
    }
}

/// A match that is not over.
pub(crate) struct Sample<G: Game> {
    pub(crate) record: Record<G>,
}

impl<G: Game> Sample<G> {
    pub(crate) fn position(&self) -> &G {
        self.record.position()
    }
}

/// Options of a match, as in the protocol.
pub(crate) fn setup<G: Game>(choices: &[(&str, &str)]) -> G::Setup {
    let mut setup = G::Setup::default();
    for (name, value) in choices {
        setup.set(name, value).unwrap();
    }
    setup
}

/// A random match, abandoned after at most `most` moves.
fn random_match<G: Game>(setup: &G::Setup, most: u32, random: &mut Random) -> Record<G> {
    let mut record = Record::<G>::new(setup.clone()).unwrap();
    for _ in 0..most {
        let moves = record.position().legal_moves();
        let Some(&m) = random.pick(&moves) else { break };
        if record.play(m).is_err() {
            break;
        }
    }
    record
}

/// A position of a random match, at most `most` moves after its start.
pub(crate) fn anywhere<G: Game>(
    setup: G::Setup,
    most: u32,
    seed: u64,
) -> impl Iterator<Item = Sample<G>> {
    let mut random = Random::new(seed);
    std::iter::repeat_with(move || {
        let n_moves = random.below(most);
        random_match::<G>(&setup, n_moves, &mut random)
    })
    .map(|record| Sample { record })
    .filter(|sample| sample.record.ending().is_none())
}

/// One to `most` moves before the end of a random match that was won or filled the
/// board, if it ended within 400 moves.
pub(crate) fn near_the_end<G: Game>(
    setup: G::Setup,
    most: u32,
    seed: u64,
) -> impl Iterator<Item = Sample<G>> {
    let mut random = Random::new(seed);
    std::iter::repeat_with(move || {
        let mut record = random_match::<G>(&setup, 400, &mut random);
        let is_over = record.position().outcome().is_some();
        for _ in 0..=random.below(most) {
            record.undo();
        }
        (is_over, record)
    })
    .filter(|(is_over, _)| *is_over)
    .map(|(_, record)| Sample { record })
    .filter(|sample| sample.position().outcome().is_none())
}

/// Whether `player` can't stop the opponent from winning with the next move.
pub(crate) fn is_lost_at_once<P: Position>(position: &P, player: Player) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome == Outcome::Win(!player);
    }
    let moves = position.legal_moves();
    if position.turn() == player {
        moves
            .iter()
            .all(|&m| is_lost_at_once(&position.after(m), player))
    } else {
        moves
            .iter()
            .any(|&m| position.after(m).outcome() == Some(Outcome::Win(!player)))
    }
}
