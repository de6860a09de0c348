use std::fmt::Display;

use rules::{Game, Player};

use crate::Words;

/// One change to a position that is set up by hand.
///
/// ```
/// use rules::Player;
/// use view::{Edit, Picture};
///
/// let position: takeover::Takeover = "xx4/xx4/6/6/4oo/4oo x 0 1".parse()?;
/// let edited = position.edited(Edit::Put("c3".parse()?, Player::Second)).unwrap();
/// assert_eq!(edited.to_string(), "xx4/xx4/6/2o3/4oo/4oo x 0 1");
/// assert!(position.edited(Edit::Remove("c3".parse()?)).is_err(), "it is empty");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edit<S> {
    /// Put a piece of the player on a place, instead of whatever is there.
    Put(S, Player),
    /// Put an obstacle on a place, instead of whatever is there.
    Block(S),
    /// Clear a place.
    Remove(S),
    /// Move what is on the first place to the second.
    Move(S, S),
    /// Let the player begin a turn.
    Turn(Player),
}

impl<S> Edit<S> {
    /// The same change with each place converted by `f`.
    ///
    /// # Errors
    ///
    /// Returns the first error of `f`.
    pub fn try_map<T, E>(self, mut f: impl FnMut(S) -> Result<T, E>) -> Result<Edit<T>, E> {
        Ok(match self {
            Self::Put(spot, player) => Edit::Put(f(spot)?, player),
            Self::Block(spot) => Edit::Block(f(spot)?),
            Self::Remove(spot) => Edit::Remove(f(spot)?),
            Self::Move(from, to) => Edit::Move(f(from)?, f(to)?),
            Self::Turn(player) => Edit::Turn(player),
        })
    }
}

/// A thing that an edit puts on a place or takes from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Piece(Player),
    Obstacle,
}

impl<S: Copy + Display> Edit<S> {
    /// The places that change, in order, each with what is on it afterwards. `item_at`
    /// returns what is on a place now.
    pub(crate) fn changes(
        self,
        item_at: impl Fn(S) -> Option<Item>,
    ) -> Result<Vec<(S, Option<Item>)>, EditError> {
        let found = |spot: S| item_at(spot).ok_or_else(|| EditError::nothing_at(spot));
        Ok(match self {
            Self::Put(spot, player) => vec![(spot, Some(Item::Piece(player)))],
            Self::Block(spot) => vec![(spot, Some(Item::Obstacle))],
            Self::Remove(spot) => found(spot).map(|_| vec![(spot, None)])?,
            Self::Move(from, to) => {
                let item = found(from)?;
                vec![(from, None), (to, Some(item))]
            }
            Self::Turn(_) => Vec::new(),
        })
    }

    /// The player to move afterwards, if it was `turn` before.
    pub(crate) fn turn_after(self, turn: Player) -> Player {
        match self {
            Self::Turn(player) => player,
            _ => turn,
        }
    }
}

/// A tool for setting up positions: what a click on a place does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tool {
    /// Put a piece of the player there.
    Put(Player),
    /// Put an obstacle there.
    Block,
    /// Clear the place.
    Remove,
    /// Take up what is there, and put it down with a second click.
    Move,
}

impl Tool {
    /// The key of the phrase that names it. The name of a piece is that of its color in
    /// `game`.
    #[must_use]
    pub fn label(self, game: &str) -> String {
        match self {
            Self::Put(player) => format!("{game}.{player}"),
            Self::Block => "edit.tool.block".to_owned(),
            Self::Remove => "edit.tool.remove".to_owned(),
            Self::Move => "edit.tool.move".to_owned(),
        }
    }

    /// The change that clicks on these places make; `None` while one is missing.
    #[must_use]
    pub fn edit<S: Copy>(self, clicked: &[S]) -> Option<Edit<S>> {
        let &first = clicked.first()?;
        Some(match self {
            Self::Put(player) => Edit::Put(first, player),
            Self::Block => Edit::Block(first),
            Self::Remove => Edit::Remove(first),
            Self::Move => Edit::Move(first, *clicked.get(1)?),
        })
    }
}

/// Why a position can't be edited so: a phrase and the values in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditError {
    key: &'static str,
    values: Vec<(&'static str, Value)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Text(String),
    /// The key of a phrase.
    Phrase(String),
}

impl EditError {
    pub(crate) fn new(key: &'static str) -> Self {
        Self {
            key,
            values: Vec::new(),
        }
    }

    /// There is no place called `name` on the board.
    #[must_use]
    pub fn no_such_place(name: impl Display) -> Self {
        Self::new("edit.off-board").with("at", name)
    }

    pub(crate) fn nothing_at(name: impl Display) -> Self {
        Self::new("edit.nothing").with("at", name)
    }

    /// With `{name}` in the phrase.
    pub(crate) fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.values.push((name, Value::Text(value.to_string())));
        self
    }

    /// With `{color}` in the phrase.
    pub(crate) fn of<G: Game>(mut self, player: Player) -> Self {
        let key = format!("{}.{player}", G::NAME);
        self.values.push(("color", Value::Phrase(key)));
        self
    }

    /// The key of the phrase.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// The reason in a sentence.
    #[must_use]
    pub fn say(&self, words: &Words) -> String {
        let values = self.values.iter().map(|(name, value)| {
            let said = match value {
                Value::Text(text) => text.clone(),
                Value::Phrase(key) => words.say(key, &[]),
            };
            (*name, said)
        });
        let values: Vec<_> = values.collect();
        let values: Vec<(&str, &dyn Display)> = values
            .iter()
            .map(|(name, said)| (*name, said as &dyn Display))
            .collect();
        words.say(self.key, &values)
    }
}
