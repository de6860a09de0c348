//! The dialog for accounts: create one, sign in, recover, change the password, sign out, delete. Guests
//! find their data here, too.

use leptos::{ev, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;

use super::{Online, cards::phrased, http::call, json::object};
use crate::{
    app::find,
    dialog::Dialog,
    html::{Html, escaped},
    icons::{Icon, IconButton},
    online_state::{AccountForm, Identity},
    room::Room,
};

/// Something to download: the path below `/api/me`, the name of the file, and the phrase.
type Export = (&'static str, &'static str, &'static str);

/// Everything that is stored about the player.
const EXPORT: Export = ("export", "parlour-export.json", "on.export");

/// The matches, a line of JSON each.
pub(super) const MATCHES_EXPORT: Export = (
    "matches.ndjson",
    "parlour-matches.ndjson",
    "on.export.matches",
);

/// The dialog for accounts.
#[component]
pub(crate) fn AccountDialog(room: Room) -> impl IntoView {
    let online = Online::of(room)?;
    let hub = online.hub;
    let close = move || {
        hub.account.set(None);
        hub.trouble.set(None);
    };
    let is_busy = RwSignal::new(false);
    let is_sure = RwSignal::new(false);
    let form = move || hub.account.get().unwrap_or(AccountForm::SignIn);
    let title = move || {
        room.say(match form() {
            AccountForm::Create => "on.create",
            AccountForm::SignIn => "on.sign-in",
            AccountForm::Recover => "on.recover",
            AccountForm::Codes(_) => "on.codes",
            AccountForm::Password => "on.password.change",
            AccountForm::Account if is_guest(online) => "on.data",
            AccountForm::Account => "on.account",
        })
    };
    let on_do = Callback::new(move |command: String| {
        hub.trouble.set(None);
        // Whoever does something else in between has to press twice again.
        if command != "delete" {
            is_sure.set(false);
        }
        match &*command {
            "create" => hub.account.set(Some(AccountForm::Create)),
            "sign-in" => hub.account.set(Some(AccountForm::SignIn)),
            "recover" => hub.account.set(Some(AccountForm::Recover)),
            "password" => hub.account.set(Some(AccountForm::Password)),
            "close" => close(),
            "sign-out" => leave(online, "POST", "/api/logout"),
            "delete" if is_sure.get_untracked() => leave(online, "DELETE", "/api/me"),
            "delete" => is_sure.set(true),
            _ => {}
        }
    });
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let form = hub.account.get_untracked();
        if is_busy.get_untracked() {
            return;
        }
        is_busy.set(true);
        hub.trouble.set(None);
        spawn_local(async move {
            if let Some(form) = form {
                send(online, form).await;
            }
            is_busy.try_set(false);
        });
    };
    let html = Signal::derive(move || parts(online, &form(), is_sure.get()));
    let has_fields = Memo::new(move |_| {
        matches!(
            form(),
            AccountForm::Create
                | AccountForm::SignIn
                | AccountForm::Recover
                | AccountForm::Password
        )
    });
    Some(view! {
        <Dialog class="acc" label="acc-title" on_close=Callback::new(move |()| close())>
            <form on:submit=submit>
                <div class="hd">
                    <h2 id="acc-title">{title}</h2>
                    <IconButton
                        id="acc-close"
                        name=Signal::derive(room.text("do.close"))
                        kind=Icon::Close
                        on_press=close
                    />
                </div>
                <Html class="fields" html=html on_do=on_do />
                <p class="bad" role="alert">
                    {move || hub.trouble.get().map(|name| room.say(&name))}
                </p>
                <Show when=move || has_fields.get()>
                    <button class="btn pri wide" id="acc-go" disabled=move || is_busy.get()>
                        {title}
                    </button>
                </Show>
            </form>
        </Dialog>
    })
}

fn parts(online: Online, form: &AccountForm, is_sure: bool) -> String {
    let room = online.room;
    let input = |id: &str, phrase: &str, kind: &str, complete: &str| {
        format!(
            "<div class='fd'><label for='{id}'>{}</label><input id='{id}' type='{kind}' autocomplete='{complete}' required></div>",
            phrased(room, phrase)
        )
    };
    let link = |id: &str, phrase: &str| {
        let text = phrased(room, phrase);
        format!("<button type='button' class='link' id='do-{id}' data-do='{id}'>{text}</button>")
    };
    let note = |phrase: &str| format!("<p class='note'>{}</p>", phrased(room, phrase));
    let name = input("acc-name", "on.name", "text", "username");
    match form {
        AccountForm::Create => {
            let password = input("acc-password", "on.password", "password", "new-password");
            note("on.create.line") + &name + &password + &link("sign-in", "on.have-account")
        }
        AccountForm::SignIn => {
            let password = input(
                "acc-password",
                "on.password",
                "password",
                "current-password",
            );
            let lost = match is_guest(online) {
                true => note("on.sign-in.guest"),
                false => String::new(),
            };
            lost + &name + &password + &link("recover", "on.forgot") + &link("create", "on.create")
        }
        AccountForm::Recover => {
            let code = input("acc-code", "on.code", "text", "off");
            let password = input(
                "acc-password",
                "on.password.new",
                "password",
                "new-password",
            );
            note("on.recover.line") + &name + &code + &password
        }
        AccountForm::Password => {
            // For programs that keep passwords.
            let name = format!(
                "<input type='text' id='acc-name' autocomplete='username' value='{}' readonly hidden>",
                escaped(&own_name(online))
            );
            let old = input("acc-old", "on.password.old", "password", "current-password");
            let password = input(
                "acc-password",
                "on.password.new",
                "password",
                "new-password",
            );
            name + &old + &password + &note("on.password.line")
        }
        AccountForm::Codes(codes) => {
            let codes: Vec<_> = codes.iter().map(|code| escaped(code)).collect();
            format!(
                "{}<pre class='codes'>{}</pre><button type='button' class='btn pri wide' id='codes-done' data-do='close'>{}</button>",
                note("on.codes.line"),
                codes.join("\n"),
                phrased(room, "on.codes.done")
            )
        }
        AccountForm::Account => {
            let is_guest = is_guest(online);
            let delete = match (is_sure, is_guest) {
                (true, _) => "on.delete.sure",
                (false, true) => "on.delete.guest",
                (false, false) => "on.delete",
            };
            let button = |id: &str, phrase: &str| {
                let text = phrased(room, phrase);
                format!(
                    "<button type='button' class='btn wide' id='do-{id}' data-do='{id}'>{text}</button>"
                )
            };
            let mut html = format!("<p><b>{}</b></p>", escaped(&own_name(online)));
            if is_guest {
                html += &note("on.data.line");
            } else {
                html += &button("sign-out", "on.sign-out");
                html += &button("password", "on.password.change");
            }
            for (path, file, phrase) in [EXPORT, MATCHES_EXPORT] {
                html += &format!(
                    "<a class='btn wide' href='/api/me/{path}' download='{file}'>{}</a>",
                    phrased(room, phrase)
                );
            }
            html + &button("delete", delete)
        }
    }
}

/// Whether somebody plays without an account.
fn is_guest(online: Online) -> bool {
    let me = online.hub.me.get();
    matches!(me, Identity::Player { is_guest: true, .. })
}

fn own_name(online: Online) -> String {
    match online.hub.me.get() {
        Identity::Player { name, .. } => name,
        _ => String::new(),
    }
}

async fn send(online: Online, form: AccountForm) {
    let hub = online.hub;
    let (name, password) = (field("#acc-name"), field("#acc-password"));
    let (path, more) = match form {
        AccountForm::Create => ("/api/accounts", None),
        AccountForm::SignIn => ("/api/login", None),
        AccountForm::Recover => {
            let code = field("#acc-code");
            ("/api/recover", Some(("code", code.trim().into())))
        }
        AccountForm::Password => {
            let old = field("#acc-old");
            ("/api/password", Some(("old", (&old).into())))
        }
        AccountForm::Codes(_) | AccountForm::Account => return,
    };
    let mut fields = vec![
        ("name", name.trim().into()),
        ("password", (&password).into()),
    ];
    fields.extend(more);
    match call("POST", path, Some(&object(&fields))).await {
        Ok(_) if form == AccountForm::Password => hub.account.set(Some(AccountForm::Account)),
        Ok(json) => {
            hub.n_changes.update_value(|n| *n += 1);
            if form != AccountForm::Create {
                // What was begun is somebody else's.
                online.forget();
            }
            online.set_me(json.get("player"));
            let mut codes = json.texts("recovery");
            codes.extend(json.texts("codes"));
            hub.account
                .set((!codes.is_empty()).then_some(AccountForm::Codes(codes)));
            online.refresh();
        }
        Err(failure) => {
            let name = match (&form, failure.status) {
                (AccountForm::Create, 409) => "on.name.taken",
                (AccountForm::Create, 400) => "on.name.bad",
                (AccountForm::Recover | AccountForm::Password, 400) => "on.password.bad",
                (AccountForm::Password, 401) => "on.password.wrong",
                (_, 401) => "on.wrong",
                (_, 429) => "on.slow-down",
                (_, 0) => "on.offline.long",
                _ => "on.failed",
            };
            hub.trouble.set(Some(name.to_owned()));
        }
    }
}

/// Signs out, or deletes the account.
fn leave(online: Online, method: &'static str, path: &'static str) {
    spawn_local(async move {
        let body = (method == "POST").then_some("{}");
        match call(method, path, body).await {
            Ok(_) => {
                online.hub.n_changes.update_value(|n| *n += 1);
                online.forget();
                online.set_me(None);
                online.hub.account.set(None);
                online.refresh();
            }
            Err(failure) => online.fail(&failure),
        }
    });
}

/// The text in a field.
fn field(selector: &str) -> String {
    let input = find(selector).and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
    input.map(|input| input.value()).unwrap_or_default()
}
