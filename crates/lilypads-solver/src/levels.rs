//! Levels, from medium to perfect, by limiting what they know of the solution.

use lilypads::{Lilypads, Move};
use rules::Random;

use crate::{ExactValue, Solution, perfect, pips};

/// The lowest level that needs the solution; those below play like beginners.
pub const LOWEST_LEVEL: u8 = 5;

/// The highest level, which plays perfectly.
pub const HIGHEST_LEVEL: u8 = 10;

/// Limits of a level's knowledge.
///
/// A level knows the exact value of a move if the end is within its horizon. It
/// plays the fastest win it knows and avoids the losses it knows; among moves that
/// look equal it plays by the pips. Each level's horizons are at least those of the
/// one below, and its lapses are at most as frequent, so it can't be weaker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// How many plies ahead it knows results.
    pub horizon: u16,
    /// The percentage of turns with a lapse.
    pub lapse_percent: u32,
    /// The horizon during a lapse: the larger, the smaller the errors.
    pub lapse_horizon: u16,
    /// The temperature of the choice by pips; 1 for the classic opponent, higher is
    /// more random.
    pub temperature: u32,
}

/// The handicaps of the levels.
///
/// None misses a win in one; from level 6 on none of the opponent's is allowed if that can be
/// avoided.
const HANDICAPS: [Handicap; (HIGHEST_LEVEL - LOWEST_LEVEL) as usize + 1] = {
    const fn handicap(
        horizon: u16,
        lapse_percent: u32,
        lapse_horizon: u16,
        temperature: u32,
    ) -> Handicap {
        Handicap {
            horizon,
            lapse_percent,
            lapse_horizon,
            temperature,
        }
    }
    [
        handicap(4, 24, 1, 1),
        handicap(6, 22, 2, 1),
        handicap(9, 20, 2, 1),
        handicap(13, 18, 2, 1),
        handicap(u16::MAX, 13, 4, 1),
        handicap(u16::MAX, 0, u16::MAX, 1),
    ]
};

impl Handicap {
    /// The handicap of a level, from [`LOWEST_LEVEL`] to [`HIGHEST_LEVEL`].
    #[must_use]
    pub fn of_level(level: u8) -> Option<Self> {
        let index = level.checked_sub(LOWEST_LEVEL)?;
        HANDICAPS.get(usize::from(index)).copied()
    }
}

/// Chooses a move at the given level, which is clamped to the range of levels.
///
/// `None` if the match is over, or if the position is of another board.
#[must_use]
pub fn choose_at_level(
    solution: &Solution,
    position: &Lilypads,
    level: u8,
    random: &mut Random,
) -> Option<Move> {
    let level = level.clamp(LOWEST_LEVEL, HIGHEST_LEVEL);
    choose(solution, position, Handicap::of_level(level)?, random)
}

/// Chooses a move with this handicap.
#[must_use]
pub fn choose(
    solution: &Solution,
    position: &Lilypads,
    handicap: Handicap,
    random: &mut Random,
) -> Option<Move> {
    let has_lapse = random.below(100) < handicap.lapse_percent;
    let horizon = if has_lapse {
        handicap.lapse_horizon
    } else {
        handicap.horizon
    };
    if horizon == u16::MAX {
        return perfect::choose(solution, position, random);
    }
    // Results beyond the horizon look like a draw.
    let moves: Vec<_> = solution
        .moves(position)
        .into_iter()
        .map(|(m, value)| {
            if value.plies() <= horizon {
                (m, value)
            } else {
                (m, ExactValue::Draw)
            }
        })
        .collect();
    let best = moves.iter().map(|&(_, value)| value).max()?;
    let is_best = |&(_, value): &(Move, ExactValue)| value == best;
    let best: Vec<_> = moves.into_iter().filter(is_best).map(|(m, _)| m).collect();
    pips::choose(
        solution.board(),
        position,
        &best,
        handicap.temperature,
        random,
    )
}
