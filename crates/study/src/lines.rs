use crate::EngineLine;

/// The lines of an engine about one position, as they come in: after every depth all of
/// them again, best first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    whole: Vec<EngineLine>,
    coming: Vec<EngineLine>,
    /// How many there are of every depth.
    n_expected: usize,
}

impl Lines {
    /// None yet; of every depth there will be `n_expected`.
    #[must_use]
    pub fn new(n_expected: usize) -> Self {
        Self {
            n_expected,
            ..Self::default()
        }
    }

    /// Takes in the next line. Returns whether that completes those of a depth.
    pub fn hear(&mut self, line: EngineLine) -> bool {
        if line.number == 1 {
            self.end();
        }
        // A line that is out of order belongs to nothing.
        if line.number == self.coming.len() + 1 {
            self.coming.push(line);
        }
        let is_whole = self.coming.len() >= self.n_expected.max(1);
        if is_whole {
            self.end();
        }
        is_whole
    }

    /// There are no more lines of this depth: a search leaves out moves that it has no need
    /// to look at.
    pub fn end(&mut self) {
        if !self.coming.is_empty() {
            self.whole = std::mem::take(&mut self.coming);
        }
    }

    /// The lines of the last depth that is complete, best first.
    #[must_use]
    pub fn whole(&self) -> &[EngineLine] {
        &self.whole
    }
}
