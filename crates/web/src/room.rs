//! The room: the address, the match that is played, and what lies over it.

use std::fmt::Display;

use leptos::prelude::*;
use play::{Bot, Event, Seat};
use rules::Player;
use view::{Point, Rect, Shape, Theme};

use crate::{
    device::chance,
    driver::Driver,
    nav::ordinary,
    route::{LearnRoute, Route, Wish},
    session::Session,
    settings::Settings,
};

/// All that the interface looks at. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) settings: Settings,
    /// The match.
    pub(crate) driver: Driver,
    /// The target under the pointer.
    pub(crate) hover: RwSignal<Option<String>>,
    /// Whether the board is turned around.
    pub(crate) is_flipped: RwSignal<bool>,
    /// Whether the names of places are shown where a game hides them.
    pub(crate) has_coordinates: RwSignal<bool>,
    /// The new game that is being put together.
    pub(crate) sheet: RwSignal<Option<Wish>>,
    /// Whether the rules are to be read.
    pub(crate) is_help_open: RwSignal<bool>,
    /// The game whose rules are to be read, if it is not the one that is played.
    pub(crate) help_game: RwSignal<Option<&'static str>>,
    /// The lesson that is taken, or the choice of one.
    pub(crate) learn: RwSignal<Option<LearnRoute>>,
    /// Whether the address made no sense.
    pub(crate) is_bad_link: RwSignal<bool>,
    n_matches: StoredValue<u32>,
}

/// A piece as a drawing, with room for its shadow.
pub(crate) fn token_svg(shapes: &[Shape], theme: Theme) -> String {
    view::svg_of(shapes, Rect::around(Point::new(0.0, 1.0), 14.5), theme)
}

impl Room {
    /// The room as the device and the last visit would have it, with nobody in it.
    pub(crate) fn new() -> Self {
        Self {
            settings: Settings::new(),
            driver: Driver::new(),
            hover: RwSignal::new(None),
            is_flipped: RwSignal::new(false),
            has_coordinates: RwSignal::new(false),
            sheet: RwSignal::new(None),
            is_help_open: RwSignal::new(false),
            help_game: RwSignal::new(None),
            learn: RwSignal::new(None),
            is_bad_link: RwSignal::new(false),
            n_matches: StoredValue::new(0),
        }
    }

    /// What `f` makes of the match, or nothing.
    pub(crate) fn with_session<T: Default>(self, f: impl FnOnce(&Session) -> T) -> T {
        self.driver.with(f)
    }

    /// A phrase.
    pub(crate) fn say(self, name: &str) -> String {
        self.say_with(name, &[])
    }

    /// A phrase with values.
    pub(crate) fn say_with(self, name: &str, values: &[(&str, &dyn Display)]) -> String {
        self.settings.say_with(name, values)
    }

    /// A phrase that follows the language.
    pub(crate) fn text(self, name: &'static str) -> impl Fn() -> String + Copy + Send + Sync {
        self.settings.text(name)
    }

    /// A piece of `player` as a drawing.
    pub(crate) fn token(self, player: Player) -> String {
        let theme = self.settings.theme();
        let shapes = self.with_session(|session| session.table().token(player));
        token_svg(&shapes, theme)
    }

    /// What the one who plays `player` is called.
    pub(crate) fn seat_name(self, session: &Session, player: Player) -> String {
        match session.sitting.seats()[player] {
            Seat::Person if session.sitting.person().is_some() => self.say("seat.you"),
            Seat::Person => self.say(&format!("{}.{player}", session.wish.game)),
            opponent => self.opponent_name(opponent),
        }
    }

    /// What an opponent is called.
    pub(crate) fn opponent_name(self, opponent: Seat) -> String {
        match opponent {
            Seat::Person => self.say("seat.human"),
            Seat::Bot(Bot::Classic) => self.say("seat.classic"),
            Seat::Bot(Bot::Level(level)) => self.say_with("seat.level", &[("n", &level)]),
            Seat::Bot(Bot::Perfect) => self.say("seat.perfect"),
        }
    }

    /// Opens what the address asks for.
    pub(crate) fn follow_address(self) {
        let fragment = window().location().hash().unwrap_or_default();
        self.sheet.set(None);
        self.is_help_open.set(false);
        let route = Route::read(&fragment);
        self.learn.set(match &route {
            Route::Learn(learn) => Some(learn.clone()),
            _ => None,
        });
        match route {
            Route::Home | Route::Learn(_) => {
                self.is_bad_link.set(false);
                self.driver.close();
            }
            Route::Match(wish) => self.begin(wish),
        }
    }

    /// Begins a match.
    pub(crate) fn begin(self, wish: Wish) {
        self.set_hover(None);
        self.is_flipped.set(false);
        self.settings.forget_followers();
        self.n_matches.update_value(|n| *n += 1);
        let session = Session::new(self.n_matches.get_value(), wish, chance());
        self.is_bad_link.set(session.is_err());
        match session {
            Ok((session, effects)) => {
                let is_calm = untrack(|| self.settings.is_calm());
                self.driver.open(session, effects, is_calm);
            }
            Err(_) => self.driver.close(),
        }
    }

    /// Goes to the address of a match, or begins it anew if that is where one
    /// is.
    pub(crate) fn go(self, wish: &Wish) {
        let address = wish.address();
        let here = window().location().hash().unwrap_or_default();
        if here == address {
            self.sheet.set(None);
            self.begin(wish.clone());
        } else {
            // The browser reports when it has gone there.
            window().location().set_hash(&address).ok();
        }
    }

    /// The pointer is over a target, or over none.
    pub(crate) fn set_hover(self, hover: Option<String>) {
        if self.hover.get_untracked() != hover {
            self.hover.set(hover);
        }
    }

    /// Drops what was clicked so far.
    pub(crate) fn clear(self) {
        let has_any = self
            .driver
            .with_untracked(|session| !session.table().picked().is_empty());
        if has_any {
            self.driver.dispatch(Event::Clear);
        }
    }

    /// Turns the board around.
    pub(crate) fn flip(self) {
        self.is_flipped
            .update(|is_flipped| *is_flipped = !*is_flipped);
    }

    /// Shows or hides the names of places.
    pub(crate) fn toggle_coordinates(self) {
        self.has_coordinates.update(|is_on| *is_on = !*is_on);
    }

    /// Opens the sheet for a new game, with what is played now.
    pub(crate) fn open_sheet(self) {
        let wish = self
            .driver
            .with_untracked(|session| Some(session.wish.clone()));
        let wish = wish.unwrap_or_else(|| ordinary(catalog::GAMES[0], Seat::Bot(Bot::Classic)));
        self.sheet.set(Some(Wish { seed: None, ..wish }));
    }
}
