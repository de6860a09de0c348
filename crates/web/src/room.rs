//! The room: the address, and the match that is played.

use std::{fmt::Display, time::Duration};

use leptos::prelude::*;
use rules::Player;
use view::{Point, Rect, Shape, Theme};

use crate::{
    device::{chance, now},
    later::Later,
    news::tell,
    route::{Opponent, Route, Wish},
    session::{Answer, Session, Stage},
    settings::Settings,
    thinker::{Reply, Request, Thinker},
};

/// How long colors are drawn, in milliseconds.
const LOTS_TIME: u64 = 1200;

/// How long a notice stays, in milliseconds.
const NOTICE_TIME: u64 = 2000;

/// All that the interface looks at. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) settings: Settings,
    pub(crate) session: RwSignal<Option<Session>, LocalStorage>,
    /// The target under the pointer.
    pub(crate) hover: RwSignal<Option<String>>,
    /// The new game that is being put together.
    pub(crate) sheet: RwSignal<Option<Wish>>,
    /// Whether the rules are to be read.
    pub(crate) is_help_open: RwSignal<bool>,
    /// Whether the address made no sense.
    pub(crate) is_bad_link: RwSignal<bool>,
    thinker: StoredValue<Option<Thinker>, LocalStorage>,
    /// When the machine began to think.
    asked_at: StoredValue<f64>,
    /// Raised with every match and every undo, so that late news is told from
    /// current news.
    turn_id: StoredValue<u32>,
    /// When the notice is forgotten.
    notice_end: Later,
}

/// A piece as a drawing, with room for its shadow.
pub(crate) fn token_svg(shapes: &[Shape], theme: Theme) -> String {
    view::svg_of(shapes, Rect::around(Point::new(0.0, 1.0), 14.5), theme)
}

impl Room {
    /// What `f` tells of the match, or nothing.
    pub(crate) fn with_session<T: Default>(self, f: impl FnOnce(&Session) -> T) -> T {
        self.session
            .with(|session| session.as_ref().map(f).unwrap_or_default())
    }

    /// The room as the device and the last visit would have it, with nobody in
    /// it.
    pub(crate) fn new() -> Self {
        Self {
            settings: Settings::new(),
            session: RwSignal::new_local(None),
            hover: RwSignal::new(None),
            sheet: RwSignal::new(None),
            is_help_open: RwSignal::new(false),
            is_bad_link: RwSignal::new(false),
            thinker: StoredValue::new_local(None),
            asked_at: StoredValue::new(0.0),
            turn_id: StoredValue::new(0),
            notice_end: Later::new(),
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
        move || self.say(name)
    }

    /// What is going on.
    pub(crate) fn stage(self) -> Option<Stage> {
        self.session
            .with(|session| session.as_ref().map(|session| session.stage))
    }

    /// A piece of `player` as a drawing.
    pub(crate) fn token(self, player: Player) -> String {
        let theme = self.settings.theme();
        let shapes = self.with_session(|session| session.table.token(player));
        token_svg(&shapes, theme)
    }

    /// What the one who plays `player` is called.
    pub(crate) fn seat_name(self, session: &Session, player: Player) -> String {
        match session.seats[player] {
            Opponent::Human if session.person().is_some() => self.say("seat.you"),
            Opponent::Human => self.say(&format!("{}.{player}", session.wish.game)),
            opponent => self.opponent_name(opponent),
        }
    }

    /// What an opponent is called.
    pub(crate) fn opponent_name(self, opponent: Opponent) -> String {
        match opponent {
            Opponent::Human => self.say("seat.human"),
            Opponent::Classic => self.say("seat.classic"),
            Opponent::Level(level) => self.say_with("seat.level", &[("n", &level)]),
            Opponent::Perfect => self.say("seat.perfect"),
        }
    }

    /// Whether moves are not to be seen to happen.
    pub(crate) fn is_still(self, session: &Session) -> bool {
        let is_hidden = document().hidden();
        session.wish.is_fast || self.settings.is_calm_untracked() || is_hidden
    }

    /// Opens what the address asks for.
    pub(crate) fn follow_address(self) {
        let fragment = window().location().hash().unwrap_or_default();
        self.sheet.set(None);
        self.is_help_open.set(false);
        match Route::read(&fragment) {
            Route::Home => self.leave(),
            Route::Match(wish) => self.begin(wish),
        }
    }

    fn leave(self) {
        self.stop_thinking();
        self.is_bad_link.set(false);
        self.session.set(None);
    }

    /// Begins a match.
    pub(crate) fn begin(self, wish: Wish) {
        self.stop_thinking();
        self.hover.set(None);
        self.settings.forget_followers();
        match Session::new(wish, chance()) {
            Ok(session) => {
                self.is_bad_link.set(false);
                let is_still = self.is_still(&session);
                let has_lots = session.stage == Stage::Lots;
                self.session.set(Some(session));
                if has_lots && !is_still {
                    let id = self.turn_id.get_value();
                    let settle = move || {
                        if self.turn_id.get_value() == id {
                            self.settle();
                        }
                    };
                    set_timeout(settle, Duration::from_millis(LOTS_TIME));
                } else {
                    self.settle();
                }
            }
            Err(_) => {
                self.session.set(None);
                self.is_bad_link.set(true);
            }
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
            // The browser tells when it has gone there.
            window().location().set_hash(&address).ok();
        }
    }

    /// Nothing moves any more: whoever is next may go on.
    pub(crate) fn settle(self) {
        self.update(Session::settle);
        let request = self.session.with_untracked(|session| {
            let session = session
                .as_ref()
                .filter(|session| session.stage == Stage::Thinking)?;
            Some(Request {
                opponent: session.seats[session.playing.turn()].bot_name(),
                seed: session.seed,
                record: session.playing.to_string(),
            })
        });
        if let Some(request) = request {
            self.asked_at.set_value(now());
            self.thinker.update_value(|thinker| {
                let thinker =
                    thinker.get_or_insert_with(|| Thinker::new(move |reply| self.hear(reply)));
                thinker.ask(&request);
            });
        }
    }

    /// Another number with every match and every undo.
    pub(crate) fn turn_id(self) -> u32 {
        self.turn_id.get_value()
    }

    fn stop_thinking(self) {
        self.turn_id.update_value(|id| *id += 1);
        self.thinker.update_value(|thinker| {
            if let Some(thinker) = thinker {
                thinker.stop();
            }
        });
    }

    fn hear(self, reply: Reply) {
        match reply {
            Reply::Progress(progress) => self.update(|session| session.progress = progress),
            Reply::Trouble => {
                self.notice_end.stop();
                let trouble = self.say("bad.worker");
                self.update(|session| session.notice = Some(trouble));
            }
            Reply::Move(m) => {
                let pause = self.session.with_untracked(|session| {
                    session.as_ref().map_or(0.0, |session| self.pause(session))
                });
                let rest = pause - (now() - self.asked_at.get_value());
                let id = self.turn_id.get_value();
                let play = move || {
                    if self.turn_id.get_value() == id {
                        self.play(&m);
                    }
                };
                if rest > 1.0 {
                    set_timeout(play, Duration::from_millis(rest as u64));
                } else {
                    play();
                }
            }
        }
    }

    /// How long the machine takes at least, so that one can follow it.
    fn pause(self, session: &Session) -> f64 {
        if session.wish.is_fast {
            0.0
        } else {
            session.game.presentation().answer_time
        }
    }

    fn update(self, f: impl FnOnce(&mut Session)) {
        self.session.update_untracked(|session| {
            if let Some(session) = session {
                f(session);
            }
        });
        tell(&self.session);
    }

    /// Plays a move for whoever is to move.
    fn play(self, m: &str) {
        let mut answer = Answer::Ignored;
        self.update(|session| answer = session.play(m));
        if answer == Answer::Moved {
            self.after_move();
        } else {
            self.hear(Reply::Trouble);
        }
    }

    fn after_move(self) {
        let is_still = self.session.with_untracked(|session| {
            session
                .as_ref()
                .is_some_and(|session| session.stage == Stage::Moving && self.is_still(session))
        });
        if is_still {
            self.settle();
        }
    }

    /// Goes on with a target, as a click or a key does.
    pub(crate) fn activate(self, id: &str) {
        let words = self.settings.words.get_untracked();
        let mut answer = Answer::Ignored;
        // What is not the time for changes nothing, so nothing is told of it.
        let is_time = self.session.with_untracked(|session| {
            session
                .as_ref()
                .is_some_and(|session| session.stage == Stage::Waiting)
        });
        if !is_time {
            return;
        }
        self.update(|session| {
            answer = session.activate(id);
            if answer == Answer::Refused {
                session.notice = session.table.refusal(id, &words);
            }
        });
        match answer {
            Answer::Moved => self.after_move(),
            Answer::Refused => self.forget_notice_later(),
            Answer::Ignored | Answer::Changed => {}
        }
    }

    fn forget_notice_later(self) {
        let id = self.turn_id.get_value();
        self.notice_end.start(NOTICE_TIME, move || {
            if self.turn_id.get_value() == id {
                self.update(|session| session.notice = None);
            }
        });
    }

    /// Takes up the target called `id` if a click on it would do no more: what
    /// makes a move waits for the pointer to go up. Tells whether it did.
    pub(crate) fn take_up(self, id: &str) -> bool {
        let takes_up = self.session.with_untracked(|session| {
            session.as_ref().is_some_and(|session| {
                session.stage == Stage::Waiting && session.table.takes_up(id)
            })
        });
        if takes_up {
            self.activate(id);
        }
        takes_up
    }

    /// Whether the target called `id` goes on with what is taken up.
    pub(crate) fn leads_on(self, id: &str) -> bool {
        self.session.with_untracked(|session| {
            session
                .as_ref()
                .is_some_and(|session| session.table.leads_on(id))
        })
    }

    /// Puts back what was taken up.
    pub(crate) fn clear(self) {
        let has_any = self.session.with_untracked(|session| {
            session
                .as_ref()
                .is_some_and(|session| !session.table.picked().is_empty())
        });
        if has_any {
            self.update(|session| {
                session.table.clear();
            });
        }
    }

    /// The pointer is over a target, or over none.
    pub(crate) fn set_hover(self, hover: Option<String>) {
        if self.hover.get_untracked() != hover {
            self.hover.set(hover);
        }
    }

    /// Plays a move that somebody typed. Tells whether it is one.
    pub(crate) fn play_typed(self, text: &str) -> bool {
        let mut answer = Answer::Ignored;
        let pass = text == "pass";
        self.update(|session| {
            if session.stage == Stage::Waiting {
                let m = session.table.pass().filter(|_| pass);
                answer = session.play(m.as_deref().unwrap_or(text));
            }
        });
        if answer == Answer::Moved {
            self.after_move();
        }
        answer == Answer::Moved
    }

    /// Takes back.
    pub(crate) fn undo(self) {
        self.stop_thinking();
        self.update(Session::undo);
        self.settle();
    }

    /// Goes on again.
    pub(crate) fn redo(self) {
        self.stop_thinking();
        self.update(Session::redo);
        self.settle();
    }

    /// Gives up.
    pub(crate) fn resign(self) {
        self.stop_thinking();
        self.update(Session::resign);
    }

    /// Turns the board around.
    pub(crate) fn flip(self) {
        self.update(|session| session.is_flipped = !session.is_flipped);
    }

    /// Opens the sheet for a new game, with what is played now.
    pub(crate) fn open_sheet(self) {
        let wish = self
            .session
            .with_untracked(|session| session.as_ref().map(|session| session.wish.clone()));
        self.sheet.set(wish.map(|wish| Wish { seed: None, ..wish }));
    }
}
