//! The offer to take a lesson, made once.

use leptos::prelude::*;
use lessons::LESSONS;

use super::{kept_progress, name_of};
use crate::{
    device::{store, stored},
    room::Room,
    route::LearnRoute,
};

/// The name under which it is kept that the home screen made its offer.
const HOME: &str = "home";

/// Whether the lesson of `game` was neither offered nor begun yet.
fn is_new(game: &str) -> bool {
    stored(&format!("offered.{game}")).is_none() && kept_progress(game).is_empty()
}

fn note_offered(game: &str) {
    store(&format!("offered.{game}"), "yes");
}

/// The offer beside the board, before the first move of somebody who plays the game for
/// the first time. It is never made again once it was answered or a move was made.
#[component]
pub(crate) fn LessonOffer(room: Room) -> impl IntoView {
    let answered = RwSignal::new(0_u32);
    // The game, as long as nothing was played.
    let untouched = Memo::new(move |_| {
        room.with_session(|session| {
            let game = session.game.name();
            (game, session.record().moves().is_empty())
        })
    });
    let offered = move || {
        answered.track();
        let (game, is_untouched) = untouched.get();
        let lesson = lessons::find(game).filter(|_| is_untouched && is_new(game))?;
        Some((game, lesson.steps().len()))
    };
    Effect::new(move |_| {
        let (game, is_untouched) = untouched.get();
        if !is_untouched && is_new(game) {
            note_offered(game);
        }
    });
    move || {
        let (game, n_steps) = offered()?;
        let answer = move |()| {
            note_offered(game);
            answered.update(|n| *n += 1);
        };
        Some(view! {
            <Offer
                title=Signal::derive(room.text("offer.title"))
                line=Signal::derive(move || room.say_with("offer.line", &[("n", &n_steps)]))
                no=Signal::derive(room.text("offer.no"))
                yes=Signal::derive(room.text("offer.yes"))
                note=Signal::derive(room.text("offer.note"))
                game=game
                on_answer=Callback::new(answer)
            />
        })
    }
}

/// The offer on the home screen, to whoever has learned nothing yet: the shortest
/// lesson.
#[component]
pub(crate) fn FirstOffer(room: Room) -> impl IntoView {
    let has_learned = LESSONS.iter().any(|lesson| !is_new(lesson.game()));
    let is_open = RwSignal::new(!has_learned && is_new(HOME));
    let shortest = LESSONS
        .into_iter()
        .min_by_key(|lesson| lesson.steps().len());
    let game = shortest.map_or("", |lesson| lesson.game());
    let name = move || name_of(room, game);
    let answer = move |()| {
        note_offered(HOME);
        is_open.set(false);
    };
    view! {
        <Show when=move || is_open.get()>
            <Offer
                title=Signal::derive(room.text("offer.home.title"))
                line=Signal::derive(move || room.say_with("offer.home.line", &[("game", &name())]))
                no=Signal::derive(room.text("offer.home.no"))
                yes=Signal::derive(move || room.say_with("learn.of", &[("game", &name())]))
                game=game
                on_answer=Callback::new(answer)
            />
        </Show>
    }
}

#[component]
fn Offer(
    title: Signal<String>,
    line: Signal<String>,
    no: Signal<String>,
    yes: Signal<String>,
    #[prop(optional)] note: Option<Signal<String>>,
    game: &'static str,
    /// It was answered, one way or the other.
    on_answer: Callback<()>,
) -> impl IntoView {
    view! {
        <section class="offer" aria-labelledby="offer-title">
            <h2 id="offer-title">{title}</h2>
            <p>{line}</p>
            <div class="two">
                <button class="btn" id="offer-no" on:click=move |_| on_answer.run(())>{no}</button>
                <a
                    class="btn pri"
                    id="offer-yes"
                    href=LearnRoute::of(game)
                    on:click=move |_| on_answer.run(())
                >
                    {yes}
                </a>
            </div>
            {note.map(|note| view! { <p class="note">{note}</p> })}
        </section>
    }
}
