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

use rules::{Outcome, Position, Random};
use search::{Slice, Stop};
use simply_go::{Move, SimplyGo};

pub use self::guide::{N_COUNTS, Sight, SimplyGoGuide, counts};
use crate::{Bots, Level, level::Habits};

impl Bots for SimplyGo {
    fn classic(position: &Self, random: &mut Random) -> Move {
        classic::choose(position, random)
    }

    type Guide = SimplyGoGuide;

    fn guide(position: &Self, n_lines: usize) -> SimplyGoGuide {
        SimplyGoGuide::begin(position, n_lines)
    }

    fn prepare_guide(
        guide: &mut SimplyGoGuide,
        position: &Self,
        stop: &dyn Stop,
        slice: &Slice<'_>,
    ) -> bool {
        guide.step(position, stop, slice)
    }

    fn habits(level: Level) -> Option<&'static Habits> {
        Some(&LEVELS[level.index()])
    }

    // Overridden for speed: there may be 2,305 moves, and few positions are that
    // near to the end.
    fn wins_at_once(position: &Self, m: Move) -> bool {
        ending::may_end(position, m)
            && position.after(m).outcome() == Some(Outcome::Win(position.turn()))
    }

    fn loses_at_once(position: &Self, m: Move) -> bool {
        ending::loses_at_once(position, m)
    }
}

/// The same number of nodes on every board, so that the top level takes less than a
/// second on the largest.
static LEVELS: [Habits; 8] = [
    Habits::seeing(1, 20_000).blurred(usize::MAX, 3_000).blind(),
    Habits::seeing(1, 20_000).blurred(usize::MAX, 1_000).blind(),
    Habits::seeing(1, 20_000).blurred(24, 300).careless(),
    Habits::seeing(2, 20_000).blurred(16, 430).careless(),
    Habits::seeing(2, 20_000).blurred(10, 200),
    Habits::seeing(2, 20_000).blurred(6, 25),
    Habits::seeing(3, 20_000),
    Habits::seeing(64, 20_000),
];
