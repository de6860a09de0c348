use std::fmt;

use search::{Report, Value};

/// What a bot has found so far, in text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyReport {
    /// How deep it looked.
    pub depth: u32,
    /// How many positions it looked at.
    pub nodes: u64,
    /// The best lines, best first: their value for the player to move, and their
    /// moves.
    pub lines: Vec<(Value, Vec<String>)>,
    /// The share of the work that each move took, in thousandths.
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
