//! The sheet for a new analysis: a game, and how its match begins.

use leptos::prelude::*;

use super::Studying;
use crate::{
    dialog::Dialog,
    route::Wish,
    sheet::StartForm,
    study_route::{Source, StudyRoute},
};

/// The sheet for a new analysis.
#[component]
pub(super) fn NewAnalysis(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let close = Callback::new(move |()| studying.is_choosing.set(false));
    let begin = Callback::new(move |wish: Wish| {
        close.run(());
        let route = StudyRoute {
            choices: wish.choices,
            is_fast: studying.is_fast,
            ..StudyRoute::analysis(Source::Game(wish.game))
        };
        window().location().set_hash(&route.to_string()).ok();
    });
    view! {
        <Dialog class="sheet" label="sheet-title" on_close=close>
            <StartForm
                room=room
                wish=RwSignal::new(wish(studying))
                title="study.new"
                is_match=false
                on_close=close
                on_start=begin
            />
        </Dialog>
    }
}

/// The initial choices: what is analyzed now.
fn wish(studying: Studying) -> Wish {
    let options = studying.options().into_iter();
    Wish {
        choices: options
            .map(|(option, value)| (option.name.to_owned(), value))
            .collect(),
        ..Wish::new(studying.game())
    }
}
