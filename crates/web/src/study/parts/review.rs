//! The parts of a review.

use leptos::prelude::*;
use rules::Player;
use study::{Evaluation, JudgedMove, MoveClass, accuracy, is_exact, turning_points};

use super::{
    LONGEST_LINE, N_POINTS, move_text, percent, phrase, practice::practice, quality, quality_html,
};
use crate::{
    html::escaped,
    room::{Room, token_svg},
    study::Studying,
};

/// The mistakes that somebody can learn from: those of the only person, or of both
/// players.
pub(in crate::study) fn mistakes(studying: Studying) -> Vec<JudgedMove> {
    let seats = studying.seats.get_value();
    studying.with(|study| {
        let is_exact = is_exact(study.record().game());
        let least = if is_exact {
            MoveClass::Mistake
        } else {
            MoveClass::Inaccuracy
        };
        let is_own = |player: Player| match seats {
            Some(seats) if seats.first != seats.second => seats[player] == play::Seat::Person,
            _ => true,
        };
        let mut moves = study.moves();
        moves.retain(|m| m.class >= least && is_own(m.player));
        moves
    })
}

/// How well the players played.
pub(in crate::study) fn cards(studying: Studying) -> String {
    let room = studying.room;
    let palette = room.settings.palette();
    let near = studying.near();
    let (moves, is_exact, tokens) = studying.with(|study| {
        let token = |player| token_svg(&study.table().token(player), palette);
        let tokens = [near, !near].map(token);
        (study.moves(), is_exact(study.record().game()), tokens)
    });
    let accuracy = accuracy(&moves, is_exact);
    let card = |(player, token): (Player, String)| {
        let own = moves.iter().filter(|m| m.player == player);
        let count = |class: &str| {
            let has = |m: &&JudgedMove| quality(m).is_some_and(|(_, other, _)| other == class);
            own.clone().filter(has).count()
        };
        let value = match accuracy[player] {
            None => "–".to_owned(),
            Some(accuracy) if is_exact => format!("{}/{}", accuracy.n_kept, accuracy.n_moves),
            Some(accuracy) => format!("{} %", accuracy.percent.round()),
        };
        let detail = if is_exact {
            format!("<span>{}</span>", phrase(room, "study.kept"))
        } else {
            let tally = |(class, mark, name): (&str, &str, &str)| {
                let text = room.say_with(name, &[("n", &count(class))]);
                format!(
                    "<span><em class='{class}'>{mark}</em> {}</span>",
                    escaped(&text)
                )
            };
            [
                ("g", "!", "study.n-strong"),
                ("b", "?", "study.n-slips"),
                ("bb", "??", "study.n-blunders"),
            ]
            .map(tally)
            .concat()
        };
        format!(
            "<section class='acc'><div><span class='pi'>{token}</span><b>{}</b><strong>{value}</strong></div>\
             <p>{detail}</p></section>",
            escaped(&studying.name(player))
        )
    };
    let [a, b] = tokens;
    [(near, a), (!near, b)].map(card).concat()
}

/// Where the match turned.
pub(in crate::study) fn points(studying: Studying) -> String {
    let room = studying.room;
    let points = studying.with(|study| {
        let points = turning_points(&study.moves(), N_POINTS);
        let is_exact = is_exact(study.record().game());
        let cursor = study.record().cursor();
        let point = |m: &JudgedMove| {
            let current = if m.node == cursor { " aria-current='true'" } else { "" };
            format!(
                "<button class='tp' id='tp-{0}' data-do='go {1}'{current}><b>{2}</b><span>{3}</span></button>",
                m.ply,
                m.node.index(),
                numbered(m),
                escaped(&change(room, m, is_exact)),
            )
        };
        points.iter().map(point).collect::<String>()
    });
    if points.is_empty() {
        return String::new();
    }
    format!(
        "<h2 class='lbl'>{}</h2><div class='tps'>{points}</div>",
        phrase(room, "study.points")
    )
}

/// `9. c5b3` or `9 … c5b3`.
fn numbered(m: &JudgedMove) -> String {
    let number = m.ply / 2 + 1;
    let dots = if m.ply.is_multiple_of(2) { "." } else { " …" };
    format!("{number}{dots} {}", move_text(&m.text))
}

/// What a move changed, in a few words.
fn change(room: Room, m: &JudgedMove, is_exact: bool) -> String {
    if is_exact {
        let [from, to] = [m.before, m.after].map(|value| room.say(result_key(value)));
        return room.say_with("study.change", &[("from", &from), ("to", &to)]);
    }
    let (from, to) = (percent(m.before.chance()), percent(m.after.chance()));
    room.say_with("study.change.percent", &[("from", &from), ("to", &to)])
}

fn result_key(value: Evaluation) -> &'static str {
    match value {
        Evaluation::Win(_) => "study.won",
        Evaluation::Loss(_) => "study.lost",
        Evaluation::Draw | Evaluation::Score { .. } => "study.drawn",
    }
}

/// How the review goes on, while it does.
pub(in crate::study) fn progress(studying: Studying) -> String {
    let room = studying.room;
    studying.with(|study| {
        let review = study.review();
        let (n, of) = (review.n_judged(), review.nodes().len());
        if n >= of {
            return String::new();
        }
        let (text, name, command) = if study.has_failed() {
            ("bad.worker", "do.retry", "continue")
        } else if study.is_reviewing() {
            ("study.reviewing", "study.stop", "stop")
        } else {
            ("study.paused", "study.continue", "continue")
        };
        format!(
            "<div class='prg'><span>{}</span><progress value='{n}' max='{of}' aria-label='{}'></progress>\
             <button class='btn' id='review-{command}' data-do='{command}'>{}</button></div>",
            escaped(&room.say_with(text, &[("n", &n), ("of", &of)])),
            phrase(room, "study.review"),
            phrase(room, name)
        )
    })
}

/// What is to be said of the move that is looked at.
pub(in crate::study) fn note(studying: Studying) -> String {
    if let Some(html) = studying.with(|study| practice(studying, study)) {
        return html;
    }
    let room = studying.room;
    studying.with(|study| {
        let Some(m) = study.current_move() else {
            let key = match study.record().moves().is_empty() {
                true => "study.note.start",
                false if study.review().is_done() => "study.note.variation",
                false => "study.note.wait",
            };
            return format!("<div class='note quiet'><p>{}</p></div>", phrase(room, key));
        };
        let is_exact = is_exact(study.record().game());
        let who = studying.name(m.player);
        let rival = studying.name(!m.player);
        let class = match m.class {
            _ if m.is_strong => "study.strong".to_owned(),
            class => format!("study.class.{}", class.name()),
        };
        let title = if is_exact && !m.kept_value() {
            change(room, &m, true)
        } else {
            room.say(&class)
        };
        let text = if is_exact {
            exact_text(room, &m, &who, &rival)
        } else {
            search_text(room, &m, &who)
        };
        let mut better = String::new();
        if m.class.is_slip() {
            let first = m.best.first().map_or_else(String::new, |m| m.replace('-', "\u{2212}"));
            let key = if is_exact && !m.kept_value() && m.best.len() == 1 {
                "study.only"
            } else {
                "study.better"
            };
            let before = study.step_back().map_or(0, |node| node.index());
            let moves = m.line.iter().take(LONGEST_LINE).enumerate().map(|(index, text)| {
                format!(
                    "<button class='mvc' id='better-{index}' data-do='better {before} {}'>{}</button>",
                    index + 1,
                    move_text(text)
                )
            });
            let proof = if is_exact {
                format!("<span class='proof'>{}</span>", phrase(room, "study.exact"))
            } else {
                String::new()
            };
            better = format!(
                " {}</p><div class='line'>{}{proof}</div>",
                escaped(&room.say_with(key, &[("m", &first)])),
                moves.collect::<String>()
            );
        } else {
            better += "</p>";
        }
        format!(
            "<div class='note'><h2>{}{} <span>{}</span></h2><p>{}{better}</div>",
            numbered(&m),
            quality_html(room, &m),
            escaped(&title),
            escaped(&text),
        )
    })
}

fn search_text(room: Room, m: &JudgedMove, who: &str) -> String {
    let (from, to) = (percent(m.before.chance()), percent(m.after.chance()));
    let depth = match m.after {
        Evaluation::Score { depth, .. } => room.say_with("study.depth", &[("n", &depth)]),
        _ => room.say("study.proven"),
    };
    let key = if m.class.is_slip() {
        "study.fall"
    } else {
        "study.chances"
    };
    let text = room.say_with(key, &[("who", &who), ("from", &from), ("to", &to)]);
    let is_decided = matches!(m.after, Evaluation::Win(_) | Evaluation::Loss(_));
    if is_decided {
        return exact_value(room, m.after, who);
    }
    format!("{text} {depth}")
}

/// `Green wins in 5.`
pub(super) fn exact_value(room: Room, value: Evaluation, who: &str) -> String {
    match value {
        Evaluation::Win(0) => room.say_with("study.has-won", &[("who", &who)]),
        Evaluation::Win(n) => room.say_with("study.wins", &[("who", &who), ("n", &n)]),
        Evaluation::Loss(n) => room.say_with("study.loses", &[("who", &who), ("n", &n)]),
        Evaluation::Draw | Evaluation::Score { .. } => room.say("study.draws"),
    }
}

fn exact_text(room: Room, m: &JudgedMove, who: &str, rival: &str) -> String {
    if m.kept_value() {
        return exact_value(room, m.after, who);
    }
    let before = match m.before {
        Evaluation::Win(n) => room.say_with("study.was-winning", &[("who", &who), ("n", &n)]),
        _ => room.say("study.was-drawn"),
    };
    let after = match m.after {
        Evaluation::Loss(n) => room.say_with("study.now-loses", &[("rival", &rival), ("n", &n)]),
        _ => room.say("study.now-drawn"),
    };
    format!("{before} {after}")
}
