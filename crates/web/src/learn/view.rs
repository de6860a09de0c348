//! A lesson that is taken: the steps, the board, what is asked for, the answer.

use std::rc::Rc;

use ::view::{Look, Plan, Point, Rect};
use leptos::{ev, prelude::*};
use lessons::{Answer, AnyLesson, Event, LESSONS, Lesson};
use play::Sitting;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::{Dots, mark_of, match_address, name_of, taking::Taking};
use crate::{
    app::{SkipLink, find, focus_board},
    board::{Act, BoardView, Input},
    icons::{Icon, IconButton, Wordmark, icon},
    miniature::DemoBoard,
    mirror::Status,
    nav::Settings,
    room::Room,
    route::LearnRoute,
};

/// A lesson.
#[component]
pub(super) fn LessonView(
    room: Room,
    lesson: &'static dyn AnyLesson,
    route: LearnRoute,
) -> impl IntoView {
    let taking = Taking::new(room, lesson, &route);
    let game = lesson.game();
    let keys = window_event_listener(ev::keydown, move |event| on_key(taking, &event));
    on_cleanup(move || keys.remove());
    let is_over = Memo::new(move |_| taking.is_over());
    view! {
        <SkipLink room=room />
        <div
            class="app lesson"
            data-game=game
            data-step=move || taking.with(|lesson| (lesson.at() + 1).to_string())
            data-answer=move || answer_name(taking.answer().as_ref())
        >
            <StepList taking=taking />
            <header class="top">
                <a class="ib" href="#/learn" aria-label=room.text("learn.close")>
                    {icon(Icon::Close)}
                </a>
                <div class="title"><Progress taking=taking /></div>
                <span class="n">{move || position(taking, "learn.at.short")}</span>
            </header>
            <main class="middle">
                <h1 class="sr">{move || super::title(room)}</h1>
                <Show
                    when=move || !is_over.get()
                    fallback=move || {
                        let game = catalog::find(game).ok();
                        let board = game.map(|game| view! { <DemoBoard room=room game=game /> });
                        view! { <div class="board rest" aria-hidden="true">{board}</div> }
                    }
                >
                    <LessonBoard taking=taking />
                </Show>
            </main>
            <aside class="side">
                <div class="head">
                    <Progress taking=taking />
                    <span class="n">{move || position(taking, "learn.at")}</span>
                </div>
                <Show
                    when=move || !is_over.get()
                    fallback=move || view! { <End taking=taking /> }
                >
                    <Panel taking=taking />
                </Show>
            </aside>
        </div>
    }
}

/// Which step of how many is taken, in words.
fn position(taking: Taking, phrase: &str) -> String {
    let (at, of) = taking.with(|lesson| (lesson.at() + 1, lesson.n_steps()));
    if at > of {
        return String::new();
    }
    taking.room.say_with(phrase, &[("n", &at), ("of", &of)])
}

fn answer_name(answer: Option<&Answer>) -> &'static str {
    match answer {
        None => "none",
        Some(Answer::Right(_)) => "right",
        Some(Answer::Shown(_)) => "shown",
        Some(Answer::Wrong { .. }) => "wrong",
        Some(Answer::Refused { .. }) => "refused",
    }
}

/// Enter goes on, wherever the focus is, unless it is on something else to press.
fn on_key(taking: Taking, event: &ev::KeyboardEvent) {
    let is_covered = taking.room.is_help_open.get_untracked();
    if event.key() != "Enter" || event.repeat() || is_covered {
        return;
    }
    let target = event.target();
    let target = target.and_then(|target| target.dyn_into::<Element>().ok());
    let other = target.and_then(|target| target.closest("button, a").ok().flatten());
    let is_other = other.is_some_and(|other| !matches!(other.closest(".mirror"), Ok(Some(_))));
    if !is_other && untrack(|| taking.is_done()) {
        event.prevent_default();
        next(taking);
    }
}

fn next(taking: Taking) {
    if untrack(|| taking.is_done()) {
        taking.dispatch(Event::Next);
        look_at_step(taking);
    }
}

/// Gives the focus to the board of the step, or to what comes after the last one.
fn look_at_step(taking: Taking) {
    // The board has to be there first.
    request_animation_frame(move || {
        if untrack(|| taking.is_over()) {
            if let Some(end) = find(".lesson .end") {
                end.focus().ok();
            }
        } else {
            focus_board();
        }
    });
}

/// The dots.
#[component]
fn Progress(taking: Taking) -> impl IntoView {
    let n_steps = taking.with_untracked(Lesson::n_steps);
    let is_done = Signal::derive(move || {
        taking.with(|lesson| {
            let steps = lesson.steps().enumerate();
            let done = steps.filter(|(_, (_, is_done))| *is_done);
            done.map(|(step, _)| step).collect()
        })
    });
    let at = Signal::derive(move || Some(taking.with(Lesson::at)));
    view! { <Dots n_steps=n_steps is_done=is_done at=at /> }
}

/// The left column: the steps.
#[component]
fn StepList(taking: Taking) -> impl IntoView {
    let room = taking.room;
    let game = taking.with_untracked(Lesson::game);
    let keys: Vec<String> =
        taking.with_untracked(|lesson| lesson.steps().map(|(key, _)| key).collect());
    let steps = keys.into_iter().enumerate().map(|(step, key)| {
        let is_done = Memo::new(move |_| {
            taking.with(|lesson| lesson.steps().nth(step).is_some_and(|(_, done)| done))
        });
        let is_at = move || taking.with(|lesson| lesson.at() == step);
        view! {
            <li>
                <button
                    aria-current=move || is_at().then_some("step")
                    on:click=move |_| {
                        taking.dispatch(Event::GoTo(step));
                        look_at_step(taking);
                    }
                >
                    <i class:dn=is_done>
                        {move || {
                            if is_done.get() {
                                icon(Icon::Check).into_any()
                            } else {
                                (step + 1).into_any()
                            }
                        }}
                    </i>
                    <span>
                        {move || room.say(&key)}
                        <span class="sr">
                            {move || is_done.get().then(|| room.say("learn.step.done"))}
                        </span>
                    </span>
                </button>
            </li>
        }
    });
    view! {
        <nav class="nav" aria-label=room.text("learn.title")>
            <a class="brand" href="#/" aria-label=room.text("site.home")>
                <Wordmark />
            </a>
            <p class="of" aria-hidden="true">
                {mark_of(game)}
                <span>{move || super::title(room)}</span>
            </p>
            <ol>{steps.collect_view()}</ol>
            <div class="ft">
                <Settings room=room />
                <IconButton
                    id="help"
                    name=Signal::derive(room.text("do.help"))
                    kind=Icon::Help
                    on_press=move || {
                        room.help_game.set(Some(game));
                        room.is_help_open.set(true);
                    }
                />
                <a
                    class="ib"
                    href="#/learn"
                    title=room.text("learn.title")
                    aria-label=room.text("learn.title")
                >
                    {icon(Icon::Learn)}
                </a>
            </div>
        </nav>
    }
}

/// The board of the step.
#[component]
fn LessonBoard(taking: Taking) -> impl IntoView {
    let room = taking.room;
    let settings = room.settings;
    let step = Memo::new(move |_| taking.with(Taking::step));
    let is_locked = Memo::new(move |_| !taking.may_act());
    let scene = Signal::derive_local(move || {
        let words = settings.words.get();
        let hover = taking.hover.get();
        let look = Look {
            is_large: settings.is_small.get(),
            is_tiny: settings.is_tiny.get(),
            has_coordinates: room.has_coordinates.get(),
            hover: hover.as_deref(),
            is_locked: is_locked.get(),
            is_moving: taking.is_moving.get(),
            ..Look::new(&words)
        };
        taking.with(|lesson| {
            let sitting = lesson.sitting()?;
            let origin = sitting.origin();
            Some(Rc::new(sitting.table().scene(&Look { origin, ..look })))
        })
    });
    let plan = Callback::new(move |()| {
        let words = settings.words.get_untracked();
        let look = Look {
            is_large: settings.is_small.get_untracked(),
            is_tiny: settings.is_tiny.get_untracked(),
            is_locked: true,
            is_moving: true,
            ..Look::new(&words)
        };
        let plan = taking.with_untracked(|lesson| {
            let sitting = lesson.sitting()?;
            let origin = sitting.origin();
            Some(sitting.table().plan(&Look { origin, ..look }))
        });
        plan.unwrap_or_else(Plan::default)
    });
    let ask = |f: fn(&Sitting, &str) -> bool| {
        Callback::new(move |id: String| {
            taking.with_untracked(|lesson| lesson.sitting().is_some_and(|sitting| f(sitting, &id)))
        })
    };
    let input = Input {
        is_open: Signal::derive(move || taking.may_act()),
        takes_up: ask(|sitting, id| sitting.table().takes_up(id)),
        is_taken_up: ask(|sitting, id| {
            sitting
                .table()
                .picked()
                .last()
                .is_some_and(|last| last == id)
        }),
        leads_on: ask(|sitting, id| sitting.table().leads_on(id)),
        on_act: Callback::new(move |act| match act {
            Act::Activate(id) => taking.dispatch(Event::Activate(id)),
            Act::Clear => taking.dispatch(Event::Clear),
            Act::Hover(hover) => {
                if taking.hover.get_untracked() != hover {
                    taking.hover.set(hover);
                }
            }
        }),
        status: Memo::new(move |_| status(taking)).into(),
    };
    view! {
        <BoardView
            settings=settings
            scene=scene
            step=step
            plan=plan
            is_still=Signal::derive(move || taking.is_fast || settings.is_calm())
            is_moving=taking.is_moving
            input=input
        />
    }
}

fn status(taking: Taking) -> Status {
    let is_busy = taking.is_moving.get() || taking.with(Lesson::is_out);
    taking.with(|lesson| {
        let Some(sitting) = lesson.sitting() else {
            return Status::default();
        };
        let record = sitting.record();
        let name = name_of(taking.room, lesson.game());
        let ending = record.ending().filter(|_| !is_busy);
        Status {
            label: taking.room.say_with("board.label", &[("game", &name)]),
            game: lesson.game().to_owned(),
            turn: record.turn().to_string(),
            result: ending.map_or("none".to_owned(), |ending| ending.outcome.to_string()),
            position: record.position(),
            is_busy,
        }
    })
}

/// The right column: what is asked for, the answer, and the way on.
#[component]
fn Panel(taking: Taking) -> impl IntoView {
    let room = taking.room;
    let game = taking.with_untracked(Lesson::game);
    let task = move || {
        let task = taking.with(Lesson::task);
        task.map(|key| room.say(&key))
    };
    let has_pass = move || {
        let game = catalog::find(game);
        let is_shown = game.is_ok_and(|game| game.presentation().always_shows_pass);
        is_shown && taking.may_act() && taking.with(can_pass)
    };
    let show_or_again = move |_| {
        if untrack(|| taking.is_done()) {
            taking.dispatch(Event::Again);
        } else if !taking.is_moving.get_untracked() {
            taking.dispatch(Event::Show);
        }
    };
    let is_first = move || taking.with(|lesson| lesson.at() == 0);
    let back = move |_| {
        let at = taking.with_untracked(Lesson::at);
        taking.dispatch(Event::GoTo(at.saturating_sub(1)));
        look_at_step(taking);
    };
    view! {
        <h2 class="ask" aria-live="polite">{task}</h2>
        <AnswerCard taking=taking />
        <Legend taking=taking />
        <span class="sp"></span>
        <div class="go">
            <Show when=has_pass>
                <button
                    class="btn pass"
                    data-target="pass"
                    on:click=move |_| taking.dispatch(Event::Activate("pass".to_owned()))
                >
                    {icon(Icon::Pass)}
                    {room.text("do.pass")}
                </button>
            </Show>
            <button class="btn show" id="show" on:click=show_or_again>
                {move || room.say(if taking.is_done() { "learn.again" } else { "learn.show" })}
            </button>
            <button class="btn back" id="back" disabled=is_first on:click=back>
                {room.text("learn.back")}
            </button>
            <button
                class="btn pri next"
                id="next"
                aria-disabled=move || (!taking.is_done()).to_string()
                on:click=move |_| next(taking)
            >
                {room.text("learn.next")}
            </button>
            <a class="btn skip-lesson" href=move || match_address(game)>{room.text("learn.skip")}</a>
        </div>
    }
}

fn can_pass(lesson: &Lesson) -> bool {
    let sitting = lesson.sitting();
    sitting.is_some_and(|sitting| sitting.table().pass().is_some())
}

/// How the board answered the last try.
#[component]
fn AnswerCard(taking: Taking) -> impl IntoView {
    let room = taking.room;
    let content = move || {
        let answer = taking.answer()?;
        let words = room.settings.words.get();
        let text = taking.with(|lesson| lesson.answer_text(&words))?;
        // What was done, for those who do not see it.
        let tale = taking.with(|lesson| {
            let sitting = lesson.sitting().filter(|_| answer.is_done())?;
            Some(sitting.table().tale(&words)? + ". ")
        });
        let (kind, title) = match answer {
            Answer::Right(_) => (Icon::Check, "learn.right"),
            Answer::Shown(_) => (Icon::Show, "learn.shown"),
            Answer::Wrong { .. } => (Icon::Undo, "learn.wrong"),
            Answer::Refused { .. } => (Icon::Undo, "learn.refused"),
        };
        Some(view! {
            <div class="ans" class:good=answer.is_done()>
                <span class="em">{icon(kind)}</span>
                <div>
                    <b>{room.say(title)}</b>
                    <span class="sr">". " {tale}</span>
                    <p>{text}</p>
                </div>
            </div>
        })
    };
    view! { <div class="answer" role="status">{content}</div> }
}

/// What the marks on the board mean that are there now.
#[component]
fn Legend(taking: Taking) -> impl IntoView {
    let marks =
        move || {
            let words = taking.room.settings.words.get();
            let theme = taking.room.settings.theme();
            let look = Look {
                is_locked: !taking.may_act(),
                ..Look::new(&words)
            };
            taking.with(|lesson| {
                let legend = lesson
                    .sitting()
                    .map(|sitting| sitting.table().legend(&look));
                let marks = legend.unwrap_or_default().into_iter().map(|(shapes, name)| {
                let view = Rect::around(Point::new(10.0, 10.0), 10.0);
                let svg = ::view::svg_of(&shapes, view, theme);
                view! { <span><i class="kg" inner_html=svg></i>{words.say(name, &[])}</span> }
            });
                marks.collect_view()
            })
        };
    view! { <div class="key">{marks}</div> }
}

/// What comes after the last step: a match, and the other lessons.
#[component]
fn End(taking: Taking) -> impl IntoView {
    let room = taking.room;
    let game = taking.with_untracked(Lesson::game);
    let others = LESSONS.into_iter().filter(|lesson| lesson.game() != game);
    let others = others.map(|lesson| {
        let game = lesson.game();
        view! {
            <li>
                <a href=LearnRoute::of(game)>{mark_of(game)}<span>{move || name_of(room, game)}</span></a>
            </li>
        }
    });
    view! {
        <div class="end" tabindex="-1" role="group" aria-labelledby="lesson-end">
            <h2 class="ask" id="lesson-end">
                {move || room.say_with("learn.done", &[("game", &name_of(room, game))])}
            </h2>
            <p>{room.text("learn.done.line")}</p>
            <h3>{room.text("learn.more")}</h3>
            <ul>{others.collect_view()}</ul>
        </div>
        <span class="sp"></span>
        <div class="go">
            <button
                class="btn show"
                id="repeat"
                on:click=move |_| {
                    taking.dispatch(Event::GoTo(0));
                    look_at_step(taking);
                }
            >
                {room.text("learn.repeat")}
            </button>
            <a class="btn pri next" id="play" href=move || match_address(game)>
                {move || {
                    let level = room.say_with("seat.level", &[("n", &super::GENTLE)]);
                    room.say_with("learn.play", &[("who", &level)])
                }}
            </a>
        </div>
    }
}
