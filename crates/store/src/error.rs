/// Error of a [`Store`](crate::Store).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// The store can't be reached, or can't write. Whether the operation took effect is
    /// unknown; it may be repeated.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The store contains invalid data, or rejects a statement: a bug of ours.
    #[error("the store is broken: {0}")]
    Broken(String),
}

impl StoreError {
    /// The id of a new match is taken, or the place of a rematch.
    pub(crate) fn not_new(id: &str) -> Self {
        Self::Broken(format!("match {id} is there already, or another rematch"))
    }
}
