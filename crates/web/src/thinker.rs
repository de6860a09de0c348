//! Thinking off the page's own thread.
//!
//! Page and worker are the same program and speak in lines of text. A request
//! is an id, an opponent, a seed and the text of the record; a reply is the id,
//! a word for what it is, and the rest.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use catalog::Thought;
use search::{Limits, NoStop, Table};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The mebibytes of what is remembered from move to move.
const TABLE_SIZE: usize = 16;

/// After so many positions the line of progress is half way.
const MANY_NODES: u64 = 100_000;

/// What the worker says once it can think.
const READY: &str = "ready";

/// What is asked of the worker.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The opponent, as bots are called.
    pub(crate) opponent: String,
    /// What its random choices come from.
    pub(crate) seed: u64,
    /// The match so far, as records are written.
    pub(crate) record: String,
}

/// What comes back.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// How far it has got, from 0 to 1000.
    Progress(u32),
    /// The move it chose.
    Move(String),
    /// There is none.
    Trouble,
}

/// The page's side.
pub(crate) struct Thinker {
    worker: Option<Worker>,
    state: Rc<RefCell<State>>,
    on_message: Closure<dyn FnMut(MessageEvent)>,
    on_error: Closure<dyn FnMut(JsValue)>,
}

struct State {
    is_ready: bool,
    waiting: VecDeque<String>,
    /// The id of the request that is being thought about.
    current: u32,
    is_busy: bool,
}

impl Thinker {
    /// Starts the worker. `on_reply` hears of everything that is still wanted.
    pub(crate) fn new(on_reply: impl Fn(Reply) + 'static) -> Self {
        let state = Rc::new(RefCell::new(State {
            is_ready: false,
            waiting: VecDeque::new(),
            current: 0,
            is_busy: false,
        }));
        let on_reply = Rc::new(on_reply);
        let heard = {
            let (state, on_reply) = (Rc::clone(&state), Rc::clone(&on_reply));
            move |event: MessageEvent| {
                let Some(text) = event.data().as_string() else {
                    return;
                };
                if text == READY {
                    let mut state = state.borrow_mut();
                    state.is_ready = true;
                    let worker = event
                        .target()
                        .and_then(|target| target.dyn_into::<Worker>().ok());
                    while let (Some(worker), Some(text)) = (&worker, state.waiting.pop_front()) {
                        // A worker that is gone will never answer anyway.
                        worker.post_message(&text.into()).ok();
                    }
                    return;
                }
                let reply = read_reply(&text).filter(|(id, _)| *id == state.borrow().current);
                let Some((_, reply)) = reply else {
                    return;
                };
                if !matches!(reply, Reply::Progress(_)) {
                    state.borrow_mut().is_busy = false;
                }
                on_reply(reply);
            }
        };
        let failed = move |_: JsValue| on_reply(Reply::Trouble);
        let mut thinker = Self {
            worker: None,
            state,
            on_message: Closure::new(heard),
            on_error: Closure::new(failed),
        };
        thinker.start();
        thinker
    }

    fn start(&mut self) {
        self.state.borrow_mut().is_ready = false;
        let Some(script) = script_address() else {
            return;
        };
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        if let Ok(worker) = Worker::new_with_options(&script, &options) {
            worker.set_onmessage(Some(self.on_message.as_ref().unchecked_ref()));
            worker.set_onerror(Some(self.on_error.as_ref().unchecked_ref()));
            self.worker = Some(worker);
        }
    }

    /// Asks for a move. Whatever was asked before is forgotten.
    pub(crate) fn ask(&mut self, request: &Request) {
        self.stop();
        let mut state = self.state.borrow_mut();
        state.current += 1;
        state.is_busy = true;
        let Request {
            opponent,
            seed,
            record,
        } = request;
        let text = format!("{}\n{opponent}\n{seed}\n{record}", state.current);
        match &self.worker {
            // A worker that is gone will never answer anyway.
            Some(worker) if state.is_ready => drop(worker.post_message(&text.into())),
            _ => state.waiting.push_back(text),
        }
    }

    /// Stops at once whatever is being thought about.
    pub(crate) fn stop(&mut self) {
        let is_busy = {
            let mut state = self.state.borrow_mut();
            state.waiting.clear();
            state.current += 1;
            std::mem::take(&mut state.is_busy)
        };
        // A worker that thinks does not listen, so it is replaced.
        if is_busy && let Some(worker) = self.worker.take() {
            worker.terminate();
            self.start();
        }
    }
}

/// Where the program was loaded from.
fn script_address() -> Option<String> {
    let document = web_sys::window()?.document()?;
    let script = document.query_selector("script[type=module]").ok()??;
    script
        .dyn_into::<web_sys::HtmlScriptElement>()
        .ok()
        .map(|script| script.src())
}

fn read_reply(text: &str) -> Option<(u32, Reply)> {
    let mut words = text.splitn(3, ' ');
    let id = words.next()?.parse().ok()?;
    let kind = words.next()?;
    let rest = words.next().unwrap_or("");
    let reply = match kind {
        "progress" => Reply::Progress(rest.parse().ok()?),
        "move" => Reply::Move(rest.to_owned()),
        _ => Reply::Trouble,
    };
    Some((id, reply))
}

/// Whether this is the worker.
pub(crate) fn is_worker() -> bool {
    js_sys::global().is_instance_of::<DedicatedWorkerGlobalScope>()
}

/// The worker's side: thinks whenever it is asked to.
pub(crate) fn work() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let answer = {
        let scope = scope.clone();
        // What is remembered from move to move.
        let table = Table::new(TABLE_SIZE);
        move |event: MessageEvent| {
            let Some(text) = event.data().as_string() else {
                return;
            };
            let mut lines = text.splitn(4, '\n');
            let mut next = || lines.next().unwrap_or("");
            let (id, opponent, seed, record) = (next(), next(), next(), next());
            let say = |words: &str| drop(scope.post_message(&format!("{id} {words}").into()));
            let found = opponent.parse().ok().and_then(|opponent| {
                let request = bots::Request {
                    opponent,
                    limits: Limits::default(),
                    seed: seed.parse().unwrap_or(0),
                    n_threads: 1,
                    n_lines: 1,
                    table: &table,
                    // A worker that is not wanted any more is ended as a whole.
                    stop: &NoStop,
                };
                choose(record, &request, &say)
            });
            match found {
                Some(m) => say(&format!("move {m}")),
                None => say("trouble"),
            }
        }
    };
    let answer = Closure::<dyn FnMut(MessageEvent)>::new(answer);
    scope.set_onmessage(Some(answer.as_ref().unchecked_ref()));
    // The worker listens as long as it lives.
    answer.forget();
    drop(scope.post_message(&READY.into()));
}

/// Lets a bot choose in the last position of `record`.
fn choose(record: &str, request: &bots::Request<'_>, say: &dyn Fn(&str)) -> Option<String> {
    let playing = catalog::read_file(record).ok()?;
    let mut told = 0;
    playing.think(request, &mut |thought: &Thought| {
        // Nobody knows how long it will take; the line grows ever slower.
        let progress = 1000 * thought.nodes / (thought.nodes + MANY_NODES);
        if progress > told {
            told = progress;
            say(&format!("progress {progress}"));
        }
    })
}
