//! The parts of a study around its board, as HTML.

mod analysis;
mod practice;
mod review;

use std::collections::BTreeMap;

use leptos::prelude::*;
use play::{ListedMove, MoveRow, PlayerKind};
use rules::{Outcome, Player, record::NodeId};
use study::{JudgedMove, MoveClass, Study, is_exact, short_text};
use view::ValueKind;

pub(super) use self::{
    analysis::{caption, lines, verdict},
    review::{cards, mistakes, note, points, progress},
};
use super::Studying;
use crate::{
    html::escaped,
    icons::{Icon, icon_html, mark_html},
    nav::play_address,
    room::{Jump, Room},
};

/// The most letters of a comment that the list of moves shows.
const LONGEST_COMMENT: usize = 80;

/// The most moves of a line that are shown.
const LONGEST_LINE: usize = 8;

fn phrase(room: Room, name: &str) -> String {
    escaped(&room.say(name))
}

fn percent(chance: f64) -> i64 {
    (chance * 100.0).round() as i64
}

/// A mark of the quality of a move, and what it means.
fn quality(m: &JudgedMove) -> Option<(&'static str, &'static str, &'static str)> {
    match m.class {
        MoveClass::Blunder => Some(("??", "bb", "study.blunder")),
        MoveClass::Mistake | MoveClass::Inaccuracy => Some(("?", "b", "study.slip")),
        _ if m.is_strong => Some(("!", "g", "study.strong")),
        _ => None,
    }
}

fn quality_html(room: Room, m: &JudgedMove) -> String {
    quality(m).map_or_else(String::new, |(mark, class, name)| {
        format!(
            " <em class='{class}' title='{0}'>{mark}<span class='sr'> {0}</span></em>",
            phrase(room, name)
        )
    })
}

/// The mark of a move that was made with a hint.
fn hint_mark(room: Room) -> String {
    format!(
        "<span class='hm' role='img' title='{0}' aria-label='{0}'>{1}</span>",
        phrase(room, "hint.taken"),
        icon_html(Icon::Lamp)
    )
}

/// The games, as the left column lists them.
pub(super) fn games(studying: Studying) -> String {
    let room = studying.room;
    let current = studying.game();
    let games = catalog::GAMES.iter().map(|game| {
        let name = game.name();
        let here = if name == current {
            " aria-current='page'"
        } else {
            ""
        };
        let opponent = PlayerKind::Bot(play::Bot::Level(3));
        format!(
            "<li><a href='{}'{here}>{}<span>{}</span></a></li>",
            escaped(&play_address(*game, opponent)),
            mark_html(game.presentation().mark),
            phrase(room, &format!("{name}.name"))
        )
    });
    format!("<ul>{}</ul>", games.collect::<String>())
}

/// Facts about the match, and the buttons for it.
pub(super) fn actions(studying: Studying) -> String {
    let room = studying.room;
    let is_analysis = studying.is_analysis.get();
    let words = room.settings.words.get();
    let options = studying.options().into_iter().map(|(option, value)| {
        let name = words.say(option.label, &[]);
        (name, words.say_value(option.label, &value))
    });
    let of_match = if is_analysis {
        vec![place(studying)]
    } else {
        [opponent(studying), result(studying)]
            .into_iter()
            .flatten()
            .collect()
    };
    let facts = options
        .chain(of_match)
        .map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>", escaped(&name), escaped(&value)));
    let mut html = format!("<dl class='facts'>{}</dl>", facts.collect::<String>());
    if !is_analysis {
        let n_mistakes = mistakes(studying).len();
        if n_mistakes > 0 {
            html += &format!(
                "<button class='btn pri' id='learn' data-do='learn'>{}</button>",
                escaped(&room.say_with("study.learn", &[("n", &n_mistakes)]))
            );
        }
    }
    let (other, id, kind) = if is_analysis {
        ("study.review", "review", Icon::Chart)
    } else {
        ("study.analysis", "analysis", Icon::Analysis)
    };
    let can_review = studying.with(|study| study.review().nodes().len() > 1);
    if !is_analysis || can_review {
        html += &button(room, id, kind, other);
    }
    if is_analysis {
        html += &button(room, "set-up", Icon::Pencil, "study.set-up");
    }
    html += &button(room, "play-here", Icon::Play, "study.play");
    if is_analysis {
        html += &button(room, "new-analysis", Icon::Plus, "study.new");
    }
    html
}

/// How many moves were made, and who is to move.
fn place(studying: Studying) -> (String, String) {
    let room = studying.room;
    let (game, n_moves, turn) = studying.with(|study| {
        let record = study.record();
        (record.game(), record.moves().len(), record.turn())
    });
    let who = room.say(&format!("{game}.{turn}"));
    let place = room.say_with("study.move.of", &[("n", &n_moves), ("who", &who)]);
    (room.say("study.move"), place)
}

/// Who was played against, if it was a machine.
fn opponent(studying: Studying) -> Option<(String, String)> {
    let seats = studying.seats.get_value()?;
    let mut seats = [seats.first, seats.second].into_iter();
    let opponent = seats.find(|&seat| seat != PlayerKind::Person)?;
    let room = studying.room;
    Some((room.say("new.opponent"), room.opponent_name(opponent)))
}

/// How the match ended, seen by the only person who played.
pub(super) fn result(studying: Studying) -> Option<(String, String)> {
    let room = studying.room;
    let ending = studying.with(|study| {
        let end = study.review().nodes().last();
        end.and_then(|&end| study.record().ending_at(end))
    })?;
    let result = match ending.outcome {
        Outcome::Draw => room.say("study.drawn.title"),
        Outcome::Win(winner) if studying.is_you(winner) => room.say("study.won.title"),
        Outcome::Win(winner) if studying.is_you(!winner) => room.say("study.lost.title"),
        Outcome::Win(winner) => {
            let who = studying.name(winner);
            room.say_with("study.winner", &[("who", &who)])
        }
    };
    Some((room.say("library.result"), result))
}

/// A button that does what its id says.
fn button(room: Room, id: &str, kind: Icon, name: &str) -> String {
    format!(
        "<button class='btn' id='{id}' data-do='{id}'>{}{}</button>",
        icon_html(kind),
        phrase(room, name)
    )
}

/// The id of the menu of small screens.
pub(super) const MENU: &str = "study-menu";

/// The menu of small screens.
pub(super) fn menu(studying: Studying) -> String {
    let room = studying.room;
    let item = |(command, kind, name): (&str, Icon, &str)| {
        format!(
            "<button class='btn' id='menu-{command}' data-do='{command}' popovertarget='{MENU}' \
             popovertargetaction='hide'>{}{}</button>",
            icon_html(kind),
            phrase(room, name)
        )
    };
    let can_review = studying.with(|study| study.review().nodes().len() > 1);
    let review = ("review", Icon::Chart, "study.review");
    [
        ("type", Icon::Move, "moves.type"),
        ("write", Icon::Pencil, "study.comment"),
        ("new-analysis", Icon::Plus, "study.new"),
    ]
    .into_iter()
    .chain(can_review.then_some(review))
    .chain([("share", Icon::Share, "share.title")])
    .map(item)
    .collect()
}

/// The same for phones, where they are below the board.
pub(super) fn phone_actions(studying: Studying) -> String {
    actions(studying).replace(" id='", " id='phone-")
}

/// The moves, with their marks.
pub(super) fn moves(studying: Studying) -> String {
    let room = studying.room;
    studying.with(|study| {
        let record = study.record();
        let nodes = study.review().nodes();
        let Some(&end) = nodes.last() else {
            return String::new();
        };
        let judged = studying.moves.get();
        let is_exact = is_exact(record.game());
        let places = judged.iter().map(|m| m.node).zip(0..);
        let places: BTreeMap<NodeId, usize> = places.collect();
        let cell = |m: &ListedMove| {
            let player = if m.player == Player::First { "p1" } else { "p2" };
            let (current, state) = if m.is_current {
                (" cur", " aria-current='step'")
            } else {
                ("", "")
            };
            let known = places.get(&m.node).map(|&index| &judged[index]);
            let hint = if m.has_hint { hint_mark(room) } else { String::new() };
            let mark = known.map_or_else(String::new, |known| {
                let value = if is_exact {
                    format!(" <small>{}</small>", short_text(known.after))
                } else {
                    String::new()
                };
                quality_html(room, known) + &value
            });
            format!(
                "<button type='button' id='mv-{}' class='{player}{current}'{state} tabindex='-1' data-do='go {}'>{}{mark}{hint}</button>",
                m.node.index(),
                m.node.index(),
                escaped(&m.text),
            )
        };
        let rows = MoveRow::list(record, end, end).into_iter().map(|row| {
            let cells: String = row.moves().iter().map(cell).collect();
            let notes: String = row.moves().iter().map(|m| remark(study, m)).collect();
            let row = match row {
                MoveRow::Match { number, .. } => format!("<li><i>{number}</i>{cells}</li>"),
                MoveRow::Variation { number, depth, .. } => format!(
                    "<li class='var d{}'><i>{number}</i>{cells}</li>",
                    depth.min(4)
                ),
            };
            row + &notes
        });
        let start = comment_row(study.comment_at(NodeId::ROOT));
        let rows: String = std::iter::once(start).chain(rows).collect();
        if rows.is_empty() {
            return format!("<p class='none'>{}</p>", phrase(room, "moves.none"));
        }
        format!(
            "<ol tabindex='0' id='study-moves' aria-label='{}'>{rows}</ol>",
            phrase(room, "moves.title")
        )
    })
}

/// The comment on the position after a move, as a row of the list.
fn remark(study: &Study, m: &ListedMove) -> String {
    comment_row(study.comment_at(m.node))
}

fn comment_row(comment: &str) -> String {
    if comment.is_empty() {
        return String::new();
    }
    let mut short: String = comment.chars().take(LONGEST_COMMENT).collect();
    if short.len() < comment.len() {
        short.push('…');
    }
    format!("<li class='cmt'><span>{}</span></li>", escaped(&short))
}

/// The buttons for the variation that is looked at.
pub(super) fn tree_actions(studying: Studying) -> String {
    let room = studying.room;
    if !studying.is_analysis.get() {
        return String::new();
    }
    let (can_promote, can_delete, can_restore) =
        studying.with(|study| (study.can_promote(), study.can_delete(), study.can_restore()));
    let promote = can_promote.then(|| button(room, "promote", Icon::Promote, "study.promote"));
    let delete = can_delete.then(|| button(room, "delete", Icon::Delete, "study.delete"));
    let restore = can_restore.then(|| button(room, "restore", Icon::Undo, "do.undo"));
    let buttons = promote.into_iter().chain(delete).chain(restore);
    buttons.collect()
}

/// First, back, forward, last; on phones with what matters most in the middle.
pub(super) fn history(studying: Studying) -> String {
    let room = studying.room;
    let is_analysis = studying.is_analysis.get();
    let shown = studying.shown.get();
    let pass = pass(studying);
    studying.with(|study| {
        let button = |(id, name, kind, jump): (&str, &str, Icon, Jump)| {
            let can = Studying::jump_target(study, jump).is_some();
            let disabled = if can { "" } else { " disabled" };
            format!(
                "<button class='ib' id='{id}' data-do='jump-{id}' title='{0}' aria-label='{0}'{disabled}>{1}</button>",
                phrase(room, name),
                icon_html(kind)
            )
        };
        let middle = if is_analysis {
            let name = super::SHOWN.iter().find(|(_, other)| *other == shown);
            let name = format!("study.shown.{}", name.map_or("all", |(name, _)| name));
            format!(
                "<button class='btn pill thumb' id='cycle' data-do='cycle'>{}</button>",
                phrase(room, &name)
            )
        } else {
            let has_points = !studying.points().is_empty();
            let disabled = if has_points { "" } else { " disabled" };
            format!(
                "<button class='btn pill thumb' id='next-point' data-do='next-point'{disabled}>{}</button>",
                phrase(room, "study.next-point")
            )
        };
        let [first, back, forward, last] = [
            ("first", "past.first", Icon::First, Jump::First),
            ("back", "past.back", Icon::Back, Jump::Back),
            ("forward", "past.forward", Icon::Forward, Jump::Forward),
            ("last", "past.last", Icon::Last, Jump::Last),
        ]
        .map(button);
        let share = format!(
            "<button class='ib desk' id='share' data-do='share' title='{0}' aria-label='{0}'>{1}</button>",
            phrase(room, "share.title"),
            icon_html(Icon::Share)
        );
        format!("{first}{back}{middle}{pass}{forward}{last}{share}")
    })
}

/// The button for a pass, with its value if the board shows those of all moves.
fn pass(studying: Studying) -> String {
    let room = studying.room;
    let shown = studying.shown.get();
    let is_analysis = studying.is_analysis.get();
    studying.with_lines(|study| {
        if study.pass().is_none() {
            return String::new();
        }
        let value = study.pass_value(shown).filter(|_| is_analysis);
        let value = value.map_or_else(String::new, |(text, kind)| {
            let best = if kind == ValueKind::Best { " best" } else { "" };
            format!("<span class='val{best}'>{}</span>", escaped(&text))
        });
        let must = if study.table().must_pass() { " pri" } else { "" };
        format!(
            "<button class='btn pass{must}' id='pass' data-target='pass' data-do='pass'>{}<span>{}</span>{value}</button>",
            icon_html(Icon::Pass),
            phrase(room, "do.pass")
        )
    })
}

/// The turning point after the position that is looked at, or the first one.
pub(super) fn next_point(studying: Studying) -> Option<NodeId> {
    let points = studying.points();
    let n_moves = studying.with(|study| study.record().line(study.record().cursor()).len() - 1);
    let next = points.iter().find(|m| m.ply + 1 > n_moves);
    next.or(points.first()).map(|m| m.node)
}
