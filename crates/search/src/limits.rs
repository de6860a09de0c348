use std::sync::atomic::{AtomicBool, Ordering};

/// How far a search may go. Whatever comes first ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// So many moves deep.
    pub depth: Option<u32>,
    /// So many positions.
    pub nodes: Option<u64>,
}

impl Limits {
    /// A search of so many positions.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            depth: None,
            nodes: Some(nodes),
        }
    }

    /// A search of so many moves.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            nodes: None,
        }
    }
}

/// Tells a search from outside that it has to stop. Searches have no clock of
/// their own; whoever has one keeps it here.
pub trait Stop: Sync {
    /// Whether the search has to stop now. It is asked often.
    fn is_set(&self) -> bool;

    /// Whether somebody said stop, rather than the time being up. What can't be
    /// left half done, such as the first depth of a search, goes on until then.
    fn is_requested(&self) -> bool {
        self.is_set()
    }

    /// Whether it is worth while to begin looking one move deeper.
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
