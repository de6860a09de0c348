//! Simply Go.

mod areas;
mod bits;
mod classic;
mod cuts;
#[cfg(test)]
mod drawing;
mod ending;
mod exposure;
mod guide;

use rules::{Outcome, Position, Random, Record};
use search::{AlphaBeta, Report};
use simply_go::{Move, SimplyGo};

pub use self::guide::{Sight, SimplyGoGuide};
use crate::{
    Bots, Level, Request,
    level::{self, Habits},
};

impl Bots for SimplyGo {
    fn classic(position: &Self, random: &mut Random) -> Move {
        classic::choose(position, random)
    }

    fn search(
        position: &Self,
        played: &[u64],
        request: &Request<'_>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Option<Report<Move>> {
        let guide = SimplyGoGuide::new(position, request.n_lines, request.stop);
        let search = AlphaBeta {
            n_threads: request.n_threads,
            n_lines: request.n_lines,
            ..AlphaBeta::new(&guide, request.table)
        };
        search.search(position, played, request.limits, request.stop, report)
    }

    fn at_level(
        record: &Record<Self>,
        level: Level,
        request: &Request<'_>,
        random: &mut Random,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Option<Move> {
        let habits = &LEVELS[level.index()];
        level::choose(record, habits, request, random, report)
    }

    // Overridden because a list may be 2,305 moves long, and only few positions
    // are so near the end.
    fn wins_at_once(position: &Self, m: Move) -> bool {
        ending::may_end(position, m)
            && position.after(m).outcome() == Some(Outcome::Win(position.turn()))
    }

    fn loses_at_once(position: &Self, m: Move) -> bool {
        ending::loses_at_once(position, m)
    }
}

/// The same number of positions on every board, so that the top level takes less
/// than a second on the largest.
const LEVELS: [Habits; 8] = [
    Habits::seeing(1, 20_000).blurred(usize::MAX, 3_000).blind(),
    Habits::seeing(1, 20_000).blurred(usize::MAX, 1_000).blind(),
    Habits::seeing(1, 20_000)
        .blurred(usize::MAX, 300)
        .careless(),
    Habits::seeing(2, 20_000)
        .blurred(usize::MAX, 250)
        .careless(),
    Habits::seeing(2, 20_000).blurred(usize::MAX, 60),
    Habits::seeing(3, 20_000),
    Habits::seeing(64, 6_000),
    Habits::seeing(64, 25_000),
];
