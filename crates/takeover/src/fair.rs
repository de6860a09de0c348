/// The numbers of the fair boards, a line each.
const BOARDS: &str = include_str!("fair-boards.txt");

/// The boards that were selected, with the matches since then that First won, drew and lost.
const FIGURES: &str = include_str!("fair-figures.txt");

/// Boards on which neither player has an advantage when the engine plays against
/// itself. `cargo xtask fair takeover` selects them; docs/fairness.md reports how.
pub(crate) fn boards() -> Vec<u64> {
    let lines = BOARDS.lines();
    lines.filter_map(|line| line.parse().ok()).collect()
}

/// A fair board, with the results of the matches since its selection.
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
    /// How far First's share of the points may be off one half, in percent.
    pub const TOLERANCE: u32 = 5;

    /// All of them, in the order of their numbers.
    ///
    /// Programs that need the numbers only call
    /// [`Game::fair_boards`](rules::Game::fair_boards), which has less text to carry.
    pub fn all() -> impl Iterator<Item = Self> {
        FIGURES.lines().filter_map(Self::read).filter(Self::is_even)
    }

    /// Whether First's share is at most [`TOLERANCE`](Self::TOLERANCE) off one half. It was
    /// when the board was selected, but more matches may show that this was luck.
    fn is_even(&self) -> bool {
        let n_matches = self.first + self.draws + self.second;
        let off = (2 * self.first + self.draws).abs_diff(n_matches);
        100 * off <= 2 * Self::TOLERANCE * n_matches
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
