//! The connection to the engine, which runs in a web worker and speaks lines of text.
//!
//! [`EngineClient`] decides what is said; this file only carries the lines, starts the
//! worker once the page can be used, and replaces one that died.

use std::{cell::RefCell, rc::Rc};

use leptos::prelude::document;
use play::{EngineClient, Event, Heard, Question, Thought};
use study::{Inquiry, Opinion};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{MessageEvent, Worker};

use crate::timer::Timer;

/// The first message of a worker that listens.
const READY: &str = "ready";

/// A worker that owes an answer and says nothing for this long has died, in milliseconds.
const LONGEST_SILENCE: f64 = 20_000.0;

/// A worker that does not listen after this long has failed to start, in milliseconds. Its program
/// may come over a slow network; one that can't be had is reported at once.
const LONGEST_START: f64 = 120_000.0;

/// How long after a worker died the next one is started, in milliseconds: this long at first, and
/// four times as long after each that did not start.
const RESTART_DELAY: f64 = 250.0;

/// The delay grows so many times.
const MOST_GROWTH: i32 = 2;

/// Where the worker's script is: the bundler writes it into the page.
const SCRIPT: &str = "meta[name=parlour-worker]";

/// A message from the engine to the match.
#[derive(Clone, Debug)]
pub(crate) enum EngineReport {
    Event(Event),
    Thought(Thought),
    Opinion(Opinion),
    /// A puzzle in the form of the protocol, or `none`.
    Puzzle(String),
    /// The engine could not get its weights, and goes on without them.
    LacksWeights,
}

/// The connection. Clones share it.
#[derive(Clone)]
pub(crate) struct EngineLink(Rc<Shared>);

struct Shared {
    link: RefCell<EngineState>,
    on_report: Box<dyn Fn(EngineReport)>,
    /// Runs while the worker owes an answer.
    silence: Timer,
    restart: Timer,
}

#[derive(Default)]
struct EngineState {
    client: EngineClient,
    /// Whether a worker may be started.
    is_started: bool,
    worker: Option<WorkerHandle>,
    /// How many workers in a row did not start.
    n_failed: i32,
}

/// A worker, and the functions it calls.
struct WorkerHandle {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(JsValue)>,
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl EngineLink {
    /// A connection without a worker. `on_report` hears of everything that concerns
    /// the question asked last.
    pub(crate) fn new(on_report: impl Fn(EngineReport) + 'static) -> Self {
        Self(Rc::new(Shared {
            link: RefCell::default(),
            on_report: Box::new(on_report),
            silence: Timer::new(),
            restart: Timer::new(),
        }))
    }

    /// Fetches and starts the worker. Until then questions wait.
    pub(crate) fn start(&self) {
        self.0.link.borrow_mut().is_started = true;
        self.connect();
    }

    /// Asks `question` instead of any earlier one.
    pub(crate) fn ask(&self, question: Question) {
        self.tell(|client| client.ask(question));
    }

    /// Lets the engine begin with what takes long in a match like that of `question`.
    pub(crate) fn prepare(&self, question: Question) {
        self.tell(|client| client.prepare(question));
    }

    /// Asks `inquiry` instead of any earlier question.
    pub(crate) fn inquire(&self, inquiry: Inquiry) {
        self.tell(|client| client.inquire(inquiry));
    }

    /// Asks for the puzzle of `game` that `seed` leads to, instead of any earlier question.
    pub(crate) fn mine(&self, game: &'static str, seed: u64) {
        self.tell(|client| client.mine(game, seed));
    }

    /// The answer to the last question is no longer of use.
    pub(crate) fn stop(&self) {
        self.tell(EngineClient::stop);
    }

    fn tell(&self, f: impl FnOnce(&mut EngineClient) -> Vec<String>) {
        let lines = f(&mut self.0.link.borrow_mut().client);
        self.send(&lines);
        self.watch();
    }

    fn send(&self, lines: &[String]) {
        let link = self.0.link.borrow();
        if let Some(connection) = &link.worker {
            for line in lines {
                // A worker that is gone is noticed by its silence.
                connection.worker.post_message(&line.into()).ok();
            }
        }
    }

    /// Starts a worker, if there is none.
    fn connect(&self) {
        let mut link = self.0.link.borrow_mut();
        if link.worker.is_some() || !link.is_started {
            return;
        }
        let (on_message, on_error) = (self.clone(), self.clone());
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(line) = event.data().as_string() {
                on_message.hear(&line);
            }
        });
        let on_error = Closure::<dyn FnMut(JsValue)>::new(move |_| on_error.died());
        let Some(worker) = new_worker() else {
            return;
        };
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        link.worker = Some(WorkerHandle {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        });
    }

    fn hear(&self, line: &str) {
        let heard = {
            let mut link = self.0.link.borrow_mut();
            if line == READY {
                link.n_failed = 0;
                Heard {
                    lines: link.client.connected(),
                    ..Heard::default()
                }
            } else {
                link.client.hear(line)
            }
        };
        self.send(&heard.lines);
        self.watch();
        self.report(heard);
    }

    fn report(&self, heard: Heard) {
        let reports = [
            heard.event.map(EngineReport::Event),
            heard.thought.map(EngineReport::Thought),
            heard.opinion.map(EngineReport::Opinion),
            heard.puzzle.map(EngineReport::Puzzle),
            heard.lacks_weights.then_some(EngineReport::LacksWeights),
        ];
        for report in reports.into_iter().flatten() {
            (self.0.on_report)(report);
        }
    }

    /// Waits for the next line, if one is owed.
    fn watch(&self) {
        let link = self.0.link.borrow();
        if link.is_started && link.client.is_waiting() {
            let engine = self.clone();
            let longest = if link.client.is_connected() {
                LONGEST_SILENCE
            } else {
                LONGEST_START
            };
            self.0.silence.start(longest, move || engine.died());
        } else {
            self.0.silence.stop();
        }
    }

    /// The worker failed: another one replaces it, and questions that are open are reported
    /// as failed.
    fn died(&self) {
        let heard = {
            let mut link = self.0.link.borrow_mut();
            // The function that is running belongs to the connection, so it goes later.
            let gone = link.worker.take();
            let engine = self.clone();
            let delay = RESTART_DELAY * 4_f64.powi(link.n_failed.min(MOST_GROWTH));
            self.0.restart.start(delay, move || {
                drop(gone);
                engine.connect();
            });
            link.n_failed += i32::from(!link.client.is_connected());
            link.client.disconnected()
        };
        self.0.silence.stop();
        self.report(heard);
    }
}

fn new_worker() -> Option<Worker> {
    let script = document().query_selector(SCRIPT).ok()??;
    Worker::new(&script.get_attribute("content")?).ok()
}
