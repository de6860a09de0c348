use crate::Hex;

/// One half of a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Slide a piece as far as it goes, written `2,-2>0,0` (R3).
    Slide {
        /// Where the piece leaves.
        from: Hex,
        /// Where it stops.
        to: Hex,
    },
    /// Take a tile and put it elsewhere, written `#1,0>3,-2` (R5).
    Shift {
        /// Where the tile was.
        from: Hex,
        /// Where it is put.
        to: Hex,
    },
    /// Skip a slide or a shift because none is possible, written `pass` (R6).
    Pass,
}
