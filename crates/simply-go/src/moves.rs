use crate::Point;

/// One move of Simply Go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Put a stone on a point, written `D4`.
    Place(Point),
    /// Put no stone, written `pass`.
    Pass,
}
