use rules::{Game, Outcome, Random, Record};
use search::{AlphaBeta, Guide, Limits, Report, Slice, Stop, TranspositionTable};

use crate::{
    Beginner, Level, Opponent, Thinking, ThinkingStep, WeightFile,
    level::{self, Habits},
};

/// A game that bots can play.
pub trait Bots: Game {
    /// The move of the classic opponent, as the rule sheet describes it.
    ///
    /// The position has a legal move.
    fn classic(position: &Self, random: &mut Random) -> Self::Move;

    /// The guide of the search.
    type Guide: Guide<Self>;

    /// The guide for a search of the `n_lines` best lines of `position`. It has to
    /// be [prepared](Self::prepare_guide) before use.
    fn guide(position: &Self, n_lines: usize) -> Self::Guide;

    /// The file with the weights of the guide for `position`. Without it, the guide has a
    /// small evaluation instead.
    fn weights(position: &Self) -> Option<&'static WeightFile> {
        let _ = position;
        None
    }

    /// The guide that does without the file.
    fn small_guide(position: &Self, n_lines: usize) -> Self::Guide {
        Self::guide(position, n_lines)
    }

    /// Runs one slice of the guide's preparation for the search of `position`, and
    /// returns whether it is done. `stop` ends it early.
    fn prepare_guide(
        guide: &mut Self::Guide,
        position: &Self,
        stop: &dyn Stop,
        slice: &Slice<'_>,
    ) -> bool {
        let _ = (guide, position, stop, slice);
        true
    }

    /// Searches at full strength; `played` holds the repetition keys of the
    /// positions before.
    ///
    /// Returns `None` if the game is over.
    fn search(
        position: &Self,
        played: &[u64],
        request: &Request<'_>,
        report: &mut dyn FnMut(&Report<Self::Move>),
    ) -> Option<Report<Self::Move>> {
        let mut guide = Self::guide(position, request.n_lines);
        while !Self::prepare_guide(&mut guide, position, request.stop, &Slice::WHOLE) {}
        let search = AlphaBeta {
            n_threads: request.n_threads,
            n_lines: request.n_lines,
            ..AlphaBeta::new(&guide, request.table)
        };
        search.search(position, played, request.limits, request.stop, report)
    }

    /// The settings of a level that searches, in the variant of `position`. A game without them is solved, and its
    /// levels use the solution.
    fn habits(position: &Self, level: Level) -> Option<&'static Habits> {
        let _ = (position, level);
        None
    }

    /// The settings of a level that plays like a beginner, in the variant of `position`.
    fn beginner(position: &Self, level: Level) -> Option<&'static Beginner> {
        let _ = (position, level);
        None
    }

    /// What a beginner sees in a move at first sight, without looking at the answer.
    /// Higher is better.
    fn greed(position: &Self, m: Self::Move) -> i32;

    /// How far the player to move is ahead at first sight, in the units of the game; negative
    /// if it is behind.
    fn lead(position: &Self) -> i32;

    /// Starts to solve everything that can be reached from `position`, or resumes
    /// it; `None` if the game is not solved.
    fn solving(position: &Self) -> Option<Box<dyn Solving<Self>>> {
        let _ = position;
        None
    }

    /// Whether `m` wins at once for the player to move.
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

/// Solves a game in steps. Progress is kept when this is dropped.
pub trait Solving<G: Game> {
    /// Whether all work is done.
    fn is_done(&self) -> bool;

    /// Runs a part of the work, a few milliseconds.
    fn step(&mut self);

    /// The solution of a position as a search report with up to `n_lines` moves, best
    /// first; `None` if there is no solution. `played` holds the repetition keys of the positions
    /// before: a move that ends the match by repetition draws.
    fn report(&self, position: &G, played: &[u64], n_lines: usize) -> Option<Report<G::Move>>;

    /// The move of a level, or of the perfect opponent; `None` if there is no
    /// solution. `played` is as for [`report`](Self::report).
    fn choose(
        &self,
        position: &G,
        played: &[u64],
        level: Option<Level>,
        random: &mut Random,
    ) -> Option<G::Move>;
}

/// Parameters of a bot's move.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The opponent to play as.
    pub opponent: Opponent,
    /// Limits of the search. Levels have limits of their own, and respect these as
    /// well.
    pub limits: Limits,
    /// The seed of random choices.
    pub seed: u64,
    /// The number of threads.
    pub n_threads: usize,
    /// The number of lines to report.
    pub n_lines: usize,
    /// The transposition table, kept from move to move.
    pub table: &'a TranspositionTable,
    /// The stop condition.
    pub stop: &'a dyn Stop,
}

/// Chooses a move in the position at the cursor of `record`, and calls `report` on
/// progress. Returns `None` if the game is over there.
///
/// The same record and request give the same choice on every platform, unless there
/// is more than one thread or `stop` interferes.
pub fn think<G: Bots>(
    record: &Record<G>,
    request: &Request<'_>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Option<G::Move> {
    let mut thinking = Thinking::new(record, request);
    loop {
        match thinking.step(request.table, request.stop, Slice::WHOLE) {
            ThinkingStep::Paused => {}
            ThinkingStep::Report(found) => report(&found),
            ThinkingStep::Done(choice) => return choice,
        }
    }
}
