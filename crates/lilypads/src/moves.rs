use crate::Circle;

/// One move of Lilypads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Bring a piece in from the holding, written `@7` (R9).
    Enter {
        /// Where it enters.
        to: Circle,
    },
    /// Step, capture or leap, written `3-7` (R10 to R12). Where both a step and
    /// a leap lead to the same circle, they are one move.
    Go {
        /// Where the piece leaves.
        from: Circle,
        /// Where it lands.
        to: Circle,
    },
    /// Sit out a turn because nothing else is legal, written `pass` (R14).
    Pass,
}
