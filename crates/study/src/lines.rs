use crate::EngineLine;

/// Collects the lines of an engine about one position. An engine reports all of them after every
/// depth, best first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    whole: Vec<EngineLine>,
    coming: Vec<EngineLine>,
    /// The number of lines at every depth.
    n_expected: usize,
}

impl Lines {
    /// Expects `n_expected` lines at every depth.
    #[must_use]
    pub fn new(n_expected: usize) -> Self {
        Self {
            n_expected,
            ..Self::default()
        }
    }

    /// Adds the next line. Returns whether it completes a depth, or shows that the one before was
    /// complete.
    pub fn hear(&mut self, line: EngineLine) -> bool {
        let was_whole = line.number == 1 && !self.coming.is_empty();
        if was_whole {
            self.end();
        }
        // Lines out of order are ignored.
        if line.number == self.coming.len() + 1 {
            self.coming.push(line);
        }
        let is_whole = self.coming.len() >= self.n_expected.max(1);
        if is_whole {
            self.end();
        }
        is_whole || was_whole
    }

    /// Completes the current depth with fewer lines: a search skips moves that it need not examine.
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

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::{EngineLine, Evaluation};

    fn line(number: usize, depth: u32) -> EngineLine {
        EngineLine {
            number,
            depth,
            nodes: 1,
            evaluation: Evaluation::Draw,
            moves: vec!["a1".to_owned()],
        }
    }

    #[test]
    fn a_depth_is_whole_with_its_last_line_or_the_next_first_one() {
        let mut lines = Lines::new(2);
        let depths = |lines: &Lines| {
            lines
                .whole()
                .iter()
                .map(|line| line.depth)
                .collect::<Vec<_>>()
        };
        assert!(!lines.hear(line(1, 1)));
        assert!(lines.hear(line(2, 1)));
        assert_eq!(depths(&lines), [1, 1]);
        // A search may skip moves.
        assert!(!lines.hear(line(1, 2)));
        assert_eq!(depths(&lines), [1, 1]);
        assert!(lines.hear(line(1, 3)));
        assert_eq!(depths(&lines), [2]);
        assert!(!lines.hear(line(4, 3)), "it is out of order");
        lines.end();
        assert_eq!(depths(&lines), [3]);
    }
}
