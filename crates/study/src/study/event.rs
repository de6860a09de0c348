use rules::record::NodeId;

use crate::{Inquiry, Opinion};

/// Something that happens to a [`Study`](super::Study).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A target of the board was clicked, or `pass`.
    Activate(String),
    /// What was clicked so far is dropped.
    Clear,
    /// A move was typed.
    Typed(String),
    /// Somebody looks at another position.
    GoTo(NodeId),
    /// A line of moves from a position is added to the tree, and looked at after so many of
    /// them.
    Follow {
        /// The position.
        from: NodeId,
        /// The moves.
        moves: Vec<String>,
        /// How many of them to look at.
        n_shown: usize,
    },
    /// The match is to be reviewed, or no longer.
    Review(bool),
    /// The engine is to judge the position that is looked at, or no longer.
    Engine(bool),
    /// How many moves the engine is to judge; all of them if it is
    /// [`Inquiry::ALL_LINES`].
    Lines(usize),
    /// Somebody writes about the position that is looked at.
    Comment(String),
    /// Clicks draw arrows instead of making moves, or no longer.
    Draw(bool),
    /// The board shows what the other player threatens, or no longer.
    Threat(bool),
    /// The variation that is looked at becomes the line that it leaves.
    Promote,
    /// The move that is looked at is deleted, with everything after it.
    Delete,
    /// Somebody wants to find better moves than these: the positions that they led to.
    Practice(Vec<NodeId>),
    /// The next of these, or none.
    NextTask,
    /// The same task once more, after a wrong move.
    TryAgain,
    /// The answer to the task is shown.
    ShowAnswer,
    /// Nobody wants to practice any more.
    EndPractice,
    /// What an engine says about an inquiry.
    Opinion {
        /// The number of the inquiry, as [`Effect::Ask`] gave it.
        number: u64,
        /// What it says.
        opinion: Opinion,
    },
}

/// Something to be carried out by whoever drives a [`Study`](super::Study).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Ask an engine, instead of any earlier inquiry.
    Ask {
        /// A number of its own. What is said about another inquiry is ignored.
        number: u64,
        /// What to ask.
        inquiry: Inquiry,
    },
    /// The answer to the last inquiry is no longer of use.
    Stop,
    /// The review, the tree or a comment changed and should be stored.
    Save,
    /// A click or a typed move was refused.
    Refuse(String),
}
