//! The parts of a puzzle around its board, as HTML.

use leptos::prelude::*;
use puzzles::{Attempt, PuzzleFeedback};
use rules::Player;

use super::{Solving, date_text, grade_dots, today};
use crate::{
    html::escaped,
    icons::{Icon, icon_html, mark_html},
    puzzle_route::{PuzzleRoute, Which},
    room::{Room, token_svg},
};

fn phrase(room: Room, name: &str) -> String {
    escaped(&room.say(name))
}

/// The games, as the left column lists them.
pub(super) fn games(solving: Solving) -> String {
    let room = solving.room;
    let current = solving.with(|attempt| attempt.puzzle().game());
    let which = if solving.day.is_some() {
        Which::Daily
    } else {
        Which::Next
    };
    let games = catalog::GAMES.iter().map(|game| {
        let name = game.name();
        let here = if name == current {
            " aria-current='page'"
        } else {
            ""
        };
        format!(
            "<li><a href='{}'{here}>{}<span>{}</span></a></li>",
            PuzzleRoute::of(name, which.clone()),
            mark_html(game.presentation().mark),
            phrase(room, &format!("{name}.name"))
        )
    });
    format!("<ul>{}</ul>", games.collect::<String>())
}

/// Facts about the puzzle, and links to others.
pub(super) fn facts(solving: Solving) -> String {
    let room = solving.room;
    let words = solving.words();
    let (game, facts) = solving.with(|attempt| {
        let record = attempt.sitting().record();
        let game = catalog::find(record.game());
        let options = game.map(|game| game.options()).unwrap_or_default();
        let facts = options.into_iter().filter_map(|option| {
            let value = record.option(option.name)?;
            Some((
                words.say(option.label, &[]),
                words.say_value(option.label, &value),
            ))
        });
        (attempt.puzzle().game(), facts.collect::<Vec<_>>())
    });
    let number = solving.day.map(|day| {
        let number = room.say_with(
            "puzzles.number",
            &[("n", &day.number()), ("date", &date_text(room, day))],
        );
        (room.say("puzzles.one"), number)
    });
    let facts = number
        .into_iter()
        .chain(facts)
        .map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>", escaped(&name), escaped(&value)));
    let other = if solving.day == Some(today()) {
        (Which::Yesterday, "puzzles.yesterday", "yesterday")
    } else {
        (Which::Daily, "puzzles.daily", "today")
    };
    format!(
        "<dl class='facts'>{}</dl><a class='btn' id='{}' href='{}'>{}</a><a class='btn' id='more' href='#/puzzles'>{}</a>",
        facts.collect::<String>(),
        other.2,
        PuzzleRoute::of(game, other.0),
        phrase(room, other.1),
        phrase(room, "puzzles.all"),
    )
}

/// The task.
pub(super) fn ask(solving: Solving) -> String {
    let words = solving.words();
    solving.with(|attempt| {
        let puzzle = attempt.puzzle();
        format!(
            "<h2 id='task' tabindex='-1'>{}</h2><p>{}</p>",
            escaped(&puzzles::title(puzzle, &words)),
            escaped(&puzzles::task(puzzle, &words))
        )
    })
}

/// Grade, rating, days in a row.
pub(super) fn stats(solving: Solving) -> String {
    let room = solving.room;
    let grade = solving.with(|attempt| attempt.puzzle().grade());
    let before = solving.before.get();
    let (rating, days) = solving
        .scores
        .with(|scores| (scores.of_game.rating, scores.streak.days(today())));
    let change = before.map_or_else(String::new, |before| {
        let change = i32::from(rating.points()) - i32::from(before.points());
        match change {
            0 => String::new(),
            change if change < 0 => format!(" <small>\u{2212}{}</small>", -change),
            change => format!(" <small>+{change}</small>"),
        }
    });
    let provisional = if rating.is_provisional() { "?" } else { "" };
    let days = room.say_with("puzzles.days", &[("n", &days)]);
    format!(
        "<div><span>{}</span>{}</div><div><span>{}{change}</span><b>{}{provisional}</b></div><div><span>{}</span><b>{}</b></div>",
        phrase(room, "puzzles.grade"),
        grade_dots(room, grade),
        phrase(room, "puzzles.rating"),
        rating.points(),
        phrase(room, "puzzles.row"),
        escaped(&days),
    )
}

/// The player who solves the puzzle: what is in hand, and what counts.
pub(super) fn solver(solving: Solving) -> String {
    let room = solving.room;
    let palette = room.settings.palette();
    solving.with(|attempt| {
        let player = attempt.puzzle().solver();
        let game = attempt.puzzle().game();
        let table = attempt.sitting().table();
        let side = table.side(player);
        let token = token_svg(&table.token(player), palette);
        let (class, number) = match player {
            Player::First => ("p1", "first"),
            Player::Second => ("p2", "second"),
        };
        let (on, chip) = if attempt.may_act() {
            let chip = format!("<span class='chip'>{}</span>", phrase(room, "seat.to-move"));
            (" on", chip)
        } else {
            ("", String::new())
        };
        let hold = side.holding.map(|(n, of)| {
            let label = escaped(&room.say_with("seat.held", &[("n", &n)]));
            let tokens = (0..of).map(|index| match index {
                index if index < n => format!("<span class='tk'>{token}</span>"),
                _ => "<span class='tk gone'></span>".to_owned(),
            });
            let tokens: String = tokens.collect();
            format!("<span class='hold' role='img' aria-label='{label}'>{tokens}</span>")
        });
        let color = || {
            let color = phrase(room, &format!("{game}.{number}.long"));
            format!("<span class='long'>{color}</span>")
        };
        let counts = side.counts.iter().map(|(name, n)| {
            let n = n.to_string().replace('-', "\u{2212}");
            format!("<span class='ct-n'>{} <b>{n}</b></span>", phrase(room, name))
        });
        format!(
            "<section class='pc you {class}{on}'><div class='nm'><span class='pi'>{token}</span><b>{}</b>\
             <span class='sp'></span>{chip}</div><div class='ex'>{}<span class='sp'></span>{}</div></section>",
            phrase(room, "seat.you"),
            hold.unwrap_or_else(color),
            counts.collect::<String>(),
        )
    })
}

/// The hints: those that were given, what the next one costs, and what else there is.
pub(super) fn hints(solving: Solving) -> String {
    let room = solving.room;
    let words = solving.words();
    solving.with(|attempt| {
        if attempt.is_over() {
            return String::new();
        }
        let given = attempt.hints();
        let n_given = usize::from(attempt.tally().hints);
        let rows = (1..=usize::from(Attempt::N_HINTS)).map(|n| {
            let name = escaped(&attempt.hint_title(n as u8, &words));
            match given.get(n - 1) {
                Some(hint) => format!(
                    "<li class='on'><i>{n}</i><span><b>{name}.</b> {}</span></li>",
                    escaped(&attempt.hint_text(hint, &words))
                ),
                None if n == n_given + 1 && attempt.may_act() => {
                    let cost = escaped(&words.say("puzzle.hint.cost", &[("n", &1)]));
                    format!(
                        "<li><button id='hint-{n}' data-do='hint'><i>{n}</i><b>{name}</b><span class='sp'></span><span>{cost}</span></button></li>"
                    )
                }
                None => format!("<li><i>{n}</i><span>{name}</span></li>"),
            }
        });
        format!(
            "<h3 class='lbl'>{}</h3><ol>{}</ol>",
            phrase(room, "puzzles.hints"),
            rows.collect::<String>()
        )
    })
}

/// How the board answered; after the end the result.
pub(super) fn answer(solving: Solving) -> String {
    let room = solving.room;
    let words = solving.words();
    let is_moving = solving.is_moving.get();
    let is_copied = room.is_copied.get();
    solving.with(|attempt| {
        let Some(answer) = attempt.answer().filter(|_| !is_moving) else {
            return String::new();
        };
        let text = attempt.answer_text(&words).unwrap_or_default();
        let (kind, icon, title) = match answer {
            PuzzleFeedback::Right => ("good", Icon::Check, "learn.right"),
            PuzzleFeedback::Solved => ("good", Icon::Check, "puzzles.solved"),
            PuzzleFeedback::Shown => ("", Icon::Play, "puzzles.shown"),
            PuzzleFeedback::Wrong { .. } => ("", Icon::Undo, "puzzles.wrong"),
            PuzzleFeedback::Refused { .. } | PuzzleFeedback::Unknown(_) => {
                ("", Icon::Undo, "learn.refused")
            }
        };
        let mut html = format!(
            "<div class='ans {kind}'><span class='em'>{}</span><div><b>{}</b><p>{}</p></div></div>",
            icon_html(icon),
            phrase(room, title),
            escaped(&text)
        );
        if attempt.is_over() {
            let moves = attempt.own_moves().join(", ");
            let share = if is_copied {
                "share.copied"
            } else {
                "share.title"
            };
            html += &format!(
                "<p class='own'>{}</p><pre class='result'>{}</pre><div class='two'>\
                 <button class='btn' id='share' data-do='share'>{}{}</button>\
                 <button class='btn pri' id='next' data-do='next'>{}</button></div>",
                escaped(&moves),
                escaped(&solving.share_text()),
                icon_html(Icon::Share),
                phrase(room, share),
                phrase(room, "puzzles.next"),
            );
        }
        html
    })
}

/// The buttons while the puzzle is not solved.
pub(super) fn controls(solving: Solving) -> String {
    let room = solving.room;
    solving.with(|attempt| {
        if attempt.is_over() {
            return String::new();
        }
        let can_act = attempt.may_act();
        let disabled = if can_act { "" } else { " disabled" };
        let no_hint = if can_act && attempt.tally().hints < Attempt::N_HINTS {
            ""
        } else {
            " disabled"
        };
        let pass = if can_act && attempt.sitting().table().pass().is_some() {
            format!(
                "<button class='btn pass' data-target='pass' data-do='pass'>{}{}</button>",
                icon_html(Icon::Pass),
                phrase(room, "do.pass")
            )
        } else {
            String::new()
        };
        format!(
            "{pass}<button class='btn' id='hint' data-do='hint'{no_hint}>{}</button>\
             <button class='btn' id='reveal' data-do='reveal'{disabled}>{}</button>",
            phrase(room, "puzzles.hint"),
            phrase(room, "puzzles.reveal"),
        )
    })
}
