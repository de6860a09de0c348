//! The moves of a match as a list: rows of two, with the variations between them.

use catalog::AnyMatch;
use rules::{Player, record::NodeId};

use crate::Sitting;

/// A move in the list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ListedMove {
    /// The node that it led to.
    pub node: NodeId,
    /// The move as people read it.
    pub text: String,
    /// The player who made it.
    pub player: Player,
    /// Whether it led to the position that is looked at.
    pub is_current: bool,
    /// Whether it was taken back, and can be made again.
    pub is_undone: bool,
    /// Whether a hint was taken before it.
    pub has_hint: bool,
}

/// A row of the list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MoveRow {
    /// Two moves of the match: one of each player, or a turn of two.
    Match {
        /// The number of the row, from 1.
        number: usize,
        /// One or two moves.
        moves: Vec<ListedMove>,
    },
    /// Another line, which leaves the match in the row above it.
    Variation {
        /// The number of the row that its first move would stand in.
        number: usize,
        /// How many lines it is away from the match: 1 or more.
        depth: usize,
        /// Its moves, without variations of its own.
        moves: Vec<ListedMove>,
    },
}

impl MoveRow {
    /// The moves of the row.
    #[must_use]
    pub fn moves(&self) -> &[ListedMove] {
        match self {
            Self::Match { moves, .. } | Self::Variation { moves, .. } => moves,
        }
    }
}

impl Sitting {
    /// The list of moves: the line of the match up to what was taken back, and every
    /// variation once.
    #[must_use]
    pub fn move_list(&self) -> Vec<MoveRow> {
        MoveRow::list(self.record(), self.live(), self.tip())
    }
}

impl MoveRow {
    /// The list of the moves of `record`: the line up to `tip`, of which those after
    /// `live` were taken back, and every variation once.
    #[must_use]
    pub fn list(record: &dyn AnyMatch, live: NodeId, tip: NodeId) -> Vec<Self> {
        let line = record.line(tip);
        let n_played = record.line(live).len();
        let listed = |index: usize| {
            let mut m = listed_move(record, line[index])?;
            m.is_undone = index >= n_played;
            Some(m)
        };
        let mut rows = Vec::new();
        for first in (1..line.len()).step_by(2) {
            let indices = first..(first + 2).min(line.len());
            rows.push(Self::Match {
                number: first.div_ceil(2),
                moves: indices.clone().filter_map(listed).collect(),
            });
            for index in indices {
                add_variations(record, line[index - 1], Some(line[index]), index, &mut rows);
            }
        }
        // What once came after the line is a variation as well.
        if let Some(&end) = line.last() {
            add_variations(record, end, None, line.len(), &mut rows);
        }
        rows
    }
}

fn listed_move(record: &dyn AnyMatch, node: NodeId) -> Option<ListedMove> {
    let before = record.ancestors(node).first().copied()?;
    Some(ListedMove {
        node,
        text: record.notation(node)?,
        player: record.turn_at(before)?,
        is_current: node == record.cursor(),
        is_undone: false,
        has_hint: record.has_hint_at(before),
    })
}

/// Adds the lines that leave from `parent` other than by `except`, each followed by
/// its own variations. `ply` is that of their first moves, from 1.
fn add_variations(
    record: &dyn AnyMatch,
    parent: NodeId,
    except: Option<NodeId>,
    ply: usize,
    rows: &mut Vec<MoveRow>,
) {
    // The variation to be written next is the last one.
    let others = |parent: NodeId, except: Option<NodeId>, ply: usize, depth: usize| {
        let children = record.children(parent).into_iter().rev();
        let others = children.filter(move |&child| Some(child) != except);
        others.map(move |child| (child, ply, depth))
    };
    let mut waiting: Vec<_> = others(parent, except, ply, 1).collect();
    while let Some((first, ply, depth)) = waiting.pop() {
        let line: Vec<_> = std::iter::successors(Some(first), |&node| record.next(node)).collect();
        rows.push(MoveRow::Variation {
            number: ply.div_ceil(2),
            depth,
            moves: line
                .iter()
                .filter_map(|&node| listed_move(record, node))
                .collect(),
        });
        for (index, step) in line.windows(2).enumerate().rev() {
            waiting.extend(others(step[0], Some(step[1]), ply + index + 1, depth + 1));
        }
        // A line that was taken back from its end has nothing main after it.
        if let Some(&end) = line.last() {
            waiting.extend(others(end, None, ply + line.len(), depth + 1));
        }
    }
}
