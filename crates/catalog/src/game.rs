use std::marker::PhantomData;

use rules::{MatchSetup, Record, Values};
use view::{Picture, Presentation};

use crate::{AnyMatch, CatalogError};

/// A game of the catalog.
pub trait AnyGame: Sync {
    /// Its name in commands, records and links.
    fn name(&self) -> &'static str;

    /// The version of its rules.
    fn rules_version(&self) -> u32;

    /// Whether it is solved, so that there is a perfect opponent.
    fn is_solved(&self) -> bool;

    /// Reviews search a position with more legal moves than this for fewer nodes.
    fn n_moves_for_full_review(&self) -> usize;

    /// The numbers of boards known to be fair; empty if there are none.
    fn fair_boards(&self) -> Vec<u64>;

    /// How it is presented around its board.
    fn presentation(&self) -> Presentation;

    /// The options of a match.
    fn options(&self) -> Vec<OptionInfo>;

    /// Checks that the option called `name` can be set to `value`.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError::Setup`] if it can't.
    fn check_option(&self, name: &str, value: &str) -> Result<(), CatalogError>;

    /// A new match with the given options, each a name and a value.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError::Setup`] if an option is not valid.
    fn start(&self, choices: &[(&str, &str)]) -> Result<Box<dyn AnyMatch>, CatalogError>;

    /// A match from the position with the given text.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError::Position`] if it is not valid.
    fn start_from(&self, text: &str) -> Result<Box<dyn AnyMatch>, CatalogError>;

    /// Parses the text of a record file.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError::Read`] if it is of another game, or damaged.
    fn read_file(&self, text: &str) -> Result<Box<dyn AnyMatch>, CatalogError>;
}

/// One option of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Its name, in lower case.
    pub name: &'static str,
    /// The key of the phrase that names it; those of its values begin with it, as
    /// in [`Words::say_value`](view::Words::say_value).
    pub label: &'static str,
    /// Its possible values.
    pub values: Values,
    /// What it is set to if nobody chooses.
    pub default: String,
}

/// The entry of the game `G`.
pub(crate) struct Listed<G>(PhantomData<fn() -> G>);

impl<G: Picture> Listed<G> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<G: Picture> AnyGame for Listed<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn rules_version(&self) -> u32 {
        G::RULES_VERSION
    }

    fn is_solved(&self) -> bool {
        G::IS_SOLVED
    }

    fn n_moves_for_full_review(&self) -> usize {
        G::N_MOVES_FOR_FULL_REVIEW
    }

    fn fair_boards(&self) -> Vec<u64> {
        G::fair_boards()
    }

    fn presentation(&self) -> Presentation {
        G::PRESENTATION
    }

    fn options(&self) -> Vec<OptionInfo> {
        let standard = G::Setup::default();
        let info = |option: &rules::SetupOption| OptionInfo {
            name: option.name,
            label: option.label,
            values: option.values,
            default: standard.value(option.name).unwrap_or_default(),
        };
        G::Setup::options().iter().map(info).collect()
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), CatalogError> {
        Ok(G::Setup::default().set(name, value)?)
    }

    fn start(&self, choices: &[(&str, &str)]) -> Result<Box<dyn AnyMatch>, CatalogError> {
        let mut setup = G::Setup::default();
        for (name, value) in choices {
            setup.set(name, value)?;
        }
        Ok(Box::new(Record::<G>::new(setup)?))
    }

    fn start_from(&self, text: &str) -> Result<Box<dyn AnyMatch>, CatalogError> {
        let position = text.parse::<G>();
        let position = position.map_err(|e| CatalogError::Position(e.to_string()))?;
        Ok(Box::new(Record::from_position(position)))
    }

    fn read_file(&self, text: &str) -> Result<Box<dyn AnyMatch>, CatalogError> {
        Ok(Box::new(text.parse::<Record<G>>()?))
    }
}

/// Parses the link of a match of `G`.
pub(crate) fn read_link<G: Picture>(link: &str) -> Result<Box<dyn AnyMatch>, CatalogError> {
    Ok(Box::new(Record::<G>::from_link(link)?))
}
