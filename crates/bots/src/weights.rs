//! Files of weights, which a program may be built without.
//!
//! With the feature `weights` they are part of the program. The page's worker is built
//! without it, fetches a file when a match needs it, and hands it in with
//! [`WeightFile::load`]. Until then [guides](Bots::guide) use a small evaluation.

use std::fmt;

use crate::{Bots, Opponent, checksum::checksum};

/// A file of weights.
#[derive(Debug)]
pub struct WeightFile {
    name: &'static str,
    stamp: Stamp,
    /// Takes in the content; false if it has another form.
    read: fn(&[u8]) -> bool,
}

/// What is known of a file in advance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    size: usize,
    checksum: u64,
}

impl Stamp {
    pub(crate) const fn new(size: usize, checksum: u64) -> Self {
        Self { size, checksum }
    }
}

impl WeightFile {
    pub(crate) const fn new(name: &'static str, stamp: Stamp, read: fn(&[u8]) -> bool) -> Self {
        Self { name, stamp, read }
    }

    /// What it is called, such as `ataxx`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.stamp.size
    }

    /// The name under which the page's server has it, with the checksum of its content:
    /// the files of two versions are never mixed up.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}-{:016x}.weights", self.name, self.stamp.checksum)
    }

    /// Takes in the content of the file. It is used from the next
    /// [guide](crate::Bots::guide) on.
    ///
    /// # Errors
    ///
    /// Returns [`DamagedWeights`] if it is not that of this version.
    pub fn load(&self, content: &[u8]) -> Result<(), DamagedWeights> {
        let is_whole = content.len() == self.stamp.size && checksum(content) == self.stamp.checksum;
        (is_whole && (self.read)(content))
            .then_some(())
            .ok_or(DamagedWeights)
    }
}

/// Error when [loading](WeightFile::load) weights that were damaged on their way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DamagedWeights;

impl fmt::Display for DamagedWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the checksum of the weights is wrong")
    }
}

impl std::error::Error for DamagedWeights {}

/// The file that `opponent` needs in `position`, if it searches with weights from one.
#[must_use]
pub fn needed_weights<G: Bots>(position: &G, opponent: Opponent) -> Option<&'static WeightFile> {
    let searches = match opponent {
        Opponent::Engine => true,
        Opponent::Level(level) => {
            G::beginner(position, level).is_none() && G::habits(position, level).is_some()
        }
        Opponent::Random | Opponent::Classic | Opponent::Model(_) | Opponent::Perfect => false,
    };
    G::weights(position).filter(|_| searches)
}
