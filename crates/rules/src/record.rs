//! The match record: everything that happened in one match.
//!
//! A [`Record`] is the source of truth of a match: how it began, the moves,
//! resignations and take-backs, the clocks, and so the result. A position has no
//! history; draws by repetition, undo and variations are implemented here.
//!
//! It has one text form for files ([`Display`](std::fmt::Display) and
//! [`FromStr`](std::str::FromStr)) and a short one for links ([`Record::to_link`]
//! and [`Record::from_link`]). Both hold the whole record.

mod bits;
mod control;
mod ending;
mod error;
mod link;
mod text;
mod tree;

use tree::Tree;

pub use crate::record::{
    control::{Control, ParseControlError, TimeControl},
    ending::{Ending, MatchOver, Reason},
    error::{PlayError, Problem, ReadError, TakeBackError},
    link::game_of_link,
    text::game_of_file,
    tree::NodeId,
};
use crate::{ByPlayer, Game, IllegalMove, Player, SetupError, parse_decimal};

/// How often a position may occur before the match is drawn.
pub(crate) const REPETITIONS_THAT_DRAW: u32 = 3;

/// Error for a node that is not in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no node {} in this record", .0.index())]
pub struct NoSuchNode(pub NodeId);

/// How a match began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start<G: Game> {
    /// From the first position of the game, with these options.
    Setup(G::Setup),
    /// From any other position.
    Position(G),
}

/// One match of the game `G`, with all variations.
///
/// The record is a tree of moves with a cursor. The *main line* is the match as it
/// was played; everything else is a variation. Most methods refer to the position at
/// the cursor.
///
/// Two records are equal if they have the same start, names, clocks, moves, controls,
/// comments and variations, in the same order. Cursors are ignored.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    start: Start<G>,
    players: ByPlayer<String>,
    time_control: Option<TimeControl>,
    tree: Tree<G>,
    cursor: NodeId,
    /// Whether the cursor is on the main line.
    is_on_main_line: bool,
    /// Where [`redo`](Self::redo) goes, nearest last.
    undone: Vec<NodeId>,
}

impl<G: Game> Record<G> {
    /// A new match.
    ///
    /// # Errors
    ///
    /// Returns [`SetupError`] if two options conflict.
    pub fn new(setup: G::Setup) -> Result<Self, SetupError> {
        let position = G::start(&setup)?;
        Ok(Self::from_start(Start::Setup(setup), position))
    }

    /// A match that begins with the given position.
    pub fn from_position(position: G) -> Self {
        Self::from_start(Start::Position(position.clone()), position)
    }

    fn from_start(start: Start<G>, position: G) -> Self {
        Self {
            start,
            players: ByPlayer::default(),
            time_control: None,
            tree: Tree::new(position),
            cursor: NodeId::ROOT,
            is_on_main_line: true,
            undone: Vec::new(),
        }
    }

    /// How the match began.
    pub fn start(&self) -> &Start<G> {
        &self.start
    }

    /// The position at the cursor.
    pub fn position(&self) -> &G {
        &self.tree[self.cursor].position
    }

    /// The node at the cursor.
    pub fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// The node with this [number](NodeId::index), if there is one.
    pub fn find_node(&self, index: usize) -> Option<NodeId> {
        self.tree.find(index)
    }

    /// Moves the cursor to `id`. Nothing else changes: this is not a take-back.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchNode`], with nothing changed, if `id` is of another record or deleted.
    pub fn go_to(&mut self, id: NodeId) -> Result<(), NoSuchNode> {
        if !self.tree.contains(id) {
            return Err(NoSuchNode(id));
        }
        self.undone.clear();
        self.cursor = id;
        self.is_on_main_line = self.tree.is_main(id);
        Ok(())
    }

    /// The node before `id`; `None` at the start, or if `id` is of another record.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.parent
    }

    /// The nodes before `id`, nearest first. The last one is the start.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |&id| self.parent(id))
    }

    /// The nodes from the start to `id`, both included.
    pub fn line(&self, id: NodeId) -> Vec<NodeId> {
        let mut line: Vec<_> = self.ancestors(id).collect();
        line.reverse();
        line.extend(self.node(id).map(|_| id));
        line
    }

    /// The nodes right after `id`: the main line's first, then the variations.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        let children = self.node(id).map(|node| node.children().collect());
        children.unwrap_or_default()
    }

    /// The next node on the line of `id`; `None` at its end.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.main
    }

    /// The move that led to `id`; `None` at the start.
    pub fn move_to(&self, id: NodeId) -> Option<G::Move> {
        self.node(id)?.m
    }

    /// The position at `id`.
    pub fn position_at(&self, id: NodeId) -> Option<&G> {
        Some(&self.node(id)?.position)
    }

    /// How the match ended before or at `id`; `None` if it did not.
    pub fn ending_at(&self, id: NodeId) -> Option<Ending> {
        self.node(id).and_then(|_| self.ending_on_line(id))
    }

    fn node(&self, id: NodeId) -> Option<&tree::Node<G>> {
        self.tree.contains(id).then(|| &self.tree[id])
    }

    /// The moves from the start to the cursor.
    pub fn moves(&self) -> Vec<G::Move> {
        let mut moves: Vec<_> = self.line_back().filter_map(|id| self.tree[id].m).collect();
        moves.reverse();
        moves
    }

    /// How many moves lead to the cursor.
    pub fn n_moves(&self) -> usize {
        self.line_back().count() - 1
    }

    /// The controls used at the cursor.
    pub fn controls(&self) -> &[Control] {
        &self.tree[self.cursor].controls
    }

    /// How often the position at the cursor has occurred up to it, this time
    /// included.
    pub fn n_occurrences(&self) -> u32 {
        self.tree[self.cursor].n_occurrences
    }

    /// The [repetition keys](crate::Position::repetition_key) of the positions
    /// before the cursor, for a search.
    pub fn repetition_keys(&self) -> Vec<u64> {
        let before = self.line_back().skip(1);
        let mut keys: Vec<_> = before
            .filter_map(|id| self.tree[id].position.repetition_key())
            .collect();
        keys.reverse();
        keys
    }

    /// How the match ended, or `None` while it goes on.
    ///
    /// A match that ended before the cursor stays over, even in a variation
    /// [explored](Self::explore) later.
    pub fn ending(&self) -> Option<Ending> {
        self.ending_on_line(self.cursor)
    }

    /// The first ending before or at `id`.
    fn ending_on_line(&self, id: NodeId) -> Option<Ending> {
        let endings = self.tree.line(id).filter_map(|id| self.tree[id].ending());
        endings.last()
    }

    /// Plays `m` as the next move of the match.
    ///
    /// The line of the cursor becomes the main line. A move played here before and
    /// undone stays as a variation.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError`], with nothing changed, if the match is over or the move
    /// is not legal.
    pub fn play(&mut self, m: G::Move) -> Result<(), PlayError<G::Move>> {
        if let Some(ending) = self.ending() {
            return Err(PlayError::Over(MatchOver(ending)));
        }
        self.explore(m).map_err(PlayError::Illegal)?;
        self.promote_line();
        Ok(())
    }

    /// Adds the move `m` as a variation of the main line, or as the next move of the
    /// variation that the cursor is in.
    ///
    /// This works after a resignation or a repetition: for study, and for an engine
    /// whose referee does not call the draw.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalMove`], with nothing changed, if the move is not legal.
    pub fn explore(&mut self, m: G::Move) -> Result<(), IllegalMove<G::Move>> {
        let next = match self.tree.find_child(self.cursor, m) {
            Some(id) => id,
            None => {
                let id = self.tree.add(self.cursor, m)?;
                let goes_on = self.tree[self.cursor].main.is_none();
                if goes_on && !self.is_on_main_line {
                    self.tree.promote(id);
                }
                id
            }
        };
        self.go_to_child(next);
        self.undone.clear();
        Ok(())
    }

    fn go_to_child(&mut self, id: NodeId) {
        self.is_on_main_line &= self.tree[self.cursor].main == Some(id);
        self.cursor = id;
    }

    /// Makes the line of the cursor the main line, up to the end of the match.
    pub fn promote_line(&mut self) {
        self.promote_line_of(self.cursor);
    }

    /// Makes the line of `id` the main line, up to the end of the match. The cursor stays.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchNode`], with nothing changed, if `id` is of another record or deleted.
    pub fn promote(&mut self, id: NodeId) -> Result<(), NoSuchNode> {
        if !self.tree.contains(id) {
            return Err(NoSuchNode(id));
        }
        self.promote_line_of(id);
        Ok(())
    }

    fn promote_line_of(&mut self, id: NodeId) {
        for id in self.line(id) {
            self.tree.promote(id);
            if self.tree[id].ending().is_some() {
                self.tree.end_line(id);
                break;
            }
        }
        self.is_on_main_line = self.tree.is_main(self.cursor);
    }

    /// Deletes the node `id` and everything after it. Returns whether there was such a node;
    /// the start can't be deleted.
    ///
    /// All other nodes keep their ids. If the cursor is on a deleted node, it goes to the
    /// one before `id`. What was taken back is forgotten with the last move that was tried
    /// there.
    pub fn delete(&mut self, id: NodeId) -> bool {
        let Some(parent) = self.parent(id) else {
            return false;
        };
        self.tree.delete(id);
        self.undone.clear();
        if !self.tree.contains(self.cursor) {
            self.cursor = parent;
            self.is_on_main_line = self.tree.is_main(parent);
        }
        true
    }

    /// Goes back one move and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<G::Move> {
        let node = &self.tree[self.cursor];
        let parent = node.parent?;
        self.undone.push(self.cursor);
        let m = node.m;
        self.cursor = parent;
        if !self.is_on_main_line {
            self.is_on_main_line = self.tree.is_main(parent);
        }
        m
    }

    /// Goes to the move that was undone last, or to the next move on the line of the
    /// cursor, and returns it; `None` at the end.
    pub fn redo(&mut self) -> Option<G::Move> {
        let next = match self.undone.pop() {
            Some(id) => id,
            None => self.tree[self.cursor].main?,
        };
        self.go_to_child(next);
        self.tree[next].m
    }

    /// Goes to the end of the main line.
    pub fn go_to_end(&mut self) {
        self.undone.clear();
        self.cursor = self.tree.main_line_end();
        self.is_on_main_line = true;
    }

    /// Takes back the last turn of `player` before the cursor, and everything after
    /// it, which stays as a variation.
    ///
    /// The line of the cursor becomes the main line. Returns the number of moves
    /// taken back.
    ///
    /// # Errors
    ///
    /// Returns [`TakeBackError`], with nothing changed, if the match is over or the
    /// player has not moved yet.
    pub fn take_back(&mut self, player: Player) -> Result<usize, TakeBackError> {
        if let Some(ending) = self.ending() {
            return Err(TakeBackError::Over(MatchOver(ending)));
        }
        // A turn may be several moves: go back over the other player's moves,
        // then over all those of the player's own last turn.
        let mut target = None;
        let mut has_moved = false;
        for (n_moves, id) in self.line_back().enumerate().skip(1) {
            let by_player = self.tree[id].position.turn() == player;
            if has_moved && !by_player {
                break;
            }
            if by_player {
                has_moved = true;
                target = Some((n_moves, id));
            }
        }
        let (n_moves, id) = target.ok_or(TakeBackError::NothingPlayed(player))?;
        self.undone.clear();
        self.cursor = id;
        self.tree.end_line(id);
        self.tree[id].controls.push(Control::TakeBack(player));
        self.promote_line();
        Ok(n_moves)
    }

    /// Ends the match at the cursor, whose line becomes the main line: `player`
    /// resigns.
    ///
    /// # Errors
    ///
    /// Returns [`MatchOver`], with nothing changed, if the match is over.
    pub fn resign(&mut self, player: Player) -> Result<(), MatchOver> {
        self.end_by(Control::Resign(player))
    }

    /// Ends the match at the cursor, whose line becomes the main line: the
    /// players agree on a draw.
    ///
    /// # Errors
    ///
    /// Returns [`MatchOver`], with nothing changed, if the match is over.
    pub fn agree_draw(&mut self) -> Result<(), MatchOver> {
        self.end_by(Control::AgreeDraw)
    }

    /// Ends the match at the cursor, whose line becomes the main line: the time
    /// of `player` ran out.
    ///
    /// # Errors
    ///
    /// Returns [`MatchOver`], with nothing changed, if the match is over.
    pub fn time_out(&mut self, player: Player) -> Result<(), MatchOver> {
        self.end_by(Control::TimeOut(player))
    }

    fn end_by(&mut self, control: Control) -> Result<(), MatchOver> {
        if let Some(ending) = self.ending() {
            return Err(MatchOver(ending));
        }
        self.tree[self.cursor].controls.push(control);
        self.promote_line();
        Ok(())
    }

    /// The name of `player`; empty if not set.
    pub fn player_name(&self, player: Player) -> &str {
        &self.players[player]
    }

    /// Names `player`. Line breaks become spaces, and the ends are trimmed.
    pub fn set_player_name(&mut self, player: Player, name: &str) {
        self.players[player] = with_single_spaces(name);
    }

    /// The comment on the position at `id`; empty if there is none.
    pub fn comment_at(&self, id: NodeId) -> &str {
        self.node(id).map_or("", |node| &node.comment)
    }

    /// Sets the comment on the position at the cursor. Line breaks become spaces, and the
    /// ends are trimmed.
    pub fn set_comment(&mut self, comment: &str) {
        self.tree[self.cursor].set_comment(comment);
    }

    /// Notes that the player to move at the cursor takes a hint there. Once is enough, and
    /// there are none after the end.
    pub fn note_hint(&mut self) {
        if !self.has_hint_at(self.cursor) {
            // A match that is over needs no hint.
            self.tree.add_control(self.cursor, Control::Hint).ok();
        }
    }

    /// Whether the player to move at `id` took a hint there.
    pub fn has_hint_at(&self, id: NodeId) -> bool {
        self.node(id)
            .is_some_and(|node| node.controls.contains(&Control::Hint))
    }

    /// The time control, if the match is played with clocks.
    pub fn time_control(&self) -> Option<TimeControl> {
        self.time_control
    }

    /// Sets the time control.
    pub fn set_time_control(&mut self, time_control: Option<TimeControl>) {
        self.time_control = time_control;
    }

    /// The time left after the move at the cursor, in milliseconds, for the player
    /// who made it.
    pub fn time_left(&self) -> Option<u64> {
        self.time_left_at(self.cursor)
    }

    /// As [`time_left`](Self::time_left), after the move that led to `id`.
    pub fn time_left_at(&self, id: NodeId) -> Option<u64> {
        self.node(id)?.time_left
    }

    /// Sets the time left after the move at the cursor, in milliseconds. Ignored at
    /// the start, where there is no move.
    pub fn set_time_left(&mut self, milliseconds: u64) {
        let node = &mut self.tree[self.cursor];
        node.time_left = node.m.map(|_| milliseconds);
    }

    /// The nodes from the cursor back to the start.
    fn line_back(&self) -> impl Iterator<Item = NodeId> {
        self.tree.line(self.cursor)
    }
}

/// The words of `text` with one space between them.
fn with_single_spaces(text: &str) -> String {
    let words: Vec<_> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

fn check_game<G: Game>(name: &str) -> Result<(), Problem> {
    if name == G::NAME {
        return Ok(());
    }
    Err(Problem::OtherGame {
        expected: G::NAME,
        found: name.to_owned(),
    })
}

fn check_rules<G: Game>(version: &str) -> Result<(), Problem> {
    if parse_decimal(version) == Some(G::RULES_VERSION) {
        return Ok(());
    }
    Err(Problem::OtherRules {
        expected: G::RULES_VERSION,
        found: version.to_owned(),
    })
}

impl<G: Game> PartialEq for Record<G> {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start
            && self.players == other.players
            && self.time_control == other.time_control
            && self.tree.is_same(&other.tree)
    }
}

impl<G: Game> Eq for Record<G> {}
