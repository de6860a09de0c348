//! One thread of an alpha-beta search: its state, and the work at a node before its
//! moves are searched (table lookup, evaluation, pruning).

use std::sync::atomic::{AtomicU64, Ordering};

use rules::{Outcome, Position};

use crate::{
    Guide, Slice, Stop, TranspositionTable, Tuning, Value,
    history::{Killers, MOST_PLIES, MoveStatistics},
    move_picker::MovePicker,
    path::Path,
    reduction,
    transposition_table::{Bound, Entry},
};

/// Move ordering bonus of a killer move.
const KILLER: i32 = 600;

/// Killers and history are used above this depth only; next to the leaves they
/// do not pay.
const LEAST_ORDERED_DEPTH: i32 = 1;

/// Singular extensions are tried from this depth on.
const LEAST_SINGULAR_DEPTH: i32 = 6;

/// One thread of a search.
pub(crate) struct Worker<P: Position> {
    /// Set when the search has to stop; results are invalid from then on.
    pub(crate) is_stopped: bool,
    /// Whether the first depth is finished. Until then the search ignores the time
    /// limit and stops only on request or when out of nodes.
    pub(crate) has_depth: bool,
    pub(crate) n_nodes: u64,
    next_poll: u64,
    /// The node count at which the slice ends.
    pause_at: u64,
    n_published: u64,
    pub(crate) path: Path,
    /// The node that was visited last, if it needs a frame.
    pub(crate) node: Node,
    statistics: MoveStatistics,
    /// The place of the move being searched at each ply.
    places: Vec<usize>,
    /// The move that the next visited node does without, by its index.
    excluded: Option<u16>,
    killers: Killers<P::Move>,
    moves: Vec<P::Move>,
    ranks: Vec<i32>,
    /// The principal variation from each ply (triangular PV table).
    pvs: Vec<Vec<P::Move>>,
}

/// The parameters of a search thread for one slice.
pub(crate) struct Context<'a, G> {
    pub(crate) guide: &'a G,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) stop: &'a dyn Stop,
    pub(crate) slice: Slice<'a>,
    /// The nodes of all threads.
    pub(crate) all_nodes: &'a AtomicU64,
    /// The limit of nodes for all threads.
    pub(crate) most_nodes: u64,
    pub(crate) tuning: Tuning,
    /// Whether table entries are used only if they have exactly the same depth.
    pub(crate) is_exact: bool,
}

/// A node whose moves have to be searched.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: i32,
    /// The depth of the null-move search, if there is to be one.
    pub(crate) null_depth: Option<i32>,
    /// The search that tells whether the table's move is singular, if there is to be
    /// one.
    pub(crate) singular: Option<Singular>,
    /// A move that is not searched, by its index in the guide's list.
    pub(crate) excluded: Option<u16>,
    /// The key to store the result under, if it is stored.
    pub(crate) key: Option<u64>,
    pub(crate) evaluation: Value,
    /// The table's best move, by its index in the guide's list.
    pub(crate) best: Option<u16>,
}

/// A search of all moves but the table's. If it stays below the bound, the table's move
/// is singular.
#[derive(Clone, Copy)]
pub(crate) struct Singular {
    pub(crate) depth: i32,
    pub(crate) bound: Value,
}

impl Node {
    const NONE: Self = Self {
        alpha: Value::LEAST,
        beta: Value::MOST,
        depth: 0,
        null_depth: None,
        singular: None,
        excluded: None,
        key: None,
        evaluation: Value::DRAW,
        best: None,
    };

    /// Whether this is a PV node: its window is wider than a zero window.
    pub(crate) fn is_pv(&self) -> bool {
        self.beta.number() - self.alpha.number() > 1
    }
}

impl<P: Position> Worker<P> {
    pub(crate) fn new<G: Guide<P>>(played: &[u64], learned: Option<MoveStatistics>) -> Self {
        let learned = learned.filter(|learned| learned.fit(G::N_SLOTS, G::N_PLACES));
        let statistics = match learned {
            Some(mut learned) => {
                learned.fade();
                learned
            }
            None => MoveStatistics::new(G::N_SLOTS, G::N_PLACES),
        };
        Self {
            is_stopped: false,
            has_depth: false,
            n_nodes: 0,
            next_poll: 0,
            pause_at: 0,
            n_published: 0,
            path: Path::new(played),
            node: Node::NONE,
            places: vec![statistics.continuations.nowhere(); MOST_PLIES + 2],
            statistics,
            excluded: None,
            killers: Killers::new(),
            moves: Vec::new(),
            ranks: Vec::new(),
            pvs: vec![Vec::new(); MOST_PLIES + 2],
        }
    }

    /// Visits `position`: returns its value within the window, or a bound outside of
    /// it. `None` if its moves have to be searched; [`node`](Self::node) then
    /// describes it.
    pub(crate) fn visit<G: Guide<P>>(
        &mut self,
        cx: &Context<'_, G>,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        (mut alpha, mut beta): (Value, Value),
    ) -> Option<Value> {
        let excluded = self.excluded.take();
        if let Some(value) = self.visit_leaf(cx, position, memo, ply, depth) {
            return Some(value);
        }

        // Mate distance pruning: no win is faster than one with the next move.
        alpha = alpha.max(Value::loss_in(ply as u32));
        beta = beta.min(Value::win_in(ply as u32 + 1));
        if alpha >= beta {
            return Some(alpha);
        }
        let is_pv = beta.number() - alpha.number() > 1;

        let is_remembered = depth >= cx.tuning.least_table_depth;
        let key = is_remembered.then(|| position.key());
        let known = key.and_then(|key| cx.table.probe(key));
        if let Some(known) = known
            && !is_pv
            && excluded.is_none()
            && is_deep_enough(known, depth, cx.is_exact)
            && let Some(value) = usable(known, ply, alpha, beta)
        {
            return Some(value);
        }

        let evaluation = match known {
            Some(known) => known.evaluation,
            None => cx.guide.evaluate(position, memo),
        };
        // A result proven by the guide needs no search.
        if evaluation.is_decided() {
            return Some(evaluation.before(ply as u16));
        }
        let mut null_depth = None;
        if !is_pv
            && !beta.is_decided()
            && excluded.is_none()
            && let Some(margin) = cx.tuning.futility_margin
        {
            // Reverse futility pruning.
            if depth <= 6 && evaluation.number() - margin * depth >= beta.number() {
                return Some(evaluation);
            }
            if cx.tuning.null_move_reduction > 0 && depth >= 3 && evaluation >= beta {
                null_depth = Some(depth - 1 - cx.tuning.null_move_reduction - depth / 4);
            }
        }
        let singular = known
            .filter(|_| !beta.is_decided() && excluded.is_none())
            .and_then(|known| singular(&cx.tuning, known, depth));
        if let Some(value) = self.try_few(cx, position, memo, ply, depth, (alpha, beta)) {
            return Some(value);
        }

        let best = known.and_then(|known| known.best);
        // Internal iterative reduction: without a table move, search less deeply.
        let is_reduced = best.is_none() && depth >= 5 && cx.tuning.late_move_reduction > 0;
        self.node = Node {
            alpha,
            beta,
            depth: depth - i32::from(is_reduced),
            null_depth,
            singular,
            excluded,
            // Without a move the value is not that of the position.
            key: key.filter(|_| excluded.is_none()),
            evaluation,
            best,
        };
        None
    }

    /// The value of a node that needs no search: a finished game, a repetition, or
    /// depth 0.
    #[inline(always)]
    pub(crate) fn visit_leaf<G: Guide<P>>(
        &mut self,
        cx: &Context<'_, G>,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
    ) -> Option<Value> {
        self.pvs[ply].clear();
        if self.count_node(cx) {
            return Some(Value::DRAW);
        }
        if let Some(outcome) = position.outcome() {
            return Some(match outcome {
                Outcome::Draw => Value::DRAW,
                Outcome::Win(player) if player == position.turn() => Value::win_in(ply as u32),
                Outcome::Win(_) => Value::loss_in(ply as u32),
            });
        }
        if cx.guide.may_repeat(position) && self.path.repeats(position) {
            return Some(Value::DRAW);
        }
        (depth <= 0 || ply >= MOST_PLIES)
            .then(|| cx.guide.evaluate(position, memo).before(ply as u16))
    }

    /// Late move pruning at depth 1 without listing all moves; most nodes are there.
    /// `None` if all moves have to be searched.
    fn try_few<G: Guide<P>>(
        &mut self,
        cx: &Context<'_, G>,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Option<Value> {
        let width = cx.tuning.late_move_count?;
        let is_pv = beta.number() - alpha.number() > 1;
        let is_remembered = depth >= cx.tuning.least_table_depth;
        if depth != 1 || is_remembered || is_pv || alpha.is_decided() {
            return None;
        }
        let mut moves = std::mem::take(&mut self.moves);
        cx.guide
            .few_into(position, memo, width as usize, &mut moves);
        let mut best = Value::LEAST;
        // A forced move costs no depth.
        if moves.len() > 1 {
            // The children are leaves other than this position, so it need not be on
            // the path.
            for &m in &moves {
                let child = position.after(m);
                let child_memo = cx.guide.memo_after(memo, position, m, &child);
                let value = self.visit_leaf(cx, &child, &child_memo, ply + 1, 0);
                let value = value.unwrap_or(Value::DRAW);
                let value = if child.turn() == position.turn() {
                    value
                } else {
                    -value
                };
                best = best.max(value);
                if value >= beta || self.is_stopped {
                    break;
                }
            }
        }
        moves.clear();
        self.moves = moves;
        // A loss is proven only if every move was tried.
        let is_enough = best != Value::LEAST && !best.is_loss();
        is_enough.then_some(best)
    }

    /// The next node to be visited does without a move.
    pub(crate) fn exclude(&mut self, excluded: Option<u16>) {
        self.excluded = excluded;
    }

    /// The move that is searched at `ply`; `None` for none, such as a null move.
    #[inline]
    pub(crate) fn set_move<G: Guide<P>>(
        &mut self,
        cx: &Context<'_, G>,
        ply: usize,
        m: Option<P::Move>,
    ) {
        if G::N_PLACES > 0 {
            self.places[ply] = m.map_or(self.statistics.continuations.nowhere(), |m| {
                cx.guide.place(m)
            });
        }
    }

    /// Sorts the moves by rank, history, continuation history and killers.
    pub(crate) fn sort<G: Guide<P>>(
        &mut self,
        cx: &Context<'_, G>,
        position: &P,
        memo: &G::Memo,
        ply: usize,
        depth: i32,
        picker: &mut MovePicker<P::Move>,
    ) {
        self.ranks.clear();
        cx.guide
            .rank_into(position, memo, picker.moves(), depth, &mut self.ranks);
        let killers = self.killers.at(ply);
        let turn = position.turn();
        let is_thorough = depth > LEAST_ORDERED_DEPTH;
        picker.sort(|index, m| {
            let rank = self.ranks[index];
            if !is_thorough {
                return rank;
            }
            let slot = cx.guide.slot(position, m);
            let is_killer = killers.contains(&Some(m));
            let continuation = if G::N_PLACES > 0 {
                let (before, place) = (self.places[ply - 1], cx.guide.place(m));
                self.statistics.continuations.score(turn, before, place)
            } else {
                0
            };
            rank + self.statistics.history.score(turn, slot) / 8
                + continuation / 8
                + if is_killer { KILLER } else { 0 }
        });
    }

    /// Updates killers and history after a beta cutoff by `good`; the moves tried
    /// before it get a malus.
    pub(crate) fn learn<G: Guide<P>>(
        &mut self,
        cx: &Context<'_, G>,
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
        let before = self.places[ply - 1];
        let mut learn = |m, bonus| {
            self.statistics
                .history
                .learn(turn, cx.guide.slot(position, m), bonus);
            if G::N_PLACES > 0 {
                let place = cx.guide.place(m);
                self.statistics
                    .continuations
                    .learn(turn, before, place, bonus);
            }
        };
        learn(good, bonus);
        for other in others {
            learn(other, -bonus);
        }
    }

    /// Sets the principal variation at this ply to `m` and that of the next ply.
    pub(crate) fn extend_pv(&mut self, ply: usize, m: P::Move) {
        let (before, after) = self.pvs.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&after[0]);
    }

    /// The principal variation from the given ply.
    pub(crate) fn pv(&self, ply: usize) -> &[P::Move] {
        &self.pvs[ply]
    }

    /// Keeps what was learned about moves for the next search.
    pub(crate) fn put_statistics(&self, table: &TranspositionTable) {
        table.put_statistics(Some(self.statistics.clone()));
    }

    /// Starts a slice.
    pub(crate) fn begin_slice(&mut self, slice: &Slice<'_>) {
        self.pause_at = self.n_nodes.saturating_add(slice.nodes.max(1));
    }

    /// Whether the slice is over.
    #[inline]
    pub(crate) fn is_paused(&self) -> bool {
        self.n_nodes >= self.pause_at
    }

    /// Counts a node, and returns whether the search has to stop.
    #[inline]
    fn count_node<G>(&mut self, cx: &Context<'_, G>) -> bool {
        if self.n_nodes >= self.next_poll {
            self.poll(cx);
        }
        if self.is_stopped {
            return true;
        }
        self.n_nodes += 1;
        false
    }

    #[cold]
    fn poll<G>(&mut self, cx: &Context<'_, G>) {
        self.publish_nodes(cx.all_nodes);
        let n_left = cx
            .most_nodes
            .saturating_sub(cx.all_nodes.load(Ordering::Relaxed));
        let is_over = if self.has_depth {
            cx.stop.is_set()
        } else {
            cx.stop.is_requested()
        };
        self.is_stopped |= n_left == 0 || is_over;
        if (cx.slice.is_over)() {
            self.pause_at = self.n_nodes;
        }
        self.next_poll = self.n_nodes + n_left.min(u64::from(cx.tuning.poll));
    }

    /// Adds this thread's nodes to the shared count.
    pub(crate) fn publish_nodes(&mut self, all_nodes: &AtomicU64) {
        all_nodes.fetch_add(self.n_nodes - self.n_published, Ordering::Relaxed);
        self.n_published = self.n_nodes;
    }
}

/// Late move pruning: whether to skip the moves from number `n_tried` on.
#[inline]
pub(crate) fn may_prune_late_moves(
    tuning: &Tuning,
    n_tried: usize,
    depth: i32,
    is_pv: bool,
    alpha: Value,
    best: Value,
) -> bool {
    let Some(width) = tuning.late_move_count else {
        return false;
    };
    // A loss is proven only if every move was tried.
    let is_provable = is_pv || best.is_loss() || best == Value::LEAST || alpha.is_decided();
    depth <= 4 && n_tried as u32 >= width * (depth * depth) as u32 && !is_provable
}

/// Late move reduction, in plies.
#[inline]
pub(crate) fn late_move_reduction(tuning: &Tuning, depth: i32, n_tried: usize, order: i32) -> i32 {
    if tuning.late_move_reduction == 0 || depth < 3 || n_tried < 2 {
        return 0;
    }
    let mut reduction = reduction::for_late_move(depth, n_tried) * tuning.late_move_reduction / 128;
    // Killers are reduced less.
    if order >= KILLER {
        reduction -= 128;
    }
    (reduction / 128).clamp(0, depth - 2)
}

/// The verification search for a singular extension of the table's move; `None` unless the
/// entry is a lower bound or exact, and deep enough.
fn singular(tuning: &Tuning, known: Entry, depth: i32) -> Option<Singular> {
    let margin = tuning.singular_margin?;
    let is_worth_it = depth >= LEAST_SINGULAR_DEPTH
        && known.best.is_some()
        && !known.value.is_decided()
        && known.bound != Bound::Upper
        && i32::from(known.depth) >= depth - 3;
    is_worth_it.then(|| Singular {
        depth: (depth - 1) / 2,
        bound: known.value.shifted(-margin * depth),
    })
}

fn is_deep_enough(known: Entry, depth: i32, is_exact: bool) -> bool {
    let known = i32::from(known.depth);
    known == depth || (known > depth && !is_exact)
}

/// The value of a table entry, if it decides the given window.
fn usable(entry: Entry, ply: usize, alpha: Value, beta: Value) -> Option<Value> {
    let value = entry.value.before(ply as u16);
    let is_enough = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    is_enough.then_some(value)
}
