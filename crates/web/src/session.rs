//! A match on this page: what was asked for, and how it stands.

use catalog::{AnyGame, AnyMatch, CatalogError};
use play::{Bot, Effect, Seat, Sitting};
use rules::{ByPlayer, Player, Random, record::NodeId};
use view::AnyTable;

use crate::route::{Color, Wish};

/// An ordinary match of `game`, with the color that whoever plays against the
/// machine and does not choose gets.
pub(crate) fn usual_wish(game: &dyn AnyGame) -> Wish {
    Wish {
        color: Some(usual_color(game)),
        ..Wish::new(game.name())
    }
}

fn usual_color(game: &dyn AnyGame) -> Color {
    if game.presentation().draws_lots {
        Color::Random
    } else {
        Color::First
    }
}

/// A position of a match, told apart from those of all other matches of this visit.
pub(crate) type Place = (u32, NodeId);

/// One match.
pub(crate) struct Session {
    /// How many matches were begun before it.
    pub(crate) number: u32,
    /// What was asked for.
    pub(crate) wish: Wish,
    /// The game.
    pub(crate) game: &'static dyn AnyGame,
    /// How the match stands.
    pub(crate) sitting: Sitting,
    /// Whether the color of the person was drawn by lot.
    pub(crate) has_lots: bool,
}

impl Session {
    /// A new match, and its first effects. `seed` is for random choices if the wish
    /// brings none.
    pub(crate) fn new(
        number: u32,
        mut wish: Wish,
        seed: u64,
    ) -> Result<(Self, Vec<Effect>), CatalogError> {
        let game = catalog::find(&wish.game)?;
        let record = game.start(&wish.choice_texts())?;
        let seed = wish.seed.unwrap_or(seed);
        let color = wish.color.unwrap_or_else(|| usual_color(game));
        let person = match color {
            Color::First => Player::First,
            Color::Second => Player::Second,
            Color::Random if Random::new(seed).below(2) == 0 => Player::First,
            Color::Random => Player::Second,
        };
        wish.color = Some(color);
        // Nobody is perfect where the game is not solved.
        if wish.opponent == Seat::Bot(Bot::Perfect) && !game.is_solved() {
            wish.opponent = Seat::Bot(Bot::Level(Bot::TOP_LEVEL));
        }
        let mut seats = ByPlayer::from_fn(|_| Seat::Person);
        seats[!person] = wish.opponent;
        let has_lots = wish.opponent != Seat::Person && color == Color::Random;
        let (sitting, effects) = Sitting::new(record, seats, seed);
        let session = Self {
            number,
            wish,
            game,
            sitting,
            has_lots,
        };
        Ok((session, effects))
    }

    /// The record; its cursor is what is looked at.
    pub(crate) fn record(&self) -> &dyn AnyMatch {
        self.sitting.record()
    }

    /// The position that is looked at.
    pub(crate) fn table(&self) -> &dyn AnyTable {
        self.sitting.table()
    }

    /// The position that is looked at, and the one before it.
    pub(crate) fn places(&self) -> (Place, Option<Place>) {
        let cursor = self.record().cursor();
        let before = self.record().ancestors(cursor).first().copied();
        (
            (self.number, cursor),
            before.map(|node| (self.number, node)),
        )
    }
}
