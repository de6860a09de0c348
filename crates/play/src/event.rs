use rules::{Player, record::NodeId};
use study::{Inquiry, Opinion};

use crate::{Clocks, Question, RemoteState};

/// Something that happens to a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A target of the board was clicked, or `pass`.
    Activate(String),
    /// The selection was dropped on a target of the board.
    Drop(String),
    /// The selection is cleared, and a hint is hidden.
    Clear,
    /// A move was typed.
    Typed(String),
    /// Somebody looks at another position of the record.
    GoTo(NodeId),
    /// Goes back to the last decision of a person.
    TakeBack,
    /// Goes forward again to the next decision of a person.
    Redo,
    /// The person resigns: the only one, or the one to move.
    Resign,
    /// Asks a bot again that failed too often.
    Retry,
    /// Asks for a hint, or for the next step of the one that is shown. Ignored unless a
    /// person is to move and looks at the position.
    Hint,
    /// An engine says something about the position it was asked about.
    Opinion {
        /// The position.
        at: NodeId,
        /// The opinion.
        opinion: Opinion,
    },
    /// So many milliseconds passed since the match came to where it stands, or since the
    /// last event of this kind there. A clock that has no more left ends the match.
    TimePassed(u64),
    /// The time of a player ran out, as the keeper of the clocks reports. Ignored unless
    /// the clock of that player is running.
    ClockRanOut(Player),
    /// A bot chose a move in the position it was asked about.
    BotMoved {
        /// The position.
        at: NodeId,
        /// The move.
        m: String,
    },
    /// A bot can't answer the question about this position.
    BotFailed {
        /// The position.
        at: NodeId,
    },
    /// A server says how the match stands. Ignored unless a seat is remote.
    Follow(RemoteState),
    /// A server says what the clocks show. Ignored unless a seat is remote.
    Clocks(Option<Clocks>),
    /// The connection to the server is lost: its clocks are shown as they stand.
    HoldClocks,
    /// The same match was analyzed elsewhere: the variations and comments of this record, in
    /// its text form, are added. Ignored if it can't be read or began in another way.
    Studied(String),
}

/// Something that the driver of a match has to carry out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Ask a bot. Its answer is [`Event::BotMoved`] or [`Event::BotFailed`] with the
    /// question's `at`. A question replaces the one before.
    AskBot(Question),
    /// The answer to the last question is no longer of use.
    StopBot,
    /// A bot will be asked later in a match like this; what takes long can begin now.
    PrepareBot(Question),
    /// Ask an engine about a position, which is where the match stands. What it says comes
    /// back as [`Event::Opinion`] with the same `at`. A question to a bot replaces it.
    Inquire {
        /// The position.
        at: NodeId,
        /// The inquiry.
        inquiry: Inquiry,
    },
    /// The answer to [`Inquire`](Self::Inquire) is no longer of use.
    StopInquiry,
    /// The match changed and should be stored.
    Save,
    /// A person completed a turn of these moves in a match with a remote seat. It counts
    /// once [`Event::Follow`] has it.
    Turn(Vec<String>),
    /// The time of this player gets short, for the first time or for the first time in
    /// this turn.
    LowTime(Player),
    /// Input was refused; the reason should be shown.
    Refuse(RefusedInput),
}

/// Input that can't be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefusedInput {
    /// Nothing can be done at this target.
    Target(String),
    /// This text is no legal move.
    Typed(String),
}
