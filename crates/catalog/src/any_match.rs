use std::{any::Any, fmt};

use rules::{
    Game, IllegalMove, MatchSetup, Outcome, Player, Position, Record, perft,
    record::{self, Ending, NoSuchNode, NodeId, PlayError, TimeControl},
};
use view::{AnyTable, Deed, Picture, Table};

use crate::CatalogError;

/// A match of any game, with moves and positions as text.
///
/// It is a [`Record`] whose game is known at run time only. Its text form is the
/// record's, for files.
pub trait AnyMatch: fmt::Display + Send {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The value of an option, if the position at the cursor shows it.
    fn option(&self, name: &str) -> Option<String>;

    /// The position at the cursor.
    fn position(&self) -> String;

    /// The player to move.
    fn turn(&self) -> Player;

    /// The legal moves of the position, even if the match is over for another
    /// reason.
    fn legal_moves(&self) -> Vec<String>;

    /// The moves from the start to the cursor.
    fn moves(&self) -> Vec<String>;

    /// How the match ended, or `None` while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// How the match began.
    fn start(&self) -> AnyStart;

    /// The node at the cursor.
    fn cursor(&self) -> NodeId;

    /// The node with this number, if there is one.
    fn find_node(&self, index: usize) -> Option<NodeId>;

    /// Moves the cursor to `id`. Nothing else changes.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchNode`], with nothing changed, if `id` is of another match.
    fn go_to(&mut self, id: NodeId) -> Result<(), NoSuchNode>;

    /// The nodes before `id`, nearest first. The last one is the start.
    fn ancestors(&self, id: NodeId) -> Vec<NodeId>;

    /// The nodes from the start to `id`, both included.
    fn line(&self, id: NodeId) -> Vec<NodeId>;

    /// The nodes right after `id`: the main line's first, then the variations.
    fn children(&self, id: NodeId) -> Vec<NodeId>;

    /// The next node on the line of `id`; `None` at its end.
    fn next(&self, id: NodeId) -> Option<NodeId>;

    /// The move that led to `id`; `None` at the start.
    fn move_to(&self, id: NodeId) -> Option<String>;

    /// The player to move at `id`.
    fn turn_at(&self, id: NodeId) -> Option<Player>;

    /// The legal moves at `id`.
    fn legal_moves_at(&self, id: NodeId) -> Vec<String>;

    /// The number of legal moves at `id`.
    fn n_legal_moves_at(&self, id: NodeId) -> usize;

    /// Whether the opponent of the player to move at `id` wins with the next move after that
    /// player's turn, if it begins with the legal move `m` and whatever else happens in it.
    fn loses_at_once(&self, id: NodeId, m: &str) -> bool;

    /// How many pieces of the opponent the move that led to the cursor took or turned over.
    fn n_taken(&self) -> u32;

    /// What the move that led to the cursor achieved by the rules, besides what it took.
    fn deed(&self) -> Option<Deed>;

    /// The most pieces that a single move of the opponent could take after the legal move `m`
    /// at `id`; `None` if the turn goes on after it.
    fn most_lost(&self, id: NodeId, m: &str) -> Option<u32>;

    /// What somebody wrote about the position at `id`; empty if nothing.
    fn comment_at(&self, id: NodeId) -> &str;

    /// Sets the comment on the position at the cursor.
    fn set_comment(&mut self, comment: &str);

    /// Whether the player to move at `id` took a hint there.
    fn has_hint_at(&self, id: NodeId) -> bool;

    /// Notes that the player to move at the cursor takes a hint there.
    fn note_hint(&mut self);

    /// The move that led to `id` in the notation of move lists, with captures and
    /// conversions; `None` at the start.
    fn notation(&self, id: NodeId) -> Option<String>;

    /// How the match ended before or at `id`; `None` if it did not.
    fn ending_at(&self, id: NodeId) -> Option<Ending>;

    /// Plays a move of the match.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`], with nothing changed, if the text is no legal
    /// move or the match is over.
    fn play(&mut self, m: &str) -> Result<(), CatalogError>;

    /// Adds a move as a variation, even after a resignation or a repetition.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`], with nothing changed, if the text is no legal move.
    fn explore(&mut self, m: &str) -> Result<(), CatalogError>;

    /// Makes the line of `id` the main line, up to the end of the match. The cursor stays.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchNode`], with nothing changed, if `id` is of another match or deleted.
    fn promote(&mut self, id: NodeId) -> Result<(), NoSuchNode>;

    /// Deletes the node `id` and everything after it. Returns whether there was such a node;
    /// the start can't be deleted. All other nodes keep their ids. A cursor on a deleted
    /// node goes to the one before `id`.
    fn delete(&mut self, id: NodeId) -> bool;

    /// Goes back one move and returns it; `None` at the start.
    fn undo(&mut self) -> Option<String>;

    /// Goes forward one move and returns it; `None` at the end.
    fn redo(&mut self) -> Option<String>;

    /// Takes back the last turn of `player` and returns the number of moves.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`], with nothing changed, if there is none or the
    /// match is over.
    fn take_back(&mut self, player: Player) -> Result<usize, CatalogError>;

    /// Names `player`. Line breaks become spaces, and the ends are trimmed.
    fn set_player_name(&mut self, player: Player, name: &str);

    /// Ends the match: `player` resigns.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError::Over`], with nothing changed, if it is over.
    fn resign(&mut self, player: Player) -> Result<(), CatalogError>;

    /// Ends the match: the players agree on a draw.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError::Over`], with nothing changed, if it is over.
    fn agree_draw(&mut self) -> Result<(), CatalogError>;

    /// Ends the match: the time of `player` ran out.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError::Over`], with nothing changed, if it is over.
    fn time_out(&mut self, player: Player) -> Result<(), CatalogError>;

    /// The time control, if the match is played with clocks.
    fn time_control(&self) -> Option<TimeControl>;

    /// Sets the time control.
    fn set_time_control(&mut self, time_control: Option<TimeControl>);

    /// The time left after the move that led to `id`, in milliseconds, for the player
    /// who made it.
    fn time_left_at(&self, id: NodeId) -> Option<u64>;

    /// Sets the time left after the move at the cursor, in milliseconds. Ignored at the
    /// start.
    fn set_time_left(&mut self, milliseconds: u64);

    /// The match as a short text for links.
    fn to_link(&self) -> String;

    /// Counts the sequences of `depth` moves from the position.
    fn perft(&self, depth: u32) -> u64;

    /// The position at the cursor as an interactive picture.
    fn table(&self) -> Box<dyn AnyTable>;

    /// As [`table`](Self::table), with all legal moves to choose from even if the match is
    /// over for another reason.
    fn analysis_table(&self) -> Box<dyn AnyTable>;

    /// The [`Record`], for callers that know the game's type.
    fn as_any(&self) -> &dyn Any;

    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyMatch>;
}

/// How a match began, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyStart {
    /// From the first position of the game, with the value of every option.
    Setup(Vec<(&'static str, String)>),
    /// From the position with this text.
    Position(String),
}

/// Adds the moves of `from`, which began in the same way, to the tree of `to`, and its comments where
/// there are none. The cursor and the order of known moves stay.
pub fn add_variations(from: &dyn AnyMatch, to: &mut dyn AnyMatch) {
    let cursor = to.cursor();
    let mut waiting = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((node, same)) = waiting.pop() {
        let comment = from.comment_at(node);
        if to.comment_at(same).is_empty() && !comment.is_empty() && to.go_to(same).is_ok() {
            to.set_comment(comment);
        }
        for child in from.children(node) {
            if let Some(m) = from.move_to(child)
                && to.go_to(same).is_ok()
                && to.explore(&m).is_ok()
            {
                waiting.push((child, to.cursor()));
            }
        }
    }
    // The node is of this record.
    to.go_to(cursor).ok();
}

impl Clone for Box<dyn AnyMatch> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

pub(crate) fn texts<T: fmt::Display>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// The moves of a line that begins at `id`, in the notation of move lists, up to the first that is
/// not legal. The record need not have them.
///
/// It is no method of [`AnyMatch`], so that a page that shows no lines does not contain it.
#[must_use]
pub fn notations(record: &dyn AnyMatch, id: NodeId, moves: &[String]) -> Vec<String> {
    notations_in(&mut *record.boxed_clone(), id, moves)
}

/// As [`notations`], for many lines: copies nothing, but adds the moves to `playing` and leaves
/// its cursor after them.
#[must_use]
pub fn notations_in(playing: &mut dyn AnyMatch, id: NodeId, moves: &[String]) -> Vec<String> {
    if playing.go_to(id).is_err() {
        return Vec::new();
    }
    let notation = |m: &String| {
        playing.explore(m).ok()?;
        playing.notation(playing.cursor())
    };
    moves.iter().map_while(notation).collect()
}

pub(crate) fn parse_move<G: Game>(text: &str) -> Result<G::Move, CatalogError> {
    text.parse().map_err(
        |e: <G::Move as std::str::FromStr>::Err| CatalogError::Move {
            text: text.to_owned(),
            reason: e.to_string(),
        },
    )
}

/// Whether the opponent of `player` has won, or wins with the next move once it is their turn.
fn is_lost_at_once<P: Position>(position: &P, player: Player) -> bool {
    let lost = Some(Outcome::Win(!player));
    if position.outcome().is_some() {
        return position.outcome() == lost;
    }
    let mut moves = position.legal_moves().into_iter();
    if position.turn() == player {
        moves.all(|m| is_lost_at_once(&position.after(m), player))
    } else {
        moves.any(|m| position.after(m).outcome() == lost)
    }
}

impl<M: fmt::Display> From<PlayError<M>> for CatalogError {
    fn from(error: PlayError<M>) -> Self {
        match error {
            PlayError::Over(over) => Self::Over(over),
            PlayError::Illegal(illegal) => illegal.into(),
        }
    }
}

impl<M: fmt::Display> From<IllegalMove<M>> for CatalogError {
    fn from(IllegalMove(m): IllegalMove<M>) -> Self {
        Self::IllegalMove(m.to_string())
    }
}

impl<G: Picture> AnyMatch for Record<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn option(&self, name: &str) -> Option<String> {
        Self::position(self).option(name)
    }

    fn position(&self) -> String {
        Self::position(self).to_string()
    }

    fn turn(&self) -> Player {
        Self::position(self).turn()
    }

    fn legal_moves(&self) -> Vec<String> {
        texts(&Self::position(self).legal_moves())
    }

    fn moves(&self) -> Vec<String> {
        texts(&Self::moves(self))
    }

    fn ending(&self) -> Option<Ending> {
        Self::ending(self)
    }

    fn start(&self) -> AnyStart {
        match Self::start(self) {
            record::Start::Setup(setup) => {
                let options = G::Setup::options().iter();
                let values =
                    options.filter_map(|option| Some((option.name, setup.value(option.name)?)));
                AnyStart::Setup(values.collect())
            }
            record::Start::Position(position) => AnyStart::Position(position.to_string()),
        }
    }

    fn cursor(&self) -> NodeId {
        Self::cursor(self)
    }

    fn find_node(&self, index: usize) -> Option<NodeId> {
        Self::find_node(self, index)
    }

    fn go_to(&mut self, id: NodeId) -> Result<(), NoSuchNode> {
        Self::go_to(self, id)
    }

    fn ancestors(&self, id: NodeId) -> Vec<NodeId> {
        Self::ancestors(self, id).collect()
    }

    fn line(&self, id: NodeId) -> Vec<NodeId> {
        Self::line(self, id)
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        Self::children(self, id)
    }

    fn next(&self, id: NodeId) -> Option<NodeId> {
        Self::next(self, id)
    }

    fn move_to(&self, id: NodeId) -> Option<String> {
        Self::move_to(self, id).map(|m| m.to_string())
    }

    fn turn_at(&self, id: NodeId) -> Option<Player> {
        Self::position_at(self, id).map(Position::turn)
    }

    fn legal_moves_at(&self, id: NodeId) -> Vec<String> {
        let position = Self::position_at(self, id);
        position.map_or_else(Vec::new, |position| texts(&position.legal_moves()))
    }

    fn n_legal_moves_at(&self, id: NodeId) -> usize {
        Self::position_at(self, id).map_or(0, Position::n_legal_moves)
    }

    fn loses_at_once(&self, id: NodeId, m: &str) -> bool {
        let Some((position, m)) = self.position_at(id).zip(parse_move::<G>(m).ok()) else {
            return false;
        };
        position.is_legal(m) && is_lost_at_once(&position.after(m), position.turn())
    }

    fn n_taken(&self) -> u32 {
        let before = self.parent(Self::cursor(self));
        let before = before.and_then(|before| self.position_at(before));
        before.map_or(0, |before| before.n_taken(Self::position(self)))
    }

    fn deed(&self) -> Option<Deed> {
        let before = self.parent(Self::cursor(self))?;
        self.position_at(before)?.deed(Self::position(self))
    }

    fn most_lost(&self, id: NodeId, m: &str) -> Option<u32> {
        let (position, m) = self.position_at(id).zip(parse_move::<G>(m).ok())?;
        if !position.is_legal(m) {
            return None;
        }
        let after = position.after(m);
        let replies = after.legal_moves().into_iter();
        let lost = replies.map(|reply| after.n_taken(&after.after(reply)));
        (after.turn() != position.turn()).then(|| lost.max().unwrap_or(0))
    }

    fn comment_at(&self, id: NodeId) -> &str {
        Self::comment_at(self, id)
    }

    fn set_comment(&mut self, comment: &str) {
        Self::set_comment(self, comment);
    }

    fn has_hint_at(&self, id: NodeId) -> bool {
        Self::has_hint_at(self, id)
    }

    fn note_hint(&mut self) {
        Self::note_hint(self);
    }

    fn notation(&self, id: NodeId) -> Option<String> {
        let before = self.position_at(self.parent(id)?)?;
        Some(before.notation(Self::move_to(self, id)?, self.position_at(id)?))
    }

    fn ending_at(&self, id: NodeId) -> Option<Ending> {
        Self::ending_at(self, id)
    }

    fn play(&mut self, m: &str) -> Result<(), CatalogError> {
        Ok(Self::play(self, parse_move::<G>(m)?)?)
    }

    fn explore(&mut self, m: &str) -> Result<(), CatalogError> {
        Ok(Self::explore(self, parse_move::<G>(m)?)?)
    }

    fn promote(&mut self, id: NodeId) -> Result<(), NoSuchNode> {
        Self::promote(self, id)
    }

    fn delete(&mut self, id: NodeId) -> bool {
        Self::delete(self, id)
    }

    fn undo(&mut self) -> Option<String> {
        Self::undo(self).map(|m| m.to_string())
    }

    fn redo(&mut self) -> Option<String> {
        Self::redo(self).map(|m| m.to_string())
    }

    fn take_back(&mut self, player: Player) -> Result<usize, CatalogError> {
        Ok(Self::take_back(self, player)?)
    }

    fn set_player_name(&mut self, player: Player, name: &str) {
        Self::set_player_name(self, player, name);
    }

    fn resign(&mut self, player: Player) -> Result<(), CatalogError> {
        Ok(Self::resign(self, player)?)
    }

    fn agree_draw(&mut self) -> Result<(), CatalogError> {
        Ok(Self::agree_draw(self)?)
    }

    fn time_out(&mut self, player: Player) -> Result<(), CatalogError> {
        Ok(Self::time_out(self, player)?)
    }

    fn time_control(&self) -> Option<TimeControl> {
        Self::time_control(self)
    }

    fn set_time_control(&mut self, time_control: Option<TimeControl>) {
        Self::set_time_control(self, time_control);
    }

    fn time_left_at(&self, id: NodeId) -> Option<u64> {
        Self::time_left_at(self, id)
    }

    fn set_time_left(&mut self, milliseconds: u64) {
        Self::set_time_left(self, milliseconds);
    }

    fn to_link(&self) -> String {
        Self::to_link(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(Self::position(self), depth)
    }

    fn table(&self) -> Box<dyn AnyTable> {
        Box::new(table_of(self, Self::ending(self)))
    }

    fn analysis_table(&self) -> Box<dyn AnyTable> {
        let is_last = Self::position(self).outcome().is_some();
        let ending = Self::ending(self).filter(|_| is_last);
        Box::new(table_of(self, ending))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn AnyMatch> {
        Box::new(self.clone())
    }
}

/// The position at the cursor as an interactive picture, over if there is an ending.
fn table_of<G: Picture>(record: &Record<G>, ending: Option<Ending>) -> Table<G> {
    let mut table = Table::new(record.position().clone()).ended(ending);
    // The last move, and the one before it if that is of the same turn.
    let step_to = |id: NodeId| {
        let parent = record.parent(id)?;
        Some((parent, record.position_at(parent)?, record.move_to(id)?))
    };
    if let Some((node, before, m)) = step_to(record.cursor()) {
        table = table.after(before.clone(), m);
        let earlier = step_to(node).filter(|(_, first, _)| first.turn() == before.turn());
        if let Some((_, before, m)) = earlier {
            table = table.earlier(before.clone(), m);
        }
    }
    table
}
