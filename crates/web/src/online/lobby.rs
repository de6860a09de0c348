//! The screen where matches with other people begin.

use std::fmt::Display;

use leptos::{prelude::*, task::spawn_local};
use protocol::{ColorChoice, OnlineControl, Speed};
use wasm_bindgen::JsValue;

use super::{
    Online,
    cards::{
        EYE, PEOPLE, PERSON, control_text, game_mark, game_name, glyph, going, match_row,
        minutes_text, phrased, picture, player_address, seat_name,
    },
    http::call,
    invitation::Waiting,
    json::{Json, object, texts},
    time,
};
use crate::{
    device::{store, stored},
    html::{Html, escaped},
    nav::{ordinary, play_address, usual_opponent},
    online_state::{AccountForm, GoingOnline, Identity},
    room::Room,
    rooms::{Header, Tabs},
    route::Wish,
    segment::{Item, Segment},
    sheet::{Colors, Games, Options},
};

/// The time controls of challenges, with their names in the form.
const CONTROLS: [Option<OnlineControl>; 7] = [
    None,
    minutes(3, 2),
    minutes(10, 5),
    minutes(30, 20),
    days(1),
    days(3),
    days(7),
];

const fn minutes(base: u64, increment: u64) -> Option<OnlineControl> {
    Some(OnlineControl::Match {
        base_ms: 60_000 * base,
        inc_ms: 1_000 * increment,
    })
}

const fn days(days: u32) -> Option<OnlineControl> {
    Some(OnlineControl::Days { days })
}

/// The screen of online play.
#[component]
pub(super) fn Lobby(online: Online) -> impl IntoView {
    let Online { room, hub } = online;
    let game = stored("online.game").and_then(|name| catalog::find(&name).ok());
    let game = game.unwrap_or(catalog::GAMES[0]);
    let wish = RwSignal::new(ordinary(game, play::PlayerKind::Person));
    wish.update_untracked(|wish| wish.color = Some(ColorChoice::Random));
    let on_do = Callback::new(move |command: String| do_command(online, wish, &command));
    let part =
        move |f: fn(Online, RwSignal<Wish>) -> String| Signal::derive(move || f(online, wish));
    let is_waiting = Memo::new(move |_| hub.invitation.with(Option::is_some));
    let is_open = RwSignal::new(false);
    let make = Callback::new(move |()| is_open.set(true));
    view! {
        <div class="home online">
            <Header room=room />
            <main class="lobby" class:waits=move || is_waiting.get()>
                <h1 class="sr">{room.text("online.title")}</h1>
                <section class="oc friend" class:open=move || is_open.get() || is_waiting.get()>
                    <div class="hd">
                        <span class="ph" inner_html=glyph(PEOPLE)></span>
                        <div>
                            <h2>{room.text("on.friend")}</h2>
                            <p class="ph">{room.text("on.friend.line")}</p>
                        </div>
                        <button class="btn ph" id="make-link" on:click=move |_| make.run(())>
                            {room.text("on.make")}
                        </button>
                    </div>
                    <div class="form">
                        <Show
                            when=move || is_waiting.get()
                            fallback=move || view! { <ChallengeForm online=online wish=wish /> }
                        >
                            <Waiting online=online />
                        </Show>
                    </div>
                </section>
                <section class="oc find">
                    <h2>{room.text("on.find")}</h2>
                    <Html class="pools" html=part(pools) on_do=on_do />
                </section>
                <Html class="oc mine" html=part(mine) />
                <Html class="oc watch" html=part(watch) />
                <Html class="foot" html=part(foot) on_do=on_do />
                {move || {
                    hub.trouble
                        .get()
                        .map(|name| {
                            view! {
                                <p class="notice float" role="alert">
                                    {move || room.say(&name)}
                                    <button class="btn" on:click=move |_| hub.trouble.set(None)>
                                        {room.text("do.close")}
                                    </button>
                                </p>
                            }
                        })
                }}
            </main>
            <Tabs room=room />
        </div>
    }
}

/// The form for a challenge.
#[component]
fn ChallengeForm(online: Online, wish: RwSignal<Wish>) -> impl IntoView {
    let Online { room, hub } = online;
    let chosen = stored("online.clock").and_then(|text| text.parse::<usize>().ok());
    let clock = RwSignal::new(chosen.filter(|it| *it < CONTROLS.len()).unwrap_or(2));
    let is_rated = RwSignal::new(false);
    let is_busy = RwSignal::new(false);
    let game = Memo::new(move |_| wish.with(|wish| wish.game.clone()));
    // Friends draw lots, unless they choose.
    Effect::new(move |_| {
        game.track();
        wish.update(|wish| wish.color = Some(ColorChoice::Random));
    });
    let clocks = Signal::derive(move || {
        let all = CONTROLS.iter().enumerate();
        all.map(|(index, control)| (index.to_string(), Item::from(control_text(room, *control))))
            .collect::<Vec<_>>()
    });
    let can_rate = Memo::new(move |_| {
        let is_solved = game.with(|game| catalog::find(game).is_ok_and(|game| game.is_solved()));
        let has_account = matches!(
            hub.me.get(),
            Identity::Player {
                is_guest: false,
                ..
            }
        );
        has_account && !is_solved
    });
    let make = move |_| {
        if is_busy.get_untracked() {
            return;
        }
        is_busy.set(true);
        let wish = wish.get_untracked();
        let control = CONTROLS[clock.get_untracked()];
        let is_rated = is_rated.get_untracked() && can_rate.get_untracked();
        spawn_local(async move {
            challenge(online, wish, control, is_rated).await;
            is_busy.try_set(false);
        });
    };
    view! {
        <Games room=room wish=wish />
        <Options room=room wish=wish game=game />
        <Segment
            name="online-clock"
            class="seg wrap"
            label=Signal::derive(room.text("new.clock"))
            items=clocks
            value=Signal::derive(move || clock.get().to_string())
            on_choose=Callback::new(move |value: String| {
                store("online.clock", &value);
                clock.set(value.parse().unwrap_or(0));
            })
        />
        <Colors room=room wish=wish />
        <Show when=move || can_rate.get()>
            <label class="check">
                <input
                    type="checkbox"
                    class="sw"
                    id="rated"
                    prop:checked=move || is_rated.get()
                    on:change=move |event| is_rated.set(event_target_checked(&event))
                />
                {room.text("on.rated")}
            </label>
        </Show>
        <button class="btn pri wide" id="challenge" disabled=move || is_busy.get() on:click=make>
            {room.text("on.make")}
        </button>
    }
}

/// Asks the server for a link.
async fn challenge(online: Online, wish: Wish, control: Option<OnlineControl>, is_rated: bool) {
    let room = online.room;
    if let Err(failure) = online.ensure_player().await {
        return online.fail(&failure);
    }
    let color = wish.color.unwrap_or(ColorChoice::Random);
    let clock = match control {
        None => JsValue::NULL,
        Some(OnlineControl::Days { days }) => fields(&[("days", f64::from(days))]),
        Some(OnlineControl::Match { base_ms, inc_ms }) => {
            fields(&[("base_ms", base_ms as f64), ("inc_ms", inc_ms as f64)])
        }
    };
    let body = object(&[
        ("game", (&wish.game).into()),
        ("options", texts(&wish.choices)),
        ("color", color.name().into()),
        ("clock", clock),
        ("rated", is_rated.into()),
    ]);
    store("online.game", &wish.game);
    match call("POST", "/api/challenges", Some(&body)).await {
        Ok(json) => {
            let token = json.text("challenge");
            store("invitation", &token);
            let text = offer_text(room, &wish.game, control, color, is_rated);
            online.wait_for(token, text);
        }
        Err(failure) => online.fail(&failure),
    }
}

/// An object of numbers.
fn fields(numbers: &[(&str, f64)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, number) in numbers {
        js_sys::Reflect::set(&object, &(*name).into(), &(*number).into()).ok();
    }
    object.into()
}

/// The terms of a challenge, in words.
pub(super) fn offer_text(
    room: Room,
    game: &str,
    control: Option<OnlineControl>,
    color: ColorChoice,
    is_rated: bool,
) -> String {
    let rated = if is_rated {
        "on.rated.yes"
    } else {
        "on.rated.no"
    };
    let parts = [
        game_name(room, game),
        control_text(room, control),
        room.say(&format!("on.color.{}", color.name())),
        room.say(rated),
    ];
    parts.join(" · ")
}

fn do_command(online: Online, wish: RwSignal<Wish>, command: &str) {
    let hub = online.hub;
    let (what, value) = command.split_once(' ').unwrap_or((command, ""));
    match what {
        "game" => {
            if let Ok(game) = catalog::find(value) {
                store("online.game", value);
                wish.set(Wish {
                    color: Some(ColorChoice::Random),
                    ..ordinary(game, play::PlayerKind::Person)
                });
            }
        }
        "pool" => {
            let mut pools = hub.seeking.get_untracked();
            if pools.iter().any(|pool| pool == value) {
                pools.retain(|pool| pool != value);
            } else {
                pools.push(value.to_owned());
            }
            online.seek(pools);
        }
        "meanwhile" => {
            let game = wish.with_untracked(|wish| catalog::find(&wish.game));
            if let Ok(game) = game {
                online.go(&play_address(game, usual_opponent(game)));
            }
        }
        "create" => hub.account.set(Some(AccountForm::Create)),
        "sign-in" => hub.account.set(Some(AccountForm::SignIn)),
        "account" => hub.account.set(Some(AccountForm::Account)),
        _ => {}
    }
}

/// The choice of a game and the pools of it.
fn pools(online: Online, wish: RwSignal<Wish>) -> String {
    let Online { room, hub } = online;
    let current = wish.with(|wish| wish.game.clone());
    let seeking = hub.seeking.get();
    let waits = Json(hub.lobby.get()).get("waits");
    let usual_wait = |pool: &str| waits.as_ref()?.number(pool);
    let mut html = "<div class='seg gm' role='group'>".to_owned();
    for game in catalog::GAMES {
        let name = game.name();
        let is_on = name == current;
        html += &format!(
            "<button class='sgb{}' id='pool-{name}' data-do='game {name}' aria-pressed='{is_on}'>{}<span>{}</span></button>",
            if is_on { " on" } else { "" },
            game_mark(name),
            escaped(&game_name(room, name))
        );
    }
    html += "</div><div class='pl'>";
    for speed in Speed::ALL {
        let pool = format!("{current}/{}", speed.name());
        let is_on = seeking.contains(&pool);
        let line = if is_on {
            // Nobody is found without a connection.
            room.say(online.trouble_name().unwrap_or("on.looking"))
        } else if let Some(wait) = usual_wait(&pool) {
            room.say_with("on.usual.short", &[("time", &wait_text(room, wait))])
        } else {
            room.say(&format!("on.speed.{}", speed_key(speed)))
        };
        html += &format!(
            "<button class='pool{}' id='seek-{}' data-do='pool {pool}' aria-pressed='{is_on}'><b>{}</b><span>{}</span></button>",
            if is_on { " on" } else { "" },
            speed_key(speed),
            escaped(&control_text(room, Some(speed.control()))),
            escaped(&line)
        );
    }
    html += "</div><p class='note'>";
    if seeking.is_empty() {
        html += &phrased(room, "on.find.line");
    } else {
        hub.seconds.track();
        let since = minutes_text(time().saturating_sub(hub.seeking_since.get_value()));
        // Whoever waits in several pools leaves them by the quickest.
        let usual = seeking.iter().filter_map(|pool| usual_wait(pool));
        let usual = match usual.reduce(f64::min) {
            Some(wait) => room.say_with("on.usual", &[("time", &wait_text(room, wait))]),
            None => room.say("on.usual.none"),
        };
        let line = [("time", &since as &dyn Display), ("usual", &usual)];
        html += &format!(
            "{} <button class='link' id='meanwhile' data-do='meanwhile'>{}</button>",
            escaped(&room.say_with("on.looking.line", &line)),
            phrased(room, "on.meanwhile")
        );
    }
    html + "</p>"
}

/// How long players usually wait, in words, and rounded up: nobody minds to be paired sooner.
fn wait_text(room: Room, milliseconds: f64) -> String {
    let (name, n) = match (milliseconds / 1000.0) as u64 {
        0..10 => ("on.usual.moment", 10),
        seconds @ 10..50 => ("on.usual.seconds", seconds / 10 * 10 + 10),
        seconds @ 50..3540 => ("on.usual.minutes", seconds / 60 + 1),
        seconds => ("on.usual.hours", seconds / 3600 + 1),
    };
    room.say_with(name, &[("n", &n)])
}

fn speed_key(speed: Speed) -> &'static str {
    match speed {
        Speed::Blitz => "blitz",
        Speed::Rapid => "rapid",
        Speed::Daily => "daily",
    }
}

/// One's matches that go on, those with one's turn first.
fn mine(online: Online, _: RwSignal<Wish>) -> String {
    let Online { room, hub } = online;
    let going = going(room, &Json(hub.mine.get()));
    let mut html = format!(
        "<div class='hd'><h2>{}</h2><a class='link' href='#/games'>{}</a></div>",
        phrased(room, "on.mine"),
        phrased(room, "on.games")
    );
    if going.is_empty() {
        html += &format!("<p class='note'>{}</p>", phrased(room, "on.mine.none"));
        return html;
    }
    html += "<ul class='ml'>";
    for GoingOnline { html: row, .. } in &going {
        html += &format!("<li>{row}</li>");
    }
    html + "</ul>"
}

/// Matches of others.
fn watch(online: Online, _: RwSignal<Wish>) -> String {
    let Online { room, hub } = online;
    let lobby = Json(hub.lobby.get());
    let cards = lobby.list("live");
    let mut html = format!(
        "<h2><span class='ph'>{}</span>{}</h2>",
        glyph(EYE),
        phrased(room, "on.watch")
    );
    if cards.is_empty() {
        html += &format!("<p class='note'>{}</p>", phrased(room, "on.watch.none"));
        return html;
    }
    html += "<ul class='ml'>";
    for (index, card) in cards.iter().take(6).enumerate() {
        let names = [
            seat_name(room, card, "first"),
            seat_name(room, card, "second"),
        ];
        let heading = room.say_with("on.both", &[("a", &names[0]), ("b", &names[1])]);
        let heading = escaped(&heading);
        let control = super::wire::control(card, "control");
        let game = card.text("game");
        let line = format!(
            "{} · {}",
            game_name(room, &game),
            control_text(room, control)
        );
        if index == 0 {
            html += &format!(
                "<li class='big'><a href='#/match/{}' data-game='{}'><span class='mn'>{}</span><span class='tx'><b>{heading}</b><span>{}</span></span></a></li>",
                escaped(&card.text("id")),
                escaped(&game),
                picture(room, &game, &card.text("fen")),
                escaped(&line)
            );
        } else {
            html += &match_row(room, card, &heading, &line, "");
        }
    }
    html + "</ul>"
}

/// Who one is here.
fn foot(online: Online, _: RwSignal<Wish>) -> String {
    let Online { room, hub } = online;
    let link = |id: &str, phrase: &str| {
        let text = phrased(room, phrase);
        format!("<button class='link' id='{id}' data-do='{id}'>{text}</button>")
    };
    let sign_in = link("sign-in", "on.sign-in");
    let create = link("create", "on.create");
    match hub.me.get() {
        Identity::Player {
            name,
            is_guest: true,
        } => {
            let text = escaped(&room.say_with("on.guest", &[("name", &name)]));
            let data = link("account", "on.data");
            format!("<p>{text} {create} {sign_in} {data}</p>")
        }
        Identity::Player { name, .. } => format!(
            "<p>{}<a class='link' id='profile' href='{}'>{}</a> {}</p>",
            glyph(PERSON),
            escaped(&player_address(&name)),
            escaped(&name),
            link("account", "on.account")
        ),
        _ => format!("<p>{} {create} {sign_in}</p>", phrased(room, "on.nobody")),
    }
}
