//! A modal dialog.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};

/// A dialog above everything else. Escape and a click beside it close it; the browser
/// keeps the focus inside, and it goes back to where it was.
#[component]
pub(crate) fn Dialog(
    class: &'static str,
    /// The id of its title.
    label: &'static str,
    on_close: Callback<()>,
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let inside = NodeRef::<html::Div>::new();
    let opener = document().active_element();
    let opener = opener.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    let opener = StoredValue::new_local(opener);
    let shown = StoredValue::new_local(None::<HtmlDialogElement>);
    on_cleanup(move || {
        // The browser gives the focus back when a dialog is closed, but not when it is
        // taken off the page; and as long as it is open nothing else can have it.
        if let Some(Some(dialog)) = shown.try_get_value() {
            dialog.close();
        }
        if let Some(Some(opener)) = opener.try_get_value() {
            opener.focus().ok();
        }
    });
    Effect::new(move |_| {
        if let (Some(dialog), Some(inside)) = (dialog.get(), inside.get()) {
            shown.set_value(Some(dialog.clone()));
            // It can be shown only once it is on the page.
            request_animation_frame(move || show(&dialog, &inside));
        }
    });
    let cancel = move |event: ev::Event| {
        event.prevent_default();
        on_close.run(());
    };
    // The browser may close it without asking, if nothing was pressed since it opened.
    let closed = move |_: ev::Event| {
        // After it has been taken off the page there is nobody to tell.
        on_close.try_run(());
    };
    let beside = move |event: ev::MouseEvent| {
        if event.target() == event.current_target() {
            on_close.run(());
        }
    };
    view! {
        <dialog
            class=class
            aria-labelledby=label
            node_ref=dialog
            on:cancel=cancel
            on:close=closed
            on:mousedown=beside
        >
            // A click on the dialog itself is one beside what is in it.
            <div class="inside" tabindex="-1" node_ref=inside>
                {children()}
            </div>
        </dialog>
    }
}

fn show(dialog: &HtmlDialogElement, inside: &HtmlElement) {
    if dialog.is_connected() && !dialog.open() {
        dialog.show_modal().ok();
        // Nothing in it is chosen yet.
        inside.focus().ok();
    }
}
