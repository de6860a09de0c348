//! The parts of the analysis board.

use catalog::{AnyMatch, notations_in};
use leptos::prelude::*;
use rules::Player;
use study::{EngineLine, Evaluation, is_exact, short_text};

use super::{
    LONGEST_LINE, percent, phrase,
    review::{Who, exact_value},
};
use crate::{
    html::escaped,
    room::{Room, token_svg},
    study::Studying,
};

/// The lines of the engine.
pub(in crate::study) fn lines(studying: Studying) -> String {
    let room = studying.room;
    let n_shown = studying.n_shown_lines().get();
    studying.with_lines(|study| {
        let record = study.record();
        let lines = study.lines();
        let n_moves = record.n_legal_moves_at(record.cursor());
        let is_exact = is_exact(record.game());
        let status = if studying.is_off_limits.get() {
            room.say("study.off-limits")
        } else if n_moves == 0 {
            room.say("study.engine.over")
        } else if study.has_failed() {
            room.say("bad.worker")
        } else if !study.is_engine_on() && (is_exact || lines.is_empty()) {
            room.say("study.engine.off")
        } else if lines.is_empty() {
            room.say("study.engine.wait")
        } else if is_exact {
            room.say_with("study.engine.exact", &[("n", &n_moves)])
        } else {
            let depth = lines.first().map_or(0, |line| line.depth);
            let key = if !study.is_engine_on() {
                "study.engine.stopped"
            } else if lines.len() >= n_moves {
                "study.engine.all"
            } else {
                "study.engine.depth"
            };
            room.say_with(key, &[("depth", &depth), ("n", &n_moves)])
        };
        // Where all moves are solved, those that are worth the same are one row.
        let is_same = |a: &EngineLine, b: &EngineLine| is_exact && a.evaluation == b.evaluation;
        let groups = lines.chunk_by(is_same).take(n_shown);
        let mut n_before = 0;
        // One copy of the tree for all rows.
        let mut playing = None::<Box<dyn AnyMatch>>;
        let rows = groups.enumerate().map(|(row, group)| {
            let start = n_before;
            n_before += group.len();
            let best = if row == 0 { " best" } else { "" };
            let line = &group[0];
            let n_moves = line.moves.len().min(1 + LONGEST_LINE);
            let playing = playing.get_or_insert_with(|| record.boxed_clone());
            let moves = notations_in(&mut **playing, record.cursor(), &line.moves[..n_moves]);
            let (first, rest) = moves.split_first().map_or(("", &[][..]), |(first, rest)| {
                (first.as_str(), rest)
            });
            let rest = match group.len() {
                1 => escaped(&rest.join(" ")),
                n => escaped(&room.say_with("study.line.more", &[("n", &(n - 1))])),
            };
            let depth = if is_exact {
                String::new()
            } else {
                let title = escaped(&room.say_with("study.engine.depth", &[("depth", &line.depth)]));
                format!("<small title='{title}'>d{}</small>", line.depth)
            };
            format!(
                "<li><button id='line-{row}' data-do='line {start}'><span class='val{best}'>{}</span>\
                 <span class='pv'><b>{}</b> {rest}</span>{depth}</button></li>",
                value_text(room, line.evaluation),
                escaped(first),
            )
        });
        // What was found stays when the engine is stopped.
        let is_hidden = studying.is_off_limits.get();
        let mut rows: Vec<String> = if is_hidden { Vec::new() } else { rows.collect() };
        // Lines have their place before they are there: nothing moves under a finger.
        if study.is_engine_on() && !is_hidden && !study.has_failed() {
            let n_reserved = n_shown.min(n_moves).max(rows.len());
            rows.resize(n_reserved, "<li></li>".to_owned());
        }
        let rows = rows.concat();
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

/// The value of the position, as a bar; in a solved game in words.
pub(in crate::study) fn verdict(studying: Studying) -> String {
    let room = studying.room;
    studying.with_lines(|study| {
        let record = study.record();
        let game = record.game();
        let value = study.evaluation();
        let Some(value) = value.filter(|_| !studying.is_off_limits.get()) else {
            return "<div class='evb none'></div>".to_owned();
        };
        let turn = record.turn();
        let color = |player: Player| room.say(&format!("{game}.{player}"));
        if value.is_proven() {
            let text = exact_value(room, value, &Who::Named(color(turn)));
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
    let refused = studying.refusal.get().and_then(|target| {
        let words = room.settings.words.get();
        studying.with(|study| study.table().refusal(&target, &words))
    });
    if let Some(why) = refused {
        return format!("<span class='bad'>{}</span>", escaped(&why));
    }
    // What small screens show as well.
    let told = |text: &str| format!("<span class='told'>{}</span>", escaped(text));
    studying.with(|study| {
        let key = if study.is_drawing() {
            return told(&room.say("study.drawing"));
        } else if study.shows_threat() {
            let other = format!("{}.{}", study.record().game(), !study.record().turn());
            let who = room.say(&other);
            return match study.threat() {
                Some([]) => told(&room.say_with("study.threat.none", &[("who", &who)])),
                _ => escaped(&room.say_with("study.threat.caption", &[("who", &who)])),
            };
        } else if is_exact(study.record().game()) {
            "study.caption.exact"
        } else {
            "study.caption"
        };
        phrase(room, key)
    })
}
