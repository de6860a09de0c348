use crate::Value;

/// The result of a search, final or so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The depth reached.
    pub depth: u32,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The best lines, best first; as many as were requested.
    pub lines: Vec<Line<M>>,
    /// The share of the nodes spent on each root move, in thousandths.
    pub effort: Vec<(M, u32)>,
}

/// A principal variation and its value.
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
