//! The explicit stack of a depth-first search.

use rules::Position;

use crate::{
    Guide, Value,
    frame::{Frame, Next},
    worker::{Context, Worker},
};

/// A depth-first search as a value: it can be paused and resumed at any node.
///
/// It replaces the call stack of a recursion. Frames are kept when a node is left,
/// to reuse their memory and to search a child again without making its position
/// anew.
pub(crate) struct Stack<P: Position, G: Guide<P>> {
    frames: Vec<Frame<P, G>>,
    /// The number of frames in use; the node at index `n` is at ply `n + 1`.
    len: usize,
}

/// Why the search returned.
pub(crate) enum Flow {
    /// The value of the node it started from.
    Value(Value),
    /// The slice is over.
    Paused,
    /// The search has to stop.
    Stopped,
}

impl<P: Position, G: Guide<P>> Stack<P, G> {
    pub(crate) const fn new() -> Self {
        Self {
            frames: Vec::new(),
            len: 0,
        }
    }

    /// Whether no search is in progress.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Starts to search a child of the root. Returns its value if it needs no frame.
    pub(crate) fn begin(
        &mut self,
        worker: &mut Worker<P>,
        cx: &Context<'_, G>,
        (position, memo): (&P, &G::Memo),
        depth: i32,
        window: (Value, Value),
    ) -> Option<Value> {
        let value = worker.visit(cx, position, memo, 1, depth, window);
        if value.is_none() {
            self.push(worker, position.clone(), memo.clone());
        }
        value
    }

    /// Runs until the search is done, paused or stopped.
    pub(crate) fn run(&mut self, worker: &mut Worker<P>, cx: &Context<'_, G>) -> Flow {
        loop {
            if worker.is_paused() {
                return Flow::Paused;
            }
            let ply = self.len;
            let frame = &mut self.frames[ply - 1];
            let value = match frame.next(worker, cx, ply) {
                // Children live on the thread's stack; only those that need a frame
                // are moved to one.
                Next::Move(m) => {
                    let child = frame.position.after(m);
                    if frame.probes_children(cx) {
                        cx.table.prefetch(child.key());
                    }
                    let memo = cx.guide.memo_after(&frame.memo, &frame.position, m, &child);
                    match frame.visit_child(worker, cx, ply, &child, &memo) {
                        Some(value) => value,
                        None => {
                            self.push(worker, child, memo);
                            continue;
                        }
                    }
                }
                Next::Null => {
                    let null = cx.guide.null_move(&frame.position, &frame.memo);
                    let Some((passed, memo)) = null else {
                        frame.skip_null();
                        continue;
                    };
                    frame.begin_null(worker, cx, ply);
                    match frame.visit_child(worker, cx, ply, &passed, &memo) {
                        Some(value) => value,
                        None => {
                            self.push(worker, passed, memo);
                            continue;
                        }
                    }
                }
                Next::Singular => {
                    let (position, memo) = (frame.position.clone(), frame.memo.clone());
                    frame.begin_singular(worker, cx, ply);
                    match frame.visit_child(worker, cx, ply, &position, &memo) {
                        Some(value) => value,
                        None => {
                            self.push(worker, position, memo);
                            continue;
                        }
                    }
                }
                Next::Leave => {
                    let value = frame.leave(worker, cx, ply);
                    self.len -= 1;
                    if self.len == 0 {
                        return Flow::Value(value);
                    }
                    self.hand_up(worker, cx, value);
                    if worker.is_stopped {
                        return Flow::Stopped;
                    }
                    continue;
                }
            };
            if worker.is_stopped {
                return Flow::Stopped;
            }
            frame.take(worker, cx, ply, value);
        }
    }

    /// Passes the value of the child that was just left to its parent, which may
    /// call for a re-search.
    fn hand_up(&mut self, worker: &mut Worker<P>, cx: &Context<'_, G>, value: Value) {
        let ply = self.len;
        let (parents, children) = self.frames.split_at_mut(ply);
        let (parent, child) = (&mut parents[ply - 1], &mut children[0]);
        let value = parent.seen_from_here(value);
        let value = if parent.needs_re_search(value) {
            parent.visit_child(worker, cx, ply, &child.position, &child.memo)
        } else {
            Some(value)
        };
        match value {
            _ if worker.is_stopped => {}
            Some(value) => parent.take(worker, cx, ply, value),
            None => {
                child.restart(worker.node);
                self.len += 1;
            }
        }
    }

    /// Pushes a frame for the node that was just visited.
    #[inline]
    fn push(&mut self, worker: &Worker<P>, position: P, memo: G::Memo) {
        let node = worker.node;
        if let Some(frame) = self.frames.get_mut(self.len) {
            frame.position = position;
            frame.memo = memo;
            frame.restart(node);
        } else {
            self.frames.push(Frame::new(position, memo, node));
        }
        self.len += 1;
    }
}
