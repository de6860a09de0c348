use crate::Value;

/// What a search has found, or has found so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// How deep it looked.
    pub depth: u32,
    /// How many positions it looked at.
    pub nodes: u64,
    /// The best lines, best first: as many as were asked for.
    pub lines: Vec<Line<M>>,
    /// The share of the nodes that each move of the root took, in thousandths.
    pub effort: Vec<(M, u32)>,
}

/// A line of play and what it comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// Its value for the player to move at the root.
    pub value: Value,
    /// The moves, at least one.
    pub moves: Vec<M>,
}

impl<M: Copy> Report<M> {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.lines.first()?.moves.first().copied()
    }

    /// The value of the best move.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        self.lines.first().map(|line| line.value)
    }
}
