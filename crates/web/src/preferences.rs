//! The settings dialog. Every change shows at once, on the boards behind it and in its preview.

use leptos::{ev, prelude::*, task::spawn_local};
use play::{Bot, PlayerKind};
use rules::Player;
use view::{BoardStyle, Language, Palette, PieceStyle, Theme};
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlInputElement, Notification};

use crate::{
    choices::{Animation, Announce, Confirm, named},
    device::{can_store, has_vibration, store, stored},
    dialog::Dialog,
    icons::{Icon, IconButton},
    miniature::DemoBoard,
    nav::ordinary,
    room::{Room, token_svg},
};

/// Turns notifications on, if the browser is allowed to show them, or off.
fn set_notify(notifies: RwSignal<bool>, is_on: bool) {
    if !is_on {
        store("notify", "off");
        notifies.set(false);
        return;
    }
    let Ok(promise) = Notification::request_permission() else {
        return;
    };
    spawn_local(async move {
        let answer = JsFuture::from(promise).await.ok();
        let is_granted = answer.and_then(|it| it.as_string()).as_deref() == Some("granted");
        store("notify", if is_granted { "on" } else { "off" });
        notifies.try_set(is_granted);
    });
}

/// The name of the device's own theme.
const SYSTEM: &str = "auto";

/// The settings dialog.
#[component]
pub(crate) fn Preferences(room: Room) -> impl IntoView {
    let settings = room.settings;
    let close = move || settings.is_open.set(false);
    // The game that is played, or else one with pieces of two kinds.
    let name = untrack(|| room.with_session(|session| session.wish.game.clone()));
    let game = catalog::find(&name).unwrap_or(catalog::GAMES[1]);
    let notifies = RwSignal::new(stored("notify").as_deref() == Some("on"));
    // Of use to those who play online, where the browser can.
    let can_notify = move || {
        let has = js_sys::Reflect::has(&window(), &"Notification".into());
        room.is_online.get() && has == Ok(true)
    };
    view! {
        <Dialog class="sheet set" label="settings-title" on_close=Callback::new(move |()| close())>
            <div class="cols" data-game=game.name()>
                <div class="pv">
                    <DemoBoard room=room game=game />
                    <p>{room.text("settings.live")}</p>
                </div>
                <div class="rows">
                    <div class="head">
                        <h2 id="settings-title">{room.text("settings.title")}</h2>
                        <IconButton
                            id="close"
                            name=Signal::derive(room.text("do.close"))
                            kind=Icon::Close
                            on_press=close
                        />
                    </div>
                    <Show when=|| !can_store()>
                        <p class="note" role="status">{room.text("settings.unsaved")}</p>
                    </Show>
                    <Boards room=room />
                    <Pieces room=room game=game.name() />
                    <div class="pairs">
                        <Switch
                            label=room.text("settings.destinations")
                            name="destinations"
                            is_on=Signal::derive(move || settings.has_destinations.get())
                            on_change=Callback::new(move |is_on| settings.show_destinations(is_on))
                        />
                        <Switch
                            label=room.text("settings.coordinates")
                            name="coordinates"
                            is_on=Signal::derive(move || room.has_coordinates.get())
                            on_change=Callback::new(move |_| room.toggle_coordinates())
                        />
                        <Switch
                            label=room.text("settings.sound")
                            name="sound"
                            is_on=Signal::derive(move || !room.sounds.is_muted.get())
                            on_change=Callback::new(move |_| room.sounds.toggle())
                        />
                        <Switch
                            label=room.text("settings.comments")
                            name="comments"
                            is_on=Signal::derive(move || settings.has_comments.get())
                            on_change=Callback::new(move |is_on| settings.show_comments(is_on))
                        />
                        <Show when=can_notify>
                            <Switch
                                label=room.text("settings.notify")
                                name="notify"
                                is_on=Signal::derive(move || notifies.get())
                                on_change=Callback::new(move |is_on| set_notify(notifies, is_on))
                            />
                        </Show>
                        <Show when=has_vibration>
                            <Switch
                                label=room.text("settings.vibration")
                                name="vibration"
                                is_on=Signal::derive(move || room.sounds.vibrates.get())
                                on_change=Callback::new(move |is_on| room.sounds.set_vibration(is_on))
                            />
                        </Show>
                    </div>
                    <Volume room=room />
                    <Options
                        room=room
                        name="animation"
                        values=names(Animation::ALL, Animation::name)
                        value=Signal::derive(move || settings.animation.get().name())
                        on_choose=Callback::new(move |name: &str| {
                            if let Some(value) = named(Animation::ALL, Animation::name, name) {
                                settings.set_animation(value);
                            }
                        })
                    />
                    <Options
                        room=room
                        name="confirm"
                        values=names(Confirm::ALL, Confirm::name)
                        value=Signal::derive(move || settings.confirm.get().name())
                        on_choose=Callback::new(move |name: &str| {
                            if let Some(value) = named(Confirm::ALL, Confirm::name, name) {
                                settings.set_confirm(value);
                            }
                        })
                    />
                    <Options
                        room=room
                        name="theme"
                        values=[SYSTEM].into_iter().chain(Theme::ALL.map(Theme::name)).collect()
                        value=Signal::derive(move || {
                            settings.chosen_theme.get().map_or(SYSTEM, Theme::name)
                        })
                        on_choose=Callback::new(move |name: &str| {
                            settings.set_theme(named(&Theme::ALL, Theme::name, name));
                        })
                    />
                    <Options
                        room=room
                        name="language"
                        values=Language::ALL.map(Language::tag).to_vec()
                        value=Signal::derive(move || settings.language.get().tag())
                        on_choose=Callback::new(move |tag: &str| {
                            if let Some(language) = Language::from_tag(tag) {
                                settings.set_language(language);
                            }
                        })
                    />
                    <Options
                        room=room
                        name="announce"
                        values=names(Announce::ALL, Announce::name)
                        value=Signal::derive(move || settings.announce.get().name())
                        on_choose=Callback::new(move |name: &str| {
                            if let Some(value) = named(Announce::ALL, Announce::name, name) {
                                settings.set_announce(value);
                            }
                        })
                    />
                </div>
            </div>
        </Dialog>
    }
}

fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|&value| name(value)).collect()
}

/// A row with a switch.
#[component]
fn Switch(
    label: impl Fn() -> String + Send + 'static,
    name: &'static str,
    is_on: Signal<bool>,
    on_change: Callback<bool>,
) -> impl IntoView {
    let change = move |event: ev::Event| {
        on_change.run(event_target::<HtmlInputElement>(&event).checked());
    };
    view! {
        <label class="row">
            <span>{label}</span>
            <input
                class="sw"
                type="checkbox"
                role="switch"
                name=name
                prop:checked=is_on
                on:change=change
            />
        </label>
    }
}

/// How loud sounds are.
#[component]
fn Volume(room: Room) -> impl IntoView {
    let change = move |event: ev::Event| {
        let value = event_target::<HtmlInputElement>(&event).value();
        if let Ok(volume) = value.parse() {
            room.sounds.set_volume(volume);
        }
    };
    view! {
        <label class="row">
            <span>{room.text("settings.volume")}</span>
            <input
                type="range"
                name="volume"
                min="0"
                max="100"
                step="5"
                disabled=move || room.sounds.is_muted.get()
                prop:value=move || room.sounds.volume.get().to_string()
                on:change=change
            />
        </label>
    }
}

/// A row with a choice of words.
#[component]
fn Options(
    room: Room,
    name: &'static str,
    values: Vec<&'static str>,
    value: Signal<&'static str>,
    on_choose: Callback<&'static str>,
) -> impl IntoView {
    let items = values.into_iter().map(|id| (id, None)).collect();
    view! { <Radios room=room name=name class="seg" items=items value=value on_choose=on_choose /> }
}

/// A row with a choice of one among a few.
#[component]
fn Radios(
    room: Room,
    name: &'static str,
    class: &'static str,
    /// Values and pictures.
    items: Vec<(&'static str, Option<AnyView>)>,
    value: Signal<&'static str>,
    on_choose: Callback<&'static str>,
) -> impl IntoView {
    let labels = items.into_iter().map(|(id, picture)| {
        let text = move || room.say(&format!("settings.{name}.{id}"));
        view! {
            <label class:on=move || value.get() == id>
                <input
                    type="radio"
                    name=name
                    value=id
                    prop:checked=move || value.get() == id
                    on:change=move |_| on_choose.run(id)
                />
                {picture}
                <span>{text}</span>
            </label>
        }
    });
    let title = move || room.say(&format!("settings.{name}"));
    view! {
        <div class="row" role="radiogroup" aria-label=title>
            <span aria-hidden="true">{title}</span>
            <div class=class>{labels.collect_view()}</div>
        </div>
    }
}

#[component]
fn Boards(room: Room) -> impl IntoView {
    let items = BoardStyle::ALL.map(|style| {
        let picture =
            view! { <i class="swatch" data-board=style.name()><b></b><b></b><b></b><b></b></i> };
        (style.name(), Some(picture.into_any()))
    });
    view! {
        <Radios
            room=room
            class="swatches"
            name="board"
            items=items.into_iter().collect()
            value=Signal::derive(move || room.settings.board.get().name())
            on_choose=Callback::new(move |name: &str| {
                if let Some(style) = named(&BoardStyle::ALL, BoardStyle::name, name) {
                    room.settings.set_board(style);
                }
            })
        />
    }
}

#[component]
fn Pieces(room: Room, game: &'static str) -> impl IntoView {
    // Any position of the game knows its pieces.
    let table = catalog::find(game).ok();
    let table = table.and_then(|game| {
        let wish = ordinary(game, PlayerKind::Bot(Bot::Classic));
        let record = game.start(&wish.choice_texts()).ok()?;
        Some(record.table())
    });
    let items = PieceStyle::ALL.map(|pieces| {
        let shapes = Player::BOTH.map(|player| {
            let table = table.as_ref();
            table.map(|table| table.token(player)).unwrap_or_default()
        });
        let drawings = shapes.map(|shapes| {
            let drawing = move || {
                let palette = Palette {
                    pieces,
                    ..room.settings.palette()
                };
                token_svg(&shapes, palette)
            };
            view! { <b inner_html=drawing></b> }
        });
        let [first, second] = drawings;
        let picture = view! { <i class="swatch pieces">{first}{second}</i> };
        (pieces.name(), Some(picture.into_any()))
    });
    view! {
        <Radios
            room=room
            class="swatches"
            name="pieces"
            items=items.into_iter().collect()
            value=Signal::derive(move || room.settings.pieces.get().name())
            on_choose=Callback::new(move |name: &str| {
                if let Some(style) = named(&PieceStyle::ALL, PieceStyle::name, name) {
                    room.settings.set_pieces(style);
                }
            })
        />
    }
}
