//! The parts of the analysis board.

use leptos::prelude::*;
use rules::Player;
use study::{Evaluation, is_exact, short_text};

use super::{LONGEST_LINE, move_text, percent, phrase, review::exact_value};
use crate::{
    html::escaped,
    room::{Room, token_svg},
    study::Studying,
};

/// The lines of the engine.
pub(in crate::study) fn lines(studying: Studying) -> String {
    let room = studying.room;
    let n_shown = studying.n_shown_lines().get();
    studying.with(|study| {
        let record = study.record();
        let lines = study.lines();
        let n_moves = record.legal_moves_at(record.cursor()).len();
        let is_exact = is_exact(record.game());
        let status = if n_moves == 0 {
            room.say("study.engine.over")
        } else if study.has_failed() {
            room.say("bad.worker")
        } else if !study.is_engine_on() {
            room.say("study.engine.off")
        } else if lines.is_empty() {
            room.say("study.engine.wait")
        } else if is_exact {
            room.say_with("study.engine.exact", &[("n", &n_moves)])
        } else {
            let depth = lines.first().map_or(0, |line| line.depth);
            let key = if lines.len() >= n_moves { "study.engine.all" } else { "study.engine.depth" };
            room.say_with(key, &[("depth", &depth), ("n", &n_moves)])
        };
        let rows = lines.iter().take(n_shown).enumerate().map(|(index, line)| {
            let best = if index == 0 { " best" } else { "" };
            let (first, rest) = line.moves.split_first().map_or(("", &[][..]), |(first, rest)| {
                (first.as_str(), rest)
            });
            let rest: Vec<_> = rest.iter().take(LONGEST_LINE).map(|m| move_text(m)).collect();
            format!(
                "<li><button id='line-{index}' data-do='line {index}'><span class='val{best}'>{}</span>\
                 <span class='pv'><b>{}</b> {}</span></button></li>",
                value_text(room, line.evaluation),
                move_text(first),
                rest.join(" "),
            )
        });
        let rows: String = if study.is_engine_on() || is_exact { rows.collect() } else { String::new() };
        format!("<p class='st' role='status'>{}</p><ol>{rows}</ol>", escaped(&status))
    })
}

/// An evaluation as the list of lines shows it.
fn value_text(room: Room, value: Evaluation) -> String {
    let text = match value {
        Evaluation::Win(n) => room.say_with("study.value.win", &[("n", &n)]),
        Evaluation::Draw => room.say("study.value.draw"),
        Evaluation::Loss(n) => room.say_with("study.value.loss", &[("n", &n)]),
        Evaluation::Score { score, .. } => {
            let sign = if score < 0 { "−" } else { "+" };
            format!("{sign}{:.2}", f64::from(score.abs()) / 100.0)
        }
    };
    escaped(&text)
}

/// What the position is worth, as a bar; in a solved game in words.
pub(in crate::study) fn verdict(studying: Studying) -> String {
    let room = studying.room;
    studying.with(|study| {
        let record = study.record();
        let game = record.game();
        let Some(value) = study.evaluation() else {
            return "<div class='evb none'></div>".to_owned();
        };
        let turn = record.turn();
        let color = |player: Player| room.say(&format!("{game}.{player}"));
        let who = color(turn);
        if value.is_proven() {
            let text = exact_value(room, value, &who);
            let palette = room.settings.palette();
            return format!(
                "<div class='evx'><span class='pi'>{}</span><b>{}</b><span class='sp'></span><span>{}</span></div>",
                token_svg(&study.table().token(turn), palette),
                escaped(&text),
                phrase(room, "study.proven")
            );
        }
        let first = if turn == Player::First { value } else { -value };
        let share = percent(first.chance()).clamp(3, 97);
        format!(
            "<div class='evb' role='img' aria-label='{0} {1}'><svg aria-hidden='true'><rect width='{share}%' height='100%'/></svg><span>{0} {1}</span><span>{2}</span></div>",
            escaped(&color(Player::First)),
            short_text(first),
            escaped(&color(Player::Second)),
        )
    })
}

/// Why the last click was refused, or what the values on the board mean.
pub(in crate::study) fn caption(studying: Studying) -> String {
    let room = studying.room;
    if let Some(what) = studying.refusal.get() {
        let words = room.settings.words.get();
        let why = studying.with(|study| study.table().refusal(&what, &words));
        let typed = || room.say_with("moves.type.bad", &[("text", &what)]);
        let why = why.unwrap_or_else(typed);
        return format!("<span class='bad'>{}</span>", escaped(&why));
    }
    studying.with(|study| {
        let key = if study.is_drawing() {
            "study.drawing"
        } else if study.shows_threat() {
            let other = format!("{}.{}", study.record().game(), !study.record().turn());
            let who = room.say(&other);
            let key = match study.threat() {
                Some([]) => "study.threat.none",
                _ => "study.threat.caption",
            };
            return escaped(&room.say_with(key, &[("who", &who)]));
        } else if is_exact(study.record().game()) {
            "study.caption.exact"
        } else {
            "study.caption"
        };
        phrase(room, key)
    })
}
