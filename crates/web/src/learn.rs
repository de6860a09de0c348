//! Lessons: the choice of one, and one in progress.

mod board;
mod offer;
mod parts;
mod taking;

use leptos::prelude::*;
use lessons::{AnyLesson, LESSONS, Lesson};
use play::{Bot, PlayerKind};
use view::Look;

use self::taking::Taking;
use crate::{
    app::SkipLink,
    device::{store, stored},
    hosted_board::HostedBoard,
    html::{Html, escaped},
    icons::{Icon, Wordmark, icon_html, mark_html},
    learn_route::LearnRoute,
    miniature::DemoBoard,
    nav::{QuickSettings, play_address},
    room::Room,
    rooms::{Header, Tabs},
};

pub(crate) use self::offer::{FirstOffer, LessonOffer};

/// The level that is offered after a lesson.
const GENTLE: u8 = 1;

/// The stored progress in the lesson of `game`.
fn stored_progress(game: &str) -> String {
    stored(&format!("lesson.{game}")).unwrap_or_default()
}

fn store_progress(game: &str, progress: &str) {
    store(&format!("lesson.{game}"), progress);
}

/// The address of a match of `game` against a gentle opponent.
fn match_address(game: &str) -> String {
    let game = catalog::find(game);
    let opponent = PlayerKind::Bot(Bot::Level(GENTLE));
    game.map_or_else(|_| "#/".to_owned(), |game| play_address(game, opponent))
}

/// The mark of `game` as HTML.
fn mark_of(game: &str) -> String {
    let game = catalog::find(game);
    game.map_or_else(
        |_| String::new(),
        |game| mark_html(game.presentation().mark),
    )
}

/// A phrase as HTML.
fn phrase(room: Room, name: &str) -> String {
    escaped(&room.say(name))
}

/// A phrase about `game`.
fn about(room: Room, name: &str, game: &str) -> String {
    let game = room.say(&format!("{game}.name"));
    room.say_with(name, &[("game", &game)])
}

/// The title of the screen.
pub(crate) fn title(room: Room) -> String {
    match room.learn.get().game {
        Some(game) => about(room, "learn.of", &game),
        None => room.say("learn.title"),
    }
}

/// Progress as dots. It is said in words elsewhere.
fn dots(lesson: &Lesson, at: Option<usize>) -> String {
    let dots = lesson.steps().enumerate().map(|(step, (_, is_done))| {
        let class = match (at == Some(step), is_done) {
            (true, _) => "at",
            (false, true) => "dn",
            (false, false) => "",
        };
        format!("<i class='{class}'></i>")
    });
    format!(
        "<span class='prog' aria-hidden='true'>{}</span>",
        dots.collect::<String>()
    )
}

/// Opens the rules of `game`.
fn open_rules(room: Room, game: &'static str) {
    room.help_game.set(Some(game));
    room.is_help_open.set(true);
}

/// The screen for lessons.
#[component]
pub(crate) fn Learn(room: Room) -> impl IntoView {
    move || {
        let route = room.learn.get();
        let lesson = route.game.as_deref().and_then(lessons::find);
        match lesson {
            Some(lesson) => {
                let taking = Taking::new(room, lesson, &route);
                view! { <LessonView taking=taking /> }.into_any()
            }
            None => view! { <Choice room=room /> }.into_any(),
        }
    }
}

/// The choice of a lesson.
#[component]
fn Choice(room: Room) -> impl IntoView {
    let cards = Signal::derive(move || LESSONS.map(|lesson| card(room, lesson)).concat());
    let rules = Callback::new(move |game: String| {
        if let Some(lesson) = lessons::find(&game) {
            open_rules(room, lesson.game());
        }
    });
    view! {
        <div class="home learn">
            <Header room=room />
            <main>
                <h1>{room.text("learn.title")}</h1>
                <p class="lead">{room.text("learn.line")}</p>
                <Html class="lessons" html=cards on_do=rules />
            </main>
            <Tabs room=room />
        </div>
    }
}

/// The card of a lesson.
fn card(room: Room, lesson: &'static dyn AnyLesson) -> String {
    let game = lesson.game();
    let taken = Lesson::new(lesson, &stored_progress(game), None);
    let (n_done, n_steps) = (
        taken.steps().filter(|(_, is_done)| *is_done).count(),
        taken.n_steps(),
    );
    let words = room.settings.words.get();
    let look = Look {
        is_bare: true,
        is_locked: true,
        ..Look::new(&words)
    };
    let picture = lesson.start(taken.at()).map(|record| {
        let scene = record.table().scene(&look);
        view::svg(&scene, room.settings.palette())
    });
    let action = match n_done {
        0 => "learn.start",
        n if n < n_steps => "learn.continue",
        _ => "learn.repeat",
    };
    format!(
        "<section class='lc' data-game='{game}'><div class='art' aria-hidden='true'>{}</div><div class='tx'>\
         <h2>{}{}</h2><p>{}</p>{}<div class='row'><a class='btn pri' href='{}'>{}</a>\
         <button class='btn' data-do='{game}'>{}{}</button></div></div></section>",
        picture.unwrap_or_default(),
        mark_of(game),
        phrase(room, &format!("{game}.name")),
        escaped(&room.say_with("learn.steps", &[("n", &n_steps)])),
        dots(&taken, None),
        LearnRoute::of(game),
        phrase(room, action),
        icon_html(Icon::Help),
        phrase(room, "learn.rules"),
    )
}

/// A lesson in progress.
#[component]
fn LessonView(taking: Taking) -> impl IntoView {
    let room = taking.room;
    let game = taking.with_untracked(Lesson::game);
    taking.listen_to_enter();
    // Its board is drawn anew for every visit.
    let play = StoredValue::new(match_address(game));
    let on_do = Callback::new(move |command: String| taking.command(&command));
    let part = move |f: fn(Taking) -> String| Signal::derive(move || f(taking));
    let controls = Signal::derive(move || play.with_value(|play| parts::controls(taking, play)));
    let is_over = Memo::new(move |_| taking.is_over());
    view! {
        <SkipLink room=room text="site.skip" to=taking::BOARD part="#lesson-place" />
        <div
            class="app lesson"
            data-game=game
            data-step=move || taking.with(|lesson| (lesson.at() + 1).to_string())
            data-answer=move || parts::answer_name(taking.answer().as_ref())
        >
            <nav class="nav" aria-label=room.text("learn.title")>
                <a class="brand" href="#/" aria-label=room.text("site.home")>
                    <Wordmark />
                </a>
                <Html class="slot" html=part(parts::steps) on_do=on_do />
                <div class="ft">
                    <QuickSettings room=room />
                    <Html class="slot" html=part(parts::foot) on_do=on_do />
                </div>
            </nav>
            <header class="top">
                <Html class="slot" html=part(parts::bar) on_do=on_do />
            </header>
            <main class="middle" id="lesson-place">
                <h1 class="sr">{move || title(room)}</h1>
                {move || {
                    if is_over.get() {
                        let game = catalog::find(game).ok();
                        let board = game.map(|game| view! { <DemoBoard room=room game=game /> });
                        view! { <div class="board rest" aria-hidden="true">{board}</div> }.into_any()
                    } else {
                        view! { <HostedBoard hosted=taking /> }.into_any()
                    }
                }}
            </main>
            <aside class="side">
                <Html class="head" html=part(parts::head) />
                <Html class="ask" role="status" html=part(parts::task) />
                <Html class="answer" role="status" html=part(parts::answer) />
                <Html class="key" html=part(parts::legend) />
                <span class="sp"></span>
                <Html class="go" html=controls on_do=on_do />
            </aside>
        </div>
    }
}
