//! The list of games, chosen at run time and spoken to in text.
//!
//! ```
//! let nonaga = catalog::find("nonaga")?;
//! let mut playing = nonaga.start(&[("variant", "published")])?;
//! playing.play("2,-2>-1,1")?;
//! assert_eq!(playing.moves(), ["2,-2>-1,1"]);
//! assert!(playing.play("2,-2>-1,1").is_err(), "a shift comes next");
//! assert!(playing.legal_moves().contains(&"#1,-2>-3,1".to_owned()));
//! # Ok::<(), catalog::CatalogError>(())
//! ```

mod any_course;
mod any_match;
mod editing;
mod error;
mod game;

pub use crate::{
    any_course::{AnyCourse, begin_course},
    any_match::{AnyMatch, AnyStart, add_variations, notations, notations_in},
    editing::Editing,
    error::CatalogError,
    game::{AnyGame, OptionInfo},
};

use rules::Game;

use crate::game::Listed;

/// The examples of the README are compiled as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Every game, in the order in which people meet them.
pub static GAMES: [&dyn AnyGame; 4] = [
    &Listed::<lilypads::Lilypads>::NEW,
    &Listed::<nonaga::Nonaga>::NEW,
    &Listed::<takeover::Takeover>::NEW,
    &Listed::<simply_go::SimplyGo>::NEW,
];

/// Parses the link of a match of one game.
type ReadLink = fn(&str) -> Result<Box<dyn AnyMatch>, CatalogError>;

/// What parses the links of every game. They are no methods of [`AnyGame`], so that a program that
/// reads no links does not contain them.
static LINKS: [(&str, ReadLink); 4] = [
    (
        lilypads::Lilypads::NAME,
        game::read_link::<lilypads::Lilypads>,
    ),
    (nonaga::Nonaga::NAME, game::read_link::<nonaga::Nonaga>),
    (
        takeover::Takeover::NAME,
        game::read_link::<takeover::Takeover>,
    ),
    (
        simply_go::SimplyGo::NAME,
        game::read_link::<simply_go::SimplyGo>,
    ),
];

/// The game called `name`.
///
/// # Errors
///
/// Returns [`CatalogError::NoSuchGame`] if there is none.
pub fn find(name: &str) -> Result<&'static dyn AnyGame, CatalogError> {
    let game = GAMES.into_iter().find(|game| game.name() == name);
    game.ok_or_else(|| CatalogError::NoSuchGame(name.to_owned()))
}

/// Parses the text of a record file.
///
/// # Errors
///
/// Returns [`CatalogError`] if it is of an unknown game, or damaged.
pub fn read_file(text: &str) -> Result<Box<dyn AnyMatch>, CatalogError> {
    find(rules::record::game_of_file(text)?)?.read_file(text)
}

/// Parses a match as people share it: the text of a record file, a link, or the URL that contains
/// one.
///
/// ```
/// let link = catalog::find("takeover")?.start(&[("board", "7")])?.to_link();
/// let url = format!("https://example.org/#/shared/{link}?speed=0");
/// assert_eq!(catalog::read_shared(&url)?.to_link(), link);
/// # Ok::<(), catalog::CatalogError>(())
/// ```
///
/// # Errors
///
/// Returns [`CatalogError`] if it is of an unknown game, or damaged.
pub fn read_shared(text: &str) -> Result<Box<dyn AnyMatch>, CatalogError> {
    if text.starts_with("parlour ") {
        return read_file(text);
    }
    let text = text.trim();
    let path = text.rsplit_once("#/").map_or(text, |(_, path)| path);
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    read_link(path.rsplit_once('/').map_or(path, |(_, link)| link))
}

/// Parses a link.
///
/// # Errors
///
/// Returns [`CatalogError`] if it is of an unknown game, or damaged.
pub fn read_link(link: &str) -> Result<Box<dyn AnyMatch>, CatalogError> {
    let name = rules::record::game_of_link(link)?;
    let known = LINKS.iter().find(|(known, _)| *known == name);
    let (_, read) = known.ok_or_else(|| CatalogError::NoSuchGame(name.to_owned()))?;
    read(link)
}

#[cfg(test)]
mod tests {
    use super::{GAMES, LINKS};

    #[test]
    fn links_of_every_game_are_parsed() {
        assert_eq!(LINKS.map(|(name, _)| name), GAMES.map(|game| game.name()));
    }
}
