//! The one kind of timer: something that happens later, unless it is called off.

use std::time::Duration;

use js_sys::Promise;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// At most one thing that is to happen later. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Timer(StoredValue<Option<TimeoutHandle>>);

impl Timer {
    /// A timer that is not running.
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(None))
    }

    /// Calls `f` after some milliseconds, instead of what was to happen before.
    pub(crate) fn start(self, milliseconds: f64, f: impl FnOnce() + 'static) {
        self.stop();
        let delay = Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0);
        let handle = set_timeout_with_handle(f, delay).ok();
        // A part of the page that is gone starts nothing.
        self.0.try_update_value(|kept| *kept = handle);
    }

    /// Calls off what was to happen.
    pub(crate) fn stop(self) {
        self.0.try_update_value(|handle| {
            if let Some(handle) = handle.take() {
                handle.clear();
            }
        });
    }
}

/// Lets the browser do what it has to before going on, so that no task takes long.
pub(crate) async fn breathe() {
    let later = Promise::new(&mut |done, _| {
        if window().set_timeout_with_callback(&done).is_err() {
            done.call0(&JsValue::NULL).ok();
        }
    });
    JsFuture::from(later).await.ok();
}
