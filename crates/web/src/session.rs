//! A match on this page: what was asked for, and how it stands.

use catalog::{AnyGame, AnyMatch, AnyStart, CatalogError};
use play::{Bot, Effect, Near, OpenSavedError, Phase, PlayerKind, Saved, SavedHead, Sitting};
use protocol::ColorChoice;
use rules::{ByPlayer, Player, Random};
use view::AnyTable;

use crate::{board::Place, route::Wish};

/// The default match of `game`, with the default color of a person.
pub(crate) fn usual_wish(game: &dyn AnyGame) -> Wish {
    Wish {
        color: Some(usual_color(game)),
        ..Wish::new(game.name())
    }
}

fn usual_color(game: &dyn AnyGame) -> ColorChoice {
    if game.presentation().draws_lots {
        ColorChoice::Random
    } else {
        ColorChoice::First
    }
}

/// One match.
pub(crate) struct MatchSession {
    /// How many matches were begun before it.
    pub(crate) number: u32,
    /// The requested match.
    pub(crate) wish: Wish,
    /// The game.
    pub(crate) game: &'static dyn AnyGame,
    /// How the match stands.
    pub(crate) sitting: Sitting,
    /// Whether the color of the person was drawn by lot.
    pub(crate) has_lots: bool,
    /// Its id in the database, once it has begun.
    pub(crate) id: Option<String>,
    /// How it was stored last.
    pub(crate) head: Option<SavedHead>,
    /// Details of a match that is played online.
    pub(crate) online: Option<OnlineDetails>,
}

/// Details of a match that is played online.
#[derive(Clone)]
pub(crate) struct OnlineDetails {
    /// The id that the server gave it.
    pub(crate) id: String,
    /// The names of the players.
    pub(crate) names: ByPlayer<String>,
}

impl MatchSession {
    /// A new match, and its first effects. `seed` is for random choices if the wish
    /// brings none.
    pub(crate) fn new(
        number: u32,
        mut wish: Wish,
        seed: u64,
    ) -> Result<(Self, Vec<Effect>), CatalogError> {
        let game = catalog::find(&wish.game)?;
        let mut record = game.start(&wish.choice_texts())?;
        record.set_time_control(wish.clock);
        let seed = wish.seed.unwrap_or(seed);
        let color = wish.color.unwrap_or_else(|| usual_color(game));
        let person = match color {
            ColorChoice::First => Player::First,
            ColorChoice::Second => Player::Second,
            ColorChoice::Random if Random::new(seed).below(2) == 0 => Player::First,
            ColorChoice::Random => Player::Second,
        };
        wish.color = Some(color);
        // Nobody is perfect where the game is not solved.
        if wish.opponent == PlayerKind::Bot(Bot::Perfect) && !game.is_solved() {
            wish.opponent = PlayerKind::Bot(Bot::Level(Bot::TOP_LEVEL));
        }
        let mut seats = ByPlayer::from_fn(|_| PlayerKind::Person);
        seats[!person] = wish.opponent;
        let has_lots = wish.opponent != PlayerKind::Person && color == ColorChoice::Random;
        let (sitting, effects) = Sitting::new(record, seats, seed);
        let session = Self {
            number,
            wish,
            game,
            sitting,
            has_lots,
            id: None,
            head: None,
            online: None,
        };
        Ok((session, effects))
    }

    /// A match that was stored under `id`, and its first effects.
    pub(crate) fn from_saved(
        number: u32,
        id: String,
        saved: &Saved,
        is_fast: bool,
    ) -> Result<(Self, Vec<Effect>), OpenSavedError> {
        let (sitting, effects) = saved.open()?;
        let mut session = Self::of_sitting(number, sitting)?;
        session.wish.is_fast = is_fast;
        if session.sitting.person().is_none() {
            session.wish.turns_board = saved.head.near == Near::Mover;
            let is_swapped = saved.head.near == Near::Always(Player::Second);
            session.wish.color = is_swapped.then_some(ColorChoice::Second);
        }
        session.id = Some(id);
        session.head = Some(saved.head.clone());
        Ok((session, effects))
    }

    /// A match that comes from elsewhere, such as a link.
    pub(crate) fn of_sitting(number: u32, sitting: Sitting) -> Result<Self, CatalogError> {
        let record = sitting.record();
        let game = catalog::find(record.game())?;
        let person = sitting.person();
        let color = match person {
            Some(Player::First) => Some(ColorChoice::First),
            Some(Player::Second) => Some(ColorChoice::Second),
            None => None,
        };
        let choices = match record.start() {
            AnyStart::Setup(choices) => choices
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            // Another match begins like any, but on such a board.
            AnyStart::Position(_) => {
                let options = game.options().into_iter();
                let shown = options.filter_map(|option| {
                    let value = record.option(option.name)?;
                    game.check_option(option.name, &value).ok()?;
                    Some((option.name.to_owned(), value))
                });
                shown.collect()
            }
        };
        let wish = Wish {
            opponent: person.map_or(PlayerKind::Person, |person| sitting.seats()[!person]),
            color,
            clock: record.time_control(),
            choices,
            ..Wish::new(game.name())
        };
        Ok(Self {
            number,
            wish,
            game,
            sitting,
            has_lots: false,
            id: None,
            head: None,
            online: None,
        })
    }

    /// The match as it is to be stored now.
    pub(crate) fn save(&mut self, now: u64, new_id: impl FnOnce() -> String) -> (String, Saved) {
        let mut saved = Saved::new(&self.sitting, now, self.head.as_ref());
        saved.head.near = self.seating();
        self.head = Some(saved.head.clone());
        (self.id.get_or_insert_with(new_id).clone(), saved)
    }

    /// Which of two people sits at the near side of the board.
    fn seating(&self) -> Near {
        match self.wish.color {
            _ if self.sitting.person().is_some() => Near::default(),
            _ if self.wish.turns_board => Near::Mover,
            Some(ColorChoice::Second) => Near::Always(Player::Second),
            _ => Near::default(),
        }
    }

    /// Whether the board is turned to the player to move.
    pub(crate) fn turns_board(&self) -> bool {
        self.seating() == Near::Mover
    }

    /// The player at the near side of the board. `last` was there before.
    pub(crate) fn near(&self, last: Option<Player>) -> Player {
        let sitting = &self.sitting;
        match (sitting.person(), self.seating()) {
            (Some(player), _) | (None, Near::Always(player)) => player,
            (None, Near::Mover) => {
                // At the end nobody is to move.
                let is_over = matches!(sitting.phase(), Phase::Over(_));
                let mover = self.record().turn_at(sitting.live());
                last.filter(|_| is_over).or(mover).unwrap_or(Player::First)
            }
        }
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
