//! Invitations by link: waiting for somebody, and taking a seat.

use leptos::{prelude::*, task::spawn_local};
use online::LinkEvent;
use protocol::ColorChoice;

use super::{
    Online,
    cards::{game_mark, phrased, picture},
    http::{Failure, call},
    json::Json,
    lobby::offer_text,
    wire::control,
};
use crate::{
    device::{store, stored},
    html::{Html, escaped},
    icons::{Icon, icon},
    online_route::OnlineRoute,
    online_state::{AccountForm, Identity, Invitation},
    room::Screen,
    rooms::{Header, Tabs},
    share::{can_send, copy, qr_box, qr_path, send},
    timer::Timer,
};

/// How often the server is asked about an invitation, in case its message was lost.
const ASK_TIME: f64 = 4000.0;

/// The link, until somebody takes the seat.
#[component]
pub(super) fn Waiting(online: Online) -> impl IntoView {
    let Online { room, hub } = online;
    let is_copied = RwSignal::new(false);
    let end = Timer::new();
    let asking = Timer::new();
    on_cleanup(move || {
        end.stop();
        asking.stop();
    });
    ask_again(online, asking);
    let url = move || {
        hub.invitation
            .with(|it| it.as_ref().map(|it| it.url.clone()))
            .unwrap_or_default()
    };
    let text = move || {
        hub.invitation
            .with(|it| it.as_ref().map(|it| it.text.clone()))
            .unwrap_or_default()
    };
    let copy = move |_| copy(&untrack(url), is_copied, end);
    let can_send = can_send();
    let send = move |_| send(&untrack(url));
    let close = move |_| {
        let token = hub
            .invitation
            .with_untracked(|it| it.as_ref().map(|it| it.token.clone()));
        online.end_invitation();
        online.settle();
        if let Some(token) = token {
            spawn_local(async move {
                // A link that could not be closed is gone in a week.
                drop(call("DELETE", &format!("/api/challenges/{token}"), None).await);
            });
        }
    };
    let qr = move || {
        qr_path(&url()).map(|(path, size)| {
            view! {
                <svg class="qr" viewBox=qr_box(size) role="img" aria-label=room.text("share.qr")>
                    <path d=path />
                </svg>
            }
        })
    };
    view! {
        <div class="wait">
            {qr}
            <div role="status">
                <h3>{room.text("on.wait")} <span class="dots"><i></i><i></i><i></i></span></h3>
                <p>{text}</p>
                <p>{room.text("on.wait.once")}</p>
                <p>{move || online.trouble_name().map(|name| room.say(name))}</p>
            </div>
        </div>
        <input
            id="invite-link"
            readonly
            aria-label=room.text("share.link")
            prop:value=url
            on:focus=select_all
        />
        <div class="two">
            <Show when=move || can_send>
                <button class="btn pri" id="invite-send" on:click=send>
                    {icon(Icon::Share)}
                    {room.text("on.send")}
                </button>
            </Show>
            <button class="btn" class:pri=!can_send id="invite-copy" on:click=copy>
                {icon(Icon::Copy)}
                <span aria-live="polite">
                    {move || room.say(if is_copied.get() { "share.copied" } else { "share.copy" })}
                </span>
            </button>
            <button class="btn" id="invite-close" on:click=close>{room.text("on.close")}</button>
        </div>
        <p class="note">{room.text("on.wait.leave")}</p>
    }
}

impl Online {
    /// Stops waiting for an opponent.
    pub(super) fn end_invitation(self) {
        store("invitation", "");
        self.hub.invitation.set(None);
    }

    /// Somebody else is here now: nobody waits any more, and the connection is theirs.
    pub(super) fn forget(self) {
        self.hub.seeking.set(Vec::new());
        self.end_invitation();
        self.update_link(LinkEvent::Stop);
        self.settle();
    }

    /// Finds the invitation of an earlier visit, if its link is still open.
    pub(super) fn find_invitation(self) {
        let token = stored("invitation").filter(|token| !token.is_empty());
        let Some(token) = token else {
            return;
        };
        spawn_local(async move {
            let json = match call("GET", &format!("/api/challenges/{token}"), None).await {
                Ok(json) => json,
                Err(failure) if failure.status == 404 => return store("invitation", ""),
                Err(_) => return,
            };
            let status = json.text("status");
            if status == "taken" && json.is("mine") {
                return self.find_taken(&json.text("match")).await;
            }
            if status != "open" || !json.is("mine") {
                return store("invitation", "");
            }
            let text = offer_text(
                self.room,
                &json.text("game"),
                control(&json, "clock"),
                ColorChoice::read(&json.text("color")).unwrap_or_default(),
                json.is("rated"),
            );
            self.wait_for(token, text);
        });
    }

    /// Opens a match that began while nobody was here, if it goes on and nothing else is done.
    async fn find_taken(self, id: &str) {
        store("invitation", "");
        let found = call("GET", &format!("/api/matches/{id}"), None).await;
        let goes_on = found.is_ok_and(|json| json.text("status") == "playing");
        let is_at_rest = match self.room.screen.get_untracked() {
            Screen::Home => true,
            Screen::Online => self
                .room
                .online
                .with_untracked(|it| *it == OnlineRoute::Play),
            _ => false,
        };
        if goes_on && is_at_rest {
            self.paired(id);
        }
    }

    /// Waits until somebody takes the seat.
    pub(super) fn wait_for(self, token: String, text: String) {
        // The page may be served under several names; the link has the one in use.
        let page = window().location().href().unwrap_or_default();
        let page = page.split('#').next().unwrap_or_default();
        self.hub.invitation.set(Some(Invitation {
            url: format!("{page}#/join/{token}"),
            token,
            text,
        }));
        self.settle();
    }
}

fn select_all(event: leptos::ev::FocusEvent) {
    event_target::<web_sys::HtmlInputElement>(&event).select();
}

/// Asks now and then whether somebody has taken the seat.
fn ask_again(online: Online, timer: Timer) {
    timer.start(ASK_TIME, move || {
        let token = online
            .hub
            .invitation
            .with_untracked(|it| it.as_ref().map(|it| it.token.clone()));
        let Some(token) = token else {
            return;
        };
        spawn_local(async move {
            let path = format!("/api/challenges/{token}");
            let answer = call("GET", &path, None).await;
            if online.hub.invitation.with_untracked(Option::is_none) {
                return;
            }
            match answer {
                Ok(json) => match &*json.text("status") {
                    "taken" => return online.paired(&json.text("match")),
                    "gone" => return online.end_invitation(),
                    _ => {}
                },
                Err(failure) if failure.status == 404 => return online.end_invitation(),
                Err(_) => {}
            }
            ask_again(online, timer);
        });
    });
}

/// The state of an invitation.
#[derive(Clone)]
enum InvitationState {
    Asking,
    Known(Json),
    Failed(Failure),
}

/// The screen of somebody who opened an invitation.
#[component]
pub(super) fn Join(online: Online, token: String) -> impl IntoView {
    let room = online.room;
    let found = RwSignal::new_local(InvitationState::Asking);
    let path = StoredValue::new(format!("/api/challenges/{token}"));
    let ask = move || {
        spawn_local(async move {
            let answer = call("GET", &path.get_value(), None).await;
            found.try_set(match answer {
                Ok(json) => InvitationState::Known(json),
                Err(failure) => InvitationState::Failed(failure),
            });
        });
    };
    ask();
    let is_busy = RwSignal::new(false);
    let accept = move || {
        if is_busy.get_untracked() {
            return;
        }
        is_busy.set(true);
        spawn_local(async move {
            let answer = match online.ensure_player().await {
                Ok(()) => call("POST", &format!("{}/accept", path.get_value()), Some("{}")).await,
                Err(failure) => Err(failure),
            };
            match answer {
                Ok(json) => online.go_to_match(&json.text("match")),
                // The card says what has become of it.
                Err(failure) if failure.status == 409 => ask(),
                Err(failure) => {
                    found.try_set(InvitationState::Failed(failure));
                }
            }
            is_busy.try_set(false);
        });
    };
    let on_do = Callback::new(move |command: String| match &*command {
        "accept" => accept(),
        "retry" => {
            found.set(InvitationState::Asking);
            ask();
        }
        "create" => online.hub.account.set(Some(AccountForm::Create)),
        "sign-in" => online.hub.account.set(Some(AccountForm::SignIn)),
        _ => {}
    });
    let html =
        Signal::derive(move || found.with(|found| invitation_card(online, found, is_busy.get())));
    view! {
        <div class="home online">
            <Header room=room />
            <main class="one">
                <Html class="oc card1 join" role="status" html=html on_do=on_do />
            </main>
            <Tabs room=room />
        </div>
    }
}

fn invitation_card(online: Online, found: &InvitationState, is_busy: bool) -> String {
    let room = online.room;
    let plain = |heading: &str, line: &str, buttons: &str| {
        format!(
            "<h1>{}</h1><p>{}</p><div class='two'>{buttons}</div>",
            phrased(room, heading),
            phrased(room, line)
        )
    };
    let home = format!(
        "<a class='btn' href='#/play'>{}</a>",
        phrased(room, "online.title")
    );
    let command = |id: &str, phrase: &str, class: &str| {
        let text = phrased(room, phrase);
        format!("<button class='btn {class}' id='{id}' data-do='{id}'>{text}</button>")
    };
    let json = match found {
        InvitationState::Asking => return "<i class='ghost'></i><i class='ghost'></i>".to_owned(),
        InvitationState::Failed(failure) => {
            let retry = command("retry", "do.retry", "pri") + &home;
            return match failure.status {
                404 | 410 => plain("on.join.gone", "on.join.gone.line", &home),
                403 => plain("on.join.refused", "on.join.refused.line", &home),
                429 => plain("on.join.failed", "on.slow-down", &retry),
                _ => plain("on.join.failed", "on.offline.long", &retry),
            };
        }
        InvitationState::Known(json) => json,
    };
    let id = json.text("match");
    match &*json.text("status") {
        "open" => {}
        "taken" => {
            let watch = phrased(room, "on.join.watch");
            let watch = match id.is_empty() {
                true => String::new(),
                false => format!("<a class='btn pri' id='watch' href='#/match/{id}'>{watch}</a>"),
            };
            let (heading, line) = match json.get("seat") {
                Some(_) => ("on.join.yours", "on.join.yours.line"),
                None => ("on.join.taken", "on.join.taken.line"),
            };
            return plain(heading, line, &(watch + &home));
        }
        _ => return plain("on.join.gone", "on.join.gone.line", &home),
    }
    let game = json.text("game");
    let who = json.get("by").map(|by| by.text("name"));
    let heading = match who {
        Some(who) if !who.is_empty() => room.say_with("on.join.by", &[("who", &who)]),
        _ => room.say("on.join"),
    };
    // The color in the offer is the challenger's.
    let color = ColorChoice::read(&json.text("color")).unwrap_or_default();
    let text = offer_text(
        room,
        &game,
        control(json, "clock"),
        color.opposite(),
        json.is("rated"),
    );
    let options = json.pairs("options");
    let choices: Vec<_> = options.iter().map(|(a, b)| (&**a, &**b)).collect();
    let start = catalog::find(&game).and_then(|game| game.start(&choices));
    let svg = start.map_or_else(
        |_| String::new(),
        |start| picture(room, &game, &start.position()),
    );
    let is_guest = !matches!(
        online.hub.me.get(),
        Identity::Player {
            is_guest: false,
            ..
        }
    );
    let mut note = "on.join.note";
    let button = if json.is("mine") {
        format!("<p class='note'>{}</p>", phrased(room, "on.join.mine"))
    } else if json.is("rated") && is_guest {
        note = "on.join.account";
        command("create", "on.create", "pri") + &command("sign-in", "on.sign-in", "")
    } else {
        format!(
            "<button class='btn pri' id='take-seat' data-do='accept' {}>{}</button>",
            if is_busy { "disabled" } else { "" },
            phrased(room, "on.join.take")
        )
    };
    format!(
        "<div data-game='{game}'><span class='mn'>{svg}</span></div><h1>{}</h1><p class='nm'>{}<span>{}</span></p><div class='two'>{button}{home}</div><p class='note'>{}</p>",
        escaped(&heading),
        game_mark(&game),
        escaped(&text),
        phrased(room, note),
    )
}
