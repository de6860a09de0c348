//! The room: the address, the match that is played, and what lies over it.

use std::fmt::Display;

use catalog::AnyMatch;
use leptos::{prelude::*, task::spawn_local};
use play::{Bot, Effect, Event, PlayerKind, Saved, Sitting};
use protocol::ColorChoice;
use rules::{ByPlayer, Player, record::NodeId};
use view::{Palette, Point, Rect, Shape};

use crate::{
    audio::Sounds,
    device::{chance, date, store, stored},
    driver::Driver,
    lazy::read_link,
    learn_route::LearnRoute,
    nav::{ordinary, usual_opponent},
    news::{new_signal, tell},
    off_limits::OffLimits,
    online_route::OnlineRoute,
    online_state::{GoingOnline, OnlineState},
    puzzle_route::PuzzleRoute,
    route::{Route, Wish},
    session::MatchSession,
    settings::Settings,
    study_route::StudyRoute,
    updates::Updates,
};

/// All that the interface looks at. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) settings: Settings,
    pub(crate) updates: Updates,
    pub(crate) sounds: Sounds,
    /// The match.
    pub(crate) driver: Driver,
    /// The target under the pointer.
    pub(crate) hover: RwSignal<Option<String>>,
    /// Whether somebody turned the board around.
    pub(crate) is_flipped: RwSignal<bool>,
    /// The player at the near side of the board.
    pub(crate) near: Memo<Player>,
    /// Whether the names of places are shown where a game hides them.
    pub(crate) has_coordinates: RwSignal<bool>,
    /// The target that completes a move, if that has to be confirmed.
    pub(crate) pending: RwSignal<Option<String>>,
    /// The new game that is being put together.
    pub(crate) sheet: RwSignal<Option<Wish>>,
    /// Whether the rules are to be read.
    pub(crate) is_help_open: RwSignal<bool>,
    /// The game whose rules are shown, if it is not the one that is played.
    pub(crate) help_game: RwSignal<Option<&'static str>>,
    /// The lesson on the screen for lessons.
    pub(crate) learn: RwSignal<LearnRoute>,
    /// The study that is shown.
    pub(crate) study: RwSignal<StudyRoute>,
    /// How many lines of the engine the analysis board lists.
    pub(crate) n_study_lines: RwSignal<usize>,
    /// The puzzle on the screen for puzzles.
    pub(crate) puzzle: RwSignal<PuzzleRoute>,
    /// Whether something was just copied.
    pub(crate) is_copied: RwSignal<bool>,
    /// The match to share, if it is not the one that is played.
    pub(crate) shared: StoredValue<Option<Box<dyn AnyMatch>>, LocalStorage>,
    /// Whether the dialog for sharing is open.
    pub(crate) is_share_open: RwSignal<bool>,
    /// Whether the list of keys is open.
    pub(crate) is_keys_open: RwSignal<bool>,
    /// Why the address is invalid.
    pub(crate) bad_address: RwSignal<Option<BadAddress>>,
    /// The screen besides a match.
    pub(crate) screen: RwSignal<Screen>,
    /// The screen of online play.
    pub(crate) online: RwSignal<OnlineRoute>,
    /// Whether somebody plays online, or did on an earlier visit.
    pub(crate) is_online: RwSignal<bool>,
    /// The driver of online play, once it has been fetched.
    pub(crate) hub: StoredValue<Option<OnlineState>, LocalStorage>,
    /// Online matches that go on, those with one's turn first.
    pub(crate) going: RwSignal<Vec<GoingOnline>>,
    /// What is not to be analyzed. It is remembered until the server says more.
    pub(crate) off_limits: RwSignal<OffLimits>,
    /// In how many online matches it is one's turn.
    pub(crate) n_turns: RwSignal<usize>,
    n_matches: StoredValue<u32>,
    /// How many addresses were followed, so that one that takes long does not get in the
    /// way of the next.
    n_opened: StoredValue<u32>,
}

/// Why an address opens nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BadAddress {
    /// It is invalid.
    Link,
    /// The link should hold a match, but was damaged on its way.
    Shared,
    /// No match is stored under this id.
    Missing,
    /// The stored match is damaged.
    Damaged(String),
    /// What reads the link could not be fetched.
    Unfetched,
}

/// The screens without a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Screen {
    /// The four games.
    Home,
    /// The stored matches.
    Library,
    /// A lesson, or the choice of one.
    Learn,
    /// A puzzle, or the choice of one.
    Puzzles,
    /// A match that is studied.
    Study,
    /// Something of online play.
    Online,
    /// A match that is still being read.
    Opening,
}

/// Where to look in the history of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Jump {
    /// The first position.
    First,
    /// One move back.
    Back,
    /// One move forward.
    Forward,
    /// Where the match stands.
    Last,
}

/// A piece as a drawing, with room for its shadow.
pub(crate) fn token_svg(shapes: &[Shape], palette: Palette) -> String {
    view::svg_of(shapes, Rect::around(Point::new(0.0, 1.0), 14.5), palette)
}

/// What was off limits when the server was last asked.
fn remembered_off_limits() -> OffLimits {
    OffLimits::read(&stored("off-limits").unwrap_or_default(), date())
}

impl Room {
    /// An empty room, with the settings of the last visit or the device.
    pub(crate) fn new() -> Self {
        let driver = Driver::new();
        Self {
            settings: Settings::new(),
            driver,
            near: Memo::new(move |last: Option<&Player>| {
                let near = driver.with(|session| Some(session.near(last.copied())));
                // The board is turned once the move has been seen to happen.
                let last = last.copied().filter(|_| driver.is_moving.get());
                last.or(near).unwrap_or(Player::First)
            }),
            updates: Updates::new(),
            sounds: Sounds::new(),
            hover: new_signal(None),
            is_flipped: new_signal(false),
            has_coordinates: new_signal(stored("coordinates").as_deref() == Some("on")),
            pending: new_signal(None),
            sheet: new_signal(None),
            is_help_open: new_signal(false),
            help_game: new_signal(None),
            learn: new_signal(LearnRoute::default()),
            study: new_signal(StudyRoute::default()),
            n_study_lines: new_signal(3),
            puzzle: new_signal(PuzzleRoute::default()),
            is_copied: new_signal(false),
            shared: StoredValue::new_local(None),
            is_share_open: new_signal(false),
            is_keys_open: new_signal(false),
            bad_address: new_signal(None),
            screen: new_signal(Screen::Home),
            online: new_signal(OnlineRoute::default()),
            is_online: new_signal(false),
            hub: StoredValue::new_local(None),
            going: new_signal(Vec::new()),
            off_limits: new_signal(remembered_off_limits()),
            n_turns: new_signal(0),
            n_matches: StoredValue::new(0),
            n_opened: StoredValue::new(0),
        }
    }

    /// Returns `f` of the match, or the default without one.
    pub(crate) fn with_session<T: Default>(self, f: impl FnOnce(&MatchSession) -> T) -> T {
        self.driver.with(f)
    }

    /// Whether the engine says nothing about the match on the board, because of an online match
    /// that goes on.
    pub(crate) fn is_off_limits(self) -> bool {
        self.off_limits.with(|off_limits| {
            self.with_session(|session| {
                let record = session.record();
                off_limits.forbids(record, &record.line(session.sitting.live()))
            })
        })
    }

    /// What is off limits from now on.
    pub(crate) fn show_off_limits(self, off_limits: OffLimits) {
        let off = self.off_limits;
        if off.with_untracked(|known| *known != off_limits) {
            off.set(off_limits);
        }
    }

    /// Another tab stored something: a match that begins there is off limits here, too.
    pub(crate) fn recall_off_limits(self) {
        self.show_off_limits(remembered_off_limits());
    }

    /// Asks for a hint, or for the next step of it.
    pub(crate) fn ask_hint(self) {
        if !untrack(|| self.is_off_limits()) {
            self.driver.dispatch(Event::Hint);
        }
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
        let palette = self.settings.palette();
        let shapes = self.with_session(|session| session.table().token(player));
        token_svg(&shapes, palette)
    }

    /// The name of the one who plays `player`.
    pub(crate) fn seat_name(self, session: &MatchSession, player: Player) -> String {
        match session.sitting.seats()[player] {
            PlayerKind::Person if session.sitting.person().is_some() => self.say("seat.you"),
            PlayerKind::Person => self.say(&format!("{}.{player}", session.wish.game)),
            PlayerKind::Remote if session.online.is_some() => {
                let online = session.online.as_ref();
                online.map_or_else(String::new, |online| online.names[player].clone())
            }
            opponent => self.opponent_name(opponent),
        }
    }

    /// The name of an opponent.
    pub(crate) fn opponent_name(self, opponent: PlayerKind) -> String {
        match opponent {
            PlayerKind::Person => self.say("seat.human"),
            PlayerKind::Remote => self.say("seat.remote"),
            PlayerKind::Bot(Bot::Classic) => self.say("seat.classic"),
            PlayerKind::Bot(Bot::Level(level)) => self.say_with("seat.level", &[("n", &level)]),
            PlayerKind::Bot(Bot::Perfect) => self.say("seat.perfect"),
        }
    }

    /// Opens what the address asks for.
    pub(crate) fn follow_address(self) {
        let fragment = window().location().hash().unwrap_or_default();
        self.sheet.set(None);
        self.is_help_open.set(false);
        self.is_share_open.set(false);
        self.is_keys_open.set(false);
        self.n_opened.update_value(|n| *n += 1);
        match Route::read(&fragment) {
            Route::Home => self.leave(Screen::Home, None),
            Route::Library => self.leave(Screen::Library, None),
            Route::Learn(learn) => {
                self.learn.set(learn);
                self.leave(Screen::Learn, None);
            }
            Route::Match(wish) => self.begin(wish),
            Route::Saved { id, is_fast } => self.open_saved(id, is_fast),
            Route::Puzzle(puzzle) => {
                self.puzzle.set(puzzle);
                self.leave(Screen::Puzzles, None);
            }
            Route::Study(study) => {
                self.study.set(study);
                self.leave(Screen::Study, None);
            }
            Route::Online(online) => self.open_online(online),
            Route::Shared {
                link,
                opponent,
                color,
                is_fast,
            } => self.open_link(link, opponent, color, is_fast),
        }
    }

    /// Opens something of online play, unless it is the match that is open.
    fn open_online(self, route: OnlineRoute) {
        let is_open = self.driver.with_untracked(|session| {
            let id = session.online.as_ref().map(|online| &*online.id);
            id.is_some() && id == route.match_id()
        });
        self.online.set(route);
        self.is_online.set(true);
        if !is_open {
            self.leave(Screen::Online, None);
        }
    }

    /// Leaves the match, if any, for another screen.
    fn leave(self, screen: Screen, bad_address: Option<BadAddress>) {
        self.bad_address.set(bad_address);
        self.screen.set(screen);
        self.driver.close();
    }

    /// Goes home, because what the address asks for can't be shown.
    pub(crate) fn fail(self, why: BadAddress) {
        self.leave(Screen::Home, Some(why));
    }

    /// Whether another screen was open before.
    pub(crate) fn has_come_from(self) -> bool {
        self.n_opened.get_value() > 1
    }

    /// Opens a stored match, unless it is open.
    fn open_saved(self, id: String, is_fast: bool) {
        let is_open = self
            .driver
            .with_untracked(|session| session.id.as_deref() == Some(&id));
        if is_open {
            return;
        }
        // What is open stays until the match is there, which is a matter of milliseconds.
        self.screen.set(Screen::Opening);
        let n_opened = self.n_opened.get_value();
        spawn_local(async move {
            let text = self.driver.shelf.read(&id).await;
            if self.n_opened.try_get_value() == Some(n_opened) {
                self.show_saved(id, text, is_fast);
            }
        });
    }

    fn show_saved(self, id: String, text: Option<String>, is_fast: bool) {
        let Some(text) = text else {
            return self.leave(Screen::Home, Some(BadAddress::Missing));
        };
        let number = self.next_number();
        let session = text
            .parse::<Saved>()
            .map_err(|error| error.to_string())
            .and_then(|mut saved| {
                let noted = Driver::noted_time(&id, &saved.head);
                saved.head.spent = noted.or(saved.head.spent);
                let session = MatchSession::from_saved(number, id, &saved, is_fast);
                session.map_err(|error| error.to_string())
            });
        match session {
            Ok((session, effects)) => self.show(session, effects),
            Err(why) => self.leave(Screen::Home, Some(BadAddress::Damaged(why))),
        }
    }

    /// Opens the match in a link. It is stored once somebody moves in it.
    fn open_link(
        self,
        link: String,
        opponent: PlayerKind,
        color: Option<ColorChoice>,
        is_fast: bool,
    ) {
        // What is open stays until the match is there.
        self.screen.set(Screen::Opening);
        let n_opened = self.n_opened.get_value();
        spawn_local(async move {
            let record = read_link(link).await;
            if self.n_opened.try_get_value() != Some(n_opened) {
                return;
            }
            match record {
                Ok(Some(record)) => self.show_record(record, opponent, color, is_fast),
                Ok(None) => self.fail(BadAddress::Shared),
                Err(_) => self.fail(BadAddress::Unfetched),
            }
        });
    }

    fn show_record(
        self,
        record: Box<dyn AnyMatch>,
        opponent: PlayerKind,
        color: Option<ColorChoice>,
        is_fast: bool,
    ) {
        let mut seats = ByPlayer::from_fn(|_| PlayerKind::Person);
        let other = match color {
            Some(ColorChoice::Second) => Player::First,
            _ => Player::Second,
        };
        seats[other] = opponent;
        let (sitting, effects) = Sitting::new(record, seats, chance());
        match MatchSession::of_sitting(self.next_number(), sitting) {
            Ok(mut session) => {
                session.wish.is_fast = is_fast;
                self.show(session, effects);
            }
            Err(_) => self.fail(BadAddress::Shared),
        }
    }

    pub(crate) fn next_number(self) -> u32 {
        self.n_matches.update_value(|n| *n += 1);
        self.n_matches.get_value()
    }

    pub(crate) fn show(self, session: MatchSession, effects: Vec<Effect>) {
        self.set_hover(None);
        self.is_flipped.set(false);
        self.forget_followers();
        self.bad_address.set(None);
        let is_calm = untrack(|| self.settings.is_calm());
        self.driver.open(session, effects, is_calm);
    }

    /// Forgets the parts of the last match that followed what has not changed since.
    fn forget_followers(self) {
        self.settings.forget_followers();
        self.driver.forget_followers();
        tell(&self.hover);
        tell(&self.pending);
    }

    /// Begins a match.
    pub(crate) fn begin(self, wish: Wish) {
        match MatchSession::new(self.next_number(), wish, chance()) {
            Ok((session, effects)) => self.show(session, effects),
            Err(_) => self.leave(Screen::Home, Some(BadAddress::Link)),
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

    /// Drops what was clicked so far and a hint, or else goes back to where the match stands.
    pub(crate) fn escape(self) {
        let has_any = self.driver.with_untracked(|session| {
            !session.table().picked().is_empty() || session.sitting.shown_hint().is_some()
        });
        if has_any {
            self.driver.dispatch(Event::Clear);
        } else {
            self.look(Jump::Last);
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

    /// The position that a jump leads to, if it is another.
    pub(crate) fn jump_target(session: &MatchSession, jump: Jump) -> Option<NodeId> {
        let sitting = &session.sitting;
        let target = match jump {
            Jump::First => Some(NodeId::ROOT),
            Jump::Back => sitting.step_back(),
            Jump::Forward => sitting.step_forward(),
            Jump::Last => Some(sitting.live()),
        };
        target.filter(|&node| node != session.record().cursor())
    }

    /// Looks at another position of the match.
    pub(crate) fn look(self, jump: Jump) {
        let target = self
            .driver
            .with_untracked(|session| Self::jump_target(session, jump));
        if let Some(node) = target {
            self.set_hover(None);
            self.driver.dispatch(Event::GoTo(node));
        }
    }

    /// Whether the board is shown from the other side: somebody turned it around, or it is
    /// turned to the first player. Pictures have the second player at the near side.
    pub(crate) fn is_upside_down(self) -> bool {
        let is_turned = self.with_session(MatchSession::turns_board);
        let is_turned = is_turned && self.near.get() == Player::First;
        self.is_flipped.get() != is_turned
    }

    /// Turns the board around.
    pub(crate) fn flip(self) {
        self.is_flipped
            .update(|is_flipped| *is_flipped = !*is_flipped);
    }

    /// Shows or hides the names of places.
    pub(crate) fn toggle_coordinates(self) {
        let is_on = !self.has_coordinates.get_untracked();
        store("coordinates", if is_on { "on" } else { "off" });
        self.has_coordinates.set(is_on);
    }

    /// Opens the sheet for a new game, with what is played now.
    pub(crate) fn open_sheet(self) {
        let wish = self
            .driver
            .with_untracked(|session| Some(session.wish.clone()))
            .filter(|wish| wish.opponent != PlayerKind::Remote);
        let wish =
            wish.unwrap_or_else(|| ordinary(catalog::GAMES[0], usual_opponent(catalog::GAMES[0])));
        self.sheet.set(Some(Wish { seed: None, ..wish }));
    }
}
