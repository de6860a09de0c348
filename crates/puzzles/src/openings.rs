//! Fair openings of games whose matches all begin in one position.

use rules::parse_decimal;

/// A position after a few random moves from which neither player has an advantage when the engine
/// plays against itself, with the results of these matches.
///
/// `cargo xtask fair nonaga --openings N` selects them; docs/fairness.md reports how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FairOpening {
    /// The seed of the random moves.
    pub number: u64,
    /// Matches that First won.
    pub first: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches that Second won.
    pub second: u32,
    /// The text of the position.
    pub position: &'static str,
}

impl FairOpening {
    /// How far First's share of the points may be off one half, in percent.
    pub const TOLERANCE: u32 = 5;

    /// The fair openings of the game called `game`, in the order of their numbers; none if its
    /// boards are numbered, or if there is no such game.
    #[must_use]
    pub fn all(game: &str) -> Vec<Self> {
        let file = match game {
            "nonaga" => include_str!("../openings/nonaga.txt"),
            "simply-go" => include_str!("../openings/simply-go.txt"),
            _ => "",
        };
        file.lines().filter_map(Self::read).collect()
    }

    fn read(line: &'static str) -> Option<Self> {
        let mut fields = line.splitn(5, ' ');
        let number = parse_decimal(fields.next()?)?;
        let mut next = || parse_decimal(fields.next()?);
        Some(Self {
            number,
            first: next()?,
            draws: next()?,
            second: next()?,
            position: fields.next()?,
        })
    }
}
