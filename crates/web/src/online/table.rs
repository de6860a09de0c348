//! The panel beside the board of an online match: the connection, offers, phrases, the result.

use leptos::prelude::*;
use online::{Connection, Event, MatchNotice, OnlineMatch};
use protocol::{ActionName, ClaimAs, MatchStatus, N_PHRASES, OfferKind};
use rules::{Outcome, Player};

use super::{
    Online,
    cards::{AWAY, BUBBLE, WIFI, card, glyph, minutes_text, phrased, rating_text},
    json::Json,
    muting::{block, is_blocked, is_muted, mute},
    time,
};
use crate::{
    driver::Stage,
    html::{Html, escaped},
    icons::{Icon, icon_html},
    panel::{Message, study_address},
    room::{Jump, Room},
    study_route::StudyRoute,
    timer::Timer,
};

/// How long one has to press a second time to resign, in milliseconds.
const SURE_TIME: f64 = 3000.0;

/// The icon for a draw.
const HALF: &str = "<b class='half' aria-hidden='true'>½</b>";

/// The phrases at hand on large screens: well played, one moment.
const QUICK: [u8; 2] = [3, 6];

impl Online {
    /// Returns `f` of the match, or the default without one.
    fn with<T: Default>(self, f: impl FnOnce(&OnlineMatch) -> T) -> T {
        self.hub.current.track();
        self.with_untracked(f)
    }

    /// As [`with`](Self::with), without a subscription.
    pub(super) fn with_untracked<T: Default>(self, f: impl FnOnce(&OnlineMatch) -> T) -> T {
        let (mut f, mut result) = (Some(f), T::default());
        self.visit(&mut |current| {
            if let Some(f) = f.take() {
                result = f(current);
            }
        });
        result
    }

    /// Shows the match to `see`, if there is one. It is not compiled anew for every call.
    #[inline(never)]
    fn visit(self, see: &mut dyn FnMut(&OnlineMatch)) {
        self.hub.current.with_untracked(|current| {
            if let Some(current) = current {
                see(current);
            }
        });
    }

    fn name(self, player: Player) -> String {
        self.room
            .with_session(|session| self.room.seat_name(session, player))
    }

    /// Whether the match is over, and the last move has been seen to happen.
    fn is_over(self) -> bool {
        let is_called_off = self.with(|it| it.status() == Some(MatchStatus::Aborted));
        is_called_off || self.room.driver.outcome().is_some()
    }

    /// Carries out a command of a button.
    fn command(self, command: &str) {
        let (what, number) = command.split_once(' ').unwrap_or((command, ""));
        let number = number.parse::<u64>().ok();
        let answer = |what| Event::Do {
            what,
            of: number,
            phrase: None,
            result: None,
        };
        let claim = |result| Event::Do {
            what: ActionName::Claim,
            of: None,
            phrase: None,
            result: Some(result),
        };
        match what {
            "accept" => self.update(answer(ActionName::Accept)),
            "decline" => self.update(answer(ActionName::Decline)),
            "claim-win" => self.update(claim(ClaimAs::Win)),
            "claim-draw" => self.update(claim(ClaimAs::Draw)),
            "rematch" => self.update(Event::plain(ActionName::Rematch)),
            "read" => self.update(Event::Read),
            "share" => self.room.is_share_open.set(true),
            "say" => self.update(Event::Do {
                what: ActionName::Say,
                of: None,
                phrase: number.map(|n| n as u8),
                result: None,
            }),
            _ => {}
        }
    }
}

/// The card of the connection, while something is wrong with it.
fn connection_card(online: Online) -> String {
    let Online { room, hub } = online;
    if hub.connection.get() == Connection::Connected {
        return String::new();
    }
    let is_over = online.with(OnlineMatch::is_over);
    let pending = online.with(OnlineMatch::pending_notation);
    let clocks = room.driver.clocks.with(Option::is_some) && !is_over;
    let heading = match hub.connection.get() {
        Connection::Offline => "on.offline",
        _ => "on.reconnecting",
    };
    let mut text = match pending {
        Some(m) => room.say_with("on.kept", &[("m", &m)]),
        None => room.say("on.reconnecting.line"),
    };
    if clocks {
        text = format!("{text} {}", room.say("on.clocks-stand"));
    }
    card("net", &glyph(AWAY), &room.say(heading), &text, "")
}

fn notice_card(online: Online) -> String {
    let room = online.room;
    let name = online.with(|it| {
        Some(match it.notice()? {
            MatchNotice::TurnDropped => "on.dropped",
            MatchNotice::TurnRefused(_) => "on.refused.turn",
            MatchNotice::Refused(..) => "on.refused",
        })
    });
    let Some(name) = name else {
        return String::new();
    };
    let close = phrased(room, "do.close");
    let button = format!("<button class='btn' id='read' data-do='read'>{close}</button>");
    card("", "", "", &room.say(name), &button)
}

/// The card of another match that has begun meanwhile.
fn begun_card(online: Online) -> String {
    let Online { room, hub } = online;
    let Some(id) = hub.begun.get() else {
        return String::new();
    };
    let link = format!(
        "<a class='btn' id='begun' href='#/match/{}'>{}</a>",
        escaped(&id),
        phrased(room, "on.begun.open")
    );
    card("", "", &room.say("on.begun"), "", &link)
}

/// The card of an offer, from either side.
fn offer_cards(online: Online) -> String {
    let room = online.room;
    let Some(seat) = online.with(OnlineMatch::seat) else {
        return String::new();
    };
    let is_over = online.with(OnlineMatch::is_over);
    let offers = online.with(|it| it.offers().to_vec());
    let mut html = String::new();
    for offer in offers {
        let name = match offer.what {
            OfferKind::Draw => "draw",
            OfferKind::Takeback => "takeback",
            // The card with the result has it.
            OfferKind::Rematch => continue,
        };
        if is_over {
            continue;
        }
        let of = offer.of;
        let button = |what: &str, phrase: &str| {
            let text = phrased(room, phrase);
            format!("<button class='btn' id='offer-{what}' data-do='{what} {of}'>{text}</button>")
        };
        html += &if Player::from(offer.by) == seat {
            let heading = room.say(&format!("on.offer.{name}.mine"));
            card("own", "", &heading, "", &button("decline", "on.withdraw"))
        } else {
            let who = online.name(!seat);
            let heading = room.say_with(&format!("on.offer.{name}"), &[("who", &who)]);
            let buttons = button("decline", "on.decline") + &button("accept", "on.accept");
            card("", "", &heading, &room.say("on.offer.line"), &buttons)
        };
    }
    html
}

/// The card about a player who is gone, with what may be done about it and when. `waits` is the
/// absence that the player here chose to wait out.
fn away_card(online: Online, waits: RwSignal<Option<u64>>) -> String {
    let Online { room, hub } = online;
    if hub.connection.get() != Connection::Connected || online.with(OnlineMatch::is_over) {
        return String::new();
    }
    let rival = online.with(|it| it.seat().map(|seat| !seat));
    let claim_at = online.with(OnlineMatch::claim_at);
    let Some((rival, claim_at)) = rival.zip(claim_at) else {
        return String::new();
    };
    hub.seconds.track();
    let now = time();
    let since = online.with(OnlineMatch::gone_since).unwrap_or(now);
    let gone = minutes_text(now.saturating_sub(since));
    let left = claim_at.saturating_sub(now).div_ceil(1000);
    let button = |what: &str, phrase: &str, is_open: bool| {
        let text = phrased(room, phrase);
        let disabled = if is_open { "" } else { "disabled" };
        format!("<button class='btn' id='{what}' data-do='{what}' {disabled}>{text}</button>")
    };
    let name = match left {
        _ if waits.get() == Some(claim_at) => "on.away.waiting",
        0 => "on.away.now",
        _ => "on.away.line",
    };
    let line = room.say_with(name, &[("time", &gone), ("n", &left)]);
    let (icon, buttons) = if name == "on.away.waiting" {
        (glyph(AWAY), button("choose", "on.away.choose", true))
    } else {
        let icon = match left {
            0 => glyph(AWAY),
            _ => ring(left, claim_at.saturating_sub(since) / 1000),
        };
        let buttons = button("claim-win", "on.claim.win", left == 0)
            + &button("claim-draw", "on.claim.draw", left == 0)
            + &button("wait", "on.away.wait", true);
        (icon, buttons)
    };
    let heading = room.say_with("on.away", &[("who", &online.name(rival))]);
    card("away", &icon, &heading, &line, &buttons)
}

/// How long there is for a first turn, before the match is called off.
fn first_turn(online: Online) -> String {
    let room = online.room;
    let is_connected = online.hub.connection.get() == Connection::Connected;
    let due = online.with(|it| it.seat().and_then(|_| it.abort_at()));
    let Some(due) = due.filter(|_| is_connected) else {
        return String::new();
    };
    online.hub.seconds.track();
    let left = due.saturating_sub(time()).div_ceil(1000);
    let line = if online.with(OnlineMatch::is_my_turn) {
        room.say_with("on.due", &[("n", &left)])
    } else {
        let rival = online.with(|it| it.seat().map(|seat| !seat));
        let who = rival.map(|rival| online.name(rival)).unwrap_or_default();
        room.say_with("on.due.theirs", &[("who", &who), ("n", &left)])
    };
    format!("<p class='due'>{}</p>", escaped(&line))
}

/// Seconds as a number in a ring that empties.
fn ring(left: u64, whole: u64) -> String {
    format!(
        "<svg class='ring' viewBox='0 0 48 48' aria-hidden='true'><circle cx='24' cy='24' r='21'/><circle class='on' cx='24' cy='24' r='21' pathLength='{}' stroke-dasharray='{left} {whole}' transform='rotate(-90 24 24)'/><text x='24' y='25'>{left}</text></svg>",
        whole.max(1)
    )
}

/// The last phrases of the players.
fn said(online: Online) -> String {
    let room = online.room;
    let version = online.with(|it| it.version().unwrap_or(0));
    let mut html = String::new();
    for player in Player::BOTH {
        let said = online.with(|it| it.said(player));
        let Some((phrase, v)) = said.filter(|(_, v)| v + 2 > version) else {
            continue;
        };
        let is_mine = online.with(OnlineMatch::seat) == Some(player);
        let id = online.with(|it| Some(it.seats()?[player].player.id.clone()));
        if !is_mine && id.is_some_and(|id| is_muted(&id)) {
            continue;
        }
        let who = online.name(player);
        let text = phrased(room, &format!("on.say.{phrase}"));
        let class = if is_mine { "said own" } else { "said" };
        let who = escaped(&who);
        html += &format!(
            "<p class='{class}' data-said='{v}'><span class='sr'>{who}: </span>{text}</p>"
        );
    }
    html
}

/// Whose turn it is, what the other player wants, and the result.
#[component]
pub(crate) fn OnlinePanel(room: Room) -> impl IntoView {
    let online = Online::of(room)?;
    let is_over = Memo::new(move |_| online.is_over());
    let cards = Signal::derive(move || {
        said(online)
            + &connection_card(online)
            + &notice_card(online)
            + &begun_card(online)
            + &offer_cards(online)
    });
    // They count seconds, which nobody wants to hear.
    let waits = RwSignal::new(None);
    let away = Signal::derive(move || first_turn(online) + &away_card(online, waits));
    let on_do = Callback::new(move |command: String| match &*command {
        "wait" => waits.set(untrack(|| online.with(OnlineMatch::claim_at))),
        "choose" => waits.set(None),
        _ => online.command(&command),
    });
    let result = Signal::derive(move || result(online));
    Some(view! {
        <Show when=move || !is_over.get()>
            <Message room=room />
        </Show>
        <Html class="onp" role="status" html=cards on_do=on_do />
        <Html class="onp" html=away on_do=on_do />
        <Show when=move || is_over.get()>
            <Html class="res onres" role="status" html=result on_do=on_do />
        </Show>
    })
}

/// The card with the result.
fn result(online: Online) -> String {
    let room = online.room;
    let seat = online.with(OnlineMatch::seat);
    let outcome = room.driver.outcome();
    let (heading, class) = match outcome {
        Some(Outcome::Win(winner)) => {
            let class = match winner {
                Player::First => "p1",
                Player::Second => "p2",
            };
            if seat == Some(winner) {
                (room.say("state.you-win"), class)
            } else {
                let who = online.name(winner);
                (room.say_with("state.wins", &[("who", &who)]), class)
            }
        }
        Some(Outcome::Draw) => (room.say("state.draw"), ""),
        None => (room.say("on.aborted"), ""),
    };
    let reason = online.with(|it| it.reason().to_owned());
    let words = room.settings.words.get();
    let verdict = room.with_session(|session| session.table().verdict(&words));
    let detail = match &*reason {
        "claim" | "abort" => room.say(&format!("on.reason.{reason}")),
        _ => verdict.unwrap_or_default(),
    };
    let mut html = format!(
        "<h2 class='{class}' tabindex='-1'>{}</h2><div class='why'><p>{}</p>{}</div><div class='two'>",
        escaped(&heading),
        escaped(&detail),
        rating_row(online, seat)
    );
    if let Some(seat) = seat {
        html += &rematch_button(online, seat);
    }
    if outcome.is_some() {
        let review = study_address(room, StudyRoute::review);
        html += &format!(
            "<a class='btn' id='review' href='{}'>{}</a><button class='btn' id='share-result' data-do='share'>{}</button>",
            escaped(&review),
            phrased(room, "study.review"),
            phrased(room, "share.title")
        );
    }
    html += &format!(
        "<a class='btn' id='to-play' href='#/play'>{}</a></div>",
        phrased(room, "online.title")
    );
    html
}

/// The change of rating by the match.
fn rating_row(online: Online, seat: Option<Player>) -> String {
    let row = online.with(|it| {
        let info = it.seats()?[seat?].clone();
        let change = info.change?;
        let sign = if change < 0 { "▼" } else { "▲" };
        let class = if change < 0 { "down" } else { "up" };
        // It is the one after the match.
        let rating = info.rating?;
        Some(format!(
            "<p class='rate'><b>{rating}</b> <span class='{class}'>{sign} {}</span></p>",
            change.abs()
        ))
    });
    row.unwrap_or_default()
}

fn rematch_button(online: Online, seat: Player) -> String {
    let room = online.room;
    let next = online.with(|it| it.rematch().map(str::to_owned));
    if let Some(next) = next {
        let text = phrased(room, "on.rematch.go");
        return format!("<a class='btn pri' id='next' href='#/match/{next}'>{text}</a>");
    }
    let theirs = online.with(|it| it.offer_of(!seat, OfferKind::Rematch));
    let mine = online.with(|it| it.offer_of(seat, OfferKind::Rematch));
    let who = online.name(!seat);
    let (command, text, note, disabled) = match (theirs, mine) {
        (Some(offer), _) => (
            format!("accept {}", offer.of),
            room.say("on.rematch"),
            room.say_with("on.rematch.theirs", &[("who", &who)]),
            "",
        ),
        (None, Some(_)) => (
            String::new(),
            room.say("on.rematch.asked"),
            room.say_with("on.rematch.wait", &[("who", &who)]),
            "disabled",
        ),
        (None, None) => (
            "rematch".to_owned(),
            room.say("on.rematch"),
            room.say("do.again.swapped"),
            "",
        ),
    };
    format!(
        "<button class='btn pri' id='rematch' data-do='{command}' {disabled}><span>{}<small>{}</small></span></button>",
        escaped(&text),
        escaped(&note)
    )
}

/// The rating of a player, and how the connection is.
#[component]
pub(crate) fn OnlineSeat(room: Room, player: Player) -> impl IntoView {
    let online = Online::of(room)?;
    let html = Signal::derive(move || {
        let rating = online.with(|it| it.seats().map(|seats| rating_text(&seats[player])));
        let is_mine = online.with(OnlineMatch::seat) == Some(player);
        let connection = online.hub.connection.get();
        let is_here = online.with(|it| it.is_here(player));
        let (path, text) = match connection {
            Connection::Connected if is_here || is_mine => (WIFI, None),
            Connection::Connected => (AWAY, Some("on.state.away")),
            _ if is_mine => (AWAY, online.trouble_name()),
            // Nothing is known of others.
            _ => ("", None),
        };
        if path.is_empty() {
            return format!("<span class='rt'>{}</span>", rating.unwrap_or_default());
        }
        let words = text.map(|name| phrased(room, name)).unwrap_or_default();
        let name = phrased(room, text.unwrap_or("on.state.connected"));
        format!(
            "<span class='rt'>{}</span><span class='net{}' role='img' aria-label='{name}'>{}<span>{words}</span></span>",
            rating.unwrap_or_default(),
            if text.is_some() { " bad" } else { "" },
            glyph(path)
        )
    });
    Some(view! { <Html class="onseat" html=html /> })
}

/// What the player here was asked about once, and may still be sure of.
type Asked = RwSignal<Option<ActionName>>;

/// The way to end the match that is left.
fn giving_up(online: Online) -> ActionName {
    match online.with(OnlineMatch::can_abort) {
        true => ActionName::Abort,
        false => ActionName::Resign,
    }
}

/// The buttons below the moves: back, pass, take back, draw, phrases, resign or share.
fn controls(online: Online, asked: Asked) -> String {
    let room = online.room;
    let button = |id: &str, name: &str, content: &str, is_open: bool| {
        let name = phrased(room, name);
        let disabled = if is_open { "" } else { "disabled" };
        format!(
            "<button class='ib' id='{id}' data-do='{id}' title='{name}' aria-label='{name}' {disabled}>{content}</button>"
        )
    };
    let is_connected = online.hub.connection.get() == Connection::Connected;
    let seat = online.with(OnlineMatch::seat);
    let is_playing = seat.is_some() && !online.with(OnlineMatch::is_over);
    let can_step_back =
        room.with_session(|session| Room::jump_target(session, Jump::Back).is_some());
    let mut html = button(
        "step-back",
        "past.back",
        &icon_html(Icon::Back),
        can_step_back,
    );
    let what = giving_up(online);
    if is_playing {
        let can_undo = can_undo_here(room);
        let name = if can_undo { "do.undo" } else { "on.takeback" };
        let can_ask = is_connected && online.with(OnlineMatch::can_ask_back);
        let has_asked = |seat| online.with(|it| it.offer_of(seat, OfferKind::Draw).is_some());
        let can_draw = is_connected && what == ActionName::Resign && !seat.is_some_and(has_asked);
        html += &pass_button(room);
        html += &button("undo", name, &icon_html(Icon::Undo), can_undo || can_ask);
        html += &button("draw", "on.draw", HALF, can_draw);
    }
    if seat.is_some() {
        let name = phrased(room, "on.say");
        let disabled = if is_connected { "" } else { "disabled" };
        html += &format!(
            "<button class='ib' id='say' title='{name}' aria-label='{name}' popovertarget='say-menu' {disabled}>{}</button>",
            glyph(BUBBLE)
        );
    }
    if !is_playing {
        return html + &button("share", "share.title", &icon_html(Icon::Share), true);
    }
    let is_sure = asked.get() == Some(what);
    let (icon, name) = match (what, is_sure) {
        (ActionName::Abort, false) => (Icon::Close, "on.abort"),
        (ActionName::Abort, true) => (Icon::Close, "on.abort.sure"),
        (_, false) => (Icon::Flag, "do.resign"),
        (_, true) => (Icon::Flag, "do.resign.sure"),
    };
    let mut content = icon_html(icon);
    if is_sure {
        let text = phrased(room, name);
        content += &format!("<span class='tip' role='status'>{text}</span>");
    }
    let button = button("resign", name, &content, is_connected);
    html + &match is_sure {
        true => button.replacen("'ib'", "'ib sure'", 1),
        false => button,
    }
}

/// Whether a step inside of one's own turn can be taken back.
fn can_undo_here(room: Room) -> bool {
    room.with_session(|session| session.sitting.can_take_back())
}

/// Passes, in games and positions that know it.
fn pass_button(room: Room) -> String {
    let is_waiting = room.driver.stage() == Some(Stage::Waiting);
    let (can_pass, has_pass, must_pass) = room.with_session(|session| {
        let can_pass = is_waiting && session.sitting.may_act() && session.table().pass().is_some();
        let has_pass = can_pass || session.game.presentation().always_shows_pass;
        (can_pass, has_pass, session.table().must_pass())
    });
    if !has_pass {
        return String::new();
    }
    format!(
        "<button class='ib w{}' id='pass' data-do='pass' data-target='pass' {}>{}{}</button>",
        if must_pass { " must" } else { "" },
        if can_pass { "" } else { "disabled" },
        icon_html(Icon::Pass),
        phrased(room, "do.pass")
    )
}

/// The phrases to say, and what may be done about the other player: those without an account have
/// no page where it could be.
fn phrases(room: Room, is_muted: bool, is_blocked: bool) -> String {
    let toggle = |what: &str, is_on: bool, phrase: &str| {
        let text = phrased(room, phrase);
        format!("<button class='btn' data-do='{what}' aria-pressed='{is_on}'>{text}</button>")
    };
    let mute = if is_muted { "on.unmute" } else { "on.mute" };
    let block = if is_blocked { "on.unblock" } else { "on.block" };
    let phrases: String = (0..N_PHRASES).map(|n| phrase_button(room, n)).collect();
    phrases + "<hr>" + &toggle("mute", is_muted, mute) + &toggle("block", is_blocked, block)
}

fn phrase_button(room: Room, n: u8) -> String {
    let text = phrased(room, &format!("on.say.{n}"));
    format!("<button class='btn' data-do='say {n}'>{text}</button>")
}

/// The number of clicks in the current row of clicks: 2 for the second of a double click.
fn n_clicks() -> u64 {
    let event = Json(window().into()).get("event");
    event.map_or(0, |event| event.count("detail"))
}

/// The buttons below the moves.
#[component]
pub(crate) fn OnlineControls(room: Room) -> impl IntoView {
    let online = Online::of(room)?;
    // It may have become something else since.
    let asked: Asked = RwSignal::new(None);
    let end = Timer::new();
    on_cleanup(move || end.stop());
    let give_up = move || {
        let what = untrack(|| giving_up(online));
        let is_again = asked.get_untracked() == Some(what);
        // A double click is one press.
        if is_again && n_clicks() < 2 {
            end.stop();
            asked.set(None);
            online.update(Event::plain(what));
        } else {
            asked.set(Some(what));
            end.start(SURE_TIME, move || asked.set(None));
        }
    };
    let muted = RwSignal::new(false);
    let blocked = RwSignal::new(false);
    let rival =
        Memo::new(move |_| online.with(|it| Some(it.seats()?[!it.seat()?].player.id.clone())));
    Effect::new(move |_| {
        let is_known = |f: &dyn Fn(&str) -> bool| rival.with(|id| id.as_deref().is_some_and(f));
        muted.set(is_known(&is_muted));
        blocked.set(is_known(&|id| is_blocked(online, id)));
    });
    let on_do = Callback::new(move |command: String| match &*command {
        "step-back" => room.look(Jump::Back),
        "pass" => room
            .driver
            .dispatch(play::Event::Activate("pass".to_owned())),
        "undo" if untrack(|| can_undo_here(room)) => {
            room.driver.dispatch(play::Event::TakeBack);
        }
        "undo" => online.update(Event::plain(ActionName::Takeback)),
        "draw" => online.update(Event::plain(ActionName::Draw)),
        "resign" => give_up(),
        "mute" | "block" => {
            let id = rival.get_untracked().unwrap_or_default();
            let shown = if command == "mute" { muted } else { blocked };
            let is_on = !shown.get_untracked();
            shown.set(is_on);
            match command == "mute" {
                true => mute(&id, is_on),
                false => block(online, &id, is_on),
            }
        }
        _ => {
            online.command(&command);
            if let Some(menu) = crate::app::find("#say-menu:popover-open") {
                menu.hide_popover().ok();
            }
        }
    });
    let quick = Signal::derive(move || match online.with(OnlineMatch::seat) {
        Some(_) => QUICK.map(|n| phrase_button(room, n)).concat(),
        None => String::new(),
    });
    let buttons = Signal::derive(move || controls(online, asked));
    let all = Signal::derive(move || phrases(room, muted.get(), blocked.get()));
    Some(view! {
        <Html class="quick" html=quick on_do=on_do />
        <Html class="ct onct" html=buttons on_do=on_do />
        <div class="menu says" id="say-menu" popover="auto">
            <Html class="list" html=all on_do=on_do />
        </div>
    })
}
