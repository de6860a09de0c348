use std::fmt;

use crate::Report;

/// How much of a search to run in one step.
///
/// It ends the step, never the search: the result does not depend on how a search is
/// sliced.
#[derive(Clone, Copy)]
pub struct Slice<'a> {
    /// The approximate number of nodes, at least one.
    pub nodes: u64,
    /// Polled now and then; `true` ends the slice.
    pub is_over: &'a dyn Fn() -> bool,
}

impl Slice<'_> {
    /// A slice that ends with the search.
    pub const WHOLE: Self = Self::nodes(u64::MAX);

    /// A slice of about `nodes` nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes,
            is_over: &|| false,
        }
    }
}

impl fmt::Debug for Slice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slice")
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

/// The result of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchStep<M> {
    /// The slice ended; there is more to do.
    Paused,
    /// A depth is done; there is more to do.
    Report(Report<M>),
    /// The search is done, with this result.
    Done(Report<M>),
}
