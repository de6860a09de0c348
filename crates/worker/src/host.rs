use std::{cell::RefCell, rc::Rc, time::Duration};

use engine::{Engine, Flow, Job};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

/// What the worker posts once it listens.
const READY: &str = "ready";

/// The engine between messages.
struct Host {
    scope: DedicatedWorkerGlobalScope,
    engine: Engine,
    /// What is being thought about.
    job: Option<Job>,
    /// A message to this end makes the worker go on thinking after all messages that
    /// are waiting. Timers would do the same, but not more often than every 4 ms.
    wake: MessagePort,
}

/// Listens for as long as the worker lives.
pub(crate) fn run() {
    console_error_panic_hook::set_once();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let channel = MessageChannel::new().expect("a browser has message channels");
    let engine = Engine::new(catalog::GAMES[0], now).expect("every game has a first position");
    let host = Rc::new(RefCell::new(Host {
        scope: scope.clone(),
        engine,
        job: None,
        wake: channel.port2(),
    }));
    let hear = {
        let host = Rc::clone(&host);
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(line) = event.data().as_string() {
                host.borrow_mut().hear(&line);
            }
        })
    };
    let go_on = Closure::<dyn FnMut()>::new(move || host.borrow_mut().go_on());
    channel
        .port1()
        .set_onmessage(Some(go_on.as_ref().unchecked_ref()));
    scope.set_onmessage(Some(hear.as_ref().unchecked_ref()));
    // Both are called for as long as the worker lives.
    go_on.forget();
    hear.forget();
    post(&scope, READY);
}

impl Host {
    /// Obeys one line.
    fn hear(&mut self, line: &str) {
        let mut answer = Vec::new();
        let flow = self.engine.answer(line, &mut answer);
        for line in String::from_utf8_lossy(&answer).lines() {
            post(&self.scope, line);
        }
        match flow.expect("a list of bytes takes any answer") {
            Flow::GoOn => {}
            Flow::Think(job) => {
                self.job = Some(job);
                self.wake();
            }
            Flow::Stop => self.go_on(),
            Flow::Quit => self.scope.close(),
        }
    }

    /// Goes on with what is under way.
    fn go_on(&mut self) {
        let Some(job) = self.job.take() else {
            return;
        };
        let scope = &self.scope;
        job.run_at_most(u64::MAX, &mut |line| {
            post(scope, line);
            Ok(())
        })
        .expect("posting does not fail");
        self.engine.stopped();
    }

    fn wake(&self) {
        self.wake
            .post_message(&JsValue::NULL)
            .expect("the other end is open");
    }
}

fn post(scope: &DedicatedWorkerGlobalScope, line: &str) {
    scope
        .post_message(&line.into())
        .expect("a line can be cloned");
}

/// The time since the worker was started.
fn now() -> Duration {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let milliseconds = scope
        .performance()
        .map_or(0.0, |performance| performance.now());
    Duration::from_secs_f64(milliseconds / 1_000.0)
}
