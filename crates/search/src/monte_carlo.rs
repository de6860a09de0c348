//! Monte Carlo tree search.

use rules::{Outcome, Player, Position, Random};

use crate::{Limits, Line, Report, Stop, Value};

/// What a Monte Carlo search has to know about a game beyond its rules.
pub trait Playouts<P: Position>: Sync {
    /// Appends the moves worth a look, each with how likely it is to be the best,
    /// in any unit: only their proportions count. At least one.
    fn moves_into(&self, position: &P, moves: &mut Vec<(P::Move, u32)>);

    /// What the first player can expect from `position`, from 0 to 1: the result
    /// of a match that is played out, or an estimate.
    fn expectation(&self, position: &P, random: &mut Random) -> f32;
}

/// A Monte Carlo tree search: the tree grows where it is promising, by how moves
/// have done and how likely they looked at first (PUCT).
///
/// It uses no function that platforms round differently, so the same seed and
/// number of nodes give the same answer everywhere.
pub struct MonteCarlo<'a, G> {
    /// What it knows of the game.
    pub playouts: &'a G,
    /// What random choices are made from.
    pub seed: u64,
    /// How many of the best lines to tell.
    pub n_lines: usize,
    /// How curious it is, in hundredths: the larger, the more widely it looks.
    pub curiosity: u32,
}

/// A move that was looked at, and what came of it.
struct Node<M> {
    m: Option<M>,
    /// Whose move led here.
    mover: Player,
    /// How likely it looked, all siblings together being 1.
    prior: f32,
    n_visits: u32,
    /// What the first player got, added up.
    sum: f32,
    /// Where its children are in the list.
    children: std::ops::Range<u32>,
    outcome: Option<Outcome>,
    is_expanded: bool,
}

const ROOT: usize = 0;

/// The tree may take so many nodes.
const MOST_NODES: usize = 4_000_000;

impl<G> MonteCarlo<'_, G> {
    /// Searches `position`, and tells `report` now and then.
    ///
    /// `None` if the game is over.
    pub fn search<P: Position>(
        &self,
        position: &P,
        limits: Limits,
        stop: &dyn Stop,
        report: &mut dyn FnMut(&Report<P::Move>),
    ) -> Option<Report<P::Move>>
    where
        G: Playouts<P>,
    {
        if position.outcome().is_some() {
            return None;
        }
        let mut tree = Tree {
            nodes: vec![Node {
                m: None,
                mover: !position.turn(),
                prior: 1.0,
                n_visits: 0,
                sum: 0.0,
                children: 0..0,
                outcome: None,
                is_expanded: false,
            }],
            curiosity: self.curiosity as f32 / 100.0,
            moves: Vec::new(),
        };
        let mut random = Random::new(self.seed);
        // Without a playout there would be no move to tell.
        let most = limits.nodes.unwrap_or(u64::MAX).max(1);
        let mut next_report = 128;
        let mut n_playouts = 0;
        while n_playouts < most && tree.nodes.len() < MOST_NODES {
            tree.playout(self.playouts, position, &mut random);
            n_playouts += 1;
            if stop.is_set() {
                break;
            }
            if n_playouts == next_report {
                report(&tree.report(n_playouts, self.n_lines));
                next_report *= 2;
                if !stop.allows_next_depth() {
                    break;
                }
            }
        }
        let found = tree.report(n_playouts, self.n_lines);
        report(&found);
        Some(found)
    }
}

struct Tree<M> {
    nodes: Vec<Node<M>>,
    curiosity: f32,
    moves: Vec<(M, u32)>,
}

impl<M: Copy + Eq> Tree<M> {
    /// Goes down the tree to a new node, finds what to expect there, and adds it
    /// to all nodes on the way.
    fn playout<P: Position<Move = M>>(
        &mut self,
        playouts: &impl Playouts<P>,
        position: &P,
        random: &mut Random,
    ) {
        let mut position = position.clone();
        let mut path = vec![ROOT];
        let mut id = ROOT;
        loop {
            if self.nodes[id].outcome.is_some() {
                break;
            }
            if !self.nodes[id].is_expanded {
                // A node is looked into when it is visited again.
                if id != ROOT && self.nodes[id].n_visits == 0 {
                    break;
                }
                self.expand(id, playouts, &position);
            }
            id = self.choose(id);
            let m = self.nodes[id].m.expect("only the root has no move");
            position.play_unchecked(m);
            path.push(id);
            if self.nodes[id].n_visits == 0 {
                self.nodes[id].outcome = position.outcome();
            }
        }
        let expectation = match self.nodes[id].outcome {
            Some(Outcome::Win(Player::First)) => 1.0,
            Some(Outcome::Win(Player::Second)) => 0.0,
            Some(Outcome::Draw) => 0.5,
            None => playouts.expectation(&position, random),
        };
        for id in path {
            let node = &mut self.nodes[id];
            node.n_visits += 1;
            node.sum += expectation;
        }
    }

    fn expand<P: Position<Move = M>>(
        &mut self,
        id: usize,
        playouts: &impl Playouts<P>,
        position: &P,
    ) {
        let mut moves = std::mem::take(&mut self.moves);
        playouts.moves_into(position, &mut moves);
        // The likeliest first, so that a glance along the list finds them.
        moves.sort_by_key(|&(_, share)| std::cmp::Reverse(share));
        let total: u64 = moves.iter().map(|&(_, share)| u64::from(share)).sum();
        let start = self.nodes.len() as u32;
        let mover = position.turn();
        for &(m, share) in &moves {
            self.nodes.push(Node {
                m: Some(m),
                mover,
                prior: share as f32 / total.max(1) as f32,
                n_visits: 0,
                sum: 0.0,
                children: 0..0,
                outcome: None,
                is_expanded: false,
            });
        }
        moves.clear();
        self.moves = moves;
        let end = self.nodes.len() as u32;
        let node = &mut self.nodes[id];
        node.children = start..end;
        node.is_expanded = true;
    }

    /// The child to visit: the one that has done best, with a bonus for those
    /// that look likely and were seldom visited.
    fn choose(&self, id: usize) -> usize {
        let parent = &self.nodes[id];
        let bonus = self.curiosity * (parent.n_visits as f32).sqrt();
        // What was never tried is expected to do a little worse than the rest.
        let unknown = parent.share_of(self.mover_below(id)) - 0.1;
        let mut best = (f32::MIN, parent.children.start as usize);
        for index in parent.children.clone() {
            let child = &self.nodes[index as usize];
            let expectation = if child.n_visits == 0 {
                unknown
            } else {
                child.share_of(child.mover)
            };
            let worth = expectation + bonus * child.prior / (1 + child.n_visits) as f32;
            if worth > best.0 {
                best = (worth, index as usize);
            }
        }
        best.1
    }

    /// Who moves in the position of a node with children.
    fn mover_below(&self, id: usize) -> Player {
        self.nodes[self.nodes[id].children.start as usize].mover
    }

    fn report(&self, n_playouts: u64, n_lines: usize) -> Report<M> {
        let root = &self.nodes[ROOT];
        let mut children: Vec<usize> =
            (root.children.start as usize..root.children.end as usize).collect();
        // What wins at once needs no visits.
        let rank = |id: usize| (self.nodes[id].is_won(), self.nodes[id].n_visits);
        children.sort_by_key(|&id| std::cmp::Reverse(rank(id)));
        let lines = children.iter().take(n_lines.max(1)).map(|&id| Line {
            value: self.value(id),
            moves: self.line_from(id),
        });
        let effort = children.iter().filter_map(|&id| {
            let share = u64::from(self.nodes[id].n_visits) * 1000 / n_playouts.max(1);
            Some((self.nodes[id].m?, share as u32))
        });
        let lines: Vec<_> = lines.collect();
        Report {
            depth: lines.first().map_or(0, |line| line.moves.len() as u32),
            nodes: n_playouts,
            effort: effort.collect(),
            lines,
        }
    }

    /// What a child of the root has done, as a score: a half is 0, and nine of
    /// ten about 880.
    fn value(&self, id: usize) -> Value {
        let node = &self.nodes[id];
        if node.is_won() {
            return Value::win_in(1);
        }
        let share = node.share_of(node.mover).clamp(0.001, 0.999);
        // Like the logarithm of the odds, in whole numbers that all platforms
        // agree on.
        let odds = (share - 0.5) / (share * (1.0 - share));
        Value::from_score((odds * 200.0) as i32)
    }

    /// The most visited moves from a node on.
    fn line_from(&self, id: usize) -> Vec<M> {
        let mut line = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            line.extend(self.nodes[id].m);
            let children = self.nodes[id].children.clone();
            let best = children.max_by_key(|&child| self.nodes[child as usize].n_visits);
            next = best
                .map(|child| child as usize)
                .filter(|&child| self.nodes[child].n_visits > 0);
        }
        line
    }
}

impl<M> Node<M> {
    /// Whether the move that led here won.
    fn is_won(&self) -> bool {
        self.outcome == Some(Outcome::Win(self.mover))
    }

    /// What `player` has got on average; a half if nothing is known.
    fn share_of(&self, player: Player) -> f32 {
        if self.n_visits == 0 {
            return 0.5;
        }
        let first = self.sum / self.n_visits as f32;
        match player {
            Player::First => first,
            Player::Second => 1.0 - first,
        }
    }
}
