use std::marker::PhantomData;

use rules::Record;
use view::{Edit, EditError, Picture, Tool};

use crate::AnyMatch;

/// Setting up positions by hand, for a match of any game.
///
/// It is a trait of its own so that programs which only play do not link what it needs.
pub trait Editing {
    /// The tools for setting up positions by hand, besides the choice of the player to
    /// move.
    fn tools(&self) -> &'static [Tool];

    /// A new match that begins with the position at the cursor, changed by hand. Places are
    /// called as the targets of the [table](AnyMatch::table).
    ///
    /// # Errors
    ///
    /// Returns an [`EditError`] if that is no legal position.
    fn edited(&self, edit: Edit<&str>) -> Result<Box<dyn AnyMatch>, EditError>;

    /// A new match that begins with the position at the cursor and the other player to
    /// move, for finding threats. `None` if that is no legal position, or the game is over
    /// before or after it.
    fn passed(&self) -> Option<Box<dyn AnyMatch>>;
}

impl Editing for dyn AnyMatch + '_ {
    fn tools(&self) -> &'static [Tool] {
        editor(self).map_or(&[], AnyEditor::tools)
    }

    fn edited(&self, edit: Edit<&str>) -> Result<Box<dyn AnyMatch>, EditError> {
        match editor(self) {
            Some(editor) => editor.edited(self, edit),
            None => Err(EditError::no_such_place(self.game())),
        }
    }

    fn passed(&self) -> Option<Box<dyn AnyMatch>> {
        editor(self)?.passed(self)
    }
}

/// How positions of a game are changed by hand.
trait AnyEditor: Sync {
    fn game(&self) -> &'static str;

    fn tools(&self) -> &'static [Tool];

    fn edited(
        &self,
        playing: &dyn AnyMatch,
        edit: Edit<&str>,
    ) -> Result<Box<dyn AnyMatch>, EditError>;

    fn passed(&self, playing: &dyn AnyMatch) -> Option<Box<dyn AnyMatch>>;
}

/// In the order of [`GAMES`](crate::GAMES).
static EDITORS: [&dyn AnyEditor; 4] = [
    &Editor::<lilypads::Lilypads>(PhantomData),
    &Editor::<nonaga::Nonaga>(PhantomData),
    &Editor::<takeover::Takeover>(PhantomData),
    &Editor::<simply_go::SimplyGo>(PhantomData),
];

fn editor(playing: &dyn AnyMatch) -> Option<&'static dyn AnyEditor> {
    let mut editors = EDITORS.into_iter();
    editors.find(|editor| editor.game() == playing.game())
}

struct Editor<G>(PhantomData<fn() -> G>);

fn position<G: Picture>(playing: &dyn AnyMatch) -> Option<&G> {
    let record = playing.as_any().downcast_ref::<Record<G>>()?;
    Some(record.position())
}

impl<G: Picture> AnyEditor for Editor<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn tools(&self) -> &'static [Tool] {
        G::TOOLS
    }

    fn edited(
        &self,
        playing: &dyn AnyMatch,
        edit: Edit<&str>,
    ) -> Result<Box<dyn AnyMatch>, EditError> {
        let spot = |name: &str| name.parse().map_err(|_| EditError::no_such_place(name));
        let edit = edit.try_map(spot)?;
        let position = position::<G>(playing);
        let position = position.ok_or_else(|| EditError::no_such_place(playing.game()))?;
        Ok(Box::new(Record::from_position(position.edited(edit)?)))
    }

    fn passed(&self, playing: &dyn AnyMatch) -> Option<Box<dyn AnyMatch>> {
        let position = position::<G>(playing)?;
        let passed = position.edited(Edit::Turn(!position.turn())).ok()?;
        let goes_on = position.outcome().is_none() && passed.outcome().is_none();
        goes_on.then(|| Box::new(Record::from_position(passed)) as Box<dyn AnyMatch>)
    }
}

#[cfg(test)]
mod tests {
    use super::EDITORS;

    #[test]
    fn every_game_has_its_editor() {
        let games = crate::GAMES.map(|game| game.name());
        assert_eq!(EDITORS.map(|editor| editor.game()), games);
    }
}
