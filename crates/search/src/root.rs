//! The root of an alpha-beta search: iterative deepening with aspiration windows.

use std::sync::atomic::Ordering;

use rules::Position;

use crate::{
    Guide, Line, Report, SearchStep, Value,
    history::MoveStatistics,
    stack::{Flow, Stack},
    worker::{Context, Worker, late_move_reduction},
};

/// The half-width of the first aspiration window.
const ASPIRATION_WINDOW: i32 = 25;

/// The depth passed to the guide for ranking at the root, where any effort pays.
const ROOT_DEPTH: i32 = 10;

/// Whoever asks for so many lines wants all moves, also those that the guide skips; unless there
/// are more than this, since the others would not get deep.
const ALL_LINES: usize = 200;

/// One thread of a search, at the root.
pub(crate) struct Root<P: Position, G: Guide<P>> {
    position: P,
    worker: Worker<P>,
    stack: Stack<P, G>,
    /// Best first, as far as is known.
    moves: Vec<RootMove<P, G>>,
    n_lines: usize,
    /// The current depth, and the last one.
    depth: u32,
    deepest: u32,
    depth_done: u32,
    /// The best move of the last report.
    reported: Option<P::Move>,
    /// The index of the line being searched (MultiPV): the best of the moves from
    /// here on.
    number: usize,
    pass: Pass,
    state: State,
}

/// A move of the root.
struct RootMove<P: Position, G: Guide<P>> {
    m: P::Move,
    child: P,
    memo: G::Memo,
    /// The value at the last depth at which it was among the best.
    value: Value,
    line: Vec<P::Move>,
    /// Whether it is proven to lose.
    is_lost: bool,
    /// The nodes below it at the last depth, and in total.
    n_last_nodes: u64,
    n_nodes: u64,
}

/// One pass over the root moves with one aspiration window.
#[derive(Clone, Copy)]
struct Pass {
    /// The window, and its half-width.
    window: (Value, Value),
    width: i32,
    /// The lower bound, raised by every better move.
    alpha: Value,
    best: Value,
    /// The current move, and whether it is searched with a zero window.
    index: usize,
    is_zero_window: bool,
    /// By how many plies less deeply it is searched (late move reduction).
    reduction: i32,
    /// The node count before the current move.
    nodes_before: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Searching,
    /// A depth is done; the next starts if the stop condition allows it.
    BetweenDepths,
    /// Everything is searched and reported.
    Ended,
}

impl<P: Position, G: Guide<P>> Root<P, G> {
    /// A search of the given depths.
    pub(crate) fn new(
        guide: &G,
        position: &P,
        played: &[u64],
        (depth, deepest): (u32, u32),
        n_lines: usize,
        learned: Option<MoveStatistics>,
    ) -> Self {
        let memo = guide.memo(position);
        let mut list = Vec::new();
        guide.moves_into(position, &memo, &mut list);
        add_skipped(position, n_lines, &mut list);
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
        let moves: Vec<_> = ranked.into_iter().map(|(_, m)| root_move(m)).collect();
        let mut worker = Worker::new::<G>(played, learned);
        worker.path.push(position);
        let mut root = Self {
            position: position.clone(),
            worker,
            stack: Stack::new(),
            n_lines: n_lines.clamp(1, moves.len()),
            moves,
            depth,
            deepest,
            depth_done: 0,
            reported: None,
            number: 0,
            pass: Pass::new((Value::LEAST, Value::MOST), 0, 0, 0),
            state: State::Searching,
        };
        if depth > deepest {
            root.state = State::Ended;
        }
        root.begin_line();
        root
    }

    /// Runs until the slice is over, a depth is done, or the search ends.
    pub(crate) fn step(&mut self, cx: &Context<'_, G>) -> SearchStep<P::Move> {
        self.worker.begin_slice(&cx.slice);
        if self.state == State::BetweenDepths {
            self.state = if cx.stop.allows_next_depth() {
                State::Searching
            } else {
                State::Ended
            };
        }
        while self.state == State::Searching {
            let value = if self.stack.is_empty() {
                if self.worker.is_paused() {
                    return SearchStep::Paused;
                }
                self.begin_move(cx)
            } else {
                match self.stack.run(&mut self.worker, cx) {
                    Flow::Value(value) => Some(value),
                    Flow::Paused => return SearchStep::Paused,
                    Flow::Stopped => None,
                }
            };
            if self.worker.is_stopped {
                return self.stop(cx);
            }
            if let Some(value) = value
                && self.take(cx, value)
            {
                return SearchStep::Report(self.end_depth(cx));
            }
        }
        self.worker.publish_nodes(cx.all_nodes);
        self.done(cx)
    }

    /// Ends the search, and keeps what it learned for the next one.
    fn done(&self, cx: &Context<'_, G>) -> SearchStep<P::Move> {
        self.worker.put_statistics(cx.table);
        SearchStep::Done(self.report(cx, self.depth_done))
    }

    /// Starts to search the next move of the pass. Returns its value if it needs no
    /// frame.
    fn begin_move(&mut self, cx: &Context<'_, G>) -> Option<Value> {
        let Pass { index, alpha, .. } = self.pass;
        let (_, beta) = self.pass.window;
        let beta = if self.pass.is_zero_window {
            alpha.shifted(1)
        } else {
            beta
        };
        let root_move = &self.moves[index];
        let window = if root_move.child.turn() == self.position.turn() {
            (alpha, beta)
        } else {
            (-beta, -alpha)
        };
        let child = (&root_move.child, &root_move.memo);
        let depth = self.depth as i32 - 1 - self.pass.reduction;
        let worker = &mut self.worker;
        worker.set_move(cx, 0, Some(root_move.m));
        self.stack.begin(worker, cx, child, depth, window)
    }

    /// Records the value of the current move, given for the player to move after it.
    /// Returns whether the depth is done.
    fn take(&mut self, cx: &Context<'_, G>, value: Value) -> bool {
        let index = self.pass.index;
        let (_, beta) = self.pass.window;
        let value = if self.moves[index].child.turn() == self.position.turn() {
            value
        } else {
            -value
        };
        if value > self.pass.alpha {
            // Searched again: first at full depth, then with the full window.
            if self.pass.reduction > 0 {
                self.pass.reduction = 0;
                return false;
            }
            if self.pass.is_zero_window && value < beta {
                self.pass.is_zero_window = false;
                return false;
            }
        }
        self.count_nodes();
        let number = self.number;
        let root_move = &mut self.moves[index];
        root_move.is_lost |= value.is_loss();
        if value > self.pass.best {
            self.pass.best = value;
            // After a fail low, only an upper bound of the first move is known; it
            // stays first, with its old value, until another move is better.
            if value > self.pass.alpha {
                root_move.value = value;
                root_move.line.truncate(1);
                root_move.line.extend_from_slice(self.worker.pv(1));
                self.moves[number..=index].rotate_right(1);
            }
            self.pass.alpha = self.pass.alpha.max(value);
        }
        if value < beta && index + 1 < self.moves.len() {
            let reduction = self.reduction(cx, index + 1);
            self.pass.next(self.worker.n_nodes, reduction);
            return false;
        }
        self.end_pass()
    }

    /// The late move reduction of the move at `index`. There is none if several lines
    /// are wanted, since their order would depend on it.
    fn reduction(&self, cx: &Context<'_, G>, index: usize) -> i32 {
        if self.n_lines > 1 {
            return 0;
        }
        late_move_reduction(&cx.tuning, self.depth as i32, index, 0)
    }

    /// Adds the nodes of the current move to its counts.
    fn count_nodes(&mut self) {
        let n_nodes = self.worker.n_nodes - self.pass.nodes_before;
        let root_move = &mut self.moves[self.pass.index];
        root_move.n_last_nodes = n_nodes;
        root_move.n_nodes += n_nodes;
    }

    /// Starts to search the line at `number`.
    fn begin_line(&mut self) {
        let last = self.moves[self.number].value;
        let is_narrow = self.depth >= 4 && !last.is_decided() && last != Value::LEAST;
        let window = if is_narrow {
            (
                last.shifted(-ASPIRATION_WINDOW),
                last.shifted(ASPIRATION_WINDOW),
            )
        } else {
            (Value::LEAST, Value::MOST)
        };
        self.pass = Pass::new(window, ASPIRATION_WINDOW, self.number, self.worker.n_nodes);
    }

    /// Ends a pass: widens the window after a fail low or high, or goes on to the
    /// next line. Returns whether the depth is done.
    fn end_pass(&mut self) -> bool {
        let Pass { best, .. } = self.pass;
        let (mut alpha, mut beta) = self.pass.window;
        let width = self.pass.width * 4;
        if best <= alpha || best >= beta {
            if best <= alpha {
                alpha = alpha.shifted(-width);
            } else {
                beta = beta.shifted(width);
            }
            let window = if width > 1_000 {
                (Value::LEAST, Value::MOST)
            } else {
                (alpha, beta)
            };
            self.pass = Pass::new(window, width, self.number, self.worker.n_nodes);
            return false;
        }
        // Moves that were hard to refute are tried early.
        self.moves[self.number + 1..]
            .sort_by_key(|root_move| std::cmp::Reverse(root_move.n_last_nodes));
        if self.number + 1 < self.n_lines {
            self.number += 1;
            self.begin_line();
            return false;
        }
        true
    }

    /// Ends a depth, prepares the next one, and returns the report.
    fn end_depth(&mut self, cx: &Context<'_, G>) -> Report<P::Move> {
        // With pruning, a later line may come out better than an earlier one.
        self.moves[..self.n_lines].sort_by_key(|root_move| std::cmp::Reverse(root_move.value));
        self.depth_done = self.depth;
        self.worker.has_depth = true;
        self.reported = Some(self.moves[0].m);
        self.worker.publish_nodes(cx.all_nodes);
        self.depth += 1;
        self.number = 0;
        self.begin_line();
        self.state = if self.is_settled() || self.depth > self.deepest {
            State::Ended
        } else {
            State::BetweenDepths
        };
        self.report(cx, self.depth_done)
    }

    /// Stops the search in the middle of a depth.
    fn stop(&mut self, cx: &Context<'_, G>) -> SearchStep<P::Move> {
        self.state = State::Ended;
        self.count_nodes();
        self.worker.publish_nodes(cx.all_nodes);
        self.avoid_loss();
        if self
            .reported
            .is_some_and(|reported| reported != self.moves[0].m)
        {
            // A better move was found at the unfinished depth.
            return SearchStep::Report(self.report(cx, self.depth_done + 1));
        }
        self.done(cx)
    }

    /// If the best move turned out to lose when the search was stopped, prefers any
    /// other.
    fn avoid_loss(&mut self) {
        let better = self.moves.iter().position(|root_move| !root_move.is_lost);
        if let Some(better) = better {
            self.moves[..=better].rotate_right(1);
        }
    }

    /// Whether a deeper search can't change the result: every line is decided within
    /// the depth.
    fn is_settled(&self) -> bool {
        use crate::Verdict::{Loss, Win};
        let depth = self.depth_done;
        self.moves[..self.n_lines]
            .iter()
            .all(|root_move| matches!(root_move.value.verdict(), Win(n) | Loss(n) if n <= depth))
    }

    fn report(&self, cx: &Context<'_, G>, depth: u32) -> Report<P::Move> {
        let all: u64 = self.moves.iter().map(|root_move| root_move.n_nodes).sum();
        // Moves that were never searched are no lines, but there is always one move.
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
        let lines = self.moves[..self.n_lines].iter().enumerate();
        Report {
            depth,
            nodes: cx.all_nodes.load(Ordering::Relaxed),
            lines: lines.filter(is_line).map(line).collect(),
            effort: self.moves.iter().map(effort).collect(),
        }
    }
}

/// Adds the moves that the guide skips, if all legal moves are wanted as lines.
fn add_skipped<P: Position>(position: &P, n_lines: usize, list: &mut Vec<P::Move>) {
    if n_lines < ALL_LINES {
        return;
    }
    let mut legal = position.legal_moves();
    if legal.len() <= ALL_LINES {
        legal.retain(|m| !list.contains(m));
        list.extend(legal);
    }
}

impl Pass {
    fn new(window: (Value, Value), width: i32, index: usize, nodes_before: u64) -> Self {
        Self {
            window,
            width,
            alpha: window.0,
            best: Value::LEAST,
            index,
            is_zero_window: false,
            reduction: 0,
            nodes_before,
        }
    }

    /// Goes on to the next move.
    fn next(&mut self, nodes_before: u64, reduction: i32) {
        self.index += 1;
        self.is_zero_window = true;
        self.reduction = reduction;
        self.nodes_before = nodes_before;
    }
}
