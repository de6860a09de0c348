//! Playing without a network: registers the service worker, and offers a new version once it has
//! been fetched.

use js_sys::Reflect;
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState};

use crate::{
    device::now,
    icons::{Icon, icon},
    room::Room,
};

/// Where the script is: the bundler writes it into the page, if there is to be one.
const SCRIPT: &str = "meta[name=parlour-service-worker]";

/// The message that lets the waiting service worker take over.
const SWITCH: &str = "switch";

/// A page that stays open asks for a new version when it is looked at again, but not more often
/// than this, in milliseconds.
const INTERVAL: f64 = 3_600_000.0;

/// The service worker of the page. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Updates {
    /// Whether a new version waits.
    pub(crate) is_ready: RwSignal<bool>,
    registration: StoredValue<Option<ServiceWorkerRegistration>, LocalStorage>,
    /// When a new version was last looked for.
    checked: StoredValue<f64>,
}

impl Updates {
    /// Nothing is registered yet.
    pub(crate) fn new() -> Self {
        Self {
            is_ready: RwSignal::new(false),
            registration: StoredValue::new_local(None),
            checked: StoredValue::new(0.0),
        }
    }

    /// Registers the service worker. Where that is not possible, the page works as before.
    pub(crate) fn start(self) {
        let (Some(script), Some(container)) = (script(), container()) else {
            return;
        };
        let registered = JsFuture::from(container.register(&script));
        spawn_local(async move {
            if let Ok(registration) = registered.await {
                self.follow(registration.unchecked_into());
            }
        });
    }

    /// The registration, once there is one.
    pub(crate) fn registration(self) -> Option<ServiceWorkerRegistration> {
        self.registration.try_get_value().flatten()
    }

    /// Notices a new version, and looks for one now and then.
    fn follow(self, registration: ServiceWorkerRegistration) {
        self.registration.set_value(Some(registration.clone()));
        self.checked.set_value(now());
        self.look();
        let found = Closure::<dyn Fn()>::new(move || self.found());
        registration.set_onupdatefound(Some(found.as_ref().unchecked_ref()));
        // It is called for as long as the page is open.
        found.forget();
        window_event_listener_untyped("visibilitychange", move |_| {
            if !document().hidden() && now() - self.checked.get_value() > INTERVAL {
                self.checked.set_value(now());
                // Without a network there is no new version.
                registration.update().ok();
            }
        });
    }

    /// A new version is being fetched.
    fn found(self) {
        let registration = self.registration.get_value();
        let Some(worker) = registration.and_then(|registration| registration.installing()) else {
            return;
        };
        let changed = {
            let worker = worker.clone();
            Closure::<dyn Fn()>::new(move || {
                if worker.state() == ServiceWorkerState::Installed {
                    self.look();
                }
            })
        };
        worker.set_onstatechange(Some(changed.as_ref().unchecked_ref()));
        changed.forget();
    }

    /// The first version does not wait for another one to go.
    fn look(self) {
        let is_ready = self.registration.with_value(|registration| {
            let registration = registration.as_ref();
            registration.is_some_and(|it| it.waiting().is_some() && it.active().is_some())
        });
        if is_ready && !self.is_ready.get_untracked() {
            self.is_ready.set(true);
        }
    }

    /// Loads the new version.
    fn switch(self) {
        let registration = self.registration.get_value();
        let waiting = registration.and_then(|registration| registration.waiting());
        match (waiting, container()) {
            (Some(waiting), Some(container)) => {
                let reload = Closure::once_into_js(reload);
                container.set_oncontrollerchange(Some(reload.unchecked_ref()));
                waiting.post_message(&SWITCH.into()).ok();
            }
            // Another tab has done it already.
            _ => reload(),
        }
    }
}

fn reload() {
    window().location().reload().ok();
}

fn script() -> Option<String> {
    let element = document().query_selector(SCRIPT).ok()??;
    element
        .get_attribute("content")
        .filter(|script| !script.is_empty())
}

/// The registry of service workers; browsers have none on addresses that they do not trust.
fn container() -> Option<ServiceWorkerContainer> {
    let container = Reflect::get(&window().navigator(), &"serviceWorker".into()).ok()?;
    (!container.is_undefined()).then(|| container.unchecked_into())
}

/// Says that there is a new version. It is beside the board, never above it.
#[component]
pub(crate) fn UpdateNotice(room: Room) -> impl IntoView {
    view! {
        <div role="status">
            <Show when=move || room.updates.is_ready.get()>
                <p class="notice update">
                    <span>{room.text("site.update")}</span>
                    <button
                        class="btn"
                        title=room.text("site.update.reload")
                        on:click=move |_| room.updates.switch()
                    >
                        {icon(Icon::Reload)}
                        <span>{room.text("site.update.reload")}</span>
                    </button>
                </p>
            </Show>
        </div>
    }
}
