//! Parts of the page that are written as HTML text.
//!
//! Every `view!` is compiled to code of its own, and the page is loaded before anything is
//! seen. Where a part is mostly text, a string costs a fraction of that.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::{app::find, timer::Timer};

/// How long a press keeps what is pressed, in milliseconds, if its end is not seen.
const LONGEST_HOLD: f64 = 1500.0;

/// How long after the release of a pointer its click may come, in milliseconds. On a busy phone
/// that takes a while.
const CLICK_DELAY: f64 = 300.0;

/// Text as HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('\'', "&#39;")
}

/// A part of the page as HTML.
///
/// A press on an element with `data-do` is reported with the value of that attribute. When
/// the HTML changes, the focus stays on the element with the same id.
#[component]
pub(crate) fn Html(
    html: Signal<String>,
    class: &'static str,
    /// The role for assistive technology, such as `status`.
    #[prop(optional)]
    role: Option<&'static str>,
    #[prop(optional)] on_do: Option<Callback<String>>,
) -> impl IntoView {
    let part = NodeRef::<html::Div>::new();
    let html = Memo::new(move |_| html.get());
    // What is pressed stays until it is released: a press that ends on another element than
    // it began on counts for none.
    let (is_held, release) = (RwSignal::new(false), Timer::new());
    let end_hold = move |delay| {
        release.start(delay, move || {
            is_held.try_set(false);
        });
    };
    Effect::new(move |shown: Option<String>| {
        let shown = shown.unwrap_or_default();
        let (html, is_held) = (html.get(), is_held.get());
        let Some(part) = part.get().filter(|_| !is_held && shown != html) else {
            return shown;
        };
        let focused = document().active_element();
        let focused = focused.filter(|focused| part.contains(Some(focused)));
        part.set_inner_html(&html);
        if let Some(id) = focused.map(|focused| focused.id())
            && let Some(same) = find(&format!("#{id}"))
        {
            same.focus().ok();
        }
        html
    });
    let hold = move |_| {
        is_held.set(true);
        end_hold(LONGEST_HOLD);
    };
    let let_go = move |_| {
        if is_held.get_untracked() {
            end_hold(CLICK_DELAY);
        }
    };
    let press = move |event: ev::MouseEvent| {
        let pressed = event.target().and_then(|target| target.dyn_into().ok());
        let pressed = pressed.and_then(|target: Element| target.closest("[data-do]").ok()?);
        let pressed = pressed.and_then(|pressed| pressed.dyn_into::<HtmlElement>().ok());
        if let (Some(on_do), Some(pressed)) = (on_do, pressed) {
            on_do.run(pressed.get_attribute("data-do").unwrap_or_default());
        }
        // The click is the end of a press: what it changed is shown at once.
        release.stop();
        is_held.try_set(false);
    };
    view! {
        <div
            class=class
            role=role
            node_ref=part
            on:pointerdown=hold
            on:pointerup=let_go
            on:pointercancel=let_go
            on:click=press
        ></div>
    }
}
