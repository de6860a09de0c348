use std::fmt;

use crate::Outcome;

/// How a match ended, and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: Reason,
}

/// Written as the outcome and the reason: `p1win resignation`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            Reason::Rules => "rules",
            Reason::Repetition => "repetition",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreement",
            Reason::TimeOut => "time",
        };
        write!(f, "{} {reason}", self.outcome)
    }
}

/// What ended a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The position itself, by the rules of the game.
    Rules,
    /// The same position for the third time.
    Repetition,
    /// A player resigned.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// A player's time ran out.
    TimeOut,
}

/// Error for something that can't be done once a match is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("the match is over: {0}")]
pub struct MatchOver(pub Ending);
