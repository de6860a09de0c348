//! The messages of the socket, to and from JSON.

use protocol::{
    ActionName, ClaimAs, ClientMessage, ClockState, Event, MatchResult, MatchStatus, Offer,
    OfferKind, OnlineControl, PlayerInfo, Refusal, Refused, Seat, SeatInfo, Seats, ServerMessage,
    StateMessage,
};
use wasm_bindgen::JsValue;

use super::json::{Json, object};

/// A list of texts.
fn list(items: &[String]) -> JsValue {
    items
        .iter()
        .map(JsValue::from)
        .collect::<js_sys::Array>()
        .into()
}

/// The text of a message.
pub(super) fn write(message: &ClientMessage) -> String {
    let number = |n: u64| JsValue::from(n as f64);
    let mut fields: Vec<(&str, JsValue)> = Vec::new();
    let kind = match message {
        ClientMessage::Join { g, v } => {
            fields.push(("g", g.into()));
            fields.extend(v.map(|v| ("v", number(v))));
            "join"
        }
        ClientMessage::Turn(turn) => {
            fields.extend([
                ("g", (&turn.g).into()),
                ("id", number(turn.id)),
                ("at", number(turn.at)),
                ("m", list(&turn.m)),
                ("ms", number(turn.ms)),
            ]);
            "turn"
        }
        ClientMessage::Do(action) => {
            let what = match action.what {
                ActionName::Resign => "resign",
                ActionName::Draw => "draw",
                ActionName::Takeback => "takeback",
                ActionName::Rematch => "rematch",
                ActionName::Accept => "accept",
                ActionName::Decline => "decline",
                ActionName::Abort => "abort",
                ActionName::Claim => "claim",
                ActionName::Say => "say",
            };
            fields.extend([
                ("g", (&action.g).into()),
                ("id", number(action.id)),
                ("what", what.into()),
            ]);
            fields.extend(action.of.map(|of| ("of", number(of))));
            let phrase = action.phrase.map(|phrase| ("phrase", phrase.into()));
            fields.extend(phrase);
            let claim = action.result.map(|result| match result {
                ClaimAs::Win => "win",
                ClaimAs::Draw => "draw",
            });
            fields.extend(claim.map(|claim| ("as", claim.into())));
            "do"
        }
        ClientMessage::Seek { id, pools } => {
            fields.extend([("id", number(*id)), ("pools", list(pools))]);
            "seek"
        }
        ClientMessage::Unseek {} => "unseek",
        ClientMessage::Leave { g } => {
            fields.push(("g", g.into()));
            "leave"
        }
        ClientMessage::Ping { n } => {
            fields.push(("n", number(*n)));
            "ping"
        }
    };
    fields.insert(0, ("t", kind.into()));
    object(&fields)
}

/// Reads a message; nothing if it is none that the page understands.
pub(super) fn read(json: &Json) -> Option<ServerMessage> {
    let g = || json.text("g");
    let optional = |name: &str| json.number(name).map(|n| n as u64);
    Some(match &*json.text("t") {
        "hi" => ServerMessage::Hi {
            you: json.get("you").map(|you| player(&you)),
            now: json.count("now"),
            live: json.texts("live"),
        },
        "state" => ServerMessage::State(Box::new(state(json)?)),
        "ev" => ServerMessage::Ev {
            g: g(),
            v: json.count("v"),
            at: json.count("at"),
            e: event(&json.get("e")?)?,
            fen: json.text("fen"),
            turn: seat(json, "turn")?,
            result: result(json)?,
            status: status(json),
            clock: clock(json),
            abort_at: optional("abort_at"),
        },
        "ok" => ServerMessage::Ok {
            id: json.count("id"),
            g: Some(g()),
            v: optional("v"),
        },
        "no" => ServerMessage::No(Refused {
            id: optional("id"),
            g: Some(g()).filter(|g| !g.is_empty()),
            why: refusal(&json.text("why")),
            v: optional("v"),
            message: None,
        }),
        "paired" => ServerMessage::Paired {
            g: g(),
            seat: seat(json, "seat")?,
        },
        "pong" => ServerMessage::Pong {
            n: json.count("n"),
            now: json.count("now"),
        },
        "here" => ServerMessage::Here {
            g: g(),
            seat: seat(json, "seat")?,
            is: json.is("is"),
            claim: optional("claim"),
            since: optional("since"),
        },
        "over" => ServerMessage::Over {},
        _ => return None,
    })
}

fn seat(json: &Json, name: &str) -> Option<Seat> {
    json.text(name).parse().ok()
}

fn result(json: &Json) -> Option<MatchResult> {
    json.text("result").parse().ok()
}

fn status(json: &Json) -> MatchStatus {
    json.text("status").parse().unwrap_or(MatchStatus::Playing)
}

fn player(json: &Json) -> PlayerInfo {
    PlayerInfo {
        id: json.text("id"),
        name: json.text("name"),
        guest: json.is("guest"),
        bot: json.is("bot"),
        deleted: json.is("deleted"),
    }
}

pub(super) fn seat_info(json: &Json) -> SeatInfo {
    let whole = |name: &str| json.number(name).map(|n| n as i32);
    SeatInfo {
        player: player(json),
        rating: whole("rating"),
        provisional: json.is("provisional"),
        change: whole("change"),
    }
}

fn clock(json: &Json) -> Option<ClockState> {
    let clock = json.get("clock")?;
    Some(ClockState {
        first: clock.count("first"),
        second: clock.count("second"),
        running: seat(&clock, "running"),
    })
}

/// A time control.
pub(super) fn control(json: &Json, name: &str) -> Option<OnlineControl> {
    let control = json.get(name)?;
    Some(match control.number("days") {
        Some(days) => OnlineControl::Days { days: days as u32 },
        None => OnlineControl::Match {
            base_ms: control.count("base_ms"),
            inc_ms: control.count("inc_ms"),
        },
    })
}

fn offer_kind(json: &Json) -> Option<OfferKind> {
    Some(match &*json.text("what") {
        "draw" => OfferKind::Draw,
        "takeback" => OfferKind::Takeback,
        "rematch" => OfferKind::Rematch,
        _ => return None,
    })
}

fn refusal(why: &str) -> Refusal {
    match why {
        "illegal" => Refusal::Illegal,
        "stale" => Refusal::Stale,
        "not-your-turn" => Refusal::NotYourTurn,
        "over" => Refusal::Over,
        "unknown" => Refusal::Unknown,
        "not-your-seat" => Refusal::NotYourSeat,
        "slow-down" => Refusal::SlowDown,
        "broken" => Refusal::Broken,
        "unavailable" => Refusal::Unavailable,
        _ => Refusal::NotNow,
    }
}

fn event(json: &Json) -> Option<Event> {
    let by = || seat(json, "by");
    Some(match &*json.text("k") {
        "turn" => Event::Turn {
            by: by()?,
            m: json.texts("m"),
            left: json.number("left").map(|n| n as u64),
            lag: json.count("lag"),
        },
        "offer" => Event::Offer {
            by: by()?,
            what: offer_kind(json)?,
        },
        "decline" => Event::Decline {
            by: by()?,
            what: offer_kind(json)?,
            of: json.count("of"),
        },
        "takeback" => Event::Takeback {
            by: by()?,
            n: json.count("n") as usize,
        },
        "resign" => Event::Resign { by: by()? },
        "draw" => Event::Draw,
        "abort" => Event::Abort { by: by() },
        "timeout" => Event::Timeout { by: by()? },
        "claim" => Event::Claim {
            by: by()?,
            result: match &*json.text("as") {
                "draw" => ClaimAs::Draw,
                _ => ClaimAs::Win,
            },
        },
        "say" => Event::Say {
            by: by()?,
            phrase: json.count("phrase") as u8,
        },
        "rematch" => Event::Rematch { g: json.text("g") },
        "time" => Event::Time {
            to: seat(json, "to")?,
            ms: json.count("ms"),
        },
        _ => return None,
    })
}

fn state(json: &Json) -> Option<StateMessage> {
    let seats = json.get("seats")?;
    let offers = json.list("offers").into_iter();
    let offers = offers.filter_map(|offer| {
        Some(Offer {
            what: offer_kind(&offer)?,
            by: seat(&offer, "by")?,
            of: offer.count("of"),
        })
    });
    let here = json.texts("here").into_iter();
    Some(StateMessage {
        g: json.text("g"),
        v: json.count("v"),
        at: json.count("at"),
        game: json.text("game"),
        // They are in the record.
        options: Default::default(),
        record: json.text("record"),
        fen: json.text("fen"),
        turn: seat(json, "turn")?,
        result: result(json)?,
        status: status(json),
        reason: json.get("reason").and_then(|reason| reason.0.as_string()),
        control: control(json, "control"),
        clock: clock(json),
        abort_at: json.number("abort_at").map(|n| n as u64),
        rated: json.is("rated"),
        seats: Seats {
            first: seat_info(&seats.get("first")?),
            second: seat_info(&seats.get("second")?),
        },
        you: seat(json, "you"),
        offers: offers.collect(),
        here: here.filter_map(|name| name.parse().ok()).collect(),
        claim: json.number("claim").map(|n| n as u64),
        since: json.number("since").map(|n| n as u64),
        now: json.count("now"),
        rematch: json.get("rematch").and_then(|it| it.0.as_string()),
    })
}
