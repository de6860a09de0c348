//! Parts of the page that are written as HTML text.
//!
//! Every `view!` is compiled to code of its own, and the page is loaded before anything is
//! seen. Where a part is mostly text, a string costs a fraction of that.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::app::find;

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
    Effect::new(move |_| {
        if let Some(part) = part.get() {
            let focused = document().active_element();
            let focused = focused.filter(|focused| part.contains(Some(focused)));
            part.set_inner_html(&html.get());
            if let Some(id) = focused.map(|focused| focused.id())
                && let Some(same) = find(&format!("#{id}"))
            {
                same.focus().ok();
            }
        }
    });
    let press = move |event: ev::MouseEvent| {
        let pressed = event.target().and_then(|target| target.dyn_into().ok());
        let pressed = pressed.and_then(|target: Element| target.closest("[data-do]").ok()?);
        let pressed = pressed.and_then(|pressed| pressed.dyn_into::<HtmlElement>().ok());
        if let (Some(on_do), Some(pressed)) = (on_do, pressed) {
            on_do.run(pressed.get_attribute("data-do").unwrap_or_default());
        }
    };
    view! { <div class=class role=role node_ref=part on:click=press></div> }
}
