use crate::Square;

/// One move of Takeover or Ataxx.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A new piece beside one of one's own, written `c3` (R3). Which piece it
    /// comes from changes nothing.
    Duplicate {
        /// Where the new piece appears.
        to: Square,
    },
    /// A jump (R4) or a knight's move (R5), written `a5c4`.
    Jump {
        /// Where the piece leaves.
        from: Square,
        /// Where it lands.
        to: Square,
    },
    /// Sit out a turn of Ataxx because nothing else is legal, written `0000`
    /// (R11).
    Pass,
}
