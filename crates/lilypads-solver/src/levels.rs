//! Opponents of eight strengths, each with a budget of errors.

use lilypads::{Lilypads, Move};
use rules::Random;

use crate::{ExactValue, Solution, perfect, pips};

/// The highest level, which plays perfectly.
pub const HIGHEST_LEVEL: u8 = 8;

/// What a level sees, and how often it looks away.
///
/// Of every move it knows the truth if the end is no further than it sees. It
/// takes the soonest win it knows and avoids the losses it knows; among what it
/// can't tell apart it goes by the pips. Each level sees as far as the one below
/// or farther, and looks away as often or less, so it can't be the weaker one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// How many plies ahead it sees an end.
    pub sees: u16,
    /// In how many of a hundred turns it looks away.
    pub looks_away: u32,
    /// How many plies ahead it sees even then: the larger, the smaller its errors.
    pub still_sees: u16,
    /// How little it minds pips; 1 for the classic opponent, more for one who minds
    /// them less.
    pub softness: u32,
}

/// The handicaps of levels 1 to 8.
///
/// From level 3 on a win in one is never missed, from level 5 on one of the
/// opponent's never allowed if it can be helped.
const HANDICAPS: [Handicap; HIGHEST_LEVEL as usize] = {
    const fn handicap(sees: u16, looks_away: u32, still_sees: u16, softness: u32) -> Handicap {
        Handicap {
            sees,
            looks_away,
            still_sees,
            softness,
        }
    }
    [
        handicap(1, 80, 0, 6),
        handicap(1, 60, 0, 3),
        handicap(2, 50, 1, 2),
        handicap(2, 40, 1, 1),
        handicap(4, 20, 2, 1),
        handicap(8, 18, 2, 1),
        handicap(u16::MAX, 16, 4, 1),
        handicap(u16::MAX, 0, u16::MAX, 1),
    ]
};

impl Handicap {
    /// The handicap of a level, from 1 to [`HIGHEST_LEVEL`].
    #[must_use]
    pub fn of_level(level: u8) -> Option<Self> {
        HANDICAPS.get(usize::from(level).checked_sub(1)?).copied()
    }
}

/// Chooses a move as a player of the given level does; one above the highest is
/// the highest, one below the lowest the lowest.
///
/// `None` if the match is over, or if the position is of another board.
#[must_use]
pub fn choose_at_level(
    solution: &Solution,
    position: &Lilypads,
    level: u8,
    random: &mut Random,
) -> Option<Move> {
    let level = level.clamp(1, HIGHEST_LEVEL);
    choose(solution, position, Handicap::of_level(level)?, random)
}

/// Chooses a move as a player with this handicap does.
#[must_use]
pub fn choose(
    solution: &Solution,
    position: &Lilypads,
    handicap: Handicap,
    random: &mut Random,
) -> Option<Move> {
    let looks_away = random.below(100) < handicap.looks_away;
    let sees = if looks_away {
        handicap.still_sees
    } else {
        handicap.sees
    };
    if sees == u16::MAX {
        return perfect::choose(solution, position, random);
    }
    // What is too far away looks like a draw.
    let moves: Vec<_> = solution
        .moves(position)
        .into_iter()
        .map(|(m, value)| {
            if value.plies() <= sees {
                (m, value)
            } else {
                (m, ExactValue::Draw)
            }
        })
        .collect();
    let best = moves.iter().map(|&(_, value)| value).max()?;
    let is_best = |&(_, value): &(Move, ExactValue)| value == best;
    let best: Vec<_> = moves.into_iter().filter(is_best).map(|(m, _)| m).collect();
    pips::choose(solution.board(), position, &best, handicap.softness, random)
}
