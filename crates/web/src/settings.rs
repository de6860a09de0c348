//! How the page is to be seen: its language, its colors, and what the device asks
//! for.

use std::{fmt::Display, sync::Arc};

use leptos::{ev, prelude::*};
use view::{BoardStyle, Language, Palette, PieceStyle, Plan, Theme, Words};

use crate::{
    choices::{Animation, Announce, Confirm, named},
    device::{device_language, device_theme, follow, matches, store, stored},
    news::{new_signal, tell},
};

/// Screens up to this size get larger letters on the board. On larger ones the
/// board is at least 632 px wide, so that ordinary letters have 10 px or more.
const SMALL: &str = "(max-width: 1180px), (max-height: 720px)";

/// On screens up to this size fingers need more room on a board of many places.
const TINY: &str = "(max-width: 560px), (max-height: 480px)";

/// Devices that ask for less motion.
const CALM: &str = "(prefers-reduced-motion: reduce)";

/// How the page is to be seen. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) language: RwSignal<Language>,
    /// The theme that was chosen, if any.
    pub(crate) chosen_theme: RwSignal<Option<Theme>>,
    /// The theme that the device asks for.
    device_theme: RwSignal<Theme>,
    pub(crate) is_small: RwSignal<bool>,
    pub(crate) is_tiny: RwSignal<bool>,
    /// Whether the device asks for less motion.
    is_calm: RwSignal<bool>,
    pub(crate) words: RwSignal<Arc<Words>>,
    /// Phrases that came later, of two parts of the page.
    more_phrases: StoredValue<[Option<MorePhrases>; 3]>,
    /// The material of boards.
    pub(crate) board: RwSignal<BoardStyle>,
    /// The style of pieces.
    pub(crate) pieces: RwSignal<PieceStyle>,
    pub(crate) animation: RwSignal<Animation>,
    pub(crate) confirm: RwSignal<Confirm>,
    pub(crate) announce: RwSignal<Announce>,
    /// Whether the destinations of what is selected are marked.
    pub(crate) has_destinations: RwSignal<bool>,
    /// Whether there are comments on moves.
    pub(crate) has_comments: RwSignal<bool>,
    /// Whether the last input was a touch.
    pub(crate) is_touch: StoredValue<bool>,
    /// Whether the settings dialog is open.
    pub(crate) is_open: RwSignal<bool>,
}

/// The stored value of a choice, or the usual one.
fn kept<T: Copy + Default>(key: &str, all: &[T], name: fn(T) -> &'static str) -> T {
    let stored = stored(key);
    let value = stored.and_then(|stored| named(all, name, &stored));
    value.unwrap_or_default()
}

/// Files of phrases in the order of [`Language::ALL`].
pub(crate) type MorePhrases = [Vec<&'static str>; 2];

fn words_of(language: Language, more: &[Option<MorePhrases>]) -> Arc<Words> {
    let phrases = match language {
        Language::English => include_str!("../text/en.txt"),
        Language::Japanese => include_str!("../text/ja.txt"),
    };
    let words = Words::new(&[view::match_phrases(language), phrases]);
    let index = Language::ALL.iter().position(|other| *other == language);
    let more = more.iter().flatten();
    let files = more.filter_map(|more| Some(&more[index?])).flatten();
    Arc::new(files.fold(words, |words, file| words.and(file)))
}

impl Settings {
    /// As the device and the last visit would have them.
    pub(crate) fn new() -> Self {
        let language = stored("language").and_then(|tag| Language::from_tag(&tag));
        let language = language.unwrap_or_else(device_language);
        let theme = stored("theme");
        let theme = Theme::ALL
            .into_iter()
            .find(|known| Some(known.name()) == theme.as_deref());
        Self {
            language: new_signal(language),
            chosen_theme: new_signal(theme),
            device_theme: new_signal(device_theme()),
            is_small: new_signal(matches(SMALL)),
            is_tiny: new_signal(matches(TINY)),
            is_calm: new_signal(matches(CALM)),
            words: new_signal(words_of(language, &[])),
            more_phrases: StoredValue::new([None, None, None]),
            board: new_signal(kept("board", &BoardStyle::ALL, BoardStyle::name)),
            pieces: new_signal(kept("pieces", &PieceStyle::ALL, PieceStyle::name)),
            animation: new_signal(kept("animation", Animation::ALL, Animation::name)),
            confirm: new_signal(kept("confirm", Confirm::ALL, Confirm::name)),
            announce: new_signal(kept("announce", Announce::ALL, Announce::name)),
            has_destinations: new_signal(stored("destinations").as_deref() != Some("off")),
            has_comments: new_signal(stored("comments").as_deref() == Some("on")),
            is_touch: StoredValue::new(false),
            is_open: new_signal(false),
        }
    }

    /// Notices when the device is set otherwise.
    pub(crate) fn follow_device(self) {
        follow(SMALL, move || self.is_small.set(matches(SMALL)));
        follow(TINY, move || self.is_tiny.set(matches(TINY)));
        follow(CALM, move || self.is_calm.set(matches(CALM)));
        for query in ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"] {
            follow(query, move || self.device_theme.set(device_theme()));
        }
    }

    /// Forgets the parts of the last match that followed the settings. They change
    /// so rarely that nothing else does.
    pub(crate) fn forget_followers(self) {
        tell(&self.words);
        tell(&self.chosen_theme);
        tell(&self.device_theme);
        tell(&self.board);
        tell(&self.pieces);
        tell(&self.announce);
        tell(&self.has_comments);
    }

    /// A phrase with values.
    pub(crate) fn say_with(self, name: &str, values: &[(&str, &dyn Display)]) -> String {
        self.words.with(|words| words.say(name, values))
    }

    /// A phrase that follows the language.
    pub(crate) fn text(self, name: &'static str) -> impl Fn() -> String + Copy + Send + Sync {
        move || self.say_with(name, &[])
    }

    /// The theme to be seen.
    pub(crate) fn theme(self) -> Theme {
        let chosen = self.chosen_theme.get();
        chosen.unwrap_or_else(|| self.device_theme.get())
    }

    /// As [`theme`](Self::theme), without following it.
    pub(crate) fn theme_untracked(self) -> Theme {
        untrack(|| self.theme())
    }

    /// Whether the device asks for less motion.
    pub(crate) fn is_calm(self) -> bool {
        self.is_calm.get()
    }

    fn set_words(self) {
        let language = self.language.get_untracked();
        let words = self
            .more_phrases
            .with_value(|more| words_of(language, more));
        self.words.set(words);
    }

    /// Adds the phrases of a part of the page that was fetched later, unless they are there.
    pub(crate) fn add_phrases(self, part: usize, more: fn() -> MorePhrases) {
        if self.more_phrases.with_value(|known| known[part].is_none()) {
            self.more_phrases
                .update_value(|known| known[part] = Some(more()));
            self.set_words();
        }
    }

    /// Sets the language.
    pub(crate) fn set_language(self, language: Language) {
        store("language", language.tag());
        self.language.set(language);
        self.set_words();
    }

    /// Sets the theme; `None` is the device's own.
    pub(crate) fn set_theme(self, theme: Option<Theme>) {
        store("theme", theme.map_or("", Theme::name));
        self.chosen_theme.set(theme);
    }

    /// Takes the next language.
    pub(crate) fn switch_language(self) {
        self.set_language(match self.language.get_untracked() {
            Language::English => Language::Japanese,
            Language::Japanese => Language::English,
        });
    }

    /// Takes the next theme; after the last one comes the device's own.
    pub(crate) fn switch_theme(self) {
        self.set_theme(match self.chosen_theme.get_untracked() {
            None => Some(Theme::Light),
            Some(Theme::Light) => Some(Theme::Dark),
            Some(Theme::Dark) => Some(Theme::Contrast),
            Some(Theme::Contrast) => None,
        });
    }

    pub(crate) fn set_board(self, board: BoardStyle) {
        store("board", board.name());
        self.board.set(board);
    }

    pub(crate) fn set_pieces(self, pieces: PieceStyle) {
        store("pieces", pieces.name());
        self.pieces.set(pieces);
    }

    pub(crate) fn set_animation(self, animation: Animation) {
        store("animation", animation.name());
        self.animation.set(animation);
    }

    pub(crate) fn set_confirm(self, confirm: Confirm) {
        store("confirm", confirm.name());
        self.confirm.set(confirm);
    }

    pub(crate) fn set_announce(self, announce: Announce) {
        store("announce", announce.name());
        self.announce.set(announce);
    }

    /// Marks the destinations of what is selected, or not.
    pub(crate) fn show_destinations(self, is_on: bool) {
        store("destinations", if is_on { "on" } else { "off" });
        self.has_destinations.set(is_on);
    }

    /// Shows comments on moves, or not.
    pub(crate) fn show_comments(self, is_on: bool) {
        store("comments", if is_on { "on" } else { "off" });
        self.has_comments.set(is_on);
    }

    /// Follows whether fingers or something else is used.
    pub(crate) fn follow_pointers(self) {
        window_event_listener(ev::pointerdown, move |event| {
            self.is_touch.set_value(event.pointer_type() == "touch");
        });
        window_event_listener(ev::keydown, move |_| self.is_touch.set_value(false));
    }

    /// Whether a move that is made now has to be confirmed.
    pub(crate) fn asks_to_confirm(self) -> bool {
        match self.confirm.get_untracked() {
            Confirm::Never => false,
            Confirm::Touch => self.is_touch.get_value(),
            Confirm::Always => true,
        }
    }

    /// All that decides what colors look like.
    pub(crate) fn palette(self) -> Palette {
        Palette {
            theme: self.theme(),
            board: self.board.get(),
            pieces: self.pieces.get(),
        }
    }

    /// As [`palette`](Self::palette), without following it.
    pub(crate) fn palette_untracked(self) -> Palette {
        untrack(|| self.palette())
    }

    /// Whether moves are not animated.
    pub(crate) fn is_still(self) -> bool {
        self.is_calm() || self.animation.get() == Animation::Off
    }

    /// The animation at the chosen speed.
    pub(crate) fn paced(self, plan: Plan) -> Plan {
        match self.animation.get_untracked().share() {
            Some(share) => plan.in_share(share),
            None => plan,
        }
    }
}
