use std::ops::{Index, IndexMut};

use super::{Control, Ending, Problem, REPETITIONS_THAT_DRAW, Reason, with_single_spaces};
use crate::{Game, IllegalMove, Outcome};

/// A node of a record's tree of moves: a position, and the line that led to it.
///
/// An id stays valid until its node is [deleted](super::Record::delete), and is not used
/// again after that. The same move played twice from the same node leads to the same id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(usize);

impl NodeId {
    /// The start of the match.
    pub const ROOT: Self = Self(0);

    /// Its number, counted in the order in which nodes were added.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// The moves of a record, main line and variations.
///
/// Nodes are in one list and stay in it when they are deleted, so other ids stay valid.
#[derive(Clone, Debug)]
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node<G>>,
    /// The repetition key of every node that has one, in ascending order, and of nodes with the
    /// same key the oldest first.
    by_key: Vec<(u64, NodeId)>,
}

/// A position and the move that led to it.
#[derive(Clone, Debug)]
pub(super) struct Node<G: Game> {
    pub(super) parent: Option<NodeId>,
    /// The move that led here; none at the root.
    pub(super) m: Option<G::Move>,
    pub(super) position: G,
    /// The next node on this line; none at its end.
    pub(super) main: Option<NodeId>,
    /// Other moves tried, or taken back, here.
    pub(super) variations: Vec<NodeId>,
    pub(super) controls: Vec<Control>,
    pub(super) time_left: Option<u64>,
    /// The comment on the position: words with single spaces.
    pub(super) comment: String,
    is_deleted: bool,
    /// The number of moves that lead here.
    n_moves: usize,
    /// How often this position has occurred from the root to here.
    pub(super) n_occurrences: u32,
}

impl<G: Game> Node<G> {
    fn new(position: G) -> Self {
        Self {
            parent: None,
            m: None,
            position,
            main: None,
            variations: Vec::new(),
            controls: Vec::new(),
            time_left: None,
            comment: String::new(),
            is_deleted: false,
            n_moves: 0,
            n_occurrences: 1,
        }
    }

    /// Sets the comment, with control characters and runs of spaces as single spaces.
    pub(super) fn set_comment(&mut self, comment: &str) {
        self.comment = with_single_spaces(comment);
    }

    /// The ending of a match that ends right here.
    pub(super) fn ending(&self) -> Option<Ending> {
        if self.n_occurrences >= REPETITIONS_THAT_DRAW {
            return Some(Ending {
                outcome: Outcome::Draw,
                reason: Reason::Repetition,
            });
        }
        let by_rules = self.position.outcome().map(|outcome| Ending {
            outcome,
            reason: Reason::Rules,
        });
        // Nothing comes after a control that ends the match.
        by_rules.or_else(|| self.controls.last()?.ending())
    }

    /// Whether the node has annotations besides the move.
    pub(super) fn has_notes(&self) -> bool {
        self.time_left.is_some() || !self.controls.is_empty()
    }

    /// The main line's node first, then the variations.
    pub(super) fn children(&self) -> impl Iterator<Item = NodeId> {
        self.main.into_iter().chain(self.variations.iter().copied())
    }
}

impl<G: Game> Tree<G> {
    pub(super) fn new(position: G) -> Self {
        let key = position.repetition_key();
        Self {
            nodes: vec![Node::new(position)],
            by_key: key.map(|key| (key, NodeId::ROOT)).into_iter().collect(),
        }
    }

    /// Whether there is such a node.
    pub(super) fn contains(&self, id: NodeId) -> bool {
        self.nodes.get(id.0).is_some_and(|node| !node.is_deleted)
    }

    /// All nodes, in the order in which they were added.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &Node<G>> {
        self.nodes.iter().filter(|node| !node.is_deleted)
    }

    /// The nodes from `id` back to the root.
    pub(super) fn line(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |&id| self[id].parent)
    }

    /// The child of `parent` that the move `m` leads to, if it is recorded.
    pub(super) fn find_child(&self, parent: NodeId, m: G::Move) -> Option<NodeId> {
        self[parent].children().find(|&id| self[id].m == Some(m))
    }

    /// Adds the move `m` to `parent` as a variation.
    pub(super) fn add(
        &mut self,
        parent: NodeId,
        m: G::Move,
    ) -> Result<NodeId, IllegalMove<G::Move>> {
        let mut position = self[parent].position.clone();
        position.play(m)?;
        let key = position.repetition_key();
        let mut node = Node::new(position);
        node.parent = Some(parent);
        node.m = Some(m);
        node.n_moves = self[parent].n_moves + 1;
        node.n_occurrences += key.map_or(0, |key| self.n_occurrences(parent, key));
        let id = NodeId(self.nodes.len());
        self.nodes.push(node);
        self[parent].variations.push(id);
        if let Some(key) = key {
            let place = self.by_key.partition_point(|&(known, _)| known <= key);
            // Linear in the moves of a record, rarely thousands; a map is much more WebAssembly.
            self.by_key.insert(place, (key, id));
        }
        Ok(id)
    }

    /// How often a position with this key occurs from the root to `id`.
    fn n_occurrences(&self, id: NodeId, key: u64) -> u32 {
        let end = self.by_key.partition_point(|&(known, _)| known <= key);
        let occurrences = self.by_key[..end].iter().rev();
        let occurrences = occurrences.take_while(|&&(known, _)| known == key);
        // The latest occurrence on the line has the count of the earlier ones.
        occurrences
            .map(|&(_, earlier)| earlier)
            .find(|&earlier| self.leads_to(earlier, id))
            .map_or(0, |earlier| self[earlier].n_occurrences)
    }

    /// Whether the line to `id` goes through `earlier`.
    fn leads_to(&self, earlier: NodeId, id: NodeId) -> bool {
        let n_moves = self[earlier].n_moves;
        self.line(id)
            .take_while(|&id| self[id].n_moves >= n_moves)
            .any(|id| id == earlier)
    }

    /// Adds a control that was parsed, if it is valid there.
    pub(super) fn add_control(&mut self, id: NodeId, control: Control) -> Result<(), Problem> {
        let node = &mut self[id];
        if let Some(ending) = node.ending() {
            return Err(Problem::Over(ending));
        }
        if let Control::TakeBack(player) = control
            && player != node.position.turn()
        {
            return Err(Problem::NothingTakenBack);
        }
        node.controls.push(control);
        Ok(())
    }

    /// Checks that every take-back has a variation that was taken back.
    pub(super) fn check_take_backs(&self) -> Result<(), Problem> {
        let is_wrong = |node: &Node<G>| {
            node.children().next().is_none() && node.controls.iter().any(Control::is_take_back)
        };
        if self.nodes.iter().any(is_wrong) {
            return Err(Problem::NothingTakenBack);
        }
        Ok(())
    }

    /// Makes `id` the next node on its parent's line.
    pub(super) fn promote(&mut self, id: NodeId) {
        let Some(parent) = self[id].parent else {
            return;
        };
        let node = &mut self[parent];
        if node.main != Some(id) {
            node.variations.retain(|&variation| variation != id);
            node.variations.extend(node.main.replace(id));
        }
    }

    /// Deletes `id` and everything after it. The root stays.
    pub(super) fn delete(&mut self, id: NodeId) {
        let Some(parent) = self[id].parent else {
            return;
        };
        let node = &mut self[parent];
        node.main = node.main.filter(|&main| main != id);
        node.variations.retain(|&variation| variation != id);
        if node.children().next().is_none() {
            node.controls.retain(|control| !control.is_take_back());
        }
        let mut deleted = vec![id];
        while let Some(id) = deleted.pop() {
            self[id].is_deleted = true;
            deleted.extend(self[id].children());
        }
    }

    /// Ends the line at `id`; what followed stays as a variation.
    pub(super) fn end_line(&mut self, id: NodeId) {
        let node = &mut self[id];
        node.variations.extend(node.main.take());
    }

    /// Whether `id` is on the main line.
    pub(super) fn is_main(&self, id: NodeId) -> bool {
        self.line(id).all(|id| {
            let parent = self[id].parent;
            parent.is_none_or(|parent| self[parent].main == Some(id))
        })
    }

    /// The last node of the main line.
    pub(super) fn main_line_end(&self) -> NodeId {
        let line = std::iter::successors(Some(NodeId::ROOT), |&id| self[id].main);
        line.last().unwrap_or(NodeId::ROOT)
    }

    /// The node with this number, if there is one.
    pub(super) fn find(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then_some(NodeId(index))
    }

    /// Whether both hold the same moves, controls, comments and clocks in the same order.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((id, other_id)) = pairs.pop() {
            let (a, b) = (&self[id], &other[other_id]);
            let is_same = a.m == b.m
                && a.controls == b.controls
                && a.time_left == b.time_left
                && a.comment == b.comment
                && a.main.is_some() == b.main.is_some()
                && a.variations.len() == b.variations.len();
            if !is_same {
                return false;
            }
            pairs.extend(a.children().zip(b.children()));
        }
        true
    }
}

impl<G: Game> Index<NodeId> for Tree<G> {
    type Output = Node<G>;

    fn index(&self, id: NodeId) -> &Node<G> {
        &self.nodes[id.0]
    }
}

impl<G: Game> IndexMut<NodeId> for Tree<G> {
    fn index_mut(&mut self, id: NodeId) -> &mut Node<G> {
        &mut self.nodes[id.0]
    }
}
