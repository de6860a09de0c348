//! Parts of the screens of online play, as HTML.

use leptos::prelude::*;
use protocol::{OnlineControl, SeatInfo};
use view::Look;

use super::json::Json;
use crate::{html::escaped, icons::mark_html, online_state::GoingOnline, room::Room};

/// Paths of icons that only online play needs.
pub(super) const WIFI: &str = "M5 11a10 10 0 0 1 14 0M8 14.500a5.500 5.500 0 0 1 8 0M12 18.500v.01";
pub(super) const AWAY: &str = "M5 11a10 10 0 0 1 5-2.700M14.500 8.400A10 10 0 0 1 19 11M8 14.500a5.500 5.500 0 0 1 5-1.600M12 18.500v.01M4 4l16 16";
pub(super) const BUBBLE: &str = "M4 5h16v11h-9l-4 4v-4H4z";
pub(super) const PERSON: &str =
    "M12 4a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7M5 20c0-4 3-6 7-6s7 2 7 6";
pub(super) const PEOPLE: &str = "M9 5a3.200 3.200 0 1 0 0 6.400A3.200 3.200 0 0 0 9 5M3 19c0-3.500 2.500-5.300 6-5.300s6 1.800 6 5.300M16 5.500a3 3 0 0 1 0 5.600M18 14.200c2 .8 3 2.400 3 4.800";
pub(super) const EYE: &str = "M2.500 12s3.500-6 9.500-6 9.500 6 9.500 6-3.500 6-9.500 6-9.500-6-9.500-6M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5";

/// An icon from its path.
pub(super) fn glyph(path: &str) -> String {
    format!(
        "<svg class='i' viewBox='0 0 24 24' aria-hidden='true'><path d='{path}' stroke-width='1.75'/></svg>"
    )
}

/// Minutes and seconds: `1:05`.
pub(super) fn minutes_text(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// A phrase as HTML.
pub(super) fn phrased(room: Room, name: &str) -> String {
    escaped(&room.say(name))
}

/// A card beside the board. The buttons are HTML.
pub(super) fn card(class: &str, icon: &str, heading: &str, text: &str, buttons: &str) -> String {
    let mut html = format!("<section class='oc {class}'><div class='row'>{icon}<div>");
    if !heading.is_empty() {
        html += &format!("<h2>{}</h2>", escaped(heading));
    }
    if !text.is_empty() {
        html += &format!("<p>{}</p>", escaped(text));
    }
    html += "</div></div>";
    if !buttons.is_empty() {
        html += &format!("<div class='two'>{buttons}</div>");
    }
    html + "</section>"
}

/// A rating, with a question mark while it is uncertain.
pub(super) fn rating_text(seat: &SeatInfo) -> String {
    let doubt = if seat.provisional { "?" } else { "" };
    seat.rating
        .map(|rating| format!("{rating}{doubt}"))
        .unwrap_or_default()
}

/// The name of a time control.
pub(super) fn control_text(room: Room, control: Option<OnlineControl>) -> String {
    match control {
        None => room.say("clock.none"),
        Some(OnlineControl::Days { days }) => room.say_with("on.days", &[("n", &days)]),
        Some(OnlineControl::Match { base_ms, inc_ms }) => {
            let minutes = base_ms as f64 / 60_000.0;
            format!("{minutes} + {}", inc_ms / 1000)
        }
    }
}

/// The time left, in the largest unit that it has.
fn left_text(room: Room, milliseconds: u64) -> String {
    let minutes = milliseconds / 60_000;
    let (name, n) = match minutes {
        0..60 => ("on.left.minutes", minutes.max(1)),
        60..2880 => ("on.left.hours", minutes / 60),
        _ => ("on.left.days", minutes / 1440),
    };
    room.say_with(name, &[("n", &n)])
}

/// A position as a small picture.
pub(super) fn picture(room: Room, game: &str, fen: &str) -> String {
    let words = room.settings.words.get();
    let look = Look {
        is_bare: true,
        is_locked: true,
        ..Look::new(&words)
    };
    let record = catalog::find(game).and_then(|game| game.start_from(fen));
    record.map_or_else(
        |_| String::new(),
        |record| view::svg(&record.table().scene(&look), room.settings.palette()),
    )
}

/// The mark of a game.
pub(super) fn game_mark(game: &str) -> String {
    catalog::find(game).map_or_else(
        |_| String::new(),
        |game| mark_html(game.presentation().mark),
    )
}

/// The name of a game.
pub(super) fn game_name(room: Room, game: &str) -> String {
    room.say(&format!("{game}.name"))
}

/// The name of the player at `seat` of a match in a list.
pub(super) fn seat_name(room: Room, card: &Json, seat: &str) -> String {
    let player = card.get("seats").and_then(|seats| seats.get(seat));
    match player.filter(|player| !player.is("deleted")) {
        Some(player) => player.text("name"),
        None => room.say("on.deleted"),
    }
}

/// The address of a player's page.
pub(super) fn player_address(name: &str) -> String {
    format!(
        "#/player/{}",
        String::from(js_sys::encode_uri_component(name))
    )
}

/// A row of a list of matches: picture, heading, line, and what stands at the end.
pub(super) fn match_row(room: Room, card: &Json, heading: &str, line: &str, end: &str) -> String {
    format!("<li>{}</li>", match_link(room, card, heading, line, end))
}

fn match_link(room: Room, card: &Json, heading: &str, line: &str, end: &str) -> String {
    let game = card.text("game");
    format!(
        "<a href='#/match/{}' data-game='{}'><span class='mn'>{}</span><span class='tx'><b>{heading}</b><span>{}</span></span>{end}</a>",
        escaped(&card.text("id")),
        escaped(&game),
        picture(room, &game, &card.text("fen")),
        escaped(line),
    )
}

/// One's matches that go on, those with one's turn first: whether it is one's turn, and a link
/// with the rival and the time left.
pub(super) fn going(room: Room, mine: &Json) -> Vec<GoingOnline> {
    let mut cards = mine.list("matches");
    cards.retain(|card| card.text("status") == "playing");
    let going = cards.iter().map(|card| going_link(room, card));
    let (mut going, others): (Vec<_>, Vec<_>) = going.partition(|link| link.is_turn);
    going.extend(others);
    going
}

fn going_link(room: Room, card: &Json) -> GoingOnline {
    let is_turn = card.text("seat") == card.text("turn");
    let rival = match &*card.text("seat") {
        "first" => "second",
        _ => "first",
    };
    let rival = seat_name(room, card, rival);
    let left = card.number("deadline").map(|deadline| {
        let left = (deadline - js_sys::Date::now()).max(0.0);
        left_text(room, left as u64)
    });
    let line = match left {
        Some(left) => format!("{rival} · {left}"),
        None => rival,
    };
    let (class, phrase) = match is_turn {
        true => ("turn", "state.turn"),
        false => ("theirs", "on.their-turn"),
    };
    let end = format!("<span class='{class}'>{}</span>", phrased(room, phrase));
    let name = escaped(&game_name(room, &card.text("game")));
    GoingOnline {
        is_turn,
        html: match_link(room, card, &name, &line, &end),
    }
}
