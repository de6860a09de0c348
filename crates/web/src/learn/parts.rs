//! The parts of a lesson around its board, as HTML.

use leptos::prelude::*;
use lessons::{LESSONS, Lesson, LessonFeedback};
use view::{Look, Point, Rect};

use super::{GENTLE, Taking, about, dots, mark_of, phrase};
use crate::{
    html::escaped,
    icons::{Icon, icon_html},
    learn_route::LearnRoute,
};

/// The kind of an answer, for style sheets and tests.
pub(super) fn answer_name(answer: Option<&LessonFeedback>) -> &'static str {
    match answer {
        None => "none",
        Some(LessonFeedback::Right(_)) => "right",
        Some(LessonFeedback::Shown(_)) => "shown",
        Some(LessonFeedback::Wrong { .. }) => "wrong",
        Some(LessonFeedback::Refused { .. }) => "refused",
    }
}

/// The list of steps.
pub(super) fn steps(taking: Taking) -> String {
    let room = taking.room;
    taking.with(|lesson| {
        let steps = lesson.steps().enumerate().map(|(step, (key, is_done))| {
            let number = step + 1;
            let (class, mark, state) = if is_done {
                let done = phrase(room, "learn.step.done");
                ("dn", icon_html(Icon::Check), done)
            } else {
                ("", number.to_string(), String::new())
            };
            let current = if lesson.at() == step {
                " aria-current='step'"
            } else {
                ""
            };
            let name = phrase(room, &key);
            format!(
                "<li><button id='step-{number}' data-do='go {step}'{current}><i class='{class}'>{mark}</i>\
                 <span>{name}<span class='sr'>{state}</span></span></button></li>"
            )
        });
        let game = lesson.game();
        let title = escaped(&about(room, "learn.of", game));
        format!(
            "<p class='of' aria-hidden='true'>{}<span>{title}</span></p><ol>{}</ol>",
            mark_of(game),
            steps.collect::<String>()
        )
    })
}

/// The foot of the left column: rules, and other lessons.
pub(super) fn foot(taking: Taking) -> String {
    let (help, learn) = (
        phrase(taking.room, "do.help"),
        phrase(taking.room, "learn.title"),
    );
    format!(
        "<button class='ib' id='help' data-do='help' title='{help}' aria-label='{help}'>{}</button>\
         <a class='ib' href='#/learn' title='{learn}' aria-label='{learn}'>{}</a>",
        icon_html(Icon::Help),
        icon_html(Icon::Learn)
    )
}

fn progress(lesson: &Lesson) -> String {
    dots(lesson, Some(lesson.at()))
}

/// Which step of how many is taken, in words.
fn number(taking: Taking) -> String {
    let (at, of) = taking.with(|lesson| (lesson.at() + 1, lesson.n_steps()));
    if at > of {
        return String::new();
    }
    escaped(&taking.room.say_with("learn.at", &[("n", &at), ("of", &of)]))
}

/// The bar at the top of small screens.
pub(super) fn bar(taking: Taking) -> String {
    format!(
        "<a class='ib' href='#/learn' aria-label='{}'>{}</a><div class='title'>{}</div>\
         <button class='ib' id='rules' data-do='help' aria-label='{}'>{}</button>",
        phrase(taking.room, "learn.close"),
        icon_html(Icon::Close),
        taking.with(progress),
        phrase(taking.room, "do.help"),
        icon_html(Icon::Help),
    )
}

/// The head of the right column.
pub(super) fn head(taking: Taking) -> String {
    let number = number(taking);
    format!("{}<span class='n'>{number}</span>", taking.with(progress))
}

/// The task.
pub(super) fn task(taking: Taking) -> String {
    let room = taking.room;
    let (task, game) = taking.with(|lesson| (lesson.task(), lesson.game()));
    let task = match task {
        Some(task) => room.say(&task),
        None => about(room, "learn.done", game),
    };
    format!("<h2 id='task' tabindex='-1'>{}</h2>", escaped(&task))
}

/// How the board answered the last try; after the last step, what can be done next.
pub(super) fn answer(taking: Taking) -> String {
    if taking.is_over() {
        return end(taking);
    }
    let room = taking.room;
    let words = room.settings.words.get();
    let text = taking.with(|lesson| lesson.answer_text(&words));
    let (Some(answer), Some(text)) = (taking.answer(), text) else {
        return String::new();
    };
    let (icon, title) = match answer {
        LessonFeedback::Right(_) => (Icon::Check, "learn.right"),
        LessonFeedback::Shown(_) => (Icon::Play, "learn.shown"),
        LessonFeedback::Wrong { .. } => (Icon::Undo, "learn.wrong"),
        LessonFeedback::Refused { .. } => (Icon::Undo, "learn.refused"),
    };
    // What was done, for those who do not see it.
    let tale = taking.with(|lesson| {
        let sitting = lesson.sitting().filter(|_| answer.is_done())?;
        sitting.table().tale(&words)
    });
    let good = if answer.is_done() { " good" } else { "" };
    format!(
        "<div class='ans{good}'><span class='em'>{}</span><div><b>{}</b><span class='sr'>. {}. </span><p>{}</p></div></div>",
        icon_html(icon),
        phrase(room, title),
        escaped(&tale.unwrap_or_default()),
        escaped(&text)
    )
}

/// The end of a lesson: offers a match and the other lessons.
fn end(taking: Taking) -> String {
    let room = taking.room;
    let game = taking.with(Lesson::game);
    let others = LESSONS.iter().filter(|lesson| lesson.game() != game);
    let others = others.map(|lesson| {
        let game = lesson.game();
        let name = phrase(room, &format!("{game}.name"));
        let address = LearnRoute::of(game);
        format!("<li><a href='{address}'>{}{name}</a></li>", mark_of(game))
    });
    format!(
        "<div class='end'><p>{}</p><h3>{}</h3><ul>{}</ul></div>",
        phrase(room, "learn.done.line"),
        phrase(room, "learn.more"),
        others.collect::<String>()
    )
}

/// The meaning of the marks on the board.
pub(super) fn legend(taking: Taking) -> String {
    let words = taking.room.settings.words.get();
    let palette = taking.room.settings.palette();
    let look = Look {
        is_locked: !taking.may_act(),
        ..Look::new(&words)
    };
    taking.with(|lesson| {
        let table = lesson.sitting().map(play::Sitting::table);
        let legend = table.map(|table| table.legend(&look)).unwrap_or_default();
        let marks = legend.into_iter().map(|(shapes, name)| {
            let view = Rect::around(Point::new(10.0, 10.0), 10.0);
            let svg = view::svg_of(&shapes, view, palette);
            let name = escaped(&words.say(name, &[]));
            format!("<span><i class='kg'>{svg}</i>{name}</span>")
        });
        marks.collect()
    })
}

/// The buttons. `play` is the address of a match.
pub(super) fn controls(taking: Taking, play: &str) -> String {
    let room = taking.room;
    if taking.is_over() {
        let level = room.say_with("seat.level", &[("n", &GENTLE)]);
        return format!(
            "<button class='btn show' id='repeat' data-do='go 0'>{}</button>\
             <a class='btn pri next' id='play' href='{play}'>{}</a>",
            phrase(room, "learn.repeat"),
            escaped(&room.say_with("learn.play", &[("who", &level)]))
        );
    }
    let is_done = taking.is_done();
    let (show, text) = if is_done {
        ("again", "learn.again")
    } else {
        ("show", "learn.show")
    };
    let is_first = if taking.with(|lesson| lesson.at() == 0) {
        " disabled"
    } else {
        ""
    };
    let pass = if taking.can_pass() {
        format!(
            "<button class='btn pass' id='pass' data-target='pass' data-do='pass'>{}{}</button>",
            icon_html(Icon::Pass),
            phrase(room, "do.pass")
        )
    } else {
        String::new()
    };
    format!(
        "{pass}<button class='btn show' id='show' data-do='{show}'>{}</button>\
         <button class='btn back' id='back' data-do='back'{is_first}>{}</button>\
         <button class='btn pri next' id='next' data-do='next' aria-disabled='{}'>{}</button>\
         <a class='btn skip-lesson' href='{play}'>{}</a>",
        phrase(room, text),
        phrase(room, "learn.back"),
        !is_done,
        phrase(room, "learn.next"),
        phrase(room, "learn.skip"),
    )
}
