use rules::{Game, Outcome, Random, Record};
use search::{AlphaBeta, Guide, Limits, Report, Stop, Table};

use crate::{Level, Opponent, level};

/// A game that bots can play.
pub trait Bots: Game {
    /// The move of the classic opponent, as the rule sheet tells it.
    ///
    /// The position has a legal move.
    fn classic(position: &Self, random: &mut Random) -> Self::Move;

    /// What search knows of the game.
    type Guide: Guide<Self>;

    /// The guide of a search of `position`.
    fn guide(position: &Self, request: &Request<'_>) -> Self::Guide;

    /// Searches at full strength; `played` holds the repetition keys of the
    /// positions before.
    ///
    /// `None` if the game is over.
    fn search(
        position: &Self,
        played: &[u64],
        request: &Request<'_>,
        report: &mut dyn FnMut(&Report<Self::Move>),
    ) -> Option<Report<Self::Move>> {
        let guide = Self::guide(position, request);
        let search = AlphaBeta {
            n_threads: request.n_threads,
            n_lines: request.n_lines,
            ..AlphaBeta::new(&guide, request.table)
        };
        search.search(position, played, request.limits, request.stop, report)
    }

    /// The choice of a step of the ladder. The position has a legal move.
    fn at_level(
        record: &Record<Self>,
        level: Level,
        request: &Request<'_>,
        random: &mut Random,
        report: &mut dyn FnMut(&Report<Self::Move>),
    ) -> Option<Self::Move>;

    /// The choice of the perfect opponent; `None` if there is none, or if it was
    /// stopped.
    fn perfect(
        position: &Self,
        request: &Request<'_>,
        random: &mut Random,
        report: &mut dyn FnMut(&Report<Self::Move>),
    ) -> Option<Self::Move> {
        let _ = (position, request, random, report);
        None
    }

    /// Whether the player to move can win at once with `m`.
    fn wins_at_once(position: &Self, m: Self::Move) -> bool {
        let turn = position.turn();
        position.after(m).outcome() == Some(Outcome::Win(turn))
    }

    /// Whether the opponent can win with the next move after `m`, whatever the
    /// player to move does before.
    fn loses_at_once(position: &Self, m: Self::Move) -> bool {
        level::is_lost_at_once(&position.after(m), position.turn())
    }
}

/// What is asked of a bot.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Who shall choose.
    pub opponent: Opponent,
    /// How far the engine may look. Levels have limits of their own, and look
    /// no further than these either.
    pub limits: Limits,
    /// What random choices are made from.
    pub seed: u64,
    /// How many threads share the work.
    pub n_threads: usize,
    /// How many of the best lines to find.
    pub n_lines: usize,
    /// What is remembered from move to move.
    pub table: &'a Table,
    /// Ends it from outside.
    pub stop: &'a dyn Stop,
}

/// Chooses a move in the position at the cursor of `record`, telling `report`
/// how it goes. `None` if the game is over there.
///
/// The same record and request give the same choice on every platform, unless
/// there is more than one thread or `stop` cuts in.
pub fn think<G: Bots>(
    record: &Record<G>,
    request: &Request<'_>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Option<G::Move> {
    let position = record.position();
    let moves = position.legal_moves();
    // Each move of a match draws its own luck.
    let mut random = Random::new(rules::mix(request.seed) ^ record.n_moves() as u64);
    match request.opponent {
        _ if moves.is_empty() => None,
        Opponent::Random => random.pick(&moves).copied(),
        Opponent::Classic => Some(G::classic(position, &mut random)),
        Opponent::Level(level) => G::at_level(record, level, request, &mut random, report),
        Opponent::Engine => {
            let played = record.repetition_keys();
            G::search(position, &played, request, report)?.best()
        }
        Opponent::Perfect => G::perfect(position, request, &mut random, report),
    }
}
