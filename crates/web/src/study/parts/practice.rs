//! The texts for somebody who looks for better moves.

use catalog::notations;
use study::{PracticeFeedback, Study};

use super::{phrase, review::Who};
use crate::{html::escaped, study::Studying};

/// The texts for somebody who looks for better moves.
pub(super) fn practice(studying: Studying, study: &Study) -> Option<String> {
    let room = studying.room;
    let practice = study.practice()?;
    let record = study.record();
    let task = practice.task();
    let before = record.ancestors(task).first().copied()?;
    let who = Who::of(studying, record.turn_at(before)?);
    let played = record.notation(task).unwrap_or_default();
    let at = room.say_with(
        "study.task.at",
        &[("n", &practice.number()), ("of", &practice.n_tasks())],
    );
    let is_last = practice.number() == practice.n_tasks();
    let next = if is_last {
        "study.task.end"
    } else {
        "study.task.next"
    };
    let button = |class: &str, command: &str, name: &str| {
        format!(
            "<button class='btn {class}' id='task-{command}' data-do='task-{command}'>{}</button>",
            phrase(room, name)
        )
    };
    let (title, text, buttons) = match practice.answer() {
        None => (
            who.say(room, ["study.task", "study.task.you"], &[]),
            room.say_with("study.task.played", &[("m", &played)]),
            button("", "show", "learn.show") + &button("", "end", "study.task.end"),
        ),
        Some(PracticeFeedback::Judging) => (
            room.say("study.task.judging"),
            String::new(),
            button("", "end", "study.task.end"),
        ),
        Some(PracticeFeedback::Right) => (
            room.say("study.task.right"),
            room.say("study.task.right.line"),
            button("pri", "next", next),
        ),
        Some(PracticeFeedback::Wrong(reply)) => {
            let text = match reply {
                Some(reply) => {
                    let replies = notations(record, record.cursor(), std::slice::from_ref(reply));
                    room.say_with("study.task.reply", &[("m", &replies.concat())])
                }
                None => String::new(),
            };
            let buttons = button("pri", "again", "learn.again") + &button("", "show", "learn.show");
            (room.say("study.task.wrong"), text, buttons)
        }
        Some(PracticeFeedback::Shown) => (
            room.say("study.task.shown"),
            String::new(),
            button("pri", "next", next),
        ),
    };
    Some(format!(
        "<div class='note task' role='status'><span class='at'>{}</span><h2>{}</h2><p>{}</p><div class='two'>{buttons}</div></div>",
        escaped(&at),
        escaped(&title),
        escaped(&text),
    ))
}
