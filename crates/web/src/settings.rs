//! How the page is to be seen: its language, its colors, and what the device asks
//! for.

use std::{fmt::Display, sync::Arc};

use leptos::prelude::*;
use view::{Language, Theme, Words};

use crate::{
    device::{device_language, device_theme, follow, matches, store, stored},
    news::tell,
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
}

fn words_of(language: Language) -> Arc<Words> {
    let phrases = match language {
        Language::English => include_str!("../text/en.txt"),
        Language::Japanese => include_str!("../text/ja.txt"),
    };
    Arc::new(Words::with(language, phrases).and(lessons::phrases(language)))
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
            language: RwSignal::new(language),
            chosen_theme: RwSignal::new(theme),
            device_theme: RwSignal::new(device_theme()),
            is_small: RwSignal::new(matches(SMALL)),
            is_tiny: RwSignal::new(matches(TINY)),
            is_calm: RwSignal::new(matches(CALM)),
            words: RwSignal::new(words_of(language)),
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

    /// Takes the next language.
    pub(crate) fn switch_language(self) {
        let next = match self.language.get_untracked() {
            Language::English => Language::Japanese,
            Language::Japanese => Language::English,
        };
        store("language", next.tag());
        self.language.set(next);
        self.words.set(words_of(next));
    }

    /// Takes the next theme; after the last one comes the device's own.
    pub(crate) fn switch_theme(self) {
        let next = match self.chosen_theme.get_untracked() {
            None => Some(Theme::Light),
            Some(Theme::Light) => Some(Theme::Dark),
            Some(Theme::Dark) => Some(Theme::Contrast),
            Some(Theme::Contrast) => None,
        };
        store("theme", next.map_or("", Theme::name));
        self.chosen_theme.set(next);
    }
}
