//! The panel beside the board of an online match: the connection, offers, phrases, the result.

use leptos::{ev, prelude::*};
use online::{Connection, Event, MatchNotice, OnlineMatch};
use protocol::{ActionName, ClaimAs, MatchStatus, N_PHRASES, OfferKind};
use rules::{Outcome, Player};

use super::{
    Online,
    cards::{AWAY, BUBBLE, WIFI, card, glyph, minutes_text, rating_text},
    json::Json,
    people::{block, mute},
    time,
};
use crate::{
    controls::{PassButton, ShareButton},
    device::stored,
    html::{Html, escaped},
    icons::{Icon, IconButton, icon},
    panel::{Message, study_address},
    room::{Jump, Room},
    study_route::StudyRoute,
    timer::Timer,
};

/// How long one has to press a second time to resign, in milliseconds.
const SURE_TIME: f64 = 3000.0;

/// The phrases at hand on large screens: well played, one moment.
const QUICK: [u8; 2] = [3, 6];

impl Online {
    /// Returns `f` of the match, or the default without one.
    fn with<T: Default>(self, f: impl FnOnce(&OnlineMatch) -> T) -> T {
        self.hub
            .current
            .with(|current| current.as_ref().map(f).unwrap_or_default())
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
    let close = escaped(&room.say("do.close"));
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
        escaped(&room.say("on.begun.open"))
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
            let text = escaped(&room.say(phrase));
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
        let text = escaped(&room.say(phrase));
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
        let who = online.name(player);
        if !is_mine && is_muted(&who) {
            continue;
        }
        let text = escaped(&room.say(&format!("on.say.{phrase}")));
        let class = if is_mine { "said own" } else { "said" };
        let who = escaped(&who);
        html += &format!(
            "<p class='{class}' data-said='{v}'><span class='sr'>{who}: </span>{text}</p>"
        );
    }
    html
}

/// Whether phrases of this player are hidden on this device.
pub(super) fn is_muted(name: &str) -> bool {
    let muted = stored("muted").unwrap_or_default();
    muted.lines().any(|muted| muted == name)
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
    // It counts seconds, which nobody wants to hear.
    let waits = RwSignal::new(None);
    let away = Signal::derive(move || away_card(online, waits));
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
            escaped(&room.say("study.review")),
            escaped(&room.say("share.title"))
        );
    }
    html += &format!(
        "<a class='btn' id='to-play' href='#/play'>{}</a></div>",
        escaped(&room.say("online.title"))
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
        let text = escaped(&room.say("on.rematch.go"));
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
        let words = text
            .map(|name| escaped(&room.say(name)))
            .unwrap_or_default();
        let name = escaped(&room.say(text.unwrap_or("on.state.connected")));
        format!(
            "<span class='rt'>{}</span><span class='net{}' role='img' aria-label='{name}'>{}<span>{words}</span></span>",
            rating.unwrap_or_default(),
            if text.is_some() { " bad" } else { "" },
            glyph(path)
        )
    });
    Some(view! { <Html class="onseat" html=html /> })
}

/// The buttons below the moves: pass, take back, draw, phrases, resign.
#[component]
pub(crate) fn OnlineControls(room: Room) -> impl IntoView {
    let online = Online::of(room)?;
    let is_over = Memo::new(move |_| online.with(OnlineMatch::is_over));
    let is_player = Memo::new(move |_| online.with(OnlineMatch::seat).is_some());
    let is_connected = Memo::new(move |_| online.hub.connection.get() == Connection::Connected);
    let can_step_back =
        move || room.with_session(|session| Room::jump_target(session, Jump::Back).is_some());
    let can_undo_here = move || room.with_session(|session| session.sitting.can_take_back());
    let can_ask = move || is_connected.get() && online.with(OnlineMatch::can_ask_back);
    let undo = move || {
        if untrack(can_undo_here) {
            room.driver.dispatch(play::Event::TakeBack);
        } else {
            online.update(Event::plain(ActionName::Takeback));
        }
    };
    let undo_name = move || {
        room.say(if can_undo_here() {
            "do.undo"
        } else {
            "on.takeback"
        })
    };
    let can_abort = Memo::new(move |_| online.with(OnlineMatch::can_abort));
    let can_draw = move || {
        is_connected.get()
            && !can_abort.get()
            && online.with(|it| {
                let seat = it.seat();
                seat.is_some_and(|seat| it.offer_of(seat, OfferKind::Draw).is_none())
            })
    };
    // What was asked for once. It may have become something else since.
    let asked = RwSignal::new(None::<ActionName>);
    let what = move || match can_abort.get() {
        true => ActionName::Abort,
        false => ActionName::Resign,
    };
    let is_sure = Memo::new(move |_| asked.get() == Some(what()));
    let end = Timer::new();
    on_cleanup(move || end.stop());
    let give_up = move |event: ev::MouseEvent| {
        let what = untrack(what);
        let is_again = asked.get_untracked() == Some(what);
        // A double click is one press.
        let n_clicks = Json(event.into()).count("detail");
        if is_again && n_clicks < 2 {
            end.stop();
            asked.set(None);
            online.update(Event::plain(what));
        } else {
            asked.set(Some(what));
            end.start(SURE_TIME, move || asked.set(None));
        }
    };
    let give_up_text = move || {
        room.say(match (can_abort.get(), is_sure.get()) {
            (true, false) => "on.abort",
            (true, true) => "on.abort.sure",
            (false, false) => "do.resign",
            (false, true) => "do.resign.sure",
        })
    };
    let on_do = Callback::new(move |command: String| {
        online.command(&command);
        if let Some(menu) = crate::app::find("#say-menu:popover-open") {
            menu.hide_popover().ok();
        }
    });
    let say_button = move |n: u8| {
        let text = escaped(&room.say(&format!("on.say.{n}")));
        format!("<button class='btn' data-do='say {n}'>{text}</button>")
    };
    let quick = Signal::derive(move || QUICK.map(say_button).concat());
    // Those without an account have no page where this could be done.
    let muted = RwSignal::new(false);
    let blocked = RwSignal::new(false);
    let rival = move || online.with(|it| Some(it.seats()?[!it.seat()?].player.clone()));
    Effect::new(move |_| muted.set(rival().is_some_and(|rival| is_muted(&rival.name))));
    let on_say = Callback::new(move |command: String| {
        let (id, name) = untrack(rival).map_or_else(Default::default, |it| (it.id, it.name));
        match &*command {
            "mute" => {
                muted.update(|muted| *muted = !*muted);
                mute(&name, muted.get_untracked());
            }
            "block" => {
                blocked.update(|blocked| *blocked = !*blocked);
                block(online, &id, blocked.get_untracked());
            }
            _ => on_do.run(command),
        }
    });
    let all = Signal::derive(move || {
        let toggle = |what: &str, is_on: bool, phrase: &str| {
            let text = escaped(&room.say(phrase));
            format!("<button class='btn' data-do='{what}' aria-pressed='{is_on}'>{text}</button>")
        };
        let mute = if muted.get() { "on.unmute" } else { "on.mute" };
        let block = if blocked.get() {
            "on.unblock"
        } else {
            "on.block"
        };
        (0..N_PHRASES).map(say_button).collect::<String>()
            + "<hr>"
            + &toggle("mute", muted.get(), mute)
            + &toggle("block", blocked.get(), block)
    });
    let is_playing = move || is_player.get() && !is_over.get();
    Some(view! {
        <Show when=move || is_player.get()>
            <Html class="quick" html=quick on_do=on_do />
        </Show>
        <div class="ct onct">
            <IconButton
                id="step-back"
                name=Signal::derive(room.text("past.back"))
                kind=Icon::Back
                is_disabled=Signal::derive(move || !can_step_back())
                on_press=move || room.look(Jump::Back)
            />
            <Show when=is_playing>
                <PassButton room=room />
                <IconButton
                    id="undo"
                    name=Signal::derive(undo_name)
                    kind=Icon::Undo
                    is_disabled=Signal::derive(move || !can_undo_here() && !can_ask())
                    on_press=undo
                />
                <button
                    class="ib"
                    id="draw"
                    title=room.text("on.draw")
                    aria-label=room.text("on.draw")
                    disabled=move || !can_draw()
                    on:click=move |_| online.update(Event::plain(ActionName::Draw))
                >
                    <b class="half" aria-hidden="true">"½"</b>
                </button>
            </Show>
            <Show when=move || is_player.get()>
                <button
                    class="ib"
                    id="say"
                    title=room.text("on.say")
                    aria-label=room.text("on.say")
                    disabled=move || !is_connected.get()
                    popovertarget="say-menu"
                    inner_html=glyph(BUBBLE)
                ></button>
                <div class="menu says" id="say-menu" popover="auto">
                    <Html class="list" html=all on_do=on_say />
                </div>
            </Show>
            <Show when=is_playing fallback=move || view! {
                <ShareButton room=room />
            }>
                <button
                    class="ib"
                    id="resign"
                    class:sure=move || is_sure.get()
                    title=give_up_text
                    aria-label=give_up_text
                    disabled=move || !is_connected.get()
                    on:click=give_up
                >
                    {move || icon(if can_abort.get() { Icon::Close } else { Icon::Flag })}
                    <Show when=move || is_sure.get()>
                        <span class="tip" role="status">{give_up_text}</span>
                    </Show>
                </button>
            </Show>
        </div>
    })
}
