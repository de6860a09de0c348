use std::{cmp::Ordering, fmt};

/// The exact value of a position for the player to move, with best play by both.
///
/// Ordered by preference: slower losses, then draws, then faster wins are better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExactValue {
    /// The player to move loses in this many plies, 0 if the match is over.
    Loss(u16),
    /// Neither can force a win, so the match is drawn by repetition (R16).
    Draw,
    /// The player to move wins in this many plies.
    Win(u16),
}

impl ExactValue {
    /// The value of an unfinished position: a win in an odd number of plies, a loss
    /// in an even one, a draw if 0.
    #[inline]
    pub(crate) fn from_plies(plies: u16) -> Self {
        match plies {
            0 => Self::Draw,
            _ if plies % 2 == 1 => Self::Win(plies),
            _ => Self::Loss(plies),
        }
    }

    /// The value of a move for the player who makes it, from the value of the
    /// position it leads to.
    #[inline]
    #[must_use]
    pub fn one_ply_earlier(self) -> Self {
        match self {
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
        }
    }

    /// The plies to the end, 0 for a draw.
    #[must_use]
    pub fn plies(self) -> u16 {
        match self {
            Self::Loss(plies) | Self::Win(plies) => plies,
            Self::Draw => 0,
        }
    }

    /// Which of the three it is, as `loss`, `draw` or `win`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Loss(_) => "loss",
            Self::Draw => "draw",
            Self::Win(_) => "win",
        }
    }

    /// Whether both are wins, both draws or both losses.
    #[inline]
    #[must_use]
    pub fn is_same_result(self, other: Self) -> bool {
        self.class() == other.class()
    }

    fn class(self) -> i8 {
        match self {
            Self::Loss(_) => -1,
            Self::Draw => 0,
            Self::Win(_) => 1,
        }
    }

    fn preference(self) -> i32 {
        const FARTHEST: i32 = u16::MAX as i32 + 1;
        match self {
            Self::Loss(plies) => i32::from(plies) - FARTHEST,
            Self::Draw => 0,
            Self::Win(plies) => FARTHEST - i32::from(plies),
        }
    }
}

impl PartialOrd for ExactValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ExactValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

/// Written `win in 5`, `loss in 8` or `draw`.
impl fmt::Display for ExactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.write_str("draw"),
            Self::Loss(plies) | Self::Win(plies) => write!(f, "{} in {plies}", self.name()),
        }
    }
}
