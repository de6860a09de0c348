use std::fmt::Debug;

use crate::Position;

/// A game: its name, the options of a match, and the first position.
pub trait Game: Position {
    /// The options of a match.
    type Setup: MatchSetup;

    /// The game's name in commands, records and links: `simply-go`.
    const NAME: &'static str;

    /// Incremented when a rule, a board number or the order of moves changes its
    /// meaning, so that an old record is rejected rather than misread.
    const RULES_VERSION: u32;

    /// Whether the game is solved, so that it has a perfect opponent.
    ///
    /// This is data beside the game, so that a program can offer the opponent
    /// without linking the solver.
    const IS_SOLVED: bool = false;

    /// Reviews search a position with more legal moves than this for fewer nodes. Lower in a game
    /// whose nodes take longer than usual.
    const N_MOVES_FOR_FULL_REVIEW: usize = 60;

    /// The numbers of boards known to be fair; empty if there are none.
    fn fair_boards() -> Vec<u64> {
        Vec::new()
    }

    /// The first position of a match.
    ///
    /// # Errors
    ///
    /// Returns [`SetupError`] if two options conflict.
    fn start(setup: &Self::Setup) -> Result<Self, SetupError>;

    /// The value of the option called `name`, if the position shows it.
    fn option(&self, name: &str) -> Option<String>;
}

/// The options of a match, set and read by name.
pub trait MatchSetup: Clone + Eq + Debug + Default + Send + Sync + 'static {
    /// All options, in the order in which records list them.
    fn options() -> &'static [SetupOption];

    /// The value of the option called `name`.
    fn value(&self, name: &str) -> Option<String>;

    /// Sets the option called `name`.
    ///
    /// # Errors
    ///
    /// Returns [`SetupError`], with nothing changed, if there is no such option
    /// or `value` is none of its values.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError>;

    /// Every option that differs from its default, with its value.
    fn chosen(&self) -> Vec<(&'static str, String)> {
        let standard = Self::default();
        let differs = |option: &SetupOption| {
            let value = self.value(option.name)?;
            (standard.value(option.name)? != value).then_some((option.name, value))
        };
        Self::options().iter().filter_map(differs).collect()
    }
}

/// One option of a match.
///
/// Front ends iterate over a game's options and know none of them by name: the URL,
/// the command line and the protocol take [`name`](Self::name), and people read the
/// phrases behind [`label`](Self::label).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupOption {
    /// Its name, in lower case: `variant`.
    pub name: &'static str,
    /// The key of the phrase that names it: `nonaga.variant`. The keys of its
    /// values begin with it: `nonaga.variant.published`.
    pub label: &'static str,
    /// Its possible values. A value that another option rules out is not offered if
    /// that option comes earlier in [`MatchSetup::options`].
    pub values: Values,
}

/// The possible values of a [`SetupOption`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these words. A word may be a number, or end with one after a
    /// colon: `19`, `moves:200`.
    Words(&'static [&'static str]),
    /// Any 64-bit number, used as a seed, such as that of a board. Front ends pick
    /// one at random for every match, and offer to pick another.
    Number,
}

/// Error for an option or value that a game does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The game has no option of that name.
    #[error("there is no option {name}; expected {expected}")]
    NoSuchOption {
        /// The requested name.
        name: String,
        /// The names that exist.
        expected: String,
    },
    /// The option has no such value.
    #[error("{name} can't be {value}; expected {expected}")]
    NoSuchValue {
        /// The option.
        name: &'static str,
        /// The requested value.
        value: String,
        /// The values that exist.
        expected: String,
    },
    /// Two options conflict.
    #[error("{0}")]
    Conflict(String),
}

impl SetupError {
    /// There is no option `name` in `S`.
    #[must_use]
    pub fn no_such_option<S: MatchSetup>(name: &str) -> Self {
        let names: Vec<_> = S::options().iter().map(|option| option.name).collect();
        let expected = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(" or ")
        };
        Self::NoSuchOption {
            name: name.to_owned(),
            expected,
        }
    }

    /// `option` can't be set to `value`.
    #[must_use]
    pub fn no_such_value(option: &SetupOption, value: &str) -> Self {
        let expected = match option.values {
            Values::Words(words) => words.join(" or "),
            Values::Number => format!("a number from 0 to {}", u64::MAX),
        };
        Self::NoSuchValue {
            name: option.name,
            value: value.to_owned(),
            expected,
        }
    }
}
