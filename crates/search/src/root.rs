//! The root of an alpha-beta search, where it goes ever deeper.

use std::{ops::RangeInclusive, sync::atomic::Ordering};

use rules::Position;

use crate::{
    Guide, Line, Report, Value,
    worker::{Shared, Worker},
};

/// The next value is expected this near to the last one.
const ASPIRATION: i32 = 25;

/// At the root any thought is worth while.
const ROOT_DEPTH: i32 = 10;

pub(crate) struct Root<'a, P: Position, G: Guide<P>> {
    position: &'a P,
    worker: Worker<'a, P, G>,
    shared: Shared<'a>,
    /// Best first, as far as is known.
    moves: Vec<RootMove<P, G>>,
}

/// A move of the root.
struct RootMove<P: Position, G: Guide<P>> {
    m: P::Move,
    child: P,
    memo: G::Memo,
    /// The value at the last depth at which it was among the best.
    value: Value,
    line: Vec<P::Move>,
    /// Whether it is known to lose.
    is_lost: bool,
    /// The nodes below it at the last depth, and in all.
    n_last_nodes: u64,
    n_nodes: u64,
}

impl<'a, P: Position, G: Guide<P>> Root<'a, P, G> {
    pub(crate) fn new(guide: &'a G, position: &'a P, played: &[u64], shared: Shared<'a>) -> Self {
        let memo = guide.memo(position);
        let mut list = Vec::new();
        guide.moves_into(position, &memo, &mut list);
        let mut ranks = Vec::new();
        guide.rank_into(position, &memo, &list, ROOT_DEPTH, &mut ranks);
        let mut ranked: Vec<_> = ranks.into_iter().zip(list).collect();
        ranked.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        let root_move = |m| {
            let child = position.after(m);
            RootMove {
                m,
                memo: guide.memo_after(&memo, position, m, &child),
                child,
                value: Value::LEAST,
                line: vec![m],
                is_lost: false,
                n_last_nodes: 0,
                n_nodes: 0,
            }
        };
        let mut worker = Worker::new(guide, played, shared);
        worker.push(position);
        Self {
            position,
            worker,
            shared,
            moves: ranked.into_iter().map(|(_, m)| root_move(m)).collect(),
        }
    }

    /// Searches at each of the given depths, until something ends it.
    pub(crate) fn deepen(
        &mut self,
        depths: RangeInclusive<u32>,
        n_lines: usize,
        report: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        let n_lines = n_lines.clamp(1, self.moves.len());
        let mut depth_done = 0;
        let mut told = None;
        for depth in depths {
            for number in 0..n_lines {
                self.find_line(number, depth);
                if self.worker.is_stopped {
                    break;
                }
            }
            if self.worker.is_stopped {
                break;
            }
            // With corners cut, a later line may come out better than an earlier one.
            self.moves[..n_lines].sort_by_key(|root_move| std::cmp::Reverse(root_move.value));
            depth_done = depth;
            self.worker.has_depth = true;
            self.worker.tell_nodes();
            report(&self.report(depth, n_lines));
            told = Some(self.moves[0].m);
            if self.is_settled(depth, n_lines) || !self.shared.stop.allows_next_depth() {
                break;
            }
        }
        self.worker.tell_nodes();
        if self.worker.is_stopped {
            self.avoid_loss();
            if told.is_some_and(|told| told != self.moves[0].m) {
                // Something better came up at a depth that was not finished.
                report(&self.report(depth_done + 1, n_lines));
            }
        }
        self.report(depth_done, n_lines)
    }

    /// Interrupted when the best move turned out to lose, any other is better.
    fn avoid_loss(&mut self) {
        let better = self.moves.iter().position(|root_move| !root_move.is_lost);
        if let Some(better) = better {
            self.moves[..=better].rotate_right(1);
        }
    }

    /// Whether looking deeper can't change anything: every line is decided
    /// within the depth.
    fn is_settled(&self, depth: u32, n_lines: usize) -> bool {
        use crate::Verdict::{Loss, Win};
        self.moves[..n_lines]
            .iter()
            .all(|root_move| matches!(root_move.value.verdict(), Win(n) | Loss(n) if n <= depth))
    }

    /// Finds the best of the moves from `number` on, and puts it there.
    fn find_line(&mut self, number: usize, depth: u32) {
        let last = self.moves[number].value;
        let mut width = ASPIRATION;
        let is_narrow = depth >= 4 && !last.is_decided() && last != Value::LEAST;
        let (mut alpha, mut beta) = if is_narrow {
            (last.shifted(-width), last.shifted(width))
        } else {
            (Value::LEAST, Value::MOST)
        };
        loop {
            let value = self.search_moves(number, depth as i32, alpha, beta);
            if self.worker.is_stopped {
                return;
            }
            width *= 4;
            if value <= alpha {
                alpha = alpha.shifted(-width);
            } else if value >= beta {
                beta = beta.shifted(width);
            } else {
                break;
            }
            if width > 1_000 {
                (alpha, beta) = (Value::LEAST, Value::MOST);
            }
        }
        // What was hard to refute is worth trying early.
        self.moves[number + 1..].sort_by_key(|root_move| std::cmp::Reverse(root_move.n_last_nodes));
    }

    fn search_moves(&mut self, number: usize, depth: i32, mut alpha: Value, beta: Value) -> Value {
        let mut best = Value::LEAST;
        for index in number..self.moves.len() {
            let nodes_before = self.worker.n_nodes;
            let root_move = &self.moves[index];
            let mut search = |depth, window| {
                self.worker.search_child(
                    self.position,
                    &root_move.child,
                    &root_move.memo,
                    1,
                    depth,
                    window,
                )
            };
            let value = if index == number {
                search(depth - 1, (alpha, beta))
            } else {
                let slim = search(depth - 1, (alpha, alpha.shifted(1)));
                if slim > alpha && slim < beta {
                    search(depth - 1, (alpha, beta))
                } else {
                    slim
                }
            };
            let n_nodes = self.worker.n_nodes - nodes_before;
            let root_move = &mut self.moves[index];
            root_move.n_last_nodes = n_nodes;
            root_move.n_nodes += n_nodes;
            if self.worker.is_stopped {
                return best;
            }
            root_move.is_lost |= value.is_loss();
            if value > best {
                best = value;
                // Below the window nothing is known of the first move but that
                // it is worse than thought; it stays first, as it was, until
                // another is better.
                if value > alpha {
                    root_move.value = value;
                    root_move.line.truncate(1);
                    root_move.line.extend_from_slice(self.worker.line(1));
                    self.moves[number..=index].rotate_right(1);
                }
                if value >= beta {
                    return value;
                }
                alpha = alpha.max(value);
            }
        }
        best
    }

    fn report(&self, depth: u32, n_lines: usize) -> Report<P::Move> {
        let all: u64 = self.moves.iter().map(|root_move| root_move.n_nodes).sum();
        // What was never looked at is no line, but there is always a move.
        let is_line = |&(index, root_move): &(usize, &RootMove<P, G>)| {
            index == 0 || root_move.value != Value::LEAST
        };
        let line = |(_, root_move): (usize, &RootMove<P, G>)| Line {
            value: if root_move.value == Value::LEAST {
                Value::from_score(0)
            } else {
                root_move.value
            },
            moves: root_move.line.clone(),
        };
        let effort = |root_move: &RootMove<P, G>| {
            let share = root_move.n_nodes * 1000 / all.max(1);
            (root_move.m, share as u32)
        };
        let lines = self.moves[..n_lines].iter().enumerate();
        Report {
            depth,
            nodes: self.shared.all_nodes.load(Ordering::Relaxed),
            lines: lines.filter(is_line).map(line).collect(),
            effort: self.moves.iter().map(effort).collect(),
        }
    }
}
