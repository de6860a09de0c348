//! Finds puzzles in matches, and proves them.
//!
//! Every seed has a puzzle, the same on every machine: [`Mining`] looks for it in
//! slices, so that a worker can do other things in between. [`prove`] proves a puzzle
//! anew, whoever made it: no other move than that of the solution achieves the goal.
//!
//! ```
//! use miner::{Mining, MiningStep};
//! use search::Slice;
//!
//! let mut mining = Mining::new("takeover", 1).unwrap();
//! let puzzle = loop {
//!     match mining.step(Slice::nodes(1_000)) {
//!         MiningStep::Working => {} // Something else may be done here.
//!         MiningStep::Found(puzzle) => break puzzle,
//!         MiningStep::Exhausted => panic!("every seed has a puzzle"),
//!     }
//! };
//! assert_eq!(miner::prove(&puzzle), Ok(()));
//! ```

mod candidate;
mod forcing;
pub mod lilypads;
mod mined;
mod nonaga;
mod proof;
pub mod shipped;
mod simply_go;
mod takeover;

use bots::WeightFile;
use puzzles::Puzzle;
use search::Slice;

use crate::mined::MatchMining;
pub use crate::proof::{WhyNot, prove};

/// A search for the puzzle of a seed.
///
/// It is a plain value: nothing runs between one [step](Self::step) and the next, and
/// the puzzle does not depend on the slices.
pub struct Mining(Box<dyn AnyMining>);

/// The result of a [step](Mining::step).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MiningStep {
    /// The slice ended; there is more to do.
    Working,
    /// The puzzle.
    Found(Puzzle),
    /// The seed has none.
    Exhausted,
}

/// [`Mining`] of any game.
pub(crate) trait AnyMining {
    fn step(&mut self, slice: Slice<'_>) -> MiningStep;

    /// The file of weights of those who play the matches.
    fn weights(&self) -> Option<&'static WeightFile> {
        None
    }
}

impl Mining {
    /// Starts to look for the puzzle of `seed` in the game called `game`; `None` if there
    /// is no such game.
    #[must_use]
    pub fn new(game: &str, seed: u64) -> Option<Self> {
        Some(Self(match game {
            "lilypads" => Box::new(lilypads::SeedMining::new(seed, None)),
            "nonaga" => Box::new(MatchMining::<::nonaga::Nonaga>::new(seed)),
            "takeover" => Box::new(MatchMining::<::takeover::Takeover>::new(seed)),
            "simply-go" => Box::new(MatchMining::<::simply_go::SimplyGo>::new(seed)),
            _ => return None,
        }))
    }

    /// Starts to look for the puzzle of `seed` with this task in Lilypads.
    #[must_use]
    pub fn lilypads(seed: u64, task: lilypads::Task) -> Self {
        Self(Box::new(lilypads::SeedMining::new(seed, Some(task))))
    }

    /// The file of weights that it needs: without it, a seed leads to another puzzle.
    #[must_use]
    pub fn weights(&self) -> Option<&'static WeightFile> {
        self.0.weights()
    }

    /// Runs one slice.
    pub fn step(&mut self, slice: Slice<'_>) -> MiningStep {
        self.0.step(slice)
    }

    /// Runs to the end; `None` if the seed has no puzzle.
    #[must_use]
    pub fn run(mut self) -> Option<Puzzle> {
        loop {
            match self.step(Slice::WHOLE) {
                MiningStep::Working => {}
                MiningStep::Found(puzzle) => return Some(puzzle),
                MiningStep::Exhausted => return None,
            }
        }
    }
}
