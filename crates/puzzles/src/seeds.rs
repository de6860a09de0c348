use crate::{Progress, Puzzle, PuzzleRating};

/// The number of seeds that are tried for one puzzle.
const MOST_SEEDS: u32 = 8;

/// A search for a new puzzle about as hard as a rating.
///
/// Every seed has a puzzle, but only mining it shows its grade. So a few seeds are mined, one
/// after another, until a grade fits; otherwise the nearest one is taken.
///
/// ```
/// use puzzles::{Progress, PuzzleRating, SeedSearch};
///
/// let mut search = SeedSearch::new(PuzzleRating::default(), Progress::default(), 40);
/// // Somebody mines the puzzles of the seeds. These are of grades 1 and 2.
/// let takeover = puzzles::all("takeover");
/// for index in [0, 80] {
///     assert!(search.next_seed().is_some());
///     search.hear(takeover.get(index));
/// }
/// assert_eq!(search.next_seed(), None);
/// let (seed, puzzle) = search.found().unwrap();
/// assert_eq!((seed, puzzle.grade()), (41, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeedSearch {
    /// `None` if any puzzle will do.
    rating: Option<PuzzleRating>,
    /// The puzzles that are not wanted.
    progress: Progress,
    first: u64,
    n_tried: u32,
    /// The distance of its grade from the rating, its seed, and the puzzle.
    best: Option<(u16, u64, Puzzle)>,
}

impl SeedSearch {
    /// A search for an unsolved puzzle about as hard as `rating`, among those of the seeds from
    /// `seed` on.
    #[must_use]
    pub fn new(rating: PuzzleRating, progress: Progress, seed: u64) -> Self {
        Self {
            rating: Some(rating),
            progress,
            first: seed,
            n_tried: 0,
            best: None,
        }
    }

    /// A search for the puzzle of `seed`, whatever its grade.
    #[must_use]
    pub fn only(seed: u64) -> Self {
        Self {
            rating: None,
            progress: Progress::default(),
            first: seed,
            n_tried: 0,
            best: None,
        }
    }

    /// The seed to mine next; `None` if the search is over.
    #[must_use]
    pub fn next_seed(&self) -> Option<u64> {
        let most = if self.rating.is_some() { MOST_SEEDS } else { 1 };
        let is_open = self.n_tried < most && !self.fits();
        is_open.then(|| self.first.wrapping_add(self.n_tried.into()))
    }

    /// Takes in the puzzle of the last seed, if it has one.
    pub fn hear(&mut self, puzzle: Option<Puzzle>) {
        let Some(seed) = self.next_seed() else {
            return;
        };
        self.n_tried += 1;
        let Some(puzzle) = puzzle.filter(|puzzle| !self.progress.has(puzzle.id())) else {
            return;
        };
        let points = self.rating.map(PuzzleRating::points);
        let distance = points.map_or(0, |points| {
            PuzzleRating::of_grade(puzzle.grade()).abs_diff(points)
        });
        if self.best.as_ref().is_none_or(|(best, ..)| distance < *best) {
            self.best = Some((distance, seed, puzzle));
        }
    }

    /// The best puzzle so far, with its seed.
    #[must_use]
    pub fn found(&self) -> Option<(u64, &Puzzle)> {
        let best = self.best.as_ref();
        best.map(|(_, seed, puzzle)| (*seed, puzzle))
    }

    /// Whether no other grade is nearer to the rating.
    fn fits(&self) -> bool {
        let nearest = self.rating.map(PuzzleRating::nearest_grade);
        let found = self.best.as_ref().map(|(.., puzzle)| puzzle.grade());
        found.is_some_and(|grade| nearest.is_none_or(|nearest| grade == nearest))
    }
}
