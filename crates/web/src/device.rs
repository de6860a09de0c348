//! Facts from the device: time, storage, preferences, randomness.

use catalog::AnyGame;
use leptos::prelude::window;
use rules::Random;
use view::{Language, Theme};
use wasm_bindgen::JsValue;
use web_sys::Storage;

/// Milliseconds since the page was opened.
pub(crate) fn now() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map_or(0.0, |performance| performance.now())
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// A setting that was kept.
pub(crate) fn stored(name: &str) -> Option<String> {
    storage()?.get_item(&format!("parlour.{name}")).ok()?
}

/// Keeps a setting for the next visit.
pub(crate) fn store(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // Without a place to keep it, a setting lasts until the page is closed.
        storage.set_item(&format!("parlour.{name}"), value).ok();
    }
}

fn tab_storage() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// Keeps a text for this tab, even while the page is being left.
pub(crate) fn keep_in_tab(name: &str, value: &str) {
    if let Some(storage) = tab_storage() {
        storage.set_item(&format!("parlour.{name}"), value).ok();
    }
}

/// A text that was kept for this tab.
pub(crate) fn kept_in_tab(name: &str) -> Option<String> {
    tab_storage()?.get_item(&format!("parlour.{name}")).ok()?
}

/// Whether settings can be kept for the next visit.
pub(crate) fn can_store() -> bool {
    let name = "parlour.test";
    storage().is_some_and(|storage| {
        let is_stored = storage.set_item(name, "").is_ok();
        storage.remove_item(name).ok();
        is_stored
    })
}

/// Whether the device can vibrate: those without a finger on them have the function, but no motor.
pub(crate) fn has_vibration() -> bool {
    let function = js_sys::Reflect::has(&window().navigator(), &"vibrate".into());
    function == Ok(true) && matches("(pointer: coarse)")
}

/// Whether somebody has done something on the page that browsers count as a gesture; Escape, for
/// one, is none.
pub(crate) fn has_gesture() -> bool {
    let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into());
    let activation = get(&window().navigator(), "userActivation");
    // Browsers that can't tell are asked to try.
    activation
        .and_then(|activation| get(&activation, "hasBeenActive"))
        .ok()
        .and_then(|is_active| is_active.as_bool())
        .unwrap_or(true)
}

/// Whether the device answers yes to a media query.
pub(crate) fn matches(query: &str) -> bool {
    let list = web_sys::window().and_then(|window| window.match_media(query).ok()?);
    list.is_some_and(|list| list.matches())
}

/// The theme that the device is set to.
pub(crate) fn device_theme() -> Theme {
    if matches("(prefers-contrast: more)") {
        Theme::Contrast
    } else if matches("(prefers-color-scheme: dark)") {
        Theme::Dark
    } else {
        Theme::Light
    }
}

/// The first of the browser's languages that the page knows.
pub(crate) fn device_language() -> Language {
    let languages = window().navigator().languages();
    let tags = languages.iter().filter_map(|tag| tag.as_string());
    tags.into_iter()
        .find_map(|tag| Language::from_tag(&tag))
        .unwrap_or_default()
}

/// Follows a question to the device.
pub(crate) fn follow(query: &str, f: impl Fn() + 'static) {
    let list = web_sys::window().and_then(|window| window.match_media(query).ok()?);
    if let Some(list) = list {
        let changed = wasm_bindgen::closure::Closure::<dyn Fn()>::new(f);
        let function = wasm_bindgen::JsCast::unchecked_ref(changed.as_ref());
        list.set_onchange(Some(function));
        // The page listens as long as it is open, and a list that nobody holds
        // is not told of changes.
        changed.forget();
        std::mem::forget(list);
    }
}

/// Milliseconds since 1970.
pub(crate) fn date() -> u64 {
    js_sys::Date::now() as u64
}

/// A name that no other match has.
pub(crate) fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let letters = (0..12).map(|_| LETTERS[(js_sys::Math::random() * 32.0) as usize % 32]);
    letters.map(char::from).collect()
}

/// A number that nobody can foresee.
pub(crate) fn chance() -> u64 {
    (js_sys::Math::random() * 2_f64.powi(52)) as u64
}

/// A small number that nobody can foresee for an option of the game, that of a fair
/// board if the game knows any.
pub(crate) fn chance_number(game: &dyn AnyGame) -> u64 {
    let mut random = Random::new(chance());
    match random.pick(&game.fair_boards()) {
        Some(&board) => board,
        None => u64::from(random.below(10_000)),
    }
}
