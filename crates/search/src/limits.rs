use std::sync::atomic::{AtomicBool, Ordering};

/// Limits of a search. Whichever is reached first ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Maximum depth in moves.
    pub depth: Option<u32>,
    /// Maximum number of nodes, over all threads.
    pub nodes: Option<u64>,
}

impl Limits {
    /// A limit of nodes only.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            depth: None,
            nodes: Some(nodes),
        }
    }

    /// A limit of depth only.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            nodes: None,
        }
    }
}

/// Stop condition of a search. Searches have no clock of their own, so time limits
/// are implemented here.
pub trait Stop: Sync {
    /// Whether the search has to stop now. Called often.
    fn is_set(&self) -> bool;

    /// Whether a stop was requested, rather than the time being up. Work that must
    /// not be interrupted, such as the first depth, goes on until then.
    fn is_requested(&self) -> bool {
        self.is_set()
    }

    /// Whether to start the next depth.
    fn allows_next_depth(&self) -> bool {
        !self.is_set()
    }
}

/// Never stops.
#[derive(Clone, Copy, Debug)]
pub struct NoStop;

impl Stop for NoStop {
    fn is_set(&self) -> bool {
        false
    }
}

impl Stop for AtomicBool {
    fn is_set(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}
