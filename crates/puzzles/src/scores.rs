use crate::{Attempt, AttemptTally, Collection, Progress, PuzzleId, PuzzleRating};

/// What somebody has achieved in the puzzles of one game.
///
/// A puzzle is rated once: at the first wrong try, when the solution is shown, or when it is solved,
/// whichever comes first. So neither a reload nor another visit rates it again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scores {
    /// How good they are.
    pub rating: PuzzleRating,
    /// The puzzles they have solved.
    pub solved: Progress,
    /// The puzzles that were rated and not solved then. What is solved was rated as well.
    pub rated: Progress,
}

/// How an attempt was rated so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rated {
    /// The rating before it.
    before: PuzzleRating,
    /// The effort that was rated.
    tally: AttemptTally,
}

impl Scores {
    /// Whether a puzzle was rated: it does not count again.
    #[must_use]
    pub fn has_rated(&self, id: PuzzleId) -> bool {
        self.solved.has(id) || self.rated.has(id)
    }

    /// Rates an attempt as it stands. `rated` is what this returned for it before. An attempt
    /// with a wrong try counts as a failure until it is solved.
    pub fn rate(&mut self, attempt: &Attempt, rated: Option<Rated>) -> Option<Rated> {
        let id = attempt.puzzle().id();
        let grade = attempt.puzzle().grade();
        let tally = attempt.tally();
        let is_solved = attempt.is_over() && !tally.is_revealed;
        let has_failed = tally.wrong_tries > 0 || tally.is_revealed;
        if !is_solved && !has_failed {
            return rated;
        }
        let tally = AttemptTally {
            is_revealed: !is_solved,
            ..tally
        };
        let rated = match rated {
            Some(Rated { before, tally: old }) => {
                self.rating = self.rating.revised(before, grade, [old, tally]);
                Some(before)
            }
            None if self.has_rated(id) => None,
            None => {
                let before = self.rating;
                self.rating = before.after(grade, tally);
                Some(before)
            }
        };
        if is_solved {
            self.solved.insert(id);
        } else {
            self.rated.insert(id);
        }
        rated.map(|before| Rated { before, tally })
    }

    /// The index of a puzzle about as hard as the rating: one that was not rated yet, or else
    /// one that is unsolved; `None` if all are solved. `seed` chooses among equally hard ones.
    #[must_use]
    pub fn next(&self, collection: &Collection, seed: u64) -> Option<usize> {
        let mut seen = self.solved.clone();
        seen.extend(&self.rated);
        let fresh = self.rating.next(collection, &seen, seed);
        fresh.or_else(|| self.rating.next(collection, &self.solved, seed))
    }
}

impl Rated {
    /// The rating before the attempt.
    #[must_use]
    pub fn before(self) -> PuzzleRating {
        self.before
    }
}
