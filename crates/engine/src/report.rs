use std::fmt;

use search::{Report, Value};

/// A search report of any game, with moves as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyReport {
    /// The depth reached.
    pub depth: u32,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The best lines, best first: value for the player to move, and moves.
    pub lines: Vec<(Value, Vec<String>)>,
    /// The share of the nodes spent on each move, in thousandths.
    pub effort: Vec<(String, u32)>,
}

impl<M: fmt::Display> From<&Report<M>> for AnyReport {
    fn from(report: &Report<M>) -> Self {
        let texts = |moves: &[M]| moves.iter().map(ToString::to_string).collect();
        let lines = report.lines.iter();
        let effort = report.effort.iter();
        Self {
            depth: report.depth,
            nodes: report.nodes,
            lines: lines.map(|line| (line.value, texts(&line.moves))).collect(),
            effort: effort.map(|(m, share)| (m.to_string(), *share)).collect(),
        }
    }
}
