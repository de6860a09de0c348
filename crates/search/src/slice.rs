use std::fmt;

use crate::Report;

/// How much of a search to do before it is handed back.
///
/// It ends the slice, never the search: what is found does not depend on how a
/// search is sliced.
#[derive(Clone, Copy)]
pub struct Slice<'a> {
    /// About so many nodes, and at least one.
    pub nodes: u64,
    /// Asked now and then whether the slice is over.
    pub is_over: &'a dyn Fn() -> bool,
}

impl Slice<'_> {
    /// A slice that ends with the search.
    pub const WHOLE: Self = Self::nodes(u64::MAX);

    /// A slice of about so many nodes.
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

/// What came of a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchStep<M> {
    /// There is more to do.
    Paused,
    /// It found something worth a report, and there is more to do.
    Report(Report<M>),
    /// It is done, with this result.
    Done(Report<M>),
}
