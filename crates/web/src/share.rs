//! Sharing a match or a position: as a link that holds it, as a picture, as a film, as a
//! file.

use catalog::AnyMatch;
use js_sys::Reflect;
use leptos::{prelude::*, task::spawn_local};
use qrcodegen::{QrCode, QrCodeEcc};
use view::{Look, Theme};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

use crate::{
    dialog::Dialog,
    files,
    icons::{Icon, IconButton, icon},
    replay::Replay,
    room::Room,
    route::shared_address,
    segment::{Item, Segment},
    timer::Timer,
};

/// Longer links are cut off by some programs.
const MOST_LETTERS: usize = 2000;

/// How long it is said that the link was copied, in milliseconds.
const COPIED_TIME: f64 = 2000.0;

/// The width of a picture in pixels.
const PICTURE_SIZE: u32 = 1200;

/// The content to share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShareScope {
    Match,
    Position,
}

/// The match up to where it stands, or the position that is looked at.
fn part_of(room: Room, part: ShareScope) -> Option<Box<dyn AnyMatch>> {
    let studied = room.shared.with_value(Clone::clone);
    if let Some(record) = studied {
        return match part {
            ShareScope::Match => Some(record),
            ShareScope::Position => {
                let game = catalog::find(record.game()).ok()?;
                game.start_from(&record.position()).ok()
            }
        };
    }
    room.driver.with_untracked(|session| {
        let mut record = session.record().boxed_clone();
        match part {
            ShareScope::Match => {
                record.go_to(session.sitting.live()).ok()?;
                Some(record)
            }
            ShareScope::Position => session.game.start_from(&record.position()).ok(),
        }
    })
}

/// A link that holds the match, wherever the page comes from.
fn link_to(record: &dyn AnyMatch) -> String {
    let location = window().location();
    let page = location.href().unwrap_or_default();
    let page = page.split('#').next().unwrap_or_default().to_owned();
    format!("{page}{}", shared_address(&record.to_link()))
}

/// A QR code as the path of a drawing, and its width.
pub(crate) fn qr_path(text: &str) -> Option<(String, i32)> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let size = code.size();
    let dots = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let path = dots
        .filter(|&(x, y)| code.get_module(x, y))
        .map(|(x, y)| format!("M{x} {y}h1v1h-1z"))
        .collect();
    Some((path, size))
}

/// The part of the drawing that is shown: the code with the margin that readers of ISO/IEC 18004
/// may rely on, four modules wide.
pub(crate) fn qr_box(size: i32) -> String {
    format!("-4 -4 {0} {0}", size + 8)
}

/// Shares `text` where the device has a dialog for that, or else copies it.
pub(crate) fn share_or_copy(text: String) -> bool {
    let navigator = window().navigator();
    let can_share = Reflect::has(&navigator, &JsValue::from_str("share")).unwrap_or(false);
    spawn_local(async move {
        if can_share {
            let data = web_sys::ShareData::new();
            data.set_text(&text);
            // Somebody may change their mind.
            JsFuture::from(navigator.share_with_data(&data)).await.ok();
        } else {
            let promise = navigator.clipboard().write_text(&text);
            JsFuture::from(promise).await.ok();
        }
    });
    !can_share
}

/// The dialog for sharing.
#[component]
pub(crate) fn ShareDialog(room: Room) -> impl IntoView {
    let close = move || room.is_share_open.set(false);
    let part = RwSignal::new(ShareScope::Match);
    let is_replay = RwSignal::new(false);
    let is_copied = RwSignal::new(false);
    let copied_end = Timer::new();
    on_cleanup(move || copied_end.stop());
    let record = move || part_of(room, part.get());
    let link = Memo::new(move |_| record().map(|record| link_to(&*record)));
    let is_long = move || link.with(|link| link.as_ref().is_some_and(|l| l.len() > MOST_LETTERS));
    let items = Signal::derive(move || {
        let item = |id: &str, name| (id.to_owned(), Item::from(room.say(name)));
        vec![
            item("match", "share.match"),
            item("position", "share.position"),
        ]
    });
    let value = Signal::derive(move || match part.get() {
        ShareScope::Match => "match".to_owned(),
        ShareScope::Position => "position".to_owned(),
    });
    let choose = Callback::new(move |value: String| {
        part.set(if value == "match" {
            ShareScope::Match
        } else {
            ShareScope::Position
        });
        is_replay.set(false);
    });
    let board = move || {
        let record = record()?;
        Some(if is_replay.get() {
            view! { <Replay room=room record=record /> }.into_any()
        } else {
            let svg = svg(room, &*record);
            view! { <div class="still" inner_html=svg></div> }.into_any()
        })
    };
    let save = move |f: &dyn Fn(&dyn AnyMatch)| {
        if let Some(record) = untrack(record) {
            f(&*record);
        }
    };
    let game = move || room.with_session(|session| session.wish.game.clone());
    let has_moves = move || {
        part.get() == ShareScope::Match && record().is_some_and(|record| !record.moves().is_empty())
    };
    view! {
        <Dialog class="share" label="share-title" on_close=Callback::new(move |()| close())>
            <div class="cols" data-game=game>
                <div class="pv">{board}</div>
                <div class="form">
                    <div class="hd">
                        <h2 id="share-title">{room.text("share.title")}</h2>
                        <IconButton
                            id="share-close"
                            name=Signal::derive(room.text("do.close"))
                            kind=Icon::Close
                            on_press=close
                        />
                    </div>
                    <Segment
                        name="share-part"
                        label=Signal::derive(room.text("share.what"))
                        items=items
                        value=value
                        on_choose=choose
                    />
                    <Show
                        when=move || !is_long()
                        fallback=move || view! { <p>{room.text("share.long")}</p> }
                    >
                        <Link room=room link=link />
                    </Show>
                    <div class="ways">
                        <button
                            class="way"
                            id="share-svg"
                            on:click=move |_| save(&|record| save_svg(room, record))
                        >
                            {icon(Icon::Picture)}
                            <b>{room.text("share.svg")}</b>
                            <span>{room.text("share.svg.detail")}</span>
                        </button>
                        <button
                            class="way"
                            id="share-png"
                            on:click=move |_| save(&|record| save_png(room, record))
                        >
                            {icon(Icon::Picture)}
                            <b>{room.text("share.png")}</b>
                            <span>{room.text("share.png.detail")}</span>
                        </button>
                        <Show when=has_moves>
                            <button
                                class="way"
                                id="share-replay"
                                aria-pressed=move || is_replay.get().to_string()
                                on:click=move |_| is_replay.update(|is_on| *is_on = !*is_on)
                            >
                                {icon(Icon::Play)}
                                <b>{room.text("share.replay")}</b>
                                <span>{room.text("share.replay.detail")}</span>
                            </button>
                        </Show>
                        <button
                            class="way"
                            id="share-text"
                            on:click=move |_| save(&|record| copy(&record.to_string(), is_copied, copied_end))
                        >
                            {icon(Icon::Copy)}
                            <b aria-live="polite">
                                {move || {
                                    room.say(if is_copied.get() { "share.copied" } else { "share.text" })
                                }}
                            </b>
                            <span>{room.text("share.text.detail")}</span>
                        </button>
                        <button
                            class="way"
                            id="share-file"
                            on:click=move |_| save(&save_file)
                        >
                            {icon(Icon::File)}
                            <b>{room.text("share.file")}</b>
                            <span>{room.text("share.file.detail")}</span>
                        </button>
                    </div>
                </div>
            </div>
        </Dialog>
    }
}

/// Copies a text, and sets `is_copied` for a while if that worked.
pub(crate) fn copy(text: &str, is_copied: RwSignal<bool>, end: Timer) {
    let promise = window().navigator().clipboard().write_text(text);
    spawn_local(async move {
        if JsFuture::from(promise).await.is_ok() {
            is_copied.try_set(true);
            end.start(COPIED_TIME, move || {
                is_copied.try_set(false);
            });
        }
    });
}

/// Whether the system can send links to other programs.
pub(crate) fn can_send() -> bool {
    Reflect::has(&window().navigator(), &JsValue::from_str("share")) == Ok(true)
}

/// Sends a link to another program.
pub(crate) fn send(url: &str) {
    let data = web_sys::ShareData::new();
    data.set_url(url);
    data.set_title("Parlour");
    let promise = window().navigator().share_with_data(&data);
    // Whoever thinks better of it has not failed.
    spawn_local(async move { drop(JsFuture::from(promise).await) });
}

#[component]
fn Link(room: Room, link: Memo<Option<String>>) -> impl IntoView {
    let is_copied = RwSignal::new(false);
    let end = Timer::new();
    on_cleanup(move || end.stop());
    let text = move || link.get().unwrap_or_default();
    let copy = move |_| copy(&untrack(text), is_copied, end);
    let can_send = can_send();
    let send = move |_| send(&untrack(text));
    let qr = move || {
        qr_path(&text()).map(|(path, size)| {
            view! {
                <svg
                    class="qr"
                    viewBox=qr_box(size)
                    role="img"
                    aria-label=room.text("share.qr")
                >
                    <path d=path />
                </svg>
            }
        })
    };
    view! {
        <div class="linked">
            {qr}
            <div>
                <p>{room.text("share.inside")}</p>
                <input
                    id="share-link"
                    readonly
                    aria-label=room.text("share.link")
                    prop:value=text
                    on:focus=select_all
                />
                <div class="acts">
                    <Show when=move || can_send>
                        <button class="btn pri" id="share-send" on:click=send>
                            {icon(Icon::Share)}
                            {room.text("share.send")}
                        </button>
                    </Show>
                    <button class="btn" class:pri=!can_send id="share-copy" on:click=copy>
                        {icon(Icon::Copy)}
                        <span aria-live="polite">
                            {move || {
                                room.say(if is_copied.get() { "share.copied" } else { "share.copy" })
                            }}
                        </span>
                    </button>
                </div>
            </div>
        </div>
    }
}

fn select_all(event: leptos::ev::FocusEvent) {
    event_target::<web_sys::HtmlInputElement>(&event).select();
}

fn svg(room: Room, record: &dyn AnyMatch) -> String {
    let words = room.settings.words.get_untracked();
    let look = Look {
        is_locked: true,
        is_flipped: room.is_flipped.get_untracked(),
        ..Look::new(&words)
    };
    let theme = match room.settings.theme_untracked() {
        // A picture is for everybody.
        Theme::Contrast => Theme::Light,
        theme => theme,
    };
    view::svg(&record.table().scene(&look), theme)
}

fn file_name(record: &dyn AnyMatch, ending: &str) -> String {
    format!("parlour-{}.{ending}", record.game())
}

fn save_file(record: &dyn AnyMatch) {
    files::download(&file_name(record, "txt"), &record.to_string());
}

fn svg_blob(text: &str) -> Option<Blob> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type("image/svg+xml");
    Blob::new_with_str_sequence_and_options(&parts, &options).ok()
}

fn save_svg(room: Room, record: &dyn AnyMatch) {
    if let Some(blob) = svg_blob(&svg(room, record)) {
        files::download_blob(&file_name(record, "svg"), &blob);
    }
}

fn save_png(room: Room, record: &dyn AnyMatch) {
    let name = file_name(record, "png");
    let text = svg(room, record);
    spawn_local(async move {
        paint_png(&text, name).await;
    });
}

/// Paints the drawing onto a canvas of its own and offers what is there.
async fn paint_png(svg: &str, name: String) -> Option<()> {
    // A drawing without a size has none on a canvas.
    let sized = format!("<svg width=\"{PICTURE_SIZE}\" height=\"{PICTURE_SIZE}\" ");
    let svg = svg.replacen("<svg ", &sized, 1);
    let url = web_sys::Url::create_object_url_with_blob(&svg_blob(&svg)?).ok()?;
    let image = HtmlImageElement::new().ok()?;
    image.set_src(&url);
    let decoded = JsFuture::from(image.decode()).await;
    web_sys::Url::revoke_object_url(&url).ok();
    decoded.ok()?;
    let canvas = document().create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().ok()?;
    canvas.set_width(PICTURE_SIZE);
    canvas.set_height(PICTURE_SIZE);
    let context = canvas.get_context("2d").ok()??;
    let context: CanvasRenderingContext2d = context.dyn_into().ok()?;
    let size = f64::from(PICTURE_SIZE);
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, size, size)
        .ok()?;
    let save = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            files::download_blob(&name, &blob);
        }
    });
    canvas.to_blob(save.unchecked_ref()).ok()
}
