//! The parts of a study around its board, as HTML.

use leptos::prelude::*;
use play::{ListedMove, MoveRow};
use rules::Player;
use study::{
    Answer, Evaluation, JudgedMove, MoveClass, Study, accuracy, is_exact, short_text,
    turning_points,
};

use super::Studying;
use crate::{
    html::escaped,
    icons::{Icon, icon_html, mark_html},
    nav::play_address,
    room::{Jump, Room, token_svg},
};

/// How many turning points are named.
const N_POINTS: usize = 3;

/// The most letters of a comment that the list of moves shows.
const LONGEST_COMMENT: usize = 80;

/// The most moves of a line that are shown.
const LONGEST_LINE: usize = 8;

fn phrase(room: Room, name: &str) -> String {
    escaped(&room.say(name))
}

/// Numbers have a real minus sign.
fn move_text(text: &str) -> String {
    escaped(&text.replace('-', "\u{2212}"))
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

/// The games, as the left column lists them.
pub(super) fn games(studying: Studying) -> String {
    let room = studying.room;
    let current = studying.with(|study| study.record().game());
    let games = catalog::GAMES.iter().map(|game| {
        let name = game.name();
        let here = if name == current {
            " aria-current='page'"
        } else {
            ""
        };
        let opponent = play::Seat::Bot(play::Bot::Level(3));
        format!(
            "<li><a href='{}'{here}>{}<span>{}</span></a></li>",
            escaped(&play_address(*game, opponent)),
            mark_html(game.presentation().mark),
            phrase(room, &format!("{name}.name"))
        )
    });
    format!("<ul>{}</ul>", games.collect::<String>())
}

/// What is known about the match, and what can be done with it.
pub(super) fn actions(studying: Studying) -> String {
    let room = studying.room;
    let is_analysis = studying.is_analysis.get();
    let words = room.settings.words.get();
    let facts = studying.with(|study| {
        let record = study.record();
        let game = catalog::find(record.game());
        let options = game.map(|game| game.options()).unwrap_or_default();
        let options = options.into_iter().filter_map(|option| {
            let value = record.option(option.name)?;
            Some((
                words.say(option.label, &[]),
                words.say_value(option.label, &value),
            ))
        });
        let n_moves = record.moves().len();
        let number = (words.say("study.move", &[]), n_moves.to_string());
        options.chain([number]).collect::<Vec<_>>()
    });
    let facts = facts
        .iter()
        .map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value)));
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
        html += &format!(
            "<button class='btn' id='{id}' data-do='{id}'>{}{}</button>",
            icon_html(kind),
            phrase(room, other)
        );
    }
    if is_analysis {
        html += &format!(
            "<button class='btn' id='set-up' data-do='set-up'>{}{}</button>",
            icon_html(Icon::Pencil),
            phrase(room, "study.set-up")
        );
    }
    html += &format!(
        "<button class='btn' id='play-here' data-do='play-here'>{}{}</button>",
        icon_html(Icon::Play),
        phrase(room, "study.play")
    );
    html
}

/// The same for phones, where they are below the board.
pub(super) fn phone_actions(studying: Studying) -> String {
    actions(studying).replace(" id='", " id='phone-")
}

/// The mistakes that somebody can learn from: those of the only person, or of both
/// players.
pub(super) fn mistakes(studying: Studying) -> Vec<JudgedMove> {
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
pub(super) fn cards(studying: Studying) -> String {
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
pub(super) fn points(studying: Studying) -> String {
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
pub(super) fn progress(studying: Studying) -> String {
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
pub(super) fn note(studying: Studying) -> String {
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
fn exact_value(room: Room, value: Evaluation, who: &str) -> String {
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

/// What somebody who looks for better moves is told.
fn practice(studying: Studying, study: &Study) -> Option<String> {
    let room = studying.room;
    let practice = study.practice()?;
    let record = study.record();
    let task = practice.task();
    let before = record.ancestors(task).first().copied()?;
    let who = studying.name(record.turn_at(before)?);
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
            room.say_with("study.task", &[("who", &who)]),
            room.say_with("study.task.played", &[("m", &played)]),
            button("", "show", "learn.show") + &button("", "end", "study.task.end"),
        ),
        Some(Answer::Judging) => (
            room.say("study.task.judging"),
            String::new(),
            button("", "end", "study.task.end"),
        ),
        Some(Answer::Right) => (
            room.say("study.task.right"),
            room.say("study.task.right.line"),
            button("pri", "next", next),
        ),
        Some(Answer::Wrong(reply)) => {
            let text = match reply {
                Some(reply) => {
                    let reply = reply.replace('-', "\u{2212}");
                    room.say_with("study.task.reply", &[("m", &reply)])
                }
                None => String::new(),
            };
            let buttons = button("pri", "again", "learn.again") + &button("", "show", "learn.show");
            (room.say("study.task.wrong"), text, buttons)
        }
        Some(Answer::Shown) => (
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

/// The moves, with their marks.
pub(super) fn moves(studying: Studying) -> String {
    let room = studying.room;
    studying.with(|study| {
        let record = study.record();
        let nodes = study.review().nodes();
        let Some(&end) = nodes.last() else {
            return String::new();
        };
        let judged = study.moves();
        let is_exact = is_exact(record.game());
        let cell = |m: &ListedMove| {
            let player = if m.player == Player::First { "p1" } else { "p2" };
            let (current, state) = if m.is_current {
                (" cur", " aria-current='step'")
            } else {
                ("", "")
            };
            let known = judged.iter().find(|known| known.node == m.node);
            let mark = known.map_or_else(String::new, |known| {
                let value = if is_exact {
                    format!(" <small>{}</small>", short_text(known.after))
                } else {
                    String::new()
                };
                quality_html(room, known) + &value
            });
            format!(
                "<button type='button' id='mv-{}' class='{player}{current}'{state} tabindex='-1' data-do='go {}'>{}{mark}</button>",
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
        let start = comment_row(study.comment_at(rules::record::NodeId::ROOT));
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

/// What somebody wrote about the position after a move, as a row of the list.
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

/// What can be done with the variation that is looked at.
pub(super) fn tree_actions(studying: Studying) -> String {
    let room = studying.room;
    if !studying.is_analysis.get() {
        return String::new();
    }
    let (can_promote, can_delete) =
        studying.with(|study| (study.can_promote(), study.can_delete()));
    let button = |(can, id, name, kind): (bool, &str, &str, Icon)| {
        if !can {
            return String::new();
        }
        format!(
            "<button class='btn' id='{id}' data-do='{id}'>{}{}</button>",
            icon_html(kind),
            phrase(room, name)
        )
    };
    [
        (can_promote, "promote", "study.promote", Icon::Promote),
        (can_delete, "delete", "study.delete", Icon::Delete),
    ]
    .map(button)
    .concat()
}

/// First, back, forward, last; on phones with what matters most in the middle.
pub(super) fn history(studying: Studying) -> String {
    let room = studying.room;
    let is_analysis = studying.is_analysis.get();
    let shown = studying.shown.get();
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
            let has_points = !turning_points(&study.moves(), N_POINTS).is_empty();
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
        format!("{first}{back}{middle}{forward}{last}{share}")
    })
}

/// The turning point after the position that is looked at, or the first one.
pub(super) fn next_point(study: &Study) -> Option<rules::record::NodeId> {
    let points = turning_points(&study.moves(), N_POINTS);
    let n_moves = study.record().line(study.record().cursor()).len() - 1;
    let next = points.iter().find(|m| m.ply + 1 > n_moves);
    next.or(points.first()).map(|m| m.node)
}

/// The lines of the engine.
pub(super) fn lines(studying: Studying) -> String {
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
pub(super) fn verdict(studying: Studying) -> String {
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
pub(super) fn caption(studying: Studying) -> String {
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
