//! One node of the stack of an alpha-beta search.

use rules::Position;

use crate::{
    Guide, Value,
    move_picker::{Candidate, MovePicker},
    transposition_table::{Bound, Entry},
    worker::{Context, Node, Worker, late_move_reduction, may_prune_late_moves},
};

/// A node whose moves are being tried.
pub(crate) struct Frame<P: Position, G: Guide<P>> {
    pub(crate) position: P,
    pub(crate) memo: G::Memo,
    node: Node,
    /// What a move has to be better than.
    alpha: Value,
    stage: Stage,
    picker: MovePicker<P::Move>,
    /// The best move of the table, which is tried before the others are put in order.
    first: Option<Candidate<P::Move>>,
    /// The move being tried.
    candidate: Option<Candidate<P::Move>>,
    n_tried: usize,
    /// The depth of a child, and of one that is searched less deeply.
    next_depth: i32,
    reduced_depth: i32,
    /// Whether the child has the same player to move.
    is_same_turn: bool,
    found: Found,
}

/// Which search of a child is under way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// None yet: a null move search comes first if there is to be one.
    New,
    /// With the turn passed.
    Null,
    /// The first move, with the whole window.
    First,
    /// A later move, less deeply, with a window of nothing but a bound.
    Reduced,
    /// A later move with such a window.
    ZeroWindow,
    /// A later move that turned out to be better, with the whole window.
    Full,
    /// None any more: a move was too good for the opponent to allow.
    Cutoff,
    /// None any more: even with the turn passed it is good enough.
    NullCutoff,
}

/// What the moves of a node came to.
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

/// What to do next at a node.
pub(crate) enum Next<M> {
    /// Search the position with the turn passed, if that may be done here.
    Null,
    /// Search the position after this move.
    Move(M),
    /// Nothing.
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
            next_depth: 0,
            reduced_depth: 0,
            is_same_turn: false,
            found: Found::NOTHING,
        }
    }

    /// Begins to try the moves of the position that is here.
    pub(crate) fn restart(&mut self, node: Node) {
        self.node = node;
        self.alpha = node.alpha;
        self.stage = Stage::New;
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
            // Even with the turn passed it may be good enough.
            if self.node.null_depth.is_some() {
                return Next::Null;
            }
            self.list_moves(worker, cx);
        }
        let (depth, n_tried) = (self.node.depth, self.n_tried);
        if matches!(self.stage, Stage::Cutoff | Stage::NullCutoff)
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
        self.stage = if n_tried == 0 {
            Stage::First
        } else {
            // Later moves only have to prove that they are no better.
            let reduction = late_move_reduction(&cx.tuning, depth, n_tried, candidate.order);
            self.reduced_depth = self.next_depth - reduction;
            Stage::Reduced
        };
        Next::Move(candidate.m)
    }

    /// The position with the turn passed is about to be searched.
    pub(crate) fn begin_null(&mut self, worker: &mut Worker<P>) {
        worker.path.push(&self.position);
        self.stage = Stage::Null;
    }

    /// Whether its children are looked up in the table.
    #[inline]
    pub(crate) fn probes_children(&self, cx: &Context<'_, G>) -> bool {
        self.next_depth >= cx.tuning.least_table_depth
    }

    /// Looks at a child, again and again if one look calls for another. Returns its
    /// value for the player to move here, or `None` if its moves have to be tried.
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
            // The same player may be on move again, so values change their sign only
            // when the turn passes.
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

    /// The depth and the window of the search under way.
    #[inline]
    fn request(&self) -> (i32, (Value, Value)) {
        let (alpha, beta) = (self.alpha, self.node.beta);
        match self.stage {
            Stage::Null => (
                self.node.null_depth.unwrap_or_default(),
                (beta.shifted(-1), beta),
            ),
            Stage::Reduced => (self.reduced_depth, (alpha, alpha.shifted(1))),
            Stage::ZeroWindow => (self.next_depth, (alpha, alpha.shifted(1))),
            _ => (self.next_depth, (alpha, beta)),
        }
    }

    /// Whether the child has to be searched again after it came to `value`.
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

    /// Takes the value of the child that was searched.
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
                // A win after a pass is not proven.
                self.found.value = if value.is_win() { beta } else { value };
                self.stage = Stage::NullCutoff;
            } else {
                self.list_moves(worker, cx);
            }
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

    pub(crate) fn list_moves(&mut self, worker: &mut Worker<P>, cx: &Context<'_, G>) {
        let (position, memo) = (&self.position, &self.memo);
        let picker = &mut self.picker;
        picker.list(|moves| cx.guide.moves_into(position, memo, moves));
        // A lone move is no choice, so it costs no depth.
        let is_lone = picker.moves().len() == 1;
        self.next_depth = self.node.depth - i32::from(!is_lone);
        // The others need no order if this one turns out to be enough.
        self.first = self.node.best.and_then(|best| picker.take_first(best));
        self.n_tried = 0;
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

    /// Remembers what was found and returns the value.
    pub(crate) fn leave(&self, worker: &mut Worker<P>, cx: &Context<'_, G>, ply: usize) -> Value {
        let Found { value, bound, best } = self.found;
        if self.stage == Stage::NullCutoff {
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
