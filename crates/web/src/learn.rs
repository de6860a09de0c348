//! Lessons: the choice of one, and one that is taken.

mod offer;
mod taking;
mod view;

use leptos::prelude::*;
use lessons::{AnyLesson, LESSONS, Lesson};
use play::{Bot, Seat};

use self::view::LessonView;
use crate::{
    device::{store, stored},
    icons::{Icon, Wordmark, icon, mark},
    miniature::Preview,
    nav::{Settings, play_address},
    room::Room,
    route::LearnRoute,
};

pub(crate) use self::offer::{FirstOffer, LessonOffer};

/// The level to play against after a lesson.
const GENTLE: u8 = 1;

/// What was kept of the lesson of `game`.
fn kept_progress(game: &str) -> String {
    stored(&format!("lesson.{game}")).unwrap_or_default()
}

fn keep_progress(game: &str, progress: &str) {
    store(&format!("lesson.{game}"), progress);
}

/// The address of a match of `game` against a gentle opponent.
fn match_address(game: &str) -> String {
    let game = catalog::find(game);
    let opponent = Seat::Bot(Bot::Level(GENTLE));
    game.map_or_else(|_| "#/".to_owned(), |game| play_address(game, opponent))
}

/// The mark of `game`.
fn mark_of(game: &str) -> Option<impl IntoView + use<>> {
    let game = catalog::find(game).ok()?;
    Some(mark(game.presentation().mark))
}

/// The name of `game`, in words.
fn name_of(room: Room, game: &str) -> String {
    room.say(&format!("{game}.name"))
}

/// What the page is called while somebody learns.
pub(crate) fn title(room: Room) -> Option<String> {
    let learn = room.learn.get()?;
    Some(match learn.game {
        Some(game) => room.say_with("learn.of", &[("game", &name_of(room, &game))]),
        None => room.say("learn.title"),
    })
}

/// The page of lessons.
#[component]
pub(crate) fn Learn(room: Room) -> impl IntoView {
    move || {
        let learn = room.learn.get()?;
        let lesson = learn.game.as_deref().and_then(lessons::find);
        Some(match lesson {
            Some(lesson) => view! { <LessonView room=room lesson=lesson route=learn /> }.into_any(),
            None => view! { <Choice room=room /> }.into_any(),
        })
    }
}

/// The choice of a lesson.
#[component]
fn Choice(room: Room) -> impl IntoView {
    let cards = LESSONS.map(|lesson| view! { <ChoiceCard room=room lesson=lesson /> });
    view! {
        <div class="home learn">
            <header>
                <a href="#/" aria-label=room.text("site.home")>
                    <Wordmark />
                </a>
                <span class="sp"></span>
                <span class="grp"><Settings room=room /></span>
            </header>
            <main>
                <h1>{room.text("learn.title")}</h1>
                <p class="lead">{room.text("learn.line")}</p>
                <div class="lessons">{cards.into_iter().collect_view()}</div>
            </main>
        </div>
    }
}

#[component]
fn ChoiceCard(room: Room, lesson: &'static dyn AnyLesson) -> impl IntoView {
    let game = lesson.game();
    let taken = Lesson::new(lesson, &kept_progress(game), None);
    let n_done = taken.steps().filter(|(_, is_done)| *is_done).count();
    let n_steps = taken.n_steps();
    let picture = StoredValue::new_local(lesson.start(taken.at()));
    let action = match n_done {
        0 => "learn.start",
        n if n < n_steps => "learn.continue",
        _ => "learn.repeat",
    };
    let rules = move |_| {
        room.help_game.set(Some(game));
        room.is_help_open.set(true);
    };
    view! {
        <section class="lc" data-game=game>
            <div class="art" aria-hidden="true">
                <Preview
                    room=room
                    record=Signal::derive_local(move || picture.get_value())
                />
            </div>
            <div class="tx">
                <h2>{mark_of(game)}{move || name_of(room, game)}</h2>
                <p>{move || room.say_with("learn.steps", &[("n", &n_steps)])}</p>
                <Dots n_steps=n_steps is_done=Signal::derive(move || (0..n_done).collect()) />
                <div class="row">
                    <a class="btn pri" href=LearnRoute::of(game)>{room.text(action)}</a>
                    <button class="btn" on:click=rules>
                        {icon(Icon::Help)}
                        {room.text("learn.rules")}
                    </button>
                </div>
            </div>
        </section>
    }
}

/// Progress as dots. What they say is said in words beside them.
#[component]
fn Dots(
    n_steps: usize,
    /// The steps that are done.
    is_done: Signal<Vec<usize>>,
    /// The step that is taken.
    #[prop(optional, into)]
    at: Signal<Option<usize>>,
) -> impl IntoView {
    let dots = (0..n_steps).map(move |step| {
        view! {
            <i
                class:dn=move || is_done.with(|done| done.contains(&step))
                class:at=move || at.get() == Some(step)
            ></i>
        }
    });
    view! { <span class="prog" aria-hidden="true">{dots.collect_view()}</span> }
}
