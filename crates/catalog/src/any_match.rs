use std::{any::Any, fmt};

use rules::{
    Game, IllegalMove, Player, Record, perft,
    record::{Ending, PlayError},
};
use view::{AnyTable, Picture, Table};

use crate::CatalogError;

/// A match in progress, of any game, spoken to in text.
///
/// It is a [`Record`] whose game is known at run time only. Its text form is
/// the record's, for files.
pub trait AnyMatch: fmt::Display + Send {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The value of a choice before the match, as far as the position at the
    /// cursor shows it.
    fn option(&self, name: &str) -> Option<String>;

    /// The position at the cursor.
    fn position(&self) -> String;

    /// The player to move.
    fn turn(&self) -> Player;

    /// The legal moves of the position, whether or not the match is over for
    /// another reason.
    fn legal_moves(&self) -> Vec<String>;

    /// The moves from the start to the cursor.
    fn moves(&self) -> Vec<String>;

    /// How the match ended, or `None` while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// Plays a move of the match.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`], with nothing changed, if the text is no legal
    /// move or the match is over.
    fn play(&mut self, m: &str) -> Result<(), CatalogError>;

    /// Looks at a move, even after a resignation or a repetition.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`], with nothing changed, if the text is no legal
    /// move.
    fn explore(&mut self, m: &str) -> Result<(), CatalogError>;

    /// Goes back one move and returns it; `None` at the start.
    fn undo(&mut self) -> Option<String>;

    /// Goes one move on and returns it; `None` at the end.
    fn redo(&mut self) -> Option<String>;

    /// Takes back the last turn of `player` and returns the number of moves.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`], with nothing changed, if there is none or the
    /// match is over.
    fn take_back(&mut self, player: Player) -> Result<usize, CatalogError>;

    /// Ends the match: `player` gives up.
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

    /// The match as a short text for links.
    fn to_link(&self) -> String;

    /// Counts the sequences of `depth` moves from the position.
    fn perft(&self, depth: u32) -> u64;

    /// The position at the cursor as a picture to be clicked on.
    fn table(&self) -> Box<dyn AnyTable>;

    /// The [`Record`] of the game's own type, for those who know which it is.
    fn as_any(&self) -> &dyn Any;

    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyMatch>;
}

impl Clone for Box<dyn AnyMatch> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

fn texts<T: fmt::Display>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn parse_move<G: Game>(text: &str) -> Result<G::Move, CatalogError> {
    text.parse().map_err(
        |e: <G::Move as std::str::FromStr>::Err| CatalogError::Move {
            text: text.to_owned(),
            reason: e.to_string(),
        },
    )
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

    fn play(&mut self, m: &str) -> Result<(), CatalogError> {
        Ok(Self::play(self, parse_move::<G>(m)?)?)
    }

    fn explore(&mut self, m: &str) -> Result<(), CatalogError> {
        Ok(Self::explore(self, parse_move::<G>(m)?)?)
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

    fn resign(&mut self, player: Player) -> Result<(), CatalogError> {
        Ok(Self::resign(self, player)?)
    }

    fn agree_draw(&mut self) -> Result<(), CatalogError> {
        Ok(Self::agree_draw(self)?)
    }

    fn time_out(&mut self, player: Player) -> Result<(), CatalogError> {
        Ok(Self::time_out(self, player)?)
    }

    fn to_link(&self) -> String {
        Self::to_link(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(Self::position(self), depth)
    }

    fn table(&self) -> Box<dyn AnyTable> {
        let table = Table::new(Self::position(self).clone()).ended(Self::ending(self));
        Box::new(match (self.position_before(), self.last_move()) {
            (Some(before), Some(m)) => table.after(before.clone(), m),
            _ => table,
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn AnyMatch> {
        Box::new(self.clone())
    }
}
