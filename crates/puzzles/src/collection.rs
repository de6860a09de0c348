use crate::{Puzzle, PuzzleId, puzzle};

/// The puzzles of a game that are shipped, the easiest first.
///
/// Puzzles are parsed when they are asked for: a page shows one at a time.
#[derive(Clone, Debug)]
pub struct Collection {
    game: &'static str,
    lines: Vec<&'static str>,
}

/// The puzzles of the game called `game`; none if there is no such game.
#[must_use]
pub fn all(game: &str) -> Collection {
    let (game, file) = match game {
        "lilypads" => ("lilypads", include_str!("../files/lilypads.txt")),
        "nonaga" => ("nonaga", include_str!("../files/nonaga.txt")),
        "takeover" => ("takeover", include_str!("../files/takeover.txt")),
        "simply-go" => ("simply-go", include_str!("../files/simply-go.txt")),
        _ => ("", ""),
    };
    Collection {
        game,
        lines: file.lines().collect(),
    }
}

impl Collection {
    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The number of puzzles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The puzzle with this index; `None` if there are fewer.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Puzzle> {
        // A test parses every line.
        Puzzle::read(self.game, self.lines.get(index)?).ok()
    }

    /// The grade of the puzzle with this index.
    #[must_use]
    pub fn grade(&self, index: usize) -> Option<u8> {
        let (grade, _) = self.lines.get(index)?.split_once(' ')?;
        rules::parse_decimal(grade)
    }

    /// Identifies the puzzle with this index.
    #[must_use]
    pub fn id(&self, index: usize) -> Option<PuzzleId> {
        let mut parts = self.lines.get(index)?.splitn(3, ' ').skip(1);
        let goal = parts.next()?;
        let (position, _) = parts.next()?.split_once(" = ")?;
        Some(puzzle::id(self.game, goal, position))
    }

    /// The index of the puzzle with this id.
    #[must_use]
    pub fn find(&self, id: PuzzleId) -> Option<usize> {
        (0..self.len()).find(|&index| self.id(index) == Some(id))
    }

    /// All puzzles, in order.
    pub fn iter(&self) -> impl Iterator<Item = Puzzle> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}
