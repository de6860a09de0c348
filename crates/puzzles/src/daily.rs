//! The puzzle and the start of a date, the same for everybody, without a server.

use catalog::{AnyMatch, CatalogError};
use rules::{Values, mix};

use crate::{Collection, FairOpening, all};

/// A day, counted from 1 January 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Day(pub u32);

impl Day {
    /// The day of puzzle number 1: 1 January 2026.
    pub const FIRST: Self = Self(20_454);

    /// The day at a time in seconds since 1970, for somebody whose clock is so many
    /// minutes ahead of UTC.
    #[must_use]
    pub fn at(seconds: i64, minutes_ahead: i32) -> Self {
        let local = seconds.saturating_add(i64::from(minutes_ahead) * 60);
        Self(u32::try_from(local.div_euclid(86_400)).unwrap_or(0))
    }

    /// The number of its daily puzzles, counted from 1. Days before the first one have
    /// its number.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0.saturating_sub(Self::FIRST.0) + 1
    }
}

/// The index of the daily puzzle in the [collection](all) of a game; `None` if that is
/// empty. None comes twice before all have come once.
#[must_use]
pub fn daily(game: &str, day: Day) -> Option<usize> {
    daily_index(&all(game), day)
}

fn daily_index(collection: &Collection, day: Day) -> Option<usize> {
    choose(collection.game(), collection.len(), day)
}

/// A start that is fair: neither player has an advantage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FairStart {
    /// The board with this number, one of the [fair ones](catalog::AnyGame::fair_boards).
    Board(u64),
    /// A position, where all matches begin alike.
    Opening(FairOpening),
}

impl FairStart {
    /// A match of the game called `game` that begins there.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`] if it is a start of another game.
    pub fn start(self, game: &str) -> Result<Box<dyn AnyMatch>, CatalogError> {
        let game = catalog::find(game)?;
        match self {
            Self::Opening(opening) => game.start_from(opening.position),
            Self::Board(number) => {
                let number = number.to_string();
                let options = game.options().into_iter();
                let choices: Vec<(&str, &str)> = options
                    .filter(|option| option.values == Values::Number)
                    .map(|option| (option.name, &*number))
                    .collect();
                game.start(&choices)
            }
        }
    }
}

/// The fair start of the day: a board if the game has [fair ones](catalog::AnyGame::fair_boards),
/// or else an [opening](FairOpening); `None` if there is no such game.
#[must_use]
pub fn daily_start(game: &str, day: Day) -> Option<FairStart> {
    let boards = catalog::find(game).ok()?.fair_boards();
    if let Some(index) = choose(game, boards.len(), day) {
        return boards.get(index).copied().map(FairStart::Board);
    }
    let openings = FairOpening::all(game);
    let opening = openings.get(choose(game, openings.len(), day)?)?;
    Some(FairStart::Opening(*opening))
}

/// An index below `len`. Steps of about the golden ratio from one day to the next
/// spread well over a sorted list, and reach everything since they are coprime to `len`.
fn choose(game: &str, len: usize, day: Day) -> Option<usize> {
    let len = u64::try_from(len).ok().filter(|&len| len > 0)?;
    let golden = (len * 618 / 1000).max(1);
    let step = (golden..).find(|&step| gcd(step, len) == 1)?;
    let offset = game
        .bytes()
        .fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    let index = (offset % len + u64::from(day.0) % len * (step % len)) % len;
    usize::try_from(index).ok()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Day, choose};

    #[test]
    fn nothing_comes_twice_before_all_came_once() {
        for len in (1..60).chain([399, 400, 401]) {
            for first in [0, 20_454, u32::MAX - 1000] {
                let days = (0..len as u32).map(|n| Day(first + n));
                let chosen: HashSet<_> = days.map(|day| choose("nonaga", len, day)).collect();
                assert_eq!(chosen.len(), len, "{len}");
                assert!(chosen.iter().all(|index| index.is_some_and(|i| i < len)));
            }
        }
        assert_eq!(choose("nonaga", 0, Day(7)), None);
    }

    #[test]
    fn days_begin_at_midnight_where_one_is() {
        // 15 November 2026, 23:30 UTC.
        let seconds = 1_794_785_400;
        assert_eq!(Day::at(seconds, 0).number(), 319);
        assert_eq!(Day::at(seconds, 540).number(), 320);
        assert_eq!(Day::at(seconds, -300).number(), 319);
        assert_eq!(Day::at(-1, 0), Day(0));
        assert_eq!(Day(0).number(), 1);
        assert_eq!(Day::FIRST.number(), 1);
        assert_eq!(Day(u32::MAX).number(), u32::MAX - Day::FIRST.0 + 1);
    }
}
