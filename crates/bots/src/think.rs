use rules::{Game, Outcome, Random, Record};
use search::{AlphaBeta, Guide, Limits, Report, Slice, Stop, TranspositionTable};

use crate::{
    Level, Opponent, Thinking, ThinkingStep,
    level::{self, Habits},
};

/// A game that bots can play.
pub trait Bots: Game {
    /// The move of the classic opponent, as the rule sheet describes it.
    ///
    /// The position has a legal move.
    fn classic(position: &Self, random: &mut Random) -> Self::Move;

    /// What search knows of the game.
    type Guide: Guide<Self>;

    /// The guide of a search of the `n_lines` best lines of `position`. It is of use
    /// once it has been [prepared](Self::prepare_guide).
    fn guide(position: &Self, n_lines: usize) -> Self::Guide;

    /// Does a slice of what the guide has to find out before the search of `position`,
    /// and returns whether that was the last. `stop` makes it the last.
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
    /// `None` if the game is over.
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

    /// What a step of the ladder is like if it searches. A game without such habits
    /// is solved, and its levels go by the solution.
    fn habits(level: Level) -> Option<&'static Habits> {
        let _ = level;
        None
    }

    /// Begins to solve the game, as far as it can come to from `position`, or goes on
    /// where that was left; `None` if the game is not solved.
    fn solving(position: &Self) -> Option<Box<dyn Solving<Self>>> {
        let _ = position;
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

/// A game that is being solved. What is done is not lost when this is dropped.
pub trait Solving<G: Game> {
    /// Whether there is nothing more to do.
    fn is_done(&self) -> bool;

    /// Does a part of the work, which takes a few milliseconds.
    fn step(&mut self);

    /// What the solution says of a position, as if it had been searched; `None` if
    /// there is none.
    fn report(&self, position: &G) -> Option<Report<G::Move>>;

    /// The choice of a level, or of the perfect opponent; `None` if there is no
    /// solution.
    fn choose(&self, position: &G, level: Option<Level>, random: &mut Random) -> Option<G::Move>;
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
    pub table: &'a TranspositionTable,
    /// Ends it from outside.
    pub stop: &'a dyn Stop,
}

/// Chooses a move in the position at the cursor of `record`, and calls `report` as
/// it goes. `None` if the game is over there.
///
/// The same record and request give the same choice on every platform, unless
/// there is more than one thread or `stop` cuts in.
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
