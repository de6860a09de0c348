//! A node on the stack of an alpha-beta search: principal variation search with
//! null-move pruning, singular extensions, late move reductions and late move pruning.

use rules::Position;

use crate::{
    Guide, Value,
    move_picker::{Candidate, MovePicker},
    transposition_table::{Bound, Entry},
    worker::{Context, Node, Singular, Worker, late_move_reduction, may_prune_late_moves},
};

/// An interior node whose moves are being searched.
pub(crate) struct Frame<P: Position, G: Guide<P>> {
    pub(crate) position: P,
    pub(crate) memo: G::Memo,
    node: Node,
    /// The lower bound of the window.
    alpha: Value,
    stage: Stage,
    picker: MovePicker<P::Move>,
    /// The move of the transposition table, tried before the other moves are sorted.
    first: Option<Candidate<P::Move>>,
    /// The move being searched.
    candidate: Option<Candidate<P::Move>>,
    n_tried: usize,
    /// By how much the first move is extended.
    extension: i32,
    /// The depth of a child, and of a child with late move reduction.
    next_depth: i32,
    reduced_depth: i32,
    /// Whether the child has the same player to move.
    is_same_turn: bool,
    found: Found,
}

/// The kind of search of the current child.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// None yet; a null-move search may come first.
    New,
    /// The null-move search.
    Null,
    /// All moves but the table's, less deeply: is that one singular?
    Singular,
    /// The first move, with the full window.
    First,
    /// A later move at reduced depth, with a zero window.
    Reduced,
    /// A later move at full depth, with a zero window.
    ZeroWindow,
    /// A later move that raised alpha, searched again with the full window.
    Full,
    /// No more searches: a move caused a beta cutoff.
    Cutoff,
    /// No more searches: the null move caused a beta cutoff, or the moves beside the
    /// table's did (multi-cut).
    EarlyCutoff,
}

/// The result of the moves searched so far.
#[derive(Clone, Copy)]
struct Found {
    value: Value,
    bound: Bound,
    best: Option<u16>,
}

impl Found {
    const NOTHING: Self = Self {
        value: Value::LEAST,
        bound: Bound::Upper,
        best: None,
    };
}

/// What to search next at a node.
pub(crate) enum Next<M> {
    /// The null move, if the guide allows one here.
    Null,
    /// The position itself without the table's move.
    Singular,
    /// The position after this move.
    Move(M),
    /// Nothing: the node is done.
    Leave,
}

impl<P: Position, G: Guide<P>> Frame<P, G> {
    pub(crate) fn new(position: P, memo: G::Memo, node: Node) -> Self {
        Self {
            position,
            memo,
            node,
            alpha: node.alpha,
            stage: Stage::New,
            picker: MovePicker::new(),
            first: None,
            candidate: None,
            n_tried: 0,
            extension: 0,
            next_depth: 0,
            reduced_depth: 0,
            is_same_turn: false,
            found: Found::NOTHING,
        }
    }

    /// Starts over with the same position.
    pub(crate) fn restart(&mut self, node: Node) {
        self.node = node;
        self.alpha = node.alpha;
        self.stage = Stage::New;
        self.extension = 0;
    }

    /// Chooses what to search next.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        worker: &mut Worker<P>,
        cx: &Context<'_, G>,
        ply: usize,
    ) -> Next<P::Move> {
        if self.stage == Stage::New {
            // Null-move pruning comes first.
            if self.node.null_depth.is_some() {
                return Next::Null;
            }
            if self.node.singular.is_some() {
                return Next::Singular;
            }
            self.list_moves(worker, cx);
        }
        let (depth, n_tried) = (self.node.depth, self.n_tried);
        if matches!(self.stage, Stage::Cutoff | Stage::EarlyCutoff)
            || n_tried == self.picker.moves().len()
            || self.may_prune_rest(cx)
        {
            return Next::Leave;
        }
        if n_tried == usize::from(self.first.is_some()) {
            let picker = &mut self.picker;
            worker.sort(cx, &self.position, &self.memo, ply, depth, picker);
        }
        let candidate = match self.first {
            Some(first) if n_tried == 0 => first,
            _ => self.picker.next(n_tried),
        };
        self.candidate = Some(candidate);
        worker.set_move(cx, ply, Some(candidate.m));
        self.stage = if n_tried == 0 {
            Stage::First
        } else {
            // Principal variation search: later moves only have to fail low.
            let reduction = late_move_reduction(&cx.tuning, depth, n_tried, candidate.order);
            self.reduced_depth = self.next_depth - reduction;
            Stage::Reduced
        };
        Next::Move(candidate.m)
    }

    /// Prepares for the null-move search.
    pub(crate) fn begin_null(&mut self, worker: &mut Worker<P>, cx: &Context<'_, G>, ply: usize) {
        worker.path.push(&self.position);
        worker.set_move(cx, ply, None);
        self.stage = Stage::Null;
    }

    /// There is no null move here.
    pub(crate) fn skip_null(&mut self) {
        self.node.null_depth = None;
    }

    /// Prepares for the search without the table's move.
    pub(crate) fn begin_singular(
        &mut self,
        worker: &mut Worker<P>,
        cx: &Context<'_, G>,
        ply: usize,
    ) {
        worker.exclude(self.node.best);
        worker.set_move(cx, ply, None);
        self.stage = Stage::Singular;
    }

    /// Whether its children are looked up in the transposition table.
    #[inline]
    pub(crate) fn probes_children(&self, cx: &Context<'_, G>) -> bool {
        self.next_depth >= cx.tuning.least_table_depth
    }

    /// Searches a child as far as that needs no frame, and again where the result
    /// calls for a re-search. Returns its value for the player to move here, or
    /// `None` if the child needs a frame of its own.
    #[inline(always)]
    pub(crate) fn visit_child(
        &mut self,
        worker: &mut Worker<P>,
        cx: &Context<'_, G>,
        ply: usize,
        child: &P,
        memo: &G::Memo,
    ) -> Option<Value> {
        self.is_same_turn = child.turn() == self.position.turn();
        loop {
            let (depth, (alpha, beta)) = self.request();
            // The same player may be to move again, so values are negated only when
            // the turn changes.
            let window = if self.is_same_turn {
                (alpha, beta)
            } else {
                (-beta, -alpha)
            };
            let value = if depth <= 0 {
                worker.visit_leaf(cx, child, memo, ply + 1, depth)?
            } else {
                worker.visit(cx, child, memo, ply + 1, depth, window)?
            };
            let value = self.seen_from_here(value);
            if worker.is_stopped || !self.needs_re_search(value) {
                return Some(value);
            }
        }
    }

    /// A child's value for the player to move here.
    #[inline]
    pub(crate) fn seen_from_here(&self, value: Value) -> Value {
        if self.is_same_turn { value } else { -value }
    }

    /// The depth and the window of the current search.
    #[inline]
    fn request(&self) -> (i32, (Value, Value)) {
        let (alpha, beta) = (self.alpha, self.node.beta);
        match self.stage {
            Stage::Null => (
                self.node.null_depth.unwrap_or_default(),
                (beta.shifted(-1), beta),
            ),
            Stage::Singular => self.node.singular.map_or((0, (alpha, beta)), |singular| {
                (singular.depth, (singular.bound.shifted(-1), singular.bound))
            }),
            Stage::First => (self.next_depth + self.extension, (alpha, beta)),
            Stage::Reduced => (self.reduced_depth, (alpha, alpha.shifted(1))),
            Stage::ZeroWindow => (self.next_depth, (alpha, alpha.shifted(1))),
            _ => (self.next_depth, (alpha, beta)),
        }
    }

    /// Advances to the next kind of search if `value` calls for a re-search of the
    /// child; returns whether it does.
    #[inline]
    pub(crate) fn needs_re_search(&mut self, value: Value) -> bool {
        let is_better = value > self.alpha;
        self.stage = match self.stage {
            Stage::Reduced if is_better && self.reduced_depth < self.next_depth => {
                Stage::ZeroWindow
            }
            Stage::Reduced | Stage::ZeroWindow if is_better && value < self.node.beta => {
                Stage::Full
            }
            _ => return false,
        };
        true
    }

    /// Records the value of the child.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        worker: &mut Worker<P>,
        cx: &Context<'_, G>,
        ply: usize,
        value: Value,
    ) {
        let beta = self.node.beta;
        if self.stage == Stage::Null {
            worker.path.pop(&self.position);
            if value >= beta {
                // A win found after a null move is not proven.
                self.found.value = if value.is_win() { beta } else { value };
                self.stage = Stage::EarlyCutoff;
            } else {
                self.node.null_depth = None;
                self.stage = Stage::New;
            }
            return;
        }
        if self.stage == Stage::Singular {
            self.take_singular(value);
            return;
        }
        let Some(candidate) = self.candidate else {
            return;
        };
        if value > self.found.value {
            self.found.value = value;
            if value > self.alpha {
                self.alpha = value;
                self.found.best = Some(candidate.index);
                self.found.bound = Bound::Exact;
                if self.node.is_pv() {
                    worker.extend_pv(ply, candidate.m);
                }
            }
            if value >= beta {
                self.found.bound = Bound::Lower;
                let tried = self.picker.tried(self.n_tried);
                worker.learn(cx, &self.position, ply, self.node.depth, candidate.m, tried);
                self.stage = Stage::Cutoff;
            }
        }
        self.n_tried += 1;
    }

    /// Records what all moves but the table's are worth.
    fn take_singular(&mut self, value: Value) {
        self.stage = Stage::New;
        let Some(Singular { bound, .. }) = self.node.singular.take() else {
            return;
        };
        if value < bound {
            self.extension = 1;
        } else if bound >= self.node.beta && !self.node.is_pv() && !bound.is_decided() {
            self.found.value = bound;
            self.stage = Stage::EarlyCutoff;
        }
    }

    fn list_moves(&mut self, worker: &mut Worker<P>, cx: &Context<'_, G>) {
        let (position, memo) = (&self.position, &self.memo);
        let picker = &mut self.picker;
        picker.list(|moves| cx.guide.moves_into(position, memo, moves));
        // A forced move costs no depth.
        let is_lone = picker.moves().len() == 1;
        self.next_depth = self.node.depth - i32::from(!is_lone);
        // Sorting the others is wasted if the table's move causes a cutoff.
        let first = self.node.excluded.or(self.node.best);
        self.first = first.and_then(|first| picker.take_first(first));
        // An excluded move counts as tried.
        self.n_tried = usize::from(self.node.excluded.is_some() && self.first.is_some());
        self.found = Found::NOTHING;
        self.stage = Stage::First;
        worker.path.push(position);
    }

    fn may_prune_rest(&self, cx: &Context<'_, G>) -> bool {
        may_prune_late_moves(
            &cx.tuning,
            self.n_tried,
            self.node.depth,
            self.node.is_pv(),
            self.alpha,
            self.found.value,
        )
    }

    /// Stores the result in the transposition table and returns the value.
    pub(crate) fn leave(&self, worker: &mut Worker<P>, cx: &Context<'_, G>, ply: usize) -> Value {
        let Found { value, bound, best } = self.found;
        if self.stage == Stage::EarlyCutoff {
            return value;
        }
        worker.path.pop(&self.position);
        if let Some(key) = self.node.key {
            let entry = Entry {
                value: value.after(ply as u16),
                bound,
                depth: self.node.depth as u8,
                best,
                evaluation: self.node.evaluation,
            };
            cx.table.store(key, entry);
        }
        value
    }
}
