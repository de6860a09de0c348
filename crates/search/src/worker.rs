//! One thread of an alpha-beta search.

use std::sync::atomic::{AtomicU64, Ordering};

use rules::{Outcome, Position};

use crate::{
    Guide, Stop, Table, Tuning, Value,
    candidates::{Candidate, Candidates},
    history::{History, Killers, MOST_PLIES},
    path::Path,
    reduction,
    table::{Bound, Entry},
};

/// How much earlier to try a move that lately refuted something at the same ply.
const KILLER: i32 = 600;

/// Only moves this far from the leaves are worth a thorough ordering.
const LEAST_ORDERED_DEPTH: i32 = 1;

/// One thread of a search.
pub(crate) struct Worker<'a, P: Position, G: Guide<P>> {
    pub(crate) guide: &'a G,
    table: &'a Table,
    tuning: Tuning,
    is_exact: bool,
    stop: &'a dyn Stop,
    /// Set when the search has to end; everything returns at once then.
    pub(crate) is_stopped: bool,
    /// Whether a depth is finished. Until then the search goes on when the time is up,
    /// and ends only when told to or when it has no nodes left.
    pub(crate) has_depth: bool,
    pub(crate) n_nodes: u64,
    most_nodes: u64,
    next_poll: u64,
    /// The nodes of all threads, for reports.
    all_nodes: &'a AtomicU64,
    n_told: u64,
    path: Path,
    history: History,
    killers: Killers<P::Move>,
    /// Room for the moves of each ply.
    candidates: Vec<Candidates<P::Move>>,
    moves: Vec<P::Move>,
    ranks: Vec<i32>,
    /// The best line from each ply.
    lines: Vec<Vec<P::Move>>,
}

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) stop: &'a dyn Stop,
    pub(crate) all_nodes: &'a AtomicU64,
    /// So many nodes of all threads.
    pub(crate) most_nodes: u64,
    pub(crate) tuning: Tuning,
    /// Whether what is remembered counts only if it was searched to the very same
    /// depth.
    pub(crate) is_exact: bool,
}

impl<'a, P: Position, G: Guide<P>> Worker<'a, P, G> {
    pub(crate) fn new(guide: &'a G, played: &[u64], shared: Shared<'a>) -> Self {
        Self {
            guide,
            table: shared.table,
            tuning: shared.tuning,
            is_exact: shared.is_exact,
            stop: shared.stop,
            is_stopped: false,
            has_depth: false,
            n_nodes: 0,
            most_nodes: shared.most_nodes,
            next_poll: 0,
            all_nodes: shared.all_nodes,
            n_told: 0,
            path: Path::new(played),
            history: History::new(G::N_SLOTS),
            killers: Killers::new(),
            candidates: vec![Candidates::new(); MOST_PLIES + 1],
            moves: Vec::new(),
            ranks: Vec::new(),
            lines: vec![Vec::new(); MOST_PLIES + 2],
        }
    }

    /// The value of the child that `m` leads to, seen by the mover, and the
    /// search window turned accordingly.
    ///
    /// The same player may be on move again, so values change their sign only
    /// when the turn passes.
    #[inline]
    pub(crate) fn search_child(
        &mut self,
        position: &P,
        child: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Value {
        if child.turn() == position.turn() {
            self.search(child, memo, ply, depth, alpha, beta)
        } else {
            -self.search(child, memo, ply, depth, -beta, -alpha)
        }
    }

    /// The value of `position` for its mover, as far as it lies between `alpha`
    /// and `beta`; else a bound beyond them.
    fn search(
        &mut self,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        mut beta: Value,
    ) -> Value {
        self.lines[ply].clear();
        if self.count_node() {
            return Value::DRAW;
        }
        if let Some(outcome) = position.outcome() {
            return match outcome {
                Outcome::Draw => Value::DRAW,
                Outcome::Win(player) if player == position.turn() => Value::win_in(ply as u32),
                Outcome::Win(_) => Value::loss_in(ply as u32),
            };
        }
        if self.guide.may_repeat(position) && self.path.repeats(position) {
            return Value::DRAW;
        }
        if depth <= 0 || ply >= MOST_PLIES {
            return self.guide.evaluate(position, memo).before(ply as u16);
        }

        // Nothing is faster than a win with the next move.
        alpha = alpha.max(Value::loss_in(ply as u32));
        beta = beta.min(Value::win_in(ply as u32 + 1));
        if alpha >= beta {
            return alpha;
        }
        let is_open = beta.number() - alpha.number() > 1;

        let is_remembered = depth >= self.tuning.least_remembered;
        let key = is_remembered.then(|| position.key());
        let known = key.and_then(|key| self.table.find(key));
        if let Some(known) = known
            && !is_open
            && self.is_deep_enough(known, depth)
            && let Some(value) = usable(known, ply, alpha, beta)
        {
            return value;
        }

        let evaluation = match known {
            Some(known) => known.evaluation,
            None => self.guide.evaluate(position, memo),
        };
        // What the guide can see needs no search.
        if evaluation.is_decided() {
            return evaluation.before(ply as u16);
        }
        if !is_open
            && let Some(value) = self.is_good_enough(position, memo, ply, depth, beta, evaluation)
        {
            return value;
        }

        // Without an idea of the best move, a shallower look comes first.
        let depth = if known.is_none_or(|known| known.best.is_none())
            && depth >= 5
            && self.tuning.reduction > 0
        {
            depth - 1
        } else {
            depth
        };

        let best = known.and_then(|known| known.best);
        let found = self.try_moves(position, memo, ply, depth, (alpha, beta), best);
        if self.is_stopped {
            return Value::DRAW;
        }
        if let Some(key) = key {
            self.table.store(
                key,
                Entry {
                    value: found.value.after(ply as u16),
                    bound: found.bound,
                    depth: depth as u8,
                    best: found.best,
                    evaluation,
                },
            );
        }
        found.value
    }

    fn is_deep_enough(&self, known: Entry, depth: i32) -> bool {
        let known = i32::from(known.depth);
        known == depth || (known > depth && !self.is_exact)
    }

    /// Whether the position is so good that a closer look would not change it.
    fn is_good_enough(
        &mut self,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        beta: Value,
        evaluation: Value,
    ) -> Option<Value> {
        if beta.is_decided() {
            return None;
        }
        let margin = self.tuning.margin?;
        if depth <= 6 && evaluation.number() - margin * depth >= beta.number() {
            return Some(evaluation);
        }
        // Even with the turn passed it is good enough.
        if self.tuning.null_reduction > 0 && depth >= 3 && evaluation >= beta {
            let (passed, memo) = self.guide.null_move(position, memo)?;
            let depth = depth - 1 - self.tuning.null_reduction - depth / 4;
            let window = (beta.shifted(-1), beta);
            self.path.push(position);
            let value = self.search_child(position, &passed, &memo, ply + 1, depth, window);
            self.path.pop(position);
            if value >= beta && !self.is_stopped {
                // A win after a pass is not proven.
                return Some(if value.is_win() { beta } else { value });
            }
        }
        None
    }

    fn try_moves(
        &mut self,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        (mut alpha, beta): (Value, Value),
        best: Option<u16>,
    ) -> Found {
        if let Some(found) = self.try_few(position, memo, ply, depth, (alpha, beta)) {
            return found;
        }
        let is_open = beta.number() - alpha.number() > 1;
        let mut candidates = std::mem::replace(&mut self.candidates[ply], Candidates::new());
        candidates.list(|moves| self.guide.moves_into(position, memo, moves));
        let n_candidates = candidates.moves().len();
        // The others need no order if this one turns out to be enough.
        let first = best.and_then(|best| candidates.first(best));
        // A lone move is no choice, so it costs no depth.
        let next_depth = if n_candidates == 1 { depth } else { depth - 1 };

        let mut found = Found {
            value: Value::LEAST,
            bound: Bound::Upper,
            best: None,
        };
        self.path.push(position);
        for n_tried in 0..n_candidates {
            if self.may_skip(n_tried, depth, is_open, alpha, found.value) {
                break;
            }
            if n_tried == usize::from(first.is_some()) {
                self.put_in_order(position, memo, ply, depth, first, &mut candidates);
            }
            let candidate = match first {
                Some(first) if n_tried == 0 => first,
                _ => candidates.next(n_tried),
            };
            let child = position.after(candidate.m);
            if next_depth >= self.tuning.least_remembered {
                self.table.prepare(child.key());
            }
            let child_memo = self.guide.memo_after(memo, position, candidate.m, &child);
            let value = if n_tried == 0 {
                let window = (alpha, beta);
                self.search_child(position, &child, &child_memo, ply + 1, next_depth, window)
            } else {
                // Later moves only have to prove that they are no better.
                let slim = (alpha, alpha.shifted(1));
                let reduced = next_depth - self.reduction(depth, n_tried, candidate.order);
                let mut value =
                    self.search_child(position, &child, &child_memo, ply + 1, reduced, slim);
                if value > alpha && reduced < next_depth {
                    value =
                        self.search_child(position, &child, &child_memo, ply + 1, next_depth, slim);
                }
                if value > alpha && value < beta {
                    let window = (alpha, beta);
                    value = self.search_child(
                        position,
                        &child,
                        &child_memo,
                        ply + 1,
                        next_depth,
                        window,
                    );
                }
                value
            };
            if self.is_stopped {
                break;
            }
            if value > found.value {
                found.value = value;
                if value > alpha {
                    alpha = value;
                    found.best = Some(candidate.index);
                    found.bound = Bound::Exact;
                    if is_open {
                        self.extend_line(ply, candidate.m);
                    }
                }
                if value >= beta {
                    found.bound = Bound::Lower;
                    self.learn(position, ply, depth, candidate.m, candidates.tried(n_tried));
                    break;
                }
            }
        }
        self.path.pop(position);
        self.candidates[ply] = candidates;
        found
    }

    /// Tries the few moves that matter next to the leaves, where most of the time
    /// goes. `None` if all moves have to be tried.
    fn try_few(
        &mut self,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Option<Found> {
        let width = self.tuning.width?;
        let is_open = beta.number() - alpha.number() > 1;
        let is_remembered = depth >= self.tuning.least_remembered;
        if depth != 1 || is_remembered || is_open || alpha.is_decided() {
            return None;
        }
        let mut moves = std::mem::take(&mut self.moves);
        self.guide
            .few_into(position, memo, width as usize, &mut moves);
        let mut found = Found {
            value: Value::LEAST,
            bound: Bound::Upper,
            best: None,
        };
        // A lone move costs no depth.
        if moves.len() > 1 {
            // What is evaluated next is never this very position, so it need not be on
            // the path.
            for &m in &moves {
                let child = position.after(m);
                let child_memo = self.guide.memo_after(memo, position, m, &child);
                let window = (alpha, beta);
                let value = self.search_child(position, &child, &child_memo, ply + 1, 0, window);
                found.value = found.value.max(value);
                if value >= beta || self.is_stopped {
                    found.bound = Bound::Lower;
                    break;
                }
            }
        }
        moves.clear();
        self.moves = moves;
        // A loss is proven only if every move was tried.
        let is_enough = found.value != Value::LEAST && !found.value.is_loss();
        is_enough.then_some(found)
    }

    /// Puts the moves in the order in which to try them.
    fn put_in_order(
        &mut self,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        first: Option<Candidate<P::Move>>,
        candidates: &mut Candidates<P::Move>,
    ) {
        self.ranks.clear();
        self.guide
            .rank_into(position, memo, candidates.moves(), depth, &mut self.ranks);
        let killers = self.killers.at(ply);
        let turn = position.turn();
        let is_thorough = depth > LEAST_ORDERED_DEPTH;
        candidates.put_in_order(first, |index, m| {
            let rank = self.ranks[index];
            if !is_thorough {
                return rank;
            }
            let slot = self.guide.slot(position, m);
            let is_killer = killers.contains(&Some(m));
            rank + self.history.score(turn, slot) / 8 + if is_killer { KILLER } else { 0 }
        });
    }

    /// Whether the moves from here on are too unlikely to matter.
    fn may_skip(
        &self,
        n_tried: usize,
        depth: i32,
        is_open: bool,
        alpha: Value,
        best: Value,
    ) -> bool {
        // A loss is proven only if every move was tried.
        if is_open || best.is_loss() || best == Value::LEAST || alpha.is_decided() {
            return false;
        }
        match self.tuning.width {
            Some(width) if depth <= 4 => n_tried as u32 >= width * (depth * depth) as u32,
            _ => false,
        }
    }

    fn reduction(&self, depth: i32, n_tried: usize, order: i32) -> i32 {
        if self.tuning.reduction == 0 || depth < 3 || n_tried < 2 {
            return 0;
        }
        let mut reduction = reduction::for_late_move(depth, n_tried) * self.tuning.reduction / 128;
        // What has done well before deserves a closer look.
        if order >= KILLER {
            reduction -= 128;
        }
        (reduction / 128).clamp(0, depth - 2)
    }

    /// A move was too good for the opponent to allow: try it earlier next time,
    /// and those before it later.
    fn learn(
        &mut self,
        position: &P,
        ply: usize,
        depth: i32,
        good: P::Move,
        others: impl Iterator<Item = P::Move>,
    ) {
        self.killers.add(ply, good);
        if depth <= LEAST_ORDERED_DEPTH {
            return;
        }
        let bonus = (depth * depth * 16).min(1_600);
        let turn = position.turn();
        let slot = self.guide.slot(position, good);
        self.history.learn(turn, slot, bonus);
        for other in others {
            let slot = self.guide.slot(position, other);
            self.history.learn(turn, slot, -bonus);
        }
    }

    /// The line from this ply is `m` and the line after it.
    fn extend_line(&mut self, ply: usize, m: P::Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&after[0]);
    }

    /// The best line found from the given ply.
    pub(crate) fn line(&self, ply: usize) -> &[P::Move] {
        &self.lines[ply]
    }

    /// Goes on from the root.
    pub(crate) fn push(&mut self, position: &P) {
        self.path.push(position);
    }

    /// Counts a node, and tells whether it is time to stop.
    #[inline]
    fn count_node(&mut self) -> bool {
        if self.n_nodes >= self.next_poll {
            self.poll();
        }
        if self.is_stopped {
            return true;
        }
        self.n_nodes += 1;
        false
    }

    #[cold]
    fn poll(&mut self) {
        self.tell_nodes();
        let n_left = self
            .most_nodes
            .saturating_sub(self.all_nodes.load(Ordering::Relaxed));
        let is_over = if self.has_depth {
            self.stop.is_set()
        } else {
            self.stop.is_told()
        };
        self.is_stopped |= n_left == 0 || is_over;
        self.next_poll = self.n_nodes + n_left.min(u64::from(self.tuning.poll));
    }

    /// Adds what this thread has done to what all have done.
    pub(crate) fn tell_nodes(&mut self) {
        self.all_nodes
            .fetch_add(self.n_nodes - self.n_told, Ordering::Relaxed);
        self.n_told = self.n_nodes;
    }
}

/// What the moves of a node came to.
struct Found {
    value: Value,
    bound: Bound,
    best: Option<u16>,
}

/// What an entry says about a value in the given window, if it says enough.
fn usable(entry: Entry, ply: usize, alpha: Value, beta: Value) -> Option<Value> {
    let value = entry.value.before(ply as u16);
    let is_enough = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    is_enough.then_some(value)
}
