//! The parts of a review.

use std::fmt::Display;

use catalog::{AnyMatch, notations};
use leptos::prelude::*;
use rules::Player;
use study::{Evaluation, JudgedMove, MoveClass, accuracy, is_exact};

use super::{LONGEST_LINE, percent, phrase, practice::practice, quality, quality_html};
use crate::{
    html::escaped,
    room::{Room, token_svg},
    study::Studying,
};

/// The mistakes that somebody can learn from: those of the only person, or of both
/// players.
pub(in crate::study) fn mistakes(studying: Studying) -> Vec<JudgedMove> {
    let seats = studying.seats.get_value();
    let is_exact = is_exact(studying.game());
    let least = if is_exact {
        MoveClass::Mistake
    } else {
        MoveClass::Inaccuracy
    };
    let is_own = |player: Player| match seats {
        Some(seats) if seats.first != seats.second => seats[player] == play::PlayerKind::Person,
        _ => true,
    };
    let moves = studying.moves.get();
    let own = moves.iter();
    let own = own.filter(|m| m.class >= least && is_own(m.player));
    own.cloned().collect()
}

/// How well the players played.
pub(in crate::study) fn cards(studying: Studying) -> String {
    let room = studying.room;
    let palette = room.settings.palette();
    let near = studying.near();
    let (moves, is_exact) = (studying.moves.get(), is_exact(studying.game()));
    let tokens = studying.with_untracked(|study| {
        let token = |player| token_svg(&study.table().token(player), palette);
        [near, !near].map(token)
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
            "<section class='score'><div><span class='pi'>{token}</span><b>{}</b><strong>{value}</strong></div>\
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
    let points = studying.points();
    let is_exact = is_exact(studying.game());
    let points = studying.with(|study| {
        let cursor = study.record().cursor();
        let point = |m: &JudgedMove| {
            let current = if m.node == cursor { " aria-current='true'" } else { "" };
            format!(
                "<button class='tp' id='tp-{0}' data-do='go {1}'{current}><b>{2}</b><span>{3}</span></button>",
                m.ply,
                m.node.index(),
                numbered(study.record(), m),
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

/// `9. c5-b3 +2` or `9 … c5-b3 +2`.
fn numbered(record: &dyn AnyMatch, m: &JudgedMove) -> String {
    let number = m.ply / 2 + 1;
    let dots = if m.ply.is_multiple_of(2) { "." } else { " …" };
    let notation = record.notation(m.node).unwrap_or_default();
    format!("{number}{dots} {}", escaped(&notation))
}

/// The change by a move, in a few words.
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
        if studying.is_off_limits.get() {
            return format!("<p class='prg'>{}</p>", phrase(room, "study.off-limits"));
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

/// The comment on the move that is looked at.
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
            exact_text(studying, &m)
        } else {
            search_text(studying, &m)
        };
        let mut better = String::new();
        if m.class.is_slip() {
            let key = if is_exact && !m.kept_value() && m.best.len() == 1 {
                "study.only"
            } else {
                "study.better"
            };
            let record = study.record();
            let before = study.step_back().unwrap_or_else(|| record.cursor());
            let first = notations(record, before, &m.best[..m.best.len().min(1)]).concat();
            let line = notations(record, before, &m.line[..m.line.len().min(LONGEST_LINE)]);
            let moves = line.iter().enumerate().map(|(index, text)| {
                format!(
                    "<button class='mvc' id='better-{index}' data-do='better {} {}'>{}</button>",
                    before.index(),
                    index + 1,
                    escaped(text)
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
            numbered(study.record(), &m),
            quality_html(room, &m),
            escaped(&title),
            escaped(&text),
        )
    })
}

fn search_text(studying: Studying, m: &JudgedMove) -> String {
    let room = studying.room;
    let (from, to) = (percent(m.before.chance()), percent(m.after.chance()));
    let depth = match m.after {
        Evaluation::Score { depth, .. } => room.say_with("study.depth", &[("n", &depth)]),
        _ => room.say("study.proven"),
    };
    let keys = if m.class.is_slip() {
        ["study.fall", "study.fall.you"]
    } else {
        ["study.chances", "study.chances.you"]
    };
    let who = Who::of(studying, m.player);
    let text = who.say(room, keys, &[("from", &from), ("to", &to)]);
    let is_decided = matches!(m.after, Evaluation::Win(_) | Evaluation::Loss(_));
    if is_decided {
        return exact_value(room, m.after, &who);
    }
    format!("{text} {depth}")
}

/// Somebody that a sentence is about.
pub(super) enum Who {
    /// The person who reads it.
    You,
    /// Somebody with a name.
    Named(String),
}

impl Who {
    /// The one who played `player`.
    pub(super) fn of(studying: Studying, player: Player) -> Self {
        if studying.is_you(player) {
            Self::You
        } else {
            Self::Named(studying.name(player))
        }
    }

    /// The first of two phrases, with the name as `who`; the second, about the reader, has none.
    pub(super) fn say(
        &self,
        room: Room,
        [named, you]: [&str; 2],
        values: &[(&str, &dyn Display)],
    ) -> String {
        match self {
            Self::You => room.say_with(you, values),
            Self::Named(name) => {
                let name: (&str, &dyn Display) = ("who", name);
                let values: Vec<_> = values.iter().copied().chain([name]).collect();
                room.say_with(named, &values)
            }
        }
    }
}

/// `Green wins in 5.`
pub(super) fn exact_value(room: Room, value: Evaluation, who: &Who) -> String {
    let say = |keys, n: &u32| who.say(room, keys, &[("n", n)]);
    match value {
        Evaluation::Win(0) => say(["study.has-won", "study.has-won.you"], &0),
        Evaluation::Win(n) => say(["study.wins", "study.wins.you"], &n),
        Evaluation::Loss(0) => say(["study.has-lost", "study.has-lost.you"], &0),
        Evaluation::Loss(n) => say(["study.loses", "study.loses.you"], &n),
        Evaluation::Draw | Evaluation::Score { .. } => room.say("study.draws"),
    }
}

fn exact_text(studying: Studying, m: &JudgedMove) -> String {
    let room = studying.room;
    let [who, rival] = [m.player, !m.player].map(|player| Who::of(studying, player));
    if m.kept_value() {
        let value = exact_value(room, m.after, &who);
        let lost = m.plies_lost();
        if lost == 0 {
            return value;
        }
        let key = match m.after {
            Evaluation::Win(_) => "study.slower",
            _ => "study.sooner",
        };
        return format!("{value} {}", room.say_with(key, &[("n", &lost)]));
    }
    let before = match m.before {
        Evaluation::Win(n) => {
            let keys = ["study.was-winning", "study.was-winning.you"];
            who.say(room, keys, &[("n", &n)])
        }
        _ => room.say("study.was-drawn"),
    };
    let after = match m.after {
        Evaluation::Loss(n) => {
            let keys = ["study.now-wins", "study.now-wins.you"];
            rival.say(room, keys, &[("n", &n)])
        }
        _ => room.say("study.now-drawn"),
    };
    format!("{before} {after}")
}
