/// The numbers of the fair boards, a line each.
const BOARDS: &str = include_str!("fair-boards.txt");

/// The same boards with the matches that First won, drawn and lost.
const FIGURES: &str = include_str!("fair-figures.txt");

/// Boards on which neither player has an advantage when the engine plays against
/// itself. `cargo xtask fair takeover` selects them; docs/fairness.md reports how.
pub(crate) fn boards() -> Vec<u64> {
    let lines = BOARDS.lines();
    lines.filter_map(|line| line.parse().ok()).collect()
}

/// A fair board, with the results of matches that had no part in its selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FairBoard {
    /// The board's number.
    pub number: u64,
    /// Matches that First won.
    pub first: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches that Second won.
    pub second: u32,
}

impl FairBoard {
    /// All of them, in the order of their numbers.
    ///
    /// Programs that need the numbers only call
    /// [`Game::fair_boards`](rules::Game::fair_boards), which has less text to carry.
    pub fn all() -> impl Iterator<Item = Self> {
        FIGURES.lines().filter_map(Self::read)
    }

    fn read(line: &str) -> Option<Self> {
        let mut numbers = line.split(' ');
        let number = numbers.next()?.parse().ok()?;
        let mut next = || numbers.next()?.parse().ok();
        Some(Self {
            number,
            first: next()?,
            draws: next()?,
            second: next()?,
        })
    }
}
