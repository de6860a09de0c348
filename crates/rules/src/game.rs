use std::fmt::Debug;

use crate::Position;

/// A whole game: its name, the choices before a match, and the position a
/// match begins with.
pub trait Game: Position {
    /// What two players agree on before a match.
    type Setup: MatchSetup;

    /// The game's name in commands, records and links: `simply-go`.
    const NAME: &'static str;

    /// Raised when a rule, a board number or the order of moves changes its
    /// meaning, so that an old record is refused rather than misread.
    const RULES_VERSION: u32;

    /// Whether the game is solved, so that it has a perfect opponent.
    ///
    /// This is data beside the game, so that a program can offer the opponent
    /// without linking the solver.
    const IS_SOLVED: bool = false;

    /// The numbers of boards that are known to be fair; none if nothing is known
    /// of any.
    fn fair_boards() -> Vec<u64> {
        Vec::new()
    }

    /// The first position of a match.
    ///
    /// # Errors
    ///
    /// Returns [`SetupError`] if two choices do not go together.
    fn start(setup: &Self::Setup) -> Result<Self, SetupError>;

    /// The value of the option called `name`, if the position shows it.
    fn option(&self, name: &str) -> Option<String>;
}

/// The choices before a match, set and read by name.
pub trait MatchSetup: Clone + Eq + Debug + Default + Send + Sync + 'static {
    /// Every choice, in the order in which records list them.
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

/// One choice before a match.
///
/// Front ends iterate over a game's options and know none of them by name: the
/// URL, the command line and the protocol take [`name`](Self::name), and people
/// read the phrases behind [`label`](Self::label).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupOption {
    /// Its name, in lower case: `variant`.
    pub name: &'static str,
    /// The key of the phrase that names it: `nonaga.variant`. The keys of its
    /// values begin with it: `nonaga.variant.published`.
    pub label: &'static str,
    /// What it may be set to. A value that another option rules out is not
    /// offered if that option comes earlier in [`MatchSetup::options`].
    pub values: Values,
}

/// What a [`SetupOption`] may be set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these words. A word may be a number, or end with one after a
    /// colon: `19`, `moves:200`.
    Words(&'static [&'static str]),
    /// Any 64-bit number, from which something is drawn, such as a board. Front
    /// ends draw one by lot for every match, and offer to draw another.
    Number,
}

/// Error for a choice that a game does not offer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The game has no option of that name.
    #[error("there is no option {name}; expected {expected}")]
    NoSuchOption {
        /// What was asked for.
        name: String,
        /// The options there are.
        expected: String,
    },
    /// The option has no such value.
    #[error("{name} can't be {value}; expected {expected}")]
    NoSuchValue {
        /// The option.
        name: &'static str,
        /// What was asked for.
        value: String,
        /// The values there are.
        expected: String,
    },
    /// Two choices exclude each other.
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
