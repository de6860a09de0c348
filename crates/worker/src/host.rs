use std::{cell::RefCell, rc::Rc, time::Duration};

use engine::{Engine, WeightFile};
use search::Slice;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use crate::download::Download;

/// Posted when the worker is ready.
const READY: &str = "ready";

/// The approximate length of a slice; messages are handled between slices.
const SLICE: Duration = Duration::from_millis(10);

/// The engine between messages.
struct Host {
    scope: DedicatedWorkerGlobalScope,
    engine: Engine,
    /// A message to this port resumes the work after all messages that are waiting.
    /// Timers would do the same, but at most every 4 ms.
    wake: MessagePort,
    /// Whether such a message is pending.
    is_awake: bool,
}

/// Handles messages for the lifetime of the worker.
pub(crate) fn run() {
    console_error_panic_hook::set_once();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let channel = MessageChannel::new().expect("a browser has message channels");
    let engine = Engine::new(catalog::GAMES[0], now).expect("every game has a first position");
    let engine = engine.with_fetched_weights();
    let host = Rc::new(RefCell::new(Host {
        scope: scope.clone(),
        engine,
        wake: channel.port2(),
        is_awake: false,
    }));
    let hear = {
        let host = Rc::clone(&host);
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(line) = event.data().as_string() {
                host.borrow_mut().hear(&line);
                fetch_weights(&host);
            }
        })
    };
    let go_on = Closure::<dyn FnMut()>::new(move || host.borrow_mut().go_on());
    channel
        .port1()
        .set_onmessage(Some(go_on.as_ref().unchecked_ref()));
    scope.set_onmessage(Some(hear.as_ref().unchecked_ref()));
    // Both are called for the lifetime of the worker.
    go_on.forget();
    hear.forget();
    post(&scope, READY);
}

/// Fetches the files of weights that the engine asks for.
fn fetch_weights(host: &Rc<RefCell<Host>>) {
    loop {
        // Nothing is borrowed while a fetch is started: it may report at once.
        let Some(fetch) = host.borrow_mut().engine.next_fetch() else {
            return;
        };
        let host = Rc::clone(host);
        spawn_local(async move {
            let file = fetch.file;
            let scope = host.borrow().scope.clone();
            let report = |n_bytes: usize| {
                let (name, size) = (file.name(), file.size());
                post(
                    &scope,
                    &format!("info string weights {name} {n_bytes} of {size}"),
                );
            };
            let name = file.file_name();
            let download = Download::new(&scope, &name, fetch.is_again);
            let content = download.run(report).await.ok();
            host.borrow_mut().supply(file, content.as_deref());
            // It may have come damaged.
            fetch_weights(&host);
        });
    }
}

impl Host {
    /// Handles one line.
    fn hear(&mut self, line: &str) {
        let lines = self.engine.answer(line);
        self.say(&lines);
        if self.engine.has_quit() {
            self.scope.close();
        } else if !self.is_awake {
            self.wake();
        }
    }

    /// Hands a file of weights to the engine, or says that it can't be fetched.
    fn supply(&mut self, file: &'static WeightFile, content: Option<&[u8]>) {
        let lines = self.engine.supply(file, content);
        self.say(&lines);
        if !self.is_awake {
            self.wake();
        }
    }

    /// Thinks for a slice.
    fn go_on(&mut self) {
        let end = now() + SLICE;
        self.is_awake = false;
        let lines = self.engine.step(Slice {
            nodes: u64::MAX,
            is_over: &|| now() >= end,
        });
        self.say(&lines);
        self.wake();
    }

    /// Schedules the next slice if there is work.
    fn wake(&mut self) {
        if self.engine.has_work() {
            self.is_awake = true;
            self.wake
                .post_message(&JsValue::NULL)
                .expect("the other port is open");
        }
    }

    fn say(&self, lines: &[String]) {
        for line in lines {
            post(&self.scope, line);
        }
    }
}

fn post(scope: &DedicatedWorkerGlobalScope, line: &str) {
    scope
        .post_message(&line.into())
        .expect("a line can be cloned");
}

/// The time since the worker started.
fn now() -> Duration {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let milliseconds = scope
        .performance()
        .map_or(0.0, |performance| performance.now());
    Duration::from_secs_f64(milliseconds / 1_000.0)
}
