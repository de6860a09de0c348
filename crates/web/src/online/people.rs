//! Players: their ratings and matches, one's own archive, the leaderboards.

use leptos::{prelude::*, task::spawn_local};
use protocol::Speed;

use super::{
    Online,
    accounts::MATCHES_EXPORT,
    cards::{game_mark, game_name, match_row, phrased, player_address, seat_name},
    http::call,
    json::Json,
    muting::{block, is_muted, mute},
};
use crate::{
    html::{Html, escaped},
    online_state::Identity,
    room::Room,
    rooms::{Header, Tabs, Trouble},
};

/// The answer to a request, once it is there.
type Answer = RwSignal<Option<Result<Json, u16>>, LocalStorage>;

fn ask(path: String, answer: Answer) {
    spawn_local(async move {
        let json = call("GET", &path, None).await;
        answer.try_set(Some(json.map_err(|failure| failure.status)));
    });
}

/// Letters for the result of a match that `seat` played.
fn result_badge(room: Room, card: &Json, seat: &str) -> String {
    let (key, class) = match (&*card.text("result"), seat) {
        ("draw", _) => ("drawn", "d"),
        ("p1win", "first") | ("p2win", "second") => ("won", "w"),
        ("p1win" | "p2win", _) => ("lost", "l"),
        _ => return String::new(),
    };
    format!(
        "<i class='wl {class}'>{}</i>",
        phrased(room, &format!("on.badge.{key}"))
    )
}

/// A list of finished matches of a player, with their result for that player.
fn archive(room: Room, cards: &[Json]) -> String {
    let mut html = "<ul class='ml'>".to_owned();
    for card in cards {
        let own = card.text("seat");
        let rival = if own == "first" { "second" } else { "first" };
        let rival = seat_name(room, card, rival);
        let heading = format!(
            "{}{}",
            result_badge(room, card, &own),
            escaped(&game_name(room, &card.text("game")))
        );
        let ended = card.number("ended").or_else(|| card.number("created"));
        let date = js_sys::Date::new(&ended.unwrap_or(0.0).into());
        let language = room.settings.language.get().tag();
        let date = String::from(date.to_locale_date_string(language, &js_sys::Object::new()));
        let line = format!("{rival} · {date}");
        let seat = card.get("seats").and_then(|seats| seats.get(&own));
        let end = match seat.and_then(|seat| seat.number("change")) {
            Some(change) if change < 0.0 => format!("<b>−{}</b>", -change),
            Some(change) => format!("<b>+{change}</b>"),
            None if card.is("rated") => String::new(),
            None => format!("<small>{}</small>", phrased(room, "on.casual")),
        };
        html += &match_row(room, card, &heading, &line, &end);
    }
    html + "</ul>"
}

/// The cards with the ratings of a player.
fn ratings(room: Room, json: &Json) -> String {
    let all = json.list("ratings");
    let mut html = String::new();
    for game in catalog::GAMES {
        let name = game.name();
        html += &format!(
            "<section class='oc rc'><p>{}{}</p>",
            game_mark(name),
            escaped(&game_name(room, name))
        );
        if game.is_solved() {
            html += &format!(
                "<b>{}</b><small>{}</small></section>",
                phrased(room, "on.casual.title"),
                phrased(room, "on.casual.line")
            );
            continue;
        }
        let of_game: Vec<_> = all.iter().filter(|it| it.text("game") == name).collect();
        if of_game.is_empty() {
            html += &format!("<b>–</b><small>{}</small>", phrased(room, "on.unrated"));
        }
        for rating in of_game {
            let doubt = if rating.is("provisional") { "?" } else { "" };
            let spread = if rating.is("provisional") {
                room.say("on.provisional")
            } else {
                format!("± {}", rating.count("spread"))
            };
            html += &format!(
                "<b>{}{doubt}</b><small>{} · {}</small>",
                rating.count("rating"),
                escaped(&speed_name(room, &rating.text("speed"))),
                escaped(&spread)
            );
            html += &graph(room, json, name, &rating.text("speed"));
        }
        html += "</section>";
    }
    html
}

/// A rating over the last matches, as a line with its end marked, and in words for those who can't see
/// it. One match makes no line.
fn graph(room: Room, json: &Json, game: &str, speed: &str) -> String {
    /// Matches that are shown.
    const MOST: usize = 30;
    const WIDTH: usize = 240;
    const HEIGHT: f64 = 60.0;
    /// The least that the height stands for, so that small changes look small.
    const LEAST: f64 = 40.0;
    let points = json.list("history").into_iter();
    let points = points.filter(|it| it.text("game") == game && it.text("speed") == speed);
    let mut points: Vec<_> = points.filter_map(|it| it.number("rating")).collect();
    points.drain(..points.len().saturating_sub(MOST));
    let [first, .., last] = points[..] else {
        return String::new();
    };
    let low = points.iter().copied().fold(first, f64::min);
    let high = points.iter().copied().fold(first, f64::max);
    let scale = HEIGHT / (high - low).max(LEAST);
    let top = (HEIGHT - (high - low) * scale) / 2.0;
    let n = points.len();
    let place = |(i, rating): (usize, &f64)| {
        let y = top + (high - rating) * scale;
        (6 + i * (WIDTH - 12) / (n - 1), 6 + y as usize)
    };
    let places: Vec<_> = points.iter().enumerate().map(place).collect();
    let line: String = places.iter().map(|(x, y)| format!("{x},{y} ")).collect();
    let (x, y) = places[n - 1];
    let text = room.say_with(
        "on.graph",
        &[
            ("n", &n),
            ("a", &first),
            ("b", &last),
            ("low", &low),
            ("high", &high),
        ],
    );
    format!(
        "<svg class='rg' viewBox='0 0 240 72' role='img' aria-label='{}'><polyline points='{line}'/><circle cx='{x}' cy='{y}' r='6'/></svg>",
        escaped(&text)
    )
}

fn speed_name(room: Room, speed: &str) -> String {
    let key = match speed {
        "3+2" | "blitz" => "blitz",
        "10+5" | "rapid" => "rapid",
        _ => "daily",
    };
    room.say(&format!("on.pace.{key}"))
}

/// Somebody's page.
#[component]
pub(super) fn Profile(online: Online, name: String) -> impl IntoView {
    let room = online.room;
    let name = js_sys::decode_uri_component(&name).map_or(name, String::from);
    let answer: Answer = RwSignal::new_local(None);
    ask(
        format!(
            "/api/players/{}",
            String::from(js_sys::encode_uri_component(&name))
        ),
        answer,
    );
    let id = move || {
        answer.with(|it| match it {
            Some(Ok(json)) => json.get("player").map(|player| player.text("id")),
            _ => None,
        })
    };
    let (muted, blocked) = (RwSignal::new(false), RwSignal::new(false));
    Effect::new(move |_| {
        muted.set(id().is_some_and(|id| is_muted(&id)));
        let is_blocked = answer.with(|it| matches!(it, Some(Ok(json)) if json.is("blocked")));
        blocked.set(is_blocked);
    });
    let on_do = Callback::new(move |command: String| {
        let Some(id) = untrack(id) else {
            return;
        };
        let shown = if command == "mute" { muted } else { blocked };
        let is_on = !shown.get_untracked();
        shown.set(is_on);
        match &*command {
            "mute" => mute(&id, is_on),
            _ => block(online, &id, is_on),
        }
    });
    let html = Signal::derive(move || {
        answer.with(|answer| match answer {
            Some(Ok(json)) => profile(online, json, muted.get(), blocked.get()),
            _ => "<i class='ghost'></i><i class='ghost'></i>".to_owned(),
        })
    });
    let failure = Memo::new(move |_| {
        answer.with(|it| match it {
            Some(Err(status)) => Some(*status),
            _ => None,
        })
    });
    move || {
        if let Some(status) = failure.get() {
            let name = match status {
                404 => "on.player.unknown",
                _ => "on.offline.long",
            };
            return view! { <Trouble room=room name=name /> }.into_any();
        }
        view! {
            <div class="home online">
                <Header room=room />
                <main class="profile">
                    <Html class="who" html=html on_do=on_do />
                    <Leaderboard online=online />
                </main>
                <Tabs room=room />
            </div>
        }
        .into_any()
    }
}

fn profile(online: Online, json: &Json, is_muted: bool, is_blocked: bool) -> String {
    let room = online.room;
    let player = json.get("player").unwrap_or_else(|| json.clone());
    let name = player.text("name");
    let date = js_sys::Date::new(&json.number("since").unwrap_or(0.0).into());
    let language = room.settings.language.get().tag();
    let since = String::from(date.to_locale_date_string(language, &js_sys::Object::new()));
    let n: u64 = json.list("ratings").iter().map(|it| it.count("n")).sum();
    let is_me = matches!(online.hub.me.get(), Identity::Player { name: mine, .. } if mine == name);
    let buttons = if is_me {
        String::new()
    } else {
        let button = |id: &str, is_on: bool, phrase: &str| {
            format!(
                "<button class='btn' id='{id}' data-do='{id}' aria-pressed='{is_on}'>{}</button>",
                phrased(room, phrase)
            )
        };
        let mute = if is_muted { "on.unmute" } else { "on.mute" };
        let block = if is_blocked { "on.unblock" } else { "on.block" };
        button("mute", is_muted, mute) + &button("block", is_blocked, block)
    };
    let recent = json.list("matches");
    let matches = if recent.is_empty() {
        format!("<p class='note'>{}</p>", phrased(room, "on.games.none"))
    } else {
        archive(room, &recent)
    };
    format!(
        "<div class='hd'><div><h1>{}</h1><p>{}</p></div><span class='sp'></span>{buttons}</div><div class='rcs'>{}</div><section class='oc'><h2>{}</h2>{matches}</section>",
        escaped(&name),
        escaped(&room.say_with("on.since", &[("date", &since), ("n", &n)])),
        ratings(room, json),
        phrased(room, "on.recent"),
    )
}

/// The best of a game and a speed, and where one stands.
#[component]
fn Leaderboard(online: Online) -> impl IntoView {
    let room = online.room;
    let rated = catalog::GAMES.into_iter().filter(|game| !game.is_solved());
    let rated: Vec<_> = rated.map(|game| game.name()).collect();
    let game = RwSignal::new(rated.first().copied().unwrap_or_default().to_owned());
    let speed = RwSignal::new(Speed::Rapid.name().to_owned());
    let answer: Answer = RwSignal::new_local(None);
    Effect::new(move |_| {
        let encoded = String::from(js_sys::encode_uri_component(&speed.get()));
        ask(
            format!("/api/leaderboard?game={}&speed={encoded}", game.get()),
            answer,
        );
    });
    let on_do = Callback::new(move |command: String| match command.split_once(' ') {
        Some(("game", name)) => game.set(name.to_owned()),
        Some(("speed", name)) => speed.set(name.to_owned()),
        _ => {}
    });
    let html = Signal::derive(move || {
        let mut html = format!(
            "<div class='hd'><h2>{}</h2><div class='seg' role='group'>",
            phrased(room, "on.leaders")
        );
        for name in &rated {
            let is_on = game.with(|game| game == name);
            html += &format!(
                "<button class='sgb{}' id='lead-{name}' data-do='game {name}' aria-pressed='{is_on}' aria-label='{}'>{}</button>",
                if is_on { " on" } else { "" },
                escaped(&game_name(room, name)),
                game_mark(name)
            );
        }
        html += "</div></div><div class='seg' role='group'>";
        for one in Speed::ALL {
            let is_on = speed.with(|speed| speed == one.name());
            html += &format!(
                "<button class='sgb{}' data-do='speed {}' aria-pressed='{is_on}'><span>{}</span></button>",
                if is_on { " on" } else { "" },
                one.name(),
                escaped(&speed_name(room, one.name()))
            );
        }
        html += "</div>";
        html += &answer.with(|answer| match answer {
            Some(Ok(json)) => leaders(online, json),
            Some(Err(_)) => String::new(),
            None => "<i class='ghost'></i>".to_owned(),
        });
        html + &format!("<p class='note'>{}</p>", phrased(room, "on.leaders.line"))
    });
    view! { <Html class="oc leaders" html=html on_do=on_do /> }
}

fn leaders(online: Online, json: &Json) -> String {
    let room = online.room;
    let players = json.list("players");
    let row = |player: &Json, class: &str, after: &str| {
        let name = player.text("name");
        format!(
            "<li class='{class}'><i>{}</i><a href='{}'>{}</a>{after}<b>{}{}</b></li>",
            player
                .number("rank")
                .map(|rank| rank.to_string())
                .unwrap_or_default(),
            escaped(&player_address(&name)),
            escaped(&name),
            player.count("rating"),
            if player.is("provisional") { "?" } else { "" }
        )
    };
    let you = json.get("you");
    let own = match online.hub.me.get() {
        Identity::Player { name, .. } => Some(name),
        _ => None,
    };
    let note = format!(" <small>{}</small>", phrased(room, "on.you"));
    let mut html = "<ol>".to_owned();
    if players.is_empty() {
        html += &format!("<li class='note'>{}</li>", phrased(room, "on.leaders.none"));
    }
    for player in players.iter().take(10) {
        let is_you = Some(player.text("name")) == own;
        html += &row(
            player,
            if is_you { "you" } else { "" },
            if is_you { &note } else { "" },
        );
    }
    if let Some(you) = you {
        html += &row(&you, "you far", &note);
    }
    html + "</ol>"
}

/// One's finished matches, and the leaderboards.
#[component]
pub(super) fn Games(online: Online) -> impl IntoView {
    let Online { room, hub } = online;
    let answer: Answer = RwSignal::new_local(None);
    let cards = RwSignal::new_local(Vec::<Json>::new());
    ask("/api/me/matches".to_owned(), answer);
    Effect::new(move |_| {
        let more = answer.with(|it| match it {
            Some(Ok(json)) => json.list("matches"),
            _ => Vec::new(),
        });
        cards.update(|cards| {
            // Whoever presses twice gets two answers.
            let is_new = |card: &Json| cards.iter().all(|it| it.text("id") != card.text("id"));
            let more: Vec<_> = more.into_iter().filter(is_new).collect();
            cards.extend(more);
        });
    });
    let on_do = Callback::new(move |command: String| {
        if command == "more" {
            let last = cards.with_untracked(|cards| Some(cards.last()?.text("id")));
            if let Some(last) = last {
                ask(format!("/api/me/matches?before={last}"), answer);
            }
        }
    });
    let html = Signal::derive(move || {
        let is_asked = answer.with(Option::is_some);
        // Somebody whom the server does not know has no matches.
        let is_lost = answer.with(|it| matches!(it, Some(Err(status)) if *status != 401));
        let none = if is_lost {
            "on.offline.long"
        } else {
            "on.games.none"
        };
        let heading = phrased(room, "on.games");
        let list = cards.with(|cards| match (cards.is_empty(), is_asked) {
            (true, false) => "<i class='ghost'></i><i class='ghost'></i>".to_owned(),
            (true, true) => format!("<p class='note'>{}</p>", phrased(room, none)),
            (false, _) => archive(room, cards),
        });
        let has_more =
            answer.with(|it| matches!(it, Some(Ok(json)) if json.list("matches").len() >= 24));
        let more = phrased(room, "on.more");
        let more = match has_more {
            true => format!("<button class='btn' id='more' data-do='more'>{more}</button>"),
            false => String::new(),
        };
        let export = match hub.me.get() {
            Identity::Player { .. } => {
                let (path, file, name) = MATCHES_EXPORT;
                let text = phrased(room, name);
                format!("<a class='link' href='/api/me/{path}' download='{file}'>{text}</a>")
            }
            _ => String::new(),
        };
        format!("<div class='hd'><h1>{heading}</h1>{export}</div>{list}{more}")
    });
    view! {
        <div class="home online">
            <Header room=room />
            <main class="profile">
                <Html class="oc" html=html on_do=on_do />
                <Leaderboard online=online />
            </main>
            <Tabs room=room />
        </div>
    }
}
