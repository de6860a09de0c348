//! Files that come in and go out, and dates as people write them.

use js_sys::{Array, Date, Object, Reflect};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, File, FileList, HtmlAnchorElement, Url};

use crate::timer::Timer;

/// How long an address for a download is kept, in milliseconds.
const REVOKE_TIME: f64 = 60_000.0;

/// Larger files are no records.
const MOST_BYTES: f64 = 64.0 * 1024.0 * 1024.0;

/// Reads files as text and hands the texts over. One that can't be read is an empty text.
pub(crate) fn read_all(files: Option<FileList>, on_read: Callback<Vec<String>>) {
    let Some(files) = files else {
        return;
    };
    let files: Vec<_> = (0..files.length()).filter_map(|n| files.get(n)).collect();
    if files.is_empty() {
        return;
    }
    spawn_local(async move {
        let mut texts = Vec::new();
        for file in files {
            texts.push(read(&file).await.unwrap_or_default());
        }
        on_read.run(texts);
    });
}

async fn read(file: &File) -> Option<String> {
    if file.size() > MOST_BYTES {
        return None;
    }
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// Offers a text as a file.
pub(crate) fn download(name: &str, text: &str) {
    let options = BlobPropertyBag::new();
    options.set_type("text/plain");
    let parts = Array::of1(&JsValue::from_str(text));
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        download_blob(name, &blob);
    }
}

/// Offers data as a file.
pub(crate) fn download_blob(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else {
        return;
    };
    let link = document().create_element("a").ok();
    if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok()) {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser has taken it over by then.
    Timer::new().start(REVOKE_TIME, move || drop(Url::revoke_object_url(&url)));
}

/// The day of a moment, which is in milliseconds since 1970, such as “12 Nov”.
pub(crate) fn day(moment: u64, language: &str) -> String {
    let date = Date::new(&JsValue::from_f64(moment as f64));
    let options = Object::new();
    let set = |name: &str, value: &str| {
        Reflect::set(&options, &name.into(), &value.into()).ok();
    };
    set("day", "numeric");
    set("month", "short");
    if date.get_full_year() != Date::new_0().get_full_year() {
        set("year", "numeric");
    }
    date.to_locale_date_string(language, &options).into()
}
