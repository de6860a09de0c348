//! A choice of one among a few.

use leptos::prelude::*;

use crate::icons::mark;

/// A choice of one among a few, as radio buttons.
#[component]
pub(crate) fn Segment(
    /// The name of the group.
    name: &'static str,
    #[prop(into)] label: Signal<String>,
    /// Values and what they are called.
    #[prop(into)]
    items: Signal<Vec<(String, Item)>>,
    #[prop(into)] value: Signal<String>,
    on_choose: Callback<String>,
    #[prop(default = "seg")] class: &'static str,
) -> impl IntoView {
    view! {
        <fieldset class="fd">
            <legend>{label}</legend>
            <div class=class>
                {move || {
                    items.get()
                        .into_iter()
                        .map(|(id, item)| {
                            let is_on = {
                                let id = id.clone();
                                move || value.with(|value| *value == id)
                            };
                            let is_checked = is_on.clone();
                            let chosen = id.clone();
                            view! {
                                <label class:on=is_on>
                                    <input
                                        type="radio"
                                        name=name
                                        value=id
                                        prop:checked=is_checked
                                        on:change=move |_| on_choose.run(chosen.clone())
                                    />
                                    {item.mark.map(mark)}
                                    {item.token.map(|token| view! { <span class="pi" inner_html=token></span> })}
                                    <span>{item.text}</span>
                                </label>
                            }
                        })
                        .collect_view()
                }}
            </div>
        </fieldset>
    }
}

/// The appearance of a choice.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct Item {
    pub(crate) text: String,
    /// The mark of a game.
    pub(crate) mark: Option<&'static str>,
    /// The drawing of a piece.
    pub(crate) token: Option<String>,
}

impl From<String> for Item {
    fn from(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}
