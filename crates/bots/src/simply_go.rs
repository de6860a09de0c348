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

pub use self::guide::{CountWeights, N_COUNTS, Sight, SimplyGoGuide, counts};
use crate::{Beginner, Bots, Level, level::Habits};

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

    fn beginner(_: &Self, level: Level) -> Option<&'static Beginner> {
        BEGINNERS.get(level.index())
    }

    fn greed(position: &Self, m: Move) -> i32 {
        // Captures, and else a stone that touches one of the opponent's.
        let Move::Place(point) = m else {
            return -1;
        };
        let turn = position.turn();
        let n_captures = position.after(m).n_captures(turn) - position.n_captures(turn);
        let stones = position.stones(!turn);
        let mut neighbors = point.neighbors(position.size());
        let touches = neighbors.any(|neighbor| stones.contains(neighbor));
        10 * i32::from(n_captures) + i32::from(touches)
    }

    fn lead(position: &Self) -> i32 {
        let turn = position.turn();
        i32::from(position.n_captures(turn)) - i32::from(position.n_captures(!turn))
    }

    fn habits(_: &Self, level: Level) -> Option<&'static Habits> {
        LEVELS.get(level.index().checked_sub(N_BEGINNERS)?)
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

/// The number of levels below those that search.
const N_BEGINNERS: usize = 3;

static BEGINNERS: [Beginner; N_BEGINNERS] = [
    Beginner::new(80, 0, 0).rallying(2, 100),
    Beginner::new(55, 0, 41).seeing(6),
    Beginner::new(100, 100, 56).seeing(8),
];

/// The same number of nodes on every board, so that the top level takes less than a
/// second on the largest.
static LEVELS: [Habits; Level::TOP as usize - N_BEGINNERS] = [
    Habits::seeing(1, 20_000)
        .blurred(usize::MAX, 640)
        .careless(),
    Habits::seeing(1, 20_000)
        .blurred(usize::MAX, 330)
        .careless(),
    Habits::seeing(1, 20_000).blurred(16, 640),
    Habits::seeing(1, 20_000).blurred(16, 90),
    Habits::seeing(2, 20_000).blurred(10, 300),
    Habits::seeing(2, 20_000).blurred(10, 30),
    Habits::seeing(64, 20_000),
];
