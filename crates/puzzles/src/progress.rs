use std::{collections::BTreeSet, fmt, str::FromStr};

use crate::PuzzleId;

/// A set of puzzles, such as those that somebody has solved.
///
/// The text form is their ids, sorted, with spaces between.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress(BTreeSet<PuzzleId>);

impl Progress {
    /// Whether a puzzle is solved.
    #[must_use]
    pub fn has(&self, id: PuzzleId) -> bool {
        self.0.contains(&id)
    }

    /// Adds a puzzle. Returns whether it is new.
    pub fn insert(&mut self, id: PuzzleId) -> bool {
        self.0.insert(id)
    }

    /// Adds all puzzles of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// The number of puzzles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, id) in self.0.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{id}")?;
        }
        Ok(())
    }
}

/// Error when parsing a [`PuzzleId`] or a [`Progress`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected ids of puzzles such as 0a1b2c3d, sorted, with spaces between")]
pub struct ParseProgressError;

impl FromStr for PuzzleId {
    type Err = ParseProgressError;

    fn from_str(text: &str) -> Result<Self, ParseProgressError> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number = u32::from_str_radix(text, 16);
        match number {
            Ok(number) if text.len() == 8 && text.bytes().all(is_digit) => Ok(Self(number)),
            _ => Err(ParseProgressError),
        }
    }
}

impl FromStr for Progress {
    type Err = ParseProgressError;

    fn from_str(text: &str) -> Result<Self, ParseProgressError> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let ids: Result<Vec<PuzzleId>, _> = text.split(' ').map(str::parse).collect();
        let ids = ids?;
        if ids.is_sorted_by(|a, b| a < b) {
            Ok(Self(ids.into_iter().collect()))
        } else {
            Err(ParseProgressError)
        }
    }
}
