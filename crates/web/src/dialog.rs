//! Something that wants all attention until it is closed.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// A dialog above everything else. Escape and a click beside it close it; the
/// focus stays inside, and goes back to where it was.
#[component]
pub(crate) fn Dialog(
    class: &'static str,
    /// The id of its title.
    label: &'static str,
    on_close: Callback<()>,
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<html::Div>::new();
    let opener = document().active_element();
    let opener = opener.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    let opener = StoredValue::new_local(opener);
    on_cleanup(move || {
        if let Some(Some(opener)) = opener.try_get_value() {
            opener.focus().ok();
        }
    });
    Effect::new(move |_| {
        if let Some(dialog) = dialog.get() {
            request_animation_frame(move || {
                dialog.focus().ok();
            });
        }
    });
    let keys = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            event.stop_propagation();
            on_close.run(());
        }
        "Tab" => keep_focus(&event, dialog),
        _ => {}
    };
    let beside = move |event: ev::MouseEvent| {
        if event.target() == event.current_target() {
            on_close.run(());
        }
    };
    view! {
        <div class="scrim" on:click=beside>
            <div
                class=class
                role="dialog"
                aria-modal="true"
                aria-labelledby=label
                tabindex="-1"
                node_ref=dialog
                on:keydown=keys
            >
                {children()}
            </div>
        </div>
    }
}

/// Keeps the focus inside of the dialog.
fn keep_focus(event: &ev::KeyboardEvent, dialog: NodeRef<html::Div>) {
    let Some(dialog) = dialog.get_untracked() else {
        return;
    };
    let Ok(all) = dialog.query_selector_all("button, input:not([type=radio]), input:checked")
    else {
        return;
    };
    let element = |index: u32| {
        all.item(index)
            .and_then(|node| node.dyn_into::<HtmlElement>().ok())
    };
    let (first, last) = (element(0), element(all.length().saturating_sub(1)));
    let active = document().active_element();
    let is_active = |element: &Option<HtmlElement>| {
        element
            .as_ref()
            .is_some_and(|element| active.as_ref() == Some(element))
    };
    let next = match event.shift_key() {
        true if is_active(&first) => last,
        false if is_active(&last) => first,
        _ => return,
    };
    if let Some(next) = next {
        event.prevent_default();
        next.focus().ok();
    }
}
