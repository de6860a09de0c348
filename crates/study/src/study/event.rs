use rules::record::NodeId;

use crate::{Inquiry, Opinion};

/// An event that changes a [`Study`](super::Study).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A target of the board was clicked, or `pass`.
    Activate(String),
    /// The selection is cleared.
    Clear,
    /// A move was typed.
    Typed(String),
    /// Another position becomes the current one.
    GoTo(NodeId),
    /// A line of moves from a position is added to the tree; the position after `n_shown` of them
    /// becomes the current one.
    Follow {
        /// The position.
        from: NodeId,
        /// The moves.
        moves: Vec<String>,
        /// The number of moves to the new current position.
        n_shown: usize,
    },
    /// The review is started or stopped.
    Review(bool),
    /// The engine is switched on or off.
    Engine(bool),
    /// The number of moves that the engine evaluates; [`Inquiry::ALL_LINES`] for all.
    Lines(usize),
    /// The comment on the current position is edited.
    Comment(String),
    /// Drawing of arrows by clicks is switched on or off.
    Draw(bool),
    /// The display of threats is switched on or off.
    Threat(bool),
    /// The current variation is promoted.
    Promote,
    /// The current move is deleted, with everything after it.
    Delete,
    /// The last deletion is undone.
    Restore,
    /// Practice begins: better moves are to be found than those that led to these positions.
    Practice(Vec<NodeId>),
    /// The next task; after the last one practice ends.
    NextTask,
    /// The task is tried again, after a wrong move.
    TryAgain,
    /// The answer to the task is shown.
    ShowAnswer,
    /// Practice ends.
    EndPractice,
    /// A report of the engine on an inquiry.
    Opinion {
        /// The number of the inquiry, as [`Effect::Ask`] gave it.
        number: u64,
        /// The report.
        opinion: Opinion,
    },
}

/// A side effect that the driver of a [`Study`](super::Study) carries out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Ask the engine; replaces any earlier inquiry.
    Ask {
        /// The number of the inquiry. Reports on other inquiries are ignored.
        number: u64,
        /// The inquiry.
        inquiry: Inquiry,
    },
    /// Stop the engine: the answer to the last inquiry is no longer needed.
    Stop,
    /// Store the study: the review, the tree or a comment changed.
    Save,
    /// Show why a click on this target was refused.
    Refuse(String),
    /// Report that the typed text is not a legal move.
    Misread(String),
}
